"""The waterfall adds up and holds no name."""

import math
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
def test_steps_end_at_the_sum(most: int) -> None:
    steps = EXPLANATION.steps(most)
    assert steps[-1][3] == pytest.approx(-1.0 + 2.0 + 1.5 - 0.5)
    assert all(steps[n][3] == pytest.approx(steps[n + 1][2]) for n in range(len(steps) - 1))


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
    contributions = EXPLANATION.as_dict()["contributions"]
    assert isinstance(contributions, list)
    assert contributions[2]["value"] is None
