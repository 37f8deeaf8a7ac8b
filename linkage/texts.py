"""Documents, places in them, and what the network sees there. Spans count code points of Document.text."""

from dataclasses import dataclass, field
from typing import NewType

from linkage.errors import InvalidRecordError

DocumentId = NewType("DocumentId", str)


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


@dataclass(frozen=True, slots=True)
class Document:
    """One text as read. doc_id must not be made from a file name, which may hold a name."""

    doc_id: DocumentId
    text: str = field(repr=False)
    language: str = "nl"


@dataclass(frozen=True, slots=True)
class RecognizedSpan:
    """A name that the network saw; confidence is a calibrated probability that the span is right."""

    span: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognizedText:
    """What the network says about one document; every span counts code points of Document.text.

    sentences and tokens are sorted and never overlap; each token lies in one sentence. persons and names
    (of something else: places, organisations, works) are sorted by start; persons hold weak ones too,
    which need support.
    """

    doc_id: DocumentId
    sentences: tuple[Span, ...]
    tokens: tuple[Span, ...]
    persons: tuple[RecognizedSpan, ...]
    names: tuple[RecognizedSpan, ...]
