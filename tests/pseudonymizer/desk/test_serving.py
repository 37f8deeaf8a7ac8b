"""The loop of a process of the engine: calls between the pieces of texts, and texts whose callers go."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
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

    def take(self, raw: bytes) -> Taken:
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
