"""Scores of detection of all kinds: by kind, by category, and without a kind; letters leaked; sentences."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from linkage.evaluation.confusion import Confusion
from linkage.evaluation.kind_comparison import (
    FoundSpan,
    KindComparison,
    Leak,
    compare_kinds,
)
from linkage.evaluation.marked import PERSON, GoldDocument
from linkage.evaluation.schemes import Scheme
from linkage.evaluation.scores import Score, share, summed
from linkage.evaluation.span_comparison import SentenceScore, SpanComparison
from linkage.evaluation.unseen import UnseenScore, unseen_surfaces
from linkage.records import DocumentId

Surfaces = Mapping[str, Collection[str]]  # by label, the surfaces of a training gold


@dataclass(frozen=True, slots=True)
class GroupScore:
    """Scores of one label or category over all documents; words are runs of letters and digits."""

    name: str
    strict: Score
    relaxed: Score
    token: Score
    tokens_true_negative: int
    found: int
    letters: Leak
    unseen: UnseenScore | None = None

    @property
    def marks(self) -> int:
        """Gold mentions that are required."""
        return self.strict.true_positives + self.strict.false_negatives

    @property
    def specificity(self) -> float:
        """Share of the words outside the gold mentions that were left alone."""
        return share(self.tokens_true_negative, self.tokens_true_negative + self.token.false_positives)

    def as_dict(self) -> dict[str, Any]:
        return {
            "marks": self.marks,
            "found": self.found,
            "strict": self.strict.as_dict(),
            "relaxed": self.relaxed.as_dict(),
            "token": {**self.token.as_dict(), "specificity": self.specificity},
            **_leak_dict(self.letters),
            "unseen": None if self.unseen is None else self.unseen.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class KindScores:
    """Scores over all documents; holds no text of a document.

    labels, categories: those with a gold mention or a found span. leaks: by what was counted, such as
    "direct", the letters of those mentions.
    """

    scheme: str
    documents: int
    words: int
    labels: tuple[GroupScore, ...]
    categories: tuple[GroupScore, ...]
    binary: GroupScore
    sentences: SentenceScore
    leaks: Mapping[str, Leak]
    confusion: Confusion = field(repr=False)

    def micro(self, level: str, counted: str) -> Score:
        """Summed counts of a level (kind, category, binary), counted strict, relaxed or by token."""
        groups = {"kind": self.labels, "category": self.categories, "binary": (self.binary,)}[level]
        return summed(getattr(group, counted) for group in groups)

    def macro(self, counted: str) -> dict[str, float]:
        """Means over the labels with a gold mention, each label counted once."""
        marked = [getattr(group, counted) for group in self.labels if group.marks]
        rates = [(s.precision, s.recall, s.f_beta(1), s.f_beta(2)) for s in marked]
        means = [fmean(column) for column in zip(*rates, strict=True)] if rates else [0.0] * 4
        return dict(zip(("precision", "recall", "f1", "f2"), means, strict=True))

    def unseen(self) -> UnseenScore | None:
        """Unseen mentions of all labels together; None without a training gold."""
        parts = [group.unseen for group in self.labels if group.unseen is not None]
        return sum(parts, UnseenScore()) if parts else None

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        levels = ("binary", "category", "kind")
        unseen = self.unseen()
        return {
            "scheme": self.scheme,
            "documents": self.documents,
            "words": self.words,
            "marks": self.binary.marks,
            "entity": {level: self.micro(level, "strict").as_dict() for level in levels},
            "entity_relaxed": {level: self.micro(level, "relaxed").as_dict() for level in levels},
            "token": {level: self.micro(level, "token").as_dict() for level in levels},
            "macro": {way: self.macro(way) for way in ("strict", "relaxed", "token")},
            "specificity": self.binary.specificity,
            "sentence": self.sentences.shares() | asdict(self.sentences),
            "letters_leaked": {name: _leak_dict(leak) for name, leak in self.leaks.items()},
            "unseen": None if unseen is None else unseen.as_dict(),
            "by_kind": {group.name: group.as_dict() for group in self.labels},
            "by_category": {group.name: group.as_dict() for group in self.categories},
            "confusion": self.confusion.as_dict(),
        }


def evaluate_kinds(
    gold: Sequence[GoldDocument],
    found: Mapping[DocumentId, Sequence[FoundSpan]],
    scheme: Scheme,
    *,
    training: Surfaces | None = None,
) -> KindScores:
    """Score the found spans of all kinds of each gold document; a document that is not in found has none.

    Documents and kinds are left out as compare_kinds says.
    """
    comparisons = compare_kinds(gold, found, scheme)
    tally = _Tally(comparisons.scheme, training, [one.gold for one in comparisons.documents])
    for comparison in comparisons.documents:
        tally.add(comparison)
    return tally.scores(len(comparisons.documents))


class _Tally:
    """Sums over documents."""

    def __init__(self, scheme: Scheme, training: Surfaces | None, gold: Iterable[GoldDocument]) -> None:
        self._scheme = scheme
        self._unseen_in = None if training is None else _unseen(gold, scheme, training)
        self._labels: dict[str, _GroupTally] = defaultdict(_GroupTally)
        self._categories: dict[str, _GroupTally] = defaultdict(_GroupTally)
        self._binary = _GroupTally()
        self._sentences = SentenceScore()
        self._leaks = {name: Leak() for name in ("all", "direct", "direct_without_person")}
        self._confusion = Confusion()
        self._words = 0

    def add(self, comparison: KindComparison) -> None:
        scheme = self._scheme
        self._words += len(comparison.words)
        for tallies, groups in (
            (self._labels, comparison.by_label), (self._categories, comparison.by_category()),
        ):  # fmt: skip
            for name, group in groups.items():
                tallies[name].add(group, comparison)
        self._binary.add(comparison.binary, comparison)
        for name, tally in self._labels.items():
            tally.leak += comparison.leak({kind for kind in comparison.kinds if scheme.label(kind) == name})
        direct = {kind for kind in comparison.kinds if scheme.is_direct(kind)}
        self._leaks["all"] += comparison.leak({k for k in comparison.kinds if scheme.label(k) is not None})
        self._leaks["direct"] += comparison.leak(direct)
        self._leaks["direct_without_person"] += comparison.leak(direct - {PERSON})
        self._sentences += comparison.sentences()
        self._confusion += comparison.confusion()
        if self._unseen_in is not None:
            for name, group in comparison.by_label.items():
                self._labels[name].unseen += group.unseen(self._unseen_in[name])

    def scores(self, documents: int) -> KindScores:
        has_unseen = self._unseen_in is not None
        order = {label: number for number, label in enumerate(self._scheme.labels)}
        names = sorted(self._labels, key=lambda name: (order.get(name, len(order)), name))
        return KindScores(
            self._scheme.name,
            documents,
            self._words,
            tuple(self._labels[name].score(name, self._words, has_unseen=has_unseen) for name in names),
            tuple(
                self._categories[name].score(name, self._words, has_unseen=False)
                for name in sorted(self._categories)
            ),
            self._binary.score("any", self._words, has_unseen=False),
            self._sentences,
            dict(self._leaks),
            self._confusion,
        )


class _GroupTally:
    """Sums of one label or category."""

    def __init__(self) -> None:
        self._scores: list[tuple[Score, Score, Score]] = []
        self._true_negatives = self._words = self._found = 0
        self.leak = Leak()
        self.unseen = UnseenScore()

    def add(self, group: SpanComparison, comparison: KindComparison) -> None:
        token, true_negatives = group.token_score(comparison.words)
        self._scores.append((group.strict, group.relaxed, token))
        self._true_negatives += true_negatives
        self._words += len(comparison.words)
        self._found += len(group.found)

    def score(self, name: str, words: int, *, has_unseen: bool) -> GroupScore:
        """words: those of all documents; in documents that this group is not in, all are left alone."""
        return GroupScore(
            name,
            summed(strict for strict, _, _ in self._scores),
            summed(relaxed for _, relaxed, _ in self._scores),
            summed(token for _, _, token in self._scores),
            self._true_negatives + words - self._words,
            self._found,
            self.leak,
            self.unseen if has_unseen else None,
        )


def _unseen(gold: Iterable[GoldDocument], scheme: Scheme, training: Surfaces) -> dict[str, frozenset[str]]:
    """By label, the folded surfaces that are unlike every training surface of the label."""
    own = surfaces_of(gold, scheme)
    unseen = {label: unseen_surfaces(found, training.get(label, ())) for label, found in own.items()}
    return defaultdict(frozenset, unseen)


def surfaces_of(gold: Iterable[GoldDocument], scheme: Scheme) -> dict[str, set[str]]:
    """By label, the surfaces of the mentions of gold."""
    surfaces: dict[str, set[str]] = defaultdict(set)
    for document in gold:
        for mark in (*document.mentions, *(document.identifiers or ())):
            surface = mark.span.cut(document.document.text)
            if (label := scheme.label(scheme.part(mark.kind, surface))) is not None:
                surfaces[label].add(surface)
    return surfaces


def _leak_dict(leak: Leak) -> dict[str, float]:
    return {
        "letters": leak.letters,
        "leaked": leak.leaked,
        "leaked_share": share(leak.leaked, leak.letters),
        "left": leak.left,
        "left_share": share(leak.left, leak.letters),
    }
