"""Jobs: rows in the desk's store, done one after the other by a process of their own.

A row holds ids and counts alone; what a job was asked for is sealed. Whoever runs jobs holds a lock that the
system gives back when the process is killed: then what was running is begun again, where it was.
"""

import fcntl
import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.store import job
from pseudonymizer.desk.workspace_answered import JobShown
from pseudonymizer.desk.workspaces import UNFINISHED, Workspace, WorkspaceStore, new_id
from pseudonymizer.errors import (
    RunCancelledError,
    UnknownWorkspaceError,
    WorkspaceStateError,
)

ANALYSE, WRITE = "analyse", "write"
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
_ROW: Final[sa.ColumnClause[int]] = sa.literal_column("rowid")
_LOCK: Final = "jobs.lock"
MOST_TRIES: Final = 5  # a job that ended its process so often is not begun again
_MOST_WAITING: Final = 20  # of an account


@dataclass(frozen=True, slots=True)
class Job:
    """A job as whoever does it sees it. sealed_options: under the key of the workspace."""

    job_id: str
    workspace_id: str
    actor: str
    project: str
    work: str
    tries: int
    sealed_options: bytes = field(repr=False)


class JobBell:
    """Wakes the process that does jobs. It is made before processes are forked, and shared by them."""

    def __init__(self) -> None:
        self._heard, self._rung = os.pipe()
        os.set_blocking(self._heard, False)
        os.set_blocking(self._rung, False)

    def ring(self) -> None:
        """A job waits, or is to be cancelled."""
        try:
            os.write(self._rung, b"!")
        except BlockingIOError:
            return  # it rings already

    def wait(self, parent: int, seconds: float) -> bool:
        """Whether the parent has gone. Returns when that is so, when it rings, or after so many seconds."""
        ready, _, _ = select.select([self._heard, parent], [], [], seconds)
        if self._heard in ready:
            with suppress(BlockingIOError):
                os.read(self._heard, 4096)
        return parent in ready


