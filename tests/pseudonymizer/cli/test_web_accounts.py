"""web account: a password comes from standard input alone; who may reach a front from elsewhere."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app
from pseudonymizer.cli.web_accounts import is_this_machine
from pseudonymizer.desk.accounts import Accounts
from pseudonymizer.desk.store import DeskStore

runner = CliRunner()
VAULT = ("--vault", "vault.db")
WORDS = "vier woorden voor Anna"
MAP = """
[oidc]
issuer = "https://login.example"
client_id = "nymlink"
client_secret_file = "none.txt"

[[allow]]
group = "analysts"
roles = ["analyst"]
projects = ["p"]
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("vault.db").touch()
    monkeypatch.delenv("NYMLINK_VAULT", raising=False)


def _said(*words: str, given: str = "", status: int = 0) -> str:
    result = runner.invoke(app, ["web", *words], input=given)
    assert result.exit_code == status, result.output
    return result.output


def test_accounts_are_made_listed_changed_and_ended() -> None:
    made = json.loads(_said("account", "create", "anna", *VAULT, "--json", given=f"{WORDS}\n"))
    assert (made["name"], made["login"], made["ended"]) == ("anna", "password", None)
    accounts = Accounts(DeskStore.open(Path("vault.desk.db"), make=False))
    assert accounts.by_password("anna", WORDS) is not None
    assert WORDS not in _said("account", "password", "anna", *VAULT, given="andere vier woorden\r\n")
    assert accounts.by_password("anna", WORDS) is None
    assert accounts.by_password("anna", "andere vier woorden") is not None
    assert "anna\tpassword" in _said("account", "list", *VAULT)
    assert "has ended" in _said("account", "end", "anna", *VAULT)
    (listed,) = json.loads(_said("account", "list", *VAULT, "--json"))["items"]
    assert listed["ended"] is not None
    assert accounts.by_password("anna", "andere vier woorden") is None


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (("create", "anna"), ""),
        (("create", "anna"), "short\n"),
        (("create", " "), f"{WORDS}\n"),
        (("password", "anna"), f"{WORDS}\n"),
        (("end", "anna"), ""),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], given: str) -> None:
    DeskStore.open(Path("vault.desk.db"))
    told = _said("account", *words, *VAULT, given=given, status=1)
    assert not given.strip() or given.strip() not in told


def test_there_is_no_option_for_a_password() -> None:
    for verb in ("create", "password"):
        assert "--password" not in _said("account", verb, "--help")


def test_accounts_open_a_door_to_others_behind_tls_alone() -> None:
    Path("map.toml").write_text(MAP, encoding="utf-8")
    accounts = ("--accounts", "map.toml")
    elsewhere = ("--listen", "192.0.2.1:8650")
    assert "--public-url" in _said(*VAULT, *elsewhere, *accounts, status=2)
    assert "--public-url" in _said(
        *VAULT, *elsewhere, *accounts, "--public-url", "http://nymlink.example", status=2
    )
    assert "--listen" in _said(*VAULT, *elsewhere, status=2)
    DeskStore.open(Path("d.db"))
    front = ("front", "--socket", "s.sock", "--desk", "d.db")
    told = _said(*front, *elsewhere, *accounts, "--public-url", "https://nymlink.example", status=2)
    assert "client_secret_file" in told  # it got as far as the secret


def test_a_file_that_is_no_map_is_refused() -> None:
    assert runner.invoke(app, ["web", *VAULT, "--accounts", "none.toml"]).exit_code == 1
    Path("map.toml").write_text(
        "[[allow]]\naccount = 'anna'\nroles = ['boss']\nprojects = ['p']", encoding="utf-8"
    )
    told = str(runner.invoke(app, ["web", *VAULT, "--accounts", "map.toml"]).exception)
    assert "allow[0].roles[0]" in told
    assert "boss" not in told


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("::", False),
        ("a.example", False),
    ],
)
def test_which_addresses_are_of_this_machine_alone(host: str, *, is_own: bool) -> None:
    assert is_this_machine(host) is is_own
