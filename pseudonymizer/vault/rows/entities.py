"""Bulk reading and writing of entities, their facts, index tags, pseudonyms and links.

Every function works on thousands of rows and inside the vault's unit of work. Rows are bound (see
crypto.Binder) and counted in the checkpoints as they are written; readers check the binding before they
believe a row.
"""

import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple

from pseudonymizer.crypto import KEY_BYTES, Sealer
from pseudonymizer.errors import KeyDestroyedError, UnsealError, VaultDamagedError, VaultOutdatedError
from pseudonymizer.records import EntityKind, LinkKind, Scope, Style
from pseudonymizer.schema import entity, entity_key, link, name_index, pseudonym
from pseudonymizer.vault.rows.table_rows import PSEUDONYM_COLUMNS, LinkRow, PseudonymRow
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.dates import DATES, date_halves
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

FIRST_VERSION: Final = 1
_ENTITY: Final = struct.Struct(">QQBIi")
_FORM: Final = struct.Struct(">QQI")
_INDEX: Final = struct.Struct(">QIQ")
_PSEUDONYM: Final = struct.Struct(">QQQi")
_LINK: Final = struct.Struct(">QQQdd")
_KINDS: Final = {int(kind): kind for kind in EntityKind}
DAMAGED_ROW: Final = "a row of {table} was altered or moved; run `nymlink vault verify`"


def entity_fields(
    entity_id: int, project_id: int, kind: int, data_key_version: int, created_on: int
) -> bytes:
    return _ENTITY.pack(entity_id, project_id, kind, data_key_version, created_on)


def all_entity_fields(
    entity_ids: Iterable[int],
    project_id: int,
    kinds: Iterable[int],
    data_key_versions: Iterable[int],
    days: Iterable[int],
) -> Iterator[bytes]:
    """entity_fields of each."""
    return map(_ENTITY.pack, entity_ids, repeat(project_id), kinds, data_key_versions, days)


def form_fields(form_id: int, entity_id: int, revision: int, form_tag: bytes, sealed: bytes) -> bytes:
    return (
        _FORM.pack(form_id, entity_id, revision) + form_tag + sealed[-16:]
    )  # the GCM tag stands for the rest


def index_fields(project_id: int, version: int, entity_id: int, tag: bytes) -> bytes:
    return _INDEX.pack(project_id, version, entity_id) + tag


def pseudonym_fields(row: Sequence[Any]) -> bytes:
    number, project_id, label, entity_id, scope, scope_tag, style, day = row[:8]
    numbers = _PSEUDONYM.pack(number, project_id, entity_id, day)
    return numbers + joined(label, scope, style) + bytes(scope_tag)


def link_fields(row: Sequence[Any]) -> bytes:
    project_id, left, right, kind, decision, variant, probability, ratio = row[:8]
    return _LINK.pack(project_id, left, right, probability, ratio) + joined(kind, decision, variant)


def add_entities(
    vault: VaultCore, keys: ProjectKeys, kinds: Sequence[EntityKind]
) -> tuple[list[int], list[Sealer]]:
    """New entities with a data key each, in the order of kinds."""
    vault.begin_keys()
    ids = list(vault.next_ids("entity", len(kinds)))
    today, project_id = vault.today(), keys.project_id
    bind, wrap, context = keys.binder("entity").bind, keys.wrapper.wrap, keys.contexts.entity_key
    random = vault.entropy(KEY_BYTES * len(kinds))
    rows, halves, wrapped, sealers = [], [], [], []
    for number, (entity_id, kind) in enumerate(zip(ids, kinds, strict=True)):
        both = bind(entity_fields(entity_id, project_id, kind, FIRST_VERSION, today))
        rows.append((entity_id, project_id, int(kind), FIRST_VERSION, today, today, both[:16]))
        halves.append(both[16:])
        data_key = random[KEY_BYTES * number : KEY_BYTES * (number + 1)]
        wrapped.append((entity_id, project_id, wrap(data_key, context=context(entity_id, FIRST_VERSION))))
        sealers.append(Sealer(data_key, key_id=FIRST_VERSION))
    vault.keystore.rows.insert(entity_key, wrapped)
    vault.store.insert(entity, rows)
    vault.checkpoints.added(project_id, "entity", halves)
    vault.checkpoints.added(project_id, DATES, date_halves(keys, zip(ids, repeat(today))))
    return ids, sealers


def entity_kinds(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Iterable[int]
) -> dict[int, tuple[EntityKind, int]]:
    """Kind and data key version of those of these entities that the project has.

    Raises:
        VaultOutdatedError: a newer program stored one of them.
    """
    found: dict[int, tuple[EntityKind, int]] = {}
    tag = keys.binder("entity").tag
    for chunk in in_chunks(sorted(set(entity_ids))):
        for entity_id, project_id, kind, version, created_on, binding in vault.store.rows(
            "SELECT entity_id, project_id, kind, data_key_version, created_on, binding FROM entity "  # noqa: S608
            f"WHERE project_id = ? AND entity_id IN ({marks(chunk)})",
            (keys.project_id, *chunk),
        ):
            if tag(entity_fields(entity_id, project_id, kind, version, created_on)) != bytes(binding):
                raise VaultDamagedError(DAMAGED_ROW.format(table="entity"))
            if kind not in _KINDS:
                raise VaultOutdatedError(
                    f"entity {entity_id} is of a kind that this program does not know; use a newer one"
                )
            found[entity_id] = (_KINDS[kind], version)
    return found


