"""What a Project answers: frozen records of plain values, which msgspec turns into JSON.

Answers of `pseudonymize` hold no name: places, labels and counts only. What `find` and `link` answer holds
names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from linkage.records import EntityId, LinkageResult, MentionId, NormalizedMention, Span
from linkage.review import Judgement
from pseudonymizer.errors import UntreatedDocumentError


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one document was not treated: the class of the error, and its words, which hold no name."""

    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplacedSpan:
    """A stretch of a text in place of which something else stands now.

    part: id of the text within its file, "" for a plain text. span: its place in the text as read; new_span:
    its place in the new text, None where the format is more than one plain text. Both in code points,
    half-open. label: what stands there. kind: "person", or the kind of identifier that follows a person.
    entity: the person, None where the text is nobody's.
    """

    part: str
    span: Span
    new_span: Span | None
    label: str
    kind: str
    entity: EntityId | None


@dataclass(frozen=True, slots=True)
class PseudonymizedDocument:
    """One text or file with labels in place of names.

    name: what the caller named it; relative: the path of its output, with the names in it replaced, "" for a
    text. text: the output as text; None where its format is none, or it was not treated. content: its bytes
    in its own format. left_in: how many identifiers of other kinds were seen and left in. unread: content
    that was not read, by kind, and by kind and place. failure: why there is no output.
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

    def checked_content(self) -> bytes:
        """The content. Raises UntreatedDocumentError where the document was not treated, with the reason."""
        if self.failure is not None:
            raise UntreatedDocumentError(f"{self.failure.error}: {self.failure.reason}")
        return self.content


@dataclass(frozen=True, slots=True)
class PseudonymizedPerson:
    """A person of an answer: the label that holds in the whole project, and how often the texts name them.

    label is None where labels hold for a document or an occurrence only, or where the style has no way back.
    """

    entity: EntityId
    label: str | None
    mentions: int


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Two people of an answer who may be one, with the calibrated probability that they are."""

    left: EntityId
    right: EntityId
    match_probability: float


@dataclass(frozen=True, slots=True)
class PseudonymizedTexts:
    """The answer of Project.pseudonymize: one document an input, in the order of the inputs."""

    documents: tuple[PseudonymizedDocument, ...]
    identities: tuple[PseudonymizedPerson, ...]
    open_links: tuple[OpenLink, ...]

    @property
    def left_in(self) -> dict[str, int]:
        """How many identifiers of other kinds were seen in all documents and left in."""
        counts: dict[str, int] = {}
        for document in self.documents:
            for kind, count in document.left_in.items():
                counts[kind] = counts.get(kind, 0) + count
        return counts

    @property
    def failures(self) -> int:
        """How many documents were not treated."""
        return sum(document.failure is not None for document in self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[PseudonymizedDocument]:
        return iter(self.documents)

    def __getitem__(self, index: int) -> PseudonymizedDocument:
        return self.documents[index]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """The mentions of one text under the name that the caller knows it by. It holds names.

    is_prose: whether it is running text, and not the path of a file or its technical fields. spelled: ids of
    mentions in addresses, user names and the like. failure: why the document could not be read.
    """

    name: str = field(repr=False)
    mentions: tuple[NormalizedMention, ...] = field(repr=False)
    is_prose: bool = True
    spelled: frozenset[MentionId] = frozenset()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class LinkedDocuments:
    """Who is who in documents: their mentions, and identities and links of all together. It holds names.

    judgements: those of the given ones that are about mentions of these documents, by their ids.
    """

    documents: tuple[FoundDocument, ...]
    result: LinkageResult
    judgements: tuple[Judgement, ...] = ()
