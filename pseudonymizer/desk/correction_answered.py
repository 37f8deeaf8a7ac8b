"""Answers about what was found in a workspace. They hold names, for the owner of the files alone."""

import msgspec


class MentionShown(msgspec.Struct, frozen=True):
    """A mention. document: which text of the file. judged: a person has looked at it. person: whom it means;
    None for other kinds.
    """

    mention: str
    document: str
    start: int
    end: int
    text: str
    kind: str
    detector: str
    confidence: float
    judged: bool
    person: str | None

    def __repr__(self) -> str:
        return f"MentionShown({self.mention})"


class MentionsShown(msgspec.Struct, frozen=True):
    """Mentions of a file at a revision. after: for the next request; None: these are all."""

    revision: int
    mentions: tuple[MentionShown, ...]
    after: int | None = None


class TextShown(msgspec.Struct, frozen=True):
    """A stretch of a text at a revision. documents: the texts of the file. letters: of the whole text.
    mentions: those that share characters with the stretch.
    """

    revision: int
    documents: tuple[str, ...]
    document: str
    start: int
    letters: int
    text: str
    mentions: tuple[MentionShown, ...]

    def __repr__(self) -> str:
        return f"TextShown({len(self.text)} characters)"


class Corrections(msgspec.Struct, frozen=True):
    """What commands did. changed: how many mentions each of them changed. can_undo, can_redo: whether there
    is a command to take back, or to give again.
    """

    revision: int
    changed: tuple[int, ...]
    can_undo: bool
    can_redo: bool


class FormShown(msgspec.Struct, frozen=True):
    """A way in which a person is named, and how often."""

    text: str
    count: int

    def __repr__(self) -> str:
        return f"FormShown({self.count})"


class PersonShown(msgspec.Struct, frozen=True):
    """A person. forms: the commonest first. mentions: their ids, at most 500. count: of all mentions. files:
    in which they stand. open_links: how many links to others nobody has judged.
    """

    person: str
    forms: tuple[FormShown, ...]
    mentions: tuple[str, ...]
    count: int
    files: tuple[str, ...]
    open_links: int

    def __repr__(self) -> str:
        return f"PersonShown({self.person})"


class PeopleShown(msgspec.Struct, frozen=True):
    """People at a revision. total: how many there are. after: for the next request; None: these are all."""

    revision: int
    people: tuple[PersonShown, ...]
    total: int
    after: int | None = None


class LinkShown(msgspec.Struct, frozen=True):
    """Two mentions of two persons who may be one. match_probability: calibrated, 0 to 1."""

    left: MentionShown
    right: MentionShown
    match_probability: float


class QuestionsShown(msgspec.Struct, frozen=True):
    """Open questions at a revision. left: how many there are in all."""

    revision: int
    mentions: tuple[MentionShown, ...]
    links: tuple[LinkShown, ...]
    left: int


class Passage(msgspec.Struct, frozen=True):
    """A mention with the words around it. file, name: where it stands. number: of its text in the file."""

    mention: MentionShown
    file: str
    name: str
    number: int
    before: str
    after: str

    def __repr__(self) -> str:
        return f"Passage({self.mention.mention})"


class PassagesShown(msgspec.Struct, frozen=True):
    """Passages at a revision. after: for the next request; None: these are all."""

    revision: int
    passages: tuple[Passage, ...]
    after: int | None = None


class CorrectionFile(msgspec.Struct, frozen=True):
    """A file of corrections, in lines of JSON."""

    content: bytes

    def __repr__(self) -> str:
        return f"CorrectionFile({len(self.content)} bytes)"
