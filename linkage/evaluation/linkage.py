"""Scores of linkage: pairwise, B-cubed and CEAF-e over clusters; calibration and thresholds over pairs."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from linkage.errors import GoldFormatError

EVERY_TWENTIETH = tuple(step / 20 for step in range(1, 20))
_MentionT = TypeVar("_MentionT", bound=Hashable)
_Sizes: TypeAlias = Mapping[Hashable, int]
_Overlaps: TypeAlias = Mapping[tuple[Hashable, Hashable], int]


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Both in [0, 1]; 1.0 where there is nothing to be wrong about."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_dict(self) -> dict[str, float]:
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True, slots=True)
class LinkageScores:
    """How well one partition of mentions agrees with the gold one."""

    mentions: int
    gold_clusters: int
    found_clusters: int
    pairwise: PrecisionRecall
    b_cubed: PrecisionRecall
    ceaf_e: PrecisionRecall

    def as_dict(self) -> dict[str, object]:
        """Plain numbers for JSON; holds no names."""
        return {
            "mentions": self.mentions,
            "gold_clusters": self.gold_clusters,
            "found_clusters": self.found_clusters,
            "pairwise": self.pairwise.as_dict(),
            "b_cubed": self.b_cubed.as_dict(),
            "ceaf_e": self.ceaf_e.as_dict(),
        }


def evaluate_linkage(
    gold: Mapping[_MentionT, Hashable], found: Mapping[_MentionT, Hashable]
) -> LinkageScores:
    """Compare two partitions of the same mentions, each given as the cluster of every mention.

    For scores within documents make the document a part of both cluster labels. Pairwise counts pairs of
    mentions in one cluster; B-cubed averages over mentions (Bagga and Baldwin 1998); CEAF-e aligns clusters
    one to one by the phi-4 similarity (Luo 2005, doi:10.3115/1220575.1220579).

    Raises:
        GoldFormatError: if the two do not hold the same mentions.
    """
    if gold.keys() != found.keys():
        raise GoldFormatError(
            f"{len(gold.keys() - found.keys())} gold mentions have no identity and "
            f"{len(found.keys() - gold.keys())} found ones no gold entity; evaluate on the mentions both hold"
        )
    gold_sizes = Counter(gold.values())
    found_sizes = Counter(found.values())
    overlaps = Counter((gold[mention], found[mention]) for mention in gold)
    return LinkageScores(
        mentions=len(gold),
        gold_clusters=len(gold_sizes),
        found_clusters=len(found_sizes),
        pairwise=_pairwise(gold_sizes, found_sizes, overlaps),
        b_cubed=_b_cubed(gold_sizes, found_sizes, overlaps),
        ceaf_e=_ceaf_e(gold_sizes, found_sizes, overlaps),
    )


def _pairwise(gold_sizes: _Sizes, found_sizes: _Sizes, overlaps: _Overlaps) -> PrecisionRecall:
    both = sum(math.comb(n, 2) for n in overlaps.values())
    claimed = sum(math.comb(n, 2) for n in found_sizes.values())
    true = sum(math.comb(n, 2) for n in gold_sizes.values())
    return PrecisionRecall(both / claimed if claimed else 1.0, both / true if true else 1.0)


def _b_cubed(gold_sizes: _Sizes, found_sizes: _Sizes, overlaps: _Overlaps) -> PrecisionRecall:
    mentions = sum(gold_sizes.values())
    if not mentions:
        return PrecisionRecall(1.0, 1.0)
    precision = math.fsum(n * n / found_sizes[f] for (_, f), n in overlaps.items()) / mentions
    recall = math.fsum(n * n / gold_sizes[g] for (g, _), n in overlaps.items()) / mentions
    return PrecisionRecall(precision, recall)


def _ceaf_e(gold_sizes: _Sizes, found_sizes: _Sizes, overlaps: _Overlaps) -> PrecisionRecall:
    if not gold_sizes:
        return PrecisionRecall(1.0, 1.0)
    total = math.fsum(
        _best_alignment(part, gold_sizes, found_sizes) for part in _connected_parts(overlaps)
    )  # clusters without a common mention have similarity 0, so each connected part is aligned by itself
    return PrecisionRecall(total / len(found_sizes), total / len(gold_sizes))


def _connected_parts(overlaps: _Overlaps) -> list[dict[tuple[Hashable, Hashable], int]]:
    found_of: dict[Hashable, list[Hashable]] = defaultdict(list)
    gold_of: dict[Hashable, list[Hashable]] = defaultdict(list)
    for gold, found in overlaps:
        found_of[gold].append(found)
        gold_of[found].append(gold)
    seen: set[Hashable] = set()
    parts = []
    for start in found_of:
        if start in seen:
            continue
        seen.add(start)
        waiting, part = [start], {}
        while waiting:
            gold = waiting.pop()
            for found in found_of[gold]:
                part[gold, found] = overlaps[gold, found]
                for other in gold_of[found]:
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        parts.append(part)
    return parts


def _best_alignment(part: _Overlaps, gold_sizes: _Sizes, found_sizes: _Sizes) -> float:
    rows = {gold: n for n, gold in enumerate(dict.fromkeys(g for g, _ in part))}
    columns = {found: n for n, found in enumerate(dict.fromkeys(f for _, f in part))}
    similarity = np.zeros((len(rows), len(columns)))
    for (gold, found), n in part.items():
        similarity[rows[gold], columns[found]] = 2 * n / (gold_sizes[gold] + found_sizes[found])
    left, right = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[left, right].sum())


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Pairs whose probability lies in [low, high): how sure we were, and how often we were right."""

    low: float
    high: float
    pairs: int
    mean_probability: float
    match_rate: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """expected_error is the mean gap between probability and match rate, weighted by pairs, in [0, 1]."""

    expected_error: float
    largest_error: float
    brier_score: float
    bins: tuple[ReliabilityBin, ...]

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def calibration(
    probabilities: Sequence[float] | npt.NDArray[np.float64],
    is_match: Sequence[bool] | npt.NDArray[np.bool_],
    *,
    bin_count: int = 10,
) -> Calibration:
    """Expected calibration error over bins of equal width (Naeini et al. 2015); empty bins are left out.

    Raises:
        GoldFormatError: for no pairs, unequal lengths, or a probability outside [0, 1].
    """
    p, truth = _checked(probabilities, is_match)
    which = np.minimum((p * bin_count).astype(np.int64), bin_count - 1)
    bins = []
    for n in range(bin_count):
        inside = which == n
        if inside.any():
            low, high = n / bin_count, (n + 1) / bin_count
            mean, rate = float(p[inside].mean()), float(truth[inside].mean())
            bins.append(ReliabilityBin(low, high, int(inside.sum()), mean, rate))
    gaps = [abs(b.mean_probability - b.match_rate) for b in bins]
    expected = math.fsum(b.pairs * gap for b, gap in zip(bins, gaps, strict=True)) / len(p)
    return Calibration(expected, max(gaps), float(np.mean((p - truth) ** 2)), tuple(bins))


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """Precision and recall over pairs when everything from this probability up is called a link."""

    threshold: float
    precision: float
    recall: float
    links: int


