"""The table of profiles, and which treatments a kind can have."""

from pathlib import Path

import pytest

from linkage.kinds import LITERAL, PERSON, KindId, Kinds
from linkage.settings import data_directory
from pseudonymizer.errors import SettingsError
from pseudonymizer.treatments.profiles import FILE_NAME, Profiles
from pseudonymizer.treatments.treatment import Treatment

KINDS = Kinds.load()
PROFILES = Profiles.load()
RAW = (Path(data_directory()) / FILE_NAME).read_text(encoding="utf-8")
SURROGATES = {
    "PERSON", "NATIONAL_ID", "BANK_ACCOUNT", "PAYMENT_CARD", "EMAIL", "URL", "PHONE", "FAX", "STREET",
    "POSTCODE", "IP_ADDRESS", "VEHICLE", "COMPANY_NUMBER", "CASE_NUMBER", "PATIENT_NUMBER",
    "PROFESSIONAL_LICENCE", "IDENTITY_DOCUMENT", "DEVICE", "USERNAME",
}  # fmt: skip


def kinds_with(treatment: Treatment) -> set[str]:
    return {kind for kind in KINDS if treatment in PROFILES.of_kind(kind)}


@pytest.mark.parametrize(
    ("treatment", "kinds"),
    [
        (Treatment.FOLLOW, {"USERNAME", "EMAIL", "URL", "FILE"}),
        (Treatment.FOLLOW_OR_KEEP, {"USERNAME", "EMAIL", "URL", "FILE"}),
        (Treatment.SURROGATE, SURROGATES),
        (Treatment.INITIALS, {"PERSON"}),
        (Treatment.SHIFT, {"DATE", "BIRTH_DATE"}),
        (Treatment.MONTH, {"DATE", "BIRTH_DATE"}),
        (Treatment.YEAR, {"DATE", "BIRTH_DATE"}),
        (Treatment.BANDS, {"AGE"}),
        (Treatment.FIRST_FIGURES, {"POSTCODE"}),
        (Treatment.ROUND, {"MONEY", "NUMBER"}),
        (Treatment.RANDOM, set(KINDS) - {"PERSON", "LITERAL"}),
        (Treatment.CATEGORY, set(KINDS) - {"PERSON", "LITERAL"}),
        (Treatment.MASK, set(KINDS) - {"LITERAL"}),
        (Treatment.KEEP, set(KINDS) - {"LITERAL"}),
        (Treatment.CODE, set(KINDS) - {"LITERAL"}),
        (Treatment.TAG, set(KINDS) - {"LITERAL"}),
        (Treatment.TOKEN, set(KINDS)),
    ],
)
def test_kinds_that_can_have_a_treatment(treatment: Treatment, kinds: set[str]) -> None:
    assert kinds_with(treatment) == kinds


def test_every_kind_can_have_its_default() -> None:
    assert [kind for kind, row in KINDS.items() if row.default not in PROFILES.of_kind(kind)] == []


def test_a_kind_of_the_user_can_have_what_every_kind_can_have() -> None:
    assert PROFILES.of_kind(KindId("PROJECT_CODE")) == (
        Treatment.KEEP, Treatment.CODE, Treatment.TOKEN, Treatment.TAG, Treatment.MASK, Treatment.RANDOM,
        Treatment.CATEGORY,
    )  # fmt: skip


def test_an_impossible_treatment_says_which_are_possible() -> None:
    with pytest.raises(SettingsError) as raised:
        PROFILES.check(KindId("AGE"), Treatment.SHIFT)
    assert str(raised.value) == (
        "treatments: AGE cannot have the treatment shift; it can have keep, code, token, tag, mask, random, "
        "category, bands"
    )


@pytest.mark.parametrize("word", ["model", "llm", "masked_language_model", "bert"])
def test_a_language_model_is_refused_with_its_reason(word: str) -> None:
    assert "other people" in PROFILES.refused[word]


def test_names_treats_what_runs_always_treated() -> None:
    follow = Treatment.FOLLOW_OR_KEEP
    assert PROFILES.profile("names").treatments == {
        PERSON: Treatment.CODE, KindId("USERNAME"): follow, KindId("EMAIL"): follow, KindId("URL"): follow,
        KindId("FILE"): follow,
    }  # fmt: skip


