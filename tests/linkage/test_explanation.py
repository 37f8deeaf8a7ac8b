"""The waterfall adds up and holds no name."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from linkage.explanation import Explanation, FeatureContribution
from linkage.records import LinkDecision

CONTRIBUTIONS = (
    FeatureContribution("given_levenshtein", 0.9, 2.0),
    FeatureContribution("surname_rarity", 5.0, 1.5),
    FeatureContribution("particle", math.nan, 0.0),
    FeatureContribution("given_gender", 0.0, -0.5),
)
EXPLANATION = Explanation(
    "Fenna Woudstra", "Fena Woudstra", 0.88, LinkDecision.LINK, "similar", 0.9, -1.0, CONTRIBUTIONS
)


@pytest.mark.parametrize("most", [1, 2, 10])
def test_steps_end_at_the_probability(most: int) -> None:
    steps = EXPLANATION.steps(most)
    assert steps[-1][0] == "calibration and rules"
    assert steps[-1][2] == pytest.approx(-1.0 + 2.0 + 1.5 - 0.5)
    assert 1 / (1 + math.exp(-steps[-1][3])) == pytest.approx(EXPLANATION.match_probability)
    assert all(steps[n][3] == pytest.approx(steps[n + 1][2]) for n in range(len(steps) - 1))


@pytest.mark.parametrize(
    ("probability", "label", "log_odds"),
    [(0.0, "ruled out beforehand", math.log(1e-4 / 0.9999)), (1.0, "calibration and rules", math.log(9999))],
)
def test_certain_answers_can_be_drawn(probability: float, label: str, log_odds: float) -> None:
    certain = replace(EXPLANATION, match_probability=probability)
    last = certain.steps(10)[-1]
    assert last[0] == label
    assert last[3] == pytest.approx(log_odds)
    assert label in certain.waterfall_text()
    assert label in certain.waterfall_svg()


def test_features_that_add_up_to_the_probability_need_no_last_step() -> None:
    exact = replace(EXPLANATION, match_probability=1 / (1 + math.exp(-2.0)))
    assert exact.adjustment_log_odds == pytest.approx(0.0)
    assert exact.steps(10)[-1][0] == "given_gender"


def test_weightiest_first_and_without_what_adds_nothing() -> None:
    assert [c.feature for c in EXPLANATION.by_weight()] == [
        "given_levenshtein", "surname_rarity", "given_gender",
    ]  # fmt: skip


def test_no_name_in_any_output() -> None:
    outputs = (EXPLANATION.waterfall_text(), EXPLANATION.waterfall_svg(), repr(EXPLANATION))
    assert all("oudstra" not in text for text in outputs)
    assert "oudstra" not in str(EXPLANATION.as_dict())


def test_svg_is_well_formed() -> None:
    root = ElementTree.fromstring(EXPLANATION.waterfall_svg())  # noqa: S314 - our own text
    assert root.tag.endswith("svg")


def test_plain_values_for_json() -> None:
    plain = EXPLANATION.as_dict()
    added = [-1.0, 2.0, 1.5, -0.5, plain["adjustment_log_odds"]]
    assert plain["log_odds"] == pytest.approx(sum(float(str(one)) for one in added))
    contributions = plain["contributions"]
    assert isinstance(contributions, list)
    assert contributions[2]["value"] is None
