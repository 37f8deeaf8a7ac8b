"""Scores of linkage of one gold set: its marked people, linked document by document, beside who is who."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from language_scores.gold_sets import GoldSet
from linkage.evaluation.gold_linking import JudgedLinker, Normalizer, link_gold
from linkage.evaluation.intervals import Interval, bootstrap
from linkage.evaluation.linkage import LinkageScores, PrecisionRecall
from linkage.evaluation.scores import share


@dataclass(frozen=True, slots=True)
class LinkingScores:
    """Scores of one set, in [0, 1]. The F1 of B-cubed has an interval over the documents.

    mentions: those that count, of these documents.
    """

    name: str
    documents: int
    mentions: int
    pairwise: PrecisionRecall
    b_cubed: PrecisionRecall
    b_cubed_f1: Interval

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; they hold no name."""
        return asdict(self)


def linking_scores_of(gold: GoldSet, normalize: Normalizer, linker: JudgedLinker) -> LinkingScores:
    """The scores of a set whose marked people are given to the linker: what is not found counts nowhere."""
    each = [link_gold([one], normalize, linker).scores() for one in gold.documents]
    told = [scores for scores in each if scores.mentions]
    whole = link_gold(gold.documents, normalize, linker).scores()
    return LinkingScores(
        gold.name, len(told), whole.mentions, whole.pairwise, whole.b_cubed, bootstrap(told, _b_cubed_f1)
    )  # fmt: skip


def _b_cubed_f1(documents: Sequence[LinkageScores]) -> float:
    """B-cubed is a mean over mentions, so a document weighs as many as it has."""
    mentions = sum(one.mentions for one in documents)
    precision = math.fsum(one.b_cubed.precision * one.mentions for one in documents)
    recall = math.fsum(one.b_cubed.recall * one.mentions for one in documents)
    return PrecisionRecall(share(precision, mentions), share(recall, mentions)).f1
