"""The numbers of training."""

import pytest

from linkage.training.numbers import numbers, words


@pytest.mark.parametrize("section", ["trainer", "tokenizer", "variation"])
def test_each_table_holds_numbers_above_nothing(section: str) -> None:
    assert numbers(section)
    assert all(0 < value < 1 for value in numbers(section).values())


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        numbers("other")


def test_words_are_those_of_the_language() -> None:
    assert "dell'" in words("elisions", "it")
    assert not words("elisions", "nl")
