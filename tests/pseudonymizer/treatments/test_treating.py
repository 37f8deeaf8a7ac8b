"""Masks, categories, random texts: lengths, formats, checks, equal in and equal out."""

import os
from pathlib import Path
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.gb import nhs
from stdnum.nl import bsn

from linkage.detection import find_values
from linkage.detection.validators.citizens import compact
from linkage.detection.values import normal_form
from linkage.kinds import KindId, Kinds
from linkage.language import Language
from pseudonymizer.treatments.treating import Treating, TreatingByLanguage
from pseudonymizer.treatments.treatment import (
    Outcome,
    TreatedValue,
    Treatment,
    TreatmentKeys,
    TreatmentOptions,
)

_DUTCH: Final = Language.load("nl")
_KEYS: Final = TreatmentKeys(b"s" * 32, b"d" * 32)
_TREATING: Final = Treating(TreatmentOptions(), _KEYS)
_VALID: Final = Treating(TreatmentOptions(random_check="valid"), _KEYS)
_SPELLED: Final = Path(__file__).parents[2] / "linkage" / "detection" / "spellings"
# Every spelling of every kind that detection is tested with, cut out of its sentence.
_VALUES: Final = [
    (path.stem, line.partition("«")[2].partition("»")[0])
    for path in sorted(_SPELLED.glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
]

# Spellings in which a cue finds the number by a pattern that has no check.
_FOUND_WITHOUT_CHECK: Final = {"9458.07.302", "943 476 5919"}


def _value(kind: str, text: str) -> TreatedValue:
    return TreatedValue(KindId(kind), normal_form(KindId(kind), text), text)


def _text(treating: Treating, treatment: Treatment, kind: str, text: str) -> str:
    written = treating.treated(treatment, _value(kind, text)).text
    assert written is not None
    return written


def _format(text: str) -> str:
    """The text with one letter for its letters and one figure for its figures."""
    return "".join(
        "0" if sign.isdecimal() else "a" if sign.islower() else "A" if sign.isalpha() else sign
        for sign in text
    )


@pytest.mark.parametrize(
    "treatment",
    [
        Treatment.KEEP, Treatment.FOLLOW, Treatment.FOLLOW_OR_KEEP, Treatment.CODE, Treatment.TOKEN,
        Treatment.TAG, Treatment.SURROGATE,
    ],
)  # fmt: skip
def test_what_the_vault_or_nobody_writes_has_no_text(treatment: Treatment) -> None:
    assert _TREATING.treated(treatment, _value("PHONE", "06-12345678")) == Outcome(treatment)


@pytest.mark.parametrize(("kind", "text"), _VALUES)
def test_a_mask_is_as_long_as_the_value_and_is_found_as_nothing(kind: str, text: str) -> None:
    masked = _text(_TREATING, Treatment.MASK, kind, text)
    assert len(masked) == len(text)
    assert len(set(masked)) == 1
    assert find_values(f"Zie {masked} en 2024.", _DUTCH, kinds=set(Kinds.load()) - {KindId("DATE")}) == ()


def test_a_mask_keeps_line_ends() -> None:
    assert _text(_TREATING, Treatment.MASK, "DATE", "12\nmaart") == "##\n#####"


@pytest.mark.parametrize("kind", [kind for kind in Kinds.load() if kind != "PERSON"])
def test_fixed_masks_and_categories_are_the_word_of_the_kind(kind: str) -> None:
    fixed = Treating(TreatmentOptions(mask="fixed"), _KEYS)
    value = TreatedValue(KindId(kind), "x", "x")
    word = f"[{Kinds.load()[KindId(kind)].word('nl')}]"
    assert fixed.treated(Treatment.MASK, value) == Outcome(Treatment.MASK, word)
    assert _TREATING.treated(Treatment.CATEGORY, value) == Outcome(Treatment.CATEGORY, word)
    assert find_values(f"Zie {word}.", _DUTCH) == ()


def test_a_kind_of_the_user_is_called_by_its_name() -> None:
    value = TreatedValue(KindId("SHIP"), "x", "x")
    assert _TREATING.treated(Treatment.CATEGORY, value).text == "[SHIP]"


@pytest.mark.parametrize(("kind", "text"), _VALUES)
@pytest.mark.parametrize("treating", [_TREATING, _VALID], ids=["invalid", "valid"])
def test_a_random_text_keeps_the_format_and_is_another_value(
    treating: Treating, kind: str, text: str
) -> None:
    drawn = _text(treating, Treatment.RANDOM, kind, text)
    assert _format(drawn) == _format(text)
    assert drawn != text
    assert drawn == _text(treating, Treatment.RANDOM, kind, text)
    assert normal_form(KindId(kind), drawn) != normal_form(KindId(kind), text)


@settings(max_examples=30)
@given(number=st.integers(1_000_000, 99_999_999), key=st.binary(min_size=32, max_size=32))
def test_random_citizen_numbers_pass_or_fail_as_asked(number: int, key: bytes) -> None:
    total = sum(int(digit) * (9 - place) for place, digit in enumerate(f"{number:08d}"))
    text = f"{number:08d}{total % 11}"
    assume(bsn.is_valid(text))
    keys = TreatmentKeys(key, key)
    invalid = _text(Treating(TreatmentOptions(), keys), Treatment.RANDOM, "NATIONAL_ID", text)
    valid = _text(
        Treating(TreatmentOptions(random_check="valid"), keys), Treatment.RANDOM, "NATIONAL_ID", text
    )
    assert not bsn.is_valid(invalid)
    assert bsn.is_valid(valid)
    assert valid != text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("BANK_ACCOUNT", "NL26 RABO 5406 1358 95"), ("BANK_ACCOUNT", "BE16 2064 2792 8774"),
        ("BANK_ACCOUNT", "DE89 3704 0044 0532 0130 00"), ("PAYMENT_CARD", "4789 1024 4859 4807"),
        ("COMPANY_NUMBER", "NL004495445B01"), ("NATIONAL_ID", "85.07.30-033.28"),
        ("NATIONAL_ID", "65929970489"), ("NATIONAL_ID", "756.9217.0769.85"),
        ("NATIONAL_ID", "RSSMRA85T10A562S"), ("NATIONAL_ID", "943 476 5919"),
        ("DEVICE", "353081614099169"), ("NATIONAL_ID", "945807302"), ("NATIONAL_ID", "9458.07.302"),
    ],
)  # fmt: skip
def test_checks_pass_or_fail_as_asked(kind: str, text: str) -> None:
    def is_checked(one: str) -> bool:
        return any(
            value.checked
            for value in find_values(one, _DUTCH, kinds={KindId(kind)}, column=KindId(kind))
            if len(value.span) == len(one)
            and value.pattern not in ("national_id_spaced", "serial_number", "company_number")
        )

    for _ in range(5):
        keys = TreatmentKeys(os.urandom(32), os.urandom(32))
        options = TreatmentOptions(random_check="valid")
        assert not is_checked(_text(Treating(TreatmentOptions(), keys), Treatment.RANDOM, kind, text))
        if text not in _FOUND_WITHOUT_CHECK:
            assert is_checked(_text(Treating(options, keys), Treatment.RANDOM, kind, text))


