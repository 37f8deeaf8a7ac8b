"""Scored pairs of parts and of forms: what is kept of those that blocking proposes."""

from collections.abc import Sequence

import numpy as np

from linkage.linker.forms import judged_forms, judged_parts, part_names
from linkage.linker.scoring import Indexes, Probabilities
from linkage.records import PersonName


class Table:
    """Gives each pair the probability that is written for it, left to right in the order of the parts."""

    def __init__(self, told: dict[tuple[int, int], float]) -> None:
        self._told = told

    def probabilities(self, left: Indexes, right: Indexes) -> Probabilities:
        return np.array([self._told[pair] for pair in zip(left.tolist(), right.tolist(), strict=True)])

    def every_probability(self, left: Indexes, right: Indexes) -> Probabilities:
        raise NotImplementedError

    def variant_kinds(self, left: Indexes, right: Indexes) -> Sequence[str | None]:
        raise NotImplementedError

    def partial_ratios(self, left: Indexes, right: Indexes) -> Probabilities:
        raise NotImplementedError


def indexes(*numbers: int) -> Indexes:
    return np.array(numbers, dtype=np.int64)


def test_parts_are_names_that_have_nothing_else() -> None:
    assert part_names(["jan"], given=True) == [PersonName(given="jan")]
    assert part_names(["kok"], given=False) == [PersonName(family="kok")]


def test_parts_are_kept_that_are_likely_or_spelt_alike() -> None:
    parts = ["terpstra", "terpsrta", "kok", "wouda"]
    told = {(0, 1): 0.01, (0, 2): 0.1, (0, 3): 0.05, (1, 2): float("nan")}
    kept = judged_parts(Table(told), parts, indexes(0, 0, 0, 1), indexes(1, 2, 3, 2))
    assert list(zip(kept.left.tolist(), kept.right.tolist(), strict=True)) == [(0, 1), (0, 2)]
    assert kept.probabilities.tolist() == [0.01, 0.1]
    assert kept.blocked_pairs == 4


def test_forms_are_kept_that_the_classifier_judges_each_pair_once_and_in_order() -> None:
    told = {(1, 2): 0.7, (0, 2): float("nan"), (0, 1): 0.2}
    batches = [(indexes(1, 0), indexes(2, 2)), (indexes(0, 1), indexes(1, 2))]
    kept = judged_forms(batches, Table(told), 3)
    assert list(zip(kept.left.tolist(), kept.right.tolist(), strict=True)) == [(0, 1), (1, 2)]
    assert kept.probabilities.tolist() == [0.2, 0.7]
    assert kept.blocked_pairs == 4
    assert len(judged_forms([], Table({}), 3).left) == 0
