"""The verbs of the vault service for output folders of runs; as pseudonymizer.vault.remote.messages."""

from datetime import date
from typing import Final, Self

from linkage.records import EntityId
from pseudonymizer.records import OutputFolder
from pseudonymizer.vault.remote.messages import (
    ForPurpose,
    Message,
    Nothing,
    OfProject,
    WireVerb,
    path_bytes,
    path_text,
)
from pseudonymizer.work_files.sealing import FolderKeys


class OfFolder(OfProject, frozen=True, kw_only=True):
    """place: bytes, for the name of a folder need not be Unicode."""

    folder_id: bytes
    place: bytes
    is_new: bool


class SettleFolder(OfProject, frozen=True, kw_only=True):
    folder_id: bytes
    version: int
    forgotten: tuple[EntityId, ...]


class GiveUpFolders(ForPurpose, frozen=True, kw_only=True):
    folders: tuple[str, ...]


class SentFolder(Message, frozen=True, kw_only=True):
    """An OutputFolder on its way."""

    folder_id: str
    place: bytes
    actor: str
    used_on: date
    erased: int

    @classmethod
    def of(cls, folder: OutputFolder) -> Self:
        return cls(
            folder_id=folder.folder_id, place=path_bytes(folder.place), actor=folder.actor,
            used_on=folder.used_on, erased=folder.erased,
        )  # fmt: skip

    def folder(self) -> OutputFolder:
        """Raises ServiceError for a path that is not what `of` makes."""
        return OutputFolder(self.folder_id, path_text(self.place), self.actor, self.used_on, self.erased)


FOLDER_KEYS: Final = WireVerb("folder_keys", OfFolder, FolderKeys)
SETTLE_FOLDER: Final = WireVerb("settle_folder", SettleFolder, Nothing)
OUTPUT_FOLDERS: Final = WireVerb("output_folders", OfProject, tuple[SentFolder, ...])
GIVE_UP_FOLDERS: Final = WireVerb("give_up_folders", GiveUpFolders, int)
