"""The processes as deploy/systemd runs them: the vault service as one user, front and engine as another.

Front and engine can read neither the vault nor its key; texts go through them all the same, in the name of
the account; and nobody but the front's user speaks for accounts.
"""

import grp
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import pytest

from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.policy import Role, Verb
from tests.pseudonymizer.web.other_users import OtherUser, environment, why_not
from tests.pseudonymizer.web.served import PROJECT, Service, children_of, json_of, make_vault, nymlink
from tests.test_deployment import DEPLOY, unit

TEXT: Final = "Jan Tolsma belde Els Mol."
VAULT_UNIT: Final = unit(DEPLOY / "systemd" / "nymlink-vault.service")
ENGINE_UNIT: Final = unit(DEPLOY / "systemd" / "nymlink-engine.service")
_START_SECONDS: Final = 60.0
READ: Final = """
import os, sys
for place in sys.argv[1:]:
    try:
        os.close(os.open(place, os.O_RDONLY))
        print("read")
    except OSError as error:
        print(type(error).__name__)
"""
GREET: Final = """
import sys
from pseudonymizer.vault.remote.client import VaultClient
for name in sys.argv[2:]:
    try:
        with VaultClient.connect(sys.argv[1], acting_for="" if name == "-" else name) as client:
            print(client.status.actor)
    except Exception as error:
        print(type(error).__name__)
"""


@dataclass(frozen=True)
class Deployed:
    """Three processes of two users; two others look on. tokens: by account. vault: as root opens it."""

    folder: Path
    vault: Service
    url: str
    tokens: dict[str, str]
    processes: dict[str, subprocess.Popen[bytes]]
    vault_user: OtherUser
    front_user: OtherUser
    colleague: OtherUser
    stranger: OtherUser

    @property
    def secrets(self) -> list[str]:
        """The files of the vault and its key."""
        found = [os.fspath(place) for place in (self.folder / "vault").iterdir()]
        assert {"vault.db", "vault.keys.db", "kek.key"} <= {Path(place).name for place in found}
        return found

    @property
    def socket(self) -> str:
        return f"unix:{self.folder / 'vault-run' / 'vault.sock'}"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def client(self, account: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.tokens[account]}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    def family(self, name: str) -> list[int]:
        """A process and all that it started."""
        found = [self.processes[name].pid]
        for one in found:
            found += children_of(one)
        return found

    def said(self, user: OtherUser, code: str, *words: str) -> list[str]:
        done = user.run(code, *words, home=self.home)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()


@contextmanager
def _started(folder: Path, name: str, user: OtherUser, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  our own command
            user.command(*nymlink(*words, with_fakes=True)), stdout=subprocess.PIPE, stderr=log,
            cwd=folder / "home", env=environment(folder / "home"), start_new_session=True,
        )  # fmt: skip
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()


def _wait_for(place: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    ends_at = time.monotonic() + _START_SECONDS
    while not place.is_socket():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < ends_at
        time.sleep(0.05)


@pytest.fixture(scope="module")
def deployed() -> Iterator[Deployed]:
    groups = [one for one in grp.getgrall() if one.gr_gid]
    if os.getuid() != 0 or not groups:
        pytest.skip("only root can start processes of other users")
    group = next((one for one in groups if one.gr_name == "nogroup"), groups[0])
    vault_user, front_user, colleague = (
        OtherUser(number, group.gr_gid) for number in (64_101, 64_102, 64_103)
    )
    stranger = OtherUser(64_104)
    folder = Path(tempfile.mkdtemp(prefix="nym"))
    try:
        folder.chmod(0o711)
        (folder / "home").mkdir(mode=0o777)
        (folder / "home").chmod(0o1777)
        if reason := why_not(stranger, folder / "home"):
            pytest.skip(reason)
        with ExitStack() as stack:
            yield _deployed(stack, folder, (vault_user, front_user, colleague, stranger), group.gr_name)
    finally:
        shutil.rmtree(folder)


def _deployed(stack: ExitStack, folder: Path, users: tuple[OtherUser, ...], group: str) -> Deployed:
    vault_user, front_user, *_ = users
    vault, desk, engine = folder / "vault", folder / "desk", folder / "engine-run"
    made_by_units = {
        vault: VAULT_UNIT["StateDirectoryMode"], folder / "vault-run": VAULT_UNIT["RuntimeDirectoryMode"],
        desk: "0700", engine: ENGINE_UNIT["RuntimeDirectoryMode"],
        folder / "work": ENGINE_UNIT["StateDirectoryMode"],
    }  # fmt: skip
    for place, mode in made_by_units.items():
        place.mkdir()
        place.chmod(int(mode, 8))
    make_vault(vault)
    own = Service("", vault, Tokens(DeskStore.open(desk / "desk.db")))
    own.give_roles([("web:sender", Role.ANALYST), ("web:auditor", Role.AUDITOR)])
    tokens = {
        "sender": own.token(Verb.PSEUDONYMIZE, account="sender"),
        "auditor": own.token(Verb.READ_AUDIT, account="auditor"),
        "nobody": own.token(Verb.PSEUDONYMIZE, account="nobody"),
    }
    vault_user.own(vault, folder / "vault-run")
    front_user.own(desk, engine, folder / "work")
    place, engine_place = folder / "vault-run" / "vault.sock", engine / "engine.sock"
    processes = dict[str, subprocess.Popen[bytes]]()
    processes["vault"] = stack.enter_context(_started(
        folder, "vault", vault_user, "vault", "serve", "--vault", f"sqlite:///{vault}/vault.db", "--key-file",
        f"{vault}/kek.key", "--socket", os.fspath(place), "--group", group, "--front-user",
        str(front_user.number),
    ))  # fmt: skip
    _wait_for(place, processes["vault"], folder / "vault.log")
    processes["engine"] = stack.enter_context(_started(
        folder, "engine", front_user, "web", "engine", "--vault", f"unix:{place}", "--socket",
        os.fspath(engine_place), "--workspaces", os.fspath(folder / "work"), "--project", PROJECT,
    ))  # fmt: skip
    _wait_for(engine_place, processes["engine"], folder / "engine.log")
    processes["front"] = front = stack.enter_context(_started(
        folder, "front", front_user, "web", "front", "--socket", os.fspath(engine_place), "--desk",
        os.fspath(desk / "desk.db"),
    ))  # fmt: skip
    assert front.stdout is not None
    url = front.stdout.readline().decode().strip()
    assert url, (folder / "front.log").read_text()
    return Deployed(folder, own, url, tokens, processes, *users)


def _written(deployed: Deployed, account: str) -> httpx.Response:
    with deployed.client(account) as client:
        return client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})


