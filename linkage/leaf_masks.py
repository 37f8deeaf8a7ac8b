"""Sums of decision trees for many rows at once, from tables of bits.

The way of QuickScorer (Lucchese et al. 2015, doi:10.1145/2766462.2767733): every leaf of a tree has a bit,
counted from the left, and a split that sends a row to the right closes the leaves on its left. What all the
splits of all trees on one feature close hangs only on the interval that its value lies in, so that a row of
bits is looked up for each feature and the rows are combined; the first leaf left open in each tree counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

MOST_LEAVES: Final = 16  # a bit each
_ALL_OPEN: Final = (1 << MOST_LEAVES) - 1
_MASKS_AT_ONCE: Final = 200_000  # rows times trees: as many as stay in the processor's cache
_ROWS_AT_ONCE: Final = 32_768  # whose places in the tables are looked up together

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
        shape = min(at_once, len(values)), self._tree_count
        still_open, row = np.empty(shape, dtype=np.uint16), np.empty(shape, dtype=np.uint16)
        leaves = np.empty(shape, dtype=np.int32)
        for start in range(0, len(values), _ROWS_AT_ONCE):
            places = self._places(values[start : start + _ROWS_AT_ONCE])
            rows = min(_ROWS_AT_ONCE, len(values) - start)
            for first in range(0, rows, at_once):
                last = min(first + at_once, rows)
                size = last - first
                left_open = self._open_leaves(places, slice(first, last), still_open[:size], row[:size])
                found = leaves[:size]
                np.take(self._first_open, left_open, out=found, mode="clip")
                found += self._offsets
                leaf_values = np.take(self._values, found, mode="clip")
                result[start + first : start + last] = leaf_values.sum(axis=1)
        return result

    def _places(self, values: npt.NDArray[np.float32]) -> list[npt.NDArray[np.intp]]:
        """Which row of each feature's table holds for each value, in the order of the tables."""
        # NaN is sorted after every number, which is the last row of the table.
        return [
            np.searchsorted(thresholds, values[:, feature].astype(np.float64), side="left")
            for feature, (thresholds, _) in self._tables.items()
        ]

    def _open_leaves(
        self, places: Sequence[npt.NDArray[np.intp]], rows: slice, still_open: Masks, room: Masks
    ) -> Masks:
        """The leaves left open in some rows, put into still_open; room: another such array to work in."""
        still_open.fill(_ALL_OPEN)
        for (_, table), place in zip(self._tables.values(), places, strict=True):
            np.take(table, place[rows], axis=0, out=room, mode="clip")
            still_open &= room
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
