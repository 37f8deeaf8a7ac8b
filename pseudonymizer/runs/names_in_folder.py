"""Counts the files in an output folder that hold names, or may, before the folder is handed on."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pseudonymizer.work_files.folder import RECORDS_FOLDER, WORK_FILE

_HEAD_BYTES: Final = 4096  # bytes of a file that are read to tell which verb wrote it
_MOST_READ: Final = 1_000  # files beside the outputs that are read; any more count as other files


@dataclass(frozen=True, slots=True)
class NamesInFolder:
    """The number of files that hold names, by kind.

    sealed: work files, which only the vault opens. mentions, judgements, links, pages: files of `detect`,
    `review`, `link` and `view`, with names in clear. other: files that no run of the project wrote, which may
    hold names. old_paths: paths that an older version wrote in clear, and this run sealed.
    """

    sealed: int = 0
    mentions: int = 0
    judgements: int = 0
    links: int = 0
    pages: int = 0
    other: int = 0
    old_paths: int = 0


def names_in(folder: Path, is_output: Callable[[str], bool], *, old_paths: int = 0) -> NamesInFolder:
    """The counts for an output folder. is_output: whether a relative path is an output of the project."""
    counts = dict.fromkeys(("mentions", "judgements", "links", "pages", "other"), 0)
    read = 0
    for place in _files(folder):
        if is_output(place.relative_to(folder).as_posix()):
            continue
        kind = _kind(place) if read < _MOST_READ else None
        read += 1
        counts[kind or "other"] += 1
    sealed = int((folder / RECORDS_FOLDER / WORK_FILE).is_file())
    return NamesInFolder(sealed=sealed, **counts, old_paths=old_paths)


def _files(folder: Path) -> Iterator[Path]:
    """All files of a folder but those of its records; links are not followed."""
    for root, folders, names in os.walk(folder):
        if Path(root) == folder:
            folders[:] = [name for name in folders if name != RECORDS_FOLDER]
        yield from (Path(root, name) for name in names)


def _kind(place: Path) -> str | None:
    """The field of NamesInFolder that counts a file, told by its first bytes; None for a file of others."""
    if place.is_symlink() or not place.is_file():
        return None
    try:
        with place.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return None
    if head.startswith(b'{"doc_id": ') and (b'"mentions": [' in head or b'"error": "' in head):
        return "mentions"
    if head.startswith(b'{"left": '):
        if b'"verdict": ' in head:
            return "judgements"
        if b'"match_probability": ' in head:
            return "links"
    return "pages" if b"<title>nymlink view</title>" in head else None
