"""A network in training on gold documents."""

from collections.abc import Collection, Sequence
from typing import Any

import torch

from linkage.recognition.ner_decoding import TokenSpan, decode
from linkage.recognition.ner_network import WordEncoder, emissions, word_inputs
from linkage.training.labels import ANY, MEANINGS, has_strict_tags
from linkage.training.scoring import Scores
from linkage.training.windows import BLANK_LINE, LINE_BREAK, TextWithSpans


@torch.no_grad()
def tag_windows(
    model: Any, vocab: Any, windows: list[list[str]], *, weak_bias: float = 0.0
) -> list[list[TokenSpan]]:
    """Spans of each window of tokens."""
    encoder = WordEncoder(vocab)
    tags: list[str] = vocab["tag"]._id2unit[0]
    order = sorted(range(len(windows)), key=lambda i: -len(windows[i]))
    result: list[list[TokenSpan]] = [[] for _ in windows]
    transitions = model.crits[0]._transitions
    strict = has_strict_tags(tags)
    for first in range(0, len(order), 64):
        part = order[first : first + 64]
        index: dict[str, int] = {}
        rows = [torch.tensor([index.setdefault(t, len(index)) for t in windows[i]]) for i in part]
        lengths = torch.tensor([len(r) for r in rows])
        vectors = model.input_transform(word_inputs(model, encoder, list(index)))
        scores = emissions(model, vectors[torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)], lengths)
        for i, spans in zip(
            part, decode(scores, transitions, lengths, tags, weak_bias=weak_bias, strict=strict), strict=True
        ):
            result[i] = spans
    return result


def windows_of(pieces: list[tuple[int, int, str]], *, longest: int = 100) -> list[tuple[int, int]]:
    """Piece ranges [start, end) to tag together: cut at a blank line, else a sentence end, else anywhere."""
    ranges = []
    begin = 0
    while begin < len(pieces):
        end = min(len(pieces), begin + longest)
        if end < len(pieces):
            ends = [
                i + 1
                for i in range(begin + longest // 2, end)
                if pieces[i][2] in {".", "!", "?", LINE_BREAK, BLANK_LINE}
            ]
            end = ends[-1] if ends else end
        ranges.append((begin, end))
        begin = end
    return ranges


class KindGoldSet:
    """Documents with gold spans of many labels, ready to be tagged again and again."""

    def __init__(
        self, documents: Sequence[TextWithSpans], pieces: Sequence[list[tuple[int, int, str]]]
    ) -> None:
        """pieces: of each document, as `document_pieces` gives them."""
        self.documents = documents
        self.pieces = pieces
        self.ranges = [windows_of(p) for p in self.pieces]

    def score_kinds(self, model: Any, vocab: Any) -> dict[str, Scores]:
        """Strict scores by label, and of all together ("all"). Unknown places (ANY) count for nothing."""
        windows = [
            [x[2] for x in p[a:b]] for p, rs in zip(self.pieces, self.ranges, strict=True) for a, b in rs
        ]
        tagged = iter(tag_windows(model, vocab, windows))
        found: list[set[tuple[int, int, str]]] = []
        for document, pieces, ranges in zip(self.documents, self.pieces, self.ranges, strict=True):
            spans = set()
            for begin, _ in ranges:
                for one in next(tagged):
                    start, end = pieces[begin + one.start][0], pieces[begin + one.end - 1][1]
                    spans.add((*trim(document.text, start, end), one.label))
            found.append(as_marked(document, spans))
        labels = sorted({one[2] for document in self.documents for one in document.spans} - {ANY})
        return {label: self._score(found, {label}) for label in labels} | {
            "all": self._score(found, set(labels))
        }

    def _score(self, found: list[set[tuple[int, int, str]]], labels: set[str]) -> Scores:
        hits = found_count = gold_count = 0
        for document, spans in zip(self.documents, found, strict=True):
            gold = {one for one in document.spans if one[2] in labels}
            unknown = [one for one in document.spans if one[2] == ANY]
            counted = {
                one
                for one in spans
                if one[2] in labels and not any(one[0] < other[1] and other[0] < one[1] for other in unknown)
            }
            hits += len(gold & counted)
            found_count += len(counted)
            gold_count += len(gold)
        return Scores(hits, found_count, gold_count, 0.0)


def as_marked(document: TextWithSpans, found: Collection[tuple[int, int, str]]) -> set[tuple[int, int, str]]:
    """The found spans by the labels of the document's source: exactly where it marks a coarse label, a kind
    that this may mean counts as that label; what the source does not mark counts for nothing elsewhere.
    """
    coarse = {(start, end): label for start, end, label in document.spans if len(MEANINGS.get(label, ())) > 1}
    marked = {(start, end) for start, end, _ in document.spans}
    kept = set()
    for start, end, label in found:
        source = coarse.get((start, end))
        if source is not None and label in MEANINGS[source]:
            kept.add((start, end, source))
        elif label not in document.unmarked or (start, end) in marked:
            kept.add((start, end, label))
    return kept


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A possessive s and stray marks are no part of a name."""
    for tail in ("'s", "’s", "'S", "’S", "'", "’"):
        if text[start:end].endswith(tail):
            end -= len(tail)
            break
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end
