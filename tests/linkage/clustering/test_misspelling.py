"""Typing errors inside a document."""

from linkage.clustering.misspelling import Currency, error_probability, typing_errors


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