def test_each_process_is_of_its_user_and_has_no_rights_of_root(deployed: Deployed) -> None:
    for name, user in (
        ("vault", deployed.vault_user), ("engine", deployed.front_user), ("front", deployed.front_user),
    ):  # fmt: skip
        for process in deployed.family(name):
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
            said = {key: value.split() for key, _, value in (line.partition(":") for line in lines)}
            assert said["Uid"] == [str(user.number)] * 4
            assert int(said["CapEff"][0], 16) == 0


def test_a_text_goes_through_and_the_trail_names_the_account(deployed: Deployed) -> None:
    answer = _written(deployed, "sender")
    assert answer.status_code == 200, answer.text
    written = json_of(answer)["texts"][0]["text"]
    assert "Tolsma" not in written
    assert written.count("PERSOON-") == 2
    assert json_of(_written(deployed, "sender"))["texts"][0]["text"] == written
    assert _written(deployed, "nobody").status_code == 403  # the token has the verb, the account has no role
    with deployed.client("auditor") as client:
        events = json_of(client.get("/api/v1/audit"))["events"]
    mine = [one for one in events if one["actor"] == "web:sender"]
    assert mine
    assert {one["counts"].get("via") for one in mine} == {deployed.front_user.number}


def test_front_and_engine_cannot_read_the_vault_or_its_key(deployed: Deployed) -> None:
    _written(deployed, "sender")
    of_vault = f"/proc/{deployed.processes['vault'].pid}/"
    memory = [of_vault + "environ", of_vault + "mem"]
    assert set(deployed.said(deployed.vault_user, READ, *deployed.secrets)) == {"read"}
    for user in (deployed.front_user, deployed.colleague, deployed.stranger):
        assert set(deployed.said(user, READ, *deployed.secrets, *memory)) == {"PermissionError"}
    vault = os.fspath(deployed.folder / "vault")
    for name, has_it in (("vault", True), ("engine", False), ("front", False)):
        held, told = list[str](), b""
        for process in deployed.family(name):
            held += [os.fspath(one.readlink()) for one in Path(f"/proc/{process}/fd").iterdir()]
            told += Path(f"/proc/{process}/cmdline").read_bytes()
            told += Path(f"/proc/{process}/environ").read_bytes()
        assert any(place.startswith(f"{vault}/") for place in held) is has_it, name
        assert (b"kek.key" in told) is has_it, name


def test_nobody_but_the_front_speaks_for_accounts(deployed: Deployed) -> None:
    names = ("web:sender", "-", "root")
    front, colleague = deployed.front_user, deployed.colleague
    assert deployed.said(front, GREET, deployed.socket, *names) == [
        "web:sender", f"uid-{front.number}", "AccessRefusedError",
    ]  # fmt: skip
    assert deployed.said(colleague, GREET, deployed.socket, *names) == [
        "AccessRefusedError", f"uid-{colleague.number}", "AccessRefusedError",
    ]  # fmt: skip
    assert set(deployed.said(deployed.stranger, GREET, deployed.socket, *names)) == {"ServiceError"}
    with deployed.vault.open_vault() as vault:
        refused = [one.actor for one in vault.audit_events() if one.outcome == "refused:front"]
    assert refused.count(f"uid-{colleague.number}") == 2
    assert refused.count(f"uid-{front.number}") == 1


def test_nobody_but_the_front_reaches_the_engine(deployed: Deployed) -> None:
    code = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    place = os.fspath(deployed.folder / "engine-run" / "engine.sock")
    assert deployed.front_user.run(code, place, home=deployed.home).returncode == 0
    for user in (deployed.vault_user, deployed.colleague, deployed.stranger):
        done = user.run(code, place, home=deployed.home)
        assert "PermissionError" in done.stderr
