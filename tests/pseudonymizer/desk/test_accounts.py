"""Accounts: kept by hash, found by name and password or by subject, ended for good."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pseudonymizer.desk.accounts import Accounts
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.errors import AccountRefusedError

WORDS = "vier woorden voor Anna"


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return Accounts(DeskStore.open(tmp_path / "desk.db"))


def test_a_password_is_kept_as_a_hash_of_its_own(accounts: Accounts, tmp_path: Path) -> None:
    made = accounts.create("anna", WORDS)
    accounts.create("dirk", WORDS)
    content = (tmp_path / "desk.db").read_bytes()
    assert WORDS.encode() not in content
    assert content.count(b"$argon2id$v=19$m=65536,t=3,p=4$") == 2
    hashes = {part[:60] for part in content.split(b"$argon2id$v=19$m=65536,t=3,p=4$")[1:]}
    assert len(hashes) == 2  # the salts differ
    assert made.actor == "web:anna"
    assert WORDS not in repr(accounts.all())
    found = accounts.by_password("anna", WORDS)
    assert found is not None
    assert found.account_id == made.account_id
    assert accounts.all()[0].last_login == datetime.now(UTC).date()
    for name, password in (("anna", WORDS.lower()), ("anna", ""), ("", WORDS), ("Anna", WORDS), ("a", WORDS)):
        assert accounts.by_password(name, password) is None


@pytest.mark.parametrize("name", ["", " ", " anna", "anna ", "an\nna", "x" * 101, "a\u200bb"])
def test_a_name_that_nobody_could_read_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(AccountRefusedError, match="a name of"):
        accounts.create(name, WORDS)


@pytest.mark.parametrize(
    "password", ["", "short", "elevenchars", "x" * 1001, "aaaaaaaaaaaaaaa", "anna anna anna 1"]
)
def test_a_weak_password_is_refused(accounts: Accounts, password: str) -> None:
    with pytest.raises(AccountRefusedError) as caught:
        accounts.create("anna", password)
    assert not password or password not in str(caught.value)
    assert accounts.all() == ()


def test_an_account_ends_for_good(accounts: Accounts) -> None:
    made = accounts.create("anna", WORDS)
    assert accounts.has_stayed(made.account_id, made.created_at)
    ended = accounts.end("anna")
    assert ended.ended_at is not None
    assert accounts.by_password("anna", WORDS) is None
    assert not accounts.has_stayed(made.account_id, datetime.now(UTC) + timedelta(days=1))
    with pytest.raises(AccountRefusedError, match="no living account"):
        accounts.end("anna")
    with pytest.raises(AccountRefusedError, match="no living account"):
        accounts.set_password("anna", WORDS)
    with pytest.raises(AccountRefusedError, match="is there, or was"):
        accounts.create("anna", WORDS)


def test_a_new_password_ends_what_the_old_one_began(accounts: Accounts) -> None:
    made = accounts.create("anna", WORDS)
    before = datetime.now(UTC)
    accounts.set_password("anna", "andere vier woorden")
    assert accounts.by_password("anna", WORDS) is None
    assert accounts.by_password("anna", "andere vier woorden") is not None
    assert not accounts.has_stayed(made.account_id, before)
    assert accounts.has_stayed(made.account_id, datetime.now(UTC))


def test_a_subject_of_a_provider_keeps_its_account(accounts: Accounts) -> None:
    accounts.create("anna", WORDS)
    first = accounts.by_provider("https://a.example", "s-1", "eva")
    assert first.is_by_provider
    assert accounts.by_provider("https://a.example", "s-1", "renamed").name == "eva"
    for issuer, subject, name in (
        ("https://a.example", "s-2", "eva"), ("https://b.example", "s-1", "eva"),
        ("https://a.example", "s-3", "anna"),
    ):  # fmt: skip
        with pytest.raises(AccountRefusedError):
            accounts.by_provider(issuer, subject, name)
    assert accounts.by_password("eva", "") is None
    with pytest.raises(AccountRefusedError):
        accounts.set_password("eva", WORDS)
    accounts.end("eva")
    with pytest.raises(AccountRefusedError, match="has ended"):
        accounts.by_provider("https://a.example", "s-1", "eva")
