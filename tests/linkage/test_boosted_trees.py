"""Trees as tables of bits: they must say what LightGBM says."""

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest

from linkage.boosted_trees import BoostedTrees
from linkage.errors import ModelDamagedError


def _rows(seed: int, count: int) -> npt.NDArray[np.float32]:
    random = np.random.default_rng(seed)
    values = random.normal(size=(count, 6)).astype(np.float32)
    values[:, 3] = np.round(values[:, 3])
    values[random.random(values.shape) < 0.2] = np.nan
    values[:, 5] = random.random(count)  # a feature that is never missing
    return values


def _booster(leaves: int, **further: object) -> lightgbm.Booster:
    values = _rows(1, 3_000)
    truth = (np.nan_to_num(values[:, 0]) * np.nan_to_num(values[:, 1], nan=1) + values[:, 5] > 0.4).astype(
        int
    )
    parameters = {
        "objective": "binary", "num_leaves": leaves, "min_data_in_leaf": 5, "verbosity": -1, "num_threads": 1,
        "seed": 1, **further,
    }  # fmt: skip
    return lightgbm.train(parameters, lightgbm.Dataset(values, truth), num_boost_round=30)


@pytest.mark.parametrize("leaves", [2, 7, 16])
def test_scores_are_those_of_lightgbm(leaves: int) -> None:
    booster = _booster(leaves)
    values = _rows(2, 2_500)
    expected = booster.predict(values, raw_score=True, num_threads=1)
    np.testing.assert_allclose(BoostedTrees(booster).scores(values), np.asarray(expected), atol=1e-12)


def test_a_value_on_a_threshold_goes_where_lightgbm_sends_it() -> None:
    booster = _booster(16)
    thresholds = [
        float(text)
        for line in booster.model_to_string().splitlines()
        if line.startswith("threshold=")
        for text in line.removeprefix("threshold=").split()
        if float(text) < 1e30  # the largest number only parts what is missing from what is not
    ]
    values = np.repeat(np.array(thresholds[:200], dtype=np.float32)[:, None], 6, axis=1)
    above = np.nextafter(values, np.float32(np.inf))
    for rows in (
        values,
        above,
        np.nextafter(values, np.float32(-np.inf)),
        np.full((3, 6), np.nan, np.float32),
    ):
        expected = booster.predict(rows, raw_score=True, num_threads=1)
        np.testing.assert_allclose(BoostedTrees(booster).scores(rows), np.asarray(expected), atol=1e-12)


def test_missing_read_as_nought() -> None:
    booster = _booster(8, use_missing=False)
    values = _rows(3, 500)
    expected = booster.predict(values, raw_score=True, num_threads=1)
    np.testing.assert_allclose(BoostedTrees(booster).scores(values), np.asarray(expected), atol=1e-12)


def test_no_rows() -> None:
    assert BoostedTrees(_booster(4)).scores(np.zeros((0, 6), dtype=np.float32)).shape == (0,)


@pytest.mark.parametrize(("leaves", "zero_as_missing"), [(40, False), (15, True)])
def test_what_has_no_bits_is_refused(leaves: int, zero_as_missing: bool) -> None:
    booster = _booster(leaves, zero_as_missing=zero_as_missing)
    with pytest.raises(ModelDamagedError, match="bits"):
        BoostedTrees(booster)
