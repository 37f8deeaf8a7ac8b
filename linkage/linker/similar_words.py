"""Words of one kind, such as the surnames of known people, found by those that look or sound like them."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from linkage.blocking.key_hashes import hashed_keys

# Of the words that came last, whose keys are in a dictionary; 100,000 keys of it take 20 MB, in columns 1 MB.
_MOST_FRESH = 4_000


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
        wanted, _ = hashed_keys([word])
        found = {number for key in wanted.tolist() for number in self._fresh.get(key, ())}
        if self._settled:
            first, after = (self._hashes.searchsorted(wanted, side) for side in ("left", "right"))
            for start, end in zip(first.tolist(), after.tolist(), strict=True):
                found.update(self._owners[start:end].tolist())
        return {word, *(self._words[number] for number in found)}

    def _look_up(self) -> None:
        """Give the words that came since the last look their keys."""
        if len(self._words) - self._settled > _MOST_FRESH:
            self._settle()
        if new := self._words[self._looked_up :]:
            hashes, owners = hashed_keys(new)
            for key, owner in zip(hashes.tolist(), owners.tolist(), strict=True):
                self._fresh[key].append(self._looked_up + owner)
            self._looked_up = len(self._words)

    def _settle(self) -> None:
        hashes, owners = hashed_keys(self._words[self._settled :])
        hashes = np.concatenate((self._hashes, hashes))
        owners = np.concatenate((self._owners, owners + np.uint32(self._settled)))
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]
        self._settled = self._looked_up = len(self._words)
        self._fresh.clear()
