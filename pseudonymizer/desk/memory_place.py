"""Where runs of a service work: a folder in memory, so that no text lies in plain on a disk.

A system may move pages of memory to its swap space; docs/how-to/deploy.md says how to keep it from that.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from pseudonymizer.errors import UnsealedWorkError

_IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})
_MOUNTS: Final = Path("/proc/self/mounts")
_ESCAPE: Final = "\\040"


def mounts() -> list[tuple[str, str]]:
    """(mount point, type of file system) of all mounts; none where the system does not tell them so."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    told = (line.split(" ") for line in lines)
    return [(words[1].replace(_ESCAPE, " "), words[2]) for words in told if len(words) > 2]


def is_in_memory(folder: Path, told: Iterable[tuple[str, str]]) -> bool:
    """Whether a folder lies on a file system in memory. told: see mounts."""
    real, best, kind = folder.resolve(), -1, ""
    for point, found in told:
        if real.is_relative_to(point) and len(point) >= best:  # a later mount covers an earlier one
            best, kind = len(point), found
    return kind in _IN_MEMORY


def _usual() -> Iterator[Path]:
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        yield Path(given)
    yield Path("/run/nymlink")
    yield Path("/dev/shm")  # noqa: S108  a folder of our own is made in it, for this user alone


def work_place(
    wanted: Path | None, *, unsealed: bool, told: Callable[[], list[tuple[str, str]]] = mounts
) -> Path:
    """The folder below which runs get theirs. wanted: as the user names it; None: the first that is in memory
    of $XDG_RUNTIME_DIR, /run/nymlink and /dev/shm. unsealed: it may lie on a disk.

    Raises:
        UnsealedWorkError: there is none in memory, and it may not lie on a disk.
    """
    found = told()
    for place in [wanted] if wanted is not None else _usual():
        if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
            continue
        if unsealed or is_in_memory(place, found):
            return place
    if unsealed and wanted is None:
        import tempfile

        return Path(tempfile.gettempdir())
    raise UnsealedWorkError(
        "there is no folder in memory (tmpfs) in which runs could work; name one with --work-folder, or let "
        "them work on disk with --unsealed-work"
    )


def private_work_folder(place: Path, name: str) -> Path:
    """A folder below a place that this user alone may enter; made where it is not there.

    Raises:
        UnsealedWorkError: something else lies there, or it belongs to somebody else.
    """
    folder = place / f"nymlink-{os.getuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise UnsealedWorkError("the work folder of the service belongs to somebody else; name another one")
    return folder


def empty(folder: Path, *, keep: Iterable[str] = ()) -> None:
    """Delete what lies in a folder but what is to be kept."""
    kept = frozenset(keep)
    for one in list(folder.iterdir()) if folder.is_dir() else ():
        if one.name not in kept:
            shutil.rmtree(one, ignore_errors=True)
