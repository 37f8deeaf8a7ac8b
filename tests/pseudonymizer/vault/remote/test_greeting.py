"""Programs of different versions: whoever connects is told which side is older, and what to install."""

import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pseudonymizer.errors import ServiceError
from pseudonymizer.records import ServiceStatus
from pseudonymizer.vault import Vault, wire
from pseudonymizer.vault.remote import connection
from pseudonymizer.vault.remote.greeting import Greeting, own_greeting, read_greeting, refusal
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import Served, filled, running

OLD, NEW = Greeting(1, "0.1.0"), Greeting(2, "0.2.0")


@pytest.fixture
def served(sqlite_place: VaultPlace) -> Iterator[Served]:
    filled(sqlite_place)
    with running(sqlite_place) as one:
        yield one


def test_it_is_said_which_side_is_older_and_what_to_install_there() -> None:
    assert refusal(NEW, NEW) == ""
    older = refusal(client=OLD, service=NEW)
    assert older.startswith("this program is older than the vault service")
    assert "install nymlink 0.2.0 where the program runs" in older
    newer = refusal(client=NEW, service=OLD)
    assert newer.startswith("the vault service is older than this program")
    assert "install nymlink 0.2.0 where the service runs" in newer
    assert "that the other side has" in refusal(OLD, Greeting(2))


def test_greetings_of_all_versions_are_read() -> None:
    assert read_greeting(wire.encode(own_greeting())) == own_greeting()
    assert read_greeting(wire.encode(1)) == Greeting(1)
    later = {"protocol": 7, "program": "3.1.0", "locale": "nl"}
    assert read_greeting(wire.encode(later)) == Greeting(7, "3.1.0")
    for strange in (99, "hello", [2, "0.2.0"], {"protocol": "2"}, None):
        with pytest.raises(wire.FrameRefusedError):
            read_greeting(wire.encode(strange))


def answered(served: Served, greeting: Any) -> wire.Answer:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as plain:
        plain.settimeout(10)
        plain.connect(str(served.socket))
        wire.send_frame(plain, wire.encode(greeting), largest=wire.LARGEST_GREETING)
        answer: wire.Answer = wire.decode(wire.receive_frame(plain, largest=1 << 20), wire.Answer)
        if answer.error:
            with pytest.raises(wire.ConnectionEndedError):  # nothing can be asked after it
                wire.receive_frame(plain, largest=1 << 20)
    return answer


def test_an_older_client_is_told_by_the_service(served: Served) -> None:
    answer = answered(served, 1)  # what 8952b15 sends; it raises the error of the answer with its message
    assert answer.error == "ServiceError"
    assert "this program is older than the vault service" in answer.message
    assert f"protocol {wire.PROTOCOL}" in answer.message


def test_a_refusal_is_read_by_clients_of_the_protocol_before() -> None:
    """They refuse answers with fields that they do not know."""
    refused = msgspec.msgpack.decode(wire.encode(wire.failure(ServiceError("older"))))
    assert refused == {"result": None, "error": "ServiceError", "message": "older"}


def test_a_newer_client_is_told_by_the_service(served: Served) -> None:
    answer = answered(served, {"protocol": wire.PROTOCOL + 1, "program": "9.0.0", "more": 1})
    assert answer.error == "ServiceError"
    assert "install nymlink 9.0.0 where the service runs" in answer.message


def test_a_client_of_the_same_version_is_served(served: Served) -> None:
    assert answered(served, own_greeting()).error == ""


def old_service(listener: socket.socket, status: ServiceStatus, connections: int) -> None:
    """What the service of 8952b15 does: it closes without a word unless the first frame is the number 1."""
    for _ in range(connections):
        caller, _ = listener.accept()
        with caller:
            raw = wire.receive_frame(caller, largest=wire.LARGEST_GREETING)
            if msgspec.msgpack.decode(raw) == 1:
                wire.send_frame(
                    caller, wire.encode(wire.answered(wire.encode(status))), largest=wire.LARGEST_FRAME
                )


def test_an_older_service_is_told_by_the_client() -> None:
    status = ServiceStatus("00", "ana", (), False, False, 1 << 20)
    with tempfile.TemporaryDirectory(prefix="nym") as folder, socket.socket(socket.AF_UNIX) as listener:
        place = Path(folder) / "s"
        listener.bind(str(place))
        listener.listen(2)
        thread = threading.Thread(target=old_service, args=(listener, status, 2))
        thread.start()
        with pytest.raises(ServiceError, match="the vault service is older than this program"):
            Vault.connect(f"unix:{place}")
        thread.join(10)
        assert not thread.is_alive()


def test_who_ends_the_connection_at_once_is_not_called_older() -> None:
    def close_all(listener: socket.socket) -> None:
        for _ in range(2):
            listener.accept()[0].close()

    with tempfile.TemporaryDirectory(prefix="nym") as folder, socket.socket(socket.AF_UNIX) as listener:
        place = Path(folder) / "s"
        listener.bind(str(place))
        listener.listen(2)
        thread = threading.Thread(target=close_all, args=(listener,))
        thread.start()
        with pytest.raises(ServiceError, match="ended the connection at once"):
            connection.VaultConnection.connect(place)
        thread.join(10)
