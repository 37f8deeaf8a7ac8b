"""Keys outside: a keyring made of a dictionary, and a stand-in for the key service's HTTP interface."""

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pseudonymizer.errors import KeyUnavailableError, VaultDamagedError, WrongKeyError
from pseudonymizer.keyring.external import OsKeyringKey, TransitKey
from pseudonymizer.vault import Vault


class FakeKeyring:
    def __init__(self) -> None:
        self.stored: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, account: str) -> str | None:
        return self.stored.get((service, account))

    def set_password(self, service: str, account: str, password: str) -> None:
        self.stored[service, account] = password


def test_a_key_in_the_keyring_opens_and_is_never_overwritten(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    key = OsKeyringKey(backend=keyring)
    with pytest.raises(KeyUnavailableError):
        key.open({})
    Vault.create(f"sqlite:///{tmp_path}/a.db", key).close()
    before = dict(keyring.stored)
    Vault.create(f"sqlite:///{tmp_path}/b.db", key).close()
    assert keyring.stored == before
    Vault.open(f"sqlite:///{tmp_path}/a.db", key).close()
    keyring.stored.clear()
    with pytest.raises(KeyUnavailableError):
        Vault.open(f"sqlite:///{tmp_path}/a.db", key)
    OsKeyringKey(backend=keyring).create()
    with pytest.raises(WrongKeyError):
        Vault.open(f"sqlite:///{tmp_path}/a.db", key)


class _Service(BaseHTTPRequestHandler):
    """encrypt and decrypt of the transit engine, with associated data, for one token."""

    key = AESGCM(bytes(32))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["X-Vault-Token"] != "goed":
            self._answer(403, {"errors": ["permission denied"]})
            return
        associated = base64.b64decode(body["associated_data"])
        if "/encrypt/" in self.path:
            sealed = self.key.encrypt(bytes(12), base64.b64decode(body["plaintext"]), associated)
            self._answer(200, {"data": {"ciphertext": "vault:v1:" + base64.b64encode(sealed).decode()}})
            return
        try:
            sealed = base64.b64decode(body["ciphertext"].removeprefix("vault:v1:"))
            plain = self.key.decrypt(bytes(12), sealed, associated)
        except (InvalidTag, ValueError):
            self._answer(400, {"errors": ["cipher: message authentication failed"]})
            return
        self._answer(200, {"data": {"plaintext": base64.b64encode(plain).decode()}})

    def do_PUT(self) -> None:
        self.do_POST()

    def _answer(self, status: int, content: object) -> None:
        raw = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    pytest.importorskip("hvac", reason="needs the extra nymlink[hvac]")
    server = HTTPServer(("127.0.0.1", 0), _Service)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_key_service_opens_the_vault_and_its_refusals_are_told_apart(tmp_path: Path, service: str) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    key = TransitKey(service, "goed")
    assert "goed" not in repr(key)
    with Vault.create(url, key) as vault:
        vault.ensure_project("p")
        vault.commit()
    with Vault.open(url, key) as vault:
        assert vault.projects() == ("p",)
        vault.keys_of("p")
    with pytest.raises(KeyUnavailableError, match="token"):
        Vault.open(url, TransitKey(service, "fout"))
    with pytest.raises(KeyUnavailableError, match="answer"):
        Vault.open(url, TransitKey("http://127.0.0.1:1", "goed", timeout_seconds=1))
    _Service.key = AESGCM(bytes(31) + b"\1")
    try:
        with pytest.raises(VaultDamagedError):
            Vault.open(url, key)
    finally:
        _Service.key = AESGCM(bytes(32))
