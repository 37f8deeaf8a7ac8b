"""The opened rows of the people of a project, kept in memory and brought up to date with what was added.

Whether rows were only added is told by the counts of their tables (see checkpoints): the sum of the secret
halves must have grown by exactly those of the rows that came. Whatever else happened, an erasure, a split, a
rotation, an older copy of a store put back, changes the sum otherwise, and everybody is read anew.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Final

from linkage.collector import without_collector
from linkage.records import DocumentId
from pseudonymizer.records import EntityKind
from pseudonymizer.schema import job
from pseudonymizer.vault.rows.entities import all_entity_fields, form_fields, sealers_of
from pseudonymizer.vault.rows.fact_reader import FactReader, MetIn, Rows
from pseudonymizer.vault.rows.often_met import MetSometimes, OftenMet, as_often_met
from pseudonymizer.vault.rows.people import opened_people
from pseudonymizer.vault.rows.sealed_facts import as_kept
from pseudonymizer.vault.rows.stored_person import as_rows
from pseudonymizer.vault.store.checkpoints import State, read_states
from pseudonymizer.vault.store.core import HIGHEST_PERSON, VaultCore
from pseudonymizer.vault.store.ownrows import OWN
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_NO_ROWS: Final[State] = (0, 0, 0)
_MODULUS: Final = 1 << 128
_PERSON: Final = int(EntityKind.PERSON)
_AMBIGUOUS: Final = int(EntityKind.AMBIGUOUS)
_NUMBER: Final = itemgetter(0)
_JOBS: Final = "SELECT revision, sealed FROM checkpoint WHERE project_id = ? AND table_name = ?"
_NEW_ENTITIES: Final = (
    "SELECT entity_id, kind, data_key_version, created_on FROM entity "
    "WHERE project_id = ? AND entity_id > ? ORDER BY entity_id"
)
# Without the sign SQLite walks over all rows by entity, to have them in that order.
_NEW_ROWS: Final = (
    "SELECT entity_id, form_id, form_tag, revision, sealed FROM form "
    "WHERE form_id > ? AND project_id = ? ORDER BY +entity_id, form_id"
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the stores had when the people were read."""

    entities: State
    forms: State
    keys: int  # generation of the keys
    jobs: tuple[object, ...]  # unfinished erasures
    highest_entity: int
    highest_form: int


