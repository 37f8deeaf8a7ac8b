"""Plans: treat over style over profile, and what a run asks of them."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.kinds import LITERAL, PERSON, KindId, Kinds, Link
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions, WayBack

KINDS = Kinds.load()
PROFILES = Profiles.load()
PHONE, EMAIL, DATE, AGE = (KindId(kind) for kind in ("PHONE", "EMAIL", "DATE", "AGE"))
OWN = replace(KINDS[PHONE], key=KindId("PROJECT_CODE"), direct=False, default="code", link=Link.VALUE)
names = st.sampled_from(sorted(PROFILES.profiles))


@st.composite
def treats(draw: st.DrawFn) -> dict[KindId, Treatment]:
    kinds = draw(st.lists(st.sampled_from(list(KINDS)), unique=True, max_size=6))
    return {kind: draw(st.sampled_from(PROFILES.of_kind(kind))) for kind in kinds}


@given(names, treats(), st.none() | st.sampled_from(Style))
def test_treat_goes_before_style_and_style_before_the_profile(
    profile: str, treat: dict[KindId, Treatment], style: Style | None
) -> None:
    plan = Plan.made(profile, treat, style)
    assert set(plan.treatments) == set(KINDS)
    for kind in KINDS:
        if kind in treat:
            assert plan.of(kind) is treat[kind]
        elif kind == PERSON and style is not None:
            assert plan.of(kind).value == style.value
        elif kind == LITERAL:
            assert plan.of(kind) is Treatment.TOKEN
        else:
            assert plan.of(kind) is PROFILES.profile(profile).treatments.get(kind, Treatment.KEEP)
    assert plan.asked == set(treat)
    assert plan.found == {kind for kind in KINDS if plan.of(kind) is not Treatment.KEEP}


@given(names, treats(), st.none() | st.sampled_from(Style))
def test_plans_are_names_exactly_when_other_kinds_are_as_in_names(
    profile: str, treat: dict[KindId, Treatment], style: Style | None
) -> None:
    plan, of_names = Plan.made(profile, treat, style), Plan.of_names()
    assert plan.is_names is all(plan.of(kind) is of_names.of(kind) for kind in KINDS if kind != PERSON)


@pytest.mark.parametrize("style", Style)
def test_persons_have_a_style(style: Style) -> None:
    plan = Plan.of_names(style)
    assert plan.person_style is style
    assert plan.is_names
    assert plan.is_one_way(PERSON) is (style in (Style.MASK, Style.INITIALS))


def test_names_may_stay() -> None:
    plan = Plan.made("direct", {PERSON: Treatment.KEEP}, Style.TAG)
    assert plan.person_style is None
    assert PERSON not in plan.found


def test_ways_back_are_those_of_the_treatments() -> None:
    plan = Plan.made("clinical", {PHONE: Treatment.MASK})
    assert plan.way_back(PERSON) is WayBack.TEXT
    assert plan.way_back(DATE) is WayBack.FILE
    assert plan.way_back(AGE) is WayBack.NONE
    assert plan.is_one_way(PHONE)
    assert not plan.is_one_way(KindId("NUMBER"))


def test_options_of_the_user_go_before_those_of_the_profile() -> None:
    plan = Plan.made("hipaa", options={"post_figures": 2, "mask": "fixed"})
    assert plan.options == TreatmentOptions(mask="fixed", bands="over", post_figures=2)
    assert Plan.made("direct").options == TreatmentOptions()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"age_bands": 5}, "unknown setting 'age_bands' of treatments; did you mean 'age_band'?"),
        ({"age_band": 1}, "age_band must be a whole number from 2 to 50"),
        ({"mask": "long"}, "mask must be one of same, fixed"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        Plan.made("direct", options=options)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("kind", "treatment"),
    [(DATE, Treatment.BANDS), (AGE, Treatment.SHIFT), (PERSON, Treatment.RANDOM), (PHONE, Treatment.FOLLOW)],
)
def test_a_treatment_that_a_kind_cannot_have_is_refused(kind: KindId, treatment: Treatment) -> None:
    with pytest.raises(SettingsError, match=f"{kind} cannot have the treatment {treatment}; it can"):
        Plan.made("names", {kind: treatment})


def test_unknown_profiles_and_kinds_are_refused() -> None:
    with pytest.raises(SettingsError, match="did you mean 'direct'"):
        Plan.made("dirct")
    with pytest.raises(SettingsError, match="there is no kind PROJECT_CODE"):
        Plan.made("names", {OWN.key: Treatment.MASK})


@given(names)
def test_kinds_of_the_user_have_their_treatment_in_every_profile(profile: str) -> None:
    plan = Plan.made(profile, kinds=KINDS.with_user_kinds([OWN]))
    assert plan.of(OWN.key) is Treatment.CODE
    assert not plan.is_names
    left = replace(OWN, default="keep")
    assert Plan.made("names", kinds=KINDS.with_user_kinds([left])).is_names


@pytest.mark.parametrize("default", ["shift", "follow", "cypher"])
def test_a_kind_of_the_user_cannot_have_just_any_treatment(default: str) -> None:
    with pytest.raises(SettingsError):
        Plan.made("names", kinds=KINDS.with_user_kinds([replace(OWN, default=default)]))


@given(names)
def test_deterministic_pseudonyms_are_for_names_only(profile: str) -> None:
    plan = Plan.made(profile, style=Style.CODE)
    made = plan.for_deterministic()
    assert made.of(PERSON) is Treatment.TOKEN
    assert made.found == plan.found
    others = {made.of(kind) for kind in KINDS if kind not in (PERSON, LITERAL)}
    assert not {treatment for treatment in others if treatment.style is not None}
    assert not others & {Treatment.RANDOM, Treatment.SHIFT, Treatment.FOLLOW}
    unchanged = {
        Treatment.KEEP,
        Treatment.FOLLOW_OR_KEEP,
        Treatment.MASK,
        Treatment.CATEGORY,
        Treatment.BANDS,
    }
    for kind in KINDS:
        if plan.of(kind) in unchanged:
            assert made.of(kind) is plan.of(kind)
    assert made.for_deterministic() == made


def test_deterministic_names_stay_names() -> None:
    plan = Plan.of_names(Style.SURROGATE)
    assert plan.for_deterministic() == plan


@pytest.mark.parametrize(
    "treatment", [Treatment.CODE, Treatment.SURROGATE, Treatment.RANDOM, Treatment.FOLLOW]
)
def test_a_treatment_that_the_user_named_is_refused_and_not_changed(treatment: Treatment) -> None:
    plan = Plan.made("names", {EMAIL: treatment})
    with pytest.raises(SettingsError, match=f"EMAIL cannot have the treatment {treatment}"):
        plan.for_deterministic()
    Plan.made("names", {EMAIL: Treatment.MASK, PERSON: Treatment.CODE}).for_deterministic()


@given(names, treats())
def test_a_plan_can_be_sent_to_another_process(profile: str, treat: dict[KindId, Treatment]) -> None:
    plan = Plan.made(profile, treat)
    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301  its own bytes


def test_a_kind_that_nobody_knows_stays() -> None:
    assert Plan.of_names().of(KindId("SOMETHING")) is Treatment.KEEP
