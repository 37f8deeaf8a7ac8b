"""The choice of the probability from which on a span is a name, by a written rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linkage.evaluation.detection import DetectionScores
from linkage.training.numbers import numbers

_DRAWS = 4_000

Counts = npt.NDArray[np.float64]  # shape (..., 5): right, false, missed mentions; letters leaked, letters


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen acceptance, the quartiles of the draws, and each acceptance's worth on all documents."""

    acceptance: float
    quartiles: tuple[float, float]
    worths: Mapping[float, float]


def choose_acceptance(
    scored: Mapping[float, DetectionScores], stories: Sequence[str], *, seed: int
) -> Choice:
    """The mean of the acceptances that are best on many draws of the stories, with replacement.

    The worth is F1 + F2 of the exact spans minus twice the share of letters leaked: a missed name is the
    worst fault. Near the best one acceptances differ by less than other texts would make them differ, so
    that the best on these very documents is chance, and the median of the draws still leaps; their mean
    hardly moves. Of those that were scored the nearest to it is taken, the lower of two. scored:
    acceptance -> scores of the same documents; stories: that of each document.
    """
    acceptances = np.array(sorted(scored))
    numbers = {story: number for number, story in enumerate(sorted(set(stories)))}
    counts = np.zeros((len(acceptances), len(numbers), 5))
    for row, acceptance in enumerate(acceptances.tolist()):
        for story, one in zip(stories, scored[acceptance].documents, strict=True):
            strict = one.strict
            counts[row, numbers[story]] += (
                strict.true_positives, strict.false_positives, strict.false_negatives,
                one.letters_leaked, one.letters,
            )  # fmt: skip
    draws = np.random.default_rng(seed).multinomial(
        len(numbers), np.full(len(numbers), 1 / len(numbers)), size=_DRAWS
    )
    # The lowest of equals is the best: it leaks least.
    best = acceptances[_worth(np.einsum("ds,asc->adc", draws, counts)).argmax(axis=0)]
    nearest = acceptances[np.abs(acceptances - best.mean()).argmin()]
    low, high = np.quantile(best, [1 / 4, 3 / 4], method="lower").tolist()
    worths = _worth(counts.sum(axis=1)).tolist()
    return Choice(float(nearest), (low, high), dict(zip(acceptances.tolist(), worths, strict=True)))


def _worth(counts: Counts) -> Counts:
    right, false, missed, leaked, letters = np.moveaxis(counts, -1, 0)

    def f_beta(beta: float) -> Counts:
        weighted = (1 + beta**2) * right
        return np.asarray(weighted / np.maximum(weighted + beta**2 * missed + false, 1))

    return np.asarray(
        f_beta(1) + f_beta(2) - numbers("decision")["leaked_counts"] * leaked / np.maximum(letters, 1)
    )
