"""Records and ports of the engine: tasks, mentions found, labels, files written; analyzer and linker."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol, Self, runtime_checkable

from linkage.explanation import Explanation
from linkage.kinds import LITERAL
from linkage.recognition.name_runs import NameRun
from linkage.records import (
    PERSON,
    Detector,
    Document,
    DocumentId,
    EntityId,
    FormLink,
    KindId,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    ValueMention,
)
from linkage.review import Judgement
from linkage.spans import SpanCover
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.formats import Edit, is_text_only
from pseudonymizer.formats.records import RejectedLine
from pseudonymizer.formats.units import Unit
from pseudonymizer.path_names import WordLists
from pseudonymizer.records import KEPT_ORIGINAL
from pseudonymizer.settings import StyleSettings

NO_DOCUMENT: Final = DocumentId("")  # the document of a text that holds no value


def unit_of(document: DocumentId, key: str | None) -> DocumentId:
    """What is about one person: the text with this id where the file gives it a key, else its file."""
    return document if key is not None else DocumentId(document.partition("#")[0])


class Analyzer(Protocol):
    """Finds names and takes them apart, as linkage.pipeline.LinkagePipeline does."""

    @property
    def gazetteer(self) -> WordLists: ...
    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]: ...
    def normalize(
        self,
        documents: Sequence[Document],
        mentions: Sequence[Sequence[Mention]],
        values: Sequence[Sequence[ValueMention]] | None = None,
    ) -> tuple[NormalizedMention, ...]: ...


@dataclass(frozen=True, slots=True)
class GivenMention:
    """A mention that the user gives. text: the characters that must stand at span.

    Given persons take the place of detected ones. Given values of other kinds are added to those that are
    found, and win where two overlap.
    """

    span: Span
    text: str = field(repr=False)
    detector: Detector = Detector.REGISTRY
    confidence: float = 1.0
    typo_of: str | None = field(default=None, repr=False)
    kind: KindId = PERSON


@dataclass(frozen=True, slots=True)
class GivenFor:
    """The mentions that are given for one file.

    parts: by part id, "" for a file of one part. keys: by the id that a file gives one of its texts.
    """

    parts: Mapping[str, tuple[GivenMention, ...]] = field(repr=False)
    keys: Mapping[str, tuple[GivenMention, ...]] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.parts or self.keys)

    def of(self, part_id: str, key: str | None) -> tuple[GivenMention, ...] | None:
        """The given mentions of one text; None: none are given for it.

        The part id goes first: it belongs to this file, where several files may give a text one key.
        """
        if part_id in self.parts:
            return self.parts[part_id]
        return None if key is None else self.keys.get(key)


@dataclass(frozen=True, slots=True)
class AnalyzeTask:
    """One file to find names in.

    path: where the file lies; its suffix tells the format. content: the bytes, where they are not read from
    path. unit: the part of the file to treat; None: all of it. relative: the path of the input inside the
    corpus, "" for a text without one; names in it, in addresses and in technical fields are found as well.
    None: only names of running text are found. given: mentions that take the place of detection.
    content_key: a secret under which the bytes of the file enter the ids of its documents; so two files of
    one name, in two corpora of a project, are two documents.
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
    """A file that was not treated. error: class of the error. reason: its words, without names or paths."""

    doc_id: DocumentId
    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlacedValue:
    """A value of a kind at its place in a text. normal: its normal form. text: the characters there.

    holds_person: a mention of a person lies inside, as in an address that spells a name. country: that of the
    pattern that found it, as data/kinds.toml has it; "" where none did.
    """

    start: int
    end: int
    kind: KindId
    normal: str = field(repr=False)
    text: str = field(repr=False)
    holds_person: bool = False
    country: str = ""


@dataclass(frozen=True, slots=True)
class PartPlaces:
    """The places of one text of a file where labels may go.

    mentions: (start, end, mention id) of each mention of a person; looks: (start, end, text) of what looks
    like a label. Offsets are code points of the text, half-open. document: the id of the text; "" where it
    holds no mention. unit: what is about one person: the text where the file gives it an id of its own, else
    the file. rows: where the lines of the text begin that are rows of tables, in order. language: ISO 639-1
    code of the text; "": the usual one of the run.
    """

    part_id: str
    mentions: Sequence[tuple[int, int, MentionId]]
    looks: Sequence[tuple[int, int, str]] = field(default=(), repr=False)
    values: Sequence[PlacedValue] = field(default=(), repr=False)
    document: DocumentId = NO_DOCUMENT
    unit: DocumentId = NO_DOCUMENT
    rows: Sequence[int] = ()
    language: str = ""

    def clear_of(self, labels: Sequence[Sequence[int]]) -> Self:
        """These places without mentions and values that share a character with a label of the project.

        labels: (start, end) of each, in order.
        """
        if not labels:
            return self
        taken = SpanCover(Span(start, end) for start, end in labels)
        return replace(
            self,
            mentions=[place for place in self.mentions if not taken.overlaps(Span(place[0], place[1]))],
            values=[value for value in self.values if not taken.overlaps(Span(value.start, value.end))],
        )


