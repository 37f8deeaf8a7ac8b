"""Overlaps are resolved in one place."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.language import Language
from linkage.recognition.combine import best_without_overlap, combine, strong_mentions, with_support
from linkage.recognition.evidence import Candidate
from linkage.records import Detector, Document, DocumentId, Mention, Span

DOCUMENT = Document(DocumentId("d"), "Sanne van der Laan belt Kees Mulder")
_DUTCH = Language.load("nl")
TEXT = "Gerrit (Pietje) Pols is er"


def _combine(
    *scored: tuple[Candidate, float], denied: tuple[Span, ...] = (), always: tuple[Span, ...] = ()
) -> list[tuple[str, Detector]]:
    candidates = [candidate for candidate, _ in scored]
    probabilities = np.array([probability for _, probability in scored])
    mentions = combine(DOCUMENT, candidates, probabilities, acceptance=0.4, denied=denied, always=always)
    return [(mention.surface, mention.detector) for mention in mentions]


def test_the_likelier_of_overlapping_spans_wins() -> None:
    found = _combine(
        (Candidate(Span(0, 5), ner=0.8), 0.5),
        (Candidate(Span(0, 18), ner=0.9), 0.9),
        (Candidate(Span(14, 18), listed=0.6), 0.45),
        (Candidate(Span(24, 35), listed=0.6), 0.7),
    )
    assert found == [("Sanne van der Laan", Detector.NER), ("Kees Mulder", Detector.LIST)]


def test_below_acceptance_and_denied_spans_are_left_out() -> None:
    assert _combine((Candidate(Span(0, 5), ner=0.8), 0.39)) == []
    assert _combine((Candidate(Span(0, 5), ner=0.8), 0.9), denied=(Span(0, 18),)) == []


def test_what_always_is_a_name_is_one_whatever_the_model_says() -> None:
    low = (Candidate(Span(0, 5)), 0.01)
    assert _combine(low) == []
    assert _combine(low, always=(Span(0, 5),)) == [("Sanne", Detector.NER)]
    assert _combine(low, always=(Span(0, 5),), denied=(Span(0, 5),)) == []
    # A longer name around it that is taken holds it; parts of it and what crosses it give way.
    longer = (Candidate(Span(0, 18), ner=0.9), 0.6)
    assert _combine(low, longer, always=(Span(0, 5),)) == [("Sanne van der Laan", Detector.NER)]
    whole, part = (Candidate(Span(0, 18), listed=0.5), 0.01), (Candidate(Span(14, 18), ner=0.9), 0.99)
    assert _combine(whole, part, always=(Span(0, 18),)) == [("Sanne van der Laan", Detector.LIST)]


def test_a_registered_person_goes_before_all() -> None:
    registered = Candidate(Span(0, 5), registered=True, person_id="p1")
    found = _combine((registered, 0.0), (Candidate(Span(0, 18), ner=0.9), 0.99))
    assert found == [("Sanne", Detector.REGISTRY)]


def test_strong_mentions_are_the_longest_sure_ones() -> None:
    mentions = [
        Mention.at(DOCUMENT, span, detector=Detector.NER, confidence=confidence)
        for span, confidence in ((Span(0, 5), 0.99), (Span(0, 18), 0.6), (Span(24, 28), 0.3))
    ]
    assert [m.surface for m in strong_mentions(mentions, least_confidence=0.5)] == ["Sanne van der Laan"]


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(1, 10), st.integers(1, 60)),
        max_size=8,
        unique_by=lambda t: t[:2],
    )
)
def test_no_other_choice_gains_more(places: list[tuple[int, int, int]]) -> None:
    weighted = [(Candidate(Span(start, start + length)), gain / 100) for start, length, gain in places]
    chosen = best_without_overlap(weighted)
    gains = {id(candidate): gain for candidate, gain in weighted}
    assert all(left.span.end <= right.span.start for left, right in combinations(chosen, 2))
    best = max(
        sum(gain for _, gain in subset)
        for size in range(len(weighted) + 1)
        for subset in combinations(weighted, size)
        if not any(a.span.overlaps(b.span) for (a, _), (b, _) in combinations(subset, 2))
    )
    assert abs(sum(gains[id(candidate)] for candidate in chosen) - best) < 1e-9


def test_a_span_that_the_lists_are_sure_of_goes_before_its_part() -> None:
    whole = Candidate(Span(0, 20), listed=0.96)
    part = Candidate(Span(0, 6), ner=0.8)
    raised = with_support([part, whole], np.array([0.7, 0.3]), TEXT, _DUTCH)
    assert raised[1] > raised[0]


def test_a_span_that_the_lists_are_sure_of_goes_before_two_parts() -> None:
    whole, parts = Candidate(Span(0, 20), listed=0.96), [Candidate(Span(0, 6)), Candidate(Span(8, 14))]
    candidates = [parts[0], whole, parts[1]]
    raised = with_support(candidates, np.array([0.7, 0.3, 0.4]), TEXT, _DUTCH)
    weighted = [(c, float(p) - 0.25) for c, p in zip(candidates, raised, strict=True)]
    assert best_without_overlap(weighted) == (whole,)


def test_what_the_model_excludes_does_not_go_before_its_part() -> None:
    whole = Candidate(Span(0, 20), listed=0.96)
    part = Candidate(Span(0, 6), ner=0.8)
    raised = with_support([part, whole], np.array([0.7, 0.01]), TEXT, _DUTCH)
    assert raised[1] < raised[0]


def test_a_particle_alone_does_not_put_a_span_before_its_part() -> None:
    whole = Candidate(Span(0, 18), listed=0.96)
    part = Candidate(Span(4, 18), ner=0.8)
    raised = with_support([whole, part], np.array([0.3, 0.7]), "van Hindrik Aukema is er", _DUTCH)
    assert raised[0] < raised[1]


def test_listed_names_with_letters_apart_are_raised_sooner() -> None:
    text = "J a n  P o l s of Jan Pols"
    spaced, usual = Candidate(Span(0, 14), listed=0.9), Candidate(Span(18, 26), listed=0.9)
    raised = with_support([spaced, usual], np.array([0.07, 0.07]), text, _DUTCH)
    assert raised[0] > 0.3
    assert raised[1] == 0.07


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("0tto B0s", True),
        ("Jan Pols", False),
        ("Piet van Amsterdam", True),
        ("Mo uit den Bogaard", True),
        ("Van den Heuvel", False),
        ("van den Heuvel", False),
        ("DE KOK op 4", False),
    ],
)
def test_forms_that_the_network_does_not_know_are_raised_sooner(text: str, raised: bool) -> None:
    candidates = [Candidate(Span(0, len(text)), listed=0.8)]
    assert bool(with_support(candidates, np.array([0.04]), text, _DUTCH)[0] > 0.3) is raised
    assert with_support(candidates, np.array([0.02]), text, _DUTCH)[0] == 0.02
    candidates = [Candidate(Span(0, len(text)), listed=0.7)]
    assert with_support(candidates, np.array([0.04]), text, _DUTCH)[0] == 0.04


def test_an_odd_whole_goes_before_its_part() -> None:
    text = "0tto B0s tekent"
    whole, part = Candidate(Span(0, 8), listed=0.95), Candidate(Span(5, 8), ner=0.8)
    raised = with_support([whole, part], np.array([0.1, 0.75]), text, _DUTCH)
    assert raised[0] > raised[1]


def test_misspelt_forms_are_raised_unless_the_model_all_but_excludes_them() -> None:
    misspelt = [Candidate(Span(0, 6), misspelt=0.8), Candidate(Span(16, 20), misspelt=0.8)]
    raised = with_support(misspelt, np.array([0.12, 0.05]), TEXT, _DUTCH)
    assert raised[0] > 0.5
    assert raised[1] == 0.05


@pytest.mark.parametrize(
    ("consistent", "listed", "probability", "is_raised"),
    [(0.99, 0.5, 0.16, True), (0.9, 0.5, 0.16, False), (0.99, 0.0, 0.16, False), (0.99, 0.5, 0.14, False)],
)
def test_a_listed_name_that_stands_surely_elsewhere_is_raised(
    consistent: float, listed: float, probability: float, is_raised: bool
) -> None:
    candidate = Candidate(Span(7, 13), consistent=consistent, listed=listed)
    (raised,) = with_support([candidate], np.array([probability]), "Intake Bouwma", Language.load("nl"))
    assert bool(raised > probability) is is_raised
