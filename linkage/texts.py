"""Documents, places in them, and what the network sees there. Spans count code points of Document.text."""

from dataclasses import dataclass, field
from typing import Final, NewType

from linkage.errors import InvalidRecordError, SettingsError
from linkage.language_contents import installed_languages, is_installed
from linkage.shipped_data import data_directory

DocumentId = NewType("DocumentId", str)
MentionId = NewType("MentionId", str)
KindId = NewType("KindId", str)

PERSON: Final = KindId("PERSON")  # the kind of a person's name; all kinds: data/kinds.toml


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of code points in one document."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidRecordError(f"span {self.start}..{self.end}: need 0 <= start < end")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def cut(self, text: str) -> str:
        return text[self.start : self.end]


def mention_id_at(doc_id: DocumentId, span: Span, kind: KindId = PERSON) -> MentionId:
    """Id of the mention of this kind at this place. Padded digits make ids of one document sort as their
    spans do. The id of a person holds no kind: it is the same as before there were other kinds.
    """
    place = f"{doc_id}@{span.start:09d}-{span.end:09d}"
    return MentionId(place if kind == PERSON else f"{place}:{kind}")


def refuse_unknown_language(language: str) -> None:
    """Nothing where there are rules and lists for texts of this language.

    Raises:
        SettingsError: there are none; Dutch ones would take their place without a word.
        ModelNotFoundError: no shipped data is installed.
    """
    if not is_installed(language):
        data_directory()
        raise SettingsError(
            f"there are no rules yet for texts of this language; known: "
            f"{', '.join(installed_languages())}. Leave the language out to have texts read by Dutch rules"
        )


@dataclass(frozen=True, slots=True)
class Document:
    """One text as read. doc_id must not be made from a file name, which may hold a name.

    group: the dossier, client or case that the text belongs to, "" where that is not known: in one group
    people of one name are far likelier one person.
    """

    doc_id: DocumentId
    text: str = field(repr=False)
    language: str = "nl"
    group: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        refuse_unknown_language(self.language)


@dataclass(frozen=True, slots=True)
class RecognizedSpan:
    """What the network saw; confidence is a calibrated probability that the span is right, 0 to 1.

    kind: of the identifier; None where the network does not tell kinds apart.
    """

    span: Span
    confidence: float
    kind: KindId | None = None


@dataclass(frozen=True, slots=True)
class RecognizedText:
    """What the network says about one document; every span counts code points of Document.text.

    sentences and tokens are sorted and never overlap; each token lies in one sentence. persons and names
    (of something else: places, organisations, works) are sorted by start; persons hold weak ones too,
    which need support. identifiers: those of other kinds than persons, sorted by start; names are among them
    where the network tells their kind.
    """

    doc_id: DocumentId
    sentences: tuple[Span, ...]
    tokens: tuple[Span, ...]
    persons: tuple[RecognizedSpan, ...]
    names: tuple[RecognizedSpan, ...]
    identifiers: tuple[RecognizedSpan, ...] = ()
