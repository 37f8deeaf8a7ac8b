"""Bodies that are slow, cut off or too many: each ends in time, and others are answered meanwhile."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.web.settings import Limits
from tests.pseudonymizer.web.served import Service, answered, fake_service

DETECT = "/api/v1/text/detect"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("hasty")
    with fake_service(folder, limits=Limits(body_seconds=0.5, a_minute=10_000, most_waiting=2)) as made:
        yield made


def _connected(service: Service) -> socket.socket:
    host, _, port = service.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def _head(service: Service, length: int) -> bytes:
    host = service.url.removeprefix("http://")
    return (
        f"POST {DETECT} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {service.token()}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def test_a_slow_body_ends_in_time(hasty: Service) -> None:
    with _connected(hasty) as connection:
        connection.sendall(_head(hasty, 1_000) + b'{"texts":')
        began = time.monotonic()
        assert answered(connection).startswith(b"HTTP/1.1 408")
        assert time.monotonic() - began < 10
    with hasty.client() as client:
        assert client.get("/health").status_code == 200


def test_a_body_that_is_cut_off_harms_nobody(hasty: Service) -> None:
    for _ in range(3):
        with _connected(hasty) as connection:
            connection.sendall(_head(hasty, 1_000) + b'{"texts":')
    with hasty.client(hasty.token()) as client:
        assert client.post(DETECT, json={"texts": [{"text": "Jan Tolsma"}]}).status_code == 200


def test_of_many_requests_at_once_all_are_answered_or_told_to_wait(hasty: Service) -> None:
    statuses: list[int] = []

    def ask() -> None:
        with hasty.client(hasty.token()) as client:
            for _ in range(5):
                answer = client.post(DETECT, json={"texts": [{"text": "Jan Tolsma belde. " * 200}]})
                statuses.append(answer.status_code)
                if answer.status_code == 429:
                    assert int(answer.headers["retry-after"]) > 0

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(statuses) == 40
    assert set(statuses) <= {200, 429}
    assert 200 in statuses


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"NOTHING\r\n\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/v1/text/detect HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/text/detect HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
    ],
)
def test_what_is_no_request_of_ours_is_refused(hasty: Service, raw: bytes) -> None:
    with _connected(hasty) as connection:
        connection.settimeout(20)
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(10_000)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    with hasty.client() as client:
        assert client.get("/health").status_code == 200