@dataclass(frozen=True, slots=True)
class PartFound:
    """One text of a file with its mentions.

    key: the id that the file gives the text. characters: its length in code points. mentions: those of
    persons. values: mentions of all other kinds, with text that looks like a label (LITERAL). spelled: ids of
    the mentions that an address, a link or a user name spells. rows: as of PartPlaces. runs: where a full
    name may stand that is known from elsewhere. content: the id of the content of the file, with which the
    ids of its texts begin; NO_DOCUMENT where there are no runs. language: as of PartPlaces.
    """

    part_id: str
    key: str | None = field(repr=False)
    characters: int
    mentions: tuple[NormalizedMention, ...]
    values: tuple[ValueMention, ...] = ()
    spelled: frozenset[MentionId] = frozenset()
    rows: tuple[int, ...] = ()
    runs: tuple[NameRun, ...] = field(default=(), repr=False)
    content: DocumentId = NO_DOCUMENT
    language: str = ""

    @property
    def looks(self) -> tuple[ValueMention, ...]:
        """Where the text looks like a label."""
        return tuple(value for value in self.values if value.kind == LITERAL)

    @property
    def placed_values(self) -> tuple[PlacedValue, ...]:
        """The values at their places, without what looks like a label."""
        holders = {m.mention.inside for m in self.mentions}
        return tuple(
            PlacedValue(
                value.mention.span.start, value.mention.span.end, value.kind, value.normal,
                value.mention.surface, value.mention_id in holders, value.country,
            )
            for value in self.values
            if value.kind != LITERAL
        )  # fmt: skip

    @property
    def places(self) -> PartPlaces:
        """The places of this text where labels may go."""
        return PartPlaces(
            self.part_id,
            [(m.mention.span.start, m.mention.span.end, m.mention_id) for m in self.mentions],
            [(v.mention.span.start, v.mention.span.end, v.mention.surface) for v in self.looks],
            self.placed_values,
            self.document,
            unit_of(self.document, self.key),
            self.rows,
            self.language,
        )

    @property
    def document(self) -> DocumentId:
        """The id of the text in its mentions; "" where it holds none."""
        if self.values:
            return self.values[0].mention.doc_id
        return self.mentions[0].mention.doc_id if self.mentions else NO_DOCUMENT


@dataclass(frozen=True, slots=True)
class SourceFound:
    """One file that was read, with its parts and their mentions.

    digest: crypto.digest_sha256 of the bytes, which leaves memory under a key alone. size: bytes.
    identifiers: how many values it holds, by kind, without text that looks like a label. unread: how much
    content was not read, by kind. seconds: the time that reading and finding took.
    """

    doc_id: DocumentId
    digest: bytes = field(repr=False)
    size: int
    format_name: str
    parts: tuple[PartFound, ...]
    identifiers: Mapping[str, int]
    unread: Mapping[str, int]
    seconds: float
    professionals: tuple[MentionId, ...] = ()  # mentions whose persons act by profession
    recognized: tuple[float, ...] = ()  # confidence, 0 to 1, of each page that text recognition read
    unread_places: Mapping[str, int] = field(default_factory=dict)  # see pseudonymizer.formats.unread
    rejected: tuple[RejectedLine, ...] = ()  # lines that are left out of the output
    notes: int = 0  # texts that are read each by itself: lines, rows, messages; 0: the file is one text

    @property
    def mentions(self) -> list[NormalizedMention]:
        """The mentions of all texts of the file, in their order."""
        return [mention for part in self.parts for mention in part.mentions]


