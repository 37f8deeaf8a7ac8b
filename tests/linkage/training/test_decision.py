"""A decision model is fitted on gold: it learns what the evidence says, alone and behind trees of another."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.pieces import CutText
from linkage.recognition.decision import DecisionModel
from linkage.recognition.detector import MentionDetector
from linkage.recognition.features import FEATURES
from linkage.recognition.name_slots import NameSlots
from linkage.recognition.typos import TypoFinder
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings
from linkage.training.decision import DecisionGold, FittedDecision, fit_decision
from linkage.training.decision_evidence import Untrained, targets
from linkage.training.slot_counting import count_slots, slot_table
from tests.fakes import FakeNames, FakeRecognizer, fake_lexicon, span_of

DOCUMENTS = 90  # a leaf of the trees holds 12 candidates at least


def word(number: int) -> str:
    """An invented name that occurs once."""
    return f"X{'aeiou'[number % 5]}n{'bdfgk'[number // 5 % 5]}{'aeiou'[number // 25 % 5]}r"


def golds(first: int, count: int) -> list[GoldDocument]:
    """Texts with one person, and one word that the network takes for one: behind "firma" it is none."""
    made = []
    for number in range(first, first + count):
        text = f"Gisteren belde {word(2 * number)} met de firma {word(2 * number + 1)} daarover."
        document = Document(DocumentId(f"d{number}"), text)
        made.append(GoldDocument(document, (GoldMention(span_of(text, word(2 * number))),)))
    return made


def detector() -> MentionDetector:
    """A network that is as sure of either word, and no lists."""
    lexicon = fake_lexicon()
    known = {word(number): 0.7 for number in range(2 * DOCUMENTS)}
    return MentionDetector(
        FakeRecognizer(known), FakeNames(), lexicon, TypoFinder(lexicon), Untrained(), RecognitionSettings()
    )


def fitted(start: Path | None = None) -> tuple[FittedDecision, list[str]]:
    told: list[str] = []
    gold = DecisionGold(golds(0, 30), golds(30, 60))
    return fit_decision(detector(), gold, start, seed=1, report=told.append), told


@pytest.fixture(scope="module")
def alone() -> tuple[FittedDecision, list[str]]:
    return fitted()


def probabilities(model: FittedDecision, wanted: Sequence[GoldDocument]) -> tuple[float, float]:
    """The mean probability of the people, and of all other candidates."""
    from linkage.recognition.evidence import Surroundings
    from linkage.recognition.features import feature_values

    decision = DecisionModel.from_mapping(dict(model.stored), feature_names=tuple(FEATURES))
    right: list[float] = []
    wrong: list[float] = []
    table = slot_table(count_slots(wanted))  # as the lexicon of the language has it
    for state, gold in zip(detector().prepare([one.document for one in wanted]), wanted, strict=True):
        beside = NameSlots(table, CutText.of(state.scanned.text))
        scanned = replace(state.scanned, name_slots=beside)
        values = feature_values(Surroundings.of(scanned, state.candidates, state.recognized))
        hits, _ = targets(state, gold)
        for probability, hit in zip(decision.probabilities(values), hits, strict=True):
            (right if hit else wrong).append(float(probability))
    return fmean(right), fmean(wrong)


def test_it_learns_from_what_stands_beside_a_name(alone: tuple[FittedDecision, list[str]]) -> None:
    model, _ = alone
    assert model.scores.strict.f_beta(1) > 0.95
    assert model.own_trees > 0
    assert model.before is None
    right, wrong = probabilities(model, golds(0, 90))
    assert wrong < 0.2 < 0.8 < right


def test_it_grows_behind_the_trees_of_another(
    tmp_path: Path, alone: tuple[FittedDecision, list[str]]
) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps(alone[0].stored), encoding="utf-8")
    model, _ = fitted(start)
    trees = list(alone[0].stored["trees"])
    assert list(model.stored["trees"])[: len(trees)] == trees
    assert len(trees) < len(model.stored["trees"]) <= len(trees) + model.own_trees
    assert model.before is not None
    assert model.scores.strict.f_beta(1) >= model.before.strict.f_beta(1)


def test_the_same_gold_gives_the_same_model_and_no_name_is_told(
    alone: tuple[FittedDecision, list[str]],
) -> None:
    again, told = fitted()
    assert again.stored == alone[0].stored
    assert told == alone[1]
    assert not any(word(number) in repr(alone) for number in range(2 * DOCUMENTS))


def test_what_gold_is_unsure_of_weighs_nothing() -> None:
    gold = golds(0, 1)[0]
    other = span_of(gold.document.text, word(1))
    unsure = GoldDocument(gold.document, (*gold.mentions, GoldMention(other, unsure=True)))
    (state,) = detector().prepare([gold.document])
    hits, weights = targets(state, unsure)
    assert float(np.sum(hits)) == 1.0
    assert {float(w) for c, w in zip(state.candidates, weights, strict=True) if c.span == other} == {0.0}


@pytest.mark.parametrize("trees_known", [False, True])
def test_a_network_that_finds_nothing_grows_no_trees(
    trees_known: bool, alone: tuple[FittedDecision, list[str]], tmp_path: Path
) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps(alone[0].stored), encoding="utf-8")
    lexicon = fake_lexicon()
    blind = MentionDetector(
        FakeRecognizer({}), FakeNames(), lexicon, TypoFinder(lexicon), Untrained(), RecognitionSettings()
    )
    gold = DecisionGold(golds(0, 3), golds(3, 3))
    made = fit_decision(blind, gold, start if trees_known else None, seed=1, report=lambda _: None)
    assert made.own_trees == 0
    assert made.stored["trees"] == (alone[0].stored["trees"] if trees_known else [])
    DecisionModel.from_mapping(dict(made.stored), feature_names=tuple(FEATURES))


def test_two_documents_are_gold_enough_for_a_decision() -> None:
    """Fit on so few candidates that some folds have none to learn from."""
    made = fit_decision(
        detector(), DecisionGold(golds(0, 1), golds(1, 1)), None, seed=1, report=lambda _: None
    )
    DecisionModel.from_mapping(dict(made.stored), feature_names=tuple(FEATURES))
