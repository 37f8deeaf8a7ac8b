"""Answers about workspaces, their files and jobs. Paths of files go to the owner alone, and to no log."""

from collections.abc import Mapping

import msgspec


class WorkspaceShown(msgspec.Struct, frozen=True):
    """A workspace.

    state: empty, uploading, received, analysed or written: how far it is. revision: counts corrections; it is
    the ETag. expires_at: when it is destroyed unless it is used before; ISO 8601, UTC. files: how many by
    state. bytes: of all files. job: the id of the one that waits or runs. is_read: an analysis has found what
    can be corrected.
    """

    workspace: str
    project: str
    intent: str
    state: str
    revision: int
    keep_hours: int
    created_at: str
    expires_at: str
    files: Mapping[str, int]
    bytes: int
    job: str | None = None
    is_read: bool = False


class WorkspacesShown(msgspec.Struct, frozen=True):
    """The workspaces of the caller, the last made first."""

    workspaces: tuple[WorkspaceShown, ...]


class FileShown(msgspec.Struct, frozen=True):
    """A file of a workspace.

    number: its place among the files, from 1. name: its path as it was sent. bytes: as told. state: waiting
    for its bytes, received, analysed, written or refused. error, remedy: the class of the error that refused
    it, and what to do. mentions: how many by kind, of those that were found.
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
        return f"FileShown({self.number}, {self.state})"


class FilesShown(msgspec.Struct, frozen=True):
    """Files in the order in which they were named. after: for the next request; None: these are all."""

    files: tuple[FileShown, ...]
    after: int | None = None


class PieceGiven(msgspec.Struct, frozen=True):
    """A piece of a result. name: of the whole, with labels in place of names. pieces: how many there are.
    bytes: of the whole.
    """

    content: bytes
    name: str
    pieces: int
    bytes: int

    def __repr__(self) -> str:
        return f"PieceGiven({len(self.content)} bytes)"


class JobShown(msgspec.Struct, frozen=True):
    """A job, by ids and counts alone.

    work: analyse or write. state: queued, running, done, failed or cancelled. stage: what it does now.
    done, total: of the stage, in files or notes. failed: files that could not be treated. ahead: jobs that
    come before it. error: the class of the error that ended it.
    """

    job: str
    workspace: str
    work: str
    state: str
    created_at: str
    stage: str = ""
    done: int = 0
    total: int = 0
    failed: int = 0
    ahead: int = 0
    error: str = ""
    ended_at: str = ""


class JobsShown(msgspec.Struct, frozen=True):
    """Jobs, the last made first."""

    jobs: tuple[JobShown, ...]


class ReportShown(msgspec.Struct, frozen=True):
    """What the last writing did: counts, as report.json of a run has them, the leak check among them."""

    report: Mapping[str, object]


class ExampleForeseen(msgspec.Struct, frozen=True):
    """A value of the files, and what would stand in its place. becomes: "\u2026" in it stands for what a run
    draws; None where it stays, or only the run can tell.
    """

    text: str
    becomes: str | None
    stays: bool

    def __repr__(self) -> str:
        return "ExampleForeseen()"


class KindForeseen(msgspec.Struct, frozen=True):
    """What a writing would make of a kind. found: how many mentions of it there are."""

    kind: str
    treatment: str
    found: int
    examples: tuple[ExampleForeseen, ...]


class ForeseenShown(msgspec.Struct, frozen=True):
    """What a writing would make of the kinds that occur."""

    kinds: tuple[KindForeseen, ...]


class Done(msgspec.Struct, frozen=True):
    """Nothing more is to be said."""
