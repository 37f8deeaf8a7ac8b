"""Answers: frozen records, silent about texts. Fields that a later service adds are passed over."""

from collections.abc import Iterator, Mapping

import msgspec

from nymlink_client.errors import UntreatedTextError


class Failure(msgspec.Struct, frozen=True):
    """Why a text was not treated. error: class of the error. detail: its words, without any value."""

    error: str
    detail: str


def _given(written: str | None, failure: Failure | None) -> str:
    if written is None:
        told = failure or Failure("", "the service gave no text")
        raise UntreatedTextError(kind=told.error, detail=told.detail)
    return written


class FoundMention(msgspec.Struct, frozen=True):
    """A mention: half-open, in code points of the text as it was sent. person: its number in the call, from
    1; None for other kinds than persons.
    """

    start: int
    end: int
    kind: str
    detector: str
    confidence: float
    person: int | None = None


class FoundText(msgspec.Struct, frozen=True):
    """What was found in one text."""

    id: str
    mentions: tuple[FoundMention, ...]
    failure: Failure | None = None


class FoundTexts(msgspec.Struct, frozen=True):
    """What was found in each text, in their order. persons: how many they name."""

    texts: tuple[FoundText, ...]
    persons: int

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[FoundText]:
        return iter(self.texts)

    def __getitem__(self, index: int) -> FoundText:
        return self.texts[index]


class ReplacedSpan(msgspec.Struct, frozen=True):
    """A stretch that was replaced. start, end: in the text as it was sent. new_start, new_end: the place of
    the label in the new text; None where it cannot be told. All are half-open and count code points.
    """

    start: int
    end: int
    kind: str
    label: str
    new_start: int | None = None
    new_end: int | None = None
    detector: str | None = None
    confidence: float | None = None
    person: int | None = None


class PseudonymizedText(msgspec.Struct, frozen=True):
    """One text with labels in it. open_links: how many pairs of persons with one in it may be one person.
    left_in: by kind, how many values were seen and stay. failure: why there is no text.
    """

    id: str
    mentions: tuple[ReplacedSpan, ...] = ()
    open_links: int = 0
    left_in: Mapping[str, int] = {}
    failure: Failure | None = None
    written: str | None = msgspec.field(default=None, name="text")

    @property
    def text(self) -> str:
        """The text with labels in it.

        Raises:
            UntreatedTextError: it could not be treated; with the reason.
        """
        return _given(self.written, self.failure)

    def __repr__(self) -> str:
        return f"PseudonymizedText({len(self.mentions)} mentions)"


class PseudonymizedTexts(msgspec.Struct, frozen=True):
    """One text for each that was sent, in their order, and the receipt of all of them."""

    documents: tuple[PseudonymizedText, ...] = msgspec.field(name="texts")
    receipt: str | None = None

    @property
    def failures(self) -> int:
        """The number of texts that were not treated."""
        return sum(one.failure is not None for one in self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[PseudonymizedText]:
        return iter(self.documents)

    def __getitem__(self, index: int) -> PseudonymizedText:
        return self.documents[index]

    def __repr__(self) -> str:
        return f"PseudonymizedTexts({len(self.documents)} texts)"


class LabelCounts(msgspec.Struct, frozen=True):
    """How many labels gave way to names, and those that were left: unknown, or with wrong letters."""

    restored: int
    unknown: tuple[str, ...]
    malformed: tuple[str, ...]

    @property
    def labels_left(self) -> int:
        """How many were left."""
        return len(self.unknown) + len(self.malformed)


class RestoredText(msgspec.Struct, frozen=True):
    """A text as it came back. how: exact, by labels, in part, one-way or untouched. one_way: how many places
    have no way back. audit_sequence: the number of the event in the vault's trail; 0 where it was not told.
    """

    id: str
    how: str
    restored: int = 0
    unknown: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    one_way: int = 0
    audit_sequence: int = 0
    failure: Failure | None = None
    written: str | None = msgspec.field(default=None, name="text")

    @property
    def text(self) -> str:
        """The text with names in it.

        Raises:
            UntreatedTextError: it could not be treated; with the reason.
        """
        return _given(self.written, self.failure)

    @property
    def content(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def labels(self) -> LabelCounts:
        """What was restored and left."""
        return LabelCounts(self.restored, self.unknown, self.malformed)

    def __repr__(self) -> str:
        return f"RestoredText({self.how})"


class RestoredTexts(msgspec.Struct, frozen=True):
    """All texts of a call as they came back. audit_sequence: the number of the event in the trail that says
    so; 0 where nothing came back.
    """

    texts: tuple[RestoredText, ...]
    audit_sequence: int = 0


class KindInUse(msgspec.Struct, frozen=True):
    """A kind of identifiers, and what becomes of it in the project. way_back: text, file or none. letter:
    that of its tokens.
    """

    kind: str
    category: str
    word: str
    found: tuple[str, ...]
    treatment: str
    way_back: str
    treatments: tuple[str, ...]
    letter: str = ""


class KindsInUse(msgspec.Struct, frozen=True):
    """All kinds."""

    kinds: tuple[KindInUse, ...]


class StyleShown(msgspec.Struct, frozen=True):
    """A style of pseudonyms. comes_back: whether a label of it leads back to its name."""

    style: str
    comes_back: bool


class StylesShown(msgspec.Struct, frozen=True):
    """All styles."""

    styles: tuple[StyleShown, ...]


class ProfileShown(msgspec.Struct, frozen=True):
    """A profile. treatments: by kind; kinds that are left out stay."""

    profile: str
    about: str
    treatments: Mapping[str, str]


class ProfilesShown(msgspec.Struct, frozen=True):
    """All profiles."""

    profiles: tuple[ProfileShown, ...]


class ProjectShown(msgspec.Struct, frozen=True):
    """A project that the caller may name. is_stored: the vault has it; others are made with a text."""

    project: str
    style: str
    profile: str
    is_stored: bool


class ProjectsShown(msgspec.Struct, frozen=True):
    """All projects that the caller may name."""

    projects: tuple[ProjectShown, ...]


class Problem(msgspec.Struct, frozen=True):
    """A problem answer (RFC 9457)."""

    type: str = ""
    title: str = ""
    status: int = 0
    detail: str = ""
    field: str = ""
