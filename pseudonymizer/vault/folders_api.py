"""What a VaultApi has for output folders of runs; a part of pseudonymizer.vault.api."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from linkage.records import EntityId
from pseudonymizer.records import OutputFolder
from pseudonymizer.work_files.sealing import FolderKeys


class FoldersApi(Protocol):
    """Keys of output folders, each for one work file."""

    def folder_keys(self, project: str, folder_id: bytes, place: Path, *, is_new: bool) -> FolderKeys:
        """The keys of the work file in a folder, by the id that the file has; they are made for a new one.
        Commits.

        place: where the folder is now. is_new: nothing was sealed under a key of its own yet. Raises
        WorkFileError where the project has no key for it: it was given up, or is of another project.
        """
        ...

    def settle_folder(
        self, project: str, folder_id: bytes, version: int, forgotten: Collection[EntityId]
    ) -> None:
        """Destroy the keys of a folder before this version, since its work file is sealed under the newest,
        and note who was forgotten in it. Commits.
        """
        ...

    def output_folders(self, project: str) -> tuple[OutputFolder, ...]:
        """The folders that runs of the project wrote into, and that were not given up."""
        ...

    def give_up_folders(self, *, project: str, folders: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Destroy the keys of folders, given by their ids: nothing opens their work files again. Returns how
        many there were. Commits.
        """
        ...
