"""Treatments that say less: months, years, bands of ages, first figures, rounded amounts."""

from datetime import date
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection import find_values
from linkage.detection.validators.amounts import decimal_of
from linkage.detection.values import normal_form
from linkage.kinds import KindId
from linkage.language import Language
from pseudonymizer.treatments.treating import Treating
from pseudonymizer.treatments.treatment import (
    Outcome,
    TreatedValue,
    Treatment,
    TreatmentKeys,
    TreatmentOptions,
)

_KEYS: Final = TreatmentKeys(b"s" * 32, b"d" * 32)
_TREATING: Final = Treating(TreatmentOptions(), _KEYS)
_THREE: Final = Treating(TreatmentOptions(post_figures=3, round_figures=2, bands="over"), _KEYS)
_DUTCH: Final = Language.load("nl")


def _treated(
    treatment: Treatment, kind: str, text: str, *, country: str = "NL", treating: Treating = _TREATING
) -> Outcome:
    normal = normal_form(KindId(kind), text)
    return treating.treated(treatment, TreatedValue(KindId(kind), normal, text, country))


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("12-03-1951", "maart 1951", "1951"), ("12-3-'51", "maart 1951", "1951"),
        ("1951-03-12", "maart 1951", "1951"), ("12 MRT. 1951", "maart 1951", "1951"),
        ("March 12, 1951", "maart 1951", "1951"), ("12. Mai 2024", "mei 2024", "2024"),
        ("2024-02-11T03:00:01Z", "februari 2024", "2024"), ("20240219", "februari 2024", "2024"),
        ("maart 2024", "maart 2024", "2024"), ("week 20 van 2024", "mei 2024", "2024"),
        ("30 en 31 december 2024", "december 2024", "2024"), ("maart/april 2024", "maart/april 2024", "2024"),
        ("kerst 2024", "december 2024", "2024"), ("drie mei 2024", "mei 2024", "2024"),
        ("ma 12 maart 2024", "maart 2024", "2024"), ("2024-W20", "mei 2024", "2024"),
    ],
)  # fmt: skip
def test_months_and_years(text: str, month: str, year: str) -> None:
    assert _treated(Treatment.MONTH, "DATE", text) == Outcome(Treatment.MONTH, month)
    assert _treated(Treatment.YEAR, "DATE", text) == Outcome(Treatment.YEAR, year)


@pytest.mark.parametrize("text", ["12 maart", "--", "woensdag", "kerst", "31-02-2024", "week 20", "14e"])
def test_without_a_year_there_is_a_mask(text: str) -> None:
    assert _treated(Treatment.YEAR, "DATE", text) == Outcome(Treatment.MASK, "#" * len(text))


@pytest.mark.parametrize("text", ["woensdag", "14e", "Pasen 2024", "31-02-2024", "onleesbaar"])
def test_without_a_month_there_is_a_mask(text: str) -> None:
    assert _treated(Treatment.MONTH, "DATE", text) == Outcome(Treatment.MASK, "#" * len(text))


def test_what_is_as_coarse_as_asked_stays() -> None:
    for text in ("2024", "jaren vijftig", "2024/2025"):
        assert _treated(Treatment.YEAR, "DATE", text) == Outcome(Treatment.KEEP)
        assert _treated(Treatment.MONTH, "DATE", text) == Outcome(Treatment.KEEP)
    for text in ("Q3 2024", "zomer 2024", "1e halfjaar 2024"):
        assert _treated(Treatment.MONTH, "DATE", text) == Outcome(Treatment.KEEP)
    assert _treated(Treatment.MONTH, "DATE", "12 maart").text == "maart"
    assert _treated(Treatment.MONTH, "DATE", "16 op 17 februari").text == "februari"


