"""Pairs of near words: those of all pairs, in order."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from linkage.recognition import near_words
from linkage.recognition.near_words import MOST_EDITS, near_pairs

WORDS = st.lists(st.text(alphabet="abdek", max_size=7), max_size=12)


@given(WORDS, WORDS)
def test_pairs_are_those_of_a_look_at_all(words: list[str], others: list[str]) -> None:
    every = [
        (row, column, edits)
        for row, word in enumerate(words)
        for column, other in enumerate(others)
        if (edits := OSA.distance(word, other)) <= MOST_EDITS
    ]
    assert near_pairs(words, others) == every


def test_few_distances_are_held_at_a_time(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(near_words, "_CELLS", 3)
    words = ["jansen", "janssen", "bos", "vos", "terpstra"]
    assert [(row, column) for row, column, _ in near_pairs(words, words)] == [
        (0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4),
    ]  # fmt: skip
