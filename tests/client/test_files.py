"""Files by the client: a piece in memory at a time, and no half-written file that stays."""

import asyncio
import hashlib
import http.server
import os
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from nymlink_client import (
    AsyncProject,
    BusyError,
    Project,
    UnreachableError,
    WrongRequestError,
)
from nymlink_client.files import PIECE, IncomingFile, Outgoing

CHUNK: Final = bytes(range(256)) * 1024  # 256 KiB
LARGE: Final = 192  # chunks: 48 MiB
MOST_MEMORY: Final = 6 << 20  # bytes: a few pieces, and what httpx has beside them
BUSY: Final = b'{"type": "urn:nymlink:problem:busy", "title": "t", "status": 503, "detail": "Wacht."}'


class Server(http.server.ThreadingHTTPServer):
    """Answers as a service does: chunks of a result, and files whose bytes it counts."""

    daemon_threads = True
    chunks = LARGE  # of the result
    missing = 0  # chunks that are promised and do not come
    refusals = 0  # requests that meet a busy service first
    received = 0  # bytes of the last upload
    digest = ""
    asked = 0

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that breaks off is what some of these tests are about."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written to the terminal."""

    def _give(self, raw: bytes, status: int = 200, *, more: int = 0, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw) + more))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(raw)

    def _is_busy(self) -> bool:
        self.server.asked += 1
        if self.server.refusals:
            self.server.refusals -= 1
            self._give(BUSY, 503, Retry_After="0")
            return True
        return False

    def do_GET(self) -> None:
        if "/files/f_1" in self.path and not self.path.endswith("result"):
            self._give(b'{"file": "f_1", "name": "a.txt", "bytes": 1, "state": "received", "number": 1}')
        elif not self._is_busy():
            self._give(b"", more=(self.server.chunks + self.server.missing) * len(CHUNK))
            for _ in range(self.server.chunks):
                self.wfile.write(CHUNK)
            self.close_connection = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._give(
            b'{"files": [{"file": "f_1", "name": "a.txt", "bytes": 1, "state": "waiting", "number": 1}]}', 201
        )

    def do_PUT(self) -> None:
        assert "Transfer-Encoding" not in self.headers
        left, seen = int(self.headers["Content-Length"]), hashlib.sha256()
        self.server.received = left
        while left and (piece := self.rfile.read(min(left, 65536))):
            left -= len(piece)
            seen.update(piece)
        self.server.digest = seen.hexdigest()
        if not self._is_busy():
            self._give(b"", 204)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def project(server: Server) -> Iterator[Project]:
    with Project.open(address(server), token="nym_x", name="p") as made:  # noqa: S106  a test's
        yield made


