"""Key services and keyrings that lie, repeat themselves, fail half-way, are gone or are others."""

import base64
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    KeyUnavailableError,
    PseudonymizerError,
    UnsealError,
    VaultDamagedError,
    WrongKeyError,
)
from pseudonymizer.keyring.external import OsKeyringKey, TransitKey
from pseudonymizer.keyring.local import encode_key
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import rotate_kek
from pseudonymizer.vault.store.keystore import read_kek_row
from tests.fakes import linkage_result

RESULT = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
Answer = tuple[int, Any]


class _Service(BaseHTTPRequestHandler):
    """encrypt and decrypt of the transit engine, with one key for each name that is asked for."""

    repeats: ClassVar[dict[str, Answer]] = {}  # by verb: this one is given for ever
    last: ClassVar[dict[str, Answer]] = {}
    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        verb, name = self.path.split("/")[-2:]
        type(self).asked.append(self.path)
        own = self._own(verb, AESGCM(name.encode().ljust(32, b"\0")[:32]), body)
        type(self).last[verb] = own
        status, content = self.repeats.get(verb, own)
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def do_PUT(self) -> None:
        self.do_POST()

    def _own(self, verb: str, key: AESGCM, body: Mapping[str, str]) -> Answer:
        associated = base64.b64decode(body["associated_data"])
        if verb == "encrypt":
            sealed = key.encrypt(bytes(12), base64.b64decode(body["plaintext"]), associated)
            return 200, {"data": {"ciphertext": "vault:v1:" + base64.b64encode(sealed).decode()}}
        try:
            sealed = base64.b64decode(body["ciphertext"].removeprefix("vault:v1:"))
            plain = key.decrypt(bytes(12), sealed, associated)
        except (InvalidTag, ValueError):
            return 400, {"errors": ["cipher: message authentication failed"]}
        return 200, {"data": {"plaintext": base64.b64encode(plain).decode()}}

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[HTTPServer]:
    pytest.importorskip("hvac", reason="needs the extra nymlink[hvac]")
    for kept in (_Service.repeats, _Service.last, _Service.asked):
        kept.clear()
    server = HTTPServer(("127.0.0.1", 0), _Service)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def key(service: HTTPServer) -> TransitKey:
    return TransitKey(f"http://127.0.0.1:{service.server_port}", "token", timeout_seconds=5)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/a.db"


def _made(url: str, key: TransitKey) -> str:
    with Vault.create(url, key) as vault:
        pseudonym = assign(RESULT, vault, project="p")[RESULT.mentions[0].mention_id]
        vault.commit()
    return pseudonym.label


def _is_whole(url: str, key: TransitKey, label: str) -> bool:
    with Vault.open(url, key) as vault:
        assert vault.verify().findings == ()
        return bool(reveal(vault, project="p", pseudonyms=[label], purpose="toets"))


_NO_ANSWERS: Mapping[str, Answer] = {
    "gone": (503, {"errors": ["sealed"]}),
    "no permission": (403, {"errors": ["permission denied"]}),
    "no such key": (404, {"errors": []}),
    "nothing": (200, b""),
    "no JSON": (200, b"<html>een inlogpagina</html>"),
    "another shape": (200, ["data"]),
    "no data": (200, {"data": None}),
    "other data": (200, {"data": {"iets": "anders"}}),
    "no base64": (200, {"data": {"plaintext": "?", "ciphertext": "?"}}),
    "no key": (200, {"data": {"plaintext": base64.b64encode(b"kort").decode(), "ciphertext": "kort"}}),
    "an empty key": (200, {"data": {"plaintext": "", "ciphertext": ""}}),
}