@given(day=st.dates(date(1500, 1, 1), date(2199, 12, 31)))
def test_no_day_can_be_read_from_a_month_or_a_year(day: date) -> None:
    for treatment, normal in ((Treatment.MONTH, f"{day:%Y-%m}"), (Treatment.YEAR, f"{day:%Y}")):
        value = TreatedValue(KindId("DATE"), day.isoformat(), f"{day:%d-%m-%Y}")
        text = _TREATING.treated(treatment, value).text or ""
        assert normal_form(KindId("DATE"), text) == normal


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("42 jaar", "40-49 jaar"), ("42-jarige", "40-49-jarige"), ("42-jarigen", "40-49-jarigen"),
        ("tweejarige", "0-9-jarige"), ("Tweejarigen", "0-9-jarigen"), ("twee jaar", "0-9 jaar"),
        ("42", "40-49"), ("77", "70-79"), ("5 mnd", "0-9 jaar"), ("3 weken", "0-9 jaar"),
        ("11 dagen", "0-9 jaar"), ("30 maanden", "0-9 jaar"), ("9;10 jaar", "0-9 jaar"),
        ("40-45 jaar", "40-49 jaar"), ("38-42 jaar", "30-49 jaar"), ("89", "80-89"), ("90", "90+"),
        ("93 jaar", "90+ jaar"), ("93-jarige", "90+-jarige"), ("negentigjarigen", "90+-jarigen"),
        ("85-95 jaar", "80+ jaar"), ("drieënveertig", "40-49"), ("42 j.", "40-49 j."), ("0 jaar", "0-9 jaar"),
    ],
)  # fmt: skip
def test_bands_of_ages(text: str, band: str) -> None:
    assert _treated(Treatment.BANDS, "AGE", text) == Outcome(Treatment.BANDS, band)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("42 jaar", Outcome(Treatment.KEEP)), ("89", Outcome(Treatment.KEEP)),
        ("5 mnd", Outcome(Treatment.KEEP)), ("90", Outcome(Treatment.BANDS, "90+")),
        ("93-jarige", Outcome(Treatment.BANDS, "90+-jarige")),
        ("85-95 jaar", Outcome(Treatment.BANDS, "85+ jaar")),
    ],
)  # fmt: skip
def test_ages_over_a_limit_alone(text: str, outcome: Outcome) -> None:
    assert _treated(Treatment.BANDS, "AGE", text, treating=_THREE) == outcome


@given(age=st.integers(0, 119), width=st.integers(2, 50), over=st.integers(50, 119))
def test_an_age_lies_in_its_band(age: int, width: int, over: int) -> None:
    treating = Treating(TreatmentOptions(age_band=width, ages_together_over=over), _KEYS)
    value = TreatedValue(KindId("AGE"), str(age), f"{age} jaar")
    band = (treating.treated(Treatment.BANDS, value).text or "").removesuffix(" jaar")
    if age > over:
        assert band == f"{over + 1}+"
    else:
        low, high = map(int, band.split("-"))
        assert low <= age <= high <= over
        assert low % width == 0
        assert high - low < width


def test_an_age_that_cannot_be_read_is_masked() -> None:
    assert _treated(Treatment.BANDS, "AGE", "bejaard") == Outcome(Treatment.MASK, "#######")


@pytest.mark.parametrize(
    ("text", "country", "one", "three"),
    [
        ("8933 KT", "NL", "8...", "893."), ("8933KT", "NL", "8...", "893."),
        ("8933  KT", "NL", "8...", "893."),
        ("1000", "BE", "1...", "100."), ("B-1000", "BE", "B-1...", "B-100."),
        ("10115", "DE", "1....", "101.."), ("D-10115", "DE", "D-1....", "D-101.."),
        ("SW1A 1AA", "GB", "S...", "SW1."), ("02139", "US", "0....", "021.."),
        ("02139-1234", "US", "0....", "021.."), ("20121", "IT", "2....", "201.."),
        ("CH-8001", "CH", "CH-8...", "CH-800."), ("A-1010", "AT", "A-1...", "A-101."),
        ("SE-114 55", "SE", "SE-1..", None), ("03601", "US", "0....", "000.."),
        ("10203", "US", "1....", "000.."), ("10203", "DE", "1....", "102.."),
    ],
)  # fmt: skip
def test_first_figures_of_post_codes(text: str, country: str, one: str, three: str | None) -> None:
    shown = _treated(Treatment.FIRST_FIGURES, "POSTCODE", text, country=country)
    assert shown == Outcome(Treatment.FIRST_FIGURES, one)
    more = _treated(Treatment.FIRST_FIGURES, "POSTCODE", text, country=country, treating=_THREE)
    expected = Outcome(Treatment.MASK, "#" * len(text)) if three is None else None
    assert more == (expected or Outcome(Treatment.FIRST_FIGURES, three))
    for written in (shown.text, more.text):
        assert find_values(f"Postcode {written} Zwolle", _DUTCH, kinds={KindId("POSTCODE")}) == ()


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("€ 61.830,00", "€ 60.000", "€ 62.000"), ("€ 212,-", "€ 200,-", "€ 210,-"),
        ("40.000 euro", "40.000 euro", "40.000 euro"), ("EUR 12,50", "EUR 10", "EUR 13"),
        ("€ 4,2 miljoen", "€ 4 miljoen", "€ 4,2 miljoen"),
        ("1,26 miljoen euro", "1 miljoen euro", "1,3 miljoen euro"),
        ("drie euro vijftig", "vier euro", "drie euro vijftig"),
        ("twintigduizend euro", "twintigduizend euro", "twintigduizend euro"),
        ("vijfentachtigduizend euro", "negentigduizend euro", "vijfentachtigduizend euro"),
        ("een miljoen euro", "een miljoen euro", "een miljoen euro"),
        ("$1,094.16", "$1,000", "$1,100"), ("14 cent", "10 cent", "14 cent"), ("£845", "£800", "£850"),
        ("f 2.400,-", "f 2.000,-", "f 2.400,-"), ("€ 31k", "€ 30k", "€ 31k"), ("€ 0,14", "€ 0,10", "€ 0,14"),
        ("-€ 65.000", "-€ 70.000", "-€ 65.000"), ("€ 999,99", "€ 1000", "€ 1000"),
        ("1 250 euro", "1 000 euro", "1 300 euro"), ("€ 1'234.50", "€ 1'000", "€ 1'200"),
        ("€ 96,00", "€ 100", "€ 96"), ("€ 1234567", "€ 1000000", "€ 1200000"),
    ],
)  # fmt: skip
def test_rounded_amounts(text: str, one: str, two: str) -> None:
    assert _treated(Treatment.ROUND, "MONEY", text) == Outcome(Treatment.ROUND, one)
    assert _treated(Treatment.ROUND, "MONEY", text, treating=_THREE) == Outcome(Treatment.ROUND, two)