@dataclass(frozen=True, slots=True)
class JobStore:
    """The jobs of a desk, in the order in which they were asked for."""

    store: WorkspaceStore

    def add(self, held: Workspace, work: str, seal: Callable[[str], bytes]) -> JobShown:
        """A job that waits. seal: seals what was asked for, by the job's id.

        Raises:
            WorkspaceStateError: another one waits or works on the workspace, or too many of the account wait.
        """
        job_id = new_id("j")
        with self.store.changing(held.workspace_id, None) as connection:
            waiting = sa.select(job.c.workspace_id).where(
                job.c.actor == held.actor, job.c.state.in_(UNFINISHED)
            )
            others = connection.scalars(waiting).all()
            if held.workspace_id in others or len(others) >= _MOST_WAITING:
                raise WorkspaceStateError("a job works on the workspace; wait for its end, or cancel it")
            connection.execute(
                job.insert().values(
                    job_id=job_id, workspace_id=held.workspace_id, actor=held.actor, project=held.project,
                    work=work, sealed_options=seal(job_id), state=QUEUED, is_cancelled=False, stage="",
                    done=0, total=0, failed=0, tries=0, error="", created_at=self._now(), ended_at="",
                )
            )  # fmt: skip
        return self._shown_of(job_id)

    def of(self, caller: Caller, job_id: str) -> JobShown:
        """The caller's job of this id.

        Raises:
            UnknownWorkspaceError: there is none, or it is not his.
        """
        row = self._row(job_id)
        if row is None or row.actor != caller.actor or caller.project not in (None, row.project):
            raise UnknownWorkspaceError("there is no job of this id, or it is not yours")
        return self._shown(row)

    def all_of(self, caller: Caller, workspace_id: str | None) -> tuple[JobShown, ...]:
        """The caller's jobs, the last made first."""
        chosen = sa.select(job).where(job.c.actor == caller.actor)
        if caller.project is not None:
            chosen = chosen.where(job.c.project == caller.project)
        if workspace_id is not None:
            chosen = chosen.where(job.c.workspace_id == workspace_id)
        with self.store.store.transaction() as connection:
            rows = connection.execute(chosen.order_by(sa.desc(_ROW))).all()
        return tuple(map(self._shown, rows))

    def cancel(self, caller: Caller, job_id: str) -> JobShown:
        """The job, which ends as soon as it can; one that has ended stays as it is. Raises as of does."""
        self.of(caller, job_id)
        with self.store.store.transaction() as connection:
            own = job.update().where(job.c.job_id == job_id)
            ended = own.where(job.c.state == QUEUED).values(state=CANCELLED, ended_at=self._now())
            connection.execute(ended)
            connection.execute(own.where(job.c.state == RUNNING).values(is_cancelled=True))
        return self._shown_of(job_id)

    # -- whoever does them -----------------------------------------------------------------------------------

    def take_up(self) -> None:
        """What a killed process was doing waits again; what ended its process too often has failed."""
        with self.store.store.transaction() as connection:
            running = job.update().where(job.c.state == RUNNING)
            connection.execute(
                running.where(job.c.tries >= MOST_TRIES).values(
                    state=FAILED, error="EngineGoneError", ended_at=self._now()
                )
            )
            connection.execute(running.values(state=QUEUED))

    def next(self) -> Job | None:
        """The job that comes next, which runs from now on: first one that was begun, then turn by account;
        None: none waits.
        """
        table = job
        latest = sa.select(table.c.actor, sa.func.max(_ROW)).where(table.c.tries > 0).group_by(table.c.actor)
        waiting = sa.select(table, _ROW.label("row")).where(table.c.state == QUEUED)
        with self.store.store.transaction() as connection:
            served = {actor: row for actor, row in connection.execute(latest)}  # noqa: C416  rows, not pairs
            rows = connection.execute(waiting).all()
            if not rows:
                return None
            row = min(rows, key=lambda one: (one.tries == 0, served.get(one.actor, 0), one.row))
            begun = connection.execute(
                job.update()
                .where(job.c.job_id == row.job_id, job.c.state == QUEUED)
                .values(state=RUNNING, tries=row.tries + 1, done=0, total=0, failed=0, stage="")
            )
            if begun.rowcount != 1:  # it was cancelled meanwhile
                return None
        return Job(
            row.job_id, row.workspace_id, row.actor, row.project, row.work, row.tries + 1,
            bytes(row.sealed_options),
        )  # fmt: skip

    def note(self, job_id: str, **values: Any) -> None:
        """Write down how far a job is.

        Raises:
            RunCancelledError: somebody asked for its end, or its workspace is gone.
        """
        with self.store.store.transaction() as connection:
            connection.execute(job.update().where(job.c.job_id == job_id).values(**values))
            found = connection.execute(sa.select(job.c.is_cancelled).where(job.c.job_id == job_id)).first()
        if found is None or found.is_cancelled:
            raise RunCancelledError("the job was cancelled")

    def set_failed(self, job_id: str, failed: int) -> None:
        """Write down how many files could not be treated."""
        with self.store.store.transaction() as connection:
            connection.execute(job.update().where(job.c.job_id == job_id).values(failed=failed))

    def end(self, job_id: str, state: str, error: str = "") -> None:
        """Write down how a job ended."""
        with self.store.store.transaction() as connection:
            connection.execute(
                job.update()
                .where(job.c.job_id == job_id)
                .values(state=state, error=error, ended_at=self._now())
            )

    def unfinished(self) -> list[str]:
        """The ids of jobs that wait or run."""
        with self.store.store.transaction() as connection:
            return list(connection.scalars(sa.select(job.c.job_id).where(job.c.state.in_(UNFINISHED))))

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Whether this process is the one that does jobs, as long as this block goes on."""
        place: Path = self.store.folder / _LOCK
        with os.fdopen(os.open(place, os.O_CREAT | os.O_RDWR, 0o600), "r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            yield True

    # -- rows ------------------------------------------------------------------------------------------------

    def _now(self) -> str:
        return self.store.clock().isoformat(timespec="seconds")

    def _row(self, job_id: str) -> Any:
        with self.store.store.transaction() as connection:
            return connection.execute(sa.select(job).where(job.c.job_id == job_id)).first()

    def _shown_of(self, job_id: str) -> JobShown:
        row = self._row(job_id)
        if row is None:
            raise UnknownWorkspaceError("there is no job of this id, or it is not yours")
        return self._shown(row)

    def _shown(self, row: Any) -> JobShown:
        ahead = 0
        if row.state == QUEUED:
            earlier = sa.select(sa.func.count()).where(
                job.c.state.in_(UNFINISHED), job.c.created_at <= row.created_at, job.c.job_id != row.job_id
            )
            with self.store.store.transaction() as connection:
                ahead = connection.execute(earlier).scalar() or 0
        return JobShown(
            row.job_id, row.workspace_id, row.work, row.state, row.created_at, row.stage, row.done, row.total,
            row.failed, ahead, row.error, row.ended_at,
        )  # fmt: skip
