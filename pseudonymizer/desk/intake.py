"""The files of a workspace as they come: paths, sizes and first bytes are checked before anything is read."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from linkage.errors import UnsupportedInputError
from pseudonymizer.errors import UploadRefusedError
from pseudonymizer.formats.every_format import BY_SUFFIX
from pseudonymizer.relative_paths import path_fault
from pseudonymizer.work_files.folder import RECORDS_FOLDER

_LONGEST_NAME: Final = 255  # bytes, as file systems have it
_MOST_FOLDERS: Final = 32
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def checked_path(name: str) -> str:
    """The path of a file, in NFC, with / between folders.

    Raises:
        UploadRefusedError: it could lead elsewhere, is too long, or has characters that nobody sees.
    """
    path = unicodedata.normalize("NFC", name.replace("\\", "/"))
    names = path.split("/")
    if path_fault(path) is not None or _UNSEEN.search(path):
        raise UploadRefusedError(
            "the path of a file must be relative, without '..' and without control characters"
        )
    if len(names) > _MOST_FOLDERS or max(len(one.encode()) for one in names) > _LONGEST_NAME:
        raise UploadRefusedError(
            f"the path of a file has at most {_MOST_FOLDERS} folders, and names of at most {_LONGEST_NAME} "
            "bytes"
        )
    if any(one.casefold() == RECORDS_FOLDER for one in names):
        raise UploadRefusedError("a folder of the path has the name in which runs keep their records")
    return path


class TakenPaths:
    """The paths of a workspace, and those of folders above them, in small letters."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()
        for path in paths:
            self._note(path.casefold())

    def take(self, path: str) -> str:
        """The path, which is taken from now on.

        Raises:
            UploadRefusedError: a file of this path, in whatever case, is there, or a file where the path has
                a folder, or the other way round: they could not lie beside each other everywhere.
        """
        own = path.casefold()
        if own in self._files or own in self._folders or not self._files.isdisjoint(_above(own)):
            raise UploadRefusedError("the workspace has a file at this path, or where it has a folder")
        self._note(own)
        return path

    def _note(self, own: str) -> None:
        self._files.add(own)
        self._folders.update(_above(own))


def _above(path: str) -> Iterator[str]:
    """The folders above a path."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def check_head(head: bytes, name: str) -> None:
    """Nothing, for a file whose first bytes may be what its suffix says. Nothing is unpacked here.

    Raises:
        UnsupportedInputError: they are not.
    """
    claimed = BY_SUFFIX.get(name.rpartition(".")[2].lower()) if "." in name else None
    if claimed is not None and claimed.is_signed and not claimed.begins(head):
        raise UnsupportedInputError(f"the file is named as {claimed.name} but its content is not")
