"""Typing errors inside one document: how likely two words that differ by few letters are one name."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

_FARTHEST = 3
_SHORTEST = 3
_ROWS_AT_ONCE = 2_000


def typing_errors(words: Collection[str], is_common: Callable[[str], bool]) -> dict[str, dict[str, float]]:
    """word -> other word -> probability that one is the other misspelt, symmetric; unlikely pairs are left out.

    Distance is optimal string alignment: one insertion, deletion, substitution or swap of neighbours counts 1.
    """
    ordered: Sequence[str] = sorted(word for word in words if len(word) >= _SHORTEST)
    found: dict[str, dict[str, float]] = {}
    for start in range(0, len(ordered), _ROWS_AT_ONCE):
        rows = ordered[start : start + _ROWS_AT_ONCE]
        distances = process.cdist(rows, ordered, scorer=OSA.distance, score_cutoff=_FARTHEST, dtype=np.uint8)
        near = (distances > 0) & (distances <= _FARTHEST)
        for row, column in zip(*(axis.tolist() for axis in np.nonzero(near)), strict=True):
            left, right = rows[row], ordered[column]
            if left > right:
                continue
            both_common = is_common(left) and is_common(right)
            probability = error_probability(left, right, int(distances[row, column]), both_common=both_common)
            if probability > 0:
                found.setdefault(left, {})[right] = probability
                found.setdefault(right, {})[left] = probability
    return found


# Distance -> letters of the longer word from which this holds -> probability where both words are common
# names, and where not. The shares of such pairs in office-train that mean one person, rounded.
_SHARES = {
    1: {3: (0.05, 0.85), 4: (0.50, 0.92), 5: (0.75, 0.96)},
    2: {6: (0.30, 0.60), 8: (0.40, 0.80), 10: (0.50, 0.90)},
    3: {10: (0.0, 0.55)},
}


def error_probability(left: str, right: str, distance: int, *, both_common: bool) -> float:
    """Probability in [0, 1] for two words of one document at this distance; 0.0 where too far for their length."""
    probability = 0.0
    for least, (common, other) in _SHARES.get(distance, {}).items():
        if max(len(left), len(right)) >= least:
            probability = common if both_common else other
    return probability
