"""The decision model as data."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkage.errors import FeatureMismatchError, ModelDamagedError, ModelNotFoundError
from linkage.recognition.decision import DecisionModel

NAMES = ("ner", "case")


def _stored(**changes: Any) -> dict[str, Any]:
    # ner <= 0.5 -> -2, else (case <= 1, or missing -> 1, else 3); a second tree of one leaf
    deep = {
        "feature": [0, -1, 1, -1, -1], "threshold": [0.5, -2.0, 1.0, 1.0, 3.0],
        "left": [1, 0, 3, 0, 0], "right": [2, 0, 4, 0, 0], "nan_left": [0, 0, 1, 0, 0],
    }  # fmt: skip
    leaf = {"feature": [-1], "threshold": [0.25], "left": [0], "right": [0], "nan_left": [0]}
    return {
        "format": 1, "feature_names": list(NAMES), "base": 0.0, "depth": 3, "acceptance": 0.4,
        "trees": [deep, leaf], **changes,
    }  # fmt: skip


def test_trees_are_walked_and_summed() -> None:
    model = DecisionModel.from_mapping(_stored(), feature_names=NAMES)
    values = np.array([[0.2, 9], [0.9, 1], [0.9, 2], [0.9, np.nan], [np.nan, 2]], dtype=np.float32)
    expected = [-1.75, 1.25, 3.25, 1.25, 3.25]
    assert model.probabilities(values) == pytest.approx(1 / (1 + np.exp(-np.array(expected))))
    assert len(model.probabilities(values[:0])) == 0


def test_other_features_are_refused() -> None:
    with pytest.raises(FeatureMismatchError, match="other"):
        DecisionModel.from_mapping(_stored(), feature_names=("ner", "other"))
    model = DecisionModel.from_mapping(_stored(), feature_names=NAMES)
    with pytest.raises(FeatureMismatchError, match="shape"):
        model.probabilities(np.zeros((3, 5), dtype=np.float32))


def test_missing_and_damaged_files_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    with pytest.raises(ModelNotFoundError):
        DecisionModel.load(path, feature_names=NAMES)
    for content in ("{", "{}", json.dumps(_stored(format=9)), json.dumps(_stored(trees=[{"feature": [0]}]))):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ModelDamagedError):
            DecisionModel.load(path, feature_names=NAMES)
    path.write_text(json.dumps(_stored()), encoding="utf-8")
    assert DecisionModel.load(path, feature_names=NAMES).acceptance == 0.4


def _random_tree(random: np.random.Generator, leaves: int) -> dict[str, list[Any]]:
    """A tree of this many leaves, its nodes in the order of their making."""
    tree: dict[str, list[Any]] = {
        "feature": [-1], "threshold": [float(random.normal())], "left": [0], "right": [0], "nan_left": [0]
    }  # fmt: skip
    for _ in range(leaves - 1):
        node = int(random.choice([n for n, feature in enumerate(tree["feature"]) if feature < 0]))
        tree["feature"][node] = int(random.integers(2))
        tree["threshold"][node] = float(random.integers(4))
        tree["nan_left"][node] = int(random.integers(2))
        tree["left"][node], tree["right"][node] = len(tree["feature"]), len(tree["feature"]) + 1
        for key, value in (("feature", -1), ("left", 0), ("right", 0), ("nan_left", 0)):
            tree[key] += [value, value]
        tree["threshold"] += [float(random.normal()), float(random.normal())]
    return tree


def _walked(tree: dict[str, list[Any]], row: np.ndarray[Any, Any]) -> float:
    node = 0
    while tree["feature"][node] >= 0:
        value = row[tree["feature"][node]]
        goes_left = tree["nan_left"][node] if np.isnan(value) else value <= tree["threshold"][node]
        node = tree["left"][node] if goes_left else tree["right"][node]
    return float(tree["threshold"][node])


@pytest.mark.parametrize("most_leaves", [1, 3, 16])
def test_all_trees_at_once_give_what_walking_each_gives(most_leaves: int) -> None:
    random = np.random.default_rng(most_leaves)
    trees = [_random_tree(random, int(random.integers(1, most_leaves + 1))) for _ in range(15)]
    trees.append(_random_tree(random, most_leaves))
    model = DecisionModel.from_mapping(_stored(trees=trees), feature_names=NAMES)
    values = random.integers(-1, 5, (400, 2)).astype(np.float32)
    values[random.random(values.shape) < 0.1] = np.nan
    sums = np.array([sum(_walked(tree, row) for tree in trees) for row in values])
    np.testing.assert_allclose(model.probabilities(values), 1 / (1 + np.exp(-sums)), rtol=1e-12)


def test_tree_with_more_leaves_than_bits_is_refused() -> None:
    tree = _random_tree(np.random.default_rng(1), 17)
    with pytest.raises(ModelDamagedError, match="16"):
        DecisionModel.from_mapping(_stored(trees=[tree]), feature_names=NAMES)


def test_tree_that_goes_round_is_damaged() -> None:
    round_tree = {"feature": [0], "threshold": [0.5], "left": [0], "right": [0], "nan_left": [0]}
    with pytest.raises(ModelDamagedError):
        DecisionModel.from_mapping(_stored(trees=[round_tree]), feature_names=NAMES)
