"""The way back: purpose, roles, approvals, grants, limits, decoys; all of it on record before a name
leaves."""

import logging

import pytest

from linkage.records import DocumentId, PersonName
from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    AuditUnavailableError,
    GrantInvalidError,
    InvalidTokenError,
    LimitExceededError,
    PurposeRequiredError,
    UnknownPseudonymError,
    VaultClosedError,
    VaultDamagedError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import approve, grant, lookup, request, restore, reveal, stored_forms
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role, roles_of, stored_roles, take_role
from pseudonymizer.vault.ways_back.decoys import add_decoy
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Jan"}, [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")]]
)
STRICT = ProjectSettings(single_approval=False, extra_approval_above=1, limit_capacity=5, limit_per_hour=60)


def filled(vault: Vault, settings: ProjectSettings | None = None) -> tuple[str, str]:
    vault.ensure_project("p", settings)
    pseudonyms = assign(RESULT, vault, project="p")
    vault.commit()
    by_surface = {m.mention.surface: pseudonyms[m.mention_id].label for m in RESULT.mentions}
    return by_surface["Jan Tolsma"], by_surface["Els Kok"]


def outcomes(vault: Vault, action: str) -> list[str]:
    return [event.outcome for event in vault.audit_events() if event.action == action]


def test_reveal_gives_the_fullest_name_and_all_forms(vault: Vault) -> None:
    jan, els = filled(vault)
    names = reveal(vault, project="p", pseudonyms=[jan, els], purpose="klacht 7", ticket="T1")
    assert {label: (n.name, set(n.forms)) for label, n in names.items()} == {
        jan: ("Jan Tolsma", {"Jan Tolsma", "Jan"}),
        els: ("Els Kok", {"Els Kok"}),
    }
    assert "Tolsma" not in repr(names)
    (event,) = [e for e in vault.audit_events() if e.action == "reveal"]
    assert (event.actor, event.purpose, event.ticket, set(event.subjects)) == (
        "tester",
        "klacht 7",
        "T1",
        {jan, els},
    )
    assert event.counts["self_approved"] == 1


@pytest.mark.parametrize("purpose", ["", "  \n"])
def test_no_purpose_no_name(vault: Vault, purpose: str) -> None:
    jan, _ = filled(vault)
    with pytest.raises(PurposeRequiredError):
        reveal(vault, project="p", pseudonyms=[jan], purpose=purpose)
    assert outcomes(vault, "reveal") == ["refused:no purpose"]


def test_all_or_none_and_what_was_typed_is_not_on_record(vault: Vault) -> None:
    jan, _ = filled(vault)
    with pytest.raises(UnknownPseudonymError):
        reveal(vault, project="p", pseudonyms=[jan, "Wim Bos"], purpose="toets")
    with pytest.raises(InvalidTokenError):
        reveal(vault, project="p", pseudonyms=["P1-00000000000000000000"], purpose="toets")
    assert outcomes(vault, "reveal") == ["refused:unknown pseudonym"] * 2
    assert not any("Bos" in str(e.subjects) + e.purpose for e in vault.audit_events())


