"""The verbs of an open vault for output folders of runs; a part of pseudonymizer.vault.vault."""

from collections.abc import Collection, Sequence
from pathlib import Path

from linkage.records import EntityId
from pseudonymizer.records import OutputFolder
from pseudonymizer.vault import folders as output_folders
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.work_files.sealing import FolderKeys


class FoldersVault(OpenVault):
    """An open vault as a FoldersApi."""

    def folder_keys(self, project: str, folder_id: bytes, place: Path, *, is_new: bool) -> FolderKeys:
        """The keys of the work file in a folder, by the id that the file has; they are made for a new one."""
        asked = output_folders.AskedFolder(folder_id, place, is_new)
        return output_folders.folder_keys(self, project, asked)

    def settle_folder(
        self, project: str, folder_id: bytes, version: int, forgotten: Collection[EntityId]
    ) -> None:
        """Destroy the keys of a folder before this version, and note who was forgotten in it."""
        output_folders.settle_folder(self, project, folder_id, version, forgotten)

    def output_folders(self, project: str) -> tuple[OutputFolder, ...]:
        """The folders that runs of the project wrote into, and that were not given up."""
        return output_folders.output_folders(self, project)

    def give_up_folders(self, *, project: str, folders: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Destroy the keys of folders, given by their ids; returns how many there were."""
        return output_folders.give_up_folders(
            self, project=project, folders=folders, purpose=purpose, ticket=ticket
        )
