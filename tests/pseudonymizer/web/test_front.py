"""The process of the front: no key, no model, no vault in it, and little memory."""

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.policy import Verb
from pseudonymizer.web.front import loopback_host
from tests.pseudonymizer.web.served import PROJECT, Service, children_of, is_front, nymlink

_LOADED = """
import sys
import pseudonymizer.web.front
from pathlib import Path
from pseudonymizer.desk.store import DeskStore
heavy = ("torch", "stanza", "numpy", "cryptography", "lightgbm", "faker", "alembic")
ours = ("project", "vault", "keyring", "crypto", "engine", "formats", "service", "settings")
found = [name for name in heavy if name in sys.modules]
found += [name for name in ours if "pseudonymizer." + name in sys.modules]
print(" ".join(found))
"""


def test_neither_keys_nor_models_nor_a_vault_are_loaded() -> None:
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_address_is_of_this_machine_alone() -> None:
    assert {loopback_host().partition(".")[0] for _ in range(20)} == {"127"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_front_alone_is_one_process_and_ends_well_when_it_is_asked_to(
    tmp_path: Path, number: signal.Signals
) -> None:
    desk = tmp_path / "desk.db"
    Tokens(DeskStore.open(desk)).create("program", PROJECT, (Verb.PSEUDONYMIZE,), days=1)
    words = nymlink("web", "front", "--socket", str(tmp_path / "none.sock"), "--desk", str(desk))
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as running:  # noqa: S603  our own command
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        assert httpx.get(f"{url}/health", trust_env=False).status_code == 200
        assert httpx.get(f"{url}/ready", trust_env=False).status_code == 503  # there is no engine
        assert children_of(running.pid) == []
        assert is_front(running.pid)
        assert _memory(running.pid) <= 120
        running.send_signal(number)
        assert running.wait(20) == 0


def _memory(process: int) -> int:
    """Resident memory in MiB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    (line,) = [line for line in lines if line.startswith("VmRSS")]
    return int(line.split()[1]) // 1024


def test_the_front_takes_little_memory(real: Service) -> None:
    with real.client(real.token()) as client:
        for _ in range(5):
            assert client.post("/api/v1/text/detect", json={"texts": [{"text": "Jan de Vries"}]}).is_success
    assert real.process is not None
    fronts = [child for child in children_of(real.process.pid) if is_front(child)]
    assert len(fronts) == 1
    assert _memory(fronts[0]) <= 120
