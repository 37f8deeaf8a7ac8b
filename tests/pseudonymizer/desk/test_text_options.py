"""Options of a request: what they add to those of the service, and which are refused."""

from typing import Any

import pytest

from linkage.kinds import PERSON, KindId
from pseudonymizer.desk.asked import Lists, TreatOptions
from pseudonymizer.desk.text_options import (
    ServiceSettings,
    WrongOptionError,
    only_kinds,
    refuse_other_terms,
    with_lists,
    with_treatments,
)
from pseudonymizer.errors import RestyleNeededError
from pseudonymizer.project_options import ProjectOptions
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import load_fake

BASE = ServiceSettings().options(load_fake)
PHONE, EMAIL, DATE = KindId("PHONE"), KindId("EMAIL"), KindId("DATE")


def plan_of(options: ProjectOptions) -> Plan:
    return ProjectSettings.of_new_project().plan(options.styles, options.treatments)


def asked(**options: Any) -> Plan:
    treated = with_treatments(BASE, TreatOptions(**options))
    plan = plan_of(treated)
    return plan_of(only_kinds(treated, plan, options.get("kinds")))


def test_without_options_all_is_as_the_project_says() -> None:
    assert asked().treatments == plan_of(BASE).treatments


def test_named_kinds_are_treated_and_others_stay() -> None:
    plan = asked(kinds=("person", "date"))
    assert plan.of(PERSON) is Treatment.CODE
    assert plan.of(DATE) is not Treatment.KEEP  # as is usual for it, though the profile keeps it
    assert plan.of(PHONE) is Treatment.KEEP
    assert plan.of(EMAIL) is Treatment.FOLLOW_OR_KEEP  # an address may spell a person who is replaced
    plan = asked(kinds=("PHONE",))
    assert {plan.of(PERSON), plan.of(EMAIL)} == {Treatment.KEEP}


def test_treatments_go_before_style_and_style_before_profile() -> None:
    plan = asked(profile="names", style="token", treatments={"PHONE": "mask", "person": "tag"})
    assert (plan.of(PERSON), plan.of(PHONE)) == (Treatment.TAG, Treatment.MASK)
    assert asked(profile="names", style="token").of(PERSON) is Treatment.TOKEN


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"profile": "nothing"}, "profile"),
        ({"treatments": {"PHONE": "nothing"}}, "treatments"),
        ({"treatments": {"NOTHING": "mask"}}, "treatments"),
        ({"treatments": {"PHONE": "shift"}}, "treatments"),
        ({"kinds": ("NOTHING",)}, "kinds"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(options: dict[str, Any], field: str) -> None:
    with pytest.raises(WrongOptionError) as refused:
        asked(**options)
    assert refused.value.field == field
    assert "NOTHING" not in str(refused.value).upper().replace(field.upper(), "")


@pytest.mark.parametrize("name", ["always", "never"])
def test_lists_are_of_persons_unless_they_name_a_kind(name: str) -> None:
    def listed(given: Lists) -> ProjectOptions:
        asked_for = TreatOptions(always=given) if name == "always" else TreatOptions(never=given)
        return with_lists(BASE, asked_for, lambda _: load_fake())

    right: tuple[Lists, ...] = (("Jan Steen",), {"person": ("Jan Steen",)})
    wrong_ones: tuple[Lists, ...] = ({"NOTHING": ("x",)}, ("...",))
    for given in right:
        assert dict(getattr(listed(given).settings.recognition, name)) == {PERSON: ("Jan Steen",)}
    for wrong in wrong_ones:
        with pytest.raises(WrongOptionError, match=name):
            listed(wrong)
    assert listed(()) is BASE


def test_other_terms_than_those_of_the_project_are_refused() -> None:
    refuse_other_terms(plan_of(BASE), asked(style="code", profile="direct"))
    with pytest.raises(RestyleNeededError, match="restyle"):
        refuse_other_terms(plan_of(BASE), asked(style="token"))
