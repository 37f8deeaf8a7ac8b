"""Some of the known people of a project, for the linker: links and company are read for them alone."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from linkage.records import Candidates, EntityId, UnclearSighting
from pseudonymizer.errors import KeyDestroyedError
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.vault.rows.company import Company
from pseudonymizer.vault.rows.entities import checked_links, marks
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.often_met import OftenMet
from pseudonymizer.vault.rows.open_people import OpenPeople
from pseudonymizer.vault.rows.stored_person import PeopleSource, StoredPerson, as_rows
from pseudonymizer.vault.rows.table_rows import LINK_COLUMNS, LinkRow
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_VALUE = int(EntityKind.VALUE)
_Pairs = Mapping[LinkKind, Set[tuple[int, int]]]


# Ambiguous mentions that are fetched because they may mean one person: the latest. Those in the documents
# that are looked at come beside them.
MOST_MEANT: Final = 40
_MOST_DOCUMENTS: Final = 200  # of whoever is in more, linking asks for no company either
_MOST_TOGETHER: Final = 1_000  # links that are read at once, of all people of a text
_KINDS: Final = (LinkKind.SPLIT, LinkKind.ALSO_KNOWN_AS)


def also_known(vault: VaultCore, keys: ProjectKeys, kept: OpenPeople, wanted: Collection[int]) -> set[int]:
    """These numbers, those of whom each person among them is also known as, and ambiguous mentions that may
    mean one of them, the latest.
    """
    numbers, new = set(wanted), {number for number in wanted if number in kept.people}
    while new:
        numbers.update(left for left, _ in _may_mean(vault, keys, new) if left in kept.ambiguous)
        pairs = _links(vault, keys, new)[LinkKind.ALSO_KNOWN_AS]
        new = {n for pair in pairs for n in pair if n in kept.people and n not in numbers}
        numbers |= new
    return numbers


def fetched(
    vault: VaultCore, keys: ProjectKeys, kept: OpenPeople, candidates: Candidates
) -> tuple[StoredPerson, ...]:
    """These people in the order of their numbers, with the ambiguous mentions among them.

    Whoever was often met comes with what the chosen documents say, and has no company of those who are known
    by a name alone where the documents are very many.

    Raises:
        KeyDestroyedError: somebody was erased, though the vault has the rows that are in memory: an older
            copy of it was put back. What is in memory must go.
    """
    wanted = candidates.numbers
    numbers = {number for number in wanted if number in kept.people}
    links = _links(vault, keys, numbers)
    ambiguous = {number for number in wanted if number in kept.ambiguous}
    unclear = _unclear(_meant_by(vault, keys, ambiguous), ambiguous, numbers)
    shown = numbers.union(*unclear.values())
    if len(vault.keystore.wrapped_entity_keys(shown)) < len(shown):
        raise KeyDestroyedError("the data key of a known person is gone")
    unmet = [number for number in numbers if _has_other_names(kept, number)]
    source = PeopleSource(
        kept.reader, Company(_documents(vault, keys, unmet)), _apart(links), _told(kept, unclear)
    )
    people = []
    for number in sorted(numbers):
        rows = kept.people[number]
        if number in candidates.often_met or isinstance(rows, OftenMet):
            people.append(StoredPerson.of(number, kept.met_in(number, candidates.documents), source))
        else:
            people.append(StoredPerson.of(number, rows, source))
    return tuple(people)


def _has_other_names(kept: OpenPeople, number: int) -> bool:
    """Whether a person has a name that no sighting has: then it counts whom the person was seen with."""
    rows = kept.people[number]
    if isinstance(rows, OftenMet):
        return rows.has_unmet_names and rows.document_count <= _MOST_DOCUMENTS
    names, met = kept.reader.index_keys(rows)
    met_as = {names[name] for _, name, _ in met}
    return any(parts not in met_as for parts in names)


def _links(vault: VaultCore, keys: ProjectKeys, numbers: Collection[int]) -> _Pairs:
    """The links of these people that say who is whom, as pairs of people by kind."""
    found: dict[LinkKind, set[tuple[int, int]]] = {kind: set() for kind in _KINDS}
    for chunk in in_chunks(sorted(numbers)):
        for side in ("left_entity", "right_entity"):
            rows = vault.store.rows(
                f"SELECT {LINK_COLUMNS} FROM link "  # noqa: S608  our own columns
                f"WHERE project_id = ? AND {side} IN ({marks(chunk)}) AND kind IN ({marks(_KINDS)})",
                (keys.project_id, *chunk, *map(str, _KINDS)),
            )
            for row in checked_links(keys, rows):
                found[LinkKind(row.kind)].add((row.left_entity, row.right_entity))
    return found


def _may_mean(vault: VaultCore, keys: ProjectKeys, numbers: Collection[int]) -> list[tuple[int, int]]:
    """Of each of these people the latest mentions, or people, that may mean the one, as pairs."""
    select = f"SELECT {LINK_COLUMNS} FROM link WHERE project_id = ? AND kind = ? AND right_entity "  # noqa: S608
    found: list[LinkRow] = []
    for chunk in in_chunks(sorted(numbers)):
        fields = keys.project_id, str(LinkKind.CANDIDATE)
        rows = vault.store.rows(
            f"{select} IN ({marks(chunk)}) LIMIT ?",
            (*fields, *chunk, _MOST_TOGETHER),
        )
        if len(rows) == _MOST_TOGETHER:
            rows = [
                row
                for number in chunk
                for row in vault.store.rows(
                    f"{select} = ? ORDER BY left_entity DESC LIMIT ?", (*fields, number, MOST_MEANT)
                )
            ]
        found += map(LinkRow._make, rows)
    found.sort(key=lambda row: (row.right_entity, -row.left_entity))
    latest = [
        row
        for _, of_one in groupby(found, key=lambda row: row.right_entity)
        for row in islice(of_one, MOST_MEANT)
    ]
    return [(row.left_entity, row.right_entity) for row in checked_links(keys, latest)]


def _meant_by(vault: VaultCore, keys: ProjectKeys, numbers: Collection[int]) -> set[tuple[int, int]]:
    """Those whom each of these may mean, as pairs."""
    found: set[tuple[int, int]] = set()
    for chunk in in_chunks(sorted(numbers)):
        rows = vault.store.rows(
            f"SELECT {LINK_COLUMNS} FROM link "  # noqa: S608  our own columns
            f"WHERE project_id = ? AND left_entity IN ({marks(chunk)}) AND kind = ?",
            (keys.project_id, *chunk, str(LinkKind.CANDIDATE)),
        )
        found.update((row.left_entity, row.right_entity) for row in checked_links(keys, rows))
    return found


def _apart(links: _Pairs) -> dict[int, frozenset[EntityId]]:
    apart: dict[int, set[EntityId]] = {}
    for left, right in links[LinkKind.SPLIT] - links[LinkKind.ALSO_KNOWN_AS]:
        apart.setdefault(left, set()).add(entity_text(right))
        apart.setdefault(right, set()).add(entity_text(left))
    return {number: frozenset(others) for number, others in apart.items()}


def _unclear(
    pairs: Iterable[tuple[int, int]], ambiguous: Set[int], numbers: Set[int]
) -> dict[int, list[int]]:
    """By one of these people, the ambiguous mentions that are told of together with that person.

    pairs: what each may mean.
    """
    told_of = {left: right for left, right in sorted(pairs) if right in numbers}
    found: dict[int, list[int]] = {}
    for left in sorted(ambiguous if numbers else ()):
        found.setdefault(told_of.get(left, min(numbers)), []).append(left)
    return found


def _told(kept: OpenPeople, unclear: Mapping[int, Iterable[int]]) -> dict[int, tuple[UnclearSighting, ...]]:
    """Where ambiguous mentions stand."""
    return {
        person: tuple(
            UnclearSighting(entity_text(number), sighting)
            for number in numbers
            for sighting in kept.reader.sightings(as_rows(kept.ambiguous[number]))
        )
        for person, numbers in unclear.items()
    }


def _documents(vault: VaultCore, keys: ProjectKeys, numbers: Collection[int]) -> Iterator[Iterable[int]]:
    """The people of each rewritten document in which one of these was."""
    documents: set[int] = set()
    for chunk in in_chunks(sorted(numbers)):
        documents.update(
            row[0]
            for row in vault.store.rows(
                "SELECT document_id FROM edit "  # noqa: S608
                f"WHERE project_id = ? AND entity_id IN ({marks(chunk)})",
                (keys.project_id, *chunk),
            )
        )
    for chunk in in_chunks(sorted(documents)):
        rows = vault.store.rows(
            "SELECT d.document_id, d.entity_id FROM edit d JOIN entity e ON e.entity_id = d.entity_id "  # noqa: S608
            f"WHERE d.document_id IN ({marks(chunk)}) AND d.entity_id > 0 AND e.kind <> {_VALUE} "
            "ORDER BY d.document_id",
            tuple(chunk),
        )
        for _, group in groupby(rows, key=itemgetter(0)):
            yield [row[1] for row in group]
