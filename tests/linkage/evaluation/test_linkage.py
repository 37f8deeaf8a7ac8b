"""Scores of linkage against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import GoldFormatError
from linkage.evaluation.linkage import calibration, evaluate_linkage, precision_recall_over_thresholds

PARTITIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def test_worked_example() -> None:
    """Two entities of 3 and 2 mentions; one mention of the first was put with the second."""
    gold = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2}
    found = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}
    scores = evaluate_linkage(gold, found)
    assert scores.pairwise.precision == pytest.approx(2 / 4)
    assert scores.pairwise.recall == pytest.approx(2 / 4)
    assert scores.b_cubed.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    assert scores.b_cubed.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert scores.ceaf_e.f1 == pytest.approx((2 * 2 / 5 + 2 * 2 / 5) / 2)


@given(PARTITIONS)
def test_agreement_with_itself_is_perfect_and_scores_are_shares(labels: list[tuple[int, int]]) -> None:
    gold = {n: a for n, (a, _) in enumerate(labels)}
    found = {n: b for n, (_, b) in enumerate(labels)}
    perfect = evaluate_linkage(gold, gold)
    assert perfect.pairwise.f1 == perfect.b_cubed.f1 == pytest.approx(perfect.ceaf_e.f1) == 1.0
    scores = evaluate_linkage(gold, found)
    for score in (scores.pairwise, scores.b_cubed, scores.ceaf_e):
        assert 0 <= score.precision <= 1 + 1e-9
        assert 0 <= score.recall <= 1 + 1e-9


@given(PARTITIONS)
def test_precision_and_recall_change_places(labels: list[tuple[int, int]]) -> None:
    gold = {n: a for n, (a, _) in enumerate(labels)}
    found = {n: b for n, (_, b) in enumerate(labels)}
    one, other = evaluate_linkage(gold, found), evaluate_linkage(found, gold)
    assert one.b_cubed.precision == pytest.approx(other.b_cubed.recall)
    assert one.pairwise.recall == pytest.approx(other.pairwise.precision)


def test_other_mentions_are_an_error() -> None:
    with pytest.raises(GoldFormatError):
        evaluate_linkage({"a": 1}, {"b": 1})


def test_calibration() -> None:
    found = calibration([0.9, 0.9, 0.1, 0.1], [True, False, False, False])
    assert found.expected_error == pytest.approx((2 * 0.4 + 2 * 0.1) / 4)
    assert found.largest_error == pytest.approx(0.4)
    assert [b.pairs for b in found.bins] == [2, 2]
    with pytest.raises(GoldFormatError):
        calibration([1.2], [True])


def test_thresholds() -> None:
    points = precision_recall_over_thresholds([0.9, 0.6, 0.2], [True, False, True], thresholds=(0.5, 0.95))
    assert [(p.precision, p.recall, p.links) for p in points] == [(0.5, 0.5, 2), (1.0, 0.0, 0)]
