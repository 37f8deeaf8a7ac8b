"""What a caller may do with workspaces and their files. Bytes lie sealed under a key of the workspace, which
is sealed under the project's key of the vault: deleting it is deleting them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from linkage.errors import UnsupportedInputError
from pseudonymizer.crypto import new_key
from pseudonymizer.desk import workspaces as states
from pseudonymizer.desk.erasures import ELSEWHERE, Erasures
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.held_state import FOUND, HeldStates, folded
from pseudonymizer.desk.intake import TakenPaths, check_head, checked_path
from pseudonymizer.desk.locker import Locker
from pseudonymizer.desk.opened import ARCHIVE, Opened, content_of, name_place, names_of
from pseudonymizer.desk.workspace_answered import (
    Done,
    FileShown,
    FilesShown,
    WorkspaceShown,
    WorkspacesShown,
)
from pseudonymizer.desk.workspace_asked import (
    PIECE,
    AddFiles,
    ListFiles,
    MakeWorkspace,
    OfFile,
    OfWorkspace,
    StorePiece,
    Workspaces,
)
from pseudonymizer.desk.workspaces import HeldFile, Workspace, WorkspaceStore
from pseudonymizer.engine.remedies import remedy_of
from pseudonymizer.errors import UnknownWorkspaceError, UploadRefusedError
from pseudonymizer.vault.api import VaultApi

OfProjectNamed = Callable[[Caller, str | None], tuple[VaultApi, str]]


@dataclass(frozen=True, slots=True)
class WorkspaceDesk:
    """of_project: the vault in the caller's name, and the project that is meant; it raises where the project
    is not his. ensure: makes the project where the vault has none of the name.
    held_states: what was found in workspaces.
    """

    store: WorkspaceStore
    of_project: OfProjectNamed
    ensure: Callable[[VaultApi, str], None]
    held_states: HeldStates
    erasures: Erasures = field(init=False)

    def __post_init__(self) -> None:
        def vault_of(caller: Caller, project: str) -> VaultApi:
            return self.of_project(caller, project)[0]

        object.__setattr__(self, "erasures", Erasures(self.store, vault_of, self._locker))

    def opened(self, caller: Caller, workspace_id: str) -> Opened:
        """A workspace of the caller.

        Raises:
            UnknownWorkspaceError: there is none of this id, or it is not his.
            AccessRefusedError: he has no role for it by now.
            VaultError: its key cannot be opened.
        """
        held = self.store.of(caller, workspace_id)
        vault, _ = self.of_project(caller, held.project)
        if not self.erasures.is_clean(vault, held):
            raise UnknownWorkspaceError("there is no workspace of this id, or it is not yours")
        return Opened(held, vault, self._locker(vault, held))

    def _locker(self, vault: VaultApi, held: Workspace) -> Locker:
        with vault.lock:
            try:
                key = vault.work_sealer(held.project).unseal(
                    held.sealed_key, context=_context(held.workspace_id)
                )
            finally:
                vault.rollback()
        return Locker(self.store.place_of(held.workspace_id), held.workspace_id, key)

    # -- workspaces ------------------------------------------------------------------------------------------

    def make(self, caller: Caller, asked: MakeWorkspace) -> WorkspaceShown:
        """A new workspace, which has no file.

        Raises:
            UnknownProjectError: the project is not the caller's, or the service makes none of its name.
            WorkspaceFullError: the account has as many workspaces as it may have.
            AccessRefusedError: the caller has no role for it.
        """
        vault, project = self.of_project(caller, asked.project)
        with vault.lock:
            try:
                self.ensure(vault, project)
                sealer = vault.work_sealer(project)
                vault.commit()
            finally:
                vault.rollback()
        made = self.store.make(
            caller, project, intent=asked.intent, keep_hours=asked.keep_hours,
            seal=lambda workspace_id: sealer.seal(new_key(), context=_context(workspace_id)),
        )  # fmt: skip
        self.erasures.note(vault, made)
        return self._shown(made)

    def all(self, caller: Caller, asked: Workspaces) -> WorkspacesShown:
        """The caller's workspaces, the last made first."""
        del asked
        return WorkspacesShown(tuple(map(self._shown, self.store.all_of(caller))))

    def show(self, caller: Caller, asked: OfWorkspace) -> WorkspaceShown:
        """A workspace. Raises UnknownWorkspaceError."""
        self.store.of(caller, asked.workspace)  # makes it live longer
        return self._shown(self.store.of(caller, asked.workspace))

    def delete(self, caller: Caller, asked: OfWorkspace) -> Done:
        """The key is destroyed, then all else. Raises UnknownWorkspaceError."""
        self.store.destroy(self.store.of(caller, asked.workspace).workspace_id)
        return Done()

    def _shown(self, held: Workspace) -> WorkspaceShown:
        counts, size = self.store.counted(held.workspace_id)
        state = held.state
        if state == states.NEW:
            state = "empty" if not counts else "uploading" if counts[states.WAITING] else states.RECEIVED
        return WorkspaceShown(
            held.workspace_id, held.project, held.intent, state, held.revision, held.keep_hours,
            held.created_at.isoformat(), held.expires_at.isoformat(), dict(sorted(counts.items())), size,
            self.store.unfinished_job(held.workspace_id),
            (self.store.place_of(held.workspace_id) / FOUND).exists(),
        )  # fmt: skip

    # -- files -----------------------------------------------------------------------------------------------

    def add_files(self, caller: Caller, asked: AddFiles) -> FilesShown:
        """Files that wait for their bytes.

        Raises:
            UnknownWorkspaceError: see opened.
            UploadRefusedError: a path cannot be, or is there.
            WorkspaceFullError: a bound is reached.
            WorkspaceStateError: a job works on the workspace.
        """
        opened = self.opened(caller, asked.workspace)
        held, locker = opened.held, opened.locker
        self.store.refuse_unless_idle(held.workspace_id)
        taken = TakenPaths(opened.name_of(one) for one in self.store.files(held.workspace_id))
        paths = []
        for number, given in enumerate(asked.files):
            try:
                paths.append(taken.take(checked_path(given.name)))
            except UploadRefusedError as error:
                error.field = f"files[{number}].name"
                raise
        made = self.store.add_files(
            held, [one.bytes for one in asked.files],
            lambda number, key: locker.seal(paths[number].encode(), what=name_place(key)),
        )  # fmt: skip
        self.store.set_state(held.workspace_id, states.NEW)
        locker.remove(ELSEWHERE)
        return FilesShown(tuple(map(_file_shown, made, paths)))

    def files(self, caller: Caller, asked: ListFiles) -> FilesShown:
        """Files in their order. Raises UnknownWorkspaceError."""
        opened = self.opened(caller, asked.workspace)
        found = self.store.files(opened.held.workspace_id, after=asked.after, limit=asked.limit + 1)
        shown = tuple(_file_shown(one, opened.name_of(one)) for one in found[: asked.limit])
        return FilesShown(shown, shown[-1].number if len(found) > asked.limit else None)

    def file(self, caller: Caller, asked: OfFile) -> FileShown:
        """A file. Raises UnknownWorkspaceError."""
        opened = self.opened(caller, asked.workspace)
        found = self.store.file(opened.held.workspace_id, asked.file)
        return _file_shown(found, opened.name_of(found))

    def store_piece(self, caller: Caller, asked: StorePiece) -> FileShown:
        """The file with a piece more; with the last one it is received. A piece that comes again is taken.

        Raises:
            UnknownWorkspaceError: see opened.
            UploadRefusedError: it is not the next piece, has another size, or the file is whole.
            UnsupportedInputError: the first bytes are not what the suffix says; the file is refused for good.
        """
        opened = self.opened(caller, asked.workspace)
        file = self.store.file(opened.held.workspace_id, asked.file)
        pieces = max(1, -(-file.bytes // PIECE))
        if file.state != states.WAITING or asked.number > min(file.pieces, pieces - 1):
            raise UploadRefusedError("the file is whole, or this is not its next piece")
        is_last = asked.number == pieces - 1
        if len(asked.content) != (file.bytes - asked.number * PIECE if is_last else PIECE):
            raise UploadRefusedError("the file has not as many bytes as was told when it was named")
        name = opened.name_of(file)
        if asked.number == 0:
            try:
                check_head(asked.content, name)
            except UnsupportedInputError as error:
                self.store.set_file(
                    file.file_id, state=states.REFUSED, error=type(error).__name__,
                    remedy=remedy_of(type(error).__name__, str(error)),
                )  # fmt: skip
                raise
        opened.locker.append(content_of(file.file_id), asked.number, asked.content, is_last=is_last)
        self.store.set_file(
            file.file_id, pieces=asked.number + 1, state=states.RECEIVED if is_last else states.WAITING
        )
        return _file_shown(self.store.file(opened.held.workspace_id, file.file_id), name)

    def delete_file(self, caller: Caller, asked: OfFile) -> Done:
        """The file is gone, and what was found in it.

        Raises:
            UnknownWorkspaceError: see opened.
            WorkspaceStateError: a job works on the workspace.
        """
        opened = self.opened(caller, asked.workspace)
        self.store.refuse_unless_idle(opened.held.workspace_id)
        if opened.locker.has(FOUND):
            self.store.file(opened.held.workspace_id, asked.file)
            kept = folded(self.held_states.of(opened.held, opened.locker), without=asked.file)
            self.held_states.begin_anew(opened.held, opened.locker, kept)
        self.store.remove_file(opened.held, asked.file)
        opened.locker.remove(*names_of(asked.file), ARCHIVE)
        return Done()


def _context(workspace_id: str) -> bytes:
    return f"desk/workspace/{workspace_id}".encode()


def _file_shown(file: HeldFile, name: str) -> FileShown:
    return FileShown(
        file.file_id, file.number, name, file.bytes, file.state, file.error, file.remedy, file.mentions
    )
