"""One call of a caller: its rights, then its arguments, then its work, which is durable or was never done."""

import msgspec
import pytest

from pseudonymizer.errors import AccessRefusedError, UnknownPseudonymError
from pseudonymizer.policy import Role
from pseudonymizer.service.calls import Session, run_verb
from pseudonymizer.service.verbs import VERBS
from pseudonymizer.vault import messages, wire
from tests.pseudonymizer.conftest import VaultPlace


def call(verb: str, arguments: object) -> wire.Call:
    return wire.Call(verb, msgspec.Raw(wire.encode(arguments)))


def test_what_a_verb_did_is_durable_when_it_returns(place: VaultPlace) -> None:
    with place.create("boss") as vault, place.open() as other:
        raw = run_verb(Session(vault), call("ensure_project", {"project": "p"}))
        assert wire.decode(raw, messages.Nothing) == messages.Nothing()
        assert other.projects() == ("p",)
        assert not vault.has_open_work()


def test_a_verb_that_fails_leaves_nothing(place: VaultPlace) -> None:
    with place.create("boss") as vault:
        vault.ensure_project("p")
        vault.commit()
        with pytest.raises(UnknownPseudonymError):
            run_verb(
                Session(vault), call("erase", {"project": "p", "pseudonyms": ["geen"], "purpose": "verzoek"})
            )
        assert not vault.has_open_work()


def test_rights_come_before_arguments(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create("boss") as vault:
        vault.give_role("ana", Role.ANALYST)
        vault.commit()
    with sqlite_place.open("ana") as vault:
        with pytest.raises(AccessRefusedError):
            run_verb(Session(vault), call("reveal", "no arguments at all"))
        with pytest.raises(wire.FrameRefusedError):
            run_verb(Session(vault), call("work_key", {"project": "p", "more": 1}))
        with pytest.raises(wire.FrameRefusedError, match="no such verb"):
            run_verb(Session(vault), call("__class__", {}))


def test_every_verb_says_who_may_ask() -> None:
    assert all(served.needs for served in VERBS.values())