def test_two_spellings_of_a_value_are_two_spellings_of_one_random_value() -> None:
    for kind, one, other in [
        ("BANK_ACCOUNT", "NL26 RABO 5406 1358 95", "nl26rabo5406135895"),
        ("NATIONAL_ID", "945807302", "9458.07.302"),
        ("PAYMENT_CARD", "4789102448594807", "4789-1024-4859-4807"),
    ]:
        for treating in (_TREATING, _VALID):
            told = [_text(treating, Treatment.RANDOM, kind, text) for text in (one, other)]
            assert normal_form(KindId(kind), told[0]) == normal_form(KindId(kind), told[1])
    phones = [_text(_TREATING, Treatment.RANDOM, "PHONE", text) for text in ("06-12345678", "+31 6 12345678")]
    assert phones[0][-8:] == phones[1][-8:]


def test_another_run_draws_other_texts() -> None:
    other = Treating(TreatmentOptions(), TreatmentKeys(b"s" * 32, b"e" * 32))
    text = "NL26 RABO 5406 1358 95"
    drawn = {_text(treating, Treatment.RANDOM, "BANK_ACCOUNT", text) for treating in (_TREATING, other)}
    assert len(drawn) == 2


def test_random_numbers_keep_their_checks_by_their_libraries() -> None:
    assert iban.is_valid(_text(_VALID, Treatment.RANDOM, "BANK_ACCOUNT", "NL26RABO5406135895"))
    assert luhn.is_valid(_text(_VALID, Treatment.RANDOM, "PAYMENT_CARD", "4789102448594807"))
    assert nhs.is_valid(compact(_text(_VALID, Treatment.RANDOM, "NATIONAL_ID", "943 476 5919")))
    assert not iban.is_valid(_text(_TREATING, Treatment.RANDOM, "BANK_ACCOUNT", "NL26RABO5406135895"))
    assert not luhn.is_valid(_text(_TREATING, Treatment.RANDOM, "PAYMENT_CARD", "4789102448594807"))


@pytest.mark.parametrize("text", ["", "-", "€"])
def test_what_has_no_signs_to_draw_becomes_a_code(text: str) -> None:
    value = TreatedValue(KindId("NUMBER"), text, text)
    assert _TREATING.treated(Treatment.RANDOM, value) == Outcome(Treatment.CODE)


def test_the_shift_of_a_project_is_the_same_for_dates_and_births() -> None:
    dates = [_text(_TREATING, Treatment.SHIFT, kind, "12-03-1951") for kind in ("DATE", "BIRTH_DATE")]
    assert dates[0] == dates[1] != "12-03-1951"


@pytest.mark.parametrize(
    ("language", "text", "month"),
    [
        ("de", "14. März 2024", "März 2024"),
        ("en", "March 14, 2024", "March 2024"),
        ("", "14 maart 2024", "maart 2024"),
    ],
)
def test_each_text_is_treated_in_its_own_language(language: str, text: str, month: str) -> None:
    treating = TreatingByLanguage(TreatmentOptions(), _KEYS, "nl")
    kind = KindId("DATE")
    value = TreatedValue(kind, normal_form(kind, text, language or "nl"), text, language=language)
    assert treating.treated(Treatment.MONTH, value).text == month
    shifted = treating.treated(Treatment.SHIFT, value)
    assert shifted.treatment is Treatment.SHIFT
    assert shifted.text is not None
    assert normal_form(kind, shifted.text, language or "nl") != value.normal


def test_no_repr_shows_a_value() -> None:
    assert "12345678" not in repr(_TREATING.treated(Treatment.RANDOM, _value("PHONE", "06-12345678")))
