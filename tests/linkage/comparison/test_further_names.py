"""Further given names contradict each other or do not; what one form leaves out contradicts nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.comparison.forms import FormTable
from linkage.comparison.further_names import FurtherNames, places_of
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName

GAZETTEER = Gazetteer.load()


def _contradict(left: PersonName, right: PersonName) -> bool:
    found = FurtherNames(FormTable([left, right]), GAZETTEER).contradict(np.array([0]), np.array([1]))
    return bool(found[0])


def _parsed(left: str, right: str) -> tuple[PersonName, PersonName]:
    return parse_name(left, GAZETTEER), parse_name(right, GAZETTEER)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jan Pieter Bos", "Jan Willem Bos"),
        ("Jan-Pieter Bos", "Jan Willem Bos"),
        ("Anna Maria Bos", "Anna Elisabeth Bos"),
        ("Jan Paul Bos", "Jan Pieter Bos"),
        ("J.P. Bos", "J.W. Bos"),
        ("Jan W. Bos", "Jan P. Bos"),
        ("Jan Pieter Bos", "J.W. Bos"),
        ("Jan Willem Bos", "Johannes Petrus Bos"),
        ("Johannes Petrus Maria Bos", "Johannes Willem Hendrik Bos"),
        ("Jan Pieter", "Jan Willem"),
    ],
)
def test_other_further_names_contradict(left: str, right: str) -> None:
    first, second = _parsed(left, right)
    assert _contradict(first, second)
    assert _contradict(second, first)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jan Pieter Bos", "Jan Bos"),
        ("J.P.M. Bos", "J.M. Bos"),
        ("J.P. Bos", "J. Bos"),
        ("Jan P. Bos", "Jan Pieter Bos"),
        ("Jan Kees Bos", "Jan Cornelis Bos"),
        ("Jan Kees Bos", "J.C. Bos"),
        ("Johannes Petrus Bos", "Jan Piet Bos"),
        ("Jan Pieter Bos", "Jan Peiter Bos"),
        ("Johannes Petrus Maria Bos", "Johannes Maria Bos"),
        ("J. Peter Bos", "J.P. Bos"),
        ("Piet Jan Bos", "Karel Willem Bos"),  # the first name tells already
        ("Bos", "De Vries"),
    ],
)
def test_shorter_misspelt_and_variant_names_do_not(left: str, right: str) -> None:
    first, second = _parsed(left, right)
    assert not _contradict(first, second)
    assert not _contradict(second, first)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        (PersonName(given="Jan Pieter"), (("j", "jan"), ("p", "pieter"))),
        (PersonName(given="Jan", initials="J.P."), (("j", "jan"), ("p", ""))),
        (PersonName(given="Peter", initials="J.P."), (("j", ""), ("p", "peter"))),
        (PersonName(initials="Th.J."), (("t", ""), ("j", ""))),
        (PersonName(family="Bos"), ()),
    ],
)
def test_each_given_name_has_its_place(name: PersonName, places: tuple[tuple[str, str], ...]) -> None:
    assert places_of(name) == places


WORDS = st.lists(
    st.sampled_from(["Jan", "Piet", "Kees", "Anna", "Maria", "Xanthippe"]), min_size=1, max_size=3
)


@given(WORDS, WORDS, st.data())
def test_symmetric_and_never_of_a_name_and_what_is_left_of_it(
    mine: list[str], theirs: list[str], data: st.DataObject
) -> None:
    left, right = PersonName(given=" ".join(mine)), PersonName(given=" ".join(theirs))
    assert _contradict(left, right) == _contradict(right, left)
    kept = [word for word in mine[1:] if data.draw(st.booleans())]
    assert not _contradict(left, PersonName(given=" ".join([mine[0], *kept])))
    assert not _contradict(left, PersonName(initials="".join(f"{word[0]}." for word in [mine[0], *kept])))
