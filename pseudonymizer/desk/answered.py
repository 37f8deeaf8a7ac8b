"""Answers to programs: frozen records. None repeats an input; offsets are half-open."""

from collections.abc import Mapping

import msgspec


class FailedText(msgspec.Struct, frozen=True):
    """Why one text was not treated. error: class of the error. detail: its words, without any value."""

    error: str
    detail: str


class FoundMention(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mention at its place. person: its number in this request, from 1; None for other kinds."""

    start: int
    end: int
    kind: str
    detector: str
    confidence: float
    person: int | None = None


class FoundText(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found in one text."""

    id: str
    mentions: tuple[FoundMention, ...]
    failure: FailedText | None = None


class FoundTexts(msgspec.Struct, frozen=True):
    """What was found in all texts of a request. persons: how many they name."""

    texts: tuple[FoundText, ...]
    persons: int


class WrittenMention(msgspec.Struct, frozen=True, omit_defaults=True):
    """A replaced stretch: its place in the text as sent, the place of what stands there now, and its label.

    new_start, new_end are left out where they cannot be told. detector, confidence are left out where the
    name was found by what the project knows. person: its number in this request, from 1; left out for other
    kinds, and for a name that several persons may bear.
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


class WrittenText(msgspec.Struct, frozen=True, omit_defaults=True):
    """One text with labels in it. text: None where the text was not treated.

    open_links: how many pairs of persons with one in this text may be one person. left_in: by kind, how many
    values were seen and stay.
    """

    id: str
    text: str | None
    mentions: tuple[WrittenMention, ...]
    open_links: int
    left_in: Mapping[str, int]
    failure: FailedText | None = None

    def __repr__(self) -> str:
        return f"WrittenText({len(self.mentions)} mentions)"


class WrittenTexts(msgspec.Struct, frozen=True, omit_defaults=True):
    """All texts of a request with labels in them. receipt: of these texts, where one was asked for.
    audit_sequence: the number of the event in the trail that says so.
    """

    texts: tuple[WrittenText, ...]
    receipt: str | None = None
    audit_sequence: int = 0

    def __repr__(self) -> str:
        return f"WrittenTexts({len(self.texts)} texts)"


class RestoredOne(msgspec.Struct, frozen=True, omit_defaults=True):
    """One text as it came back.

    how: exact, by labels, in part, one-way or untouched, as `nymlink restore` says it. restored: how many
    labels gave way to a name, 0 where the whole text came back. unknown, malformed: labels that were left.
    """

    id: str
    text: str | None
    how: str
    restored: int = 0
    unknown: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    one_way: int = 0
    failure: FailedText | None = None

    def __repr__(self) -> str:
        return f"RestoredOne({self.how})"


class RestoredTexts(msgspec.Struct, frozen=True):
    """All texts of a request as they came back. audit_sequence: the number of the last event in the trail
    that says so; 0 where nothing came back.
    """

    texts: tuple[RestoredOne, ...]
    audit_sequence: int = 0


class StreamBegun(msgspec.Struct, frozen=True):
    """A text in pieces can come."""


class StreamedPiece(msgspec.Struct, frozen=True):
    """The part of a text that can be given out after one more piece. held: how many characters of it are held
    back, for they may be the beginning of a label.
    """

    text: str
    held: int = 0

    def __repr__(self) -> str:
        return f"StreamedPiece({len(self.text)} letters)"


class StreamEnded(msgspec.Struct, frozen=True):
    """The rest of a text that came in pieces, and what was restored and left in all of it; see RestoredOne.
    audit_sequence: see RestoredTexts.
    """

    text: str
    restored: int = 0
    unknown: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    audit_sequence: int = 0
    is_last: bool = True

    def __repr__(self) -> str:
        return f"StreamEnded({len(self.text)} letters)"


class DocumentGiven(msgspec.Struct, frozen=True):
    """A file as it was written or came back. name: with labels in place of names. how: see RestoredOne; of a
    written one "written". left_in, unread: by kind, what stays and what could not be read. audit_sequence:
    see RestoredTexts.
    """

    name: str
    content: bytes
    how: str
    left_in: Mapping[str, int] = {}
    unread: Mapping[str, int] = {}
    audit_sequence: int = 0

    def __repr__(self) -> str:
        return f"DocumentGiven({len(self.content)} bytes)"


class KindInUse(msgspec.Struct, frozen=True):
    """A kind with what becomes of it under the settings of a project.

    found: what finds it. way_back: where a value comes back: text, file or none. letter: that of its tokens.
    """

    kind: str
    category: str
    word: str
    found: tuple[str, ...]
    treatment: str
    way_back: str
    treatments: tuple[str, ...]
    letter: str


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
    """A project with its style and profile. is_stored: the vault has it; others are made with a text."""

    project: str
    style: str
    profile: str
    is_stored: bool


class ProjectsShown(msgspec.Struct, frozen=True):
    """The projects that the caller may name."""

    projects: tuple[ProjectShown, ...]
