"""Scores of one gold set: people, core kinds, letters of people, organizations and places; with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from language_scores.gold_sets import GoldSet
from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.intervals import Interval, bootstrap
from linkage.evaluation.kind_comparison import FoundSpan, compare_kinds, people_of
from linkage.evaluation.schemes import Scheme, scheme_of
from linkage.evaluation.scores import Score, share, summed
from linkage.evaluation.span_comparison import DocumentScore, SpanComparison
from linkage.kinds import Kinds
from linkage.records import DocumentId

CORE = "core"
FINANCIAL = "financial"
# The labels whose letters German financial documents are scored by.
NAMES_OF_LETTERS = ("PER", "ORG", "LOC")

Found = Mapping[DocumentId, Sequence[FoundSpan]]


@dataclass(frozen=True, slots=True)
class LanguageScores:
    """Scores of one set. core_f1 and the letters are None where the gold marks people alone.

    core: by label of the core kinds, its scores over all documents.
    """

    name: str
    documents: int
    mentions: int
    precision: Interval
    recall: Interval
    f1: Interval
    leaked: Interval
    core_f1: Interval | None = None
    letters_recall: Interval | None = None
    letters_precision: Interval | None = None
    core: Mapping[str, Score] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        core = {label: score.as_dict() for label, score in (self.core or {}).items()}
        return {**asdict(self), "core": core or None}


def scores_of(gold: GoldSet, found: Found, kinds: Kinds) -> LanguageScores:
    """The scores of what was found in the documents of a set, with intervals over its documents."""
    people = evaluate_detection(gold.documents, people_of(found))
    documents = people.documents

    def strict(parts: Sequence[DocumentScore]) -> Score:
        return summed(part.strict for part in parts)

    def leaked(parts: Sequence[DocumentScore]) -> float:
        return share(sum(part.letters_leaked for part in parts), sum(part.letters for part in parts))

    told = LanguageScores(
        gold.name, len(documents), sum(part.gold_mentions for part in documents),
        bootstrap(documents, lambda parts: strict(parts).precision),
        bootstrap(documents, lambda parts: strict(parts).recall),
        bootstrap(documents, lambda parts: strict(parts).f_beta(1)),
        bootstrap(documents, leaked),
    )  # fmt: skip
    return _with_kinds(told, gold, found, kinds) if gold.has_kinds else told


def _with_kinds(told: LanguageScores, gold: GoldSet, found: Found, kinds: Kinds) -> LanguageScores:
    core = [one.by_label for one in compare_kinds(gold.documents, found, scheme_of(kinds, CORE)).documents]
    labels = sorted({label for by_label in core for label in by_label})
    return LanguageScores(
        told.name, told.documents, told.mentions, told.precision, told.recall, told.f1, told.leaked,
        bootstrap([summed(c.strict for c in one.values()) for one in core], lambda s: summed(s).f_beta(1)),
        *_letters(gold, found, scheme_of(kinds, FINANCIAL)),
        {label: summed(one[label].strict for one in core if label in one) for label in labels},
    )  # fmt: skip


def _letters(gold: GoldSet, found: Found, scheme: Scheme) -> tuple[Interval, Interval]:
    """Recall and precision by letters of the labels NAMES_OF_LETTERS, each letter under its label."""
    counts = [
        summed(_letter_score(c, one.text) for label, c in one.by_label.items() if label in NAMES_OF_LETTERS)
        for one in compare_kinds(gold.documents, found, scheme.only(NAMES_OF_LETTERS)).documents
    ]
    return (
        bootstrap(counts, lambda parts: summed(parts).recall),
        bootstrap(counts, lambda parts: summed(parts).precision),
    )


def _letter_score(comparison: SpanComparison, text: str) -> Score:
    """Letters and digits that are marked and found, found alone, marked alone."""
    marked, found = (
        {place for span in spans for place in range(span.start, span.end) if text[place].isalnum()}
        for spans in ([m.span for m in comparison.required], comparison.found)
    )
    return Score(len(marked & found), len(found - marked), len(marked - found))
