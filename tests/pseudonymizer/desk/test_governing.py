"""Erasures, settings and roles: by who may, on record, and nothing changes where it is refused."""

from typing import Any

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.governing import (
    change_project,
    change_role,
    erase,
    plan_erasure,
    roles,
    settings,
    with_workspaces,
)
from pseudonymizer.desk.steward_answered import Erased, RolesShown
from pseudonymizer.desk.steward_asked import ChangeProject, ChangeRole, Erase, ListRoles, PlanErasure
from pseudonymizer.errors import (
    AccessRefusedError,
    PurposeRequiredError,
    SettingsError,
    UnknownProjectError,
    UnknownPseudonymError,
)
from pseudonymizer.policy import Role
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.folders import WORKSPACE_LEFT
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

PROJECT = "p"
DPO, ANALYST = "web:dpo", "web:anna"


@pytest.fixture
def place(sqlite_place: VaultPlace) -> VaultPlace:
    with sqlite_place.create() as made:
        made.commit()
    return sqlite_place


def filled(vault: Vault) -> tuple[str, str]:
    """The labels of Jan and Els, who are in the vault by now."""
    result = linkage_result({"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
    made = assign(result, vault, project=PROJECT)
    vault.commit()
    jan, els = (made[one.mention_id].label for one in result.mentions)
    return jan, els


def with_roles(place: VaultPlace) -> tuple[str, str]:
    """See filled; a data protection officer and an analyst have their roles."""
    with place.open(DPO) as vault:
        labels = filled(vault)
        vault.give_role(DPO, Role.DPO)
        vault.give_role(ANALYST, Role.ANALYST)
        vault.commit()
    return labels


def changed(**fields: Any) -> ChangeProject:
    told: dict[str, Any] = {
        "project": PROJECT, "single_approval": True, "approvals_needed": 2, "extra_approval_above": 7,
        "grant_minutes": 5, "limit_capacity": 11, "limit_per_hour": 3, "retention_days": 30,
    }  # fmt: skip
    return ChangeProject(**(told | fields))


# -- erasures ------------------------------------------------------------------------------------------------


def test_a_plan_tells_what_an_erasure_destroys_and_changes_nothing(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        jan, els = filled(vault)
        plan = plan_erasure(vault, PROJECT, PlanErasure(pseudonyms=(jan,), purpose="art. 17"))
        assert (plan.people, plan.pseudonyms) == (1, (jan,))
        both = plan_erasure(vault, PROJECT, PlanErasure(pseudonyms=(jan, els), purpose="art. 17"))
        assert (both.people, set(both.pseudonyms)) == (2, {jan, els})
        assert len(vault.known_identities(PROJECT)) == 2
        assert "Tolsma" not in repr(plan)


def test_an_erasure_has_a_receipt_and_the_others_stay(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        jan, els = filled(vault)
        receipt = erase(vault, PROJECT, Erase(pseudonyms=(jan,), purpose="art. 17", ticket="AVG-3"))
        assert (receipt.project, receipt.pseudonyms) == (PROJECT, (jan,))
        assert receipt.at == place.clock().isoformat()
        assert receipt.audit_sequence == vault.last_event
        assert sum(receipt.rows.values()) > 0
        assert "Tolsma" not in str(receipt)
    with place.open(DPO) as vault:
        (left,) = vault.known_identities(PROJECT)
        assert left.names[0].family == "kok"
        with pytest.raises(UnknownPseudonymError):
            erase(vault, PROJECT, Erase(pseudonyms=(jan,), purpose="art. 17"))
        assert erase(vault, PROJECT, Erase(pseudonyms=(els,), purpose="art. 17")).pseudonyms == (els,)


@pytest.mark.parametrize(("work", "asked"), [(plan_erasure, PlanErasure), (erase, Erase)])
def test_an_erasure_that_is_refused_destroys_nobody(place: VaultPlace, work: Any, asked: Any) -> None:
    jan, _ = with_roles(place)
    with place.open(ANALYST) as vault, pytest.raises(AccessRefusedError):
        work(vault, PROJECT, asked(pseudonyms=(jan,), purpose="art. 17"))
    with place.open(DPO) as vault:
        with pytest.raises(UnknownPseudonymError):
            work(vault, PROJECT, asked(pseudonyms=(jan, "P1-00000000000000000000"), purpose="art. 17"))
        with pytest.raises(PurposeRequiredError):
            work(vault, PROJECT, asked(pseudonyms=(jan,), purpose=" "))
        with pytest.raises(SettingsError):
            work(vault, PROJECT, asked(purpose="retention"))  # people are kept for good
        plan = plan_erasure(vault, PROJECT, PlanErasure(pseudonyms=(jan,), purpose="art. 17"))
        assert plan.pseudonyms == (jan,)
        refused = [one.actor for one in vault.audit_events() if one.outcome.startswith("refused")]
    assert ANALYST in refused
    assert (DPO in refused) is (work is erase)  # a plan alone is on record only where the actor may not


def test_without_pseudonyms_those_go_whom_nobody_met_for_the_retention_time(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        labels = filled(vault)
        change_project(vault, PROJECT, changed(retention_days=20))
        place.clock.advance(days=19)
        early = erase(vault, PROJECT, Erase(purpose="retention"))
        assert (early.pseudonyms, early.rows, early.audit_sequence) == ((), {}, 0)
        place.clock.advance(days=2)
        plan = plan_erasure(vault, PROJECT, PlanErasure(purpose="retention"))
        assert (plan.people, set(plan.pseudonyms)) == (2, set(labels))
        receipt = erase(vault, PROJECT, Erase(purpose="retention"))
        assert set(receipt.pseudonyms) == set(labels)
        assert receipt.audit_sequence == vault.last_event
        assert vault.known_identities(PROJECT) == ()


def test_workspaces_that_were_destroyed_are_in_the_receipt_and_remain_no_more() -> None:
    told = Erased(PROJECT, ("P1",), "", {"form": 2}, ("backups", f"{WORKSPACE_LEFT}ab12"), 7)
    after = with_workspaces(told, 3)
    assert after.rows == {"form": 2, "workspace": 3}
    assert after.remains == ("backups",)
    assert (after.pseudonyms, after.audit_sequence) == (("P1",), 7)
    assert told.rows == {"form": 2}


# -- settings ------------------------------------------------------------------------------------------------


def test_settings_are_those_of_a_new_project_until_they_are_changed(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        shown = settings(vault, PROJECT, OfProject())
        new = ProjectSettings.of_new_project()
        assert (shown.project, shown.style, shown.retention_days) == (PROJECT, str(new.style), None)
        assert vault.projects() == ()
        filled(vault)
        before = settings(vault, PROJECT, OfProject())
        after = change_project(vault, PROJECT, changed())
        assert {name: getattr(after, name) for name in changed().__struct_fields__} == {
            name: getattr(changed(), name) for name in changed().__struct_fields__
        }
        assert (after.style, after.profile) == (before.style, before.profile)
    with place.open(DPO) as again:
        assert settings(again, PROJECT, OfProject()) == after
        assert change_project(again, PROJECT, changed(retention_days=None)).retention_days is None


def test_settings_of_no_project_cannot_be_changed(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        with pytest.raises(UnknownProjectError):
            change_project(vault, PROJECT, changed())
        assert vault.projects() == ()


def test_who_may_not_changes_no_settings_and_that_is_on_record(place: VaultPlace) -> None:
    with_roles(place)
    with place.open(ANALYST) as vault:
        before = settings(vault, PROJECT, OfProject())
        with pytest.raises(AccessRefusedError):
            change_project(vault, PROJECT, changed())
        assert settings(vault, PROJECT, OfProject()) == before
    with place.open(DPO) as vault:
        assert any(one.actor == ANALYST and one.outcome.startswith("refused") for one in vault.audit_events())


# -- roles ---------------------------------------------------------------------------------------------------


def pairs(shown: RolesShown) -> set[tuple[str, str]]:
    return {(one.account, one.role) for one in shown.roles}


def test_roles_are_given_and_taken(place: VaultPlace) -> None:
    with place.open(DPO) as vault:
        assert roles(vault, None, ListRoles()).roles == ()
        change_role(vault, None, ChangeRole(account=DPO, role=Role.DPO, is_given=True))
        given = change_role(vault, None, ChangeRole(account=ANALYST, role=Role.ANALYST, is_given=True))
        assert pairs(given) == {(DPO, "dpo"), (ANALYST, "analyst")}
    with place.open(DPO) as again:
        assert pairs(roles(again, None, ListRoles())) == pairs(given)
        taken = change_role(again, None, ChangeRole(account=ANALYST, role=Role.ANALYST, is_given=False))
        assert pairs(taken) == {(DPO, "dpo")}


def test_who_may_not_gives_himself_no_role(place: VaultPlace) -> None:
    with_roles(place)
    with place.open(ANALYST) as vault:
        for is_given, account, role in ((True, ANALYST, Role.DPO), (False, DPO, Role.DPO)):
            with pytest.raises(AccessRefusedError):
                change_role(vault, None, ChangeRole(account=account, role=role, is_given=is_given))
    with place.open(DPO) as vault:
        assert pairs(roles(vault, None, ListRoles())) == {(DPO, "dpo"), (ANALYST, "analyst")}
        refused = [one for one in vault.audit_events() if one.outcome.startswith("refused")]
        assert [one.actor for one in refused] == [ANALYST, ANALYST]


def test_a_caller_of_one_project_has_nothing_to_do_with_roles(place: VaultPlace) -> None:
    with_roles(place)
    with place.open(DPO) as vault:
        with pytest.raises(UnknownProjectError):
            roles(vault, PROJECT, ListRoles())
        with pytest.raises(UnknownProjectError):
            change_role(vault, PROJECT, ChangeRole(account="web:bo", role=Role.DPO, is_given=True))
        assert pairs(roles(vault, None, ListRoles())) == {(DPO, "dpo"), (ANALYST, "analyst")}
