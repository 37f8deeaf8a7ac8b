"""Scores of detection: found spans against gold spans.

A span that overlaps an unsure gold mention is left out of every count, and so is that gold mention.
strict: the found span is the gold span, or one of its alternatives. relaxed: the gold span lies inside one
found span, or inside found spans with nothing but blanks between them; a found span is then right if it
overlaps such a gold span.
"""

import bisect
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from statistics import quantiles
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import DocumentId, Span

_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[^\W\d_a-zà-ÿ]|[\"'“‘(\d])|\n+")
UNSEEN_RATIO = 90.0


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one way of counting, and the rates that follow; a rate without cases is 0."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    def f_beta(self, beta: float) -> float:
        """Weighted harmonic mean of precision and recall (van Rijsbergen 1979); beta 2 favours recall."""
        weight = beta * beta
        hits = (1 + weight) * self.true_positives
        return _share(hits, hits + weight * self.false_negatives + self.false_positives)

    def as_dict(self) -> dict[str, float]:
        return {
            **asdict(self), "precision": self.precision, "recall": self.recall,
            "f1": self.f_beta(1), "f2": self.f_beta(2),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a rate is spread over documents; all values are 0 where there is no document."""

    lowest: float
    tenth: float
    quarter: float
    median: float
    three_quarters: float
    ninetieth: float
    highest: float
    mean: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Distribution":
        if not values:
            return cls(0, 0, 0, 0, 0, 0, 0, 0)
        cuts = quantiles([*values, values[-1]] if len(values) == 1 else values, n=20, method="inclusive")
        mean = sum(values) / len(values)
        return cls(min(values), cuts[1], cuts[4], cuts[9], cuts[14], cuts[17], max(values), mean)


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


@dataclass(frozen=True, slots=True)
class UnseenScore:
    """Gold mentions whose name is under UNSEEN_RATIO like every training name (Indel ratio, case folded)."""

    mentions: int
    found_strict: int
    found_relaxed: int
    letters: int
    letters_leaked: int

    def as_dict(self) -> dict[str, float]:
        return {
            **asdict(self),
            "recall_strict": _share(self.found_strict, self.mentions),
            "recall_relaxed": _share(self.found_relaxed, self.mentions),
            "letters_leaked_share": _share(self.letters_leaked, self.letters),
        }


@dataclass(frozen=True, slots=True)
class DetectionScores:
    """Scores over all documents, each with its own; holds no name."""

    documents: tuple[DocumentScore, ...] = field(repr=False)
    unseen: UnseenScore | None = None
    typos: Score | None = None

    @property
    def strict(self) -> Score:
        return _sum(d.strict for d in self.documents)

    @property
    def relaxed(self) -> Score:
        return _sum(d.relaxed for d in self.documents)

    @property
    def token(self) -> Score:
        return _sum(d.token for d in self.documents)

    @property
    def specificity(self) -> float:
        """Share of the words outside names that were left alone."""
        true_negatives = sum(d.tokens_true_negative for d in self.documents)
        return _share(true_negatives, true_negatives + self.token.false_positives)

    @property
    def letters_leaked(self) -> float:
        """Share of the letters and digits of the names that no found span covers."""
        return _share(sum(d.letters_leaked for d in self.documents), sum(d.letters for d in self.documents))

    @property
    def words(self) -> int:
        return sum(d.words for d in self.documents)

    @property
    def false_spans_per_1000_words(self) -> float:
        """Found spans that touch no name, per 1,000 words; names found with wrong bounds do not count."""
        return 1000 * _share(sum(d.false_spans for d in self.documents), self.words)

    def sentence_score(self, *, relaxed: bool = False, with_names_only: bool = False) -> float:
        """Share of sentences without any error."""
        part = "sentences_with_names" if with_names_only else "sentences"
        right = f"{part}_{'relaxed' if relaxed else 'strict'}"
        return _share(
            sum(getattr(d, right) for d in self.documents), sum(getattr(d, part) for d in self.documents)
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: counts, rates, distribution over documents, one row a document by its id."""
        with_names = [d for d in self.documents if d.gold_mentions]
        strict_false = self.strict.false_positives
        return {
            "documents": len(self.documents),
            "words": self.words,
            "gold_mentions": sum(d.gold_mentions for d in self.documents),
            "found_mentions": sum(d.found_mentions for d in self.documents),
            "strict": self.strict.as_dict(),
            "relaxed": self.relaxed.as_dict(),
            "token": {**self.token.as_dict(), "specificity": self.specificity},
            "sentence": {
                "strict": self.sentence_score(),
                "relaxed": self.sentence_score(relaxed=True),
                "strict_with_names": self.sentence_score(with_names_only=True),
                "relaxed_with_names": self.sentence_score(relaxed=True, with_names_only=True),
            },
            "letters_leaked": self.letters_leaked,
            "false_spans_per_1000_words": self.false_spans_per_1000_words,
            "inexact_or_false_spans_per_1000_words": 1000 * _share(strict_false, self.words),
            "misspelt": None if self.typos is None else self.typos.as_dict(),
            "unseen_names": None if self.unseen is None else self.unseen.as_dict(),
            "per_document": {
                "f1": asdict(Distribution.of([d.strict.f_beta(1) for d in with_names])),
                "letters_leaked": asdict(
                    Distribution.of([_share(d.letters_leaked, d.letters) for d in with_names])
                ),
                "without_leak": _share(sum(d.letters_leaked == 0 for d in with_names), len(with_names)),
            },
            "by_document": [
                {
                    "doc_id": d.doc_id, "gold_mentions": d.gold_mentions, "found_mentions": d.found_mentions,
                    "f1": d.strict.f_beta(1), "letters_leaked": _share(d.letters_leaked, d.letters),
                    "false_spans": d.false_spans,
                }
                for d in self.documents
            ],
        }  # fmt: skip


class ErrorKind(StrEnum):
    MISSED = "missed"
    FALSE = "false"
    BOUNDS = "bounds"


@dataclass(frozen=True, slots=True)
class DetectionError:
    """One error, with its text: for a file the user names only. BOUNDS: found, but not exactly."""

    kind: ErrorKind
    doc_id: DocumentId
    gold: Span | None
    found: tuple[Span, ...]
    surface: str = field(repr=False)
    context: str = field(repr=False)


def evaluate_detection(
    gold: Sequence[GoldDocument],
    found: Mapping[DocumentId, Sequence[Span]],
    *,
    training_names: Collection[str] = (),
) -> DetectionScores:
    """Score the found spans of each gold document; a document that is not in found has none.

    With training_names, the names the detector was trained on, unseen names are scored apart.
    """
    unseen_names = _unseen(gold, training_names) if training_names else frozenset()
    documents = []
    unseen, misspelt = [0, 0, 0, 0, 0], [0, 0]
    for gold_document in gold:
        comparison = _Comparison(gold_document, found.get(gold_document.document.doc_id, ()))
        documents.append(comparison.score())
        for mention in comparison.required:
            exact, covered = mention.span in comparison.exact, mention.span in comparison.covered
            if mention.typo:
                misspelt[not exact] += 1
            if _folded(mention.span.cut(gold_document.document.text)) in unseen_names:
                letters, leaked = comparison.letters(mention)
                for place, value in enumerate((1, exact, covered, letters, leaked)):
                    unseen[place] += value
    return DetectionScores(
        tuple(documents),
        UnseenScore(*unseen) if training_names else None,
        Score(misspelt[0], 0, misspelt[1]) if sum(misspelt) else None,
    )


def detection_errors(
    gold: Sequence[GoldDocument], found: Mapping[DocumentId, Sequence[Span]], *, context_length: int = 40
) -> tuple[DetectionError, ...]:
    """Every strict error with up to context_length code points of text on each side."""
    errors: list[DetectionError] = []
    for gold_document in gold:
        document = gold_document.document
        comparison = _Comparison(gold_document, found.get(document.doc_id, ()))

        def error(
            kind: ErrorKind, span: Span, others: tuple[Span, ...], *, text: str, doc_id: DocumentId
        ) -> DetectionError:
            around = text[max(0, span.start - context_length) : span.end + context_length]
            gold_span = None if kind is ErrorKind.FALSE else span
            return DetectionError(kind, doc_id, gold_span, others, span.cut(text), around)

        for mention in comparison.required:
            if mention.span in comparison.exact:
                continue
            touching = tuple(span for span in comparison.found if span.overlaps(mention.span))
            kind = ErrorKind.BOUNDS if touching else ErrorKind.MISSED
            errors.append(error(kind, mention.span, touching, text=document.text, doc_id=document.doc_id))
        errors += [
            error(ErrorKind.FALSE, span, (span,), text=document.text, doc_id=document.doc_id)
            for span in comparison.touching_nothing
        ]
    return tuple(errors)


def write_errors(path: Path, errors: Iterable[DetectionError]) -> None:
    """One JSON object a line, readable by the owner only, because it holds names."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        for error in errors:
            file.write(json.dumps(asdict(error), ensure_ascii=False) + "\n")


class _Comparison:
    """The found spans of one document beside its gold."""

    def __init__(self, gold: GoldDocument, found: Sequence[Span]) -> None:
        self._text, self._doc_id = gold.document.text, gold.document.doc_id
        self._unsure = [m.span for m in gold.mentions if m.unsure]
        self.required: list[GoldMention] = [m for m in gold.mentions if not m.unsure]
        wanted = [span for m in self.required for span in m.accepted]
        self.found = [
            span for span in sorted(set(found))
            if not _touches(span, self._unsure) or _touches(span, wanted)
        ]  # fmt: skip
        found_set = set(self.found)
        self.exact = {m.span for m in self.required if found_set.intersection(m.accepted)}
        self._exact_found = {span for m in self.required for span in m.accepted if span in found_set}
        self._runs = _joined(self.found, self._text)
        self.covered = {
            m.span for m in self.required
            if any(run.contains(span) for span in m.accepted for run in self._runs)
        }  # fmt: skip
        self.touching_nothing = [span for span in self.found if not _touches(span, wanted)]

    def letters(self, mention: GoldMention) -> tuple[int, int]:
        """Letters and digits of a mention, and those outside every found span; by its kindest alternative."""
        counts = []
        for span in mention.accepted:
            places = [i for i in range(span.start, span.end) if self._text[i].isalnum()]
            leaked = sum(
                not any(f.start <= i < f.end for f in self.found if f.overlaps(span)) for i in places
            )
            counts.append((leaked, len(places)))
        leaked, letters = min(counts)
        return letters, leaked

    def score(self) -> DocumentScore:
        letters = [self.letters(mention) for mention in self.required]
        covered_spans = [m.span for m in self.required if m.span in self.covered]
        relaxed_right = sum(_touches(span, covered_spans) for span in self.found)
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
            Score(len(self.covered), len(self.found) - relaxed_right, relaxed_missed),
            token,
            true_negatives,
            len(self.touching_nothing),
            sum(count for count, _ in letters),
            sum(leaked for _, leaked in letters),
            *sentences,
        )

    def _token_score(self) -> tuple[Score, int, int]:
        gold_spans = [m.span for m in self.required]
        counts = {(g, f): 0 for g in (True, False) for f in (True, False)}
        words = 0
        for match in _TOKEN.finditer(self._text):
            words += 1
            token = Span(match.start(), match.end())
            if not _touches(token, self._unsure):
                counts[_touches(token, gold_spans), _touches(token, self.found)] += 1
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
        covered_spans = [m.span for m in self.required if m.span in self.covered]
        wrong_relaxed = {number_of(m.span) for m in self.required if m.span not in self.covered}
        wrong_relaxed |= {number_of(span) for span in self.found if not _touches(span, covered_spans)}
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


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.overlaps(other) for other in others)


def _joined(spans: Sequence[Span], text: str) -> list[Span]:
    """Runs of found spans with nothing but blanks between them; spans are sorted."""
    runs: list[Span] = []
    for span in spans:
        if runs and not text[runs[-1].end : span.start].strip():
            runs[-1] = Span(runs[-1].start, max(runs[-1].end, span.end))
        else:
            runs.append(span)
    return runs


def _unseen(gold: Sequence[GoldDocument], training_names: Collection[str]) -> frozenset[str]:
    surfaces = sorted(
        {_folded(m.span.cut(g.document.text)) for g in gold for m in g.mentions if not m.unsure}
    )
    known = sorted({_folded(name) for name in training_names})
    best = np.zeros(len(surfaces), dtype=np.float32)
    for start in range(0, len(known), 20_000):  # in pieces, so that the matrix stays small
        scores = process.cdist(
            surfaces,
            known[start : start + 20_000],
            scorer=fuzz.ratio,
            dtype=np.float32,
            score_cutoff=UNSEEN_RATIO,
        )
        best = np.maximum(best, scores.max(axis=1))
    return frozenset(surface for surface, ratio in zip(surfaces, best, strict=True) if ratio < UNSEEN_RATIO)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _sum(scores: Iterable[Score]) -> Score:
    total = Score(0, 0, 0)
    for score in scores:
        total = Score(
            total.true_positives + score.true_positives,
            total.false_positives + score.false_positives,
            total.false_negatives + score.false_negatives,
        )
    return total
