"""From tag scores to spans: the best path, and the probability of each span under the CRF."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkage.recognition.ner_network import tag_marginals

if TYPE_CHECKING:
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
    """Viterbi over a batch: scores (n_sentences, n_tokens, n_tags), lengths falling. Tag ids of each
    sentence."""
    import torch

    n_tokens = scores.shape[1]
    backward: list[torch.Tensor] = []
    best = scores[:, 0].clone()
    best[:, :_FIRST_TAG] = -1e9
    finals = torch.empty_like(best)
    ends = lengths - 1
    finals[ends == 0] = best[ends == 0]
    for t in range(1, n_tokens):
        top, source = (best.unsqueeze(2) + transitions).max(dim=1)
        best = top + scores[:, t]
        best[:, :_FIRST_TAG] = -1e9
        backward.append(source)
        done = ends == t
        finals[done] = best[done]
    last = finals.argmax(dim=1)
    paths = [[int(tag)] for tag in last]
    columns = [b.tolist() for b in backward]
    for row, end in enumerate(ends.tolist()):
        path = paths[row]
        for t in range(end - 1, -1, -1):
            path.append(columns[t][row][path[-1]])
        path.reverse()
    return paths


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
) -> list[list[TokenSpan]]:
    """Spans of a batch, each sentence sorted by start.

    Beside the best path, the best path under weak_bias more for every person tag is asked: person spans
    that only it
    has, and that overlap no person of the best path, come as well, with the (low) probability they have
    without bias.
    """
    paths = best_paths(scores, transitions, lengths)
    found = [spans_of_tags([tags[i] for i in path]) for path in paths]
    if weak_bias > 0:
        biased = scores.clone()
        for i, tag in enumerate(tags):
            if tag.endswith("-PER"):
                biased[:, :, i] += weak_bias
        for spans, path in zip(found, best_paths(biased, transitions, lengths), strict=True):
            persons = [s for s in spans if s[2] == "PER"]
            spans += [
                s
                for s in spans_of_tags([tags[i] for i in path])
                if s[2] == "PER" and all(s[1] <= p[0] or p[1] <= s[0] for p in persons)
            ]
            spans.sort()
    alpha, beta, log_partition = tag_marginals(scores, transitions, lengths)
    ids = {tag: i for i, tag in enumerate(tags)}
    asked: list[tuple[int, int, int, str]] = [(row, *s) for row, spans in enumerate(found) for s in spans]
    probabilities = _span_probabilities(asked, scores, transitions, alpha, beta, log_partition, ids)
    result: list[list[TokenSpan]] = [[] for _ in found]
    for (row, start, end, label), probability in zip(asked, probabilities, strict=True):
        result[row].append(TokenSpan(start, end, label, probability))
    return result


def _span_probabilities(
    asked: Sequence[tuple[int, int, int, str]],
    scores: "torch.Tensor",
    transitions: "torch.Tensor",
    alpha: "torch.Tensor",
    beta: "torch.Tensor",
    log_partition: "torch.Tensor",
    ids: dict[str, int],
) -> list[float]:
    """exp of (alpha at the first tag + the path inside + beta at the last tag - log partition), in [0, 1]."""
    import math

    if not asked:
        return []
    values = scores.tolist() if len(asked) > 50 else None
    moves = transitions.tolist()
    out = []
    for row, start, end, label in asked:
        if end - start == 1:
            path = [ids[f"S-{label}"]]
        else:
            path = [ids[f"B-{label}"], *[ids[f"I-{label}"]] * (end - start - 2), ids[f"E-{label}"]]
        total = float(alpha[row, start, path[0]])
        for offset in range(1, end - start):
            t = start + offset
            emitted = values[row][t][path[offset]] if values else float(scores[row, t, path[offset]])
            total += moves[path[offset - 1]][path[offset]] + emitted
        total += float(beta[row, end - 1, path[-1]]) - float(log_partition[row])
        out.append(min(1.0, math.exp(min(0.0, total))))
    return out
