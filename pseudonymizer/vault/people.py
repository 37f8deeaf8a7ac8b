"""Reading people back: the known identities of a project, the names behind entities."""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from linkage.records import EntityId, KnownIdentity, PersonName
from pseudonymizer.crypto import Sealer, key_id_of
from pseudonymizer.errors import KeyDestroyedError, VaultDamagedError
from pseudonymizer.records import EntityKind
from pseudonymizer.vault.core import VaultCore
from pseudonymizer.vault.entities import DAMAGED_ROW, entity_fields, marks, sealers_of, unwrap_data_key
from pseudonymizer.vault.forms import Attribute, Fact, Mark, decode_fact, decode_name
from pseudonymizer.vault.identifiers import entity_text
from pseudonymizer.vault.projectkeys import ProjectKeys
from pseudonymizer.vault.stores import in_chunks

_NOTHING: Final[frozenset[tuple[str, str]]] = frozenset()
_NOBODY: Final[frozenset[EntityId]] = frozenset()
_MOST_COMPANY: Final = 50


def known_identities(vault: VaultCore, keys: ProjectKeys) -> tuple[KnownIdentity, ...]:
    """Every person of the project with all names; ambiguous mentions, literals and decoys are left out."""
    company = _company(vault, keys)
    with (
        vault.key_records.streaming(
            "SELECT entity_id, wrapped FROM entity_key WHERE project_id = ? ORDER BY entity_id",
            (keys.project_id,),
        ) as wrapped_keys,
        vault.store.streaming(
            "SELECT f.entity_id, f.form_id, f.revision, f.sealed, e.kind, e.data_key_version, e.created_on, "
            "e.binding FROM form f JOIN entity e ON e.entity_id = f.entity_id WHERE e.project_id = ? "
            "ORDER BY f.entity_id, f.form_id",
            (keys.project_id,),
        ) as rows,
    ):
        return tuple(_known(keys, rows, wrapped_keys, company))


_Row = tuple[Any, ...]


def _known(
    keys: ProjectKeys, rows: Iterator[_Row], wrapped_keys: Iterator[_Row], company: Mapping[int, set[int]]
) -> Iterator[KnownIdentity]:
    # One pass over two sorted streams; written out, because a million people go through it.
    project_id, person = keys.project_id, int(EntityKind.PERSON)
    tag = keys.binder("entity").tag
    key_context, form_context = keys.contexts.entity_key, keys.contexts.form
    key_entity, wrapped = -1, b""
    for entity_id, group in groupby(rows, key=itemgetter(0)):
        names: dict[PersonName, None] = {}
        attributes: set[tuple[str, str]] = set()
        sealer: Sealer | None = None
        hidden = False
        for _, form_id, revision, sealed, kind, version, created_on, binding in group:
            if sealer is None:
                if tag(entity_fields(entity_id, project_id, kind, version, created_on)) != bytes(binding):
                    raise VaultDamagedError(DAMAGED_ROW.format(table="entity"))
                if kind != person:
                    break
                while key_entity < entity_id:
                    key_entity, wrapped = next(wrapped_keys, (1 << 63, b""))
                if key_entity != entity_id:
                    raise KeyDestroyedError(f"the data key of entity {entity_id} is gone")
                plain_key = unwrap_data_key(keys, bytes(wrapped), key_context(entity_id, version))
                sealer = Sealer(plain_key, key_id=version)
            plain = sealer.unseal(bytes(sealed), context=form_context(entity_id, form_id, revision))
            if (name := decode_name(plain)) is not None:
                names[name] = None
                continue
            fact = decode_fact(plain)
            if type(fact) is Attribute:
                attributes.add((fact.kind, fact.value))
            elif type(fact) is Mark and fact.kind == "decoy":
                hidden = True
        if names and not hidden:
            yield KnownIdentity(
                entity_text(entity_id),
                tuple(names),
                frozenset(attributes) if attributes else _NOTHING,
                frozenset(map(entity_text, company[entity_id])) if entity_id in company else _NOBODY,
            )


def _company(vault: VaultCore, keys: ProjectKeys) -> dict[int, set[int]]:
    """Who shares a rewritten document with whom. Documents that name very many say nothing."""
    found: dict[int, set[int]] = {}
    with vault.store.streaming(
        "SELECT DISTINCT document_id, entity_id FROM edit WHERE project_id = ? AND entity_id > 0 "
        "ORDER BY document_id",
        (keys.project_id,),
    ) as rows:
        for _, group in groupby(rows, key=itemgetter(0)):
            together = [entity_id for _, entity_id in group]
            if len(together) <= _MOST_COMPANY:
                for entity_id in together:
                    found.setdefault(entity_id, set()).update(e for e in together if e != entity_id)
    return {entity_id: others for entity_id, others in found.items() if others}


def facts_of(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> dict[int, list[Fact]]:
    """Everything sealed about these people. Callers have the right to it and the audit written already."""
    sealers = sealers_of(vault, keys, entity_ids)
    found: dict[int, list[Fact]] = {entity_id: [] for entity_id in entity_ids}
    for chunk in in_chunks(sorted(entity_ids)):
        for entity_id, form_id, revision, sealed in vault.store.rows(
            "SELECT entity_id, form_id, revision, sealed FROM form "  # noqa: S608
            f"WHERE entity_id IN ({marks(chunk)}) ORDER BY form_id",
            tuple(chunk),
        ):
            blob = bytes(sealed)
            key_id_of(blob)
            plain = sealers[entity_id].unseal(blob, context=keys.contexts.form(entity_id, form_id, revision))
            found[entity_id].append(decode_fact(plain))
    return found


def facts_in_project(vault: VaultCore, keys: ProjectKeys) -> Iterator[tuple[int, list[Fact]]]:
    """Everything sealed about everybody, in chunks; for look-ups by a name that is not full."""
    numbers = [
        row[0]
        for row in vault.store.rows(
            "SELECT entity_id FROM entity WHERE project_id = ? ORDER BY entity_id", (keys.project_id,)
        )
    ]
    for chunk in in_chunks(numbers, 5_000):
        yield from facts_of(vault, keys, chunk).items()
