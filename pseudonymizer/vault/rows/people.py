"""Reading people back: the known identities of a project, the names behind entities."""

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from linkage.records import EntityId, KnownIdentity, PersonName, Sighting, UnclearSighting
from linkage.sighting_text import SightingReader
from pseudonymizer.crypto import key_id_of
from pseudonymizer.errors import KeyDestroyedError, VaultDamagedError
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.schema import link
from pseudonymizer.vault.rows.entities import (
    DAMAGED_ROW,
    WRAPPED_BYTES,
    data_key_part,
    entity_fields,
    link_fields,
    marks,
    sealers_of,
)
from pseudonymizer.vault.rows.forms import (
    Attribute,
    Fact,
    Mark,
    SurfaceForm,
    decode_facts,
    decoded,
    facts_in,
    only_name,
    sightings_in,
)
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_NOTHING: Final[frozenset[tuple[str, str]]] = frozenset()
_NOBODY: Final[frozenset[EntityId]] = frozenset()
_NOWHERE: Final[tuple[Sighting, ...]] = ()
_MOST_COMPANY: Final = 50
_PERSON: Final = int(EntityKind.PERSON)
_AMBIGUOUS: Final = int(EntityKind.AMBIGUOUS)
_TELLING: Final = (LinkKind.SPLIT, LinkKind.ALSO_KNOWN_AS, LinkKind.CANDIDATE)
_TOGETHER: Final = 4_000
_FORM_OF: Final = itemgetter(1)


def known_identities(vault: VaultCore, keys: ProjectKeys) -> tuple[KnownIdentity, ...]:
    """Every person of the project with all names; ambiguous mentions, literals and decoys are left out.

    Where an ambiguous mention stands is told of one of the people whom it may mean.
    """
    company = _company(vault, keys)
    links = {kind: _linked_as(vault, keys, kind) for kind in _TELLING}
    apart: dict[int, set[int]] = {}
    for left, right in links[LinkKind.SPLIT] - links[LinkKind.ALSO_KNOWN_AS]:
        apart.setdefault(left, set()).add(right)
        apart.setdefault(right, set()).add(left)
    unclear: dict[int, tuple[UnclearSighting, ...]] = {}
    with (
        vault.key_records.streaming(
            "SELECT entity_id, wrapped FROM entity_key WHERE project_id = ? ORDER BY entity_id",
            (keys.project_id,),
        ) as wrapped_keys,
        # By entity along the index that the unique forms have: the database sorts nothing.
        vault.store.streaming(
            "SELECT f.entity_id, f.form_id, f.revision, f.sealed, e.kind, e.data_key_version, e.created_on, "
            "e.binding FROM form f CROSS JOIN entity e WHERE e.entity_id = f.entity_id AND f.project_id = ? "
            "AND e.project_id = f.project_id ORDER BY f.entity_id",
            (keys.project_id,),
        ) as rows,
        without_collector(),
    ):
        known = tuple(_known(vault, keys, rows, wrapped_keys, company, apart, unclear))
    if not unclear:
        return known
    told: dict[EntityId, tuple[UnclearSighting, ...]] = {}
    for left, right in sorted(links[LinkKind.CANDIDATE], reverse=True):
        if (sightings := unclear.pop(left, None)) is not None:
            told[entity_text(right)] = (*told.get(entity_text(right), ()), *sightings)
    return tuple([replace(k, unclear=told[k.entity_id]) if k.entity_id in told else k for k in known])


@contextmanager
def without_collector() -> Iterator[None]:
    """Python's cycle collector walks over everything again and again while millions of records are made,
    none of which is in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_Row = tuple[Any, ...]


def _known(
    vault: VaultCore,
    keys: ProjectKeys,
    rows: Iterator[_Row],
    wrapped_keys: Iterator[_Row],
    company: Mapping[int, set[int]],
    apart: Mapping[int, set[int]],
    unclear: dict[int, tuple[UnclearSighting, ...]],
) -> Iterator[KnownIdentity]:
    # One pass over two sorted streams, thousands at a time; written out, because a million people go through.
    stream = _KeyStream(keys, wrapped_keys)
    reader = SightingReader()
    for entity_rows, more in _by_entity(rows):
        _check(keys, entity_rows)
        people = [row for row in entity_rows if row[4] in (_PERSON, _AMBIGUOUS)]
        if not people:
            continue
        ids, form_ids, revisions, sealed, _, versions, *_ = zip(*people, strict=True)
        plains = keys.unseal_each(
            zip(
                stream.keys_of(ids, versions),
                keys.contexts.entity_keys(ids, versions),
                versions,
                sealed,
                keys.contexts.forms(ids, form_ids, revisions),
                strict=True,
            )
        )
        others = _other_facts(vault, keys, {row[0]: more[row[0]] for row in people if row[0] in more})
        for row, plain in zip(people, plains, strict=True):
            number = row[0]
            entity_id = entity_text(number)
            attributes, sightings = _NOTHING, _NOWHERE
            if number not in more and (name := only_name(plain)) is not None:
                names: tuple[PersonName, ...] = (name,)
            else:
                names, attributes, sightings = _read([*facts_in(plain), *others.get(number, ())], reader)
            if row[4] == _AMBIGUOUS:
                unclear[number] = tuple([UnclearSighting(entity_id, sighting) for sighting in sightings])
            elif names:
                yield KnownIdentity.quickly(
                    entity_id,
                    names,
                    attributes,
                    frozenset(map(entity_text, company[number])) if number in company else _NOBODY,
                    sightings,
                    frozenset(map(entity_text, apart[number])) if number in apart else _NOBODY,
                )


def _by_entity(rows: Iterator[_Row]) -> Iterator[tuple[list[_Row], dict[int, list[_Row]]]]:
    """Each entity's first row, and its other rows by entity where it has more; thousands together."""
    firsts: list[_Row] = []
    more: dict[int, list[_Row]] = {}
    last = -1
    for row in rows:
        if row[0] == last:
            more.setdefault(last, []).append(row)
            continue
        if len(firsts) == _TOGETHER:
            yield firsts, more
            firsts, more = [], {}
        last = row[0]
        firsts.append(row)
    if firsts:
        yield firsts, more


