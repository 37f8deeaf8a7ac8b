"""The rewritten files that a person stands in: their edits, paths and addresses."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from pseudonymizer.crypto import KEY_BYTES, Sealer
from pseudonymizer.records import KEPT_ORIGINAL
from pseudonymizer.schema import document_key
from pseudonymizer.vault.rows.documents import (
    KEY_VERSION,
    DocumentLabel,
    document_fields,
    document_keys,
    document_rows,
    document_sealers,
    edit_fields,
    label_of,
    split_edit,
)
from pseudonymizer.vault.rows.entities import marks, sealers_of, wrapped_parts
from pseudonymizer.vault.rows.table_rows import DocumentRow
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

EditPlace = tuple[int, int]  # document and ordinal
_ADDRESS: Final = re.compile(rb"[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+")
_MOST_EDITS_READ: Final = 5_000


def addresses_of_entities(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]
) -> dict[int, tuple[str, ...]]:
    """The e-mail addresses of these people that stood in rewritten files, by person; of each person the last
    few thousand edits are looked at. Names leave the vault here, as in documents.read_rewrites.
    """
    sealers = sealers_of(vault, keys, sorted(entity_ids))
    found: dict[int, tuple[str, ...]] = {}
    for owner in sorted(entity_ids):
        rows = vault.store.rows(
            "SELECT document_id, ordinal, start_offset, end_offset, sealed FROM edit WHERE entity_id = ? "
            "ORDER BY document_id DESC, ordinal LIMIT ?",
            (owner, _MOST_EDITS_READ),
        )
        numbers = sorted({number for number, *_ in rows})
        revisions = {r.document_id: r.revision for r in document_rows(vault, keys, "document_id", numbers)}
        addresses: dict[str, None] = {}
        for number, ordinal, start, end, sealed in rows:
            context = keys.contexts.edit(number, ordinal, revisions[number], owner, start, end)
            plain = sealers[owner].unseal(bytes(sealed), context=context)
            _, original = split_edit(plain)
            if _ADDRESS.fullmatch(original):
                addresses[original.decode("ascii")] = None
        found[owner] = tuple(sorted(addresses))
    return found


def paths_of_entities(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]
) -> tuple[tuple[str, ...], int]:
    """The original paths of documents with edits of these people, and the number of such documents."""
    numbers = _documents_of(vault, entity_ids)
    rows = list(document_rows(vault, keys, "document_id", sorted(numbers)))
    own = document_sealers(vault, keys, rows)
    paths = []
    for row in rows:
        label = label_of(keys, own[row.document_id], row)
        paths.append(label.path or label.doc_id)
    return tuple(sorted(paths)), len(rows)


def counts_of_entities(vault: VaultCore, entity_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """In how many documents edits of each of these people stand, and how many; nothing of those without."""
    found: dict[int, tuple[int, int]] = {}
    for chunk in in_chunks(sorted(entity_ids)):
        rows = vault.store.rows(
            "SELECT entity_id, COUNT(DISTINCT document_id), COUNT(*) FROM edit "  # noqa: S608
            f"WHERE entity_id IN ({marks(chunk)}) GROUP BY entity_id",
            tuple(chunk),
        )
        found |= {number: (documents, edits) for number, documents, edits in rows}
    return found


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was taken out: the numbers of the documents, and how many paths and originals they had."""

    documents: tuple[int, ...] = ()
    paths: int = 0
    originals: int = 0


def forget_whole(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int], is_telling: Callable[[str], bool]
) -> Forgotten:
    """Take the path out of each document of these people whose path tells, and the original out of each that
    has it kept.

    They get new keys. The key store keeps the old ones, which open the paths in older copies of the vault,
    until destroy_old_keys: keys are committed first, so that no moment leaves a row without its key.
    """
    changed: list[int] = []
    paths = originals = 0
    for chunk in in_chunks(sorted(_documents_of(vault, entity_ids))):
        rows = list(document_rows(vault, keys, "document_id", chunk))
        own = document_keys(vault, keys, rows)
        for row in rows:
            wrapped, sealer = own[row.document_id]
            label = label_of(keys, sealer, row)
            tells = label.path is not None and is_telling(label.path)
            taken = _take_original(vault, keys, row, sealer)
            if tells or taken:
                told = replace(label, path=None) if tells else label
                _seal_anew(vault, keys, row, told, (wrapped, sealer))
                changed.append(row.document_id)
                paths, originals = paths + tells, originals + taken
    return Forgotten(tuple(changed), paths, originals)


def _take_original(vault: VaultCore, keys: ProjectKeys, row: DocumentRow, sealer: Sealer) -> bool:
    """Delete the original that is kept of a document, which shows everybody in it; whether there was one."""
    number = row.document_id
    for ordinal, sealed in vault.store.rows(
        "SELECT ordinal, sealed FROM edit WHERE document_id = ? AND entity_id = 0 "
        "AND start_offset = 0 AND end_offset = 0",
        (number,),
    ):
        context = keys.contexts.edit(number, ordinal, row.revision, 0, 0, 0)
        location, _ = split_edit(sealer.unseal(bytes(sealed), context=context))
        if location == KEPT_ORIGINAL:
            fields = edit_fields(number, ordinal, 0, 0, 0, bytes(sealed))
            vault.checkpoints.removed(keys.project_id, "edit", [keys.binder("edit").bind(fields)[16:]])
            vault.store.run_many(
                "DELETE FROM edit WHERE document_id = ? AND ordinal = ?", [(number, ordinal)]
            )
            return True
    return False


