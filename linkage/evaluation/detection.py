"""Scores of detection: found spans against gold spans.

A span that overlaps an unsure gold mention is left out of every count, and so is that gold mention.
strict: the found span is the gold span, or one of its alternatives. relaxed: the gold span lies inside one
found span, or inside found spans with nothing but blanks between them; a found span is then right if it
overlaps such a gold span.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from linkage.evaluation.gold import GoldDocument
from linkage.evaluation.scores import Distribution, Score, share, summed
from linkage.evaluation.span_comparison import DocumentScore, SentenceScore, SpanComparison
from linkage.evaluation.unseen import UNSEEN_RATIO as UNSEEN_RATIO
from linkage.evaluation.unseen import UnseenScore, unseen_surfaces
from linkage.records import DocumentId, Span


@dataclass(frozen=True, slots=True)
class DetectionScores:
    """Scores over all documents, each with its own; holds no name."""

    documents: tuple[DocumentScore, ...] = field(repr=False)
    unseen: UnseenScore | None = None
    typos: Score | None = None

    @property
    def strict(self) -> Score:
        return summed(d.strict for d in self.documents)

    @property
    def relaxed(self) -> Score:
        return summed(d.relaxed for d in self.documents)

    @property
    def token(self) -> Score:
        return summed(d.token for d in self.documents)

    @property
    def specificity(self) -> float:
        """Share of the words outside names that were left alone."""
        true_negatives = sum(d.tokens_true_negative for d in self.documents)
        return share(true_negatives, true_negatives + self.token.false_positives)

    @property
    def letters_leaked(self) -> float:
        """Share of the letters and digits of the names that no found span covers."""
        return share(sum(d.letters_leaked for d in self.documents), sum(d.letters for d in self.documents))

    @property
    def words(self) -> int:
        return sum(d.words for d in self.documents)

    @property
    def false_spans_per_1000_words(self) -> float:
        """Found spans that touch no name, per 1,000 words; names found with wrong bounds do not count."""
        return 1000 * share(sum(d.false_spans for d in self.documents), self.words)

    @property
    def sentences(self) -> SentenceScore:
        return sum((d.sentences for d in self.documents), SentenceScore())

    def f1_of_documents(self) -> list[float]:
        """Strict F1 of each document that has a gold mention."""
        return [d.strict.f_beta(1) for d in self.documents if d.gold_mentions]

    def leaks_of_documents(self) -> list[float]:
        """Share of the letters of names left open, of each document that has a gold mention."""
        return [share(d.letters_leaked, d.letters) for d in self.documents if d.gold_mentions]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: counts, rates, distribution over documents, one row a document.

        Documents go by their place in the gold, from 1: an id may hold a name.
        """
        with_names = [d for d in self.documents if d.gold_mentions]
        strict_false, sentences = self.strict.false_positives, self.sentences.shares()
        return {
            "documents": len(self.documents),
            "words": self.words,
            "gold_mentions": sum(d.gold_mentions for d in self.documents),
            "found_mentions": sum(d.found_mentions for d in self.documents),
            "strict": self.strict.as_dict(),
            "relaxed": self.relaxed.as_dict(),
            "token": {**self.token.as_dict(), "specificity": self.specificity},
            "sentence": {
                "strict": sentences["strict_share"],
                "relaxed": sentences["relaxed_share"],
                "strict_with_names": sentences["strict_with_marks_share"],
                "relaxed_with_names": sentences["relaxed_with_marks_share"],
            },
            "letters_leaked": self.letters_leaked,
            "false_spans_per_1000_words": self.false_spans_per_1000_words,
            "inexact_or_false_spans_per_1000_words": 1000 * share(strict_false, self.words),
            "misspelt": None if self.typos is None else {
                "mentions": self.typos.true_positives + self.typos.false_negatives,
                "found_strict": self.typos.true_positives, "recall_strict": self.typos.recall,
            },
            "unseen_names": None if self.unseen is None else self.unseen.as_dict(),
            "per_document": {
                "f1": asdict(Distribution.of(self.f1_of_documents())),
                "letters_leaked": asdict(Distribution.of(self.leaks_of_documents())),
                "without_leak": share(sum(d.letters_leaked == 0 for d in with_names), len(with_names)),
            },
            "by_document": [
                {
                    "document": place, "gold_mentions": d.gold_mentions, "found_mentions": d.found_mentions,
                    "f1": d.strict.f_beta(1), "letters_leaked": share(d.letters_leaked, d.letters),
                    "false_spans": d.false_spans,
                }
                for place, d in enumerate(self.documents, start=1)
            ],
        }  # fmt: skip


def evaluate_detection(
    gold: Sequence[GoldDocument],
    found: Mapping[DocumentId, Sequence[Span]],
    *,
    training_names: Collection[str] = (),
) -> DetectionScores:
    """Score the found spans of each gold document; a document that is not in found has none.

    With training_names, the names the detector was trained on, unseen names are scored apart.
    """
    surfaces = {m.span.cut(g.document.text) for g in gold for m in g.mentions if not m.unsure}
    unseen_names = unseen_surfaces(surfaces, training_names) if training_names else frozenset()
    documents = []
    unseen, misspelt = UnseenScore(), Score()
    for gold_document in gold:
        comparison = SpanComparison(gold_document, found.get(gold_document.document.doc_id, ()))
        documents.append(comparison.score())
        unseen += comparison.unseen(unseen_names)
        for mention in comparison.required:
            if mention.typo:
                exact = mention.span in comparison.exact
                misspelt += Score(true_positives=exact, false_negatives=not exact)
    return DetectionScores(
        tuple(documents), unseen if training_names else None, None if misspelt == Score() else misspelt
    )
