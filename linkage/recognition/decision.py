"""The decision model: the probability that a candidate is exactly a person's name, from its evidence.

Boosted trees, trained by scripts/train_detection and saved as JSON; evaluated with numpy, so that detection
needs no training library at run time.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from linkage.errors import FeatureMismatchError, ModelDamagedError, ModelNotFoundError
from linkage.leaf_masks import MOST_LEAVES, LeafMasks, Split

_FORMAT = 1


@dataclass(frozen=True, slots=True, eq=False)
class DecisionModel:
    """Trees of up to 16 leaves, as lists over the nodes of each, of which the first is its root.

    A node goes left if value <= threshold, or if NaN and nan_left; a leaf has feature -1 and its value in
    threshold.
    """

    feature_names: tuple[str, ...]
    base: float
    acceptance: float  # probability from which a candidate is a mention
    trees: LeafMasks = field(repr=False)

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
        """The model of a JSON object.

        Raises:
            ModelDamagedError, FeatureMismatchError
        """
        try:
            if stored["format"] != _FORMAT:
                raise ModelDamagedError(f"decision model has format {stored['format']}, expected {_FORMAT}")
            names, trees = tuple(stored["feature_names"]), stored["trees"]
            leaves = np.zeros((len(trees), MOST_LEAVES))
            splits: list[Split] = []
            for number, tree in enumerate(trees):
                _take(tree, number, 0, leaves[number], 0, splits)
            base, acceptance = float(stored["base"]), float(stored["acceptance"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelDamagedError(
                f"the decision model of detection lacks a part: {type(error).__name__}; install it again"
            ) from None
        except (IndexError, RecursionError):
            raise ModelDamagedError(
                f"a tree of the decision model of detection is no tree, or has more than {MOST_LEAVES} leaves"
            ) from None
        if names != feature_names:
            different = sorted(set(names) ^ set(feature_names)) or ["their order"]
            raise FeatureMismatchError(
                f"decision model was trained on other features ({', '.join(different[:5])}); "
                "run scripts/train_detection"
            )
        return cls(names, base, acceptance, LeafMasks(leaves, splits))

    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The probability of each row, shape (n,), in (0, 1). values: shape (n, n_features), NaN = missing.

        Raises:
            FeatureMismatchError: the values have another number of features.
        """
        if values.ndim != 2 or values.shape[1] != len(self.feature_names):
            raise FeatureMismatchError(
                f"evidence has shape {values.shape}, expected (n, {len(self.feature_names)})"
            )
        total = self.base + self.trees.sums(values)
        probabilities: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-total))
        return probabilities


def _take(
    tree: Mapping[str, Any],
    number: int,
    node: int,
    leaves: npt.NDArray[np.float64],
    first: int,
    splits: list[Split],
) -> int:
    """Number the leaves below a node of a tree from first on, from the left, and note each question above
    them. The result is the number behind the last one's.
    """
    feature, threshold = int(tree["feature"][node]), float(tree["threshold"][node])
    if feature < 0:
        leaves[first] = threshold
        return first + 1
    middle = _take(tree, number, int(tree["left"][node]), leaves, first, splits)
    on_left = (1 << middle) - (1 << first)
    splits.append(Split(feature, threshold, not tree["nan_left"][node], number, on_left))
    return _take(tree, number, int(tree["right"][node]), leaves, middle, splits)