def test_direct_treats_all_direct_identifiers() -> None:
    treated = PROFILES.profile("direct").treatments
    assert set(treated) == {*KINDS.direct, "FILE"}
    assert all(treatment is not Treatment.KEEP for treatment in treated.values())
    assert {kind for kind, t in treated.items() if t is Treatment.FOLLOW_OR_KEEP} == {"URL", "FILE"}
    assert {treated[KindId(kind)] for kind in ("BIRTH_DATE", "POSTCODE", "BANK_ACCOUNT")} == {Treatment.CODE}


def test_mortgage_treats_all_of_its_fifteen_labels() -> None:
    labels = KINDS.schemes["mortgage"]
    named = {KindId(entry.partition(":")[0]) for entries in labels.values() for entry in entries}
    treated = PROFILES.profile("mortgage").treatments
    assert len(labels) == 15
    assert named <= set(treated)
    assert set(treated) - named == {"PHONE", "FAX", "IP_ADDRESS"}
    assert Treatment.KEEP not in treated.values()


def test_clinical_treats_the_kinds_of_i2b2_and_shifts_dates() -> None:
    named = {kind for kinds in KINDS.schemes["i2b2"].values() for kind in kinds}
    profile = PROFILES.profile("clinical")
    assert named <= set(profile.treatments)
    assert Treatment.KEEP not in profile.treatments.values()
    assert {profile.treatments[KindId(kind)] for kind in ("DATE", "BIRTH_DATE")} == {Treatment.SHIFT}
    assert profile.treatments[KindId("CARE_PROVIDER")] is Treatment.CODE
    assert profile.treatments[KindId("PROFESSION")] is Treatment.CATEGORY
    assert (profile.options.bands, profile.options.ages_together_over) == ("over", 89)


def test_hipaa_shifts_nothing_and_keeps_years_and_ages_up_to_89() -> None:
    profile = PROFILES.profile("hipaa")
    assert Treatment.SHIFT not in profile.treatments.values()
    assert profile.treatments[KindId("DATE")] is Treatment.YEAR
    assert (profile.options.bands, profile.options.ages_together_over) == ("over", 89)
    assert profile.options.post_figures == 3
    own = {kind for kind in (*KINDS.in_category("ID"), *KINDS.in_category("CONTACT")) if kind != "PASSWORD"}
    assert {profile.treatments[kind] for kind in own} == {Treatment.CODE}
    assert KINDS.direct <= set(profile.treatments)


def test_everything_treats_every_kind_by_its_default() -> None:
    treated = PROFILES.profile("everything").treatments
    assert {kind: str(t) for kind, t in treated.items()} == {
        kind: row.default for kind, row in KINDS.items() if kind != LITERAL
    }


def test_a_profile_is_known_in_capitals_and_an_unknown_one_names_the_nearest() -> None:
    assert PROFILES.profile("HIPAA") is PROFILES.profile("hipaa")
    with pytest.raises(SettingsError) as raised:
        PROFILES.profile("clinic")
    assert str(raised.value) == (
        "unknown profile 'clinic' of treatments; did you mean 'clinical'? known: names, direct, mortgage, "
        "clinical, hipaa, everything"
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('NUMBER = "random"', 'NUMBER = "shift"', "profile everything: NUMBER cannot have the"),
        ('NUMBER = "random"', 'NUMBER = "model"', "Invalid enum value 'model'"),
        ('NUMBER = "random"', 'NUMBR = "random"', "there is no kind or category NUMBR"),
        ('"DIRECT", "FILE"]', '"DIREKT", "FILE"]', "there is no kind or category DIREKT"),
        ('"DIRECT", "FILE"]', '"DIRECT"]', "profile direct does not treat FILE"),
        ("post_figures = 3", "post_figures = 4", "post_figures must be a whole number from 1 to 3"),
        ("post_figures = 3", "post_figure = 3", "unknown setting 'post_figure'"),
        ('bands = { kinds = ["AGE"] }\n', "", "no kind can have the treatment bands"),
        ("[fixed]", "[fixd]", "unknown field `fixd`"),
        ("[fixed]", "[fixed", ""),
    ],
)  # fmt: skip
def test_a_damaged_table_is_refused(before: str, after: str, message: str) -> None:
    assert before in RAW
    with pytest.raises(SettingsError) as raised:
        Profiles.of_toml(RAW.replace(before, after).encode(), KINDS)
    assert FILE_NAME in str(raised.value)
    assert message in str(raised.value)
