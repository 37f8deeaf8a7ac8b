"""Workspaces of a service: files that are looked at, corrected and written together; and their jobs."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Unpack

from nymlink_client import workspace_calls as calls
from nymlink_client.commands import Command, Judge
from nymlink_client.errors import ChangedError, JobFailedError, WrongRequestError
from nymlink_client.files import Content, IncomingFile, Outgoing
from nymlink_client.sending import Sender
from nymlink_client.workspace_answers import (
    Corrections,
    HeldFile,
    JobShown,
    MentionsShown,
    PeopleShown,
    QuestionsShown,
    TextShown,
    WorkspaceShown,
)
from nymlink_client.workspace_calls import WritingOptions

_FIRST_WAIT: Final = 0.1  # seconds before a job is looked at again; it doubles
_LONGEST_WAIT: Final = 2.0  # seconds


class Job:
    """A job of a workspace. id: opaque."""

    def __init__(self, sender: Sender, shown: JobShown) -> None:
        self._sender, self._shown = sender, shown
        self.id: Final = shown.job

    def __repr__(self) -> str:
        return f"Job({self.id}, {self._shown.state})"

    @property
    def last(self) -> JobShown:
        """How far it was when it was looked at last."""
        return self._shown

    def show(self) -> JobShown:
        """How far it is now."""
        self._shown = self._sender.ask(calls.job(self.id))
        return self._shown

    def cancel(self) -> JobShown:
        """End it as soon as it can; what was written before stays."""
        self._shown = self._sender.ask(calls.cancel(self.id))
        return self._shown

    def wait(
        self, *, timeout: float | None = None, progress: Callable[[JobShown], object] | None = None
    ) -> JobShown:
        """How it ended: done or cancelled. progress: is told how far it is, each time it is looked at.

        Raises:
            JobFailedError: it failed.
            TimeoutError: it has not ended after so many seconds; it goes on.
        """
        ends_at = None if timeout is None else time.monotonic() + timeout
        pause = _FIRST_WAIT
        while not ended(self.show(), progress):
            if ends_at is not None and time.monotonic() + pause > ends_at:
                raise TimeoutError(f"the job {self.id} has not ended in {timeout:g} seconds; it goes on")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_WAIT)
        return self._shown


class Workspace:
    """A workspace. id: opaque. What changes something takes the revision at which its caller saw the
    workspace, and raises ChangedError where somebody else was quicker.
    """

    def __init__(self, sender: Sender, workspace_id: str) -> None:
        self._sender = sender
        self.id: Final = workspace_id

    def __repr__(self) -> str:
        return f"Workspace({self.id})"

    def show(self) -> WorkspaceShown:
        """How far it is, and when it ends."""
        return self._sender.ask(calls.show(self.id))

    def delete(self) -> None:
        """Destroy its key, and so all that is in it."""
        self._sender.ask(calls.delete(self.id))

    # -- files -----------------------------------------------------------------------------------------------

    def add_files(self, files: Mapping[str, Content]) -> tuple[HeldFile, ...]:
        """The files as the service has them, once their bytes are there. files: content by path; paths are
        relative, with / between folders. A file that is given by its path is read while it is sent.
        """
        added: list[HeldFile] = []
        for some in portions(files):
            contents = [Outgoing.of(content) for _, content in some]
            named = [(name, one.size) for (name, _), one in zip(some, contents, strict=True)]
            told = self._sender.ask(calls.add_files(self.id, named)).files
            for one, content in zip(told, contents, strict=True):
                self._sender.ask(calls.upload(self.id, one.file, content))
                added.append(self._sender.ask(calls.file(self.id, one.file)))
        return tuple(added)

    def files(self) -> tuple[HeldFile, ...]:
        """All files, in the order in which they were named."""
        found: list[HeldFile] = []
        after: int | None = 0
        while after is not None:
            page = self._sender.ask(calls.files(self.id, after))
            found += page.files
            after = page.after
        return tuple(found)

    def file(self, file: str) -> HeldFile:
        """A file as it stands. file: its id."""
        return self._sender.ask(calls.file(self.id, file))

    def delete_file(self, file: str) -> None:
        """Delete a file, and what was found in it."""
        self._sender.ask(calls.delete_file(self.id, file))

    # -- jobs ------------------------------------------------------------------------------------------------

    def analyse(self) -> Job:
        """The job that finds and links what the files name; what was corrected so far is kept."""
        return Job(self._sender, self._sender.ask(calls.analyse(self.id)))

    def write(self, **options: Unpack[WritingOptions]) -> Job:
        """The job that writes every file in its own format, with the mentions as they are corrected."""
        return Job(self._sender, self._sender.ask(calls.write(self.id, options)))

    def jobs(self) -> tuple[Job, ...]:
        """The jobs of the workspace, the last one first."""
        return tuple(Job(self._sender, one) for one in self._sender.ask(calls.jobs(self.id)).jobs)

    def result(self, file: str | None = None) -> bytes:
        """The output of a file, in memory; without one all outputs as a zip archive with their folders."""
        return self._sender.ask(calls.result(self.id, file))

    def result_pieces(self, file: str | None = None) -> Iterator[bytes]:
        """The same as it comes, at most a MiB at a time; whoever stops early closes it."""
        yield from self._sender.pieces(calls.result(self.id, file))

    def save_result(self, target: Path, file: str | None = None, *, replace: bool = False) -> int:
        """The size in bytes of the same, once it is a file. It has another name in that folder until it is
        whole; after an error nothing of it is left. replace: a file of that name gives way.

        Raises:
            NymlinkError: in one of its children, as all methods do.
            FileExistsError: the target is there and may not be replaced.
            OSError: it cannot be written.
        """
        with IncomingFile(target, replace=replace) as given:
            for piece in self.result_pieces(file):
                given.write(piece)
        return given.size

    def report(self) -> Mapping[str, object]:
        """The counts of the last writing, as report.json of a run has them."""
        return self._sender.ask(calls.report(self.id)).report

    # -- what was found, and corrections ---------------------------------------------------------------------

    def mentions(self, file: str) -> MentionsShown:
        """All mentions of a file, at one revision. Raises ChangedError where that changed meanwhile."""
        pages = [self._sender.ask(calls.mentions(self.id, file, 0))]
        while (after := pages[-1].after) is not None:
            pages.append(self._sender.ask(calls.mentions(self.id, file, after)))
        found = [mention for page in pages for mention in page.mentions]
        return MentionsShown(one_revision(pages), tuple(found))

    def text(
        self, file: str, *, document: str | None = None, start: int = 0, letters: int = 200_000
    ) -> TextShown:
        """A stretch of a text of a file, as it was read, with its mentions. document: None is the first."""
        stretch = {"document": document, "start": start, "letters": letters}
        return self._sender.ask(calls.text(self.id, file, stretch))

    def people(self) -> PeopleShown:
        """All people whom the files name, those with most open links first. Raises as mentions."""
        pages = [self._sender.ask(calls.people(self.id, 0))]
        while (after := pages[-1].after) is not None:
            pages.append(self._sender.ask(calls.people(self.id, after)))
        found = [person for page in pages for person in page.people]
        return PeopleShown(one_revision(pages), tuple(found), len(found))

    def questions(self, *, sure_from: float = 0.9, limit: int = 500) -> QuestionsShown:
        """Questions that nobody has answered: mentions less sure than sure_from, then links of people."""
        return self._sender.ask(calls.questions(self.id, sure_from, limit))

    def correct(self, commands: Command | Iterable[Command], *, revision: int) -> Corrections:
        """Corrections by commands, all of them or none; they are stored at once."""
        given = [commands] if isinstance(commands, Command) else list(commands)
        return self._sender.ask(calls.correct(self.id, given, revision))

    def judge(
        self, left: str, right: str, verdict: Literal["accept", "reject"], *, revision: int
    ) -> Corrections:
        """A verdict: the persons of two mentions are one, or are not."""
        return self._sender.ask(calls.judge(self.id, Judge(left, right, verdict), revision))

    def merge(self, person: str, other: str, *, revision: int) -> Corrections:
        """Two people made one; it goes on as the first."""
        return self._sender.ask(calls.merge(self.id, person, other, revision))

    def split(self, person: str, mentions: Iterable[str], *, revision: int) -> Corrections:
        """Mentions of a person that mean another one from now on, all of them the same."""
        return self._sender.ask(calls.split(self.id, person, mentions, revision))

    def undo(self, *, revision: int) -> Corrections:
        """The last command taken back."""
        return self._sender.ask(calls.turn_back(self.id, "undo", revision))

    def redo(self, *, revision: int) -> Corrections:
        """The command given again that was taken back last."""
        return self._sender.ask(calls.turn_back(self.id, "redo", revision))

    def corrections(self, kind: Literal["mentions", "judgements"]) -> bytes:
        """Corrections as a file that `nymlink run --mentions` or `--judgements` reads."""
        return self._sender.ask(calls.corrections(self.id, kind))

    def take_corrections(self, *, mentions: str = "", judgements: str = "", revision: int) -> Corrections:
        """Corrections from such files; they hold from the next analysis on."""
        told = {"mentions": mentions, "judgements": judgements}
        return self._sender.ask(calls.take_corrections(self.id, told, revision))


def ended(shown: JobShown, progress: Callable[[JobShown], object] | None) -> bool:
    """Whether a job has ended; progress is told first. Raises JobFailedError where it failed."""
    if progress is not None:
        progress(shown)
    if shown.state == "failed":
        raise JobFailedError(kind=shown.error, detail="the job failed; nothing half written was kept")
    return shown.has_ended


def portions(files: Mapping[str, Content]) -> Iterable[list[tuple[str, Content]]]:
    """Files in as many as one request may name."""
    given = list(files.items())
    for start in range(0, len(given), calls.MOST_AT_ONCE):
        yield given[start : start + calls.MOST_AT_ONCE]


def bytes_of(content: Content) -> bytes:
    """The bytes of a file.

    Raises:
        WrongRequestError: it is neither bytes nor a path.
        OSError: the file cannot be read.
    """
    if isinstance(content, Path):
        return content.read_bytes()
    if isinstance(content, bytes):
        return content
    raise WrongRequestError(detail="a file is given as bytes, or as a path")


def one_revision(pages: Iterable[Any]) -> int:
    """The revision of all pages. Raises ChangedError where they differ."""
    found = {page.revision for page in pages}
    if len(found) > 1:
        raise ChangedError(412, "changed", detail="somebody changed the workspace meanwhile; ask again")
    revision: int = found.pop()
    return revision
