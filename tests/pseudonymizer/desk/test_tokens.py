"""API tokens: what is made is found again, by nobody who has the file, and not after its end."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pseudonymizer.desk.store import DeskStore, desk_file
from pseudonymizer.desk.tokens import LONGEST_DAYS, Tokens
from pseudonymizer.errors import DeskStoreError, TokenRefusedError
from pseudonymizer.policy import Verb
from tests.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def tokens(tmp_path: Path, clock: FakeClock) -> Tokens:
    return Tokens(DeskStore.open(tmp_path / "desk.db"), clock)


def test_a_token_is_found_by_what_was_shown_once(tokens: Tokens) -> None:
    made = tokens.create("chat", "study-1", [Verb.PSEUDONYMIZE], days=7)
    found = tokens.of(made.written)
    assert found is not None
    assert (found.actor, found.project, found.verbs) == (
        "web:chat",
        "study-1",
        frozenset({Verb.PSEUDONYMIZE}),
    )
    assert made.written not in repr(made)
    assert tokens.all()[0].last_used == tokens.clock().date()


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "0", lambda t: t.upper(), lambda t: "x" + t]
)
def test_a_changed_token_is_none(tokens: Tokens, change: Callable[[str], str]) -> None:
    written = tokens.create("chat", "study-1", [Verb.PSEUDONYMIZE], days=7).written
    assert tokens.of(change(written)) is None


@pytest.mark.parametrize("text", ["", "nym", "nym_", "nym__", "nym_x_y", "a_b_c_d", "nym_\ud800_é", "_" * 9])
def test_other_text_is_no_token(tokens: Tokens, text: str) -> None:
    assert tokens.of(text) is None


def test_the_file_has_no_secret(tokens: Tokens, tmp_path: Path) -> None:
    written = tokens.create("chat", "study-1", [Verb.PSEUDONYMIZE], days=7).written
    assert written.rpartition("_")[2].encode() not in (tmp_path / "desk.db").read_bytes()
    assert (tmp_path / "desk.db").stat().st_mode & 0o077 == 0


def test_it_ends_and_can_be_revoked_at_once(tokens: Tokens, clock: FakeClock) -> None:
    ends, revoked = (tokens.create("chat", "study-1", [Verb.RESTORE], days=7) for _ in range(2))
    tokens.revoke(revoked.token.token_id)
    assert tokens.of(revoked.written) is None
    clock.advance(days=7, seconds=-1)
    assert tokens.of(ends.written) is not None
    clock.advance(seconds=1)
    assert tokens.of(ends.written) is None
    assert len(tokens.all()) == 2
    first = tokens.all()[1].revoked_at
    tokens.revoke(revoked.token.token_id)  # a second time changes nothing
    assert tokens.all()[1].revoked_at == first
    assert ends.token.expires_at - ends.token.created_at == timedelta(days=7)


@pytest.mark.parametrize(
    ("account", "verbs", "days"),
    [("", [Verb.RESTORE], 1), ("a\n", [Verb.RESTORE], 1), ("a", [], 1), ("a", [Verb.RESTORE], 0),
     ("a", [Verb.RESTORE], LONGEST_DAYS + 1), ("a" * 101, [Verb.RESTORE], 1)],
)  # fmt: skip
def test_what_cannot_be_a_token_is_refused(
    tokens: Tokens, account: str, verbs: list[Verb], days: int
) -> None:
    with pytest.raises(TokenRefusedError):
        tokens.create(account, "study-1", verbs, days=days)


def test_a_token_that_is_not_there_cannot_be_revoked(tokens: Tokens) -> None:
    with pytest.raises(TokenRefusedError, match="list"):
        tokens.revoke("0")


def test_another_file_is_no_desk(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"something else" * 100)
    with pytest.raises(DeskStoreError, match="--desk"):
        DeskStore.open(tmp_path / "x.db")


@pytest.mark.parametrize(
    ("vault", "place"),
    [("vault.db", "vault.desk.db"), ("sqlite:////a/v.db", "/a/v.desk.db"), ("a/v", "a/v.desk.db"),
     ("unix:/run/v.sock", None), ("postgresql+psycopg://h/d", None)],
)  # fmt: skip
def test_a_desk_lies_beside_a_vault_that_is_a_file(vault: str, place: str | None) -> None:
    assert desk_file(vault) == (None if place is None else Path(place))
