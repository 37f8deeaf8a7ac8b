"""Checks that a stored path stays below the folder to which it is joined, on any system.

The vault checks a path before it stores it, and the output folder before it uses it: a stored path may be
older than this check, or come from another user than the one who restores.
"""

import os
import re
from pathlib import Path
from typing import Final

from pseudonymizer.errors import OutsideFolderError

# No file system in use takes a longer name: ext4 and XFS 255 bytes, NTFS and APFS 255 UTF-16 units, and a
# code point is never shorter than either.
LONGEST_NAME: Final = 255  # code points
LONGEST_PATH: Final = 4096  # code points; PATH_MAX of Linux, in bytes
_SEPARATORS: Final = re.compile(r"[/\\]")
# "C:name" leads to another folder on Windows alone; elsewhere "A: antwoord.txt" is the name of a file.
_DRIVE: Final = re.compile(r"[A-Za-z]:" if os.name == "nt" else r"[A-Za-z]:(?=[/\\]|\Z)")


def path_fault(path: str) -> str | None:
    """The fault of a POSIX path that must stay below a folder, as a clause such as "is absolute"; None for a
    path that is relative, in normal form, and stays there.
    """
    if not path or path == ".":
        return "is empty"
    if "\0" in path:
        return "holds a NUL character"
    if path[0] in "/\\":
        return "is absolute"
    if _DRIVE.match(path):
        return "begins with a drive"
    if any(name.strip(" ") == ".." for name in _SEPARATORS.split(path)):
        return "leads out of the folder by '..'"
    names = path.split("/")
    if any(name in {"", "."} for name in names):
        return "is not in its normal form"
    if len(path) > LONGEST_PATH or max(map(len, names)) > LONGEST_NAME:
        return f"is too long (names have at most {LONGEST_NAME} characters, a path {LONGEST_PATH:,})"
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return "holds characters that no file name has"
    return None


def checked_relative_path(path: str, *, owner: str) -> str:
    """path, unchanged. owner: the thing that has the path, in words without names.

    Raises:
        OutsideFolderError: joined to a folder, the path could lead out of it.
    """
    if (fault := path_fault(path)) is not None:
        raise OutsideFolderError(f"the path of {owner} {fault}; it must be relative and stay in its folder")
    return path


def real_folder(folder: Path, *, below: Path) -> Path:
    """The real path of folder, which need not exist. below: a path without links.

    Raises:
        OutsideFolderError: a link leads out of below.
    """
    try:
        real = folder.resolve()
    except RuntimeError:
        raise OutsideFolderError("a link in the output folder leads round in circles") from None
    if not real.is_relative_to(below):
        raise OutsideFolderError(
            "a link in the output folder leads out of it; nothing is written through it: take the link away, "
            "or choose another --out"
        )
    return real