def _check(keys: ProjectKeys, entity_rows: Sequence[_Row]) -> None:
    fields = [entity_fields(row[0], keys.project_id, *row[4:7]) for row in entity_rows]
    if keys.binder("entity").tags(fields) != [row[7] for row in entity_rows]:
        raise VaultDamagedError(DAMAGED_ROW.format(table="entity"))


class _KeyStream:
    """Wrapped data keys from a stream that is sorted as the people are."""

    def __init__(self, keys: ProjectKeys, wrapped_keys: Iterator[_Row]) -> None:
        self.keys = keys
        self.wrapped_keys = wrapped_keys
        self.entity_id, self.wrapped = -1, b""

    def keys_of(self, entity_ids: Sequence[int], versions: Sequence[int]) -> list[bytes]:
        """Raises KeyDestroyedError if there is none for one of them."""
        found, number, wrapped = [], self.entity_id, self.wrapped
        for entity_id, version in zip(entity_ids, versions, strict=True):
            while number < entity_id:
                number, wrapped = next(self.wrapped_keys, (1 << 63, b""))
            if number != entity_id:
                raise KeyDestroyedError(f"the data key of entity {entity_id} is gone")
            if len(wrapped) == WRAPPED_BYTES:
                found.append(wrapped)
            else:
                context = self.keys.contexts.entity_key(entity_id, version)
                found.append(data_key_part(self.keys, wrapped, context))
        self.entity_id, self.wrapped = number, wrapped
        return found


def _other_facts(
    vault: VaultCore, keys: ProjectKeys, rows: Mapping[int, Sequence[_Row]]
) -> dict[int, list[bytes]]:
    """What the further rows of these people say."""
    sealers = sealers_of(vault, keys, rows)
    context = keys.contexts.form
    found: dict[int, list[bytes]] = {entity_id: [] for entity_id in rows}
    for entity_id, own in rows.items():
        for row in sorted(own, key=_FORM_OF):
            found[entity_id] += facts_in(sealers[entity_id].unseal(row[3], context=context(*row[:3])))
    return found


def _read(
    facts: Sequence[bytes], reader: SightingReader
) -> tuple[tuple[PersonName, ...], frozenset[tuple[str, str]], tuple[Sighting, ...]]:
    """Names, attributes and sightings; no names for a decoy."""
    told = decoded(facts)
    attributes: set[tuple[str, str]] = set()
    for fact in told.values():
        if type(fact) is Attribute:
            attributes.add((fact.kind, fact.value))
        elif type(fact) is Mark and fact.kind == "decoy":
            return (), _NOTHING, _NOWHERE
    names = dict.fromkeys(fact.name for fact in told.values() if type(fact) is SurfaceForm)
    sightings = tuple(sightings_in(told, reader).values())
    return tuple(names), frozenset(attributes) if attributes else _NOTHING, sightings


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


def _linked_as(vault: VaultCore, keys: ProjectKeys, kind: LinkKind) -> set[tuple[int, int]]:
    """The stored links of a kind, as pairs of people."""
    columns = ", ".join(column.name for column in link.columns)
    rows = vault.store.rows(
        f"SELECT {columns} FROM link WHERE project_id = ? AND kind = ?",  # noqa: S608  our own columns
        (keys.project_id, str(kind)),
    )
    tag = keys.binder("link").tag
    found: set[tuple[int, int]] = set()
    for row in rows:
        if tag(link_fields(row)) != bytes(row[8]):
            raise VaultDamagedError(DAMAGED_ROW.format(table="link"))
        found.add((row[1], row[2]))
    return found


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
            found[entity_id] += decode_facts(plain)
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
