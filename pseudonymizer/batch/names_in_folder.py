"""What in an output folder still holds names, or may, so that it is not handed on unseen. Counts only."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pseudonymizer.batch.work import WORK_FILE
from pseudonymizer.engine.sources import RECORDS_FOLDER

_HEAD_BYTES: Final = 4096  # of a file, enough to tell what wrote it
_MOST_READ: Final = 1_000  # files beside the outputs that are looked into; the rest count as other files


@dataclass(frozen=True, slots=True)
class NamesInFolder:
    """How many files hold names.

    sealed: work files, which only the vault opens. mentions, judgements, links, pages: what `detect`,
    `review`, `link` and `view` write, with names in clear. other: files that no run of the project put there,
    which may hold some. old_paths: how many paths an older version had written in clear, sealed by this run.
    """

    sealed: int = 0
    mentions: int = 0
    judgements: int = 0
    links: int = 0
    pages: int = 0
    other: int = 0
    old_paths: int = 0


def names_in(folder: Path, is_output: Callable[[str], bool], *, old_paths: int = 0) -> NamesInFolder:
    """Of an output folder. is_output: whether a file of this relative path is an output of the project."""
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
    """What a file is by its first bytes, None where no verb of ours wrote it."""
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