def large_file(folder: Path) -> tuple[Path, str]:
    """(a file of LARGE chunks, its SHA-256)."""
    path, seen = folder / "groot.csv", hashlib.sha256()
    with path.open("wb") as file:
        for _ in range(LARGE):
            file.write(CHUNK)
            seen.update(CHUNK)
    return path, seen.hexdigest()


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def most_memory(work: Callable[[], object]) -> int:
    """The most bytes that Python's objects took during the work beyond those before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_a_result_is_written_while_it_comes(project: Project, tmp_path: Path) -> None:
    workspace, target = project.workspace("w_1"), tmp_path / "out.zip"
    assert most_memory(lambda: workspace.save_result(target)) < MOST_MEMORY
    assert target.stat().st_size == LARGE * len(CHUNK)
    assert digest_of(target) == large_file(tmp_path)[1]
    target.unlink()
    assert most_memory(lambda: [len(one) for one in workspace.result_pieces()]) < MOST_MEMORY
    assert max(len(one) for one in workspace.result_pieces()) == PIECE


def test_the_measure_sees_what_is_whole_in_memory(project: Project) -> None:
    assert most_memory(project.workspace("w_1").result) > LARGE * len(CHUNK)


def test_a_file_is_read_while_it_is_sent(project: Project, server: Server, tmp_path: Path) -> None:
    path, digest = large_file(tmp_path)
    workspace = project.workspace("w_1")
    assert most_memory(lambda: workspace.add_files({"a.csv": path})) < MOST_MEMORY
    assert (server.received, server.digest) == (LARGE * len(CHUNK), digest)


def test_both_for_async_code(server: Server, tmp_path: Path) -> None:
    path, digest = large_file(tmp_path)

    async def main() -> None:
        async with AsyncProject.open(address(server), token="nym_x", name="p") as project:  # noqa: S106
            workspace = project.workspace("w_1")
            await workspace.add_files({"a.csv": path})
            assert await workspace.save_result(tmp_path / "out.zip") == LARGE * len(CHUNK)

    assert most_memory(lambda: asyncio.run(main())) < MOST_MEMORY
    assert server.digest == digest == digest_of(tmp_path / "out.zip")


def test_a_busy_service_is_sent_the_whole_file_again(
    project: Project, server: Server, tmp_path: Path
) -> None:
    path, digest = large_file(tmp_path)
    server.refusals = 2
    project.workspace("w_1").add_files({"a.csv": path})
    assert (server.asked, server.digest) == (3, digest)
    server.refusals, server.asked = 2, 0
    project.workspace("w_1").save_result(tmp_path / "out.zip")
    assert server.asked == 3
    assert digest_of(tmp_path / "out.zip") == digest


@pytest.mark.parametrize("replace", [True, False])
def test_nothing_is_left_of_an_answer_that_breaks_off(
    project: Project, server: Server, tmp_path: Path, *, replace: bool
) -> None:
    server.chunks, server.missing = 3, 1
    target = tmp_path / "out.zip"
    if replace:
        target.write_bytes(b"before")
    with pytest.raises(UnreachableError):
        project.workspace("w_1").save_result(target, replace=replace)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == (
        {"out.zip": b"before"} if replace else {}
    )
    with pytest.raises(UnreachableError):
        list(project.workspace("w_1").result_pieces())


def test_nothing_is_left_where_the_service_gives_no_result(server: Server, tmp_path: Path) -> None:
    server.refusals = 9

    def waiting() -> None:
        with Project.open(address(server), token="nym_x", retries=0) as project:  # noqa: S106
            project.workspace("w_1").save_result(tmp_path / "out.zip")

    async def asynchronous() -> None:
        async with AsyncProject.open(address(server), token="nym_x", retries=0) as project:  # noqa: S106
            await project.workspace("w_1").save_result(tmp_path / "out.zip")

    with pytest.raises(BusyError, match="Wacht"):
        waiting()
    with pytest.raises(BusyError, match="Wacht"):
        asyncio.run(asynchronous())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError("disk"), KeyboardInterrupt()])
def test_nothing_is_left_where_writing_ends(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    written = IncomingFile.write

    def write(self: IncomingFile, piece: bytes) -> None:
        written(self, piece)
        if self.size > 2 * PIECE:
            assert len(list(tmp_path.iterdir())) == 1  # the part
            raise error

    monkeypatch.setattr(IncomingFile, "write", write)
    with pytest.raises(type(error)):
        project.workspace("w_1").save_result(tmp_path / "out.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_refused_before_anything_is_asked_or_gives_way_on_wish(
    project: Project, server: Server, tmp_path: Path
) -> None:
    target = tmp_path / "out.zip"
    target.write_bytes(b"before")
    workspace = project.workspace("w_1")
    with pytest.raises(FileExistsError, match="replace=True"):
        workspace.save_result(target)
    assert (server.asked, target.read_bytes()) == (0, b"before")
    server.chunks = 1
    assert workspace.save_result(target, replace=True) == len(CHUNK)
    assert target.read_bytes() == CHUNK


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_came_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    if not has_links:

        def refuse(*_: object) -> None:
            raise PermissionError("no hard links here")

        monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "out.zip"

    def meet() -> None:
        with IncomingFile(target, replace=False) as given:
            given.write(b"mine")
            target.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        meet()
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"theirs"]
    with IncomingFile(tmp_path / "b", replace=False) as given:
        given.write(b"mine")
    assert (tmp_path / "b").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("change", [b"", b"12", b"1234"])
def test_a_file_that_changes_while_it_is_sent_is_told(tmp_path: Path, change: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"123")
    outgoing = Outgoing.of(path)
    path.write_bytes(change)
    with pytest.raises(WrongRequestError, match="changed its size"):
        list(outgoing.pieces())


def test_what_is_no_file_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(WrongRequestError):
        Outgoing.of("x")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        project.workspace("w_1").add_files({"a": tmp_path / "none"})
    with pytest.raises(ValueError, match="not open"):
        IncomingFile(tmp_path / "x", replace=False).write(b"")
    assert "123" not in repr(Outgoing.of(b"123"))
    assert list(Outgoing.of(b"123").pieces()) == [b"123"]
