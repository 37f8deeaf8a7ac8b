"""The ways through the tags of a sentence that BIOES allows: the best one, and the probability of a span.

A name of label l is `S-l`, or `B-l`, any number of `I-l`, `E-l`; `O` stands outside. After O, S and E comes
O, S or B; after B and I comes I or E of the same label. With many labels these are few of all pairs of tags:
the work for a token grows with the square of twice the labels, and not of four times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
_NEVER: Final = np.float32(-1e30)  # in nats: of a tag that cannot be reached
_LEAST: Final = np.float32(1e-30)  # a sum of weights below it counts as it


@dataclass(frozen=True, slots=True, eq=False)
class TagLattice:
    """Tags of a network by their part in a name, as ids of its scores; labels are in one order everywhere.

    after: O, E of each label, S of each label. start: O, B of each label, S of each label.
    """

    labels: tuple[str, ...]
    after: Numbers
    start: Numbers
    inside: Numbers
    moves: Floats  # nats from after (rows) to start (columns)
    begin_inside: Floats  # nats from B to I, by label; the three others alike
    inside_inside: Floats
    begin_end: Floats
    inside_end: Floats

    @classmethod
    def of(cls, tags: Sequence[str], transitions: Floats) -> Self:
        """The lattice of a network's tags. transitions: nats, shape (n_tags, n_tags), from row to column."""
        ids = {tag: number for number, tag in enumerate(tags)}
        labels = tuple(tag[2:] for tag in tags if tag.startswith("S-"))
        single, begin, inside, end = (
            np.array([ids[f"{part}-{label}"] for label in labels], dtype=np.int64) for part in "SBIE"
        )
        outside = np.array([ids["O"]], dtype=np.int64)
        after, start = np.concatenate([outside, end, single]), np.concatenate([outside, begin, single])
        return cls(
            labels, after, start, inside, np.ascontiguousarray(transitions[np.ix_(after, start)]),
            transitions[begin, inside], transitions[inside, inside], transitions[begin, end],
            transitions[inside, end],
        )  # fmt: skip

    def best_paths(self, scores: Floats, lengths: Numbers) -> Numbers:
        """Tag ids of the best way, shape (n_sentences, n_tokens); behind a sentence's end, its last tag.

        scores: nats, shape (n_sentences, n_tokens, n_tags). lengths: tokens of each sentence, at least 1.
        """
        n_sentences, n_tokens, _ = scores.shape
        n_labels = len(self.labels)
        at_start = scores[:, :, self.start]
        at_inside, at_end = scores[:, :, self.inside], scores[:, :, self.after[1 : n_labels + 1]]
        after = np.empty((n_tokens, n_sentences, 2 * n_labels + 1), dtype=scores.dtype)
        begin = np.empty((n_tokens, n_sentences, n_labels), dtype=scores.dtype)
        inside = np.full((n_tokens, n_sentences, n_labels), _NEVER, dtype=scores.dtype)
        for t in range(n_tokens):
            if t == 0:
                begun, ended = at_start[:, 0], np.full((n_sentences, n_labels), _NEVER, dtype=scores.dtype)
            else:
                begun = (after[t - 1][:, :, None] + self.moves).max(axis=1) + at_start[:, t]
                ended = at_end[:, t] + np.maximum(
                    begin[t - 1] + self.begin_end, inside[t - 1] + self.inside_end
                )
                inside[t] = at_inside[:, t] + np.maximum(
                    begin[t - 1] + self.begin_inside, inside[t - 1] + self.inside_inside
                )
            begin[t] = begun[:, 1 : n_labels + 1]
            after[t, :, 0], after[t, :, 1 : n_labels + 1] = begun[:, 0], ended
            after[t, :, n_labels + 1 :] = begun[:, n_labels + 1 :]
        return self._way_back(after, begin, inside, lengths)

    def _way_back(self, after: Floats, begin: Floats, inside: Floats, lengths: Numbers) -> Numbers:
        """The best ways, read from their ends. A state is what stands at a token: a place in `after`, or
        behind those the labels inside a name, or behind these the labels that begin one.
        """
        n_tokens, n_sentences, n_after = after.shape
        n_labels = len(self.labels)
        rows, ends = np.arange(n_sentences), lengths - 1
        ids = np.concatenate([self.after, self.inside, self.start[1 : n_labels + 1]])
        moves = np.ascontiguousarray(self.moves.T)
        state = after[ends, rows].argmax(axis=1)
        paths = np.empty((n_sentences, n_tokens), dtype=np.int64)
        paths[:, n_tokens - 1] = ids[state]
        for t in range(n_tokens - 2, -1, -1):
            is_start = (state == 0) | ((state > n_labels) & (state < n_after)) | (state >= n_after + n_labels)
            place = np.where(state >= n_after + n_labels, state - n_after - n_labels + 1, state)
            earlier = (after[t] + moves[np.where(is_start, place, 0)]).argmax(axis=1)
            is_inside = (state >= n_after) & (state < n_after + n_labels)
            label = np.where(is_start, 0, np.where(is_inside, state - n_after, state - 1))
            from_begin = begin[t, rows, label] + np.where(
                is_inside, self.begin_inside[label], self.begin_end[label]
            )
            from_inside = inside[t, rows, label] + np.where(
                is_inside, self.inside_inside[label], self.inside_end[label]
            )
            within = np.where(from_begin >= from_inside, n_after + n_labels + label, n_after + label)
            state = np.where(t < ends, np.where(is_start, earlier, within), state)
            paths[:, t] = ids[state]
        return paths

    def sums(self, scores: Floats, lengths: Numbers) -> "LatticeSums":
        """What all ways to and from each token weigh. Arguments as in best_paths."""
        n_sentences, n_tokens, _ = scores.shape
        n_labels = len(self.labels)
        weights = np.exp(self.moves)
        at_start = scores[:, :, self.start]
        at_inside, at_end = scores[:, :, self.inside], scores[:, :, self.after[1 : n_labels + 1]]
        to_start = np.empty((n_tokens, n_sentences, 2 * n_labels + 1), dtype=scores.dtype)
        after = np.empty_like(to_start)
        inside = np.full((n_tokens, n_sentences, n_labels), _NEVER, dtype=scores.dtype)
        ended = np.full((n_sentences, n_labels), _NEVER, dtype=scores.dtype)
        for t in range(n_tokens):
            if t == 0:
                to_start[0] = at_start[:, 0]
            else:
                begin = to_start[t - 1][:, 1 : n_labels + 1]
                to_start[t] = _through(after[t - 1], weights) + at_start[:, t]
                ended = at_end[:, t] + np.logaddexp(begin + self.begin_end, inside[t - 1] + self.inside_end)
                inside[t] = at_inside[:, t] + np.logaddexp(
                    begin + self.begin_inside, inside[t - 1] + self.inside_inside
                )
            after[t, :, 0], after[t, :, 1 : n_labels + 1] = to_start[t][:, 0], ended
            after[t, :, n_labels + 1 :] = to_start[t][:, n_labels + 1 :]
        onward = self._onward(at_start, at_inside, at_end, lengths)
        last = after[lengths - 1, np.arange(n_sentences)]
        return LatticeSums(self, scores, to_start, onward, _log_sum(last))

    def _onward(self, at_start: Floats, at_inside: Floats, at_end: Floats, lengths: Numbers) -> Floats:
        """Nats of all ways on from a tag of `after` at each token, shape (n_tokens, n_sentences, n_after)."""
        n_sentences, n_tokens, n_start = at_start.shape
        n_labels = len(self.labels)
        ends = lengths - 1
        back = np.ascontiguousarray(np.exp(self.moves).T)
        onward = np.zeros((n_tokens, n_sentences, n_start), dtype=at_start.dtype)
        inside = np.full((n_sentences, n_labels), _NEVER, dtype=at_start.dtype)  # ways on from I
        begun = inside.copy()  # and from B
        for t in range(n_tokens - 2, -1, -1):
            later = onward[t + 1]
            starts = at_start[:, t + 1].copy()
            starts[:, 0] += later[:, 0]
            starts[:, 1 : n_labels + 1] += begun
            starts[:, n_labels + 1 :] += later[:, n_labels + 1 :]
            ending = at_end[:, t + 1] + later[:, 1 : n_labels + 1]
            going = at_inside[:, t + 1] + inside
            is_within = (t < ends)[:, None]
            onward[t] = np.where(is_within, _through(starts, back), np.float32(0))
            begun = np.where(
                is_within, np.logaddexp(self.begin_end + ending, self.begin_inside + going), _NEVER
            )
            inside = np.where(
                is_within, np.logaddexp(self.inside_end + ending, self.inside_inside + going), _NEVER
            )
        return onward


