"""Frames between front and engine over a Unix socket: four bytes of length, then one value in MessagePack.

A connection carries one call and its answer; that of a text in pieces carries pieces and answers in turn. The
front reads and writes without blocking, the engine does.
"""

import asyncio
import socket
import struct
import time
from typing import Any, Final

import msgspec

from pseudonymizer.errors import EngineGoneError

LARGEST_FRAME: Final = 64 << 20  # bytes
_LENGTH: Final = struct.Struct(">I")
_PIECE: Final = 1 << 16
_FRAME_SECONDS: Final = 60.0  # from the first to the last byte of a call: the front sends it at once


class Caller(msgspec.Struct, frozen=True):
    """Who asks. actor: the name in the vault's trail. project: the only one it may name; None: any."""

    actor: str
    project: str | None = None


class Call(msgspec.Struct, frozen=True):
    """A verb of the engine with its arguments, which are decoded once the verb is known."""

    verb: str
    caller: Caller
    arguments: msgspec.Raw


class Answer(msgspec.Struct, frozen=True):
    """A result; or an error by the names of its class and of the classes above that.

    field: the field of the request that is at fault, where that is known.
    """

    result: msgspec.Raw
    errors: tuple[str, ...] = ()
    field: str = ""


NOTHING: Final = msgspec.Raw(msgspec.msgpack.encode(None))


async def exchange(place: str, raw: bytes) -> bytes:
    """The answer of the engine at a socket to a call.

    Raises:
        EngineGoneError: nothing listens there, or the connection broke off.
    """
    line = await Line.to(place)
    try:
        return await line.exchange(raw)
    finally:
        line.close()


class Line:
    """A connection to the engine: calls and their answers in turn."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, place: str) -> "Line":
        """A connection to the engine at a socket.

        Raises:
            EngineGoneError: nothing listens there.
        """
        try:
            return cls(*await asyncio.open_unix_connection(place))
        except OSError:
            raise EngineGoneError("the engine cannot be reached: it loads its models, or has ended") from None

    async def exchange(self, raw: bytes) -> bytes:
        """The answer to a frame.

        Raises:
            EngineGoneError: the connection broke off.
        """
        try:
            self._writer.write(_LENGTH.pack(len(raw)) + raw)
            await self._writer.drain()
            (size,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            return await self._reader.readexactly(size)
        except (OSError, asyncio.IncompleteReadError):
            raise EngineGoneError("the engine ended while it worked; ask again") from None

    def close(self) -> None:
        """End the connection."""
        self._writer.close()


def receive(connection: socket.socket) -> bytes | None:
    """The frame that a connection sends; None where it was closed before one.

    Raises:
        EngineGoneError: it is cut off, too large or too slow.
    """
    ends_at = time.monotonic() + _FRAME_SECONDS
    head = _received(connection, _LENGTH.size, ends_at)
    if not head:
        return None
    if len(head) < _LENGTH.size:
        raise EngineGoneError("a frame was cut off")
    (size,) = _LENGTH.unpack(head)
    if size > LARGEST_FRAME:
        raise EngineGoneError(f"a frame has {size:,} bytes; the largest has {LARGEST_FRAME:,}")
    raw = _received(connection, size, ends_at)
    if len(raw) < size:
        raise EngineGoneError("a frame was cut off")
    return raw


def send(connection: socket.socket, raw: bytes) -> None:
    """Send a frame. A caller that has gone is no fault."""
    connection.settimeout(_FRAME_SECONDS)
    try:
        connection.sendall(_LENGTH.pack(len(raw)) + raw)
    except OSError:
        return


def _received(connection: socket.socket, size: int, ends_at: float) -> bytes:
    """Up to so many bytes; fewer where the connection ends."""
    found = bytearray()
    while len(found) < size:
        left = ends_at - time.monotonic()
        if left <= 0:
            raise EngineGoneError("a frame took too long")
        connection.settimeout(left)
        try:
            piece = connection.recv(min(_PIECE, size - len(found)))
        except TimeoutError:
            raise EngineGoneError("a frame took too long") from None
        except OSError:
            break
        if not piece:
            break
        found += piece
    return bytes(found)


def encode(value: Any) -> bytes:
    """A value as MessagePack."""
    return msgspec.msgpack.encode(value)
