"""What binds the rows of each table, from rows as they are read: all columns, in the order of the schema."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pseudonymizer.vault.rows import documents, entities, mentions, run_results
from pseudonymizer.vault.rows.tombstones import tombstone_fields

FieldsOf = Callable[[Sequence[Any]], bytes]


def _entity(row: Sequence[Any]) -> bytes:
    entity_id, project_id, kind, version, created_on, _, _ = row
    return entities.entity_fields(entity_id, project_id, kind, version, created_on)


def _form(row: Sequence[Any]) -> bytes:
    form_id, entity_id, _, tag, revision, sealed = row
    return entities.form_fields(form_id, entity_id, revision, bytes(tag), bytes(sealed))


def _name_index(row: Sequence[Any]) -> bytes:
    project_id, version, tag, entity_id, _ = row
    return entities.index_fields(project_id, version, entity_id, bytes(tag))


def _mention(row: Sequence[Any]) -> bytes:
    project_id, tag, entity_id, _ = row
    return mentions.mention_fields(project_id, entity_id, tag)


def _mention_list(row: Sequence[Any]) -> bytes:
    project_id, doc_tag, part, entries, _ = row
    return mentions.list_fields(project_id, doc_tag, part, entries)


def _edit(row: Sequence[Any]) -> bytes:
    document_id, ordinal, _, owner, start, end, sealed = row
    return documents.edit_fields(document_id, ordinal, owner, start, end, bytes(sealed))


def _tombstone(row: Sequence[Any]) -> bytes:
    project_id, label, erased_on, _ = row
    return tombstone_fields(project_id, label, erased_on)


BOUND: Final[Mapping[str, FieldsOf]] = {
    "entity": _entity,
    "form": _form,
    "name_index": _name_index,
    "pseudonym": entities.pseudonym_fields,
    "mention": _mention,
    "mention_list": _mention_list,
    "link": entities.link_fields,
    "document": documents.document_fields,
    "edit": _edit,
    "tombstone": _tombstone,
    "run_result": run_results.result_fields,
}