@pytest.mark.parametrize(
    ("text", "rounded"),
    [
        ("12", "10"),
        ("5", "5"),
        ("0", "0"),
        ("0,035", "0,04"),
        ("1.234", "1.000"),
        ("75,5", "80"),
        ("2048", "2000"),
    ],
)
def test_rounded_numbers(text: str, rounded: str) -> None:
    assert _treated(Treatment.ROUND, "NUMBER", text) == Outcome(Treatment.ROUND, rounded)


def test_an_amount_that_stands_twice_is_masked() -> None:
    text = "twintig euro (€ 20)"
    assert _treated(Treatment.ROUND, "MONEY", text) == Outcome(Treatment.MASK, "#" * len(text))


@given(cents=st.integers(1, 10**10), thousands=st.sampled_from([".", " ", "'", ""]))
def test_a_rounded_amount_has_one_figure_and_is_near(cents: int, thousands: str) -> None:
    whole, rest = divmod(cents, 100)
    text = f"{whole:,}".replace(",", thousands) + f",{rest:02d}"
    value = TreatedValue(KindId("MONEY"), text, f"€ {text}")
    written = (_TREATING.treated(Treatment.ROUND, value).text or "").removeprefix("€ ")
    rounded = decimal_of(written)
    assert len(written.strip("0.,' ").replace("0", "")) == 1
    assert abs(rounded * 100 - cents) <= cents / 2


_ONCE: Final = [
    (Treatment.MONTH, "DATE", "12 maart 1951"), (Treatment.MONTH, "DATE", "16 op 17 februari"),
    (Treatment.YEAR, "DATE", "12-03-1951"), (Treatment.BANDS, "AGE", "42 jaar"),
    (Treatment.BANDS, "AGE", "93-jarige"), (Treatment.BANDS, "AGE", "5 mnd"),
    (Treatment.ROUND, "MONEY", "€ 61.830,00"), (Treatment.ROUND, "MONEY", "drie euro vijftig"),
    (Treatment.ROUND, "NUMBER", "75,5"), (Treatment.MASK, "PHONE", "06-12345678"),
    (Treatment.CATEGORY, "BANK_ACCOUNT", "NL26RABO5406135895"),
]  # fmt: skip


@pytest.mark.parametrize(("treatment", "kind", "text"), _ONCE)
def test_what_was_treated_once_is_not_changed_by_the_same_treatment(
    treatment: Treatment, kind: str, text: str
) -> None:
    once = _treated(treatment, kind, text).text or ""
    twice = _treated(treatment, kind, once)
    assert twice.text in (None, once)
    assert once != text


@pytest.mark.parametrize(("treatment", "kind", "text"), _ONCE)
def test_the_value_cannot_be_read_from_what_says_less(treatment: Treatment, kind: str, text: str) -> None:
    written = _treated(treatment, kind, text).text or ""
    assert normal_form(KindId(kind), written) != normal_form(KindId(kind), text)
