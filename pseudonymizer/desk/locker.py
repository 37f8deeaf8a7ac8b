"""Sealed files of one workspace: AES-256-GCM in pieces under the key of the workspace.

A piece is bound to its workspace, its file and its number, and the last one is marked: a file that was cut
off, or whose pieces were swapped, does not open. Without the key, which is deleted first, nothing opens.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from pseudonymizer.crypto import NONCE_BYTES, PADDING_STEP, TAG_BYTES, Sealer
from pseudonymizer.desk.workspace_asked import PIECE
from pseudonymizer.errors import DeskStoreError, UploadRefusedError

_HEAD: Final = 6  # bytes before the nonce
_PADDED: Final = -(-(PIECE + 1 + 4) // PADDING_STEP) * PADDING_STEP
SEALED_PIECE: Final = _HEAD + NONCE_BYTES + _PADDED + TAG_BYTES  # bytes of a full piece
_LAST: Final = b"\1"
_MORE: Final = b"\0"


class Sealing(Protocol):
    """What seals the key of a workspace, as VaultApi.work_sealer gives it."""

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes: ...
    def unseal(self, sealed: bytes, *, context: bytes) -> bytes: ...


class Locker:
    """The sealed files of a workspace. Their names are made here; no name of a user is in them."""

    def __init__(self, folder: Path, workspace_id: str, key: bytes) -> None:
        self._folder = folder
        self._id = workspace_id
        self._sealer = Sealer(key, key_id=1)

    def __repr__(self) -> str:
        return f"Locker({self._id})"

    def seal(self, plaintext: bytes, *, what: str) -> bytes:
        """A value for a table. what: where it stands."""
        return self._sealer.seal(plaintext, context=self._context(what))

    def unseal(self, sealed: bytes, *, what: str) -> bytes:
        """Raises UnsealError for another workspace or place, and for altered bytes."""
        return self._sealer.unseal(sealed, context=self._context(what))

    def has(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return self._place(name).is_file()

    def put(self, name: str, content: bytes) -> None:
        """Write a whole file, over an earlier one of the name."""
        self.put_pieces(name, _cut(content))

    def put_pieces(self, name: str, pieces: Iterable[bytes]) -> int:
        """The bytes of a whole file, written over an earlier one of the name. Every piece but the last has
        PIECE bytes.
        """
        part, total = self._place(f"{name}.part"), 0
        waiting: bytes | None = None
        try:
            with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                for number, piece in enumerate(pieces):
                    if waiting is not None:
                        file.write(self._sealed(name, number - 1, waiting, is_last=False))
                    waiting = piece
                    total += len(piece)
                number = max(0, -(-total // PIECE) - 1)
                file.write(self._sealed(name, number, waiting or b"", is_last=True))
            part.replace(self._place(name))
        except OSError as error:
            raise _no_room(error) from None
        finally:
            part.unlink(missing_ok=True)
        return total

    def append(self, name: str, number: int, piece: bytes, *, is_last: bool) -> None:
        """Add a piece to a file that comes bit by bit; a piece that comes again takes the place of the first.

        Raises:
            UploadRefusedError: a piece before it is missing, or it has not the size of a piece.
        """
        if len(piece) > PIECE or (len(piece) < PIECE and not is_last):
            raise UploadRefusedError("a piece of a file has not the size that pieces have")
        place = self._place(name)
        try:
            with os.fdopen(os.open(place, os.O_CREAT | os.O_RDWR, 0o600), "r+b") as file:
                if file.seek(0, os.SEEK_END) < number * SEALED_PIECE:
                    raise UploadRefusedError("a piece of the file before this one has not come")
                file.seek(number * SEALED_PIECE)
                file.write(self._sealed(name, number, piece, is_last=is_last))
                file.truncate()
        except OSError as error:
            raise _no_room(error) from None

    def piece(self, name: str, number: int) -> bytes:
        """A piece of a file.

        Raises:
            DeskStoreError: there is no such file or piece.
            UnsealError: it was altered.
        """
        try:
            with self._place(name).open("rb") as file:
                file.seek(number * SEALED_PIECE)
                sealed = file.read(SEALED_PIECE)
        except OSError:
            raise DeskStoreError("a file of the workspace is not there") from None
        if not sealed:
            raise DeskStoreError("a file of the workspace has no piece of this number")
        return self._opened(name, number, sealed)[1]

    def pieces(self, name: str) -> Iterator[bytes]:
        """All pieces of a file, which is whole. Raises as piece does; UnsealError where it was cut off."""
        number, is_last = 0, False
        try:
            with self._place(name).open("rb") as file:
                while not is_last:
                    is_last, piece = self._opened(name, number, file.read(SEALED_PIECE))
                    yield piece
                    number += 1
        except OSError:
            raise DeskStoreError("a file of the workspace is not there") from None

    def get(self, name: str) -> bytes:
        """A whole file; see pieces."""
        return b"".join(self.pieces(name))

    def mark_of(self, name: str) -> tuple[int, int, int] | None:
        """A value that is another one after each writing of a whole file; None where there is none."""
        try:
            told = self._place(name).stat()
        except OSError:
            return None
        return told.st_ino, told.st_mtime_ns, told.st_size

    def pieces_of(self, name: str) -> int:
        """How many pieces a file has."""
        return -(-self._place(name).stat().st_size // SEALED_PIECE)

    def size_of(self, name: str) -> tuple[int, int]:
        """(pieces, bytes) of a whole file."""
        pieces = self.pieces_of(name)
        return pieces, (pieces - 1) * PIECE + len(self.piece(name, pieces - 1))

    def remove(self, *names: str) -> None:
        """Delete files; one that is not there is no fault."""
        for name in names:
            with suppress(OSError):
                self._place(name).unlink(missing_ok=True)

    def _context(self, what: str) -> bytes:
        return f"desk/{self._id}/{what}".encode()

    def _sealed(self, name: str, number: int, piece: bytes, *, is_last: bool) -> bytes:
        told = (_LAST if is_last else _MORE) + piece
        return self._sealer.seal(told, context=self._context(f"{name}/{number}"))

    def _opened(self, name: str, number: int, sealed: bytes) -> tuple[bool, bytes]:
        told = self._sealer.unseal(sealed, context=self._context(f"{name}/{number}"))
        return told[:1] == _LAST, told[1:]

    def _place(self, name: str) -> Path:
        return self._folder / name


def destroy(folder: Path) -> None:
    """Delete the sealed files of a workspace, whose key is gone by then."""
    shutil.rmtree(folder, ignore_errors=True)


def _cut(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), PIECE):
        yield content[start : start + PIECE]


def _no_room(error: OSError) -> DeskStoreError:
    return DeskStoreError(f"a file of a workspace cannot be written: {os.strerror(error.errno or 0)}")
