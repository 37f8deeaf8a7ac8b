"""A desk on a real vault and a pipeline without models: workspaces whose files are there, or analysed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pseudonymizer.desk.correction_desk import CorrectionDesk
from pseudonymizer.desk.desks import Desks
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.held_state import HeldState, HeldStates
from pseudonymizer.desk.job_desk import JobDesk
from pseudonymizer.desk.job_work import JobWork
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_asked import AddFiles, MakeWorkspace, NewFile, StartWriting, StorePiece
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.desk.workspaces import WorkspaceStore
from pseudonymizer.engine.progress import Silent
from pseudonymizer.errors import UnknownProjectError, UnsealedWorkError
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from pseudonymizer.vault.api import VaultApi
from tests.pseudonymizer.batch_fakes import load_fake

PROJECT: Final = "study"
ANNA: Final = Caller("web:anna", PROJECT)
BO: Final = Caller("web:bo", PROJECT)
ELSEWHERE: Final = Caller("web:anna", "other")  # the same account with a token of another project
FILES: Final = {
    "a.txt": "Jan Tolsma belde Els Mol. Later zweeg Jan Tolsma op 06-12345678.",
    "b.txt": "Els Mol kwam met wiersma en douma.",
}


class FilledDesk:
    """What callers may ask of workspaces. rung: how often whoever does jobs was woken. has_place: jobs have a
    place in memory.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.rung, self.has_place = folder, 0, True
        with Vault.create(self._url, self._key) as made:
            made.commit()
        self._vaults: dict[str, Vault] = {}
        self.texts = TextDesk(ServiceSettings(), Models(load_fake), [PROJECT])
        (folder / "workspaces").mkdir()
        self.store = WorkspaceStore(DeskStore.open(folder / "workspaces.db"), folder / "workspaces")
        states = HeldStates(self.store, self.texts.kinds)
        self.workspaces = WorkspaceDesk(self.store, self._of_project, self.texts.make, states)
        self.jobs = JobDesk(self.workspaces, self.texts, self._ring, self._check_place)
        self.corrections = CorrectionDesk(self.workspaces)
        self.desks = Desks(self.workspaces, self.jobs, self.corrections)

    @property
    def _url(self) -> str:
        return f"sqlite:///{self.folder}/vault.db"

    @property
    def _key(self) -> FileKey:
        return FileKey(self.folder / "kek.key")

    def vault(self, actor: str) -> Vault:
        """The vault in the name of an account."""
        if actor not in self._vaults:
            self._vaults[actor] = Vault.open(self._url, self._key, actor=actor)
        return self._vaults[actor]

    def close(self) -> None:
        """Close what was opened."""
        for vault in self._vaults.values():
            vault.close()

    def _of_project(self, caller: Caller, project: str | None) -> tuple[VaultApi, str]:
        if project is not None and caller.project not in (None, project):
            raise UnknownProjectError("the project is not the caller's")
        return self.vault(caller.actor), project or caller.project or PROJECT

    def _ring(self) -> None:
        self.rung += 1

    def _check_place(self) -> None:
        if not self.has_place:
            raise UnsealedWorkError("there is no place in memory")

    # -- workspaces ------------------------------------------------------------------------------------------

    def made(self, caller: Caller = ANNA) -> str:
        """The id of a new workspace without files."""
        return self.workspaces.make(caller, MakeWorkspace()).workspace

    def received(self, files: Mapping[str, str] = FILES) -> tuple[str, dict[str, str]]:
        """(the id of a workspace of Anna, the ids of its files by name); all bytes are there."""
        workspace = self.made()
        named = tuple(NewFile(name, len(text.encode())) for name, text in files.items())
        shown = self.workspaces.add_files(ANNA, AddFiles(workspace=workspace, files=named)).files
        for one in shown:
            content = files[one.name].encode()
            self.workspaces.store_piece(
                ANNA, StorePiece(workspace=workspace, file=one.file, number=0, content=content)
            )
        return workspace, {one.name: one.file for one in shown}

    def work(self, workspace: str) -> JobWork:
        """What a job of the workspace does."""
        opened = self.workspaces.opened(ANNA, workspace)
        place = self.folder / "memory" / workspace
        return JobWork(opened, self.store, self.workspaces.held_states, self.texts, place, Silent())

    def analysed(self, files: Mapping[str, str] = FILES) -> tuple[str, dict[str, str]]:
        """See received; the files are analysed."""
        workspace, ids = self.received(files)
        assert self.work(workspace).analyse() == 0
        return workspace, ids

    def written(self, files: Mapping[str, str] = FILES) -> tuple[str, dict[str, str]]:
        """See received; the files are analysed and written."""
        workspace, ids = self.analysed(files)
        assert self.work(workspace).write(StartWriting(workspace=workspace)) == 0
        return workspace, ids

    def state(self, workspace: str) -> HeldState:
        """What the workspace holds now."""
        opened = self.workspaces.opened(ANNA, workspace)
        return self.workspaces.held_states.of(opened.held, opened.locker)
