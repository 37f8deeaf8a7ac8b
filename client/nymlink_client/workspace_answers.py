"""Answers about workspaces, their files, jobs and corrections: frozen records, silent about names."""

from collections.abc import Iterator, Mapping

import msgspec


class WorkspaceShown(msgspec.Struct, frozen=True):
    """A workspace. state: empty, uploading, received, analysed or written. revision: counts corrections.
    expires_at: when it is destroyed unless it is used before; ISO 8601, UTC. files: how many by state.
    """

    workspace: str
    project: str
    state: str
    revision: int
    keep_hours: int
    created_at: str
    expires_at: str
    files: Mapping[str, int] = {}
    bytes: int = 0
    job: str | None = None


class WorkspacesShown(msgspec.Struct, frozen=True):
    """The workspaces of the account, the last made first."""

    workspaces: tuple[WorkspaceShown, ...]


class HeldFile(msgspec.Struct, frozen=True):
    """A file of a workspace. number: its place among the files, from 1. name: its path as it was sent. state:
    waiting, received, analysed, written or refused. error, remedy: why it was refused, and what to do.
    mentions: how many by kind.
    """

    file: str
    number: int
    name: str
    bytes: int
    state: str
    error: str = ""
    remedy: str = ""
    mentions: Mapping[str, int] = {}

    def __repr__(self) -> str:
        return f"HeldFile({self.number}, {self.state})"


class FilesShown(msgspec.Struct, frozen=True):
    """Files in the order in which they were named. after: for the next page; None: these are all."""

    files: tuple[HeldFile, ...]
    after: int | None = None


class JobShown(msgspec.Struct, frozen=True):
    """How far a job is. state: queued, running, done, failed or cancelled. done, total: of the stage, in
    files or notes. failed: files that could not be treated. ahead: jobs that come before it. error: the
    class of the error that ended it.
    """

    job: str
    workspace: str
    work: str
    state: str
    created_at: str = ""
    stage: str = ""
    done: int = 0
    total: int = 0
    failed: int = 0
    ahead: int = 0
    error: str = ""
    ended_at: str = ""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is done."""
        return bool(self.ended_at)


class JobsShown(msgspec.Struct, frozen=True):
    """Jobs, the last made first."""

    jobs: tuple[JobShown, ...]


class ReportShown(msgspec.Struct, frozen=True):
    """The counts of the last writing, as report.json of a run has them."""

    report: Mapping[str, object]


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
    judged: bool = False
    person: str | None = None

    def __repr__(self) -> str:
        return f"MentionShown({self.mention})"


class MentionsShown(msgspec.Struct, frozen=True):
    """Mentions of a file at a revision. after: for the next page; None: these are all."""

    revision: int
    mentions: tuple[MentionShown, ...]
    after: int | None = None

    def __len__(self) -> int:
        return len(self.mentions)

    def __iter__(self) -> Iterator[MentionShown]:
        return iter(self.mentions)


class TextShown(msgspec.Struct, frozen=True):
    """A stretch of a text at a revision. documents: the texts of the file. letters: of the whole text."""

    revision: int
    documents: tuple[str, ...]
    document: str
    start: int
    letters: int
    text: str
    mentions: tuple[MentionShown, ...] = ()

    def __repr__(self) -> str:
        return f"TextShown({len(self.text)} characters)"


class Corrections(msgspec.Struct, frozen=True):
    """What commands did. changed: how many mentions each of them changed."""

    revision: int
    changed: tuple[int, ...] = ()
    can_undo: bool = False
    can_redo: bool = False


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
    files: tuple[str, ...] = ()
    open_links: int = 0

    def __repr__(self) -> str:
        return f"PersonShown({self.person})"


class PeopleShown(msgspec.Struct, frozen=True):
    """People at a revision. after: for the next page; None: these are all."""

    revision: int
    people: tuple[PersonShown, ...]
    total: int = 0
    after: int | None = None

    def __len__(self) -> int:
        return len(self.people)

    def __iter__(self) -> Iterator[PersonShown]:
        return iter(self.people)


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
