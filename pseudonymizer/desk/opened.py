"""An opened workspace, and the names of what is sealed in it."""

from dataclasses import dataclass
from typing import Final

from pseudonymizer.desk.held_state import FOUND
from pseudonymizer.desk.locker import Locker
from pseudonymizer.desk.workspaces import HeldFile, Workspace
from pseudonymizer.vault.api import VaultApi

RESULTS: Final = "results"  # the table of outputs: by id of the file its path, in which names are labels
REPORT: Final = "report"
ARCHIVE: Final = "archive"
ARCHIVE_NAME: Final = "result.zip"


@dataclass(frozen=True, slots=True)
class Opened:
    """A workspace of the caller, with his vault and its sealed files."""

    held: Workspace
    vault: VaultApi
    locker: Locker

    def name_of(self, file: HeldFile) -> str:
        """The path of a file as it was sent."""
        return self.locker.unseal(file.sealed_name, what=name_place(file.file_id)).decode()


def name_place(file_id: str) -> str:
    """Where the sealed name of a file stands."""
    return f"name/{file_id}"


def content_of(file_id: str) -> str:
    """The name of the sealed bytes of a file."""
    return f"{file_id}.content"


def found_of(file_id: str) -> str:
    """The name of what was found in a file: its texts and mentions."""
    return f"{file_id}.{FOUND}"


def result_of(file_id: str) -> str:
    """The name of the sealed output of a file."""
    return f"{file_id}.result"


def names_of(file_id: str) -> tuple[str, ...]:
    """The names of all that is sealed of a file."""
    return content_of(file_id), found_of(file_id), result_of(file_id)
