"""Scores of linkage against values worked out by hand."""

from collections.abc import Mapping
from itertools import combinations, permutations

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


def test_worked_example_of_bagga_and_baldwin() -> None:
    """Entities of 5, 2 and 5 mentions; once the small one is joined with a large one, once both large ones.

    B-cubed precision .76 and .58 with recall 1, as in their paper (1998); pairwise and CEAF-e by hand.
    """
    gold = dict(enumerate("aaaaabbccccc"))
    small_joined = evaluate_linkage(gold, dict(enumerate("111112222222")))
    large_joined = evaluate_linkage(gold, dict(enumerate("111112211111")))
    assert small_joined.b_cubed.precision == pytest.approx((5 + 2 * 2 / 7 + 5 * 5 / 7) / 12)
    assert round(small_joined.b_cubed.precision, 2) == 0.76
    assert round(large_joined.b_cubed.precision, 2) == 0.58
    assert small_joined.b_cubed.recall == large_joined.b_cubed.recall == 1
    assert small_joined.pairwise.precision == pytest.approx((10 + 1 + 10) / (10 + 21))
    assert large_joined.pairwise.precision == pytest.approx((10 + 1 + 10) / (45 + 1))
    total = 1 + 2 * 5 / (5 + 7)  # of {a} with itself and of {c} with the joined one
    assert small_joined.ceaf_e.precision == pytest.approx(total / 2)
    assert small_joined.ceaf_e.recall == pytest.approx(total / 3)


def _clusters(labels: Mapping[int, int]) -> list[frozenset[int]]:
    return [frozenset(n for n in labels if labels[n] == label) for label in sorted(set(labels.values()))]


def _plainly(gold: Mapping[int, int], found: Mapping[int, int]) -> dict[str, tuple[float, float]]:
    """The definitions word by word: sets, all pairs, and all alignments of clusters."""
    true, claimed = (
        {pair for cluster in _clusters(labels) for pair in combinations(sorted(cluster), 2)}
        for labels in (gold, found)
    )
    both = len(true & claimed)
    cubed = []
    for one, other in ((found, gold), (gold, found)):
        shares = [
            sum(one[m] == one[n] and other[m] == other[n] for n in gold) / sum(one[m] == one[n] for n in gold)
            for m in gold
        ]
        cubed.append(sum(shares) / len(shares))
    rows, columns = _clusters(gold), _clusters(found)
    few, many = (rows, columns) if len(rows) <= len(columns) else (columns, rows)
    best = max(
        sum(2 * len(a & b) / (len(a) + len(b)) for a, b in zip(few, order, strict=True))
        for order in permutations(many, len(few))
    )
    return {
        "pairwise": (both / len(claimed) if claimed else 1.0, both / len(true) if true else 1.0),
        "b_cubed": (cubed[0], cubed[1]),
        "ceaf_e": (best / len(columns), best / len(rows)),
    }


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14))
def test_scores_are_those_of_the_plain_definitions(labels: list[tuple[int, int]]) -> None:
    gold = {n: a for n, (a, _) in enumerate(labels)}
    found = {n: b for n, (_, b) in enumerate(labels)}
    scores = evaluate_linkage(gold, found)
    for name, (precision, recall) in _plainly(gold, found).items():
        score = getattr(scores, name)
        assert (score.precision, score.recall) == (pytest.approx(precision), pytest.approx(recall))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.integers(1, 12))
def test_calibration_is_that_of_the_plain_definition(pairs: list[tuple[float, bool]], bin_count: int) -> None:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for probability, truth in pairs:
        bins.setdefault(min(int(probability * bin_count), bin_count - 1), []).append((probability, truth))
    expected = sum(abs(sum(p - t for p, t in inside)) for inside in bins.values()) / len(pairs)
    found = calibration([p for p, _ in pairs], [t for _, t in pairs], bin_count=bin_count)
    assert found.expected_error == pytest.approx(expected)
    assert sum(one.pairs for one in found.bins) == len(pairs)
    assert found.brier_score == pytest.approx(sum((p - t) ** 2 for p, t in pairs) / len(pairs))


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
