"""Reading people back: the known identities of a project, the names behind entities."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

from linkage.collector import without_collector
from linkage.records import EntityId, KnownIdentity, UnclearSighting
from pseudonymizer.errors import KeyDestroyedError, VaultDamagedError
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.vault.rows.company import read_company
from pseudonymizer.vault.rows.entities import (
    DAMAGED_ROW,
    WRAPPED_BYTES,
    all_entity_fields,
    checked_links,
    data_key_part,
    sealers_of,
)
from pseudonymizer.vault.rows.fact_reader import FactReader, Rows
from pseudonymizer.vault.rows.fact_rows import stored_facts
from pseudonymizer.vault.rows.forms import Fact
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.sealed_facts import as_kept
from pseudonymizer.vault.rows.stored_person import PeopleSource, StoredPerson, as_rows
from pseudonymizer.vault.rows.table_rows import LINK_COLUMNS
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_PERSON: Final = int(EntityKind.PERSON)
_AMBIGUOUS: Final = int(EntityKind.AMBIGUOUS)
_SHOWN: Final = frozenset({_PERSON, _AMBIGUOUS})
_TELLING: Final = (LinkKind.SPLIT, LinkKind.ALSO_KNOWN_AS, LinkKind.CANDIDATE)
_TOGETHER: Final = 4_000
_ENTITY_OF: Final = itemgetter(0)  # of a row of the two streams
_FORM_OF: Final = itemgetter(1)
_Unclear = dict[int, tuple[UnclearSighting, ...]]
_Row = tuple[Any, ...]


def known_identities(vault: VaultCore, keys: ProjectKeys) -> tuple[KnownIdentity, ...]:
    """Every person of the project with all names; ambiguous mentions, literals and decoys are left out.

    Where an ambiguous mention stands is told of one of the people whom it may mean, or of anybody where these
    are ambiguous themselves, or gone.
    """
    links = {kind: _linked_as(vault, keys, kind) for kind in _TELLING}
    apart: dict[int, set[EntityId]] = {}
    for left, right in links[LinkKind.SPLIT] - links[LinkKind.ALSO_KNOWN_AS]:
        apart.setdefault(left, set()).add(entity_text(right))
        apart.setdefault(right, set()).add(entity_text(left))
    unclear: _Unclear = {}
    source = PeopleSource(
        FactReader(),
        read_company(vault, keys),
        {number: frozenset(others) for number, others in apart.items()},
        unclear,
    )
    people: list[StoredPerson] = []
    ambiguous: _Unclear = {}
    with without_collector():
        for number, kind, rows in opened_people(vault, keys):
            if kind == _AMBIGUOUS:
                given = entity_text(number)
                met = source.reader.sightings(as_rows(rows))
                ambiguous[number] = tuple([UnclearSighting(given, sighting) for sighting in met])
            elif source.reader.names_person(rows):
                people.append(StoredPerson.of(number, rows, source))
        known = tuple(people)
    numbers = {person.number for person in people}
    told_of = {left: right for left, right in sorted(links[LinkKind.CANDIDATE]) if right in numbers}
    for left, sightings in sorted(ambiguous.items() if numbers else ()):
        right = told_of.get(left, people[0].number)
        unclear[right] = (*unclear.get(right, ()), *sightings)
    return known


def opened_people(vault: VaultCore, keys: ProjectKeys) -> Iterator[tuple[int, int, Rows]]:
    """The number, the kind and the rows, as they are kept, of every person and every ambiguous mention."""
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
    ):
        for opened in _opened(vault, keys, rows, wrapped_keys):
            more = opened.more
            for number, kind, plain in zip(opened.numbers, opened.kinds, opened.plains, strict=True):
                yield number, kind, more[number] if number in more else as_kept(plain)


@dataclass(frozen=True, slots=True)
class _Opened:
    """Some thousand people and ambiguous mentions: a row of each, and all rows of those with several."""

    numbers: Sequence[int]
    kinds: Sequence[int]
    plains: Sequence[bytes] = field(repr=False)
    more: Mapping[int, tuple[bytes, ...]] = field(repr=False)


def _opened(
    vault: VaultCore, keys: ProjectKeys, rows: Iterator[_Row], wrapped_keys: Iterator[_Row]
) -> Iterator[_Opened]:
    # One pass over two sorted streams, thousands at a time; written out, because a million people go through.
    stream = _KeyStream(keys, wrapped_keys)
    for entity_rows, more in _by_entity(rows):
        columns = list(zip(*entity_rows, strict=True))
        _check(keys, columns)
        if not _SHOWN.issuperset(columns[4]):
            shown = [row for row, kind in zip(entity_rows, columns[4], strict=True) if kind in _SHOWN]
            columns = list(zip(*shown, strict=True)) or [()] * len(columns)
        ids, form_ids, revisions, sealed, kinds, versions, _, _ = columns
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
        several = _all_rows(vault, keys, {number: more[number] for number in more.keys() & ids})
        yield _Opened(ids, kinds, plains, several)


def _by_entity(rows: Iterator[_Row]) -> Iterator[tuple[list[_Row], dict[int, list[_Row]]]]:
    """A row of each entity, and all its rows by entity where it has several; thousands together."""
    firsts: list[_Row] = []
    more: dict[int, list[_Row]] = {}
    last = -1
    for row in rows:
        number = _ENTITY_OF(row)
        if number == last:
            more.setdefault(last, [firsts[-1]]).append(row)
            continue
        if len(firsts) == _TOGETHER:
            yield firsts, more
            firsts, more = [], {}
        last = number
        firsts.append(row)
    if firsts:
        yield firsts, more


def _check(keys: ProjectKeys, columns: Sequence[Sequence[Any]]) -> None:
    ids, _, _, _, kinds, versions, days, bindings = columns
    fields = all_entity_fields(ids, keys.project_id, kinds, versions, days)
    if keys.binder("entity").tags(fields) != list(bindings):
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


def _all_rows(
    vault: VaultCore, keys: ProjectKeys, rows: Mapping[int, Sequence[_Row]]
) -> dict[int, tuple[bytes, ...]]:
    """The rows of these people as they are kept, in the order in which they were stored."""
    sealers = sealers_of(vault, keys, rows)
    context = keys.contexts.form
    return {
        number: tuple(
            [
                as_kept(sealers[number].unseal(sealed, context=context(entity_id, form_id, revision)))
                for entity_id, form_id, revision, sealed, *_ in sorted(own, key=_FORM_OF)
            ]
        )
        for number, own in rows.items()
    }


def _linked_as(vault: VaultCore, keys: ProjectKeys, kind: LinkKind) -> set[tuple[int, int]]:
    """The stored links of a kind, as pairs of people."""
    rows = vault.store.rows(
        f"SELECT {LINK_COLUMNS} FROM link WHERE project_id = ? AND kind = ?",  # noqa: S608  our own columns
        (keys.project_id, str(kind)),
    )
    return {(row.left_entity, row.right_entity) for row in checked_links(keys, rows)}


def facts_of(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> dict[int, list[Fact]]:
    """Everything sealed about these people. Callers have the right to it and the audit written already."""
    return stored_facts(vault, keys, sealers_of(vault, keys, entity_ids))


def facts_in_project(vault: VaultCore, keys: ProjectKeys) -> Iterator[tuple[int, list[Fact]]]:
    """Everything sealed about everybody, in chunks; for look-ups by a name that is not full."""
    numbers = [
        number
        for (number,) in vault.store.rows(
            "SELECT entity_id FROM entity WHERE project_id = ? ORDER BY entity_id", (keys.project_id,)
        )
    ]
    for chunk in in_chunks(numbers, 5_000):
        yield from facts_of(vault, keys, chunk).items()
