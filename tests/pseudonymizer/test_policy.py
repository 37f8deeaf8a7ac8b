"""The permission matrix, whole; limits and approvals as arithmetic."""

import pytest

from pseudonymizer.policy import MATRIX, Role, Verb, allowing_role, approvals_needed, refill

# Written a second time, by hand, in the other direction: who may do this?
MAY = {
    Verb.PSEUDONYMIZE: {Role.ANALYST, Role.CURATOR},
    Verb.GIVE_BACK: {Role.ANALYST, Role.CURATOR},
    Verb.EXPORT_LINKS: {Role.ANALYST, Role.CURATOR},
    Verb.SEE_NAMES: {Role.CURATOR},
    Verb.RELINK: {Role.CURATOR},
    Verb.REQUEST: {Role.REQUESTER},
    Verb.APPROVE: {Role.APPROVER},
    Verb.REVEAL: {Role.REQUESTER},
    Verb.RESTORE: {Role.REQUESTER},
    Verb.LOOKUP: {Role.DPO},
    Verb.LINK_PROJECTS: {Role.REQUESTER},
    Verb.RUN_KEY: {Role.CURATOR},
    Verb.ERASE: {Role.DPO},
    Verb.READ_AUDIT: {Role.AUDITOR, Role.DPO},
    Verb.VERIFY: {Role.AUDITOR, Role.KEYADMIN},
    Verb.ROTATE: {Role.KEYADMIN},
    Verb.EXPORT_KEYS: {Role.KEYADMIN},
    Verb.EXPORT_VAULT: {Role.KEYADMIN},
    Verb.IMPORT_VAULT: {Role.KEYADMIN},
    Verb.MANAGE: {Role.DPO},
}


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("verb", list(Verb))
def test_each_role_may_do_exactly_its_verbs(role: Role, verb: Verb) -> None:
    expected = role if role in MAY[verb] else None
    assert allowing_role({role}, verb) == expected


def test_no_role_may_do_nothing_and_every_verb_is_someones() -> None:
    assert all(allowing_role((), verb) is None for verb in Verb)
    assert set(MAY) == set(Verb)
    assert set().union(*MATRIX.values()) == set(Verb)


def test_who_sees_names_neither_approves_nor_holds_keys() -> None:
    for role, verbs in MATRIX.items():
        if Verb.ROTATE in verbs or Verb.APPROVE in verbs:
            assert not verbs & {Verb.REVEAL, Verb.RESTORE, Verb.LOOKUP, Verb.SEE_NAMES}, role


@pytest.mark.parametrize(("labels", "needed"), [(1, 1), (100, 1), (101, 2)])
def test_many_people_at_once_need_one_more_approval(labels: int, needed: int) -> None:
    assert approvals_needed(labels, base=1, extra_above=100) == needed


def test_a_bucket_fills_up_to_its_capacity_and_never_from_a_clock_that_goes_back() -> None:
    assert refill(0, seconds=1800, capacity=10, per_hour=10) == 5
    assert refill(9, seconds=3600, capacity=10, per_hour=10) == 10
    assert refill(3, seconds=-99, capacity=10, per_hour=10) == 3
