"""Sums of decision trees for many rows at once, from tables of bits.

The way of QuickScorer (Lucchese et al. 2015, doi:10.1145/2766462.2767733): every leaf of a tree has a bit,
counted from the left, and a split that sends a row to the right closes the leaves on its left. What all the
splits of all trees on one feature close hangs only on the interval that its value lies in, so that a row of
bits is looked up for each feature and the rows are combined; the first leaf left open in each tree counts.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

MOST_LEAVES: Final = 16  # a bit each
_ALL_OPEN: Final = (1 << MOST_LEAVES) - 1
_MASKS_AT_ONCE: Final = 200_000  # rows times trees: as many as stay in the processor's cache

Masks = npt.NDArray[np.uint16]


class Split(NamedTuple):
    """One question of a tree: left if value <= threshold. left_leaves: a bit for each leaf on its left."""

    feature: int
    threshold: float
    nan_goes_right: bool
    tree: int
    left_leaves: int


class LeafMasks:
    """Trees of up to MOST_LEAVES leaves each."""

    def __init__(self, leaf_values: npt.NDArray[np.float64], splits: Iterable[Split]) -> None:
        """leaf_values: shape (n_trees, MOST_LEAVES), from the left, zeros behind the last."""
        self._tree_count = len(leaf_values)
        self._values = leaf_values.ravel()
        self._offsets = (np.arange(self._tree_count) * MOST_LEAVES).astype(np.int32)
        by_feature: dict[int, list[Split]] = defaultdict(list)
        for split in splits:
            by_feature[split.feature].append(split)
        self._tables = {
            feature: _table(asked, self._tree_count) for feature, asked in sorted(by_feature.items())
        }
        every = np.arange(_ALL_OPEN + 1, dtype=np.int64)
        self._first_open = np.log2(np.maximum(every & -every, 1)).astype(np.int32)

    def sums(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The sum of each tree's leaf, shape (n_rows,). values: (n_rows, n_features), NaN = missing."""
        result = np.empty(len(values), dtype=np.float64)
        at_once = max(1, _MASKS_AT_ONCE // max(1, self._tree_count))
        for first in range(0, len(values), at_once):
            leaves = self._first_open[self._open_leaves(values[first : first + at_once])]
            leaves += self._offsets
            result[first : first + at_once] = self._values[leaves].sum(axis=1)
        return result

    def _open_leaves(self, values: npt.NDArray[np.float32]) -> Masks:
        still_open = np.full((len(values), self._tree_count), _ALL_OPEN, dtype=np.uint16)
        row = np.empty_like(still_open)
        for feature, (thresholds, table) in self._tables.items():
            # NaN is sorted after every number, which is the last row of the table.
            places = np.searchsorted(thresholds, values[:, feature].astype(np.float64), side="left")
            np.take(table, places, axis=0, out=row, mode="clip")
            still_open &= row
        return still_open


def _table(splits: Iterable[Split], tree_count: int) -> tuple[npt.NDArray[np.float64], Masks]:
    """Thresholds in order, and a row of bits for each interval between them; the last row is for NaN."""
    asked = list(splits)
    thresholds = np.unique(np.array([split.threshold for split in asked], dtype=np.float64))
    table = np.full((len(thresholds) + 2, tree_count), _ALL_OPEN, dtype=np.uint16)
    for split in asked:
        kept = np.uint16(_ALL_OPEN ^ split.left_leaves)
        first = int(np.searchsorted(thresholds, split.threshold)) + 1  # the first interval above it
        table[first:-1, split.tree] &= kept
        if split.nan_goes_right:
            table[-1, split.tree] &= kept
    # inf stands before NaN, so that the search finds the row of NaN for NaN alone.
    return np.append(thresholds, np.inf), table
