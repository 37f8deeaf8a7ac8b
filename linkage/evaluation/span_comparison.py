"""The found spans of one document beside its gold, and what they score."""

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.evaluation.scores import Score
from linkage.records import DocumentId, Span
from linkage.spans import SpanCover

_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[^\W\d_a-zà-ÿ]|[\"'“‘(\d])|\n+")


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """What one document adds. Words are runs of letters and digits; letters include digits."""

    doc_id: DocumentId
    words: int
    gold_mentions: int
    found_mentions: int
    strict: Score
    relaxed: Score
    token: Score
    tokens_true_negative: int
    false_spans: int
    letters: int
    letters_leaked: int
    sentences: int
    sentences_strict: int
    sentences_relaxed: int
    sentences_with_names: int
    sentences_with_names_strict: int
    sentences_with_names_relaxed: int


class SpanComparison:
    """The found spans of one document beside its gold."""

    def __init__(self, gold: GoldDocument, found: Sequence[Span]) -> None:
        self._text, self._doc_id = gold.document.text, gold.document.doc_id
        self._unsure = SpanCover(m.span for m in gold.mentions if m.unsure)
        # A span marked twice, as brat allows, is one mention.
        required = {m.span: m for m in gold.mentions if not m.unsure}
        self.required: tuple[GoldMention, ...] = tuple(required.values())
        wanted = SpanCover(span for m in self.required for span in m.accepted)
        self.found = [
            span for span in sorted(set(found))
            if not self._unsure.overlaps(span) or wanted.overlaps(span)
        ]  # fmt: skip
        self._cover = SpanCover(self.found)
        found_set = set(self.found)
        self.exact = {m.span for m in self.required if found_set.intersection(m.accepted)}
        self._exact_found = {span for m in self.required for span in m.accepted if span in found_set}
        runs = _joined(self.found, self._text)
        ends = [run.end for run in runs]  # the runs lie apart, so that starts and ends are both in order

        def lies_in_a_run(span: Span) -> bool:
            place = bisect.bisect_left(ends, span.end)
            return place < len(runs) and runs[place].contains(span)

        self.covered = {m.span for m in self.required if any(lies_in_a_run(span) for span in m.accepted)}
        covered = SpanCover(m.span for m in self.required if m.span in self.covered)
        self._wrong_relaxed = [span for span in self.found if not covered.overlaps(span)]
        self.touching_nothing = [span for span in self.found if not wanted.overlaps(span)]

    def touching(self, span: Span) -> tuple[Span, ...]:
        """The found spans that overlap this one, in order."""
        return tuple(found for found in self.found if found.overlaps(span))

    def letters(self, mention: GoldMention) -> tuple[int, int]:
        """Letters and digits of a mention, and those outside every found span; by its kindest alternative."""
        counts = []
        for span in mention.accepted:
            places = [i for i in range(span.start, span.end) if self._text[i].isalnum()]
            leaked = sum(not self._cover.overlaps(Span(i, i + 1)) for i in places)
            counts.append((leaked, len(places)))
        leaked, letters = min(counts)
        return letters, leaked

    def score(self) -> DocumentScore:
        letters = [self.letters(mention) for mention in self.required]
        strict = Score(
            len(self.exact), len(self.found) - len(self._exact_found), len(self.required) - len(self.exact)
        )
        relaxed_missed = len(self.required) - len(self.covered)
        token, true_negatives, words = self._token_score()
        sentences = self._sentence_counts()
        return DocumentScore(
            self._doc_id,
            words,
            len(self.required),
            len(self.found),
            strict,
            # Two found spans may share one mention: precision counts found spans, recall mentions.
            Score(len(self.covered), len(self._wrong_relaxed), relaxed_missed),
            token,
            true_negatives,
            len(self.touching_nothing),
            sum(count for count, _ in letters),
            sum(leaked for _, leaked in letters),
            *sentences,
        )

    def _token_score(self) -> tuple[Score, int, int]:
        gold_spans = SpanCover(m.span for m in self.required)
        counts = {(g, f): 0 for g in (True, False) for f in (True, False)}
        words = 0
        for match in _TOKEN.finditer(self._text):
            words += 1
            token = Span(match.start(), match.end())
            if not self._unsure.overlaps(token):
                counts[gold_spans.overlaps(token), self._cover.overlaps(token)] += 1
        return (
            Score(counts[True, True], counts[False, True], counts[True, False]),
            counts[False, False],
            words,
        )

    def _sentence_counts(self) -> tuple[int, int, int, int, int, int]:
        """Sentences in all, right strictly, right relaxed; then the same of those with a gold mention."""
        starts = [0, *(match.end() for match in _SENTENCE_END.finditer(self._text))]
        bounds = zip(starts, [*starts[1:], len(self._text)], strict=True)
        sentences = [number for number, (start, end) in enumerate(bounds) if self._text[start:end].strip()]

        def number_of(span: Span) -> int:
            return bisect.bisect_right(starts, span.start) - 1

        missed = {number_of(m.span) for m in self.required if m.span not in self.exact}
        wrong_strict = missed | {number_of(span) for span in self.found if span not in self._exact_found}
        wrong_relaxed = {number_of(m.span) for m in self.required if m.span not in self.covered}
        wrong_relaxed |= {number_of(span) for span in self._wrong_relaxed}
        named = {number_of(m.span) for m in self.required}
        with_names = [number for number in sentences if number in named]
        return (
            len(sentences),
            sum(number not in wrong_strict for number in sentences),
            sum(number not in wrong_relaxed for number in sentences),
            len(with_names),
            sum(number not in wrong_strict for number in with_names),
            sum(number not in wrong_relaxed for number in with_names),
        )


def _joined(spans: Sequence[Span], text: str) -> list[Span]:
    """Runs of found spans with nothing but blanks between them, in order; spans are sorted."""
    runs: list[Span] = []
    for span in spans:
        if runs and not text[runs[-1].end : span.start].strip():
            runs[-1] = Span(runs[-1].start, max(runs[-1].end, span.end))
        else:
            runs.append(span)
    return runs
