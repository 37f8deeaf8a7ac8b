"""What places ask of treatments: in which order, and from which tables."""

import pickle
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.kinds import PERSON, KindId, Kinds
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.treatments.asked import KEPT_IDS, AskedTreatments, check_profile, check_table
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions

KINDS = Kinds.load()
CASE, PHONE, DATE = (KindId(kind) for kind in ("CASE_NUMBER", "PHONE", "DATE"))
choices = st.lists(
    st.sampled_from([
        ("phone", "mask"), ("contact", "code"), ("PHONE", "token"), ("all", "mask"), ("id", "tag"),
        ("case_number", "keep"), ("person", "tag"), ("date", "year"), ("date", "keep"),
    ]),
    max_size=5,
).map(tuple)  # fmt: skip
asked = st.builds(
    AskedTreatments, st.none() | st.sampled_from(["names", "direct", "hipaa"]), choices,
    st.fixed_dictionaries({}, optional={"age_band": st.integers(2, 50), "mask": st.just("fixed")}),
)  # fmt: skip


@given(asked, asked)
def test_the_later_place_holds_kind_by_kind(later: AskedTreatments, earlier: AskedTreatments) -> None:
    both = later.over(earlier)
    assert both.profile == (later.profile or earlier.profile)
    assert both.treatments(KINDS) == {**earlier.treatments(KINDS), **later.treatments(KINDS)}
    assert both.options == {**earlier.options, **later.options}
    assert both.plan().options == both.plan(KINDS).options


@given(asked, asked, asked)
def test_places_may_be_put_together_in_any_grouping(
    first: AskedTreatments, second: AskedTreatments, third: AskedTreatments
) -> None:
    assert third.over(second.over(first)) == third.over(second).over(first)
    assert first.over(AskedTreatments()) == first == AskedTreatments().over(first)


@pytest.mark.parametrize(
    "rows", [*permutations([("all", "mask"), ("ID", "tag"), ("CASE_NUMBER", "keep"), ("contact", "code")])]
)
def test_in_a_table_a_kind_goes_before_its_category_and_that_before_all(rows: tuple[tuple[str, str]]) -> None:
    found = AskedTreatments.of_table({"treat": dict(rows)}).treatments(KINDS)
    assert found[CASE] is Treatment.KEEP
    assert found[KindId("BANK_ACCOUNT")] is Treatment.TAG
    assert found[PHONE] is Treatment.CODE
    assert found[DATE] is Treatment.MASK


def test_a_table_says_profile_treatments_and_options() -> None:
    table = {"profile": "clinical", "treat": {"DATE": "month"}, "age_band": 5}
    assert AskedTreatments.of_table(table) == AskedTreatments(
        "clinical", (("DATE", "month"),), {"age_band": 5}
    )
    assert AskedTreatments.of_table({}) == AskedTreatments()


def test_options_that_are_not_said_are_those_of_the_profile() -> None:
    plan = AskedTreatments("hipaa", options={"post_figures": 2}).plan()
    assert plan.options == TreatmentOptions(bands="over", post_figures=2)


def test_nothing_said_is_the_profile_names() -> None:
    plan = AskedTreatments().plan()
    assert plan.profile == "names"
    assert plan.is_names
    assert plan.asked == frozenset()


def test_a_style_is_a_treatment_of_persons() -> None:
    said = AskedTreatments(choices=(("name", "mask"),))
    assert said.with_style(Style.TAG).treatments(KINDS)[PERSON] is Treatment.TAG
    assert said.after_style(Style.TAG).treatments(KINDS)[PERSON] is Treatment.MASK
    assert said.with_style(None) == said.after_style(None) == said


def test_kept_ids_stay_unless_a_later_choice_says_otherwise() -> None:
    said = AskedTreatments("mortgage").with_choices([KEPT_IDS])
    assert said.plan().of(CASE) is Treatment.KEEP
    assert said.plan().of(KindId("NATIONAL_ID")) is Treatment.CODE
    assert said.with_choices([("case_number", "code")]).plan().of(CASE) is Treatment.CODE


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"PERSN": "mask"}, "unknown kind 'persn' of treat; did you mean 'person'?"),
        ({"DATE": "bands"}, "treat: DATE cannot have the treatment bands"),
        ({"PERSON": "mask", "person": "tag"}, "treat names the kind person twice"),
    ],
)
def test_tables_that_cannot_hold_are_refused(table: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        check_table(table, KINDS)
    assert str(raised.value).startswith(message)


def test_unknown_profiles_are_refused() -> None:
    check_profile(None)
    check_profile("everything")
    with pytest.raises(SettingsError, match="did you mean 'everything'"):
        check_profile("evrything")


@given(asked)
def test_what_is_asked_can_be_sent_to_another_process(said: AskedTreatments) -> None:
    assert pickle.loads(pickle.dumps(said)) == said  # noqa: S301  its own bytes
