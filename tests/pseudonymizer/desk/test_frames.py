"""Frames over a socket: whole, cut off, too large, too slow; and lines that carry several."""

import asyncio
import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.desk import frames
from pseudonymizer.desk.frames import Line
from pseudonymizer.errors import EngineGoneError


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_a_frame_comes_as_it_was_sent(ends: tuple[socket.socket, socket.socket]) -> None:
    left, right = ends
    for raw in (b"", b"x", b"Jan Tolsma " * 20_000):
        sending = threading.Thread(target=frames.send, args=(left, raw))
        sending.start()
        assert frames.receive(right) == raw
        sending.join()
    left.close()
    assert frames.receive(right) is None


@pytest.mark.parametrize("sent", [b"\0\0", struct.pack(">I", 5) + b"abc"])
def test_a_frame_that_is_cut_off_is_told(ends: tuple[socket.socket, socket.socket], sent: bytes) -> None:
    left, right = ends
    left.sendall(sent)
    left.close()
    with pytest.raises(EngineGoneError, match="cut off"):
        frames.receive(right)


def test_a_frame_that_is_too_large_is_refused_before_it_is_read(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    left, right = ends
    left.sendall(struct.pack(">I", frames.LARGEST_FRAME + 1))
    with pytest.raises(EngineGoneError, match="largest"):
        frames.receive(right)


def test_a_frame_that_is_too_slow_is_given_up(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "_FRAME_SECONDS", 0.05)
    left, right = ends
    left.sendall(struct.pack(">I", 5) + b"a")
    with pytest.raises(EngineGoneError, match="too long"):
        frames.receive(right)


def test_nobody_who_has_gone_is_a_fault(ends: tuple[socket.socket, socket.socket]) -> None:
    left, right = ends
    right.close()
    frames.send(left, b"x" * 1_000_000)


def test_a_line_carries_frame_after_frame_and_says_when_the_other_end_goes(tmp_path: Path) -> None:
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(os.fspath(place))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                for _ in range(3):
                    raw = frames.receive(connection)
                    assert raw is not None
                    frames.send(connection, raw[::-1])

        async def ask() -> list[bytes]:
            line = await Line.to(os.fspath(place))
            try:
                found = [await line.exchange(raw) for raw in (b"abc", b"", b"xy" * 100_000)]
                with pytest.raises(EngineGoneError):
                    await line.exchange(b"more")
            finally:
                line.close()
            return found

        serving = threading.Thread(target=serve)
        serving.start()
        assert asyncio.run(ask()) == [b"cba", b"", b"yx" * 100_000]
        serving.join()
    with pytest.raises(EngineGoneError, match="cannot be reached"):
        asyncio.run(frames.exchange(os.fspath(tmp_path / "nobody"), b"x"))