def sealers_of(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> dict[int, Sealer]:
    """The opened data keys of these entities.

    Raises:
        KeyDestroyedError: for an entity whose key is gone.
    """
    versions = {number: version for number, (_, version) in entity_kinds(vault, keys, entity_ids).items()}
    return opened_sealers(keys, entity_ids, versions, vault.keystore.wrapped_entity_keys(entity_ids))


def opened_sealers(
    keys: ProjectKeys, entity_ids: Collection[int], versions: Mapping[int, int], wrapped: Mapping[int, bytes]
) -> dict[int, Sealer]:
    """The sealers of these entities, of the versions and the wrapped bytes of their data keys.

    Raises:
        KeyDestroyedError: for an entity whose key is gone.
    """
    sealers = {}
    for entity_id in entity_ids:
        if entity_id not in versions or entity_id not in wrapped:
            raise KeyDestroyedError(
                f"the data key of entity {entity_id} is gone: the person was erased, or never stored"
            )
        version = versions[entity_id]
        plain = unwrap_data_key(keys, wrapped[entity_id], keys.contexts.entity_key(entity_id, version))
        sealers[entity_id] = Sealer(plain, key_id=version)
    return sealers


WRAPPED_BYTES: Final = 6 + 16 + KEY_BYTES


def wrapped_parts(wrapped: bytes) -> tuple[bytes, ...]:
    """The wrapped data keys in a row of the key store: one, or the new one before the old one while what they
    seal is sealed anew."""
    if len(wrapped) == 2 * WRAPPED_BYTES:
        return wrapped[:WRAPPED_BYTES], wrapped[WRAPPED_BYTES:]
    return (wrapped,)


def data_key_part(keys: ProjectKeys, wrapped: bytes, context: bytes) -> bytes:
    """The wrapped data key of this version, of those that wrapped_parts gives."""
    parts = wrapped_parts(wrapped)
    if len(parts) > 1:
        for part in parts:
            with suppress(UnsealError):
                keys.unwrap(part, context=context)
                return part
    return wrapped


def unwrap_data_key(keys: ProjectKeys, wrapped: bytes, context: bytes) -> bytes:
    """Raises UnsealError for altered bytes or another entity's key."""
    if len(wrapped) != WRAPPED_BYTES:
        wrapped = data_key_part(keys, wrapped, context)
    return keys.unwrap(wrapped, context=context)


def touch(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> None:
    """Note that these people were met today, for retention."""
    today = vault.today()
    before: list[tuple[int, int]] = []
    for chunk in in_chunks(sorted(entity_ids)):
        before += vault.store.rows(
            "SELECT entity_id, last_seen_on FROM entity "  # noqa: S608
            f"WHERE project_id = ? AND last_seen_on < ? AND entity_id IN ({marks(chunk)})",
            (keys.project_id, today, *chunk),
        )
    if not before:
        return
    vault.store.run_many(
        "UPDATE entity SET last_seen_on = ? WHERE entity_id = ?", [(today, number) for number, _ in before]
    )
    vault.checkpoints.removed(keys.project_id, DATES, date_halves(keys, before))
    vault.checkpoints.added(keys.project_id, DATES, date_halves(keys, [(n, today) for n, _ in before]))


def find_index(vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes]) -> dict[bytes, list[int]]:
    """Entities under these index tags, under whatever key version the tags were made with."""
    found: dict[bytes, list[int]] = {}
    check = keys.binder("name_index").tag
    for version in keys.indexes:  # named, so that the database finds each tag by its key
        for chunk in in_chunks(sorted(tags)):
            for tag, entity_id, binding in vault.store.rows(
                "SELECT tag, entity_id, binding FROM name_index WHERE project_id = ? "  # noqa: S608
                f"AND index_version = ? AND tag IN ({marks(chunk)}) ORDER BY entity_id",
                (keys.project_id, version, *chunk),
            ):
                if check(index_fields(keys.project_id, version, entity_id, tag)) != binding:
                    raise VaultDamagedError(DAMAGED_ROW.format(table="name_index"))
                found.setdefault(tag, []).append(entity_id)
    return found


def add_index(vault: VaultCore, keys: ProjectKeys, tags: Iterable[tuple[int, int, bytes]]) -> None:
    """tags: index key version, entity id, tag; the caller leaves out what is stored already.

    Written in key order, so that the table grows without splitting pages at random.
    """
    project_id, numbers = keys.project_id, _INDEX.pack
    wanted = list(tags)
    if len({tag for _, _, tag in wanted}) < len(wanted):
        wanted = list(dict.fromkeys(wanted))
    stored, total = keys.binder("name_index").bind_all(
        [numbers(project_id, version, entity_id) + tag for version, entity_id, tag in wanted]
    )
    rows = [(project_id, v, tag, e, half) for (v, e, tag), half in zip(wanted, stored, strict=True)]
    rows.sort(key=itemgetter(2))
    vault.store.insert(name_index, rows)
    vault.checkpoints.counted(project_id, "name_index", len(rows), total)


class StoredPseudonym(NamedTuple):
    """A pseudonym as the vault has it. scope_tag: empty, or the tag of a document or a mention."""

    number: int
    label: str
    entity_id: int
    scope: Scope
    scope_tag: bytes
    style: Style


def checked_pseudonyms(keys: ProjectKeys, rows: Iterable[tuple[Any, ...]]) -> Iterator[StoredPseudonym]:
    """The pseudonyms in rows of PSEUDONYM_COLUMNS.

    Raises:
        VaultDamagedError: a row was altered or moved.
    """
    tag = keys.binder("pseudonym").tag
    for row in map(PseudonymRow._make, rows):
        if tag(pseudonym_fields(row)) != bytes(row.binding):
            raise VaultDamagedError(DAMAGED_ROW.format(table="pseudonym"))
        yield StoredPseudonym(
            row.pseudonym_id, row.label, row.entity_id, Scope(row.scope), bytes(row.scope_tag),
            Style(row.style),
        )  # fmt: skip


def pseudonym_rows(
    vault: VaultCore, keys: ProjectKeys, where: str, values: Sequence[Any]
) -> Iterator[StoredPseudonym]:
    """The pseudonyms with these values; where is label or entity_id."""
    # Without the sign SQLite looks for entities, too, along the index of projects: through all of a project.
    project = "+project_id" if where == "entity_id" else "project_id"
    for chunk in in_chunks(values):
        rows = vault.store.rows(
            f"SELECT {PSEUDONYM_COLUMNS} FROM pseudonym WHERE {project} = ? AND {where} "  # noqa: S608
            f"IN ({marks(chunk)}) ORDER BY pseudonym_id",
            (keys.project_id, *chunk),
        )
        yield from checked_pseudonyms(keys, rows)


def add_pseudonyms(
    vault: VaultCore,
    keys: ProjectKeys,
    style: Style,
    wanted: Sequence[tuple[int, Scope, bytes]],
    labels: Sequence[str],
) -> None:
    """wanted: entity id, scope and scope tag, one for each label."""
    project_id, today = keys.project_id, vault.today()
    ids = vault.next_ids("pseudonym", len(wanted))
    rows = [
        (number, project_id, label, entity_id, str(scope), scope_tag, str(style), today)
        for number, (entity_id, scope, scope_tag), label in zip(ids, wanted, labels, strict=True)
    ]
    stored, total = keys.binder("pseudonym").bind_all([pseudonym_fields(row) for row in rows])
    vault.store.insert(pseudonym, [(*row, half) for row, half in zip(rows, stored, strict=True)])
    vault.checkpoints.counted(project_id, "pseudonym", len(rows), total)


def erased_labels(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> set[str]:
    """Those of these labels whose person was erased."""
    found: set[str] = set()
    for chunk in in_chunks(labels):
        found.update(
            label
            for (label,) in vault.store.rows(
                f"SELECT label FROM tombstone WHERE project_id = ? AND label IN ({marks(chunk)})",  # noqa: S608
                (keys.project_id, *chunk),
            )
        )
    return found


NewLink = tuple[int, int, LinkKind, str, str, float, float]


def add_links(vault: VaultCore, keys: ProjectKeys, links: Iterable[NewLink]) -> int:
    """left, right, kind, decision, variant, probability and ratio (-1: none); a link once stored stays as it
    is.
    """
    wanted = {(left, right, str(kind)): rest for left, right, kind, *rest in links}
    for chunk in in_chunks(sorted({left for left, _, _ in wanted})):
        for left, right, kind in vault.store.rows(
            "SELECT left_entity, right_entity, kind FROM link "  # noqa: S608
            f"WHERE project_id = ? AND left_entity IN ({marks(chunk)})",
            (keys.project_id, *chunk),
        ):
            wanted.pop((left, right, kind), None)
    bind = keys.binder("link").bind
    rows, halves = [], []
    for (left, right, kind), rest in sorted(wanted.items()):
        row = (keys.project_id, left, right, kind, *rest)
        both = bind(link_fields(row))
        rows.append((*row, both[:16]))
        halves.append(both[16:])
    vault.store.insert(link, rows)
    vault.checkpoints.added(keys.project_id, "link", halves)
    return len(rows)


def checked_links(keys: ProjectKeys, rows: Iterable[tuple[Any, ...]]) -> Iterator[LinkRow]:
    """The links in rows of LINK_COLUMNS.

    Raises:
        VaultDamagedError: a row was altered or moved.
    """
    tag = keys.binder("link").tag
    for row in map(LinkRow._make, rows):
        if tag(link_fields(row)) != bytes(row.binding):
            raise VaultDamagedError(DAMAGED_ROW.format(table="link"))
        yield row


def marks(chunk: Sequence[object]) -> str:
    return ", ".join("?" * len(chunk))
