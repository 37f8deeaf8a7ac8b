"""The waterfall adds up and holds no name."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from linkage.constraints import ConstraintKind, Reason
from linkage.explanation import _WORDS, Explanation, FeatureContribution, MetInDocuments
from linkage.records import LinkDecision
from tests.fakes import linkage_result

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


TEXTS = {"a": "Fenna Woudstra en Fenna Woudstra", "b": "Fena Woudstra"}


def test_people_of_documents_are_counted_by_how_they_are_written() -> None:
    a, again, b = ("a", "Fenna Woudstra"), ("a", "Fenna Woudstra"), ("b", "Fena Woudstra")
    apart = linkage_result(TEXTS, [[a], [again], [b]])
    assert MetInDocuments.of(apart, "fenna  woudstra", "Fena Woudstra").people == 3
    one = linkage_result(TEXTS, [[a, b], [again]])
    assert MetInDocuments.of(one, "Fenna Woudstra", "Fena Woudstra").people == 2
    assert MetInDocuments.of(one, "Fenna Woudstra", "Fokke Woudstra") == MetInDocuments(0, ())


def test_what_keeps_two_people_of_documents_apart_is_told_without_names() -> None:
    result = linkage_result(
        TEXTS, [[("a", "Fenna Woudstra")], [("a", "Fenna Woudstra")], [("b", "Fena Woudstra")]]
    )
    first, second, third = result.mentions
    born = [frozenset({("birth_date", f"195{n}-01-02")}) for n in range(2)]
    mentions = (
        replace(first, context=replace(first.context, attributes=born[0])), second,
        replace(third, context=replace(third.context, attributes=born[1])),
    )  # fmt: skip
    met = MetInDocuments.of(replace(result, mentions=mentions), "Fenna Woudstra", "Fena Woudstra")
    told = replace(EXPLANATION, met=met)
    assert told.waterfall_text().splitlines()[-2:] == [
        "in the documents: 3 people", "kept apart: two birth dates",
    ]  # fmt: skip
    assert told.as_dict()["in_documents"] == {
        "people": 3, "constraints": [{"kind": "cannot_link", "reason": "birth_date"}],
    }  # fmt: skip
    assert "oudstra" not in told.waterfall_text()
    assert EXPLANATION.as_dict()["in_documents"] is None


def test_every_reason_has_words() -> None:
    assert {reason for _, reason in _WORDS} == set(Reason)
    assert {kind for kind, _ in _WORDS} == set(ConstraintKind)
