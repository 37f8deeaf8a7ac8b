"""The loop of a process of the engine: calls between the pieces of texts, and texts whose callers go."""

import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from pseudonymizer.desk import frames, serving
from pseudonymizer.desk.asked import StreamPiece
from pseudonymizer.desk.frames import Answer
from pseudonymizer.desk.serving import Streams, Taken, TextStream
from pseudonymizer.errors import EngineBusyError
from pseudonymizer.runs.restoring_stream import RestoringStream


class Fake:
    """An engine: "begin" begins a text, "fault" is a wrong piece, and everything else comes back."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self.ahead: list[list[bytes]] = []
        self.order: list[bytes] = []

    def look_ahead(self, calls: Sequence[bytes]) -> None:
        self.ahead.append(list(calls))

    def take(self, raw: bytes) -> Taken:
        self.order.append(raw)
        if raw != b"begin":
            return Taken(Answer(msgspec.Raw(frames.encode(raw))))
        return Taken(Answer(frames.NOTHING), TextStream("web:anna", cast("RestoringStream", object())))

    def fed(self, stream: TextStream, raw: bytes) -> Answer:
        assert stream.actor == "web:anna"
        return Answer(frames.NOTHING, ("SomeError",)) if raw == b"fault" else self.take(raw).answer


@contextmanager
def served(place: Path, streams: Streams) -> Iterator[Callable[[], socket.socket]]:
    """What connects to an engine that serves."""
    ends, held = os.pipe()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(os.fspath(place))
        listener.listen()
        thread = threading.Thread(target=lambda: streams.serve(Fake(streams), listener, ends))
        thread.start()

        def connect() -> socket.socket:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(os.fspath(place))
            return connection

        try:
            yield connect
        finally:
            os.close(held)
            thread.join()
            os.close(ends)


def told(connection: socket.socket, raw: bytes) -> Any:
    frames.send(connection, raw)
    found = frames.receive(connection)
    return None if found is None else msgspec.msgpack.decode(found, type=Answer)


def test_calls_are_answered_between_the_pieces_of_a_text(tmp_path: Path) -> None:
    streams = Streams()
    with served(tmp_path / "s", streams) as connect, connect() as text:
        assert told(text, b"begin").errors == ()
        for number in range(3):
            with connect() as call:
                assert msgspec.msgpack.decode(told(call, b"x").result) == b"x"
            assert streams.actors == {"web:anna"}
            piece = str(number).encode()
            assert msgspec.msgpack.decode(told(text, piece).result) == piece
    assert streams.actors == frozenset()


def test_a_text_ends_with_its_first_error_and_when_its_caller_goes(tmp_path: Path) -> None:
    streams = Streams()
    with served(tmp_path / "s", streams) as connect:
        with connect() as text:
            told(text, b"begin")
            assert told(text, b"fault").errors == ("SomeError",)
            assert frames.receive(text) is None
        with connect() as text:
            told(text, b"begin")
        with connect() as text:
            text.sendall(b"\0\0")
        with connect() as call:
            assert told(call, b"x").errors == ()
    assert streams.actors == frozenset()


def test_a_process_has_so_many_texts_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_STREAMS", 1)
    streams = Streams()
    streams.check_room()
    with served(tmp_path / "s", streams) as connect, connect() as text:
        told(text, b"begin")
        with connect() as call:
            told(call, b"x")  # once it is answered, the text before it is among the open ones
        with pytest.raises(EngineBusyError):
            streams.check_room()


def test_the_last_piece_has_the_rest_and_the_counts() -> None:
    class Text:
        held, audit_sequence = 0, 7

        class labels:  # noqa: N801  stands for a property
            restored, unknown, malformed = 1, ("A",), ()

        def feed(self, piece: str) -> str:
            return piece.upper()

        def end(self) -> str:
            return "!"

    stream = TextStream("web:anna", cast("RestoringStream", Text()))
    assert stream.fed(StreamPiece(text="a")).text == "A"
    last = stream.fed(StreamPiece(text="b", is_last=True))
    assert (last.text, msgspec.structs.asdict(last)["audit_sequence"]) == ("B!", 7)


@contextmanager
def waiting(place: Path, sent: Sequence[bytes]) -> Iterator[tuple[Fake, list[socket.socket]]]:
    """A fake engine that begins to serve when these calls wait already, and their connections."""
    ends, held = os.pipe()
    fake = Fake(Streams())
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(os.fspath(place))
        listener.listen()
        connections = []
        for raw in sent:
            connections.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            connections[-1].connect(os.fspath(place))
            if raw:
                frames.send(connections[-1], raw)
            else:
                connections[-1].close()  # this caller has gone
        thread = threading.Thread(target=lambda: fake.streams.serve(fake, listener, ends))
        thread.start()
        try:
            yield fake, connections
        finally:
            for connection in connections:
                connection.close()
            os.close(held)
            thread.join()
            os.close(ends)


def answered(connection: socket.socket) -> Any:
    found = frames.receive(connection)
    assert found is not None
    assert frames.receive(connection) is None  # a call has one answer
    return msgspec.msgpack.decode(msgspec.msgpack.decode(found, type=Answer).result)


def test_calls_that_wait_are_looked_at_together_and_answered_in_their_order(tmp_path: Path) -> None:
    sent = [str(number).encode() for number in range(6)]
    with waiting(tmp_path / "s", sent) as (fake, connections):
        assert [answered(one) for one in connections] == sent
    assert fake.order == sent
    assert fake.ahead == [sent[:4], [], sent[4:], []]


def test_a_caller_who_has_gone_takes_nothing_from_the_others(tmp_path: Path) -> None:
    with waiting(tmp_path / "s", [b"a", b"", b"b"]) as (fake, connections):
        assert [answered(connections[0]), answered(connections[2])] == [b"a", b"b"]
    assert fake.ahead == [[b"a", b"b"], []]


def test_a_call_alone_is_not_looked_at_ahead(tmp_path: Path) -> None:
    with waiting(tmp_path / "s", [b"a"]) as (fake, connections):
        assert answered(connections[0]) == b"a"
    assert fake.ahead == []


def test_while_a_text_in_pieces_is_open_calls_are_taken_one_at_a_time(tmp_path: Path) -> None:
    with waiting(tmp_path / "s", [b"begin"]) as (fake, connections):
        frames.receive(connections[0])
        later = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(3)]
        for number, one in enumerate(later):
            one.connect(os.fspath(tmp_path / "s"))
            frames.send(one, str(number).encode())
        assert [answered(one) for one in later] == [b"0", b"1", b"2"]
        for one in later:
            one.close()
    assert fake.ahead == []