@pytest.mark.parametrize("answer", _NO_ANSWERS.values(), ids=_NO_ANSWERS)
def test_an_answer_that_is_none_leaves_the_vault_as_it_was(url: str, key: TransitKey, answer: Answer) -> None:
    label = _made(url, key)
    _Service.repeats.update(decrypt=answer, encrypt=answer)
    with pytest.raises((KeyUnavailableError, VaultDamagedError)):
        Vault.open(url, key)
    _Service.repeats.clear()
    with Vault.open(url, key) as vault:
        _Service.repeats.update(decrypt=answer, encrypt=answer)
        with pytest.raises((KeyUnavailableError, VaultDamagedError)):
            vault.ensure_project("q")
        vault.rollback()
        _Service.repeats.clear()
        assert vault.projects() == ("p",)
    assert _is_whole(url, key, label)


@pytest.mark.parametrize("answer", _NO_ANSWERS.values(), ids=_NO_ANSWERS)
def test_no_vault_is_made_with_an_answer_that_is_none(
    tmp_path: Path, url: str, key: TransitKey, answer: Answer
) -> None:
    _Service.repeats.update(decrypt=answer, encrypt=answer)
    with pytest.raises(KeyUnavailableError):
        Vault.create(url, key)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("failing", range(12))
def test_a_service_that_goes_away_half_way_leaves_no_half_project(
    url: str, key: TransitKey, failing: int
) -> None:
    """The keys of a new project are wrapped one after the other; the service fails at each of them once."""
    label = _made(url, key)
    with Vault.open(url, key) as vault:
        assert vault.projects() == ("p",)
        vault.begin_keys()
        vault.rollback()
        _Service.asked.clear()
        answers = iter(range(failing))
        own: Callable[..., Answer] = _Service._own

        def answering(self: _Service, verb: str, aes: AESGCM, body: Mapping[str, str]) -> Answer:
            return own(self, verb, aes, body) if next(answers, None) is not None else (503, {"errors": []})

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_Service, "_own", answering)
            try:
                vault.ensure_project("q")
                vault.commit()
            except KeyUnavailableError:
                vault.rollback()
    assert _is_whole(url, key, label)
    with Vault.open(url, key) as vault:
        assign(RESULT, vault, project="q")
        vault.commit()
        assert vault.verify().findings == ()


def test_a_wrap_that_opens_to_another_key_is_not_stored(url: str, key: TransitKey) -> None:
    """The answer to an earlier question comes again: a key that was stored under it would be lost."""
    label = _made(url, key)
    with Vault.open(url, key) as vault:
        _Service.repeats["encrypt"] = _Service.last["encrypt"]
        with pytest.raises(KeyUnavailableError, match="does not open it again"):
            vault.ensure_project("q")
        vault.rollback()
        _Service.repeats.clear()
    assert _is_whole(url, key, label)


def test_an_answer_that_comes_again_opens_nothing(url: str, key: TransitKey) -> None:
    label = _made(url, key)
    Vault.open(url, key).close()
    _Service.repeats["decrypt"] = _Service.last["decrypt"]  # of the check value: the vault opens with it
    with Vault.open(url, key) as vault, pytest.raises(PseudonymizerError):
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")
    _Service.repeats.clear()
    assert _is_whole(url, key, label)


def _rename(tmp_path: Path, key: TransitKey, **parameters: str) -> None:
    """Let the key store name another key of the service, with all digests that need no key made anew."""
    named = {"mount": "transit", "key_name": "nymlink", **parameters}
    try:
        fingerprint = key.open(named).fingerprint
    except VaultDamagedError:
        fingerprint = bytes(16)
    with closing(sqlite3.connect(tmp_path / "a.keys.db")) as connection, connection:
        row = list(connection.execute("SELECT * FROM kek").fetchone())
        row[2], row[3], row[7] = json.dumps(named, sort_keys=True), fingerprint, b""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pseudonymizer.vault.store.keystore.KekRow.expected_digest", lambda _self: b"")
            found = read_kek_row(row)
        row[7] = found.expected_digest()
        connection.execute("DELETE FROM kek")
        connection.execute(f"INSERT INTO kek VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def test_a_key_store_that_names_another_key_of_the_service_opens_nothing(
    tmp_path: Path, url: str, key: TransitKey
) -> None:
    _made(url, key)
    _rename(tmp_path, key, key_name="van-een-ander")
    with pytest.raises((WrongKeyError, VaultDamagedError)):
        Vault.open(url, key)


