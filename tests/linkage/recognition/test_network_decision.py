"""The decision where a language has no decision model."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from linkage.language import Language
from linkage.recognition.decision import DecisionModel
from linkage.recognition.features import FEATURES
from linkage.recognition.network_decision import NetworkDecision, scorer_of

CAPITALIZED = 2.0  # the feature "case"


def probability(**evidence: float) -> float:
    told: Mapping[str, float] = {"case": CAPITALIZED, **evidence}
    row = np.array([[told.get(name, 0.0) for name in FEATURES]], dtype=np.float32)
    return float(NetworkDecision().probabilities(row)[0])


def test_the_network_decides() -> None:
    assert probability(ner=0.9) == pytest.approx(0.9)
    assert probability() == 0.0


def test_what_the_text_surely_has_elsewhere_is_accepted() -> None:
    assert probability(consistent=0.95) > NetworkDecision().acceptance


def test_the_name_of_something_else_and_small_letters_count_against_the_lists() -> None:
    listed = probability(listed=0.95)
    assert probability(listed=0.95, other_name=0.9) < NetworkDecision().acceptance < listed
    assert probability(listed=0.95, case=0.0) < listed


def test_a_number_that_lacks_counts_as_nothing() -> None:
    assert probability(ner=0.4, misspelt=float("nan")) == pytest.approx(0.4)


def test_probabilities_are_bounded() -> None:
    assert probability(ner=1.0, consistent=1.0, listed=1.0) == 1.0


def test_a_folder_of_another_model_may_bring_its_decision(tmp_path: Path) -> None:
    language = Language.load("nl")
    shipped = scorer_of(language, None)
    assert isinstance(shipped, DecisionModel)
    assert scorer_of(language, tmp_path).acceptance == shipped.acceptance
    model = {
        "format": 1, "feature_names": list(FEATURES), "base": 0.0, "depth": 1, "acceptance": 0.123,
        "trees": [],
    }  # fmt: skip
    (tmp_path / "detection.json").write_text(json.dumps(model), encoding="utf-8")
    assert scorer_of(language, tmp_path).acceptance == 0.123
