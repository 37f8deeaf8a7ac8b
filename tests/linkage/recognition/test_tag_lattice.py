"""Ways through BIOES tags against all of them, written out."""

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.recognition.ner_decoding import spans_of_tags
from linkage.recognition.tag_lattice import TagLattice

LABELS: Final = ("PER", "CITY")
TAGS: Final = ["<PAD>", "<UNK>", "O", *(f"{part}-{label}" for label in LABELS for part in "SBIE")]


def is_allowed(row: tuple[str, ...]) -> bool:
    open_label = ""
    for tag in row:
        part, _, label = tag.partition("-")
        if (part in "IE") != bool(open_label) or (open_label and label != open_label):
            return False
        open_label = label if part in "BI" else ""
    return not open_label


def ways(length: int) -> Iterator[tuple[str, ...]]:
    return (row for row in itertools.product(TAGS[2:], repeat=length) if is_allowed(row))


def weigh(row: tuple[str, ...], scores: np.ndarray, transitions: np.ndarray) -> float:
    ids = [TAGS.index(tag) for tag in row]
    emitted = sum(float(scores[at, tag]) for at, tag in enumerate(ids))
    return emitted + sum(float(transitions[a, b]) for a, b in itertools.pairwise(ids))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 4))
def test_against_all_ways(seed: int, first: int, second: int) -> None:
    generator = np.random.default_rng(seed)
    transitions = generator.normal(size=(len(TAGS), len(TAGS))).astype(np.float32)
    lengths = np.array([first, second])
    scores = (2 * generator.normal(size=(2, int(lengths.max()), len(TAGS)))).astype(np.float32)
    lattice = TagLattice.of(TAGS, transitions)
    paths, sums = lattice.best_paths(scores, lengths), lattice.sums(scores, lengths)
    for sentence, length in enumerate(lengths.tolist()):
        rows = list(ways(length))
        weights = np.array([weigh(row, scores[sentence], transitions) for row in rows])
        best = tuple(TAGS[tag] for tag in paths[sentence, :length].tolist())
        assert is_allowed(best)
        assert weigh(best, scores[sentence], transitions) == pytest.approx(weights.max(), abs=1e-3)
        shares = np.exp(weights - np.logaddexp.reduce(weights))
        asked = {span for row in rows for span in spans_of_tags(row)}
        for start, end, label in asked:
            holding = [(start, end, label) in spans_of_tags(row) for row in rows]
            assert sums.probability(sentence, start, end, label) == pytest.approx(
                shares[holding].sum(), abs=1e-3
            )


def test_a_name_never_ends_in_another_kind() -> None:
    """However much each tag by itself is wanted."""
    scores = np.zeros((1, 2, len(TAGS)), dtype=np.float32)
    scores[0, 0, TAGS.index("B-PER")] = 9
    scores[0, 1, TAGS.index("E-CITY")] = 9
    lattice = TagLattice.of(TAGS, np.zeros((len(TAGS), len(TAGS)), dtype=np.float32))
    (path,) = lattice.best_paths(scores, np.array([2]))
    assert [TAGS[tag] for tag in path] in (["B-PER", "E-PER"], ["B-CITY", "E-CITY"])
