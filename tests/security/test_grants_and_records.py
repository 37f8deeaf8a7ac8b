"""A grant serves what was asked alone; what people type forges no line of the trail, and is not endless."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.cli import access, options
from pseudonymizer.errors import GrantInvalidError, SettingsError
from pseudonymizer.policy import Role, Verb
from pseudonymizer.reidentification import approve, grant, request, reveal
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import MOST_ACTOR, MOST_PURPOSE, MOST_TICKET
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.store.core import MOST_NAME
from pseudonymizer.vault.ways_back.runkeys import MOST_RUN
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

RESULT = linkage_result({"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
FORGED: Final = "x\n99\t2026-01-01\tboss\tdpo\tp\treveal\tallowed\tniets\tgeen\x1b[2K\u2028\u202e"


@pytest.fixture
def place(tmp_path: Path) -> VaultPlace:
    return sqlite_place_in(tmp_path)


def as_actor(place: VaultPlace, actor: str) -> Vault:
    return Vault.open(place.url, place.key, clock=place.clock, actor=actor)


def granted(place: VaultPlace) -> tuple[list[str], str]:
    """The labels of two people in each of two projects, and anna's grant for the first, for one purpose."""
    with place.create() as vault:
        for name in ("q", "p"):
            vault.ensure_project(name, ProjectSettings(single_approval=False))
            given = assign(RESULT, vault, project=name)
        labels = [given[m.mention_id].label for m in RESULT.mentions]
        vault.give_role("anna", Role.REQUESTER)
        vault.give_role("anton", Role.REQUESTER)
        vault.give_role("bob", Role.APPROVER)
        vault.commit()
    with as_actor(place, "anna") as vault:
        asked = request(vault, project="p", pseudonyms=labels[:1], purpose="klacht 7")
    with as_actor(place, "bob") as vault:
        approve(vault, asked.request_id)
    with as_actor(place, "anna") as vault:
        return labels, grant(vault, asked.request_id)


@pytest.mark.parametrize("what", ["purpose", "more", "other", "actor", "project"])
def test_a_grant_serves_its_purpose_its_people_its_requester_and_its_project(
    place: VaultPlace, what: str
) -> None:
    labels, permit = granted(place)
    asked = {
        "purpose": ("anna", "p", labels[:1], "nieuwsgierig"),
        "more": ("anna", "p", labels, "klacht 7"),
        "other": ("anna", "p", labels[1:], "klacht 7"),
        "actor": ("anton", "p", labels[:1], "klacht 7"),
        "project": ("anna", "q", [], "klacht 7"),
    }[what]
    actor, project, people, purpose = asked
    with as_actor(place, actor) as vault, pytest.raises(GrantInvalidError):
        reveal(vault, project=project, pseudonyms=people, purpose=purpose, grant=permit)
    with as_actor(place, "anna") as vault:
        found = reveal(vault, project="p", pseudonyms=labels[:1], purpose=" klacht 7 ", grant=permit)
        assert [name.name for name in found.values()] == ["Jan Tolsma"]
        refused = [e for e in vault.trail.events() if e.outcome == "refused:grant"]
        assert [e.actor for e in refused] == [actor]


def test_what_people_type_forges_no_line_on_screen(
    place: VaultPlace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.create() as vault:
        given = assign(RESULT, vault, project="p")
        vault.commit()
        label = next(iter(given.values())).label
        reveal(vault, project="p", pseudonyms=[label], purpose=FORGED, ticket=FORGED)
        count = vault.verify_audit()
        assert vault.verify().findings == ()
    with place.open() as vault:
        monkeypatch.setattr(options, "vault_opener", lambda *_: lambda: vault)
        access.audit_list(vault=place.url)
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) == count
    assert all(len(line.split("\t")) == 10 for line in shown.split("\n")[:-1])
    assert "x\\n99\\t2026-01-01" in shown
    assert not any(not c.isprintable() for c in shown if c not in "\t\n")


@pytest.mark.parametrize(
    "act",
    [
        lambda v, label: reveal(v, project="p", pseudonyms=[label], purpose="x" * (MOST_PURPOSE + 1)),
        lambda v, label: reveal(
            v, project="p", pseudonyms=[label], purpose="x", ticket="x" * (MOST_TICKET + 1)
        ),
        lambda v, label: request(
            v, project="p", pseudonyms=[label], purpose="x", legal_basis="x" * (MOST_PURPOSE + 1)
        ),
        lambda v, label: erase(v, project="p", pseudonyms=[label], purpose="x" * (MOST_PURPOSE + 1)),
        lambda v, _: v.give_role("x" * (MOST_ACTOR + 1), Role.DPO),
        lambda v, _: v.give_role("boss\nstranger", Role.DPO),
        lambda v, _: v.give_role(" ", Role.DPO),
        lambda v, _: v.ensure_project("x" * (MOST_NAME + 1)),
        lambda v, _: v.ensure_project("p\x1b[2J"),
        lambda v, _: v.hand_out(project="p", run="x" * (MOST_RUN + 1), hours=1, purpose="x"),
        lambda v, _: v.hand_out(project="p", run="r\n99", hours=1, purpose="x"),
    ],
    ids=[
        "purpose",
        "ticket",
        "legal basis",
        "erasure",
        "long actor",
        "actor of two lines",
        "no actor",
        "long project",
        "project that clears the screen",
        "long run",
        "run of two lines",
    ],
)
def test_what_is_recorded_has_a_length_and_actors_a_name(
    place: VaultPlace, act: Callable[[Vault, str], object]
) -> None:
    with place.create() as vault:
        given = assign(RESULT, vault, project="p")
        vault.commit()
        label = next(iter(given.values())).label
        count = vault.verify_audit()
        with pytest.raises(SettingsError):
            act(vault, label)
        vault.rollback()
        assert vault.verify_audit() <= count + 1  # an error after the intent is on record
        found = reveal(vault, project="p", pseudonyms=[label], purpose="x" * MOST_PURPOSE)
        assert found
        assert Verb.REVEAL in {e.action for e in vault.trail.events()}
