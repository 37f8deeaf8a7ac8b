"""A person who was met in many documents, as kept in memory: what one document says of the person is read
alone, so that a text costs what the documents say that are looked at for it.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from linkage.records import DocumentId, PersonName, Sighting
from linkage.told import Pair
from pseudonymizer.vault.rows.fact_reader import FactReader, Rows, StoredFacts, stored
from pseudonymizer.vault.rows.forms import Attribute, SurfaceForm
from pseudonymizer.vault.rows.sealed_facts import as_kept, pack

# Names, attributes, roles and registry ids of one person of each of which a document is looked at in any
# case. Of few people more are known; of these the names go along without a document.
_MOST_TELLING: Final = 40


@dataclass(frozen=True, slots=True)
class MetSometimes:
    """The facts of a person, with the sightings in some documents. further: how many others there are."""

    told: StoredFacts
    sightings: tuple[Sighting, ...] = field(repr=False)
    further: int


class OftenMet:
    """The rows of one person by document.

    A name, an attribute, a role or a registry id has one document that tells it, whatever the order in which
    documents came; so has each sighting that a judgement is about.
    """

    __slots__ = ("_documents", "_judged", "_met_as", "_named", "_names", "_pairs", "_reader", "_telling")

    def __init__(self, reader: FactReader, rows: Iterable[bytes]) -> None:
        self._reader = reader
        self._documents: dict[DocumentId, tuple[bytes, ...]] = {}
        self._named: dict[PersonName, None] = {}  # names that are known, and those of sightings
        self._names: dict[PersonName, None] = {}
        self._met_as: set[PersonName] = set()
        self._pairs: set[Pair] = set()
        self._telling: dict[object, DocumentId] = {}
        self._judged: set[DocumentId] = set()
        self.add(rows)

    def __repr__(self) -> str:
        return f"OftenMet({len(self._documents)} documents)"

    @property
    def index_names(self) -> list[tuple[str, ...]]:
        """The parts of all names, "" for none."""
        return [tuple([part or "" for part in name.parts()]) for name in self._named]

    @property
    def has_unmet_names(self) -> bool:
        """Whether a name is known that no sighting has."""
        return not self._met_as.issuperset(self._names)

    @property
    def document_count(self) -> int:
        return len(self._documents)

    def add(self, rows: Iterable[bytes]) -> None:
        """Take in what came; it may have been there already.

        Raises:
            VaultOutdatedError, VaultDamagedError: as the reader.
        """
        by_document: dict[DocumentId, list[Sighting]] = {}
        for fact in self._reader.facts(rows):
            if isinstance(fact, SurfaceForm):
                self._names[fact.name] = self._named[fact.name] = None
            elif isinstance(fact, Sighting):
                self._named[fact.name] = None
                self._met_as.add(fact.name)
                by_document.setdefault(fact.doc_id, []).append(fact)
            elif isinstance(fact, Attribute):
                self._pairs.add((fact.kind, fact.value))
        for doc_id, sightings in by_document.items():
            self._add_sightings(doc_id, sightings)

    def _add_sightings(self, doc_id: DocumentId, sightings: Iterable[Sighting]) -> None:
        there = self._documents.get(doc_id, ())
        known = set(self._reader.sightings(there)) if there else ()
        new = [sighting for sighting in sightings if sighting not in known]
        if not new:
            return
        self._documents[doc_id] = (*there, *map(as_kept, pack(new)))
        for sighting in new:
            if sighting.judged:
                self._judged.add(doc_id)
            for told in _told_by(sighting):
                if (first := self._telling.get(told)) is not None:
                    self._telling[told] = min(first, doc_id)
                elif len(self._telling) < _MOST_TELLING:
                    self._telling[told] = doc_id

    def met_in(self, documents: Set[DocumentId]) -> MetSometimes:
        """The facts of the person, with the sightings in these documents and in those that tell what no
        other one tells.
        """
        wanted = {*self._telling.values(), *self._judged}
        wanted.update([document for document in documents if document in self._documents])
        found = self._reader.sightings(chain.from_iterable(self._documents[d] for d in sorted(wanted)))
        told = stored(tuple(self._names), self._pairs, len(found))
        return MetSometimes(told, found, len(self._documents) - len(wanted))


def _told_by(sighting: Sighting) -> Iterator[object]:
    yield "name", sighting.name
    yield from sighting.attributes
    yield from sighting.roles
    if sighting.person_id:
        yield "person", sighting.person_id


def as_often_met(reader: FactReader, rows: "Rows | OftenMet") -> OftenMet:
    """A person whose rows were kept as they are."""
    if isinstance(rows, OftenMet):
        return rows
    return OftenMet(reader, (rows,) if isinstance(rows, bytes) else rows)
