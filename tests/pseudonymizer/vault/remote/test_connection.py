"""A connection to a vault service: addresses, questions and answers, errors of the other side."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pseudonymizer.errors import AccessRefusedError, PseudonymizerError, ServiceError
from pseudonymizer.records import ServiceStatus
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.connection import VaultConnection, is_service, socket_path
from pseudonymizer.vault.remote.messages import LITERAL_LABEL, PROJECTS, Nothing, OfText, WireVerb

STATUS = ServiceStatus("00", "ana", ("analyst",), False, False, 200)


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("unix:/run/vault.sock", True),
        ("unix:vault.sock", True),
        ("sqlite:///unix:x", False),
        ("vault.db", False),
        (Path("unix:x"), False),
    ],
)
def test_a_service_is_known_by_its_address(address: str | Path, is_one: bool) -> None:
    assert is_service(address) is is_one


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("unix:/run/vault.sock", "/run/vault.sock"),
        ("unix:///run/vault.sock", "/run/vault.sock"),
        ("unix://run/vault.sock", "/run/vault.sock"),
        ("unix:vault.sock", "vault.sock"),
        ("vault.sock", "vault.sock"),
        (Path("/run/vault.sock"), "/run/vault.sock"),
    ],
)
def test_the_socket_of_an_address(address: str | Path, path: str) -> None:
    assert socket_path(address) == Path(path)


def answer_with(call: wire.Call) -> wire.Answer:
    """What the service of these tests does."""
    if call.verb == PROJECTS.name:
        return wire.answered(wire.encode(("p", "q")))
    asked: OfText = wire.decode(call.arguments, OfText)
    if asked.text == "refused":
        return wire.failure(AccessRefusedError("ana may not"))
    if asked.text == "broken":
        return wire.failure(ZeroDivisionError("Jan Tolsma"))
    return wire.answered(wire.encode(3))  # no Pseudonym


@contextmanager
def connected(
    answer: Callable[[wire.Call], wire.Answer] = answer_with, status: ServiceStatus = STATUS
) -> Iterator[VaultConnection]:
    here, there = socket.socketpair()

    def serve() -> None:
        with there:
            wire.receive_frame(there, largest=wire.LARGEST_GREETING)
            wire.send_frame(
                there, wire.encode(wire.answered(wire.encode(status))), largest=wire.LARGEST_FRAME
            )
            while True:
                try:
                    call = wire.decode(wire.receive_frame(there, largest=1_000), wire.Call)
                except wire.ConnectionEndedError:
                    return
                wire.send_frame(there, wire.encode(answer(call)), largest=wire.LARGEST_FRAME)

    thread = threading.Thread(target=serve)
    thread.start()
    opened = VaultConnection(here)
    try:
        yield opened
    finally:
        opened.close()
        thread.join(20)
        assert not thread.is_alive()


def asked(text: str) -> OfText:
    return OfText(project="p", text=text)


def test_a_verb_is_answered_in_its_type() -> None:
    with connected() as connection:
        assert connection.status == STATUS
        assert connection.ask(PROJECTS, Nothing()) == ("p", "q")


def test_an_error_of_the_other_side_is_the_same_error_here() -> None:
    with connected() as connection:
        with pytest.raises(AccessRefusedError, match="ana may not"):
            connection.ask(LITERAL_LABEL, asked("refused"))
        with pytest.raises(ServiceError, match="ZeroDivisionError") as broken:
            connection.ask(LITERAL_LABEL, asked("broken"))
        assert "Tolsma" not in str(broken.value)
        with pytest.raises(PseudonymizerError, match="does not have the type of its place"):
            connection.ask(LITERAL_LABEL, asked("other type"))
        assert connection.ask(PROJECTS, Nothing()) == ("p", "q")  # it goes on


def test_what_is_larger_than_the_service_takes_is_not_sent() -> None:
    with connected() as connection:
        with pytest.raises(ServiceError, match="too many for one message"):
            connection.ask(LITERAL_LABEL, asked("x" * STATUS.largest_message))
        assert connection.ask(PROJECTS, Nothing()) == ("p", "q")


def test_threads_that_share_a_connection_get_each_its_own_answer() -> None:
    def echo(call: wire.Call) -> wire.Answer:
        return wire.answered(wire.encode((wire.decode(call.arguments, OfText).text,)))

    verb = WireVerb("echo", OfText, tuple[str, ...])
    found: dict[str, tuple[str, ...]] = {}
    with connected(echo) as connection:

        def work(text: str) -> None:
            for _ in range(20):
                found[text] = connection.ask(verb, asked(text))
                assert found[text] == (text,)

        threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert found == {str(number): (str(number),) for number in range(4)}


def test_where_nothing_listens_the_address_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="nymlink vault serve") as error:
        VaultConnection.connect(f"unix:{tmp_path / 'Tolsma.sock'}")
    assert "Tolsma" not in str(error.value)
