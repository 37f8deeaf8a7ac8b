"""Bytes of SQLite files, read past SQLite while connections of this process may have the files open.

POSIX drops all locks of a process on a file when the process closes any handle of that file. A connection
whose locks went that way is overlooked: another process that closes its own connection takes that for the
last one, and deletes the log from which this process still reads. A handle is therefore kept, one for each
file, until no connection of this process is left.
"""

import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FileId = tuple[int, int]  # device and number of a file
_PIECE: Final = 1 << 20  # bytes read at once when a file is searched

_lock: Final = threading.RLock()
_connections: Final[Counter[FileId]] = Counter()
_kept: Final[dict[FileId | None, list[int]]] = {}  # handles that wait for the last connection


@contextmanager
def connecting(path: Path | None) -> Iterator[FileId | None]:
    """What `disconnected` takes, while a connection to the file is being opened, which counts unless that
    fails. path: None where the store is no file.
    """
    file = None if path is None else _file_of(path)
    if file is not None:
        with _lock:
            _connections[file] += 1
    try:
        yield file
    except BaseException:
        disconnected(file)
        raise


def disconnected(file: FileId | None) -> None:
    """Count a connection less, after it was closed."""
    if file is None:
        return
    with _lock:
        _connections[file] -= 1
        if _connections[file] <= 0:
            del _connections[file]
            for handle in _kept.pop(file, ()):
                os.close(handle)


@contextmanager
def connection_open(path: Path | None) -> Iterator[None]:
    """While a connection to the file is open that nobody else counts. path: as in `connecting`."""
    with connecting(path) as file:
        yield
    disconnected(file)


def make_file(path: Path) -> None:
    """Make an empty file of mode 0600 before SQLite opens it; -wal and -shm take its mode over."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchmod(handle, 0o600)
    os.close(handle)


def head_of(path: Path, size: int) -> bytes:
    """The first bytes of a file, at most size of them.

    Raises:
        OSError: it cannot be read.
    """
    with _handle(path) as handle:
        return _read(handle, 0, size)


def holds_any(path: Path, needles: Sequence[bytes]) -> bool:
    """Whether one of the needles stands in the file, which is read in pieces.

    Raises:
        OSError: it cannot be read.
    """
    overlap = max(map(len, needles), default=0)
    with _handle(path) as handle:
        at, end = 0, b""
        while piece := _read(handle, at, _PIECE):
            at += len(piece)
            searched = end + piece
            if any(needle in searched for needle in needles):
                return True
            end = searched[max(0, len(searched) - overlap) :]
    return False


def _read(handle: int, at: int, size: int) -> bytes:
    os.lseek(handle, at, os.SEEK_SET)
    return os.read(handle, size)


def _file_of(path: Path) -> FileId | None:
    try:
        status = path.stat()
    except OSError:  # there is no such file yet
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _handle(path: Path) -> Iterator[int]:
    """A handle for reading, which nobody else may close. Others wait meanwhile."""
    with _lock:
        if kept := _kept.get(_file_of(path)):
            yield kept[0]
            return
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        status = os.fstat(handle)  # another file may have taken the place
        file = status.st_dev, status.st_ino
        try:
            yield handle
        finally:
            if _connections[file]:
                _kept.setdefault(file, []).append(handle)
            else:
                os.close(handle)