def test_the_intent_is_durable_before_a_name_leaves(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.create() as vault:
        jan, _ = filled(vault)
        seen: list[list[str]] = []

        def peek(*_: object) -> object:
            with place.open() as other:
                seen.append(outcomes(other, "reveal"))
            raise VaultDamagedError("damaged")

        monkeypatch.setattr("pseudonymizer.vault.rows.people.facts_of", peek)
        with pytest.raises(VaultDamagedError):
            reveal(vault, project="p", pseudonyms=[jan], purpose="toets")
        assert seen == [["allowed"]]
        assert outcomes(vault, "reveal") == ["allowed", "failed"]


def test_without_audit_nothing_is_revealed(vault: Vault) -> None:
    jan, _ = filled(vault)
    vault.begin_keys()
    vault.keystore.destroy_project_key(0, "audit", 0)
    vault.key_records.commit()
    vault.rollback()
    with pytest.raises(AuditUnavailableError):
        reveal(vault, project="p", pseudonyms=[jan], purpose="toets")


def test_uncommitted_work_must_be_settled_first(vault: Vault) -> None:
    jan, _ = filled(vault)
    vault.begin()
    with pytest.raises(VaultClosedError):
        reveal(vault, project="p", pseudonyms=[jan], purpose="toets")


def test_roles_end_the_embedded_default(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, _ = filled(vault)
        assert roles_of(vault, "anyone") == frozenset(Role)
        give_role(vault, "ana", Role.ANALYST)
        give_role(vault, "rik", Role.REQUESTER)
        vault.commit()
    for actor in ("ana", "onbekend"):
        with place.open(actor) as vault:
            with pytest.raises(AccessRefusedError) as caught:
                reveal(vault, project="p", pseudonyms=[jan], purpose="toets")
            assert "Tolsma" not in str(caught.value)
            with pytest.raises(AccessRefusedError):
                lookup(vault, project="p", name="Jan Tolsma", purpose="toets")
    with place.open("rik") as vault:
        with pytest.raises(GrantInvalidError):
            reveal(vault, project="p", pseudonyms=[jan], purpose="toets")
        refused = [(e.actor, e.action) for e in vault.trail.events() if e.outcome.startswith("refused")]
    assert refused == [
        ("ana", "reveal"),
        ("ana", "lookup"),
        ("onbekend", "reveal"),
        ("onbekend", "lookup"),
        ("rik", "reveal"),
    ]


def test_an_edited_role_is_refused(vault: Vault) -> None:
    jan, _ = filled(vault)
    give_role(vault, "ana", Role.ANALYST)
    vault.commit()
    vault.begin()
    vault.store.run_many("UPDATE actor_role SET role = ?", [("requester",)])
    vault.store.commit()
    with pytest.raises(VaultDamagedError):
        reveal(vault, project="p", pseudonyms=[jan], purpose="toets")


def test_request_two_approvals_grant_reveal_once(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, els = filled(vault, STRICT)
        for actor, role in (
            ("rik", Role.REQUESTER),
            ("rik", Role.APPROVER),
            ("an", Role.APPROVER),
            ("bo", Role.APPROVER),
        ):
            give_role(vault, actor, role)
        vault.commit()
    with place.open("rik") as vault:
        asked = request(vault, project="p", pseudonyms=[jan, els], purpose="klacht", legal_basis="AVG 6(1)c")
        assert asked.approvals_needed == 2
        with pytest.raises(AccessRefusedError, match="own"):
            approve(vault, asked.request_id)
        with pytest.raises(GrantInvalidError, match="0 of 2"):
            grant(vault, asked.request_id)
    for actor in ("an", "an", "bo"):
        with place.open(actor) as vault:
            approved = approve(vault, asked.request_id)
    assert approved.approvers == ("an", "bo")
    with place.open("rik") as vault:
        given = grant(vault, asked.request_id)
        with pytest.raises(GrantInvalidError, match="set of pseudonyms"):
            reveal(vault, project="p", pseudonyms=[jan], purpose="klacht", grant=given)
        with pytest.raises(GrantInvalidError, match="forged"):
            reveal(vault, project="p", pseudonyms=[jan, els], purpose="klacht", grant=given[:-1] + "x")
    with place.open("an") as vault, pytest.raises(AccessRefusedError):
        reveal(vault, project="p", pseudonyms=[jan, els], purpose="klacht", grant=given)
    with place.open("rik") as vault:
        assert len(reveal(vault, project="p", pseudonyms=[jan, els], purpose="klacht", grant=given)) == 2
        with pytest.raises(GrantInvalidError, match="once"):
            reveal(vault, project="p", pseudonyms=[jan, els], purpose="klacht", grant=given)
        trail = [e.action for e in vault.trail.events() if e.outcome == "done"]
        asked_for = [action for action in trail if action in {"request", "approve", "grant"}]
        assert asked_for == ["request", "approve", "approve", "approve", "grant"]


def test_a_grant_expires(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, _ = filled(vault)
        asked = request(vault, project="p", pseudonyms=[jan], purpose="klacht")
        approve(vault, asked.request_id)
        given = grant(vault, asked.request_id)
        place.clock.advance(minutes=61)
        with pytest.raises(GrantInvalidError, match="expired"):
            reveal(vault, project="p", pseudonyms=[jan], purpose="klacht", grant=given)


def test_limits_hold_for_each_actor_and_come_back(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, els = filled(vault, ProjectSettings(limit_capacity=3, limit_per_hour=60))
        reveal(vault, project="p", pseudonyms=[jan, els], purpose="toets")
        with pytest.raises(LimitExceededError):
            reveal(vault, project="p", pseudonyms=[jan, els], purpose="toets")
        assert outcomes(vault, "reveal")[-1] == "refused:limit"
        place.clock.advance(minutes=1)
        reveal(vault, project="p", pseudonyms=[jan, els], purpose="toets")
    with place.open("ander") as vault:
        reveal(vault, project="p", pseudonyms=[jan, els], purpose="toets")


def test_a_decoy_raises_an_alarm(vault: Vault, caplog: pytest.LogCaptureFixture) -> None:
    filled(vault)
    label = add_decoy(
        vault, project="p", name=PersonName(given="otto", family="lokvogel"), surface="Otto Lokvogel"
    )
    vault.commit()
    assert len(vault.known_identities("p")) == 2
    with caplog.at_level(logging.WARNING):
        found = reveal(vault, project="p", pseudonyms=[label], purpose="toets")
    assert found[label].name == "Otto Lokvogel"
    assert outcomes(vault, "alarm") == ["decoy revealed"]
    assert "alarm" in caplog.text
    assert "Lokvogel" not in caplog.text


def test_restore_and_lookup(vault: Vault) -> None:
    pseudonyms = assign(RESULT, vault, project="p")
    jan = pseudonyms[min(pseudonyms)]
    edits = (
        RewriteEdit(0, "kop", 0, 23, b"Jan Tolsma", jan.entity_id),
        RewriteEdit(1, "", 30, 30, b"x", None),
    )
    rewrite = Rewrite(DocumentId("d1"), "txt", edits, "map/brief.txt")
    other = Rewrite(DocumentId("d2"), "txt", (RewriteEdit(0, "kop", 0, 23, b"J. Tolsma", jan.entity_id),))
    vault.store_rewrites("p", [(rewrite, b"uit"), (other, b"uit")])
    vault.commit()
    found = restore(
        vault,
        project="p",
        outputs=[b"uit", b"anders", b"uit"],
        purpose="t",
        doc_ids=[DocumentId("d1"), None, DocumentId("d2")],
    )
    assert found == (rewrite, None, other)
    result = lookup(vault, project="p", name="jan  TOLSMA", purpose="inzage")
    assert result.pseudonyms == (jan.label,)
    assert set(result.paths) == {"map/brief.txt", "d2"}
    full = lookup(vault, project="p", name=PersonName(given="jan", family="tolsma"), purpose="inzage")
    assert full.pseudonyms == result.pseudonyms
    assert lookup(vault, project="p", name="Wim", purpose="inzage").pseudonyms == ()
    assert not any("olsma" in str(e.subjects) + e.purpose for e in vault.audit_events())
    assert stored_forms(vault, project="p", labels=[jan.label, "P9-x"], purpose="t") == {
        jan.label: "Jan Tolsma"
    }


def test_storing_a_document_again_replaces_its_edits(vault: Vault) -> None:
    pseudonyms = assign(RESULT, vault, project="p")
    jan = pseudonyms[min(pseudonyms)]
    for original in (b"een", b"twee"):
        edit = RewriteEdit(0, "", 0, 3, original, jan.entity_id)
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,)), output=b"uit" + original)
        vault.commit()
    old, new = restore(vault, project="p", outputs=[b"uiteen", b"uittwee"], purpose="t")
    assert old is None
    assert new is not None
    assert new.edits[0].original == b"twee"
    assert vault.verify().findings == ()


def test_roles_are_given_by_who_may_and_someone_always_may(place: VaultPlace) -> None:
    with place.create() as vault:
        filled(vault)
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
        assert stored_roles(vault) == (("ana", Role.ANALYST), ("tester", Role.DPO))
        with pytest.raises(AccessRefusedError, match="last"):
            take_role(vault, "tester", Role.DPO)
        vault.rollback()
        with pytest.raises(AccessRefusedError):
            assign(RESULT, vault, project="p")
    with place.open("ana") as vault:
        assign(RESULT, vault, project="p")
        vault.commit()
        with pytest.raises(AccessRefusedError):
            give_role(vault, "ana", Role.REQUESTER)
        with pytest.raises(AccessRefusedError):
            list(vault.audit_events())


def test_changed_settings_are_on_record(vault: Vault) -> None:
    filled(vault)
    vault.change_settings("p", ProjectSettings(single_approval=False))
    vault.commit()
    assert vault.project_settings("p").single_approval is False
    (event,) = [e for e in vault.audit_events() if e.action == "project.settings"]
    assert event.subjects == ("single_approval: True -> False",)