def precision_recall_over_thresholds(
    probabilities: Sequence[float] | npt.NDArray[np.float64],
    is_match: Sequence[bool] | npt.NDArray[np.bool_],
    *,
    thresholds: Sequence[float] = EVERY_TWENTIETH,
) -> tuple[ThresholdPoint, ...]:
    """One point a threshold, in the given order. Precision is 1.0 where nothing is linked.

    Raises:
        GoldFormatError: as calibration does.
    """
    p, truth = _checked(probabilities, is_match)
    matches = int(truth.sum())
    points = []
    for threshold in thresholds:
        linked = p >= threshold
        right, links = int(truth[linked].sum()), int(linked.sum())
        points.append(
            ThresholdPoint(
                threshold, right / links if links else 1.0, right / matches if matches else 1.0, links
            )
        )
    return tuple(points)


def _checked(
    probabilities: Sequence[float] | npt.NDArray[np.float64], is_match: Sequence[bool] | npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    p = np.asarray(probabilities, dtype=np.float64)
    truth = np.asarray(is_match, dtype=np.float64)
    if p.shape != truth.shape or p.ndim != 1 or not len(p):
        raise GoldFormatError(
            f"need as many labels as probabilities and at least one, got {len(p)}, {len(truth)}"
        )
    if not bool(((p >= 0) & (p <= 1)).all()):
        raise GoldFormatError("a probability lies outside [0, 1]")
    return p, truth
