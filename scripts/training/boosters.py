"""Fitting and calibrating the two boosters."""

from collections.abc import Sequence

import lightgbm
import numpy as np
import numpy.typing as npt
from sklearn.isotonic import IsotonicRegression

from linkage.classifier import GIVEN_SCORE, Calibration
from linkage.comparison import FEATURES
from training.given_training import Examples

TREES, FORM_TREES, LEAVES = 100, 200, 15  # the speed of linking hangs on these
LEARNED = 12.0  # trees times learning rate
MOST_POINTS = 40


def given_feature_names() -> list[str]:
    return [name for name, feature in FEATURES.items() if feature.part == "given"]


def form_feature_names() -> list[str]:
    """What the form booster sees: all of surname and form, of given names what their score leaves out."""
    own = [n for n, f in FEATURES.items() if f.part != "given"]
    return [*own, "given_levenshtein", "given_jaro_winkler", "given_lexicon", "given_gender", GIVEN_SCORE]


def columns(values: npt.NDArray[np.float32], names: Sequence[str]) -> npt.NDArray[np.float32]:
    every = list(FEATURES)
    return values[:, [every.index(name) for name in names]]


def fit(
    values: npt.NDArray[np.float32],
    examples: Examples,
    names: Sequence[str],
    *,
    seed: int,
    trees: int = TREES,
) -> lightgbm.Booster:
    data = lightgbm.Dataset(
        values, label=examples.truth, weight=examples.weight, feature_name=list(names), free_raw_data=False
    )
    parameters = {
        "objective": "binary", "num_leaves": LEAVES, "learning_rate": LEARNED / trees, "min_data_in_leaf": 40,
        "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 2.0, "seed": seed,
        "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbosity": -1, "max_bin": 127,
    }  # fmt: skip
    return lightgbm.train(parameters, data, num_boost_round=trees)


def balanced_weight(examples: Examples) -> npt.NDArray[np.float32]:
    """Weights under which variants are half of all, and the rest are random, look-alike and judged pairs."""
    kinds = np.array(examples.kinds)
    weight = np.zeros(len(examples), dtype=np.float32)
    is_variant = (examples.truth == 1) & (kinds != "derived")
    shares = {"random": 0.5, "hard": 0.45, "judged": 0.05}
    weight[is_variant] = 1 / max(int(is_variant.sum()), 1)
    for kind, share in shares.items():
        rows = (kinds == kind) & (examples.truth == 0)
        weight[rows] = share / max(int(rows.sum()), 1)
    return weight * np.float32(len(examples))


def calibrate(
    scores: npt.NDArray[np.float64], truth: npt.NDArray[np.int8], weight: npt.NDArray[np.float32]
) -> Calibration:
    """Isotonic regression, thinned to a few points and smoothed; nothing is certain at its ends."""
    regression = IsotonicRegression(y_min=1e-3, y_max=1 - 1e-3, out_of_bounds="clip")
    regression.fit(scores, truth, sample_weight=weight)
    points = np.unique(np.quantile(scores, np.linspace(0, 1, 400)))
    values = regression.predict(points)
    # Means over neighbours keep the curve smooth where isotonic regression makes steps.
    kept = np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int))
    smooth = np.array([values[max(0, i - 3) : i + 4].mean() for i in kept])
    return Calibration(tuple(points[kept].tolist()), tuple(np.maximum.accumulate(smooth).tolist()))
