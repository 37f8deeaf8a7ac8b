"""Files on their way, a piece in memory at a time: read while they are sent, and under another name until
they are whole.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from nymlink_client.errors import WrongRequestError

PIECE: Final = 1 << 20  # bytes in memory at once; the service seals pieces of this size
Content = bytes | Path


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is sent as a file. size: in bytes, as the service was told; of a path nothing is read yet."""

    content: Content = field(repr=False)
    size: int

    @classmethod
    def of(cls, content: Content) -> Self:
        """The file, with its size as it is now.

        Raises:
            WrongRequestError: it is neither bytes nor a path.
            OSError: there is no such file.
        """
        if isinstance(content, Path):
            return cls(content, content.stat().st_size)
        if isinstance(content, bytes):
            return cls(content, len(content))
        raise WrongRequestError(detail="a file is given as bytes, or as a path")

    def pieces(self) -> Iterator[bytes]:
        """The bytes, of which no more than PIECE are in memory at once.

        Raises:
            WrongRequestError: the file became longer or shorter.
            OSError: it cannot be read.
        """
        if isinstance(self.content, bytes):
            yield self.content
            return
        with self.content.open("rb") as file:
            left = self.size
            while piece := file.read(PIECE):
                left -= len(piece)
                if left < 0:
                    break
                yield piece
            if left:
                raise WrongRequestError(
                    detail="a file changed its size while it was sent; delete it there and add it again"
                )

    async def pieces_async(self) -> AsyncIterator[bytes]:
        """The same for async code: another thread reads. Raises as pieces."""
        given = self.pieces()
        while (piece := await asyncio.to_thread(next, given, None)) is not None:
            yield piece


class IncomingFile:
    """A file that is written in the folder of its target under a random name, and gets its own when it is
    whole. After an error nothing of it is left, and a target that was there before is as it was.
    """

    def __init__(self, target: Path, *, replace: bool) -> None:
        """replace: a file with this name gives way to the new one; else it is refused."""
        self._target, self._replace = target, replace
        self._part = target.with_name(f".{secrets.token_hex(8)}.part")
        self._file: BinaryIO | None = None
        self.size = 0  # bytes so far

    def __repr__(self) -> str:
        return f"IncomingFile({self.size} bytes)"

    def __enter__(self) -> Self:
        """Raises FileExistsError for a target that may not be replaced, OSError for its folder."""
        if not self._replace and os.path.lexists(self._target):
            raise self._exists()
        self._file = self._part.open("xb")
        return self

    def write(self, piece: bytes) -> None:
        """Write a piece behind those before it. Raises OSError, as where the disk is full."""
        if self._file is None:
            raise ValueError("the file is not open; use `with`")
        self._file.write(piece)
        self.size += len(piece)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        file, self._file = self._file, None
        try:
            if file is not None:
                with file:
                    if kind is None:
                        file.flush()
                        os.fsync(file.fileno())
                if kind is None:
                    self._take_name()
        finally:
            self._part.unlink(missing_ok=True)

    def _take_name(self) -> None:
        if self._replace:
            self._part.replace(self._target)
            return
        try:
            os.link(self._part, self._target)  # unlike a rename it never takes the place of another file
        except FileExistsError:
            raise self._exists() from None
        except OSError:  # a file system without hard links
            if os.path.lexists(self._target):
                raise self._exists() from None
            self._part.rename(self._target)

    def _exists(self) -> FileExistsError:
        return FileExistsError(f"{self._target} is there; give another path, or replace=True")
