"""Calls over the engine's socket: bounded in number and time, and told apart when nobody is there."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from pseudonymizer.desk import frames
from pseudonymizer.desk.answered import StylesShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.engine_client import EngineClient, EngineFailedError
from pseudonymizer.desk.frames import Answer, Call, Caller
from pseudonymizer.desk.workspace_answered import Done
from pseudonymizer.errors import EngineBusyError, EngineError, EngineGoneError, EngineSlowError

ANNA = Caller("web:anna")


@contextmanager
def engine_at(place: Path, answer: Callable[[socket.socket], None]) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(os.fspath(place))
        listener.listen()

        def serve() -> None:
            while True:
                connection, _ = listener.accept()
                with connection:
                    if frames.receive(connection) == b"end":
                        return
                    answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
            last.connect(os.fspath(place))
            frames.send(last, b"end")
        thread.join()


def _waiting(done: threading.Event) -> None:
    done.wait(20)


def ask(client: EngineClient) -> StylesShown:
    return asyncio.run(client.ask("styles", ANNA, OfProject(), StylesShown))


def test_answers_and_errors_come_back(tmp_path: Path) -> None:
    place = tmp_path / "s"
    client = EngineClient(os.fspath(place), most_open=2, seconds=10)
    answers = [
        Answer(msgspec.Raw(frames.encode(StylesShown(())))),
        Answer(frames.NOTHING, ("VaultBusyError", "VaultError"), "kinds"),
    ]
    with engine_at(place, lambda connection: frames.send(connection, frames.encode(answers.pop(0)))):
        assert ask(client) == StylesShown(())
        with pytest.raises(EngineFailedError) as failed:
            ask(client)
    assert (failed.value.names[0], failed.value.field) == ("VaultBusyError", "kinds")


def test_an_engine_that_is_not_there_or_goes_is_told(tmp_path: Path) -> None:
    place = tmp_path / "s"
    client = EngineClient(os.fspath(place), most_open=2, seconds=10)
    with pytest.raises(EngineGoneError):
        ask(client)
    assert not asyncio.run(client.is_ready())
    with engine_at(place, lambda _: None), pytest.raises(EngineGoneError):
        ask(client)


def test_a_call_that_takes_long_is_given_up(tmp_path: Path) -> None:
    place, done = tmp_path / "s", threading.Event()
    client = EngineClient(os.fspath(place), most_open=2, seconds=0.1)
    with engine_at(place, lambda _: _waiting(done)):
        with pytest.raises(EngineSlowError):
            ask(client)
        done.set()


def test_the_vault_is_asked_for_and_counts_as_there_for_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, done = tmp_path / "s", threading.Event()
    client = EngineClient(os.fspath(place), most_open=1, seconds=10)
    lost = Answer(frames.NOTHING, ("ServiceError", "VaultError"))
    answers = [lost, Answer(msgspec.Raw(frames.encode(Done()))), lost]

    def answer(connection: socket.socket) -> None:
        if answers:
            frames.send(connection, frames.encode(answers.pop(0)))
        else:
            _waiting(done)

    async def check() -> None:
        with pytest.raises(EngineFailedError, match="ServiceError"):
            await client.check_vault()
        for _ in range(3):
            await client.check_vault()
        assert len(answers) == 1
        monkeypatch.setattr(client, "_vault_until", 0.0)
        with pytest.raises(EngineFailedError):
            await client.check_vault()
        monkeypatch.setattr("pseudonymizer.desk.engine_client._VAULT_SECONDS", 0.1)
        await client.check_vault()  # the engine is busy
        done.set()

    with engine_at(place, answer):
        asyncio.run(check())
    with pytest.raises(EngineGoneError):
        asyncio.run(EngineClient(os.fspath(tmp_path / "none"), most_open=1, seconds=1).check_vault())


def test_no_more_calls_are_open_than_may_be(tmp_path: Path) -> None:
    place, done = tmp_path / "s", threading.Event()
    client = EngineClient(os.fspath(place), most_open=1, seconds=10)
    raw = frames.encode(Answer(msgspec.Raw(frames.encode(StylesShown(())))))

    def answer(connection: socket.socket) -> None:
        done.wait(20)
        frames.send(connection, raw)

    async def two() -> None:
        first = asyncio.create_task(client.ask("styles", ANNA, OfProject(), StylesShown))
        await asyncio.sleep(0.05)
        with pytest.raises(EngineBusyError):
            await client.ask("styles", ANNA, OfProject(), StylesShown)
        done.set()
        assert await first == StylesShown(())

    with engine_at(place, answer):
        asyncio.run(two())


def test_what_is_no_frame_is_refused() -> None:
    for raw in (b"\0\0\0\x05abc", b"\xff\xff\xff\xff", b"\0\0"):
        here, there = socket.socketpair()
        with here, there:
            there.sendall(raw)
            there.shutdown(socket.SHUT_WR)
            with pytest.raises(EngineError):
                frames.receive(here)
    here, there = socket.socketpair()
    with here, there:
        there.close()
        assert frames.receive(here) is None


def test_a_call_is_told_with_its_arguments_unread() -> None:
    call = Call("styles", ANNA, msgspec.Raw(frames.encode(OfProject(project="p"))))
    again = msgspec.msgpack.decode(frames.encode(call), type=Call)
    assert (again.verb, again.caller) == ("styles", ANNA)
    assert msgspec.msgpack.decode(again.arguments, type=OfProject).project == "p"
