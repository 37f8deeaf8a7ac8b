"""The found spans of one document beside its gold, and what they score."""

import bisect
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from operator import add
from typing import Self

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.evaluation.scores import Score, share
from linkage.evaluation.unseen import UnseenScore, fold_surface
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
    sentences: "SentenceScore"


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
        self.wrong_relaxed = [span for span in self.found if not covered.overlaps(span)]
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

    @property
    def strict(self) -> Score:
        return Score(
            len(self.exact), len(self.found) - len(self._exact_found), len(self.required) - len(self.exact)
        )

    @property
    def relaxed(self) -> Score:
        """Two found spans may share one mention: precision counts found spans, recall mentions."""
        return Score(len(self.covered), len(self.wrong_relaxed), len(self.required) - len(self.covered))

    def wrong_strict(self) -> list[Span]:
        """The mentions that were not found exactly, and the found spans that are no mention exactly."""
        missed = [m.span for m in self.required if m.span not in self.exact]
        return [*missed, *(span for span in self.found if span not in self._exact_found)]

    def uncovered(self) -> list[Span]:
        """The mentions that lie neither inside one found span nor inside neighbouring ones."""
        return [m.span for m in self.required if m.span not in self.covered]

    def score(self) -> DocumentScore:
        letters = [self.letters(mention) for mention in self.required]
        words = word_spans(self._text)
        token, true_negatives = self.token_score(words)
        sentences = SentenceScore.of(
            self._text,
            self.required,
            strict=self.wrong_strict(),
            relaxed=[*self.uncovered(), *self.wrong_relaxed],
            covered=self.uncovered(),
        )
        return DocumentScore(
            self._doc_id,
            len(words),
            len(self.required),
            len(self.found),
            self.strict,
            self.relaxed,
            token,
            true_negatives,
            len(self.touching_nothing),
            sum(count for count, _ in letters),
            sum(leaked for _, leaked in letters),
            sentences,
        )

    def token_score(self, words: Sequence[Span]) -> tuple[Score, int]:
        """Words in mentions, found or not; and the number of those that are in none, rightly."""
        gold_spans = SpanCover(m.span for m in self.required)
        counts = {(g, f): 0 for g in (True, False) for f in (True, False)}
        for word in words:
            if not self._unsure.overlaps(word):
                counts[gold_spans.overlaps(word), self._cover.overlaps(word)] += 1
        return Score(counts[True, True], counts[False, True], counts[True, False]), counts[False, False]

    def unseen(self, surfaces: Collection[str]) -> UnseenScore:
        """How many required mentions have one of these folded surfaces, and how many of them were found."""
        found = UnseenScore()
        for mention in self.required:
            if fold_surface(mention.span.cut(self._text)) in surfaces:
                exact, covered = mention.span in self.exact, mention.span in self.covered
                found += UnseenScore(1, exact, covered, *self.letters(mention))
        return found


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """Sentences in all, and those without an error; then the same of those with a mark.

    strict: every mark found exactly, with its label, and nothing else. relaxed: every mark inside one found
    span or neighbouring ones, whatever the label, and no found span without a mark. covered: every mark
    inside one found span or neighbouring ones, whatever else was found.
    """

    sentences: int = 0
    strict: int = 0
    relaxed: int = 0
    covered: int = 0
    with_marks: int = 0
    strict_with_marks: int = 0
    relaxed_with_marks: int = 0
    covered_with_marks: int = 0

    @classmethod
    def of(
        cls,
        text: str,
        marks: Iterable[GoldMention],
        *,
        strict: Iterable[Span],
        relaxed: Iterable[Span],
        covered: Iterable[Span],
    ) -> Self:
        """The sentences of a text. strict, relaxed, covered: where each way of counting finds an error."""
        sentences = Sentences(text)
        wrong = (frozenset[int](), *map(sentences.numbers_of, (strict, relaxed, covered)))
        named = sentences.numbers & sentences.numbers_of(mark.span for mark in marks)
        return cls(*(len(of - one) for of in (sentences.numbers, named) for one in wrong))

    def __add__(self, other: "SentenceScore") -> "SentenceScore":
        return SentenceScore(*map(add, astuple(self), astuple(other)))

    def shares(self) -> dict[str, float]:
        """Shares of sentences without an error: of all, and of those with a mark."""
        counts = asdict(self)
        return {
            f"{way}{of}_share": share(counts[f"{way}{of}"], counts["with_marks" if of else "sentences"])
            for of in ("", "_with_marks")
            for way in ("strict", "relaxed", "covered")
        }


class Sentences:
    """The sentences of a text, by number; numbers holds those with anything but blanks."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
        bounds = zip(self._starts, [*self._starts[1:], len(text)], strict=True)
        self.numbers = frozenset(n for n, (start, end) in enumerate(bounds) if text[start:end].strip())

    def numbers_of(self, spans: Iterable[Span]) -> frozenset[int]:
        """The sentences in which these spans begin."""
        return frozenset(bisect.bisect_right(self._starts, span.start) - 1 for span in spans)


def word_spans(text: str) -> list[Span]:
    """The words of a text, runs of letters and digits, in order."""
    return [Span(match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _joined(spans: Sequence[Span], text: str) -> list[Span]:
    """Runs of found spans with nothing but blanks between them, in order; spans are sorted."""
    runs: list[Span] = []
    for span in spans:
        if runs and not text[runs[-1].end : span.start].strip():
            runs[-1] = Span(runs[-1].start, max(runs[-1].end, span.end))
        else:
            runs.append(span)
    return runs
