"""The decision model: the probability that a candidate is exactly a person's name, from its evidence.

Boosted trees, trained by scripts/train_detection and saved as JSON; evaluated with numpy, so that detection
needs no training library at run time.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from linkage.errors import FeatureMismatchError, ModelDamagedError, ModelNotFoundError
from linkage.leaf_masks import MOST_LEAVES, LeafMasks, Split

_FORMAT = 1


@dataclass(frozen=True, slots=True, eq=False)
class DecisionModel:
    """Trees in one table. Node i of a tree: go left if value <= threshold, or if NaN and nan_left.

    Arrays have shape (n_trees, n_nodes); a leaf has feature -1 and its value in threshold.
    """

    feature_names: tuple[str, ...]
    base: float
    features: npt.NDArray[np.int32] = field(repr=False)
    thresholds: npt.NDArray[np.float64] = field(repr=False)
    left: npt.NDArray[np.int32] = field(repr=False)
    right: npt.NDArray[np.int32] = field(repr=False)
    nan_left: npt.NDArray[np.bool_] = field(repr=False)
    depth: int
    acceptance: float  # probability from which a candidate is a mention
    _masks: LeafMasks | None = field(default=None, repr=False)

    @classmethod
    def load(cls, path: Path, *, feature_names: tuple[str, ...]) -> Self:
        """Read a model and check that it was trained on these features.

        Raises:
            ModelNotFoundError, ModelDamagedError, FeatureMismatchError
        """
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ModelNotFoundError(
                "the decision model of detection is missing; run scripts/train_detection"
            ) from None
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ModelDamagedError(
                f"the decision model of detection cannot be read: {type(error).__name__}; install it again"
            ) from None
        return cls.from_mapping(stored, feature_names=feature_names)

    @classmethod
    def from_mapping(cls, stored: dict[str, Any], *, feature_names: tuple[str, ...]) -> Self:
        try:
            if stored["format"] != _FORMAT:
                raise ModelDamagedError(f"decision model has format {stored['format']}, expected {_FORMAT}")
            names = tuple(stored["feature_names"])
            trees = stored["trees"]
            width = max((len(tree["feature"]) for tree in trees), default=1)

            def table(key: str, *, fill: float) -> npt.NDArray[np.float64]:
                rows = [list(tree[key]) + [fill] * (width - len(tree[key])) for tree in trees]
                return np.array(rows, dtype=np.float64).reshape(len(trees), width)

            model = cls(
                names,
                float(stored["base"]),
                table("feature", fill=-1).astype(np.int32),
                table("threshold", fill=0),
                table("left", fill=0).astype(np.int32),
                table("right", fill=0).astype(np.int32),
                table("nan_left", fill=0).astype(np.bool_),
                int(stored["depth"]),
                float(stored["acceptance"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelDamagedError(
                f"the decision model of detection lacks a part: {type(error).__name__}; install it again"
            ) from None
        if names != feature_names:
            different = sorted(set(names) ^ set(feature_names)) or ["their order"]
            raise FeatureMismatchError(
                f"decision model was trained on other features ({', '.join(different[:5])}); "
                "run scripts/train_detection"
            )
        try:
            return replace(model, _masks=_leaf_masks(model))
        except (IndexError, RecursionError):
            raise ModelDamagedError("a tree of the decision model of detection is no tree") from None

    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """values: (n, n_features). Result: (n,), each in (0, 1)."""
        if values.ndim != 2 or values.shape[1] != len(self.feature_names):
            raise FeatureMismatchError(
                f"evidence has shape {values.shape}, expected (n, {len(self.feature_names)})"
            )
        total = self._walked(values) if self._masks is None else self.base + self._masks.sums(values)
        probabilities: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-total))
        return probabilities

    def _walked(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The sum of the base and each tree's leaf, from node to node; for trees with too many leaves."""
        rows = np.arange(len(values))
        total = np.full(len(values), self.base)
        for tree in range(len(self.features)):
            feature, threshold = self.features[tree], self.thresholds[tree]
            node = np.zeros(len(values), dtype=np.int32)
            for _ in range(self.depth):
                column = feature[node]
                inner = column >= 0
                if not inner.any():
                    break
                value = values[rows, np.maximum(column, 0)]
                missing = np.isnan(value)
                goes_left = np.where(missing, self.nan_left[tree][node], value <= threshold[node])
                following = np.where(goes_left, self.left[tree][node], self.right[tree][node])
                node = np.where(inner, following, node)
            total += threshold[node]
        return total


def _leaf_masks(model: DecisionModel) -> LeafMasks | None:
    """All trees at once; None if one has more leaves than there are bits."""
    n_trees = len(model.features)
    if ((model.features < 0).sum(axis=1) - _unused_nodes(model) > MOST_LEAVES).any():
        return None
    leaves = np.zeros((n_trees, MOST_LEAVES))
    splits: list[Split] = []
    for tree in range(n_trees):
        _split_leaves(model, tree, 0, leaves[tree], 0, splits)
    return LeafMasks(leaves, splits)


def _unused_nodes(model: DecisionModel) -> npt.NDArray[np.int64]:
    """Of each tree the nodes that only fill its row up to the widest tree's."""
    inner = (model.features >= 0).sum(axis=1)
    return np.asarray((model.features < 0).sum(axis=1) - (inner + 1))


def _split_leaves(
    model: DecisionModel,
    tree: int,
    node: int,
    leaves: npt.NDArray[np.float64],
    first: int,
    splits: list[Split],
) -> int:
    """Number the leaves below a node from first on, from the left, and note each question above them.

    The result is the number after the last one's.
    """
    feature = int(model.features[tree, node])
    threshold = float(model.thresholds[tree, node])
    if feature < 0:
        leaves[first] = threshold
        return first + 1
    middle = _split_leaves(model, tree, int(model.left[tree, node]), leaves, first, splits)
    on_left = (1 << middle) - (1 << first)
    splits.append(Split(feature, threshold, not model.nan_left[tree, node], tree, on_left))
    return _split_leaves(model, tree, int(model.right[tree, node]), leaves, middle, splits)
