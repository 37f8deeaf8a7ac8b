"""The model that judges two given names alone, and its place in the scorer of names."""

import json
from collections.abc import Sequence
from pathlib import Path

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest

from linkage.classifier import Calibration
from linkage.comparison.edits import BUCKETS, EDIT_SCORES, EditTable, EditWeights
from linkage.comparison.features import FEATURES
from linkage.errors import ModelDamagedError, ModelNotFoundError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.model import ModelScorer
from linkage.linker.variants import (
    MODEL_FILE,
    VARIANT_FEATURES,
    WEIGHTS_FILE,
    VariantModel,
    variant_values,
)
from linkage.records import PersonName
from linkage.settings import LinkingSettings, data_directory

GAZETTEER = Gazetteer.load()
SHIPPED = ModelScorer.load(GAZETTEER)
PLAIN = ModelScorer.load(GAZETTEER, data_directory() / "models" / "linkage")
NAMES = tuple(FEATURES)


def _booster(names: Sequence[str] = VARIANT_FEATURES) -> lightgbm.Booster:
    """A booster that says yes where the log-odds of the edits are above 0."""
    random = np.random.default_rng(1)
    values = random.normal(size=(400, len(names))).astype(np.float32)
    odds = values[:, names.index("edit_odds")] if "edit_odds" in names else values[:, 0]
    data = lightgbm.Dataset(values, label=(odds > 0).astype(int), feature_name=list(names))
    settings = {"objective": "binary", "num_leaves": 4, "verbosity": -1, "num_threads": 1, "seed": 1}
    return lightgbm.train(settings, data, num_boost_round=20)


def _model(base: float = 1.0) -> VariantModel:
    weights = EditWeights(np.zeros(BUCKETS, dtype=np.float32), base)
    return VariantModel(weights, _booster(), Calibration((-1.0, 1.0), (0.2, 0.8)), {"seed": 1})


def _vectors(count: int) -> npt.NDArray[np.float32]:
    return np.zeros((count, len(NAMES)), dtype=np.float32)


@pytest.mark.parametrize(("base", "probability"), [(1.0, 0.8), (-1.0, 0.2)])
def test_the_probability_is_the_calibrated_one(base: float, probability: float) -> None:
    found = _model(base).probabilities([("jan", "jantje"), ("a", "b")], _vectors(2), NAMES)
    assert found == pytest.approx([probability, probability])


def test_no_pairs_have_no_probability() -> None:
    assert _model().probabilities([], _vectors(0), NAMES).shape == (0,)


def test_values_are_given_name_features_and_scores_of_edits_in_order() -> None:
    vectors = np.arange(len(NAMES), dtype=np.float32)[None]
    scores = np.full((1, len(EDIT_SCORES)), -5, dtype=np.float32)
    values = variant_values(scores, vectors, NAMES)[0]
    place = dict(zip(VARIANT_FEATURES, values.tolist(), strict=True))
    assert place["given_gender"] == NAMES.index("given_gender")
    assert place["edit_worst"] == -5
    assert "given_embedding" not in place


def test_what_features_add_up_to_is_the_log_odds_before_calibration() -> None:
    model = SHIPPED.variants
    assert model is not None
    table = SHIPPED.table([PersonName(given="Sijbrand"), PersonName(given="Syb")])
    vectors = table.vectors(np.array([0]), np.array([1]))
    words = ("sijbrand", "syb")
    base, told = model.contributions(words, vectors[0], NAMES)
    whole = base + sum(log_odds for _, log_odds in told.values())
    assert set(told) == set(VARIANT_FEATURES)
    expected = model.calibration.apply(np.array([whole]))
    assert model.probabilities([words], vectors, NAMES) == pytest.approx(expected)
    scores = model.weights.scores(EditTable([words]))[0]
    assert told["edit_odds"][0] == pytest.approx(scores[0])


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model = _model()
    model.save(tmp_path)
    read = VariantModel.load(tmp_path)
    pairs = [("jan", "jantje"), ("kees", "cornelis")]
    assert (
        read.probabilities(pairs, _vectors(2), NAMES) == model.probabilities(pairs, _vectors(2), NAMES)
    ).all()
    assert read.training == {"seed": 1}


