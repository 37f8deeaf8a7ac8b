"""A desk with workspaces, a real vault and a pipeline without models, whose jobs a test does by itself."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from pseudonymizer.desk.desks import Desks
from pseudonymizer.desk.engine import Engine, EngineSettings, KeptWorkspaces
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.job_runner import JobRunner, RunPlace
from pseudonymizer.desk.jobs import JobBell
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.opened import Opened
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_asked import AddFiles, ListFiles, MakeWorkspace, NewFile, StorePiece
from pseudonymizer.desk.workspaces import HeldFile, WorkspaceStore
from pseudonymizer.engine.records import Pipeline
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake

PROJECT: Final = "study"
ANNA: Final = Caller("web:anna", PROJECT)


class JobWorld:
    """work: the folder below which jobs get theirs, on a disk."""

    def __init__(
        self, folder: Path, bell: JobBell | None = None, load: Callable[[], Pipeline] = load_fake
    ) -> None:
        self.folder, self.work = folder, folder / "work"
        self.work.mkdir()
        kept = folder / "workspaces"
        kept.mkdir()
        with self.vault("tester") as made:
            made.commit()
        self.store = WorkspaceStore(DeskStore.open(kept / "workspaces.db"), kept)
        self.texts = TextDesk(ServiceSettings(), Models(load), [PROJECT])
        self.place = RunPlace(self.work, unsealed=True)
        self._engine = Engine(
            EngineSettings(
                self.texts, self.vault, (PROJECT,), "nl", lambda: None,
                KeptWorkspaces(self.store, self.place, bell or JobBell()),
            )
        )  # fmt: skip

    def vault(self, actor: str) -> Vault:
        url, key = f"sqlite:///{self.folder}/vault.db", FileKey(self.folder / "kek.key")
        if not (self.folder / "vault.db").exists():
            return Vault.create(url, key, actor=actor)
        return Vault.open(url, key, actor=actor)

    @property
    def desks(self) -> Desks:
        return self._engine.desks

    def runner(self) -> JobRunner:
        """What does the jobs of this desk; it closes the vaults at its end."""
        return self._engine.job_runner()

    def close(self) -> None:
        self._engine.close()

    def filled(self, files: Mapping[str, bytes], caller: Caller = ANNA) -> str:
        """The id of a new workspace with these files."""
        made = self.desks.workspaces.make(caller, MakeWorkspace()).workspace
        self.add(made, files, caller)
        return made

    def add(self, workspace: str, files: Mapping[str, bytes], caller: Caller = ANNA) -> None:
        told = tuple(NewFile(name, len(raw)) for name, raw in files.items())
        named = self.desks.workspaces.add_files(caller, AddFiles(workspace=workspace, files=told))
        for one in named.files:
            piece = StorePiece(workspace=workspace, file=one.file, number=0, content=files[one.name])
            self.desks.workspaces.store_piece(caller, piece)

    def opened(self, workspace: str, caller: Caller = ANNA) -> Opened:
        return self.desks.workspaces.opened(caller, workspace)

    def files(self, workspace: str) -> dict[str, HeldFile]:
        """The files of a workspace by their paths."""
        shown = self.desks.workspaces.files(ANNA, ListFiles(workspace=workspace))
        return {one.name: self.store.file(workspace, one.file) for one in shown.files}