@pytest.mark.parametrize(
    "parameters",
    [
        {"key_name": "../../../sys/raw/core"}, {"key_name": "a/../../b"}, {"mount": "../sys"},
        {"mount": "transit?x="}, {"key_name": ""}, {"key_name": "a/b"},
        {"key_name": "a b"}, {"key_name": "a%2f..%2fb"},
    ],
)  # fmt: skip
def test_a_key_store_leads_the_token_to_no_other_place(
    tmp_path: Path, url: str, key: TransitKey, parameters: dict[str, str]
) -> None:
    _made(url, key)
    _Service.asked.clear()
    _rename(tmp_path, key, **parameters)
    with pytest.raises(VaultDamagedError, match="names no key"):
        Vault.open(url, key)
    assert _Service.asked == []


def test_a_new_kek_of_a_service_that_fails_leaves_the_old_one(url: str, key: TransitKey) -> None:
    label = _made(url, key)
    other = TransitKey(key.address, "token", key_name="nieuw", timeout_seconds=5)
    with Vault.open(url, key) as vault:
        _Service.repeats["encrypt"] = (503, {"errors": []})
        with pytest.raises(KeyUnavailableError):
            rotate_kek(vault, other)
        vault.rollback()
    _Service.repeats.clear()
    assert _is_whole(url, key, label)
    with Vault.open(url, key) as vault:
        rotate_kek(vault, other)
    assert _is_whole(url, other, label)
    assert _is_whole(url, key, label), "the record names the key, whatever the command says"


# -- the keyring of the system -------------------------------------------------------------------------------


class _Keyring:
    """A keyring that does what a test wants."""

    def __init__(self, stored: str | None = None, *, keeps: bool = True, fails: str = "") -> None:
        self.stored, self._keeps, self._fails = stored, keeps, fails

    def get_password(self, service: str, account: str) -> str | None:
        if self._fails == "get":
            raise RuntimeError(f"locked: {service} {account} {self.stored}")
        return self.stored

    def set_password(self, service: str, account: str, password: str) -> None:
        if self._fails == "set":
            raise RuntimeError(f"cannot store {password} for {service} {account}")
        if self._keeps:
            self.stored = password


@pytest.mark.parametrize(
    "keyring",
    [_Keyring(keeps=False), _Keyring(fails="get"), _Keyring(fails="set")],
    ids=["null", "get", "set"],
)
def test_a_keyring_that_keeps_nothing_or_fails_makes_no_vault_and_tells_no_key(
    tmp_path: Path, url: str, keyring: _Keyring
) -> None:
    with pytest.raises(KeyUnavailableError) as told:
        Vault.create(url, OsKeyringKey(backend=keyring))
    assert "nymlink-key-1" not in str(told.value)
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__ or told.value.__context__ is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("stored", ["", "iets", "ab" * 31, encode_key(bytes(32))[:-1], "nymlink-key-1 ? 0"])
def test_what_is_no_key_in_the_keyring_opens_nothing(url: str, stored: str) -> None:
    keyring = _Keyring()
    Vault.create(url, OsKeyringKey(backend=keyring)).close()
    kept, keyring.stored = keyring.stored, stored
    with pytest.raises(KeyUnavailableError) as told:
        Vault.open(url, OsKeyringKey(backend=keyring))
    assert not stored or stored not in str(told.value).split()
    keyring.stored = encode_key(b"x" * 32)
    with pytest.raises(WrongKeyError):
        Vault.open(url, OsKeyringKey(backend=keyring))
    keyring.stored = kept
    Vault.open(url, OsKeyringKey(backend=keyring)).close()


def test_a_wrap_of_no_key_is_refused(key: TransitKey) -> None:
    with pytest.raises(UnsealError):
        key.create().unwrap("vault:v1:\u00e9".encode("latin-1"), context=b"x")