@dataclass(frozen=True, slots=True, eq=False)
class LatticeSums:
    """Weights of all ways through the sentences of a batch, in nats."""

    lattice: TagLattice
    scores: Floats
    to_start: Floats
    onward: Floats
    total: Floats

    def probability(self, sentence: int, start: int, end: int, label: str) -> float:
        """The share of the ways in which tokens [start, end) of a sentence are one name of the label."""
        lattice = self.lattice
        number, n_labels = lattice.labels.index(label), len(lattice.labels)
        if end - start == 1:
            place = n_labels + 1 + number
            nats = self.to_start[start, sentence, place] + self.onward[start, sentence, place]
        else:
            nats = self.to_start[start, sentence, 1 + number]
            for t in range(start + 1, end - 1):
                nats += self.scores[sentence, t, lattice.inside[number]]
            steps = end - start - 2
            nats += (
                lattice.begin_end[number]
                if steps == 0
                else lattice.begin_inside[number]
                + (steps - 1) * lattice.inside_inside[number]
                + lattice.inside_end[number]
            )
            nats += self.scores[sentence, end - 1, lattice.after[1 + number]]
            nats += self.onward[end - 1, sentence, 1 + number]
        return float(np.exp(min(0.0, float(nats - self.total[sentence]))))


def _through(nats: Floats, weights: Floats) -> Floats:
    """Log of what nats weigh behind a matrix of weights: a product in place of sums of exponentials."""
    top = nats.max(axis=1, keepdims=True)
    found: Floats = np.log(np.maximum(np.exp(nats - top) @ weights, _LEAST)) + top
    return found


def _log_sum(nats: Floats) -> Floats:
    top = nats.max(axis=1)
    found: Floats = np.log(np.exp(nats - top[:, None]).sum(axis=1)) + top
    return found
