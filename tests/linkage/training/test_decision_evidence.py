"""Trees as a decision model stores them, and the scorer that stands in while there is none."""

import lightgbm
import numpy as np

from linkage.recognition.decision import DecisionModel
from linkage.recognition.features import FEATURES
from linkage.training.decision_evidence import Untrained, trees_of


def test_stored_trees_say_what_the_booster_says() -> None:
    drawn = np.random.default_rng(1)
    values = drawn.normal(size=(300, len(FEATURES))).astype(np.float32)
    wanted = (values[:, 0] + values[:, 3] > 0).astype(np.float64)
    told = {"objective": "binary", "verbosity": -1, "num_threads": 1, "num_leaves": 8, "seed": 1}
    booster = lightgbm.train(told, lightgbm.Dataset(values, wanted), 20)
    trees, depth = trees_of(booster)
    model = DecisionModel.from_mapping(
        {
            "format": 1, "feature_names": list(FEATURES), "base": 0.0, "depth": depth + 1,
            "acceptance": 0.5, "trees": trees,
        },
        feature_names=tuple(FEATURES),
    )  # fmt: skip
    assert len(trees) == 20
    np.testing.assert_allclose(model.probabilities(values), booster.predict(values), atol=1e-6)


def test_without_a_model_the_surest_detector_decides() -> None:
    values = np.zeros((2, len(FEATURES)), dtype=np.float32)
    values[0, list(FEATURES).index("ner")] = 0.3
    values[0, list(FEATURES).index("listed")] = 0.8
    assert [round(float(one), 3) for one in Untrained().probabilities(values)] == [0.8, 0.0]
    assert 0 < Untrained().acceptance < 1