@dataclass(frozen=True, slots=True)
class Label:
    """The label for one place of one part.

    label: the text to write; None: what stands there stays, and with a name every other trace of the person
    in the document. entity_id: the person or the value; None where nothing owns what stands there, or where
    the text only looks like a label. person: the pseudonym as a full name, where label is another form of it.
    kind: what stands there. is_one_way: nothing that undoes it is kept. is_fallback: it is written only where
    the text spells no known person, whose label goes there else.
    """

    part_id: str
    span: Span
    label: str | None
    entity_id: EntityId | None
    person: str | None = None
    kind: KindId = PERSON
    is_one_way: bool = False
    is_fallback: bool = False


@dataclass(frozen=True, slots=True)
class LabelledPerson:
    """A person with all names, and the label that addresses and paths of the whole corpus get.

    kinds: by kind of identifier, the label in the style that the settings give that kind.
    """

    entity_id: EntityId
    label: str
    names: tuple[PersonName, ...] = field(repr=False)
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A stretch of one text of a file with the text that stands in its place.

    span: code points of the text as read. kind: what stood there; PERSON for a name.
    entity_id: the person or the value that stood there; None where it was neither, or an unknown person.
    follows: an identifier was written anew around the label of a person. is_one_way: nothing that undoes it
    is kept.
    """

    part_id: str
    span: Span
    text: str
    entity_id: EntityId | None
    kind: KindId = PERSON
    follows: bool = False
    is_one_way: bool = False


@dataclass(frozen=True, slots=True)
class RenderTask:
    """One file to write with labels in place of names.

    relative: the path of the input inside the corpus; names in it are replaced too. digest: that of the
    SourceFound from which the labels come. content, unit: as in the AnalyzeTask. is_output: the file is an
    output of the project, and is left as it is. parts: the folder in which a worker of this machine leaves
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
    """Bytes of an output in a file beside the records, before they are moved to their place.

    plain: SHA-256 of the bytes, in hexadecimal. stored: their OutputDigest.
    """

    place: Path = field(repr=False)
    size: int
    plain: str = field(repr=False)
    stored: OutputDigest = field(repr=False)


@dataclass(frozen=True, slots=True)
class SourceRendered:
    """A written file, with what undoes it.

    raw: the bytes, empty where part tells the file that has them. edits: each with the person whose name
    stood there. relative: the path of the output. identifiers: how many addresses, user names and the like
    carry a person's label now. replaced: how many values carry another text now, by kind. unplaced: how many
    labels fell on text that the file does not hold. is_marked: its metadata say that it is pseudonymized.
    one_way: how many replacements have no way back; what undoes them is not among the edits. reversible: how
    many have one. keeps_path: the path of the original may be stored, for nothing in it was replaced one-way.
    crowded: how many labels of a page found too little room.
    """

    doc_id: DocumentId
    format_name: str
    raw: bytes = field(repr=False)
    edits: tuple[tuple[Edit, EntityId | None], ...] = field(repr=False)
    relative: str
    identifiers: int
    unplaced: int
    seconds: float
    is_marked: bool = False
    part: WrittenPart | None = None
    replaced: Mapping[str, int] = field(default_factory=dict)
    one_way: int = 0
    reversible: int = 0
    keeps_path: bool = True
    crowded: int = 0

    @property
    def is_changed(self) -> bool:
        """Whether the output differs from its source."""
        return bool(self.edits or self.one_way)

    @property
    def is_one_way(self) -> bool:
        """Whether nothing of what was replaced comes back."""
        return self.one_way > 0 and not self.reversible

    @property
    def kept_original(self) -> int:
        """Bytes of the original, where it is kept whole among the edits; 0: it is not."""
        return sum(len(edit.original) for edit, _ in self.edits if edit.location == KEPT_ORIGINAL)

    @property
    def is_text_only(self) -> bool:
        """Whether the text alone of the source comes back."""
        return (
            bool(self.edits)
            and not self.is_one_way
            and not self.kept_original
            and is_text_only(self.format_name)
        )

    @property
    def size(self) -> int:
        """Bytes of the output."""
        return len(self.raw) if self.part is None else self.part.size


class LinkingPart(Protocol):
    """Links mentions with each other and with known people, as linkage.linker.Linker does."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult: ...


@runtime_checkable
class ComparingLinker(Protocol):
    """A linker that also compares two names without any text around them."""

    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]: ...
    def explain(self, left: str, right: str) -> Explanation: ...


class Pipeline(Analyzer, Protocol):
    """An analyzer with a linker: linkage.pipeline.LinkagePipeline, or a fake of it."""

    @property
    def linker(self) -> LinkingPart: ...
