"""Typing errors inside one document: how likely two words that differ by few letters are one name."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum, IntEnum, auto
from itertools import combinations

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

DENSE_FROM = 1_000  # distinct family names of a document: fewer leave little likeness to chance
_FARTHEST = 3
_SHORTEST = 3
_ROWS_AT_ONCE = 2_000
_VOWELS = frozenset("aeiouy")


class Currency(IntEnum):
    """How current a word is as a name."""

    UNKNOWN = 0
    LISTED = 1
    COMMON = 2


class Slip(Enum):
    """What one edit does to a word; some are what fingers do, some are how one name becomes another."""

    SWAP = auto()
    DOUBLE = auto()  # a letter doubled, or one of two left out
    VOWEL = auto()  # a vowel left out or put in
    OTHER = auto()  # another letter, a consonant left out, an ending: Sem and Sam, Ionel and Ionela


def slip_of(left: str, right: str) -> Slip:
    """The kind of the one edit by which two words differ."""
    if len(left) == len(right):
        return Slip.SWAP if sorted(left) == sorted(right) else Slip.OTHER
    shorter, longer = sorted((left, right), key=len)
    place = next((i for i, letter in enumerate(shorter) if letter != longer[i]), len(shorter))
    added = longer[place]
    if added in (longer[place - 1 : place], longer[place + 1 : place + 2]):
        return Slip.DOUBLE
    return Slip.VOWEL if added in _VOWELS and place < len(shorter) else Slip.OTHER


def typing_errors(
    words: Collection[str],
    currency: Callable[[str], Currency],
    counts: Mapping[str, int] | None = None,
) -> dict[str, dict[str, float]]:
    """word -> other word -> probability that one is the other misspelt; symmetric, without unlikely pairs.

    Distance is optimal string alignment: an insertion, deletion, substitution or swap counts 1. counts says
    how often the document has each word: an error is seldom made twice.
    """
    times = counts or {}
    ordered: Sequence[str] = sorted(word for word in words if len(word) >= _SHORTEST)
    lengths = np.array([len(word) for word in ordered], dtype=np.int64)
    found: dict[str, dict[str, float]] = {}
    for start in range(0, len(ordered), _ROWS_AT_ONCE):
        rows = ordered[start : start + _ROWS_AT_ONCE]
        distances = process.cdist(rows, ordered, scorer=OSA.distance, score_cutoff=_FARTHEST, dtype=np.uint8)
        for row, column in _near_enough(distances, lengths[start : start + _ROWS_AT_ONCE], lengths):
            left, right = rows[row], ordered[column]
            if left < right:
                length = max(len(left), len(right))
                lower = min(currency(left), currency(right))
                distance = int(distances[row, column])
                slip = slip_of(left, right) if distance == 1 else None
                probability = error_probability(length, distance, lower, slip)
                if slip is Slip.OTHER and min(times.get(left, 1), times.get(right, 1)) > 1:
                    probability *= _BOTH_AGAIN
                if probability > 0:
                    found.setdefault(left, {})[right] = probability
                    found.setdefault(right, {})[left] = probability
    for alike in _misread(ordered):
        for left, right in combinations(alike, 2):
            for a, b in ((left, right), (right, left)):
                near_a = found.setdefault(a, {})
                near_a[b] = max(near_a.get(b, 0.0), _MISREAD_PROBABILITY)
    return found


def _near_enough(
    distances: npt.NDArray[np.uint8], of_rows: npt.NDArray[np.int64], of_columns: npt.NDArray[np.int64]
) -> Iterator[tuple[int, int]]:
    """(row, column) of the pairs of words that may have a probability above 0, by distance and lengths.

    of_rows, of_columns: lengths of the words.
    """
    rows, columns = np.nonzero((distances > 0) & (distances <= _FARTHEST))
    longer = np.maximum(of_rows[rows], of_columns[columns])
    kept = longer >= _LEAST_LENGTHS[distances[rows, columns]]
    return zip(rows[kept].tolist(), columns[kept].tolist(), strict=True)


_MISREAD_PROBABILITY = 0.9
_GLYPHS = (("rn", "m"), ("vv", "w"), ("ss", "b"), ("0", "o"), ("1", "l"), ("5", "s"), ("8", "b"), ("|", "l"))


def _misread(words: Sequence[str]) -> list[list[str]]:
    """Words that are equal once glyphs that text recognition mistakes for each other are made one."""
    by_look: dict[str, list[str]] = {}
    for word in words:
        look = word
        for seen, meant in _GLYPHS:
            look = look.replace(seen, meant)
        by_look.setdefault(look, []).append(word)
    return [alike for alike in by_look.values() if len(alike) > 1]


# Distance -> letters of the longer word from which this holds -> probability by the currency of the less
# current word. Shares of such pairs of words in office-train that mean one person, rounded.
_SHARES = {
    1: {3: (0.85, 0.85, 0.05), 4: (0.92, 0.92, 0.50), 5: (0.96, 0.96, 0.75)},
    2: {6: (0.65, 0.20, 0.20), 8: (0.80, 0.40, 0.40), 10: (0.90, 0.50, 0.50)},
    3: {10: (0.55, 0.0, 0.0)},
}
# The same for one edit that makes another name as often as an error, in words that a list has.
_OTHER_SHARES = {3: (0.85, 0.70, 0.05), 4: (0.92, 0.75, 0.35), 5: (0.96, 0.80, 0.45)}
_BOTH_AGAIN = 0.5
# Distance -> letters of the longer word below which _SHARES has nothing; of distance 0 there are no pairs.
_LEAST_LENGTHS = np.array([0, *(min(_SHARES[distance]) for distance in range(1, _FARTHEST + 1))])


def error_probability(
    length: int, distance: int, lower_currency: Currency, slip: Slip | None = None
) -> float:
    """Probability in [0, 1] that two words of one document are one name; 0.0 where too far for their length.

    length is that of the longer word; lower_currency that of the less current one; slip, where distance is
    1 and it is known, the kind of the edit.
    """
    probability = 0.0
    shares = _OTHER_SHARES if slip is Slip.OTHER else _SHARES.get(distance, {})
    for least, by_currency in shares.items():
        if length >= least:
            probability = by_currency[lower_currency]
    return probability
