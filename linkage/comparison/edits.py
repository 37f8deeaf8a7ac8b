"""How one name is made of another: learned log-odds of edits at its beginning, inside and at its end.

The shorter of two names is aligned with the longer one (Levenshtein). What stays and what changes, with the
letters beside it, are features; each has a learned weight: the log-odds of this edit between forms of one
name against other pairs of names. Nothing here knows a language: which endings come and go is in the weights.
The file holds numbers by hash of a feature, no name.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self
from zlib import crc32

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from linkage.comparison.tables import read_weights
from linkage.comparison.words import Floats

BUCKETS: Final = 1 << 17  # of hashed features; about 200,000 distinct ones train
_PLACES: Final = ("begin", "middle", "end", "whole")  # where an edit stands; whole: not one edit, but all
_LONGEST_SHARED: Final = 5  # letters that stay, counted up to this
_ENDS: Final = (1, 2, 3)  # letters of both ends that are looked at together
_VOWELS: Final = frozenset("aeiouy")  # of the Latin script

# The columns of EditWeights.scores, in order.
EDIT_SCORES: Final = ("edit_odds", *(f"edit_{place}" for place in _PLACES), "edit_worst")


def edit_features(left: str, right: str) -> list[tuple[int, int]]:
    """Bucket and place (its number in begin, middle, end, whole) of each feature of two words.

    The order of the two never matters.
    """
    short, long = sorted((left, right), key=lambda word: (len(word), word))
    found: dict[int, int] = {}
    for place, text in _features(short, long):
        found.setdefault(crc32(text.encode()) % BUCKETS, place)
    return sorted(found.items())


def _features(short: str, long: str) -> Iterator[tuple[int, str]]:
    pattern: list[str] = []
    for stays, i, j, k, m in _blocks(short, long):
        opens, closes = i == 0 and k == 0, j == len(short) and m == len(long)
        mark = ("b" if opens else "") + ("e" if closes else "") or "m"
        place = 3 if opens and closes else 0 if opens else 2 if closes else 1
        mine, theirs = short[i:j], long[k:m]
        if stays:
            yield place, f"={mark}{min(j - i, _LONGEST_SHARED)}"
            yield place, f"=={mark}{mine}"
            yield place, f"=s{mark}{_shape(mine)}"
            pattern.append(f"{mark}{min(j - i, 3)}")
            continue
        before = short[i - 1] if i else "<"
        after = short[j] if j < len(short) else ">"
        change = f"{mine}/{theirs}"
        yield place, f"x{mark}{change}"
        yield place, f"y{change}"
        yield place, f"z{mark}{before}{change}{after}"
        yield place, f"l{mark}{before}{change}"
        yield place, f"r{mark}{change}{after}"
        yield place, f"s{mark}{_shape(mine)}/{_shape(theirs)}"
        yield place, f"n{mark}{len(mine)}/{len(theirs)}"
        pattern.append(f"{mark}{min(len(mine), 2)}{min(len(theirs), 3)}")
    yield 3, "p" + "|".join(pattern)
    yield from _ends(short, long)


def _ends(short: str, long: str) -> Iterator[tuple[int, str]]:
    """Features of what differs behind the common beginning, and before the common end; of both ends."""
    prefix = _common(short, long)
    suffix = _common(short[::-1], long[::-1])
    behind = f"{short[prefix:]}/{long[prefix:]}"
    yield 2, f"P{behind}"
    yield 2, f"p{min(prefix, 6)}{behind}"
    yield 0, f"S{short[: len(short) - suffix]}/{long[: len(long) - suffix]}"
    yield 3, f"p#{prefix}/{len(short)}/{len(long)}"
    yield 3, f"s#{suffix}/{len(short)}/{len(long)}"
    for count in _ENDS:
        yield 2, f"e{count}{short[-count:]}/{long[-count:]}"
        yield 0, f"h{count}{short[:count]}/{long[:count]}"


def _blocks(short: str, long: str) -> Iterator[tuple[bool, int, int, int, int]]:
    """Blocks that stay and blocks that change by turns, as places in both; changes side by side are one."""
    changed: tuple[int, int, int, int] | None = None
    for step in Levenshtein.opcodes(short, long):
        at = (step.src_start, step.src_end, step.dest_start, step.dest_end)
        if step.tag != "equal":
            changed = at if changed is None else (changed[0], at[1], changed[2], at[3])
            continue
        if changed is not None:
            yield False, *changed
            changed = None
        yield True, *at
    if changed is not None:
        yield False, *changed


def _common(one: str, other: str) -> int:
    """How many letters two words have in common from their beginning."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return at
    return min(len(one), len(other))


def _shape(letters: str) -> str:
    return "".join("V" if letter in _VOWELS else "C" for letter in letters)


class EditTable:
    """Features of pairs of words as flat arrays: bucket and place of each, and where the next pair begins."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        rows = [edit_features(left, right) for left, right in pairs]
        self.starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        flat = np.array([feature for row in rows for feature in row], dtype=np.int64).reshape(-1, 2)
        self.buckets, self.places = flat[:, 0].astype(np.int32), flat[:, 1].astype(np.int8)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} pairs)"

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def shares(self) -> Floats:
        """The count of each feature: one over the root of the number of features of its pair."""
        counts = np.diff(self.starts)
        return np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts).astype(np.float32)


class EditWeights:
    """The learned weight of each bucket, float32 of length BUCKETS, and the log-odds without any feature."""

    def __init__(self, weights: Floats, base: float) -> None:
        self._weights, self._base = weights, base

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the weights: an .npz with int8 "codes", and float32 "scale" and "base" of length 1.

        Raises:
            ModelNotFoundError: if the file is not there.
            ModelDamagedError: if it is no such table.
        """
        return cls(*read_weights(path, what="edits of names"))

    def save(self, path: Path) -> None:
        """Write the weights with one byte a number."""
        codes, scale = self._coded()
        base = np.array([self._base], dtype=np.float32)
        np.savez_compressed(path, codes=codes, scale=np.array([scale], dtype=np.float32), base=base)

    def rounded(self) -> Self:
        """The weights as load reads them from what save wrote, so that what is trained on is what is used."""
        codes, scale = self._coded()
        return type(self)(codes.astype(np.float32) * np.float32(scale), float(np.float32(self._base)))

    def _coded(self) -> tuple[npt.NDArray[np.int8], float]:
        scale = float(np.float32(np.abs(self._weights).max() / 127 + np.finfo(np.float32).tiny))
        codes: npt.NDArray[np.int8] = np.round(self._weights / scale).astype(np.int8)
        return codes, scale

    def scores(self, table: EditTable) -> Floats:
        """Log-odds of pairs, shape (n_pairs, 6), columns as in EDIT_SCORES: in all, the part of the edits at
        each place, and the lowest that any single feature adds.
        """
        found = np.zeros((len(table), len(EDIT_SCORES)), dtype=np.float32)
        added = self._weights[table.buckets] * table.shares
        rows = np.repeat(np.arange(len(table)), np.diff(table.starts))
        for place in range(len(_PLACES)):
            here = table.places == place
            found[:, 1 + place] = np.bincount(rows[here], weights=added[here], minlength=len(table))
        found[:, 0] = found[:, 1:-1].sum(axis=1) + np.float32(self._base)
        if len(table):
            found[:, -1] = np.minimum.reduceat(added, table.starts[:-1])
        return found
