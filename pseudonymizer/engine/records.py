"""Records and ports of the engine: what is found in a file, what is written in it, what finds and links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from linkage.explanation import Explanation
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    EntityId,
    FormLink,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
)
from linkage.review import Judgement
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.formats import Edit
from pseudonymizer.formats.units import Unit
from pseudonymizer.path_names import WordLists
from pseudonymizer.settings import StyleSettings

PERSON: Final = "person"  # kind of a replacement that stands in place of a mention


class Analyzer(Protocol):
    """Finds and takes apart names; linkage.pipeline.LinkagePipeline is one."""

    @property
    def gazetteer(self) -> WordLists: ...
    def detect(self, documents: Sequence[Document]) -> tuple[tuple[Mention, ...], ...]: ...
    def normalize(
        self, documents: Sequence[Document], mentions: Sequence[Sequence[Mention]]
    ) -> tuple[NormalizedMention, ...]: ...


@dataclass(frozen=True, slots=True)
class GivenMention:
    """A mention that the user gives in place of detection, with the text that must stand there."""

    span: Span
    text: str = field(repr=False)
    detector: Detector = Detector.REGISTRY
    confidence: float = 1.0
    typo_of: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class GivenFor:
    """Mentions given for one file: by part id, "" for a file of one part, and by the ids that files may give
    their texts.
    """

    parts: Mapping[str, tuple[GivenMention, ...]] = field(repr=False)
    keys: Mapping[str, tuple[GivenMention, ...]] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.parts or self.keys)

    def of(self, part_id: str, key: str | None) -> tuple[GivenMention, ...] | None:
        """Those of one text. What names the file as well goes before an id that several files may give."""
        if part_id in self.parts:
            return self.parts[part_id]
        return None if key is None else self.keys.get(key)


@dataclass(frozen=True, slots=True)
class AnalyzeTask:
    """One file to find names in. given: mentions that take the place of detection.

    content_key is secret: under it the bytes of the file enter the ids of its documents. Two files of one
    name, in two corpora of one project, are two documents, and a mention in one is none of the other.
    relative is the path of the input inside the corpus, "" for a text without one: names that only it, an
    address or a technical field spells are found too. None: names of running text alone. content: the bytes,
    where they come from a table and not from the file at path, whose name then only says the format. unit:
    only this part of the file.
    """

    doc_id: DocumentId
    path: Path = field(repr=False)
    content_key: bytes = field(default=b"", repr=False)
    given: GivenFor | None = field(default=None, repr=False)
    relative: str | None = field(default=None, repr=False)
    content: bytes | None = field(default=None, repr=False)
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """Why one file was not treated, in words without names or paths."""

    doc_id: DocumentId
    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class PartPlaces:
    """Where labels may go in one text of a file.

    mentions: (start, end, mention id) of each mention; looks: (start, end, text) of what looks like a label.
    Offsets are code points of the text, half-open.
    """

    part_id: str
    mentions: Sequence[tuple[int, int, MentionId]]
    looks: Sequence[tuple[int, int, str]] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class PartFound:
    """What was found in one text of a file.

    key: the id that the file gives it. spelled: ids of its mentions in addresses and the like, which are no
    running text.
    """

    part_id: str
    key: str | None = field(repr=False)
    characters: int
    mentions: tuple[NormalizedMention, ...]
    token_looks: tuple[Span, ...]
    token_texts: tuple[str, ...] = field(repr=False)
    spelled: frozenset[MentionId] = frozenset()

    @property
    def places(self) -> PartPlaces:
        """Where labels may go in it."""
        return PartPlaces(
            self.part_id,
            [(m.mention.span.start, m.mention.span.end, m.mention_id) for m in self.mentions],
            [(s.start, s.end, text) for s, text in zip(self.token_looks, self.token_texts, strict=True)],
        )


@dataclass(frozen=True, slots=True)
class SourceFound:
    """What was found in one file. digest is SHA-256 of its bytes: it never leaves memory without a key."""

    doc_id: DocumentId
    digest: bytes = field(repr=False)
    size: int
    format_name: str
    parts: tuple[PartFound, ...]
    identifiers: Mapping[str, int]
    unread: Mapping[str, int]
    seconds: float
    professionals: tuple[MentionId, ...] = ()  # mentions of people who act by profession
    recognized: tuple[float, ...] = ()  # confidence of each page that text recognition read
    unread_places: Mapping[str, int] = field(default_factory=dict)  # see pseudonymizer.formats.unread

    @property
    def mentions(self) -> list[NormalizedMention]:
        """Those of all its texts, in their order."""
        return [mention for part in self.parts for mention in part.mentions]


@dataclass(frozen=True, slots=True)
class Label:
    """What to write at one place of one part; entity_id None: text that only looked like a token of ours.

    label None: the name stays, as does every other trace of this person in the document. person: the
    pseudonym as a full name, where label is another form of it.
    """

    part_id: str
    span: Span
    label: str | None
    entity_id: EntityId | None
    person: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledPerson:
    """A person of the corpus with the pseudonym that is valid in all of it: for addresses and file names.

    kinds: labels of kinds of identifiers that have a style of their own.
    """

    entity_id: EntityId
    label: str
    names: tuple[PersonName, ...] = field(repr=False)
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands in place of a stretch of one text of a file.

    span: code points of the text as read. kind: PERSON for a mention, else the kind of identifier that
    followed a person. entity_id: the person; None where the text is nobody's.
    """

    part_id: str
    span: Span
    text: str
    entity_id: EntityId | None
    kind: str


@dataclass(frozen=True, slots=True)
class RenderTask:
    """relative is the path of the input inside the corpus; names in it are replaced too. is_output: the file
    is an output of the project, and stays as it is. parts: folder in which a worker on this machine leaves
    the bytes.
    """

    doc_id: DocumentId
    path: Path = field(repr=False)
    relative: str = field(repr=False)
    digest: bytes = field(repr=False)
    labels: tuple[Label, ...] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    styles: StyleSettings = field(default_factory=StyleSettings)
    is_output: bool = False
    unit: Unit | None = None
    parts: Path | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """Rewritten bytes in a file beside the records, not in their place yet: how many, and their digests."""

    place: Path = field(repr=False)
    size: int
    plain: str = field(repr=False)  # SHA-256 in hexadecimal
    stored: OutputDigest = field(repr=False)


@dataclass(frozen=True, slots=True)
class SourceRendered:
    """A rewritten file, and what undoes it: each edit with the entity that owns what stood there.

    raw is empty where part says where the bytes are.
    """

    doc_id: DocumentId
    format_name: str
    raw: bytes = field(repr=False)
    edits: tuple[tuple[Edit, EntityId | None], ...] = field(repr=False)
    relative: str  # where it goes in the output
    identifiers: int  # addresses, user names and the like that followed a pseudonym
    unplaced: int
    seconds: float
    is_marked: bool = False  # says in its metadata that it is pseudonymized
    part: WrittenPart | None = None
    addresses: int = 0  # of identifiers those that are e-mail addresses

    @property
    def size(self) -> int:
        """Bytes of the output."""
        return len(self.raw) if self.part is None else self.part.size


class LinkingPart(Protocol):
    """What a run needs of linkage.pipeline.Linker."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult: ...


@runtime_checkable
class ComparingLinker(Protocol):
    """A linker that judges two names without any text around them."""

    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]: ...
    def explain(self, left: str, right: str) -> Explanation: ...


class Pipeline(Analyzer, Protocol):
    """linkage.pipeline.LinkagePipeline, or a fake."""

    @property
    def linker(self) -> LinkingPart: ...
