"""web: tokens on the command line, and addresses that are refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app

runner = CliRunner()
VAULT = ("--vault", "vault.db")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("vault.db").touch()
    monkeypatch.delenv("NYMLINK_VAULT", raising=False)
    monkeypatch.delenv("NYMLINK_PROJECT", raising=False)


def _said(*words: str, status: int = 0) -> str:
    result = runner.invoke(app, ["web", *words])
    assert result.exit_code == status, result.output
    return result.output


def test_tokens_are_made_listed_and_revoked() -> None:
    made = json.loads(_said("token", "create", "--account", "chat", "--project", "p", *VAULT, "--json"))
    assert made["token"].startswith(f"nym_{made['id']}_")
    assert (made["verbs"], made["account"]) == ("give-back,pseudonymize", "chat")
    assert Path("vault.desk.db").stat().st_mode & 0o077 == 0
    (listed,) = json.loads(_said("token", "list", *VAULT, "--json"))["items"]
    assert listed["alive"] is True
    assert made["token"] not in json.dumps(listed)
    assert "revoked" in _said("token", "revoke", made["id"], *VAULT)
    (listed,) = json.loads(_said("token", "list", *VAULT, "--json"))["items"]
    assert listed["alive"] is False
    assert "chat" in _said("token", "list", *VAULT)
    shown = _said("token", "create", "--account", "b", "--project", "p", *VAULT, "--verbs", "restore, reveal")
    assert shown.startswith("nym_")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ((), "--vault"),
        ((*VAULT, "--listen", "127.0.0.1"), "--listen"),
        ((*VAULT, "--listen", "127.0.0.1:x"), "--listen"),
        ((*VAULT, "--listen", "127.0.0.1:70000"), "--listen"),
        ((*VAULT, "--listen", "0.0.0.0:8650"), "--listen"),
        ((*VAULT, "--listen", "192.0.2.1:8650"), "--listen"),
        ((*VAULT, "--listen", "example.org:8650"), "--listen"),
        ((*VAULT, "--listen", "[::]:8650"), "--listen"),
        (("--vault", "unix:/run/vault.sock"), "--desk"),
        (("token", "list"), "--desk"),
        (("token", "create", "--account", "a", "--project", "p", *VAULT, "--verbs", "x"), "--verbs"),
    ],
)
def test_what_cannot_be_is_wrong_usage(words: tuple[str, ...], option: str) -> None:
    assert option in _said(*words, status=2)


def test_others_reach_it_only_with_a_token_and_an_address() -> None:
    _said("token", "create", "--account", "a", "--project", "p", *VAULT)
    assert "--public-url" in _said(*VAULT, "--listen", "0.0.0.0:8650", status=2)
    (token,) = json.loads(_said("token", "list", *VAULT, "--json"))["items"]
    _said("token", "revoke", token["id"], *VAULT)
    assert "--listen" in _said(
        *VAULT, "--listen", "0.0.0.0:8650", "--public-url", "https://a.example", status=2
    )


def test_nothing_is_made_where_nothing_is(tmp_path: Path) -> None:
    desk, vault = ("--desk", "none.desk.db"), ("--vault", "none.db")
    make = ("create", "--account", "a", "--project", "p", *vault)
    for words in (("list", *desk), ("list", *vault), ("revoke", "0", *desk), ("revoke", "0", *vault), make):
        assert runner.invoke(app, ["web", "token", *words]).exit_code == 1
    assert [one.name for one in tmp_path.iterdir()] == ["vault.db"]
