from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.evaluation.detection import DetectionScores, evaluate_detection
from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId, Span
from linkage.training.acceptance import choose_acceptance

TEXT = "Kees Anneke Zwolle "
NAMES = (Span(0, 4), Span(5, 11))
TOWN = Span(12, 18)


def _scores(found: Sequence[Sequence[Span]]) -> DetectionScores:
    golds = [
        GoldDocument(Document(DocumentId(str(n)), TEXT), tuple(GoldMention(span) for span in NAMES))
        for n in range(len(found))
    ]
    return evaluate_detection(golds, {DocumentId(str(n)): spans for n, spans in enumerate(found)})


def _stories(n: int) -> list[str]:
    return [str(number) for number in range(n)]


def test_the_worth_is_f1_and_f2_without_twice_the_leak() -> None:
    scores = _scores([NAMES, NAMES[:1]])
    choice = choose_acceptance({0.3: scores}, _stories(2), seed=1)
    wanted = scores.strict.f_beta(1) + scores.strict.f_beta(2) - 2 * scores.letters_leaked
    assert choice.acceptance == 0.3
    assert choice.worths == {0.3: pytest.approx(wanted)}


def test_the_best_one_is_taken_and_the_lowest_of_equals() -> None:
    all_false, all_right = _scores([(*NAMES, TOWN)] * 20), _scores([NAMES] * 20)
    half_missed = _scores([NAMES[:1]] * 20)
    scored = {0.1: all_false, 0.2: all_right, 0.3: all_right, 0.4: half_missed}
    choice = choose_acceptance(scored, _stories(20), seed=1)
    assert (choice.acceptance, choice.quartiles) == (0.2, (0.2, 0.2))


def test_documents_of_a_story_are_drawn_together() -> None:
    # Five documents miss a name at 0.4, another one has a false span at 0.2. Where all lie in two stories,
    # many draws hold only the one or the other, and nothing is sure any more.
    scored = {
        0.2: _scores([*[NAMES] * 19, (*NAMES, TOWN)]),
        0.4: _scores([*[NAMES[:1]] * 5, *[NAMES] * 15]),
    }
    assert choose_acceptance(scored, _stories(20), seed=1).quartiles == (0.2, 0.2)
    assert choose_acceptance(scored, ["s"] * 5 + _stories(15), seed=1).quartiles == (0.2, 0.2)
    assert choose_acceptance(scored, ["s"] * 5 + ["t"] * 15, seed=1).quartiles == (0.2, 0.4)


def test_the_mean_of_the_draws_is_taken() -> None:
    # 0.1 is best where the first story is drawn more often, 0.5 where the second one is.
    scored = {
        0.1: _scores([NAMES, NAMES[:1]]),
        0.3: _scores([NAMES[:1], NAMES[:1]]),
        0.5: _scores([NAMES[:1], NAMES]),
    }
    choice = choose_acceptance(scored, _stories(2), seed=1)
    assert choice.worths[0.1] == choice.worths[0.5] > choice.worths[0.3]
    assert choice.quartiles == (0.1, 0.5)
    assert choice.acceptance == 0.3


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8), st.integers(0, 50))
def test_the_choice_is_one_of_them_and_the_same_in_another_order(levels: list[int], seed: int) -> None:
    kinds = [(), NAMES[:1], NAMES, (*NAMES, TOWN)]
    scored = {
        0.1 * (place + 1): _scores([kinds[level], NAMES, NAMES[:1]]) for place, level in enumerate(levels)
    }
    choice = choose_acceptance(scored, _stories(3), seed=seed)
    assert choice.acceptance in scored
    assert choice.quartiles[0] <= choice.quartiles[1]
    assert choice == choose_acceptance(dict(reversed(scored.items())), _stories(3), seed=seed)
