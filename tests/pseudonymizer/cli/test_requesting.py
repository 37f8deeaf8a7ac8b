"""Requests: listed, shown, denied and withdrawn, in the state that they are in, to whom they concern."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from pseudonymizer import open_vault
from pseudonymizer.errors import AccessRefusedError, GrantInvalidError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.records import RequestState
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
VAULT = STORE[:4]
ROLES = {"rik": Role.REQUESTER, "ria": Role.REQUESTER, "apo": Role.APPROVER, "aud": Role.AUDITOR}


@pytest.fixture
def asked(nymlink: Nymlink, corpus: Path) -> Path:
    """A vault with roles, in which rik asks for two people and ria for one."""
    nymlink("run", "in", "--out", "out", *STORE)
    labels = [word for word in (corpus / "out" / "a.txt").read_text().split() if word.startswith("PERS")]
    labels = [label.rstrip(".") for label in labels]
    assert len(labels) == 2
    for actor, role in ROLES.items():
        nymlink("vault", "roles", "give", actor, str(role), *VAULT)
    about = ("--purpose", "klacht 7", "--legal-basis", "art. 6", *STORE)
    assert nymlink("request", *labels, *about, "--actor", "rik").status == 0
    assert nymlink("request", labels[0], *about, "--actor", "ria").status == 0
    return corpus


def listed(nymlink: Nymlink, actor: str, *more: str) -> dict[int, str]:
    done = nymlink("requests", "list", "--json", *VAULT, "--actor", actor, *more)
    assert done.status == 0, done.err
    rows = json.loads(done.out)["items"]
    return {row["request"]: row["state"] for row in rows}


def test_an_approver_sees_who_asks_for_what_and_why(nymlink: Nymlink, asked: Path) -> None:
    lines = nymlink("requests", "list", *VAULT, "--actor", "apo").out.splitlines()
    first = ["1", "open", "rik", "p", "reveal", "0 of 1 approvals", "2 pseudonyms", "klacht 7"]
    assert lines[0].split("\t") == first
    shown = json.loads(nymlink("requests", "show", "2", "--json", *VAULT, "--actor", "apo").out)
    assert (shown["requester"], shown["legal_basis"], shown["pseudonyms"]) == ("ria", "art. 6", 1)
    assert len(shown["subjects"]) == 1
    assert asked.exists()


def test_a_requester_sees_the_own_ones_alone(nymlink: Nymlink, asked: Path) -> None:
    assert listed(nymlink, "rik") == {1: "open"}
    assert nymlink("requests", "show", "2", *VAULT, "--actor", "rik").status == 3
    assert listed(nymlink, "aud", "--project", "p") == {1: "open", 2: "open"}
    nymlink("vault", "roles", "give", "ana", "analyst", *VAULT)
    assert nymlink("requests", "list", *VAULT, "--actor", "ana").status == 3
    assert asked.exists()


def test_states_are_told_as_they_are(nymlink: Nymlink, asked: Path) -> None:
    assert "request 1: approved, 1 of 1 approvals" in nymlink("approve", "1", *VAULT, "--actor", "apo").out
    assert listed(nymlink, "apo") == {1: "approved", 2: "open"}
    nymlink("grant", "1", *VAULT, "--actor", "rik")
    assert listed(nymlink, "apo") == {1: "granted", 2: "open"}
    assert "request 2: denied" in nymlink("deny", "2", *VAULT, "--actor", "apo").out
    assert listed(nymlink, "apo") == {1: "granted", 2: "denied"}
    assert listed(nymlink, "apo", "--waiting") == {}
    assert nymlink("approve", "2", *VAULT, "--actor", "apo").status == 3
    assert asked.exists()


def test_what_was_denied_or_withdrawn_gives_no_names(nymlink: Nymlink, asked: Path) -> None:
    nymlink("approve", "1", *VAULT, "--actor", "apo")
    permit = nymlink("grant", "1", *VAULT, "--actor", "rik").out.strip()
    assert nymlink("withdraw", "1").status == 2  # it is a verb of requests
    assert nymlink("requests", "withdraw", "1", *VAULT, "--actor", "ria").status == 3
    assert nymlink("requests", "withdraw", "1", *VAULT, "--actor", "rik").status == 0
    shown = json.loads(nymlink("requests", "show", "1", "--json", *VAULT, "--actor", "rik").out)
    subjects = shown["subjects"]
    about = ("--purpose", "klacht 7", *STORE, "--actor", "rik", "--out", "names")
    assert nymlink("reveal", *subjects, *about, "--grant", permit).status == 3
    assert not (asked / "names").exists()
    assert nymlink("requests", "withdraw", "1", *VAULT, "--actor", "rik").status == 3


def test_a_denial_has_its_reason_on_record_and_for_who_asked(nymlink: Nymlink, asked: Path) -> None:
    why = "de klacht is ingetrokken"
    assert nymlink("deny", "1", "--reason", "x" * 2001, *VAULT, "--actor", "apo").status != 0
    assert listed(nymlink, "apo")[1] == "open"
    assert nymlink("deny", "1", "--reason", f" {why} ", *VAULT, "--actor", "apo").status == 0
    nymlink("deny", "2", *VAULT, "--actor", "apo")
    for actor in ("rik", "aud"):
        shown = json.loads(nymlink("requests", "show", "1", "--json", *VAULT, "--actor", actor).out)
        assert (shown["state"], shown["denied_for"], shown["purpose"]) == ("denied", why, "klacht 7")
    items = json.loads(nymlink("requests", "list", "--json", *VAULT, "--actor", "aud").out)["items"]
    assert {one["request"]: one["denied_for"] for one in items} == {1: why, 2: ""}
    with open_vault("v.db", FileKey(Path("k.key")), actor="aud") as vault:
        told = {
            event.counts["request"]: event.purpose for event in vault.audit_events() if event.action == "deny"
        }
        assert told[1] == why
        assert told[2] != ""
        assert vault.verify_audit() > 0
        vault.rollback()
    assert asked.exists()


def test_the_end_of_a_request_is_on_record_and_time_ends_one_too(nymlink: Nymlink, asked: Path) -> None:
    nymlink("deny", "1", *VAULT, "--actor", "apo")
    with open_vault("v.db", FileKey(Path("k.key")), actor="aud") as vault:
        (event,) = [event for event in vault.audit_events() if event.action == "deny"]
        assert (event.actor, event.counts["request"]) == ("apo", 1)
        (open_one,) = [one for one in vault.requests() if one.request_id == 2]
        assert open_one.standing(open_one.expires_at + timedelta(seconds=1)) is RequestState.EXPIRED
        with pytest.raises(AccessRefusedError):
            vault.deny(2)
    with (
        open_vault("v.db", FileKey(Path("k.key")), actor="apo") as vault,
        pytest.raises(GrantInvalidError, match="is denied"),
    ):
        vault.deny(1)
    assert asked.exists()


def test_lists_with_nothing_in_them_say_so(nymlink: Nymlink, corpus: Path) -> None:
    for verb, told in (
        ("requests list", "no requests"),
        ("vault projects", "no projects: `nymlink run` makes"),
    ):
        done = nymlink(*verb.split(), *VAULT)
        assert (done.status, done.out) == (0, "")
        assert done.err.startswith(told)
    assert corpus.exists()
