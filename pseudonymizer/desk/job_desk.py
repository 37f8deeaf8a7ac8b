"""What a caller may do with jobs of his workspaces, and with what they wrote."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from pseudonymizer.desk import jobs
from pseudonymizer.desk import workspaces as states
from pseudonymizer.desk.foreseeing import foreseen
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.jobs import JobStore
from pseudonymizer.desk.opened import ARCHIVE, ARCHIVE_NAME, REPORT, RESULTS, Opened, result_of
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_answered import ForeseenShown, JobShown, JobsShown, PieceGiven, ReportShown
from pseudonymizer.desk.workspace_asked import GetPiece, Jobs, OfJob, OfWorkspace, StartAnalysis, StartWriting
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.errors import WorkspaceStateError


@dataclass(frozen=True, slots=True)
class JobDesk:
    """ring: wakes whoever does jobs. check_place: raises UnsealedWorkError where jobs have no place."""

    workspaces: WorkspaceDesk
    texts: TextDesk
    ring: Callable[[], None]
    check_place: Callable[[], object]

    @property
    def jobs(self) -> JobStore:
        """All jobs."""
        return JobStore(self.workspaces.store)

    def start_analysis(self, caller: Caller, asked: StartAnalysis) -> JobShown:
        """A job that finds and links what the files name. Raises as start_writing does."""
        return self._start(self.workspaces.opened(caller, asked.workspace), jobs.ANALYSE, b"")

    def start_writing(self, caller: Caller, asked: StartWriting) -> JobShown:
        """A job that writes the files.

        Raises:
            UnknownWorkspaceError: see WorkspaceDesk.opened.
            WorkspaceStateError: a job waits or works on the workspace, or no file is whole.
            UnsealedWorkError: there is no place in memory for it.
            WrongOptionError, RestyleNeededError: an option cannot be.
        """
        opened = self.workspaces.opened(caller, asked.workspace)
        asked = msgspec.structs.replace(asked, project=opened.held.project)
        self.texts.project_of(opened.vault, opened.held.project, asked)  # refuses wrong options now
        return self._start(opened, jobs.WRITE, msgspec.msgpack.encode(asked))

    def foresee(self, caller: Caller, asked: StartWriting) -> ForeseenShown:
        """What the job of start_writing would make of the mentions. Raises as start_writing does, and
        WorkspaceStateError where nothing was analysed yet.
        """
        opened = self.workspaces.opened(caller, asked.workspace)
        state = self.workspaces.held_states.of(opened.held, opened.locker)
        asked = msgspec.structs.replace(asked, project=opened.held.project)
        project = self.texts.project_of(opened.vault, opened.held.project, asked)
        try:
            return ForeseenShown(foreseen(project, state.now))
        finally:
            opened.vault.rollback()

    def _start(self, opened: Opened, work: str, told: bytes) -> JobShown:
        self.check_place()
        counts, _ = self.workspaces.store.counted(opened.held.workspace_id)
        if not counts or set(counts) <= {states.WAITING}:
            raise WorkspaceStateError("no file of the workspace is whole; send their bytes first")
        added = self.jobs.add(
            opened.held, work, lambda job_id: opened.locker.seal(told, what=f"job/{job_id}")
        )
        self.ring()
        return added

    def job(self, caller: Caller, asked: OfJob) -> JobShown:
        """A job. Raises UnknownWorkspaceError."""
        return self.jobs.of(caller, asked.job)

    def all_jobs(self, caller: Caller, asked: Jobs) -> JobsShown:
        """Jobs, the last made first. Raises UnknownWorkspaceError."""
        if asked.workspace is not None:
            self.workspaces.store.of(caller, asked.workspace)
        return JobsShown(self.jobs.all_of(caller, asked.workspace))

    def cancel(self, caller: Caller, asked: OfJob) -> JobShown:
        """The job, which ends as soon as it can. Raises UnknownWorkspaceError."""
        shown = self.jobs.cancel(caller, asked.job)
        self.ring()
        return shown

    # -- results ---------------------------------------------------------------------------------------------

    def result(self, caller: Caller, asked: GetPiece) -> PieceGiven:
        """A piece of what was written.

        Raises:
            UnknownWorkspaceError: see WorkspaceDesk.opened.
            WorkspaceStateError: nothing was written yet, or not this file.
        """
        opened = self.workspaces.opened(caller, asked.workspace)
        locker, name, sealed = opened.locker, ARCHIVE_NAME, ARCHIVE
        if asked.file is not None:
            self.workspaces.store.file(opened.held.workspace_id, asked.file)
            sealed = result_of(asked.file)
        if not locker.has(RESULTS) or not locker.has(sealed):
            raise WorkspaceStateError("this was not written; start writing, or see why the file was refused")
        if asked.file is not None:
            name = msgspec.msgpack.decode(locker.get(RESULTS), type=dict[str, str])[asked.file]
        return PieceGiven(locker.piece(sealed, asked.number), name, *locker.size_of(sealed))

    def report(self, caller: Caller, asked: OfWorkspace) -> ReportShown:
        """What the last writing did. Raises as result does."""
        locker = self.workspaces.opened(caller, asked.workspace).locker
        if not locker.has(REPORT):
            raise WorkspaceStateError("nothing was written yet; start writing")
        return ReportShown(msgspec.json.decode(locker.get(REPORT)))
