"""The answers of a Project: frozen records of plain values, which msgspec turns into JSON.

Answers of `pseudonymize` hold places, labels and counts, and no name; those of `find` and `link` hold names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from linkage.records import (
    Detector,
    EntityId,
    IdentityId,
    KindId,
    LinkageResult,
    MentionId,
    NormalizedMention,
    Span,
    ValueMention,
)
from linkage.review import Judgement
from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.treatments.treatment import Treatment


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document was not treated. error: class of the error. reason: its words, which hold no name."""

    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplacedSpan:
    """A stretch of a text that was replaced.

    part: id of the text within its file, "" for a plain text. span: place in the text as read. new_span:
    place of the label in the new text; None where the file is more than one plain text. Both count code
    points and are half-open. label: the text that stands there now. kind: a key of
    data/kinds.toml, PERSON for a name. entity: the person whose name stood there; None where it was no name,
    or that of an unknown person. detector, confidence: what found it, and how sure that was, from 0 to 1;
    None where it was found by the spelling of something else. is_one_way: nothing that undoes it is kept.
    """

    part: str
    span: Span
    new_span: Span | None
    label: str
    kind: str
    entity: EntityId | None
    detector: Detector | None = None
    confidence: float | None = None
    is_one_way: bool = False


@dataclass(frozen=True, slots=True)
class PseudonymizedDocument:
    """One text or file with labels in place of names.

    name: the caller's name of it. relative: the path of the output, with labels in place of names; "" for a
    text. format: name of the format. text: the output as text; None where its bytes are no text, or there is
    no output. content: the output as bytes, in the format of the input. left_in: how many other identifiers
    were seen and left in, by kind. unread: how much content was not read, by kind; unread_places: by kind and
    place. failure: why there is no output. text_only: the text alone of the input comes back. kept_original:
    bytes of the input, where it is kept whole in the vault.
    """

    name: str = field(repr=False)
    relative: str
    format: str
    text: str | None = field(repr=False)
    content: bytes = field(repr=False)
    mentions: tuple[ReplacedSpan, ...]
    left_in: Mapping[str, int]
    unread: Mapping[str, int]
    failure: Failure | None = None
    unread_places: Mapping[str, int] = field(default_factory=dict)
    text_only: bool = False
    kept_original: int = 0

    def checked_content(self) -> bytes:
        """The content.

        Raises:
            UntreatedDocumentError: the document was not treated; with the reason.
        """
        if self.failure is not None:
            raise UntreatedDocumentError(f"{self.failure.error}: {self.failure.reason}")
        return self.content


@dataclass(frozen=True, slots=True)
class PseudonymizedPerson:
    """A person of an answer.

    label: the label in the whole project; None where labels hold for a document or an occurrence only, or
    where the mentions do not tell a single person. mentions: how often the inputs name the person.
    """

    entity: EntityId
    label: str | None
    mentions: int


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Two persons of an answer who may be one. match_probability: calibrated, 0 to 1."""

    left: EntityId
    right: EntityId
    match_probability: float


@dataclass(frozen=True, slots=True)
class PseudonymizedTexts:
    """The answer of Project.pseudonymize: one document for each input, in their order."""

    documents: tuple[PseudonymizedDocument, ...]
    identities: tuple[PseudonymizedPerson, ...]
    open_links: tuple[OpenLink, ...]

    @property
    def left_in(self) -> dict[str, int]:
        """How many other identifiers were seen in all documents and left in, by kind."""
        counts: dict[str, int] = {}
        for document in self.documents:
            for kind, count in document.left_in.items():
                counts[kind] = counts.get(kind, 0) + count
        return counts

    @property
    def failures(self) -> int:
        """The number of documents that were not treated."""
        return sum(document.failure is not None for document in self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[PseudonymizedDocument]:
        return iter(self.documents)

    def __getitem__(self, index: int) -> PseudonymizedDocument:
        return self.documents[index]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """One text with its mentions, which hold names. values: mentions of all kinds but persons.

    name: the name of the document, as `nymlink detect` writes it. is_prose: whether it is running text, and
    not the path of a file or its technical fields. spelled: ids of the mentions that an address, a user name
    or a link spells. failure: why the document could not be read.
    """

    name: str = field(repr=False)
    mentions: tuple[NormalizedMention, ...] = field(repr=False)
    is_prose: bool = True
    spelled: frozenset[MentionId] = frozenset()
    failure: Failure | None = None
    values: tuple[ValueMention, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class LinkedDocuments:
    """Documents with their mentions, and the identities and links over all of them. It holds names.

    judgements: the given judgements that are about mentions of these documents, with their mention ids.
    """

    documents: tuple[FoundDocument, ...]
    result: LinkageResult
    judgements: tuple[Judgement, ...] = ()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a run would make of a mention. treatment: KEEP where it stays, FOLLOW where a person is followed.

    text: what would stand there; None where it stays, and where only the run can tell. In a label "…" stands
    for what the run draws. follows: the identity whose label the value would carry; None: of nobody, or of
    several.
    """

    treatment: Treatment
    text: str | None = field(default=None, repr=False)
    follows: IdentityId | None = None

    @property
    def stays(self) -> bool:
        return self.treatment is Treatment.KEEP


@dataclass(frozen=True, slots=True)
class ForeseenKind:
    """Mentions of a kind: what the plan says of the kind, how many there are, and how many would stay."""

    kind: KindId
    treatment: Treatment
    found: int
    left_in: int
