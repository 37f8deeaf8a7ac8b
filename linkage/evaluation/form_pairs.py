"""Pairs of name forms that gold judges, and how well probabilities of such pairs agree with it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from linkage.evaluation.gold import GoldDocument, gold_mentions
from linkage.evaluation.linkage import (
    EVERY_TWENTIETH,
    Calibration,
    ThresholdPoint,
    calibration,
    precision_recall_over_thresholds,
)


@dataclass(frozen=True, slots=True)
class FormPairs:
    """Pairs of different forms of one document, in order, with the truth about each."""

    pairs: tuple[tuple[str, str], ...] = field(repr=False)
    is_match: tuple[bool, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.pairs)


def form_pairs(gold: Iterable[GoldDocument]) -> FormPairs:
    """Every two different forms that one document has, once a document.

    Forms that differ in case or blanks alone are one. A form that stands for two people of its document is
    left out: its pairs have no one truth. So are the mentions that do not count in scores of linkage.
    """
    pairs: list[tuple[str, str]] = []
    is_match: list[bool] = []
    for document in gold:
        mentions, entities = gold_mentions(document)
        surface_of: dict[str, str] = {}
        people_of: dict[str, set[str]] = defaultdict(set)
        for mention in mentions:
            if mention.mention_id in entities:
                form = " ".join(mention.surface.casefold().split())
                surface_of.setdefault(form, mention.surface)
                people_of[form].add(entities[mention.mention_id])
        plain = sorted(form for form, people in people_of.items() if len(people) == 1)
        for left, right in combinations(plain, 2):
            pairs.append((surface_of[left], surface_of[right]))
            is_match.append(people_of[left] == people_of[right])
    return FormPairs(tuple(pairs), tuple(is_match))


@dataclass(frozen=True, slots=True)
class PairScores:
    """How far the probabilities of judged pairs can be believed; holds no name."""

    pairs: int
    matches: int
    calibration: Calibration
    thresholds: tuple[ThresholdPoint, ...]
    link_threshold: float
    review_threshold: float

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "pairs": self.pairs,
            "matches": self.matches,
            "calibration": self.calibration.as_dict(),
            "thresholds": [asdict(point) for point in self.thresholds],
            "link_threshold": self.link_threshold,
            "review_threshold": self.review_threshold,
        }


def score_pairs(
    probabilities: Sequence[float] | npt.NDArray[np.float64],
    is_match: Sequence[bool],
    *,
    link_threshold: float,
    review_threshold: float,
) -> PairScores:
    """Calibration of the probabilities, and precision and recall from .05 to .95 and at both thresholds.

    Raises:
        GoldFormatError: as calibration does.
    """
    thresholds = sorted({*EVERY_TWENTIETH, link_threshold, review_threshold})
    return PairScores(
        len(is_match),
        sum(is_match),
        calibration(probabilities, is_match),
        precision_recall_over_thresholds(probabilities, is_match, thresholds=thresholds),
        link_threshold,
        review_threshold,
    )
