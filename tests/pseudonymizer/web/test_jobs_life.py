"""Jobs go on after kill -9 of whatever does them, once; and nothing of a file is left behind in plain."""

import os
import signal
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.pseudonymizer.web.served import (
    Service,
    children_of,
    is_front,
    json_of,
    real_service,
    served_again,
)
from tests.pseudonymizer.web.test_api_jobs import ended, filled

NAME: Final = "Quirijna Zwartsluis"
FILES: Final = {
    f"map/{NAME} {n}.txt": f"{NAME} belde. Piet Anker {n} ook.\n".encode() * 60 for n in range(24)
}


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def options(memory: Path) -> tuple[str, ...]:
    return "--work-folder", str(memory), "--unsealed-work"


@pytest.fixture
def service(tmp_path: Path, options: tuple[str, ...]) -> Iterator[Service]:
    with real_service(tmp_path, *options, with_fakes=True) as made:
        yield made


def _begun(client: httpx.Client, place: str) -> Any:
    """The place of a writing that has begun to write."""
    started = client.post(f"{place}/runs", json={})
    assert started.status_code == 202, started.text
    ends_at = time.monotonic() + 180
    while json_of(client.get(started.headers["location"]))["stage"] not in ("rewrite", "seal"):
        assert time.monotonic() < ends_at
        time.sleep(0.01)
    return started


def _arguments(process: int) -> bytes:
    """The arguments of a process and of all that it started, as every user of the machine may read them."""
    try:
        told = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
    return told + b"".join(map(_arguments, children_of(process)))


def _check(client: httpx.Client, place: str) -> None:
    """Each file is written once, with one label for the person of all of them."""
    with zipfile.ZipFile(BytesIO(client.get(f"{place}/result").content)) as archive:
        assert len(archive.namelist()) == len(set(archive.namelist())) == len(FILES)
        labels = {archive.read(name).split(b" ")[0] for name in archive.namelist()}
    assert len(labels) == 1
    assert NAME.encode() not in labels


def test_a_job_goes_on_when_its_process_is_killed(service: Service) -> None:
    assert service.process is not None
    with service.client(service.token()) as client:
        place, _ = filled(client, FILES)
        started = _begun(client, place)
        for child in children_of(service.process.pid):
            if not is_front(child):
                os.kill(child, signal.SIGKILL)
        job = None
        ends_at = time.monotonic() + 20
        while job is None:  # calls that were going on end with 503
            answer = client.get(started.headers["location"])
            job = answer if answer.status_code == 200 else None
            assert time.monotonic() < ends_at
        shown = ended(client, started)
        assert (shown["state"], shown["failed"]) == ("done", 0)
        _check(client, place)


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_job_goes_on_at_the_next_start_and_leaves_nothing(
    service: Service, memory: Path, options: tuple[str, ...], *, is_killed: bool
) -> None:
    assert service.process is not None
    token = service.token()
    with service.client(token) as client:
        place, _ = filled(client, FILES)
        started = _begun(client, place)
        told = _arguments(service.process.pid)
    assert b"front" in told
    assert not any(word.lower().encode() in told.lower() for word in NAME.split(" "))
    if is_killed:
        os.killpg(service.process.pid, signal.SIGKILL)
    else:
        service.process.terminate()
    service.process.wait(30)
    if not is_killed:
        _wait_until_empty(memory)
    _look_for_names(service.folder, memory)
    with served_again(service.folder, *options, with_fakes=True) as again:
        with again.client(token) as client:
            shown = ended(client, started)
            assert (shown["state"], shown["failed"]) == ("done", 0)
            _check(client, place)
        assert again.process is not None
        again.process.terminate()
        again.process.wait(30)
    _wait_until_empty(memory)
    _look_for_names(service.folder, memory)


def _wait_until_empty(memory: Path) -> None:
    ends_at = time.monotonic() + 10
    while list(memory.iterdir()):
        assert time.monotonic() < ends_at
        time.sleep(0.02)


def _look_for_names(folder: Path, memory: Path) -> None:
    """No part of a name lies anywhere but in the memory file system."""
    for file in (one for one in folder.rglob("*") if one.is_file() and memory not in one.parents):
        raw = file.read_bytes().lower() + str(file.relative_to(folder)).lower().encode()
        for word in NAME.lower().split(" "):
            assert word.encode() not in raw, file.name