@pytest.mark.parametrize("name", [WEIGHTS_FILE, MODEL_FILE])
def test_a_model_without_one_of_its_files_is_refused(tmp_path: Path, name: str) -> None:
    _model().save(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ModelNotFoundError):
        VariantModel.load(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2}, {"booster": "no trees"}, {"booster": "tree\nbroken"}, {"booster": 3},
        {"calibration": {"scores": [1.0, 0.0], "probabilities": [0.1, 0.2]}}, {"calibration": {}},
    ],
)  # fmt: skip
def test_a_damaged_model_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    _model().save(tmp_path)
    about = json.loads((tmp_path / MODEL_FILE).read_text(encoding="utf-8"))
    (tmp_path / MODEL_FILE).write_text(json.dumps(about | change), encoding="utf-8")
    with pytest.raises(ModelDamagedError):
        VariantModel.load(tmp_path)


def test_a_model_of_other_features_is_refused() -> None:
    with pytest.raises(ModelDamagedError):
        VariantModel(_model().weights, _booster(VARIANT_FEATURES[1:]), _model().calibration)


def test_a_model_shows_no_name() -> None:
    assert repr(_model()) == f"VariantModel({len(VARIANT_FEATURES)} features)"


def _every(scorer: ModelScorer, left: PersonName, right: PersonName) -> float:
    return float(scorer.table([left, right]).every_probability(np.array([0]), np.array([1]))[0])


def test_two_given_names_alone_are_judged_by_it_and_nothing_else_is() -> None:
    changed = ModelScorer(SHIPPED.comparer, SHIPPED.classifier, SHIPPED.shares, lambda: _model(-1.0))
    one, other = PersonName(given="Sijbrand"), PersonName(given="Syb")
    assert _every(changed, one, other) == pytest.approx(0.2)
    for left, right in (
        (PersonName(given="Sijbrand", family="Mol"), PersonName(given="Syb", family="Mol")),
        (PersonName(given="Jan Pieter"), PersonName(given="Jan")),
        (PersonName(given="Syb", initials="S."), PersonName(given="Sijbrand")),
        (PersonName(family="Mol"), PersonName(family="Mul")),
        (one, one),
    ):
        assert _every(changed, left, right) == pytest.approx(_every(PLAIN, left, right), nan_ok=True)


def test_pairs_in_documents_are_judged_as_without_it() -> None:
    names = [PersonName(given=name) for name in ("Willem", "Wim", "Sijbrand", "Syb", "Bep")]
    sides = np.array([0, 2, 4]), np.array([1, 3, 0])
    found, plain = (scorer.table(names).probabilities(*sides) for scorer in (SHIPPED, PLAIN))
    assert found == pytest.approx(plain, nan_ok=True)


def test_a_classifier_of_ones_own_has_no_model_of_the_language() -> None:
    assert PLAIN.variants is None
    assert SHIPPED.variants is not None


def test_of_two_names_that_the_lexicon_has_the_classifier_judges() -> None:
    changed = ModelScorer(SHIPPED.comparer, SHIPPED.classifier, SHIPPED.shares, lambda: _model(-1.0))
    for left, right in (("Willem", "Wim"), ("Sietse", "Simon"), ("Tim", "Tom"), ("Piet", "Klaas")):
        pair = PersonName(given=left), PersonName(given=right)
        assert _every(changed, *pair) == _every(PLAIN, *pair)


@pytest.mark.parametrize(
    ("variant", "stranger"),
    [(("Tjeerd", "Tseard"), ("Tjeerd", "Teuntje")), (("Fokke", "Fokje"), ("Fokke", "Folkert"))],
)
def test_forms_that_no_list_has_are_likelier_than_names_that_only_look_alike(
    variant: tuple[str, str], stranger: tuple[str, str]
) -> None:
    linker = Linker(LinkingSettings(), GAZETTEER, SHIPPED)
    likely, unlikely = linker.compare_many([variant, stranger])
    assert likely.match_probability > 0.8 > unlikely.match_probability


def test_an_explanation_tells_the_edits_and_ends_at_the_probability() -> None:
    linker = Linker(LinkingSettings(), GAZETTEER, SHIPPED)
    found = linker.explain("Tjeerd", "Tseard")
    assert {"edit_odds", "edit_end"} <= {one.feature for one in found.contributions}
    assert found.steps(12)[-1][-1] == pytest.approx(found.log_odds)
