"""Records of marked texts: what an annotator, or a program, marked in a document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from linkage.errors import GoldFormatError
from linkage.records import Document, DocumentId, Span
from linkage.texts import PERSON as PERSON

PERSON_LABELS = frozenset({"PER", "PERS", "PERSON", "PERSOON", "NAME_PERSON", "PATIENT"})


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention as the annotator marked it.

    kind: a kind of identifiers, or a label of a coarser scheme. entity is None where the text leaves open who
    is meant: then candidates names the possible (ambiguous) or all meant (group) entities. alternatives are
    further spans that count as exact. unsure: neither required nor punished. compound: the name is a part of
    a longer word. typo: the name is misspelt here.
    """

    span: Span
    entity: str | None = field(default=None, repr=False)
    candidates: tuple[str, ...] = field(default=(), repr=False)
    alternatives: tuple[Span, ...] = ()
    unsure: bool = False
    ambiguous: bool = False
    group: bool = False
    compound: bool = False
    typo: bool = False
    kind: str = PERSON

    @property
    def accepted(self) -> tuple[Span, ...]:
        """Every span that counts as exact, the main one first."""
        return (self.span, *self.alternatives)


FLAGS = ("unsure", "ambiguous", "group", "compound", "typo")  # of a mention, as files name them


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A document with its true mentions, sorted by span.

    mentions: the people. identifiers: the mentions of other kinds; None where the gold marks people alone.
    """

    document: Document
    mentions: tuple[GoldMention, ...]
    identifiers: tuple[GoldMention, ...] | None = None

    def __post_init__(self) -> None:
        length = len(self.document.text)
        for mention in (*self.mentions, *(self.identifiers or ())):
            if mention.span.end > length:
                raise GoldFormatError(
                    f"a gold mention, {mention.span}, ends after the text of {length} code points; offsets "
                    "are Python string indexes"
                )
        entity_at: dict[Span, str] = {}
        for mention in self.mentions:
            if mention.entity is not None and entity_at.setdefault(mention.span, mention.entity) != (
                mention.entity
            ):
                raise GoldFormatError(
                    f"the gold mention at {mention.span} is there twice, for two people; for a name that "
                    'means several, or may mean several, give "candidates" with "group" or "ambiguous"'
                )


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with its marks of all kinds, as a file has them.

    text is None in lines that give marks alone. all_kinds: the file says that it marks more than people.
    left_out: number of marks whose label stands for no kind. place: what an error calls the text.
    """

    doc_id: DocumentId
    text: str | None = field(repr=False)
    marks: tuple[GoldMention, ...]
    all_kinds: bool = False
    left_out: int = 0
    place: str = ""

    @classmethod
    def of_gold(cls, gold: GoldDocument) -> Self:
        """The text of a gold document with its mentions of all kinds."""
        marks = (*gold.mentions, *(gold.identifiers or ()))
        return cls(gold.document.doc_id, gold.document.text, by_place(marks), gold.identifiers is not None)


@dataclass(frozen=True, slots=True)
class Labels:
    """The kind, or the label of a coarser scheme, that each label of a file stands for."""

    kind_of: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of_people(cls, labels: Iterable[str] = PERSON_LABELS) -> Self:
        return cls(MappingProxyType({label.upper(): PERSON for label in labels}))

    def with_labels(self, further: Mapping[str, str]) -> "Labels":
        """These labels and further ones, which win."""
        return Labels(MappingProxyType({**self.kind_of, **{key.upper(): k for key, k in further.items()}}))

    def kind(self, label: str) -> str | None:
        """The kind of a label in capitals or small letters; None where it stands for none."""
        return self.kind_of.get(label.upper())


def by_place(marks: Iterable[GoldMention]) -> tuple[GoldMention, ...]:
    """Marks in the order of their spans."""
    return tuple(sorted(marks, key=lambda mark: (mark.span, mark.kind)))
