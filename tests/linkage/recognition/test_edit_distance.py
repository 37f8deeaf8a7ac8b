"""The weighted typing distance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from linkage.recognition.edit_distance import typing_distance

WORDS = st.text(alphabet="abdekrt", max_size=8)


@pytest.mark.parametrize(
    ("likelier", "less_likely", "meant"),
    [
        ("hoekstar", "hoekstxx", "hoekstra"),  # a transposition counts once
        ("mulfer", "mulper", "mulder"),  # f lies beside d
        ("terppstra", "terpxstra", "terpstra"),  # a letter doubled
        ("b0s", "bxs", "bos"),  # what a scanner confuses
    ],
)
def test_likely_slips_are_nearer(likelier: str, less_likely: str, meant: str) -> None:
    assert 0 < typing_distance(likelier, meant) < typing_distance(less_likely, meant)


@given(WORDS, WORDS)
def test_distance_is_symmetric_and_bounded_by_the_plain_one(left: str, right: str) -> None:
    distance = typing_distance(left, right)
    assert distance == pytest.approx(typing_distance(right, left))
    assert 0.5 * OSA.distance(left, right) - 1e-9 <= distance <= OSA.distance(left, right) + 1e-9
    assert (distance == 0) == (left == right)


@given(WORDS, WORDS, st.sampled_from([0.6, 1.0, 1.5, 2.0]))
def test_a_bound_leaves_distances_below_it_as_they_are(left: str, right: str, most: float) -> None:
    distance = typing_distance(left, right)
    bounded = typing_distance(left, right, most=most)
    assert bounded == distance if distance <= most else bounded > most
