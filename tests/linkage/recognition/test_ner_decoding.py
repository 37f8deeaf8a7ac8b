"""Decoding against all paths written out."""

import itertools
import math

import pytest
import torch

from linkage.recognition.ner_decoding import best_paths, decode, spans_of_tags
from linkage.recognition.ner_network import tag_marginals

TAGS = ["<PAD>", "<UNK>", "<EMPTY>", "<ROOT>", "O", "S-PER", "B-PER", "I-PER", "E-PER"]
REAL = range(4, len(TAGS))


def random_scores(seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(2, 4, len(TAGS), generator=generator)
    scores[:, :, :4] = -1e4  # a trained network never gives these
    return scores, torch.randn(len(TAGS), len(TAGS), generator=generator), torch.tensor([4, 3])


def path_score(scores: torch.Tensor, transitions: torch.Tensor, path: tuple[int, ...]) -> float:
    total = sum(float(scores[t, tag]) for t, tag in enumerate(path))
    return total + sum(float(transitions[a, b]) for a, b in itertools.pairwise(path))


@pytest.mark.parametrize("seed", range(5))
def test_best_paths_are_the_best_of_all(seed: int) -> None:
    scores, transitions, lengths = random_scores(seed)
    for row, path in enumerate(best_paths(scores, transitions, lengths)):
        every = itertools.product(REAL, repeat=int(lengths[row]))
        assert tuple(path) == max(every, key=lambda p: path_score(scores[row], transitions, p))


@pytest.mark.parametrize("seed", range(5))
def test_marginals_and_partition_sum_over_all_paths(seed: int) -> None:
    scores, transitions, lengths = random_scores(seed)
    alpha, beta, log_partition = tag_marginals(scores, transitions, lengths)
    for row in range(2):
        n = int(lengths[row])
        weights = {
            p: math.exp(path_score(scores[row], transitions, p)) for p in itertools.product(REAL, repeat=n)
        }
        total = sum(weights.values())
        assert float(log_partition[row]) == pytest.approx(math.log(total), abs=1e-4)
        for t, tag in itertools.product(range(n), REAL):
            expected = sum(w for p, w in weights.items() if p[t] == tag) / total
            found = math.exp(float(alpha[row, t, tag] + beta[row, t, tag] - log_partition[row]))
            assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_span_probability_is_the_share_of_paths_with_that_span(seed: int) -> None:
    scores, transitions, lengths = random_scores(seed)
    for row, spans in enumerate(decode(scores, transitions, lengths, TAGS, weak_bias=3.0)):
        n = int(lengths[row])
        weights = {
            p: math.exp(path_score(scores[row], transitions, p)) for p in itertools.product(REAL, repeat=n)
        }
        total = sum(weights.values())
        for span in spans:
            size = span.end - span.start
            inside = ("S",) if size == 1 else ("B", *"I" * (size - 2), "E")
            wanted = tuple(TAGS.index(f"{kind}-PER") for kind in inside)
            expected = sum(w for p, w in weights.items() if p[span.start : span.end] == wanted) / total
            assert span.probability == pytest.approx(expected, abs=1e-4)


def test_weak_search_adds_persons_beside_those_of_the_best_path() -> None:
    scores, transitions, lengths = random_scores(1)
    scores[:, :, TAGS.index("O")] += 9.0  # so that the best path has no person
    plain = decode(scores, transitions, lengths, TAGS, weak_bias=0.0)
    weak = decode(scores, transitions, lengths, TAGS, weak_bias=50.0)
    for before, after in zip(plain, weak, strict=True):
        assert {(s.start, s.end) for s in before} <= {(s.start, s.end) for s in after}
    assert sum(map(len, weak)) > sum(map(len, plain)) == 0


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O S-PER O", [(1, 2, "PER")]),
        ("B-PER I-PER E-PER", [(0, 3, "PER")]),
        ("I-PER E-PER", [(0, 2, "PER")]),
        ("B-PER O", [(0, 1, "PER")]),
        ("B-PER E-NAME", [(0, 1, "PER"), (1, 2, "NAME")]),
        ("B-PER S-PER", [(0, 1, "PER"), (1, 2, "PER")]),
        ("I-PER I-PER", [(0, 2, "PER")]),
    ],
)
def test_spans_of_tags(tags: str, expected: list[tuple[int, int, str]]) -> None:
    assert spans_of_tags(tags.split()) == expected