def _seal_anew(
    vault: VaultCore,
    keys: ProjectKeys,
    row: DocumentRow,
    label: DocumentLabel,
    old: tuple[bytes, Sealer],
) -> None:
    """Seal a document, and those of its edits that nobody owns, under a new key."""
    number, revision = row.document_id, row.revision
    wrapped, old_sealer = old
    data_key = vault.entropy(KEY_BYTES)
    fresh = keys.wrapper.wrap(data_key, context=keys.contexts.document_key(number))
    vault.keystore.rows.change(document_key, "wrapped", ["document_id"], [(fresh + wrapped, number)])
    sealer = Sealer(data_key, key_id=KEY_VERSION)
    sealed = sealer.seal(label.encoded(), context=keys.contexts.document(number, revision))
    new = row._replace(sealed=sealed)
    bind = keys.binder("document").bind
    both = bind(document_fields(new))
    vault.checkpoints.removed(keys.project_id, "document", [bind(document_fields(row))[16:]])
    vault.checkpoints.added(keys.project_id, "document", [both[16:]])
    vault.store.run_many(
        "UPDATE document SET sealed = ?, binding = ? WHERE document_id = ?", [(sealed, both[:16], number)]
    )
    edits, gone, come = [], [], []
    for ordinal, start, end, blob in vault.store.rows(
        "SELECT ordinal, start_offset, end_offset, sealed FROM edit WHERE document_id = ? AND entity_id = 0",
        (number,),
    ):
        context = keys.contexts.edit(number, ordinal, revision, 0, start, end)
        again = sealer.seal(old_sealer.unseal(bytes(blob), context=context), context=context)
        gone.append(edit_fields(number, ordinal, 0, start, end, bytes(blob)))
        come.append(edit_fields(number, ordinal, 0, start, end, again))
        edits.append((again, number, ordinal))
    binder = keys.binder("edit")
    vault.checkpoints.counted(keys.project_id, "edit", 0, binder.bind_all(come)[1] - binder.bind_all(gone)[1])
    vault.store.run_many("UPDATE edit SET sealed = ? WHERE document_id = ? AND ordinal = ?", edits)


def old_keys_of(vault: VaultCore, document_ids: Collection[int]) -> dict[int, tuple[bytes, bytes]]:
    """The new and the old wrapped key of each of these documents that has both."""
    found: dict[int, tuple[bytes, bytes]] = {}
    for chunk in in_chunks(sorted(document_ids)):
        for number, wrapped in vault.key_records.rows(
            f"SELECT document_id, wrapped FROM document_key WHERE document_id IN ({marks(chunk)})",  # noqa: S608
            tuple(chunk),
        ):
            parts = wrapped_parts(bytes(wrapped))
            if len(parts) == 2:
                found[number] = parts[0], parts[1]
    return found


def destroy_old_keys(vault: VaultCore, document_ids: Collection[int]) -> None:
    """Leave documents that forget_whole sealed anew their new keys alone."""
    changes = [(new, number) for number, (new, _) in old_keys_of(vault, document_ids).items()]
    vault.keystore.rows.change(document_key, "wrapped", ["document_id"], changes)


def _documents_of(vault: VaultCore, entity_ids: Collection[int]) -> set[int]:
    numbers: set[int] = set()
    for chunk in in_chunks(sorted(entity_ids)):
        numbers.update(
            number
            for (number,) in vault.store.rows(
                f"SELECT DISTINCT document_id FROM edit WHERE entity_id IN ({marks(chunk)})",  # noqa: S608
                tuple(chunk),
            )
        )
    return numbers


def edits_of(vault: VaultCore, keys: ProjectKeys, entity_id: int, sealer: Sealer) -> dict[EditPlace, str]:
    """The text that each edit of this person replaced. Callers have the right to it."""
    found = {}
    for row in _edit_rows_of(vault, entity_id):
        document_id, ordinal, owner, start, end, sealed, revision, *_ = row
        context = keys.contexts.edit(document_id, ordinal, revision, owner, start, end)
        _, original = split_edit(sealer.unseal(sealed, context=context))
        found[document_id, ordinal] = original.decode("utf-8", "replace")
    return found


def give_edits(
    vault: VaultCore,
    keys: ProjectKeys,
    places: Collection[EditPlace],
    old: tuple[int, Sealer],
    new: tuple[int, Sealer],
) -> None:
    """Seal these edits of one person for another; both with their data keys."""
    (owner, sealer), (new_owner, new_sealer) = old, new
    changes, gone, come = [], [], []
    for document_id, ordinal, _, start, end, sealed, revision in _edit_rows_of(vault, owner):
        if (document_id, ordinal) not in places:
            continue
        before = keys.contexts.edit(document_id, ordinal, revision, owner, start, end)
        after = keys.contexts.edit(document_id, ordinal, revision, new_owner, start, end)
        again = new_sealer.seal(sealer.unseal(sealed, context=before), context=after)
        gone.append(edit_fields(document_id, ordinal, owner, start, end, sealed))
        come.append(edit_fields(document_id, ordinal, new_owner, start, end, again))
        changes.append((again, new_owner, document_id, ordinal))
    binder = keys.binder("edit")
    vault.checkpoints.counted(keys.project_id, "edit", 0, binder.bind_all(come)[1] - binder.bind_all(gone)[1])
    vault.store.run_many(
        "UPDATE edit SET sealed = ?, entity_id = ? WHERE document_id = ? AND ordinal = ?", changes
    )


def _edit_rows_of(vault: VaultCore, entity_id: int) -> list[tuple[Any, ...]]:
    """Document, ordinal, owner, start, end, sealed value and the document's revision."""
    return vault.store.rows(
        "SELECT e.document_id, e.ordinal, e.entity_id, e.start_offset, e.end_offset, e.sealed, d.revision "
        "FROM edit e JOIN document d ON d.document_id = e.document_id WHERE e.entity_id = ?",
        (entity_id,),
    )
