"""From tag scores to spans: the best path, and the probability of each span under the CRF."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from linkage.recognition.ner_network import tag_marginals
from linkage.recognition.tag_lattice import TagLattice

if TYPE_CHECKING:
    import numpy.typing as npt
    import torch

_FIRST_TAG = 4  # Stanza's vocabularies begin with four ids that stand for nothing


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """Tokens [start, end) of one sentence under one label; probability is that of the whole span, in [0,
    1]."""

    start: int
    end: int
    label: str
    probability: float


def best_paths(
    scores: "torch.Tensor", transitions: "torch.Tensor", lengths: "torch.Tensor"
) -> list[list[int]]:
    """Viterbi over a batch: scores (n_sentences, n_tokens, n_tags). Tag ids of each sentence."""
    ends = lengths.numpy()
    paths = _best_paths(scores.numpy(), transitions.numpy(), ends)
    return [row[:length].tolist() for row, length in zip(paths, ends.tolist(), strict=True)]


def _best_paths(
    scores: "npt.NDArray[np.float32]",
    transitions: "npt.NDArray[np.float32]",
    lengths: "npt.NDArray[np.int64]",
) -> "npt.NDArray[np.int64]":
    """Tag ids, shape (n_sentences, n_tokens); from a sentence's length on, those of its last tag."""
    n_sentences, n_tokens, n_tags = scores.shape
    n_tags -= _FIRST_TAG
    real, moves = scores[:, :, _FIRST_TAG:], transitions[_FIRST_TAG:, _FIRST_TAG:]
    best = np.empty((n_tokens, n_sentences, n_tags), dtype=scores.dtype)
    best[0] = real[:, 0]
    for t in range(1, n_tokens):
        np.add((best[t - 1][:, :, None] + moves).max(axis=1), real[:, t], out=best[t])
    # Where a best path came from is found on the way back: of one tag a step, instead of all.
    back = np.ascontiguousarray(moves.T)
    paths = np.empty((n_sentences, n_tokens), dtype=np.int64)
    rows, ends = np.arange(n_sentences), lengths - 1
    tags = best[ends, rows].argmax(axis=1)
    paths[:, n_tokens - 1] = tags
    for t in range(n_tokens - 2, -1, -1):
        earlier = (best[t] + back[tags]).argmax(axis=1)
        tags = np.where(t < ends, earlier, tags)
        paths[:, t] = tags
    return paths + _FIRST_TAG


