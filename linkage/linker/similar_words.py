"""Words of one kind, such as the surnames of known people, found by those that look or sound like them."""

from collections import defaultdict
from collections.abc import Iterator
from zlib import crc32

import numpy as np
import numpy.typing as npt

from linkage.blocking import deletion_keys
from linkage.blocking.keys import sound_key

# Of the words that came last, whose keys are in a dictionary; 100,000 keys of it take 20 MB, in columns 1 MB.
_MOST_FRESH = 4_000
_sound_of = sound_key.__wrapped__  # not kept: a word may be that of a person who is erased later


class SimilarWords:
    """A set of folded words. The keys are those of blocking: the sound, and the letters with one left out."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._words: list[str] = []
        self._settled = 0  # so many words have their keys in the columns
        self._hashes: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._owners: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._fresh: defaultdict[int, list[int]] = defaultdict(list)
        self._looked_up = 0  # so many words have their keys in the columns or in fresh

    def __len__(self) -> int:
        return len(self._words)

    def add(self, word: str) -> None:
        if word not in self._numbers:
            self._numbers[word] = len(self._words)
            self._words.append(word)

    def like(self, word: str) -> set[str]:
        """The words that share a key with this one, and the word itself."""
        self._look_up()
        found: set[int] = set()
        keys = _keys_of(word)
        for key in keys:
            found.update(self._fresh.get(key, ()))
        if self._settled:
            # Of the column's own type: numpy would copy the column for each number of another.
            wanted = np.fromiter(keys, np.uint32, len(keys))
            first, after = (self._hashes.searchsorted(wanted, side) for side in ("left", "right"))
            for start, end in zip(first.tolist(), after.tolist(), strict=True):
                found.update(self._owners[start:end].tolist())
        return {word, *(self._words[number] for number in found)}

    def _look_up(self) -> None:
        """Give the words that came since the last look their keys."""
        if len(self._words) - self._settled > _MOST_FRESH:
            self._settle()
        for number in range(self._looked_up, len(self._words)):
            for key in _keys_of(self._words[number]):
                self._fresh[key].append(number)
        self._looked_up = len(self._words)

    def _settle(self) -> None:
        fresh = range(self._settled, len(self._words))
        keys = [_keys_of(self._words[number]) for number in fresh]
        hashes = np.fromiter((key for found in keys for key in found), np.uint32)
        owners = np.repeat(np.asarray(fresh, np.uint32), [len(found) for found in keys])
        hashes, owners = np.concatenate((self._hashes, hashes)), np.concatenate((self._owners, owners))
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]
        self._settled = self._looked_up = len(self._words)
        self._fresh.clear()


def _keys_of(word: str) -> set[int]:
    return {crc32(text.encode("utf-8", "surrogatepass")) for text in _texts(word)}


def _texts(word: str) -> Iterator[str]:
    yield f"s{_sound_of(word)}"
    for left in deletion_keys(word):
        yield f"d{left}"
