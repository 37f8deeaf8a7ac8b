"""In how many distinct parts of names each trigram is: blocking looks for the rarest."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from linkage.blocking import gram_keys

_MOST_FRESH: Final = 1_000  # parts that came last and are counted one by one
_LETTER: Final = np.uint64(21)  # bits of a code point
_Grams = npt.NDArray[np.uint64]  # trigrams, three code points each


class TrigramCounts:
    """Trigrams as gram_keys gives them, counted over distinct parts."""

    def __init__(self) -> None:
        self._parts: dict[str, None] = {}
        self._counted = 0  # so many parts are in the two columns or in fresh
        self._grams: _Grams = np.zeros(0, np.uint64)
        self._counts: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._fresh: Counter[str] = Counter()
        self._settled = 0

    def add(self, part: str) -> None:
        self._parts[part] = None

    def with_parts(self, parts: Collection[str]) -> dict[str, int]:
        """Of each trigram of these parts, in how many parts it is, these among them."""
        self._count()
        found = {part: gram_keys(part) for part in parts}
        grams = list({gram for of_part in found.values() for gram in of_part})
        sizes = dict(zip(grams, self._settled_counts(grams), strict=True))
        for gram in grams:
            sizes[gram] += self._fresh.get(gram, 0)
        for part, of_part in found.items():
            if part not in self._parts:
                for gram in of_part:
                    sizes[gram] += 1
        return sizes

    def _settled_counts(self, grams: Sequence[str]) -> list[int]:
        if not (len(self._grams) and grams):
            return [0] * len(grams)
        wanted = _numbers("".join([gram.ljust(3, "\0") for gram in grams]))[::3]
        places = np.minimum(self._grams.searchsorted(wanted), len(self._grams) - 1)
        there: list[int] = np.where(self._grams[places] == wanted, self._counts[places], 0).tolist()
        return there

    def _count(self) -> None:
        new = len(self._parts) - self._counted
        if not new:
            return
        parts = list(self._parts)[self._settled :] if new > _MOST_FRESH else _last(self._parts, new)
        if new > _MOST_FRESH:
            self._settle(parts)
        else:
            for part in parts:
                self._fresh.update(gram_keys(part))
        self._counted = len(self._parts)

    def _settle(self, parts: Sequence[str]) -> None:
        texts = [f"^{part.replace(' ', '')}$" for part in parts]
        grams = _numbers("".join(texts) + "\0\0")
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        owners = np.repeat(np.arange(len(texts)), lengths)
        # A trigram ends within its part; one that a part has twice counts once.
        ends = np.repeat(np.cumsum(lengths), lengths)
        whole = np.arange(len(owners)) + 2 < ends
        grams, owners = grams[: len(owners)][whole], owners[whole]
        order = np.lexsort((grams, owners))
        grams, owners = grams[order], owners[order]
        once = np.ones(len(grams), np.bool_)
        once[1:] = (grams[1:] != grams[:-1]) | (owners[1:] != owners[:-1])
        found, counts = np.unique(grams[once], return_counts=True)
        every, places = np.unique(np.concatenate((self._grams, found)), return_inverse=True)
        total = np.zeros(len(every), np.int64)
        np.add.at(total, places, np.concatenate((self._counts, counts)))
        self._grams, self._counts = every, total
        self._fresh.clear()
        self._settled = len(self._parts)


def _last(parts: dict[str, None], count: int) -> list[str]:
    return [part for part, _ in zip(reversed(parts), range(count), strict=False)]


def _numbers(text: str) -> _Grams:
    """The trigram that begins at each letter but the last two."""
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    grams: _Grams = (letters[:-2] << (_LETTER + _LETTER)) | (letters[1:-1] << _LETTER) | letters[2:]
    return grams
