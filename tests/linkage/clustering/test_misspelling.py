"""Typing errors inside a document."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from linkage.clustering.misspelling import Currency, Slip, error_probability, slip_of, typing_errors


def unknown(_: str) -> Currency:
    return Currency.UNKNOWN


def common(_: str) -> Currency:
    return Currency.COMMON


def test_symmetric_and_without_the_word_itself() -> None:
    found = typing_errors({"orhan", "ohran", "fenna"}, unknown)
    assert found["orhan"].keys() == {"ohran"}
    assert found["ohran"]["orhan"] == found["orhan"]["ohran"] > 0.9
    assert "fenna" not in found


def test_two_common_short_names_are_two_names() -> None:
    assert typing_errors({"bos", "vos"}, common)["bos"]["vos"] < 0.1


def test_glyphs_that_are_mistaken_for_each_other() -> None:
    assert typing_errors({"srnit", "smit"}, common)["smit"]["srnit"] >= 0.9


def test_probability_falls_with_distance_and_rises_with_length() -> None:
    values = [error_probability(9, distance, Currency.UNKNOWN) for distance in (1, 2, 3)]
    assert values == sorted(values, reverse=True)
    assert error_probability(12, 3, Currency.UNKNOWN) > error_probability(8, 3, Currency.UNKNOWN)


def test_kinds_of_slips() -> None:
    assert slip_of("orhan", "ohran") is Slip.SWAP
    assert slip_of("fenna", "fena") is Slip.DOUBLE
    assert slip_of("rodney", "rodny") is Slip.VOWEL
    assert slip_of("sem", "sam") is slip_of("ionel", "ionela") is slip_of("anton", "aton") is Slip.OTHER


def test_a_letter_that_makes_another_name_is_less_likely_a_slip() -> None:
    swapped = error_probability(6, 1, Currency.COMMON, Slip.SWAP)
    assert error_probability(6, 1, Currency.COMMON, Slip.OTHER) < 0.5 < swapped
    assert error_probability(6, 1, Currency.UNKNOWN, Slip.OTHER) > 0.9


def test_what_is_written_again_is_no_slip() -> None:
    once = typing_errors({"ionel", "ionela"}, common)["ionel"]["ionela"]
    again = typing_errors({"ionel", "ionela"}, common, {"ionel": 2, "ionela": 3})["ionel"]["ionela"]
    assert again < once


@given(st.sets(st.text("abd", min_size=3, max_size=12), max_size=25))
def test_every_pair_that_may_be_one_name_is_found(words: set[str]) -> None:
    expected = {}
    for left, right in combinations(sorted(words), 2):
        distance = OSA.distance(left, right)
        slip = slip_of(left, right) if distance == 1 else None
        longer = max(len(left), len(right))
        if (probability := error_probability(longer, distance, Currency.UNKNOWN, slip)) > 0:
            expected[left, right] = probability
    found = typing_errors(words, unknown)
    assert expected == {(a, b): p for a, near in found.items() for b, p in near.items() if a < b}
