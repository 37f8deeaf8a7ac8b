"""How a vault service answers one call: permission first, then the arguments; durable, or nothing at all."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pseudonymizer.errors import AccessRefusedError, ServiceError, UnknownProjectError
from pseudonymizer.policy import Role, Verb
from pseudonymizer.service import verbs
from pseudonymizer.service.calls import VERBS, Session, run_verb, serve
from pseudonymizer.vault import wire
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.remote.messages import Nothing, OfText, WireVerb
from tests.pseudonymizer.conftest import VaultPlace

ECHO = WireVerb("test echo", OfText, str)


@pytest.fixture
def session(sqlite_place: VaultPlace) -> Iterator[Session]:
    """A session of an analyst, with a verb of its own that makes a project of the text."""

    @serve(ECHO, Verb.PSEUDONYMIZE)
    def echo(session: Session, asked: OfText) -> str:
        session.vault.ensure_project(asked.project)
        if asked.text == "fault":
            raise ZeroDivisionError(asked.text)
        return asked.text

    with sqlite_place.create() as vault:
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
        vault.actor = "ana"
        yield Session(vault)
    del VERBS[ECHO.name]


def call(verb: str, arguments: Any) -> wire.Call:
    return wire.Call(verb, msgspec.Raw(wire.encode(arguments)))


def asked(text: str) -> OfText:
    return OfText(project="p", text=text)


def test_a_result_is_given_in_its_bytes_and_what_was_done_is_durable(
    session: Session, sqlite_place: VaultPlace
) -> None:
    assert wire.decode(run_verb(session, call(ECHO.name, asked("één"))), str) == "één"
    assert not session.vault.has_open_work()
    with sqlite_place.open() as other:
        assert other.projects() == ("p",)


def test_a_fault_leaves_nothing_behind(session: Session) -> None:
    with pytest.raises(ZeroDivisionError):
        run_verb(session, call(ECHO.name, asked("fault")))
    assert not session.vault.has_open_work()
    assert session.vault.projects() == ()


def test_a_verb_that_is_not_there_is_refused(session: Session) -> None:
    with pytest.raises(wire.FrameRefusedError, match="no such verb"):
        run_verb(session, call("test other", Nothing()))


def test_who_may_not_is_refused_before_the_arguments_are_looked_at(session: Session) -> None:
    session.vault.actor = "nobody"
    with pytest.raises(AccessRefusedError):
        run_verb(session, call(ECHO.name, {"not": "what it asks for"}))
    session.vault.actor = "ana"
    with pytest.raises(ServiceError, match="type of its place"):
        run_verb(session, call(ECHO.name, {"not": "what it asks for"}))


def test_a_refusal_is_on_record_under_the_name_of_the_caller(session: Session) -> None:
    session.vault.actor = "nobody"
    with pytest.raises(AccessRefusedError):
        run_verb(session, call(ECHO.name, asked("x")))
    session.vault.actor = "tester"
    (event,) = [one for one in session.vault.audit_events() if one.outcome.startswith("refused")]
    assert event.actor == "nobody"


def test_an_error_of_ours_passes_with_its_words(session: Session) -> None:
    with pytest.raises(UnknownProjectError, match="nymlink vault projects"):
        run_verb(session, call("project_settings", {"project": "nowhere"}))


def test_without_lists_of_names_no_surrogate_can_be_made(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault, pytest.raises(ServiceError, match="without lists of names"):
        _ = Session(vault).invented.pool


def test_no_repr_tells_what_a_session_works_with(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        assert "linker" not in repr(Session(vault))


def test_every_verb_says_who_may_ask_for_it() -> None:
    assert "reveal" in verbs.VERBS
    assert all(served.needs for served in verbs.VERBS.values())
