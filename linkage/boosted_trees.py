"""Scores of boosted trees for many rows at once, equal to what LightGBM says."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from linkage.boosting_library import lightgbm
from linkage.errors import ModelDamagedError
from linkage.leaf_masks import MOST_LEAVES, LeafMasks, Split


class BoostedTrees:
    """The trees of a booster, of up to 16 leaves each."""

    def __init__(self, booster: lightgbm.Booster) -> None:
        """Raises:
        ModelDamagedError: for what has no bits: larger trees, categories, zero as missing.
        """
        trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
        values = np.zeros((len(trees), MOST_LEAVES), dtype=np.float64)
        splits: list[Split] = []
        for number, tree in enumerate(trees):
            leaves = list(_leaves(tree))
            if len(leaves) > MOST_LEAVES:
                raise ModelDamagedError(
                    f"a tree has {len(leaves)} leaves and only {MOST_LEAVES} bits; train the classifier again"
                )
            values[number, : len(leaves)] = leaves
            for split, left_leaves in _splits(tree):
                if split["decision_type"] != "<=" or split["missing_type"] == "Zero":
                    raise ModelDamagedError(
                        "trees with categories or zero as missing have no bits; train the classifier again"
                    )
                goes_right = not split["default_left"]
                if split["missing_type"] == "None":  # LightGBM then reads NaN as 0
                    goes_right = split["threshold"] < 0
                feature, threshold = split["split_feature"], split["threshold"]
                splits.append(Split(feature, threshold, goes_right, number, left_leaves))
        self._masks = LeafMasks(values, splits)

    def scores(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Log-odds of rows, shape (n_rows,); values float32 (n_rows, n_features), NaN = missing."""
        return self._masks.sums(values)


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
