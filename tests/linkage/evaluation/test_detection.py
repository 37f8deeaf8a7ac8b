"""Scores of detection, on documents built by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.evaluation.detection import DetectionScores, evaluate_detection
from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.evaluation.scores import Distribution, Score
from linkage.records import Document, DocumentId, Span

TEXT = "Sjors Pol belt Tet. Morgen komt Kaat van Dam langs in Zwolle."


def _gold(text: str, *mentions: GoldMention) -> GoldDocument:
    return GoldDocument(Document(DocumentId("d"), text), tuple(sorted(mentions, key=lambda m: m.span)))


def _at(text: str, surface: str, **flags: object) -> GoldMention:
    start = text.index(surface)
    return GoldMention(Span(start, start + len(surface)), **flags)  # type: ignore[arg-type]


def _score(gold: GoldDocument, *found: str | Span) -> DetectionScores:
    text = gold.document.text
    spans = [f if isinstance(f, Span) else Span(text.index(f), text.index(f) + len(f)) for f in found]
    return evaluate_detection([gold], {gold.document.doc_id: spans})


@pytest.fixture
def gold() -> GoldDocument:
    return _gold(TEXT, *(_at(TEXT, name) for name in ("Sjors Pol", "Tet", "Kaat van Dam")))


def _without_error(scores: DetectionScores) -> tuple[float, float]:
    """Shares of sentences without an error, strict and relaxed."""
    shares = scores.sentences.shares()
    return shares["strict_share"], shares["relaxed_share"]


def test_all_right_is_perfect(gold: GoldDocument) -> None:
    scores = _score(gold, "Sjors Pol", "Tet", "Kaat van Dam")
    assert scores.strict == Score(3, 0, 0)
    assert scores.letters_leaked == 0
    assert scores.specificity == 1
    assert _without_error(scores) == (1, 1)
    assert scores.strict.f_beta(2) == 1


def test_nothing_found_leaks_every_letter(gold: GoldDocument) -> None:
    scores = _score(gold)
    assert scores.strict == Score(0, 0, 3)
    assert scores.letters_leaked == 1
    assert scores.false_spans_per_1000_words == 0
    assert scores.strict.f_beta(1) == 0


def test_part_of_a_name_is_a_strict_error_and_leaks_the_rest(gold: GoldDocument) -> None:
    scores = _score(gold, "Sjors Pol", "Tet", "Dam")
    assert scores.strict == Score(2, 1, 1)
    assert scores.relaxed == Score(2, 1, 1)
    assert scores.letters_leaked == pytest.approx(7 / 21)
    assert scores.false_spans_per_1000_words == 0  # it touches a name
    assert _without_error(scores) == (
        0.5,
        0.5,
    )


def test_wider_and_adjacent_spans_are_right_when_relaxed(gold: GoldDocument) -> None:
    scores = _score(gold, "Sjors", "Pol", "Tet", "komt Kaat van Dam langs")
    assert scores.strict == Score(1, 3, 2)
    assert scores.relaxed == Score(3, 0, 0)
    assert scores.letters_leaked == 0
    assert _without_error(scores) == (0, 1)


def test_false_span_counts_per_1000_words_and_lowers_specificity(gold: GoldDocument) -> None:
    scores = _score(gold, "Sjors Pol", "Tet", "Kaat van Dam", "Zwolle")
    assert scores.words == 12
    assert scores.false_spans_per_1000_words == pytest.approx(1000 / 12)
    assert scores.token == Score(6, 1, 0)
    assert scores.specificity == pytest.approx(5 / 6)


def test_unsure_mentions_are_neither_required_nor_punished() -> None:
    gold = _gold(TEXT, _at(TEXT, "Tet", unsure=True), _at(TEXT, "Sjors Pol"))
    for found in (("Sjors Pol",), ("Sjors Pol", "Tet"), ("Sjors Pol", "belt Tet")):
        scores = _score(gold, *found)
        assert scores.strict == Score(1, 0, 0)
        assert scores.token == Score(2, 0, 0)
        assert scores.letters_leaked == 0


def test_an_alternative_span_is_exact() -> None:
    text = "Annekes tas"
    gold = _gold(text, GoldMention(Span(0, 7), alternatives=(Span(0, 6),)))
    for found in (Span(0, 7), Span(0, 6)):
        assert _score(gold, found).strict == Score(1, 0, 0)
        assert _score(gold, found).letters_leaked == 0
    assert _score(gold, Span(0, 5)).letters_leaked == pytest.approx(1 / 6)


def test_misspelt_and_unseen_names_are_counted_apart() -> None:
    gold = _gold(TEXT, _at(TEXT, "Sjors Pol", typo=True), _at(TEXT, "Tet"), _at(TEXT, "Kaat van Dam"))
    found = {gold.document.doc_id: [Span(15, 18)]}
    scores = evaluate_detection([gold], found, training_names=["KAAT VAN DAM", "Sjors Pal"])
    assert scores.typos == Score(0, 0, 1)
    assert scores.unseen is not None
    assert (scores.unseen.mentions, scores.unseen.found_strict) == (
        2,
        1,
    )  # "Sjors Pol" is 89 % like "Sjors Pal"


def test_report_is_json_and_holds_no_text(gold: GoldDocument) -> None:
    scores = evaluate_detection(
        [gold], {gold.document.doc_id: [Span(0, 9), Span(54, 60)]}, training_names=["Tet"]
    )
    report = json.dumps(scores.as_dict()) + repr(scores)
    assert not any(word in report for word in ("Sjors", "Pol", "Tet", "Kaat", "Zwolle", "Morgen"))


@pytest.mark.parametrize(
    ("values", "median"), [([], 0.0), ([0.5], 0.5), ([0.0, 1.0], 0.5), ([1, 2, 3, 9], 2.5)]
)
def test_distribution_of_few_values(values: list[float], median: float) -> None:
    assert Distribution.of(values).median == median


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=8))
def test_rates_stay_in_range_whatever_is_found(places: list[tuple[int, int]]) -> None:
    gold = _gold(TEXT, *(_at(TEXT, name) for name in ("Sjors Pol", "Tet", "Kaat van Dam")))
    scores = _score(gold, *(Span(start, min(start + length, len(TEXT))) for start, length in places))
    rates = [
        scores.strict.f_beta(1), scores.relaxed.f_beta(1), scores.token.recall, scores.specificity,
        scores.letters_leaked, *_without_error(scores),
    ]  # fmt: skip
    assert all(0 <= rate <= 1 for rate in rates)
    assert scores.strict.recall <= scores.relaxed.recall
    strict, relaxed = _without_error(scores)
    assert strict <= relaxed
