"""Services for tests: one in this process with a fake pipeline, and the command with the real models."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn

from pseudonymizer.desk.engine import Engine, EngineSettings, KeptWorkspaces, OpenVault
from pseudonymizer.desk.engine_client import EngineClient
from pseudonymizer.desk.job_runner import RunPlace
from pseudonymizer.desk.jobs import JobBell
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.records import Principal
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.desk.workspaces import WorkspaceStore
from pseudonymizer.engine.records import Pipeline
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role, Verb
from pseudonymizer.vault import Vault
from pseudonymizer.web.app import make_app
from pseudonymizer.web.front import server_config
from pseudonymizer.web.logins import Logins
from pseudonymizer.web.parts import Front
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import OneTimeCode
from pseudonymizer.web.settings import Limits
from tests.pseudonymizer.batch_fakes import load_fake

PROJECT: Final = "study-12"
_START_SECONDS: Final = 120.0


def children_of(process: int) -> list[int]:
    """The processes that a process has started and that live."""
    try:
        told = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in told.split()]


def is_front(process: int) -> bool:
    """Whether a process is that of a front."""
    return b"pseudonymizer.web.front" in Path(f"/proc/{process}/cmdline").read_bytes()


def json_of(response: httpx.Response) -> Any:
    return json.loads(response.content)


def answered(connection: socket.socket) -> bytes:
    """A whole answer, in however many pieces it comes; what came so far, if the connection ends before."""
    found = b""
    while True:
        head, ended, body = found.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if ended and len(body) >= int(lengths[0].partition(b":")[2] if lengths else 0):
            return found
        piece = connection.recv(10_000)
        if not piece:
            return found
        found += piece


@dataclass
class Service:
    """A service that runs. token: a written token of an account."""

    url: str
    folder: Path
    tokens: Tokens
    front: Front | None = None
    process: subprocess.Popen[bytes] | None = None
    code: str = ""

    @property
    def vault_file(self) -> Path:
        return self.folder / "vault.db"

    @property
    def log(self) -> Path:
        return self.folder / "log.txt"

    def token(self, *verbs: Verb, account: str = "program", project: str = PROJECT, days: int = 1) -> str:
        chosen = verbs or (Verb.PSEUDONYMIZE, Verb.RESTORE)
        return self.tokens.create(account, project, chosen, days=days).written

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    def open_vault(self, actor: str = "tester") -> Vault:
        return Vault.open(f"sqlite:///{self.vault_file}", FileKey(self.folder / "kek.key"), actor=actor)

    def give_roles(self, roles: Collection[tuple[str, Role]]) -> None:
        with self.open_vault() as vault:
            for account, role in roles:
                vault.give_role(account, role)
            vault.commit()


def make_vault(folder: Path) -> None:
    with Vault.create(f"sqlite:///{folder}/vault.db", FileKey(folder / "kek.key"), actor="tester") as made:
        made.commit()


@contextmanager
def fake_service(
    folder: Path,
    *,
    limits: Limits | None = None,
    load: Callable[[], Pipeline] = load_fake,
    open_vault: OpenVault | None = None,
    bounds: Mapping[str, Any] | None = None,
    presidio: bool = False,
    make_logins: Callable[[DeskStore, str], Logins] | None = None,
) -> Iterator[Service]:
    """A service in this process: an engine in one thread, a front in another, a real vault. open_vault: opens
    another one than that of the folder, which is made here. bounds: of workspaces, and their clock.
    make_logins: the logins of accounts, by the store and the address of the service.
    """
    if open_vault is None:
        make_vault(folder)
    place = folder / "engine.sock"
    made = Service("", folder, Tokens(DeskStore.open(folder / "vault.desk.db")))

    kept = folder / "workspaces"
    kept.mkdir()
    store = WorkspaceStore(DeskStore.open(kept / "workspaces.db"), kept, **(bounds or {}))
    (folder / "work").mkdir()
    workspaces = KeptWorkspaces(store, RunPlace(folder / "work", unsealed=True), JobBell())

    def settings() -> EngineSettings:
        texts = TextDesk(ServiceSettings(), Models(load), [PROJECT])
        return EngineSettings(
            texts, open_vault or made.open_vault, (PROJECT,), "nl", lambda: None, workspaces
        )

    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(os.fspath(place))
    listener.listen(64)
    ends, held = os.pipe()
    engine = threading.Thread(target=lambda: Engine(settings()).serve(listener, ends), daemon=True)
    web = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{web.getsockname()[1]}"
    chosen = limits or Limits(a_minute=10_000)
    front = Front(
        EngineClient(os.fspath(place), most_open=chosen.most_waiting, seconds=chosen.request_seconds),
        made.tokens, chosen, Rates(chosen.a_minute), frozenset({host}), frozenset({f"http://{host}"}), "test",
        OneTimeCode(Principal("local", "tester", is_session=True)), presidio,
        None if make_logins is None else make_logins(made.tokens.store, f"http://{host}"),
    )  # fmt: skip
    server = uvicorn.Server(server_config(make_app(front)))
    serving = threading.Thread(target=lambda: server.run([web]), daemon=True)
    jobs = threading.Thread(target=lambda: Engine(settings()).job_runner().serve(ends), daemon=True)
    settings()  # once before the threads: two that decode a type for the first time at once can crash msgspec
    engine.start()
    jobs.start()
    serving.start()
    made.url, made.front = f"http://{host}", front
    try:
        while not server.started:
            time.sleep(0.01)
        yield made
    finally:
        server.should_exit = True
        serving.join()
        os.close(held)
        engine.join()
        jobs.join()
        os.close(ends)
        listener.close()
        web.close()


_MAIN: Final = "from pseudonymizer.cli import main; main()"
_FAKE_MAIN: Final = (
    "from tests.pseudonymizer.batch_fakes import load_fake; from pseudonymizer.cli import main, options; "
    "options.pipeline_loader = lambda _: load_fake; main()"
)
_ROOT: Final = Path(__file__).resolve().parents[3]


def nymlink(*arguments: str, with_fakes: bool = False) -> list[str]:
    """The command as a process has it. with_fakes: without the models."""
    return [sys.executable, "-c", _FAKE_MAIN if with_fakes else _MAIN, *arguments]


@contextmanager
def real_service(folder: Path, *arguments: str, with_fakes: bool = False) -> Iterator[Service]:
    """`nymlink web` as processes in a group of their own. with_fakes: without the models."""
    make_vault(folder)
    (folder / "tmp").mkdir()
    with served_again(folder, *arguments, with_fakes=with_fakes) as made:
        yield made


def _is_ready(client: httpx.Client) -> bool:
    """Whether the service answers that it is ready. One that ended answers nothing."""
    try:
        return client.get("/ready").status_code == 200
    except httpx.ConnectError:
        return False


@contextmanager
def served_again(
    folder: Path, *arguments: str, with_fakes: bool = False, vault: str | None = None
) -> Iterator[Service]:
    """The same over a vault that is there: that of the folder, or another."""
    made = Service("", folder, Tokens(DeskStore.open(folder / "vault.desk.db")))
    environment = {
        **os.environ, "TMPDIR": os.fspath(folder / "tmp"), "XDG_RUNTIME_DIR": "",
        "PYTHONPATH": os.fspath(_ROOT),
    }  # fmt: skip
    with made.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603  our own command
            nymlink(
                "web", "--vault", vault or os.fspath(made.vault_file), "--key-file",
                os.fspath(folder / "kek.key"), "--project", PROJECT,
                "--requests-a-minute", "10000", *arguments, with_fakes=with_fakes,
            ),
            stdout=subprocess.PIPE, stderr=log, env=environment, cwd=folder, start_new_session=True,
        )  # fmt: skip
    made.process = process
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode().strip()
        made.url, _, made.code = line.partition("/#")
        ends_at = time.monotonic() + _START_SECONDS
        with made.client() as client:
            while not _is_ready(client):
                assert process.poll() is None, made.log.read_text()
                assert time.monotonic() < ends_at
                time.sleep(0.1)
        yield made
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
