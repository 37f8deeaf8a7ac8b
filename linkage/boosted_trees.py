"""Scores of boosted trees for many rows at once, from tables of bits; equal to what LightGBM says.

The way of QuickScorer (Lucchese et al. 2015, doi:10.1145/2766462.2767733): every leaf of a tree has a bit,
and a split that sends a row to the right takes out the leaves on its left. For one feature, what all splits
of all trees take out hangs only on the interval its value lies in, so that a row of bits is looked up for
each feature and the rows are combined; the lowest bit left in each tree is its leaf.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt

from linkage.errors import ModelDamagedError

_LEAVES = 16  # bits of a tree
_ROWS = 1_024  # rows at a time, so that their bits stay in the cache

Masks = npt.NDArray[np.uint16]


class BoostedTrees:
    """The trees of a booster, of up to 16 leaves each."""

    def __init__(self, booster: lightgbm.Booster) -> None:
        """Raises:
        ModelDamagedError: for what has no bits: larger trees, categories, zero as missing.
        """
        trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
        self.feature_count = booster.num_feature()
        self._tree_count = len(trees)
        values = np.zeros((len(trees), _LEAVES), dtype=np.float64)
        splits: dict[int, list[tuple[float, bool, int, int]]] = {}
        for number, tree in enumerate(trees):
            for split, left_leaves in _splits(tree):
                if split["decision_type"] != "<=" or split["missing_type"] == "Zero":
                    raise ModelDamagedError(
                        "trees with categories or zero as missing have no bits; train the classifier again"
                    )
                goes_right = not split["default_left"]
                if split["missing_type"] == "None":  # LightGBM then reads NaN as 0
                    goes_right = split["threshold"] < 0
                splits.setdefault(split["split_feature"], []).append(
                    (split["threshold"], goes_right, number, left_leaves)
                )
            leaves = list(_leaves(tree))
            if len(leaves) > _LEAVES:
                raise ModelDamagedError(
                    f"a tree has {len(leaves)} leaves, but only {_LEAVES} bits; train the classifier again"
                )
            values[number, : len(leaves)] = leaves
        self._values = values.ravel()
        self._offsets = (np.arange(len(trees)) * _LEAVES).astype(np.int32)
        self._tables = {feature: _table(found, len(trees)) for feature, found in sorted(splits.items())}
        # Number of the lowest bit that is set.
        every = np.arange(1 << _LEAVES, dtype=np.int64)
        lowest = np.log2(np.maximum(every & -every, 1)).astype(np.int32)
        self._lowest_bit = lowest

    def scores(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Log-odds of rows, shape (n_rows,); values float32 (n_rows, n_features), NaN = missing."""
        result = np.empty(len(values), dtype=np.float64)
        for start in range(0, len(values), _ROWS):
            result[start : start + _ROWS] = self._of_masks(self._masks(values[start : start + _ROWS]))
        return result

    def _masks(self, values: npt.NDArray[np.float32]) -> Masks:
        kept = np.full((len(values), self._tree_count), 0xFFFF, dtype=np.uint16)
        row = np.empty_like(kept)
        for feature, (thresholds, table) in self._tables.items():
            column = values[:, feature].astype(np.float64)
            # NaN is sorted after every number, which is the last row of the table.
            places = np.searchsorted(thresholds, column, side="left")
            np.take(table, places, axis=0, out=row, mode="clip")
            kept &= row
        return kept

    def _of_masks(self, masks: Masks) -> npt.NDArray[np.float64]:
        leaves = self._lowest_bit[masks]
        leaves += self._offsets
        return np.asarray(self._values[leaves].sum(axis=1), dtype=np.float64)


def _splits(node: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Every split of a tree with the bits of the leaves on its left, leaves counted from the left."""

    def walk(node: Mapping[str, Any], first: int) -> tuple[int, list[tuple[Mapping[str, Any], int]]]:
        if "split_feature" not in node:
            return 1, []
        left_count, left = walk(node["left_child"], first)
        right_count, right = walk(node["right_child"], first + left_count)
        bits = ((1 << left_count) - 1) << first
        return left_count + right_count, [*left, *right, (node, bits)]

    yield from walk(node, 0)[1]


def _leaves(node: Mapping[str, Any]) -> Iterator[float]:
    """Values of the leaves from left to right."""
    if "split_feature" in node:
        yield from _leaves(node["left_child"])
        yield from _leaves(node["right_child"])
    else:
        yield node["leaf_value"]


def _table(
    splits: list[tuple[float, bool, int, int]], tree_count: int
) -> tuple[npt.NDArray[np.float64], Masks]:
    """Thresholds in order, and a row of bits for each interval between them; the last row is for NaN."""
    thresholds = np.unique(np.array([threshold for threshold, *_ in splits], dtype=np.float64))
    table = np.full((len(thresholds) + 2, tree_count), 0xFFFF, dtype=np.uint16)
    for threshold, nan_goes_right, tree, left_leaves in splits:
        without = np.uint16(0xFFFF ^ left_leaves)
        first = int(np.searchsorted(thresholds, threshold)) + 1  # the first interval above it
        table[first:-1, tree] &= without
        if nan_goes_right:
            table[-1, tree] &= without
    # inf stands before NaN, so that the search finds the row of NaN for NaN alone.
    return np.append(thresholds, np.inf), table