@dataclass(slots=True)
class OpenPeople:
    """Rows as they are kept, by the numbers of people and of ambiguous mentions."""

    people: dict[int, Rows | OftenMet] = field(repr=False)
    ambiguous: dict[int, Rows] = field(repr=False)
    reader: FactReader
    seen: _Seen

    def names_of(self, number: int) -> list[tuple[str, ...]]:
        """The parts of the names of a person or of an ambiguous mention; none of anybody else."""
        rows = self.people.get(number) or self.ambiguous.get(number)
        if isinstance(rows, OftenMet):
            return rows.index_names
        return [] if rows is None else self.reader.index_names(rows)

    def met_in(self, number: int, documents: Set[DocumentId]) -> MetSometimes:
        """The facts of a person who was met in many documents, with the sightings in these alone."""
        often = self.people[number] = as_often_met(self.reader, self.people[number])
        return often.met_in(documents)

    def everything(self) -> Iterator[tuple[int, Rows]]:
        """The rows of all people and of all ambiguous mentions, by number, as long as nobody was looked
        at by documents.
        """
        # Both were read by number.
        for number, rows in merge(self.people.items(), self.ambiguous.items(), key=_NUMBER):
            if not isinstance(rows, OftenMet):
                yield number, rows

    @property
    def seen_through(self) -> int:
        """The highest number of a person of the project."""
        return self.seen.highest_entity

    @classmethod
    def read(cls, vault: VaultCore, keys: ProjectKeys) -> "OpenPeople":
        """All people of the project. Whoever comes while they are read is read again by the next update."""
        seen = _seen(vault, keys)
        reader = FactReader()
        people: dict[int, Rows | OftenMet] = {}
        ambiguous: dict[int, Rows] = {}
        with without_collector():
            for number, kind, rows in opened_people(vault, keys):
                if kind == _AMBIGUOUS:
                    ambiguous[number] = rows
                elif reader.names_person(rows):
                    people[number] = rows
        return cls(people, ambiguous, reader, seen)

    def update(self, vault: VaultCore, keys: ProjectKeys) -> dict[int, Rows] | None:
        """Add what came since; returns what came of people and of ambiguous mentions, by their numbers.

        None where rows did not only come: then everybody has to be read anew.
        """
        before, now = self.seen, _seen(vault, keys)
        if now == before:
            return {}
        if now.keys != before.keys or now.jobs != before.jobs:
            return None
        new = vault.store.rows(_NEW_ENTITIES, (keys.project_id, before.highest_entity))
        columns = list(zip(*new, strict=True)) or [(), (), (), ()]
        fields = all_entity_fields(columns[0], keys.project_id, *columns[1:])
        if not _only_came(before.entities, now.entities, keys.binder("entity").bind_all(fields)):
            return None
        rows = [(*row[:2], bytes(row[2]), row[3], bytes(row[4])) for row in self._new_rows(vault, keys)]
        halves = keys.binder("form").bind_all(
            form_fields(form_id, number, revision, tag, sealed)
            for number, form_id, tag, revision, sealed in rows
        )
        if not _only_came(before.forms, now.forms, halves):
            return None
        changed = self._take_in(vault, keys, rows, {row[0]: row[1] for row in new})
        self.seen = now
        return changed

    def _new_rows(self, vault: VaultCore, keys: ProjectKeys) -> Iterable[tuple[int, int, bytes, int, bytes]]:
        return vault.store.rows(_NEW_ROWS, (self.seen.highest_form, keys.project_id))

    def _take_in(
        self,
        vault: VaultCore,
        keys: ProjectKeys,
        rows: Iterable[tuple[int, int, bytes, int, bytes]],
        kinds: Mapping[int, int],
    ) -> dict[int, Rows]:
        by_number = {number: list(own) for number, own in groupby(rows, key=itemgetter(0))}
        shown = {
            number
            for number in by_number
            if number in self.people or number in self.ambiguous or kinds.get(number) in (_PERSON, _AMBIGUOUS)
        }
        sealers = sealers_of(vault, keys, shown)
        context = keys.contexts.form
        changed: dict[int, Rows] = {}
        for number in sorted(shown):
            sealer = sealers[number]
            more = [
                as_kept(sealer.unseal(sealed, context=context(number, form_id, revision)))
                for _, form_id, _, revision, sealed in by_number[number]
            ]
            is_ambiguous = number in self.ambiguous or kinds.get(number) == _AMBIGUOUS
            before = self.ambiguous.get(number) if is_ambiguous else self.people.get(number)
            if isinstance(before, OftenMet):
                before.add(more)
                changed[number] = _rows(more)
                continue
            old = () if before is None else as_rows(before)
            new = [row for row in more if row not in old]
            whole = _rows((*old, *new))
            if is_ambiguous:
                self.ambiguous[number] = whole
            elif before is not None or self.reader.names_person(whole):
                self.people[number] = whole
            else:
                continue
            if new:
                changed[number] = _rows(new)
        return changed


def _rows(rows: Sequence[bytes]) -> Rows:
    return rows[0] if len(rows) == 1 else tuple(rows)


def _only_came(before: State, now: State, came: tuple[list[bytes], int]) -> bool:
    """Whether a table has what it had, and beside it the rows that came, of which bind_all told."""
    halves, total = came
    return now[0] == before[0] + len(halves) and now[1] == (before[1] + total) % _MODULUS


def _seen(vault: VaultCore, keys: ProjectKeys) -> _Seen:
    """Before the rows: whatever comes in between counts as not seen."""
    states = read_states(vault.store, keys)
    jobs = tuple((row[0], bytes(row[1])) for row in vault.store.rows(_JOBS, (OWN, job.name)))
    highest = vault.store.scalar(HIGHEST_PERSON, (keys.project_id,))
    highest_form = vault.store.scalar("SELECT max(form_id) FROM form")
    return _Seen(
        states.get("entity", _NO_ROWS), states.get("form", _NO_ROWS), vault.keystore.generation(), jobs,
        highest or 0, highest_form or 0,
    )  # fmt: skip


def index_keys(
    people: OpenPeople, came: Iterable[tuple[int, Rows]]
) -> Iterator[tuple[int, bool, list[tuple[str, ...]], list[MetIn]]]:
    """Pieces that an index is told, by number: whether they are of a person, the parts of names, and where
    these stand.
    """
    for number, rows in came:
        names, met = people.reader.index_keys(rows)
        yield number, number in people.people, names, met
