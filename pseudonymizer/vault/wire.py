"""What goes over the vault service's socket: frames of MessagePack, decoded into typed records, never code.

A frame is four bytes of length, big endian, and one value. A call names its verb and has its arguments in a
map; an answer is a result, or an error by its class name and message. Everything is checked against the types
that the verb declares: what does not fit is refused before any of it is used.
"""

import socket
import struct
import time
from typing import Any, Final

import msgspec

from pseudonymizer import errors
from pseudonymizer.errors import PseudonymizerError, ServiceError

PROTOCOL: Final = 4
MEBIBYTE: Final = 1 << 20
LARGEST_FRAME: Final = 64 * MEBIBYTE
LARGEST_GREETING: Final = 1024  # bytes of the first frame, before the other side is known
FRAME_SECONDS: Final = 60.0  # from a frame's first byte to its last, for each mebibyte of it
_LENGTH: Final = struct.Struct(">I")
_PIECE: Final = 1 << 16


class Call(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A verb and its arguments, which are decoded once the verb is known to be allowed."""

    verb: str
    arguments: msgspec.Raw


class Answer(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """error is empty where the verb did what it should. event: the number, in the trail, of the last event
    that was put on record for this connection.
    """

    result: msgspec.Raw
    error: str = ""
    message: str = ""
    event: int = 0


class ConnectionEndedError(ServiceError):
    """The other side closed the connection between two frames."""


class FrameRefusedError(ServiceError):
    """The other side sent what is no frame of ours: too long, too slow, cut off, or not MessagePack."""


def encode(value: Any) -> bytes:
    """Raises ServiceError for text that is no Unicode (half a surrogate pair): it cannot be sent."""
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        raise ServiceError(
            "a text holds half a character (a lone surrogate) and cannot be sent to the vault service"
        ) from None
    except TypeError:
        raise ServiceError("an argument of this kind cannot be sent to the vault service") from None


def decode(raw: bytes | msgspec.Raw, kind: Any) -> Any:
    """Raises FrameRefusedError; says where it does not fit, never with what value."""
    try:
        result = msgspec.msgpack.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        place = str(error).rpartition(" - at ")[2] if " - at " in str(error) else "`$`"
        raise FrameRefusedError(f"a value does not have the type of its place, {place[:80]}") from None
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
        raise FrameRefusedError("a frame is not MessagePack as this protocol has it") from None
    return result


def send_frame(connection: socket.socket, payload: bytes, *, largest: int) -> None:
    """Raises ServiceError, before a byte is sent, for a payload above largest bytes."""
    if len(payload) > largest:
        raise ServiceError(
            f"{len(payload):,} bytes are too many for one message to the vault service, whose largest has "
            f"{largest:,}; take fewer documents at a time, or start it with a higher --largest-message"
        )
    try:
        connection.sendall(_LENGTH.pack(len(payload)) + payload)
    except OSError as error:
        raise ConnectionEndedError(f"the connection broke off ({type(error).__name__})") from None


def receive_frame(connection: socket.socket, *, largest: int, idle_seconds: float | None = None) -> bytes:
    """The next frame. idle_seconds bounds the wait for its first byte; None waits for ever.

    Raises:
        ConnectionEndedError: the other side is gone.
        FrameRefusedError: above largest bytes, cut off, or too slow.
    """
    connection.settimeout(idle_seconds)
    try:
        first = connection.recv(_LENGTH.size)
        if not first:
            raise ConnectionEndedError("the other side closed the connection")
        ends_at = time.monotonic() + FRAME_SECONDS
        head = first + _received(connection, _LENGTH.size - len(first), ends_at)
        (size,) = _LENGTH.unpack(head)
        if size > largest:
            raise FrameRefusedError(f"a message of {size:,} bytes; the largest is {largest:,}")
        return _received(connection, size, ends_at + FRAME_SECONDS * (size // MEBIBYTE))
    except TimeoutError:
        raise FrameRefusedError("a message took too long") from None
    except OSError as error:
        raise ConnectionEndedError(f"the connection broke off ({type(error).__name__})") from None


def _received(connection: socket.socket, size: int, ends_at: float) -> bytes:
    # In pieces as they come: a length that is only claimed takes no memory.
    found = bytearray()
    while len(found) < size:
        left = ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        piece = connection.recv(min(_PIECE, size - len(found)))
        if not piece:
            raise FrameRefusedError(f"a message was cut off after {len(found):,} of {size:,} bytes")
        found += piece
    return bytes(found)


def failure(error: BaseException) -> Answer:
    """The answer that tells of an error; of one that is not ours only that it happened."""
    if isinstance(error, PseudonymizerError):
        return Answer(msgspec.Raw(encode(None)), type(error).__name__, str(error))
    return Answer(
        msgspec.Raw(encode(None)), "ServiceError", f"the vault service failed: {type(error).__name__}"
    )


def answered(encoded: bytes, event: int = 0) -> Answer:
    """The answer with this result. event: see Answer."""
    return Answer(msgspec.Raw(encoded), event=event)


def raised(answer: Answer) -> PseudonymizerError:
    """The error that an answer tells of, as one of ours."""
    kind = getattr(errors, answer.error, None)
    if isinstance(kind, type) and issubclass(kind, PseudonymizerError):
        return kind(answer.message)
    return ServiceError(answer.message or "the vault service answered out of protocol")
