"""The pair classifier: small boosters made here, and the shipped one. All names are invented."""

import json
from pathlib import Path

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest

from linkage.classifier import GIVEN_SCORE, Calibration, PairClassifier
from linkage.comparison import FEATURES, FormComparer
from linkage.errors import FeatureMismatchError, ModelDamagedError, ModelNotFoundError, ThresholdError
from linkage.gazetteer import Gazetteer
from linkage.records import PersonName

NAMES = ("given_levenshtein", "surname_levenshtein", "words_sorted")
CALIBRATION = Calibration((-4.0, 4.0), (0.01, 0.99))


def _booster(names: list[str], values: npt.NDArray[np.float32], seed: int) -> lightgbm.Booster:
    truth = (np.nan_to_num(values[:, 0]) > 0.5).astype(int)
    parameters = {"objective": "binary", "verbosity": -1, "seed": seed, "num_threads": 1, "num_leaves": 4}
    return lightgbm.train(parameters, lightgbm.Dataset(values, truth, feature_name=names), num_boost_round=5)


@pytest.fixture(scope="module")
def classifier() -> PairClassifier:
    random = np.random.default_rng(1)
    given = _booster(["given_levenshtein"], random.random((400, 1), dtype=np.float32), 1)
    form = _booster(
        ["surname_levenshtein", "words_sorted", GIVEN_SCORE], random.random((400, 3), dtype=np.float32), 2
    )
    return PairClassifier(
        given, form, feature_names=NAMES, given_calibration=CALIBRATION, form_calibration=CALIBRATION,
        link_threshold=0.9, review_threshold=0.4, training={"seed": 1},
    )  # fmt: skip


VALUES = np.array(
    [[0.9, np.nan, 0.9], [0.1, np.nan, 0.2], [np.nan, 0.9, 0.9], [0.4, 0.1, 0.2], [1.0, 1.0, 1.0]],
    dtype=np.float32,
)


def test_probabilities_lie_between_nought_and_one(classifier: PairClassifier) -> None:
    found = classifier.match_probabilities(VALUES, NAMES)
    assert found.shape == (5,)
    assert ((found > 0) & (found < 1)).all()
    assert found[0] > found[1]
    assert found[2] > found[3]


def test_other_features_are_refused(classifier: PairClassifier) -> None:
    with pytest.raises(FeatureMismatchError, match="surname_levenshtein"):
        classifier.match_probabilities(VALUES[:, :1], NAMES[:1])
    with pytest.raises(FeatureMismatchError):
        classifier.match_probabilities(VALUES, NAMES[::-1])


def test_saved_and_loaded_is_the_same(classifier: PairClassifier, tmp_path: Path) -> None:
    classifier.save(tmp_path)
    loaded = PairClassifier.load(tmp_path)
    np.testing.assert_allclose(
        loaded.match_probabilities(VALUES, NAMES), classifier.match_probabilities(VALUES, NAMES)
    )
    assert loaded.digest == PairClassifier.load(tmp_path).digest
    assert (loaded.link_threshold, loaded.review_threshold) == (0.9, 0.4)
    assert not list(tmp_path.glob("*.pkl"))


def test_missing_and_damaged_files(classifier: PairClassifier, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError):
        PairClassifier.load(tmp_path)
    classifier.save(tmp_path)
    (tmp_path / "form.txt").write_text("no booster", encoding="utf-8")
    with pytest.raises(ModelDamagedError):
        PairClassifier.load(tmp_path)
    classifier.save(tmp_path)
    about = json.loads((tmp_path / "classifier.json").read_text(encoding="utf-8"))
    del about["calibration"]
    (tmp_path / "classifier.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ModelDamagedError):
        PairClassifier.load(tmp_path)


@pytest.mark.parametrize(("link", "review"), [(0.4, 0.5), (1.1, 0.5), (0.5, -0.1)])
def test_thresholds_out_of_order_are_refused(classifier: PairClassifier, link: float, review: float) -> None:
    with pytest.raises(ThresholdError):
        PairClassifier(
            classifier._given, classifier._form, feature_names=NAMES, given_calibration=CALIBRATION,
            form_calibration=CALIBRATION, link_threshold=link, review_threshold=review,
        )  # fmt: skip


def test_falling_calibration_is_refused() -> None:
    with pytest.raises(ModelDamagedError):
        Calibration((0.0, 1.0), (0.9, 0.1))


def test_contributions_add_up_to_the_score(classifier: PairClassifier) -> None:
    added = classifier.contributions(VALUES)
    assert added.shape == (len(VALUES), len(NAMES) + 1)
    rows = [0, 1, 2, 3]  # equal given names have a fixed score, which no booster spells out
    scores = classifier._given_scores(VALUES)
    full = np.flatnonzero(~classifier._only_given(VALUES))
    scores[full] = classifier._form_trees.scores(classifier._form_values(VALUES, full, scores))
    np.testing.assert_allclose(added[rows].sum(axis=1), scores[rows], atol=1e-6)


# --- the shipped model: what must rank above what, whatever it was trained on

_GAZETTEER = Gazetteer.load()
_COMPARER = FormComparer.load(_GAZETTEER)
_SHIPPED = PairClassifier.load()


def _probability(left: PersonName, right: PersonName) -> float:
    values = _COMPARER.vectors([left], [right])
    return float(_SHIPPED.match_probabilities(values, _COMPARER.feature_names)[0])


def test_shipped_model_fits_the_features() -> None:
    assert _SHIPPED.feature_names == tuple(FEATURES)
    assert 0 < _SHIPPED.review_threshold <= _SHIPPED.link_threshold < 1


def _n(given: str | None = None, family: str | None = None, initials: str | None = None) -> PersonName:
    return PersonName(given=given, family=family, initials=initials)


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ((_n("Robert"), _n("Bert")), (_n("Robert"), _n("Klaas"))),
        ((_n("Albert"), _n("Bert")), (_n("Robert"), _n("Albert"))),
        ((_n("Hendrik"), _n("Henk")), (_n("Hendrik"), _n("Hendrika"))),
        ((_n("Elisabeth"), _n("Bep")), (_n("Elisabeth"), _n("Joep"))),
        ((_n("Mohamed"), _n("Mohammed")), (_n("Mohamed"), _n("Mourad"))),
        ((_n("Catharina"), _n("Toos")), (_n("Catharina"), _n("Koos"))),
        ((_n("Jan", "Quibbel"), _n(None, "Quibbel", "J.")), (_n("Jan", "Quibbel"), _n(None, "Bos", "P."))),
        ((_n("Jan", "Quibbel"), _n("Jan", "Qiubbel")), (_n("Jan", "Quibbel"), _n("Jan", "Zwartveld"))),
        ((_n("Johannes", "Quibbel"), _n("Jan", "Quibbel")), (_n("Johannes", "Quibbel"), _n("Piet", "Bos"))),
        ((_n("Jan", "Quibbel"), _n(None, "Quibbel", "J.")), (_n("Jan", "Bos"), _n(None, "Bos", "K."))),
    ],
)  # fmt: skip
def test_ranking(above: tuple[PersonName, PersonName], below: tuple[PersonName, PersonName]) -> None:
    assert _probability(*above) > _probability(*below)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (_n("Robert"), _n("Bert")),
        (_n("Johannes"), _n("Jan")),
        (_n("Hendrika"), _n("Riek")),
        (_n("Jan", "Quibbel"), _n("Jan", "Quibbel")),
    ],
)
def test_listed_variants_and_equal_names_are_links(left: PersonName, right: PersonName) -> None:
    assert _probability(left, right) >= 0.9