def spans_of_tags(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """(start, end, label) of a BIOES row; parts that break the scheme are repaired towards longer spans."""
    spans: list[tuple[int, int, str]] = []
    open_label: str | None = None
    start = 0
    for i, tag in enumerate(tags):
        kind, _, label = tag.partition("-")
        if open_label is not None and (kind not in {"I", "E"} or label != open_label):
            spans.append((start, i, open_label))
            open_label = None
        if kind in {"B", "S", "I", "E"} and open_label is None:
            start, open_label = i, label
        if kind in {"S", "E"} and open_label is not None:
            spans.append((start, i + 1, open_label))
            open_label = None
    if open_label is not None:
        spans.append((start, len(tags), open_label))
    return spans


def decode(
    scores: "torch.Tensor",
    transitions: "torch.Tensor",
    lengths: "torch.Tensor",
    tags: Sequence[str],
    *,
    weak_bias: float,
    strict: bool = False,
) -> list[list[TokenSpan]]:
    """Spans of a batch, each sentence sorted by start.

    Beside the best path, the best path under weak_bias more for every person tag is asked: person spans
    that only it has, and that overlap no person of the best path, come as well, with the (low) probability
    they have without bias. strict: only what BIOES allows counts as a path, as in training.
    """
    emitted, moves, ends = scores.numpy(), transitions.numpy(), lengths.numpy()
    n_sentences, names = len(emitted), np.array([tag != "O" for tag in tags])
    lattice = TagLattice.of(tags, moves) if strict else None
    best = partial(_best_paths, transitions=moves) if lattice is None else lattice.best_paths
    if weak_bias > 0:
        biased = emitted.copy()
        biased[:, :, [i for i, tag in enumerate(tags) if tag.endswith("-PER")]] += np.float32(weak_bias)
        both = best(np.concatenate([emitted, biased]), lengths=np.concatenate([ends, ends]))
        paths, weak_paths = both[:n_sentences], both[n_sentences:]
    else:
        paths = weak_paths = best(emitted, lengths=ends)
    found: list[list[tuple[int, int, str]]] = [[] for _ in range(n_sentences)]
    for row in np.flatnonzero(names[paths].any(axis=1)).tolist():
        found[row] = spans_of_tags([tags[i] for i in paths[row, : ends[row]].tolist()])
    for row in np.flatnonzero((paths != weak_paths).any(axis=1)).tolist():
        persons = [s for s in found[row] if s[2] == "PER"]
        found[row] += [
            s
            for s in spans_of_tags([tags[i] for i in weak_paths[row, : ends[row]].tolist()])
            if s[2] == "PER" and all(s[1] <= p[0] or p[1] <= s[0] for p in persons)
        ]
        found[row].sort()
    result: list[list[TokenSpan]] = [[] for _ in found]
    asked_rows = [row for row, spans in enumerate(found) if spans]
    if not asked_rows:
        return result
    asked = [(place, *span) for place, row in enumerate(asked_rows) for span in found[row]]
    longest = int(ends[asked_rows].max())
    if lattice is not None:
        sums = lattice.sums(emitted[asked_rows, :longest], ends[asked_rows])
        probabilities = [sums.probability(*one) for one in asked]
    else:
        probabilities = _probabilities(scores, transitions, lengths, tags, asked_rows, asked)
    for (place, start, end, label), probability in zip(asked, probabilities, strict=True):
        result[asked_rows[place]].append(TokenSpan(start, end, label, probability))
    return result


def _probabilities(
    scores: "torch.Tensor",
    transitions: "torch.Tensor",
    lengths: "torch.Tensor",
    tags: Sequence[str],
    asked_rows: Sequence[int],
    asked: Sequence[tuple[int, int, int, str]],
) -> list[float]:
    """Of spans (place in asked_rows, start, end, label) under a CRF whose paths may be any."""
    import torch

    rows = torch.tensor(asked_rows)
    part = scores[rows, : int(lengths[rows].max())]
    alpha, beta, log_partition = (m.numpy() for m in tag_marginals(part, transitions, lengths[rows]))
    ids = {tag: i for i, tag in enumerate(tags)}
    return _span_probabilities(asked, part.numpy(), transitions.numpy(), alpha, beta, log_partition, ids)


def _span_probabilities(
    asked: Sequence[tuple[int, int, int, str]],
    scores: "npt.NDArray[np.float32]",
    transitions: "npt.NDArray[np.float32]",
    alpha: "npt.NDArray[np.float32]",
    beta: "npt.NDArray[np.float32]",
    log_partition: "npt.NDArray[np.float32]",
    ids: dict[str, int],
) -> list[float]:
    """exp of (alpha at the first tag + the path inside + beta at the last tag - log partition), in [0, 1]."""
    moves = transitions.tolist()
    out = []
    for row, start, end, label in asked:
        if end - start == 1:
            path = [ids[f"S-{label}"]]
        else:
            path = [ids[f"B-{label}"], *[ids[f"I-{label}"]] * (end - start - 2), ids[f"E-{label}"]]
        total = float(alpha[row, start, path[0]])
        for offset in range(1, end - start):
            emitted = float(scores[row, start + offset, path[offset]])
            total += moves[path[offset - 1]][path[offset]] + emitted
        total += float(beta[row, end - 1, path[-1]]) - float(log_partition[row])
        out.append(min(1.0, math.exp(min(0.0, total))))
    return out
