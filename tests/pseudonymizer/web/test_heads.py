"""The line and headers of a request come in time, or the connection ends; others are answered meanwhile."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.web.heads import HeadsInTime
from tests.pseudonymizer.web.served import Service, answered, fake_service

SECONDS = 0.4  # a test's bound


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    before = HeadsInTime.head_seconds
    HeadsInTime.head_seconds = SECONDS
    folder: Path = tmp_path_factory.mktemp("hasty")
    with fake_service(folder) as made:
        yield made
    HeadsInTime.head_seconds = before


def _connected(service: Service) -> socket.socket:
    host, _, port = service.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def _ended(connection: socket.socket, *, drip: bytes = b"") -> bool:
    """Whether the other side ends the connection, though a byte comes again and again."""
    connection.settimeout(0.1)
    for _ in range(200):
        try:
            if connection.recv(1_000) == b"":
                return True
        except TimeoutError:
            pass
        except ConnectionResetError:
            return True
        if drip:
            try:
                connection.sendall(drip)
            except OSError:
                return True
    return False


@pytest.mark.parametrize(
    ("begun", "drip"), [(b"", b""), (b"GET", b""), (b"GET /health HTTP/1.1\r\nX-A: ", b"x")]
)
def test_a_head_that_does_not_come_ends_the_connection(hasty: Service, begun: bytes, drip: bytes) -> None:
    with _connected(hasty) as connection:
        connection.sendall(begun)
        with hasty.client() as client:
            assert client.get("/health").status_code == 200
        began = time.monotonic()
        assert _ended(connection, drip=drip)
        assert time.monotonic() - began < 20 * SECONDS


def test_a_further_request_has_the_same_bound_and_a_pause_before_it_has_not(hasty: Service) -> None:
    asked = f"GET /health HTTP/1.1\r\nHost: {hasty.url.removeprefix('http://')}\r\n\r\n".encode()
    with _connected(hasty) as connection:
        for _ in range(2):
            connection.sendall(asked)
            assert answered(connection).startswith(b"HTTP/1.1 200")
            time.sleep(1.5 * SECONDS)
        connection.sendall(asked[:10])
        assert _ended(connection)


def test_a_body_has_a_bound_of_its_own(hasty: Service) -> None:
    body = b'{"texts": [{"text": "Jan Tolsma"}]}'
    head = (
        f"POST /api/v1/text/detect HTTP/1.1\r\nHost: {hasty.url.removeprefix('http://')}\r\nContent-Length: "
        f"{len(body)}\r\nContent-Type: application/json\r\nAuthorization: Bearer {hasty.token()}\r\n\r\n"
    ).encode()
    with _connected(hasty) as connection:
        connection.sendall(head + body[:5])
        time.sleep(2 * SECONDS)
        connection.sendall(body[5:])
        assert answered(connection).startswith(b"HTTP/1.1 200")
