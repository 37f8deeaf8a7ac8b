"""A service begins and ends as one, whatever of it dies, and leaves nothing of a text behind."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.pseudonymizer.web.served import Service, children_of, is_front, json_of, real_service

NAME = "Quirijna Zwartsluis"
DETECT = "/api/v1/text/detect"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with real_service(tmp_path, "--workers", "2", with_fakes=True) as made:
        yield made


def _processes(service: Service) -> tuple[int, list[int]]:
    """(front, workers) of a service."""
    assert service.process is not None
    children = children_of(service.process.pid)
    fronts = [child for child in children if is_front(child)]
    assert len(fronts) == 1
    return fronts[0], [child for child in children if child not in fronts]


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _until(holds: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < ends_at
        time.sleep(0.02)


def _ended(service: Service, processes: list[int]) -> int:
    assert service.process is not None
    status = service.process.wait(20)
    _until(lambda: not any(map(_lives, processes)))
    return status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_both_end_when_they_are_asked_to(service: Service, number: signal.Signals) -> None:
    assert service.process is not None
    front, workers = _processes(service)
    assert len(workers) == 3  # two for calls, one for jobs
    if number == signal.SIGINT:  # as a terminal sends it: to all of them
        os.killpg(service.process.pid, number)
    else:
        service.process.send_signal(number)
    assert _ended(service, [front, *workers]) == 0
    assert "Error" not in service.log.read_text()
    assert list((service.folder / "tmp").iterdir()) == []


def test_when_the_front_dies_all_end(service: Service) -> None:
    front, workers = _processes(service)
    os.kill(front, signal.SIGKILL)
    assert _ended(service, [front, *workers]) == 1
    assert "the front has ended" in service.log.read_text()


def test_when_the_engine_is_killed_all_end(service: Service) -> None:
    assert service.process is not None
    front, workers = _processes(service)
    service.process.kill()
    assert _ended(service, [front, *workers]) == -signal.SIGKILL


def test_a_worker_that_dies_is_replaced(service: Service) -> None:
    _, workers = _processes(service)
    with service.client(service.token()) as client:
        answer = client.post(DETECT, json={"texts": [{"text": "DOODT Jan Tolsma"}]})  # kills its process
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert json_of(answer)["type"] == "urn:nymlink:problem:not-ready"
        _until(lambda: len(_processes(service)[1]) == 3 and _processes(service)[1] != workers)
        for _ in range(8):
            assert client.post(DETECT, json={"texts": [{"text": "Jan Tolsma"}]}).status_code == 200


@pytest.mark.parametrize("is_killed", [False, True])
def test_nothing_of_a_text_is_left_in_logs_files_and_arguments(service: Service, *, is_killed: bool) -> None:
    assert service.process is not None
    first, _, last = NAME.partition(" ")
    with service.client(service.token()) as client:
        label = ""
        for path, status in (("pseudonymize", 200), ("detect", 200), ("pseudonymize", 200)):
            answer = client.post(
                f"/api/v1/text/{path}", json={"texts": [{"id": "a", "text": f"{NAME} belde"}]}
            )
            assert answer.status_code == status, answer.text
            label = json_of(answer)["texts"][0]["mentions"][0].get("label", label)
        asked = {"texts": [{"text": f"Bel {label}"}], "purpose": "toets"}
        assert NAME in client.post("/api/v1/text/restore", json=asked).text
        client.get(f"/{first}/{last}?q={last}", headers={"X-Name": last})
        client.get("/api/v1/kinds", params={"project": NAME})
        client.post(DETECT, json={last: last})
        client.post(DETECT, json={"texts": [{"text": f"ONTPLOFT {NAME}"}]})
        client.request("POST", DETECT, content=f"{{{NAME}")
        with pytest.raises(httpx.HTTPError):
            client.request(last.upper(), f"/{last}", timeout=2).raise_for_status()
        told = _arguments([service.process.pid, *children_of(service.process.pid)])
    front, workers = _processes(service)
    if is_killed:
        service.process.kill()
    else:
        service.process.terminate()
    _ended(service, [front, *workers])
    log = service.log.read_bytes()
    assert b"POST /api/v1/text/pseudonymize 200" in log
    for file in (one for one in service.folder.rglob("*") if one.is_file()):
        told += file.read_bytes()
    assert told
    for word in (first, last):
        assert word.lower().encode() not in told.lower()


def _arguments(processes: list[int]) -> bytes:
    return b"".join(Path(f"/proc/{process}/cmdline").read_bytes() for process in processes)
