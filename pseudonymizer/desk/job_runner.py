"""The process that does jobs, one after the other, and ends workspaces whose time is over."""

import logging
import select
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from linkage.errors import LinkageError
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.desk import jobs
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.job_work import JobWork, remove
from pseudonymizer.desk.jobs import Job, JobBell, JobStore
from pseudonymizer.desk.memory_place import empty, private_work_folder, work_place
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_asked import StartWriting
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.errors import PseudonymizerError, RunCancelledError, UnsealedWorkError

log = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 30.0  # between looks at what has ended, where nothing wakes this process
_NOTE_SECONDS: Final = 0.5  # between notes of progress
_USE_SECONDS: Final = 60.0  # between notes that a workspace is used by its job


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where runs work. wanted, unsealed: see memory_place.work_place."""

    wanted: Path | None = None
    unsealed: bool = False

    def folder(self, desk: Path) -> Path:
        """The folder of the runs of a desk.

        Raises:
            UnsealedWorkError: there is no place for it.
        """
        tag = digest_sha256([str(desk.resolve()).encode()]).hex()[:16]
        return private_work_folder(work_place(self.wanted, unsealed=self.unsealed), tag)


class _ServiceEndsError(RunCancelledError):
    """The service ends: the job goes on when it is started again."""


@dataclass(slots=True)
class JobRunner:
    """Does the jobs of a desk. desk: as of an engine. close: closes the vaults."""

    desk: WorkspaceDesk
    texts: TextDesk
    place: RunPlace
    bell: JobBell
    close: Callable[[], None]
    _jobs: JobStore = field(init=False)

    def __post_init__(self) -> None:
        self._jobs = JobStore(self.desk.store)

    def serve(self, parent: int) -> None:
        """Do jobs until the parent has gone. parent: a file that can be read when it has."""
        try:
            while not self._serve(parent):
                if self.bell.wait(parent, _LOOK_SECONDS):  # another service does the jobs of this desk
                    return
        finally:
            self.close()

    def _serve(self, parent: int) -> bool:
        """Whether this process was the one that does jobs, and the parent has gone."""
        with self._jobs.held() as is_mine:
            if not is_mine:
                return False
            self._jobs.take_up()
            self.desk.store.destroy_strays()
            self._clean(keep=self._jobs.unfinished())
            try:
                self._work(parent)
            finally:
                self._clean(keep=())
                self._remove_place()
        return True

    def _work(self, parent: int) -> None:
        while True:
            self.desk.store.destroy_ended()
            self._sweep()
            while (job := self._jobs.next()) is not None:
                self._do(job, parent)
                if _has_gone(parent):
                    return
            if self.bell.wait(parent, _LOOK_SECONDS):
                return

    def _sweep(self) -> None:
        """Destroy what erased people left in workspaces. While the vault is away, that waits for the next
        look:
        a workspace that is opened is looked at again.
        """
        try:
            self.desk.erasures.sweep()
        except PseudonymizerError as error:
            log.warning("workspaces could not be swept: %s", type(error).__name__)

    def _do(self, job: Job, parent: int) -> None:
        """Do one job, and write down how it ended."""
        folder: Path | None = None
        try:
            folder = self.place.folder(self.desk.store.folder) / job.job_id
            folder.mkdir(mode=0o700, exist_ok=True)
            failed = self._done(job, folder, parent)
        except _ServiceEndsError:
            return  # it is taken up at the next start
        except RunCancelledError:
            self._jobs.end(job.job_id, jobs.CANCELLED)
        except (PseudonymizerError, LinkageError) as error:
            log.warning("a job failed: %s", type(error).__name__)
            self._jobs.end(job.job_id, jobs.FAILED, type(error).__name__)
        except Exception as error:  # noqa: BLE001  its text may hold a name: only its class is told
            log.error("a job failed: %s", type(error).__name__)  # noqa: TRY400  a trace may hold names
            self._jobs.end(job.job_id, jobs.FAILED, "EngineError")
        else:
            self._jobs.set_failed(job.job_id, failed)
            self._jobs.end(job.job_id, jobs.DONE)
        if folder is not None:
            remove(folder)

    def _done(self, job: Job, folder: Path, parent: int) -> int:
        caller = Caller(job.actor, job.project)
        opened = self.desk.opened(caller, job.workspace_id)
        told = opened.locker.unseal(job.sealed_options, what=f"job/{job.job_id}")
        progress = _Shown(
            self._jobs, job.job_id, parent, lambda: self.desk.store.of(caller, job.workspace_id)
        )
        work = JobWork(opened, self.desk.store, self.desk.held_states, self.texts, folder, progress)
        if job.work == jobs.WRITE:
            return work.write(msgspec.msgpack.decode(told, type=StartWriting))
        return work.analyse()

    def _clean(self, *, keep: list[str] | tuple[()]) -> None:
        with suppress(UnsealedWorkError, OSError):  # then there is no folder in which anything could lie
            empty(self.place.folder(self.desk.store.folder), keep=keep)

    def _remove_place(self) -> None:
        with suppress(UnsealedWorkError, OSError):
            self.place.folder(self.desk.store.folder).rmdir()


@dataclass(slots=True)
class _Shown:
    """Progress as a row of the job. parent: see JobRunner.serve. use: notes that the workspace is used."""

    jobs: JobStore
    job_id: str
    parent: int
    use: Callable[[], object]
    _done: int = 0
    _total: int = 0
    _noted: float = 0.0
    _used: float = field(default_factory=time.monotonic)

    def begin(self, name: str, total: int, counted: str = "") -> None:
        del counted
        self._done, self._total = 0, total
        self._note(stage=name, done=0, total=total)

    def advance(self, count: int) -> None:
        self._done += count
        if time.monotonic() - self._noted >= _NOTE_SECONDS:
            self._note(done=self._done)
        if _has_gone(self.parent):
            raise _ServiceEndsError("the service ends; the job goes on at its next start")

    def inside(self, count: int) -> None:
        if time.monotonic() - self._noted >= _NOTE_SECONDS:
            with suppress(
                RunCancelledError
            ):  # it is raised between files, where nothing takes it for a fault
                self._note(done=self._done + count)

    def end(self) -> None:
        self._note(done=self._total)

    def _note(self, **values: object) -> None:
        self._noted = time.monotonic()
        if _has_gone(self.parent):
            raise _ServiceEndsError("the service ends; the job goes on at its next start")
        self.jobs.note(self.job_id, **values)
        if self._noted - self._used > _USE_SECONDS:
            self._used = self._noted
            self.use()


def _has_gone(parent: int) -> bool:
    return bool(select.select([parent], [], [], 0)[0])
