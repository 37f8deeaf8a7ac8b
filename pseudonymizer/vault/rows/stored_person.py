"""A known person of the vault, whose names, sightings and company are read when they are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from linkage.records import EntityId, KnownIdentity, PersonName, Role, Sighting, UnclearSighting
from pseudonymizer.vault.rows.company import Company
from pseudonymizer.vault.rows.fact_reader import FactReader, Rows, StoredFacts
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.often_met import MetSometimes

_NOBODY: Final[frozenset[EntityId]] = frozenset()


@dataclass(frozen=True, slots=True)
class PeopleSource:
    """What the known people of one reading share, by the numbers of the people."""

    reader: FactReader
    company: Company
    apart: Mapping[int, frozenset[EntityId]]
    unclear: Mapping[int, tuple[UnclearSighting, ...]] = field(repr=False)


class StoredPerson(KnownIdentity):
    """A KnownIdentity, equal to one with the same values. It keeps the opened rows, which take a
    third of what names and sightings take.

    A call of the class, as by dataclasses.replace, gives a plain KnownIdentity.
    """

    __slots__ = ("_number", "_rows", "_source")

    _number: int
    _rows: Rows | MetSometimes
    _source: PeopleSource

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return KnownIdentity(*args, **kwargs)

    @classmethod
    def of(cls, number: int, rows: Rows | MetSometimes, source: PeopleSource) -> "StoredPerson":
        """The person of this number. Quick, for a million people."""
        person = object.__new__(cls)
        put_number, put_rows, put_source = _PUT
        put_number(person, number)
        put_rows(person, rows)
        put_source(person, source)
        return person

    @property
    def number(self) -> int:
        """The number of the person in the vault."""
        return self._number

    @property
    def _told(self) -> StoredFacts:
        rows = self._rows
        return rows.told if isinstance(rows, MetSometimes) else self._source.reader.told(rows)

    @property
    def entity_id(self) -> EntityId:
        return entity_text(self._number)

    @property
    def names(self) -> tuple[PersonName, ...]:
        return self._told.names

    @property
    def attributes(self) -> frozenset[tuple[str, str]]:
        return self._told.attributes

    @property
    def seen_with(self) -> frozenset[EntityId]:
        return frozenset(map(entity_text, self._source.company.of(self._number)))

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        rows = self._rows
        if isinstance(rows, MetSometimes):
            return rows.sightings
        return self._source.reader.sightings(as_rows(rows))

    @property
    def sighting_count(self) -> int:
        return self._told.sighting_count

    @property
    def unclear(self) -> tuple[UnclearSighting, ...]:
        return self._source.unclear.get(self._number, ())

    @property
    def apart(self) -> frozenset[EntityId]:
        return self._source.apart.get(self._number, _NOBODY)

    @property
    def roles(self) -> frozenset[Role]:
        return self._told.roles

    @property
    def marks(self) -> frozenset[str]:
        return self._told.marks

    @property
    def further_documents(self) -> int:
        return self._rows.further if isinstance(self._rows, MetSometimes) else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownIdentity) and _values(self) == _values(other)

    __hash__ = KnownIdentity.__hash__

    def __reduce__(self) -> tuple[type[KnownIdentity], tuple[Any, ...]]:
        return KnownIdentity, _values(self)


def as_rows(rows: Rows) -> tuple[bytes, ...]:
    return (rows,) if isinstance(rows, bytes) else rows


def _values(known: KnownIdentity) -> tuple[Any, ...]:
    return (
        known.entity_id, known.names, known.attributes, known.seen_with, known.sightings, known.unclear,
        known.apart, known.roles, known.marks, known.further_documents,
    )  # fmt: skip


_PUT: Final = [StoredPerson.__dict__[name].__set__ for name in ("_number", "_rows", "_source")]
