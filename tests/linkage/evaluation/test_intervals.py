"""Intervals of a score by resampling its documents."""

from collections.abc import Sequence

import pytest

from linkage.evaluation.intervals import Interval, bootstrap


def mean(parts: Sequence[float]) -> float:
    return sum(parts) / len(parts)


def test_the_interval_holds_the_value_and_narrows_with_documents() -> None:
    few, many = [0.0, 1.0] * 5, [0.0, 1.0] * 200
    small, large = bootstrap(few, mean), bootstrap(many, mean)
    assert small.value == large.value == 0.5
    assert small.low < large.low < 0.5 < large.high < small.high
    # The standard error of a share of a half in 400 draws is .025; 95 % lie within 1.96 of these.
    assert large.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.01)


def test_draws_are_the_same_in_each_call() -> None:
    assert bootstrap([0.0, 0.3, 1.0], mean) == bootstrap([0.0, 0.3, 1.0], mean)


def test_documents_that_are_alike_leave_no_doubt() -> None:
    assert bootstrap([0.25] * 9, mean) == Interval(0.25, 0.25, 0.25)


def test_of_no_document_the_rate_says_its_own() -> None:
    assert bootstrap([], lambda parts: float(len(parts))) == Interval(0.0, 0.0, 0.0)
