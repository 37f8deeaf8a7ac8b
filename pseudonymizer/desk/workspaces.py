"""Workspaces in the desk's store: who owns which, what is in them, when they end.

Whatever is not the caller's is answered like what there is not. Nothing here opens a sealed value.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.locker import destroy
from pseudonymizer.desk.store import DeskStore, held_file, job, step, workspace
from pseudonymizer.errors import (
    StaleRevisionError,
    UnknownWorkspaceError,
    WorkspaceFullError,
    WorkspaceStateError,
)

_ID_BYTES: Final = 16
_USE_NOTED: Final = timedelta(minutes=1)  # a use is written down no more often
WAITING, RECEIVED, ANALYSED, WRITTEN, REFUSED = "waiting", "received", "analysed", "written", "refused"
NEW: Final = "new"  # of a workspace of which nothing was analysed
ENDED: Final = "ended"  # its key is destroyed; the vault is to forget it yet
UNFINISHED: Final = ("queued", "running")
_LIVES: Final = workspace.c.state != ENDED


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class WorkspaceLimits:
    """Bounds on workspaces. largest_file, largest: bytes of a file, and of all files of a workspace.
    most_files: of a workspace. most_workspaces: of an account.
    """

    largest_file: int = 100 << 20
    largest: int = 2 << 30
    most_files: int = 10_000
    most_workspaces: int = 50


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace without what is sealed in it. state: NEW, ANALYSED, WRITTEN or ENDED."""

    workspace_id: str
    actor: str
    project: str
    intent: str
    sealed_key: bytes = field(repr=False)
    keep_hours: int
    created_at: datetime
    expires_at: datetime
    revision: int
    state: str


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file of a workspace. pieces: how many have come. mentions: how many by kind."""

    file_id: str
    workspace_id: str
    number: int
    sealed_name: bytes = field(repr=False)
    bytes: int
    pieces: int
    state: str
    error: str = ""
    remedy: str = ""
    mentions: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkspaceStore:
    """The workspaces of a desk. folder: where their sealed files lie, each in a folder of its own."""

    store: DeskStore
    folder: Path
    limits: WorkspaceLimits = field(default_factory=WorkspaceLimits)
    clock: Callable[[], datetime] = utc_now

    def place_of(self, workspace_id: str) -> Path:
        """The folder of the sealed files of a workspace."""
        return self.folder / workspace_id

    # -- workspaces ------------------------------------------------------------------------------------------

    def make(
        self, caller: Caller, project: str, *, intent: str, keep_hours: int, seal: Callable[[str], bytes]
    ) -> Workspace:
        """A new workspace. seal: makes its key, sealed, by its id.

        Raises:
            WorkspaceFullError: the account has as many as it may have.
        """
        now, workspace_id = self.clock(), new_id("w")
        made = Workspace(
            workspace_id, caller.actor, project, intent, seal(workspace_id), keep_hours, now,
            now + timedelta(hours=keep_hours), 0, NEW,
        )  # fmt: skip
        self.destroy_ended()
        with self.store.transaction() as connection:
            owned = sa.select(sa.func.count()).where(workspace.c.actor == caller.actor, _LIVES)
            if (connection.execute(owned).scalar() or 0) >= self.limits.most_workspaces:
                raise WorkspaceFullError(
                    f"the account has {self.limits.most_workspaces} workspaces, as many as it may; delete one"
                )
            self.place_of(workspace_id).mkdir(mode=0o700, parents=True)
            connection.execute(
                workspace.insert().values(
                    workspace_id=workspace_id, actor=made.actor, project=project, intent=intent,
                    sealed_key=made.sealed_key, keep_hours=keep_hours, created_at=_written(now),
                    expires_at=_written(made.expires_at), revision=0, state=NEW,
                )
            )  # fmt: skip
        return made

    def of(self, caller: Caller, workspace_id: str) -> Workspace:
        """The caller's workspace of this id. That it is used makes it live longer.

        Raises:
            UnknownWorkspaceError: there is none, it has ended, or it is not his.
        """
        with self.store.transaction() as connection:
            row = connection.execute(
                sa.select(workspace).where(workspace.c.workspace_id == workspace_id, _LIVES)
            ).first()
        found = None if row is None else _workspace(row)
        now = self.clock()
        if found is not None and found.expires_at <= now:
            self.destroy(found.workspace_id)
            found = None
        if found is None or found.actor != caller.actor or caller.project not in (None, found.project):
            raise UnknownWorkspaceError("there is no workspace of this id, or it is not yours")
        until = now + timedelta(hours=found.keep_hours)
        if until - found.expires_at > _USE_NOTED:
            self._set(workspace_id, expires_at=_written(until))
        return found

    def get(self, workspace_id: str) -> Workspace:
        """A workspace, whoever owns it, as it is stored now. Raises UnknownWorkspaceError."""
        with self.store.transaction() as connection:
            row = connection.execute(
                sa.select(workspace).where(workspace.c.workspace_id == workspace_id, _LIVES)
            ).first()
        if row is None:
            raise UnknownWorkspaceError("there is no workspace of this id, or it is not yours")
        return _workspace(row)

    def all_of(self, caller: Caller) -> tuple[Workspace, ...]:
        """The caller's workspaces, the last made first."""
        self.destroy_ended()
        chosen = sa.select(workspace).where(workspace.c.actor == caller.actor, _LIVES)
        if caller.project is not None:
            chosen = chosen.where(workspace.c.project == caller.project)
        with self.store.transaction() as connection:
            rows = connection.execute(chosen.order_by(workspace.c.created_at.desc())).all()
        return tuple(map(_workspace, rows))

    def set_state(self, workspace_id: str, state: str) -> None:
        """Note how far a workspace is."""
        self._set(workspace_id, state=state)

    def destroy(self, workspace_id: str) -> None:
        """End a workspace: its key first, so that nothing of it opens; then all else."""
        with self.store.transaction() as connection:
            connection.execute(
                workspace.update()
                .where(workspace.c.workspace_id == workspace_id)
                .values(sealed_key=b"", state=ENDED)
            )
        with self.store.transaction() as connection:
            for table in (held_file, step, job):
                connection.execute(table.delete().where(table.c.workspace_id == workspace_id))
        destroy(self.place_of(workspace_id))

    def forget(self, workspace_id: str) -> None:
        """Forget that there was a workspace, which has ended."""
        with self.store.transaction() as connection:
            connection.execute(
                workspace.delete().where(workspace.c.workspace_id == workspace_id, workspace.c.state == ENDED)
            )

    def everything(self) -> tuple[Workspace, ...]:
        """Every workspace of all accounts, and those that have ended and are not forgotten yet."""
        with self.store.transaction() as connection:
            rows = connection.execute(sa.select(workspace).order_by(workspace.c.workspace_id)).all()
        return tuple(map(_workspace, rows))

    def destroy_ended(self) -> int:
        """How many workspaces have ended; they are destroyed. So are files of workspaces that are gone."""
        now = _written(self.clock())
        with self.store.transaction() as connection:
            ended = connection.scalars(
                sa.select(workspace.c.workspace_id).where(workspace.c.expires_at <= now, _LIVES)
            ).all()
        for workspace_id in ended:
            self.destroy(workspace_id)
        return len(ended)

    def destroy_strays(self) -> None:
        """Delete folders without a workspace, of a deletion that was killed. At the start alone: a workspace
        that is being made has its folder first.
        """
        with self.store.transaction() as connection:
            known = set(connection.scalars(sa.select(workspace.c.workspace_id).where(_LIVES)).all())
            for table in (held_file, step, job):
                connection.execute(table.delete().where(table.c.workspace_id.not_in(known)))
        for place in self.folder.glob("w_*"):
            if place.name not in known:
                destroy(place)

    def _set(self, workspace_id: str, **values: Any) -> None:
        with self.store.transaction() as connection:
            connection.execute(
                workspace.update().where(workspace.c.workspace_id == workspace_id).values(**values)
            )

    @contextmanager
    def changing(self, workspace_id: str, revision: int | None) -> Iterator[sa.Connection]:
        """A transaction that raises the revision by one; others wait. revision: what it must be now.

        Raises:
            StaleRevisionError: it is another one.
            UnknownWorkspaceError: the workspace is gone.
        """
        with self.store.transaction() as connection:
            chosen = sa.and_(workspace.c.workspace_id == workspace_id, _LIVES)
            raised = workspace.update().where(chosen).values(revision=workspace.c.revision + 1)
            if revision is not None:
                raised = raised.where(workspace.c.revision == revision)
            if connection.execute(raised).rowcount != 1:
                if connection.execute(sa.select(workspace.c.revision).where(chosen)).first() is None:
                    raise UnknownWorkspaceError("there is no workspace of this id, or it is not yours")
                raise StaleRevisionError(
                    "the workspace was changed meanwhile; read it anew and send the change again"
                )
            yield connection

    # -- files -----------------------------------------------------------------------------------------------

    def add_files(
        self, held: Workspace, sizes: Sequence[int], seal: Callable[[int, str], bytes]
    ) -> tuple[HeldFile, ...]:
        """New files of these sizes, whose bytes come after. seal: seals the name of each, by its place among
        the sizes and its id.

        Raises:
            WorkspaceFullError: a bound on files or bytes is reached; no file was made.
        """
        limits, made = self.limits, list[HeldFile]()
        if max(sizes) > limits.largest_file:
            raise WorkspaceFullError(f"a file has more than {limits.largest_file:,} bytes")
        with self.changing(held.workspace_id, None) as connection:
            count, total, last = connection.execute(
                sa.select(
                    sa.func.count(), sa.func.coalesce(sa.func.sum(held_file.c.bytes), 0),
                    sa.func.coalesce(sa.func.max(held_file.c.number), 0),
                ).where(held_file.c.workspace_id == held.workspace_id)
            ).one()  # fmt: skip
            if count + len(sizes) > limits.most_files:
                raise WorkspaceFullError(f"the workspace would have more than {limits.most_files:,} files")
            if total + sum(sizes) > limits.largest:
                raise WorkspaceFullError(
                    f"the files of the workspace have more than {limits.largest:,} bytes"
                )
            for number, size in enumerate(sizes):
                file_id = new_id("f")
                one = HeldFile(
                    file_id, held.workspace_id, last + 1 + number, seal(number, file_id), size, 0, WAITING
                )
                made.append(one)
                connection.execute(
                    held_file.insert().values(
                        file_id=file_id, workspace_id=held.workspace_id, number=one.number, bytes=size,
                        pieces=0, sealed_name=one.sealed_name, state=WAITING, error="", remedy="",
                        mentions="{}",
                    )
                )  # fmt: skip
        return tuple(made)

    def files(self, workspace_id: str, *, after: int = 0, limit: int | None = None) -> tuple[HeldFile, ...]:
        """The files of a workspace behind a number, in their order."""
        chosen = (
            sa.select(held_file)
            .where(held_file.c.workspace_id == workspace_id, held_file.c.number > after)
            .order_by(held_file.c.number)
        )
        with self.store.transaction() as connection:
            return tuple(map(_held, connection.execute(chosen.limit(limit)).all()))

    def file(self, workspace_id: str, file_id: str) -> HeldFile:
        """A file of a workspace.

        Raises:
            UnknownWorkspaceError: it has none of this id.
        """
        chosen = sa.select(held_file).where(
            held_file.c.workspace_id == workspace_id, held_file.c.file_id == file_id
        )
        with self.store.transaction() as connection:
            row = connection.execute(chosen).first()
        if row is None:
            raise UnknownWorkspaceError("the workspace has no file of this id")
        return _held(row)

    def set_file(self, file_id: str, **values: Any) -> None:
        """Change columns of a file. mentions: how many by kind."""
        if "mentions" in values:
            values["mentions"] = json.dumps(dict(sorted(values["mentions"].items())))
        with self.store.transaction() as connection:
            connection.execute(held_file.update().where(held_file.c.file_id == file_id).values(**values))

    def remove_file(self, held: Workspace, file_id: str) -> None:
        """Forget a file; its sealed bytes are the caller's to remove. Raises UnknownWorkspaceError."""
        self.file(held.workspace_id, file_id)
        with self.changing(held.workspace_id, None) as connection:
            connection.execute(held_file.delete().where(held_file.c.file_id == file_id))

    def counted(self, workspace_id: str) -> tuple[Counter[str], int]:
        """(how many files by state, bytes of all files)."""
        chosen = (
            sa.select(held_file.c.state, sa.func.count(), sa.func.sum(held_file.c.bytes))
            .where(held_file.c.workspace_id == workspace_id)
            .group_by(held_file.c.state)
        )
        with self.store.transaction() as connection:
            rows = connection.execute(chosen).all()
        return Counter({state: count for state, count, _ in rows}), sum(size or 0 for _, _, size in rows)

    def refuse_unless_idle(self, workspace_id: str) -> None:
        """Raises WorkspaceStateError while a job waits or works on the workspace."""
        if self.unfinished_job(workspace_id) is not None:
            raise WorkspaceStateError("a job works on the workspace; wait for its end, or cancel it")

    def unfinished_job(self, workspace_id: str) -> str | None:
        """The id of the job that waits or runs."""
        chosen = sa.select(job.c.job_id).where(
            job.c.workspace_id == workspace_id, job.c.state.in_(UNFINISHED)
        )
        with self.store.transaction() as connection:
            return connection.execute(chosen).scalar()


def new_id(letter: str) -> str:
    """An id that nobody can guess: 128 random bits."""
    return f"{letter}_{secrets.token_hex(_ID_BYTES)}"


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _workspace(row: Any) -> Workspace:
    return Workspace(
        row.workspace_id, row.actor, row.project, row.intent, bytes(row.sealed_key), row.keep_hours,
        datetime.fromisoformat(row.created_at), datetime.fromisoformat(row.expires_at), row.revision,
        row.state,
    )  # fmt: skip


def _held(row: Any) -> HeldFile:
    return HeldFile(
        row.file_id, row.workspace_id, row.number, bytes(row.sealed_name), row.bytes, row.pieces, row.state,
        row.error, row.remedy, json.loads(row.mentions),
    )  # fmt: skip
