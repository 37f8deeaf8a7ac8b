"""Output folders of runs through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Collection, Sequence
from pathlib import Path

from linkage.records import EntityId
from pseudonymizer.records import OutputFolder
from pseudonymizer.vault.remote import folder_messages as m
from pseudonymizer.vault.remote.connection import VaultConnection
from pseudonymizer.vault.remote.messages import OfProject, path_bytes
from pseudonymizer.work_files.sealing import FolderKeys


class FoldersClient(VaultConnection):
    """A vault service as a FoldersApi. It gives the keys of a folder to the actor who ran into it first."""

    def folder_keys(self, project: str, folder_id: bytes, place: Path, *, is_new: bool) -> FolderKeys:
        asked = m.OfFolder(project=project, folder_id=folder_id, place=path_bytes(str(place)), is_new=is_new)
        return self.ask(m.FOLDER_KEYS, asked)

    def settle_folder(
        self, project: str, folder_id: bytes, version: int, forgotten: Collection[EntityId]
    ) -> None:
        asked = m.SettleFolder(
            project=project, folder_id=folder_id, version=version, forgotten=tuple(sorted(forgotten))
        )
        self.ask(m.SETTLE_FOLDER, asked)

    def output_folders(self, project: str) -> tuple[OutputFolder, ...]:
        return tuple(sent.folder() for sent in self.ask(m.OUTPUT_FOLDERS, OfProject(project=project)))

    def give_up_folders(self, *, project: str, folders: Sequence[str], purpose: str, ticket: str = "") -> int:
        asked = m.GiveUpFolders(project=project, folders=tuple(folders), purpose=purpose, ticket=ticket)
        return self.ask(m.GIVE_UP_FOLDERS, asked)
