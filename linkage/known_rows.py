"""Known people as rows, for Spark and the vault service: each name once, however often sightings have it."""

from collections.abc import Iterable, Sequence
from typing import Self

from linkage.codec import NameRow, Row
from linkage.errors import InvalidRecordError
from linkage.records import (
    DocumentId,
    EntityId,
    Gender,
    JudgedSide,
    KnownIdentity,
    MentionId,
    PersonName,
    Role,
    Sighting,
    UnclearSighting,
)
from linkage.told import Pair, kept_set


class SightingRow(Row, array_like=True, frozen=True, gc=False):
    """A Sighting. name counts from 0 in the names of the KnownRow that it stands in."""

    doc_id: DocumentId
    start: int
    surface: str
    name: int
    gender: Gender | None = None
    person_id: str | None = None
    attributes: tuple[Pair, ...] = ()
    joined_with: tuple[MentionId, ...] = ()
    same_as: tuple[MentionId, ...] = ()
    roles: tuple[Role, ...] = ()
    marks: tuple[str, ...] = ()
    judged: tuple[JudgedSide, ...] = ()

    @classmethod
    def of(cls, sighting: Sighting, name: int) -> Self:
        return cls(
            sighting.doc_id, sighting.start, sighting.surface, name, sighting.gender, sighting.person_id,
            sighting.attributes, sighting.joined_with, sighting.same_as, sighting.roles, sighting.marks,
            sighting.judged,
        )  # fmt: skip


class UnclearRow(Row, array_like=True, frozen=True, gc=False):
    """An UnclearSighting."""

    entity_id: EntityId
    sighting: SightingRow


class KnownRow(Row, array_like=True, frozen=True, gc=False):
    """A KnownIdentity; sets are sorted. Of names the first own_names are the person's, in their order; the
    others are those of sightings.
    """

    entity_id: EntityId
    names: tuple[NameRow, ...]
    own_names: int
    attributes: tuple[Pair, ...] = ()
    seen_with: tuple[EntityId, ...] = ()
    sightings: tuple[SightingRow, ...] = ()
    unclear: tuple[UnclearRow, ...] = ()
    apart: tuple[EntityId, ...] = ()
    roles: tuple[Role, ...] = ()
    marks: tuple[str, ...] = ()
    further_documents: int = 0

    @classmethod
    def of(cls, known: KnownIdentity) -> Self:
        names = list(known.names)
        numbers = {name: number for number, name in enumerate(names)}

        def sighting_row(sighting: Sighting) -> SightingRow:
            if (number := numbers.get(sighting.name)) is None:
                number = numbers[sighting.name] = len(names)
                names.append(sighting.name)
            return SightingRow.of(sighting, number)

        sightings = tuple(map(sighting_row, known.sightings))
        unclear = tuple([UnclearRow(one.entity_id, sighting_row(one.sighting)) for one in known.unclear])
        return cls(
            known.entity_id, tuple(map(NameRow.of, names)), len(known.names),
            tuple(sorted(known.attributes)), tuple(sorted(known.seen_with)), sightings, unclear,
            tuple(sorted(known.apart)), tuple(sorted(known.roles)), tuple(sorted(known.marks)),
            known.further_documents,
        )  # fmt: skip


class KnownReader:
    """Known people from their rows. Equal names, document ids, attributes and marks become one object."""

    def __init__(self) -> None:
        self._names: dict[NameRow, PersonName] = {}
        self._documents: dict[DocumentId, DocumentId] = {}
        self._attributes: dict[tuple[Pair, ...], tuple[Pair, ...]] = {}
        self._marks: dict[tuple[str, ...], tuple[str, ...]] = {}

    def read(self, rows: Iterable[KnownRow]) -> list[KnownIdentity]:
        """Raises InvalidRecordError for a sighting whose name is none of its row."""
        try:
            return [self._known(row) for row in rows]
        except IndexError:
            raise InvalidRecordError("a stored sighting has a name that is not stored with it") from None

    def _known(self, row: KnownRow) -> KnownIdentity:
        names = [self._name(name) for name in row.names]
        return KnownIdentity(
            row.entity_id,
            tuple(names[: row.own_names]),
            kept_set(row.attributes),
            kept_set(row.seen_with),
            tuple([self._sighting(one, names) for one in row.sightings]),
            tuple(
                [UnclearSighting(one.entity_id, self._sighting(one.sighting, names)) for one in row.unclear]
            ),
            kept_set(row.apart),
            kept_set(row.roles),
            kept_set(row.marks),
            row.further_documents,
        )

    def _name(self, row: NameRow) -> PersonName:
        name = self._names.get(row)
        if name is None:
            name = self._names[row] = row.name()
        return name

    def _sighting(self, row: SightingRow, names: Sequence[PersonName]) -> Sighting:
        return Sighting(
            self._documents.setdefault(row.doc_id, row.doc_id), row.start, row.surface, names[row.name],
            row.gender, row.person_id, self._attributes.setdefault(row.attributes, row.attributes),
            row.joined_with, row.same_as, row.roles, self._marks.setdefault(row.marks, row.marks), row.judged,
        )  # fmt: skip
