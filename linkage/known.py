"""People whom a project knows already, and the places where earlier documents met them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType

import msgspec

from linkage.person_name import Gender, PersonName
from linkage.texts import DocumentId, MentionId
from linkage.told import JudgedSide, Role

EntityId = NewType("EntityId", str)  # the vault's id of a person; linkage only carries it


class Sighting(msgspec.Struct, frozen=True, gc=False):
    """A stored mention: name parts, place and context, without its text.

    start counts code points of the document; the mention ends len(surface) further on. The fields behind
    person_id are those of MentionContext, sorted. Its repr shows no value: most are names.
    """

    doc_id: DocumentId
    start: int
    surface: str
    name: PersonName
    gender: Gender | None = None
    person_id: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    joined_with: tuple[MentionId, ...] = ()
    same_as: tuple[MentionId, ...] = ()
    roles: tuple[Role, ...] = ()
    marks: tuple[str, ...] = ()
    judged: tuple[JudgedSide, ...] = ()

    def __repr__(self) -> str:
        return "Sighting(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


class UnclearSighting(msgspec.Struct, frozen=True, gc=False):
    """A stored mention that may mean several people, kept with one of them.

    entity_id is the id that the ambiguous mention itself was given.
    """

    entity_id: EntityId
    sighting: Sighting


@dataclass(frozen=True, slots=True)
class KnownIdentity:
    """A person the project knows already: from the vault, or from the user's registry of persons.

    attributes and roles are what texts tell of the person; marks: those of the documents that do. seen_with:
    known entities that share a document with this one. sightings: where earlier documents met the person.
    apart: known entities that people judged to be somebody else. further_documents: in how many documents the
    person was met of which no sighting is here.
    """

    entity_id: EntityId
    names: tuple[PersonName, ...] = field(repr=False)
    attributes: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    seen_with: frozenset[EntityId] = frozenset()
    sightings: tuple[Sighting, ...] = field(default=(), repr=False)
    unclear: tuple[UnclearSighting, ...] = field(default=(), repr=False)
    apart: frozenset[EntityId] = frozenset()
    roles: frozenset[Role] = field(default=frozenset(), repr=False)
    marks: frozenset[str] = field(default=frozenset(), repr=False)
    further_documents: int = 0

    @property
    def sighting_count(self) -> int:
        """How many sightings there are, which may cost less than to read them."""
        return len(self.sightings)


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a project has beside the known people that a text is linked with.

    bearers: by name, how many further people bear it or one like it. given, families: how many further names
    have a lone word, or one like it, as a given name, and as a surname. The others count the whole project
    and the text: words and marks are in so many documents, and trigrams in so many distinct given names and
    surnames. further: in how many further documents the person was met whose mention this is, of one mention
    of each such person.
    """

    bearers: Mapping[PersonName, int] = field(default_factory=dict, repr=False)
    words: Mapping[str, int] = field(default_factory=dict, repr=False)
    marks: Mapping[str, int] = field(default_factory=dict, repr=False)
    given: Mapping[str, int] = field(default_factory=dict, repr=False)
    families: Mapping[str, int] = field(default_factory=dict, repr=False)
    given_trigrams: Mapping[str, int] | None = field(default=None, repr=False)
    family_trigrams: Mapping[str, int] | None = field(default=None, repr=False)
    further: Mapping[MentionId, int] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Known people whom the names of a text may mean, by the numbers under which an index has them.

    often_met: those of them who were met in so many documents that only what these documents say of them is
    looked at, beside what is said nowhere in these.
    """

    numbers: frozenset[int]
    beyond: Beyond = field(default_factory=Beyond)
    often_met: frozenset[int] = frozenset()
    documents: frozenset[DocumentId] = frozenset()
