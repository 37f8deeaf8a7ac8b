"""The loop of a process of the engine: it takes calls at the socket and answers them one at a time, and feeds
the texts that come in pieces, each over the connection by which it was begun.

Calls that wait already are taken together: the network reads their texts in one go. Nobody is waited for.
"""

import contextlib
import logging
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from linkage.errors import LinkageError
from pseudonymizer.desk import documents, frames
from pseudonymizer.desk.answered import StreamedPiece, StreamEnded
from pseudonymizer.desk.asked import StreamPiece
from pseudonymizer.desk.frames import Answer
from pseudonymizer.desk.text_options import WrongOptionError
from pseudonymizer.errors import (
    EngineBusyError,
    EngineGoneError,
    InvalidRecordError,
    PseudonymizerError,
    UploadRefusedError,
    VaultError,
)
from pseudonymizer.runs.restoring_stream import RestoringStream

log = logging.getLogger(__name__)

# Calls of which one process reads the texts together. Of texts of 1,500 letters one by one, two and four at a
# time the network takes 55, 44 and 33 ms each.
MOST_TOGETHER: Final = 4
_SHARE_SECONDS: Final = 0.001  # left to other processes before one takes another call
MOST_STREAMS: Final = 32  # texts in pieces that one process has open at once; each holds a connection


@dataclass(frozen=True, slots=True)
class TextStream:
    """A text that comes in pieces. actor: in whose name its vault is open."""

    actor: str
    text: RestoringStream

    def fed(self, piece: StreamPiece) -> StreamedPiece | StreamEnded:
        """The text that can be given out after this piece; it is on record by then. Raises as
        RestoringStream.feed.
        """
        given = self.text.feed(piece.text)
        if not piece.is_last:
            return StreamedPiece(given, self.text.held)
        rest = self.text.end()
        labels = self.text.labels
        return StreamEnded(
            given + rest, labels.restored, labels.unknown, labels.malformed, self.text.audit_sequence
        )


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer to a call. stream: the text that it began, of which the pieces come next."""

    answer: Answer
    stream: TextStream | None = None


class Answering(Protocol):
    """Answers calls and pieces."""

    def take(self, raw: bytes) -> Taken:
        """The answer to a call, and the text that it began."""
        ...

    def fed(self, stream: TextStream, raw: bytes) -> Answer:
        """The answer to one more piece of a text."""
        ...

    def look_ahead(self, calls: Sequence[bytes]) -> None:
        """Prepare in one go what these calls, which are taken next, have in common; none: forget it."""
        ...


class Streams:
    """The texts in pieces that a process has open, by their connections."""

    def __init__(self) -> None:
        self._open: dict[socket.socket, TextStream] = {}

    @property
    def actors(self) -> frozenset[str]:
        """In whose name a vault is open for one of them."""
        return frozenset(stream.actor for stream in self._open.values())

    def check_room(self) -> None:
        """Nothing, where one more may be begun; else raises EngineBusyError."""
        if len(self._open) >= MOST_STREAMS:
            raise EngineBusyError(
                f"{len(self._open)} texts in pieces are open, and no more can be; end one, or try later"
            )

    def serve(self, engine: Answering, listener: socket.socket, parent: int) -> None:
        """Answer calls until the parent has gone. parent: a file that can be read when it has."""
        listener.settimeout(0)  # several processes wait for one connection; one of them gets it
        try:
            while True:
                waiting: list[socket.socket | int] = [parent, listener, *self._open]
                ready, _, _ = select.select(waiting, [], [])
                if parent in ready:
                    return
                for connection in [one for one in self._open if one in ready]:
                    self._feed(engine, connection)
                if listener in ready:
                    self._accept(engine, listener)
        finally:
            for connection in self._open:
                connection.close()
            self._open.clear()

    def _accept(self, engine: Answering, listener: socket.socket) -> None:
        with contextlib.ExitStack() as ending:
            calls = self._waiting_calls(listener, ending)
            if len(calls) > 1:
                engine.look_ahead([raw for _, raw in calls])
                ending.callback(engine.look_ahead, ())
            for connection, raw in calls:
                taken = engine.take(raw)
                frames.send(connection, frames.encode(taken.answer))
                if taken.stream is not None:
                    self._open[connection] = taken.stream
                self._close_unless_open(connection)

    def _close_unless_open(self, connection: socket.socket) -> None:
        if connection not in self._open:
            connection.close()

    def _waiting_calls(
        self, listener: socket.socket, ending: contextlib.ExitStack
    ) -> list[tuple[socket.socket, bytes]]:
        """The calls that wait now, MOST_TOGETHER at the most. Other processes get their share of them; while
        texts in pieces are open, one call is taken at a time, so that their pieces need not wait.
        """
        calls: list[tuple[socket.socket, bytes]] = []
        while len(calls) < (1 if self._open else MOST_TOGETHER):
            if calls:
                if not select.select([listener], [], [], 0)[0]:
                    break
                time.sleep(_SHARE_SECONDS)
            try:
                connection, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                break
            ending.callback(self._close_unless_open, connection)
            with contextlib.suppress(EngineGoneError):
                raw = frames.receive(connection)
                if raw is not None:
                    calls.append((connection, raw))
        return calls

    def _feed(self, engine: Answering, connection: socket.socket) -> None:
        with self._ended_by_error(connection):
            raw = frames.receive(connection)
            if raw is None:
                raise EngineGoneError("the caller has gone")
            answer = engine.fed(self._open[connection], raw)
            frames.send(connection, frames.encode(answer))
            if answer.errors:
                raise EngineGoneError("a text in pieces ends with its first error")

    @contextlib.contextmanager
    def _ended_by_error(self, connection: socket.socket) -> Iterator[None]:
        try:
            yield
        except EngineGoneError:
            del self._open[connection]
            connection.close()


def answer_of(work: Callable[[], Any]) -> Answer:
    """The result of the work, or its error, of which no text is told."""
    try:
        return Answer(msgspec.Raw(frames.encode(work())))
    except (PseudonymizerError, LinkageError) as error:
        if isinstance(error, VaultError):  # the caller is told no more than that the vault is not at hand
            log.warning("a call met a fault of the vault: %s", type(error).__name__)
        field = error.field if isinstance(error, WrongOptionError | UploadRefusedError) else ""
        return Answer(frames.NOTHING, _names(error), field)
    except msgspec.ValidationError:  # what a front could not check, such as an option in an address
        return Answer(frames.NOTHING, (InvalidRecordError.__name__,))
    except Exception as error:  # noqa: BLE001  its text may hold a name: only its class is told
        log.error("a call failed: %s", type(error).__name__)  # noqa: TRY400  a trace may hold names
        return Answer(frames.NOTHING, ("EngineError",))


def _names(error: Exception) -> tuple[str, ...]:
    """The names of the error's class and of those above it, that of a program's own alone."""
    tops = (PseudonymizerError, LinkageError)
    cause = (error.cause,) if isinstance(error, documents.DocumentFailedError) else ()
    return cause + tuple(one.__name__ for one in type(error).__mro__ if issubclass(one, tops))
