"""Regular expressions made of words."""

import re

import pytest

from linkage.language.expressions import NOTHING, any_of, filled, filled_where_known


def test_the_longest_of_several_words_is_matched() -> None:
    found = re.match(any_of(["mw", "mevrouw", "mevr", "me"]), "mevrouw")
    assert found is not None
    assert found[0] == "mevrouw"


def test_no_word_matches_nowhere() -> None:
    assert any_of([]) == NOTHING
    assert re.search(NOTHING, "anything") is None


def test_signs_of_words_are_themselves() -> None:
    assert re.fullmatch(any_of(["a.b", "a+"]), "a.b")
    assert not re.fullmatch(any_of(["a.b"]), "axb")


def test_a_slot_is_filled_wherever_it_stands() -> None:
    assert filled("{KIN} van {KIN}", {"KIN": "zoon"}) == "zoon van zoon"
    with pytest.raises(KeyError):
        filled("{KIND}", {"KIN": "zoon"})


def test_unknown_slots_may_stay() -> None:
    assert filled_where_known("{KIN} {OTHER}", {"KIN": "zoon"}) == "zoon {OTHER}"
