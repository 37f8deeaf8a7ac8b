"""What the variant lexicon says about pairs of given names, as sorted arrays for many look-ups at once."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from linkage.comparison.words import name_letters

KINDS = ("spelling", "diminutive", "nickname", "form")
_LARGEST_FAMILY = 400  # short forms of one full form; larger groups would only be noise


class ListedVariant(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...


class VariantKnowledge(Protocol):
    """What is asked of the gazetteer."""

    def variants(self, text: str) -> Sequence[ListedVariant]: ...

    def full_forms(self, text: str) -> Sequence[str]: ...


class LexiconRelations:
    """Relations between the words of one table.

    listed: kind of a listed pair as 1-4 in the order of KINDS; shared: number of full forms that two words
    have in common without being listed; full_forms: number of full forms of each word (0: it is none's short
    form); known: whether the lexicon has the word at all; families: hashed bits of the full forms of each
    word and of the pairs it is listed in, so that related words have a bit in common.
    """

    def __init__(
        self, words: Sequence[str], knowledge: VariantKnowledge, *, hidden: Collection[str] = ()
    ) -> None:
        row_of = {word: row for row, word in enumerate(words)}
        self._size = max(len(words), 1)
        self.full_forms = np.zeros(len(words), dtype=np.float32)
        self.known = np.zeros(len(words), dtype=bool)
        self.families = np.zeros(len(words), dtype=np.uint64)
        listed: dict[int, int] = {}
        members: dict[str, list[int]] = defaultdict(list)
        for word, row in row_of.items():
            variants = () if word in hidden else knowledge.variants(word)
            if not variants:
                continue
            self.known[row] = True
            full = {name_letters(name) for name in knowledge.full_forms(word)}
            self.full_forms[row] = len(full)
            forms = {name_letters(v.name) for v in variants if v.kind in ("form", "spelling")}
            for head in {word} | full | forms:
                members[head].append(row)
                self.families[row] |= np.uint64(1 << (crc32(head.encode()) & 63))
            for variant in variants:
                other = row_of.get(name_letters(variant.name))
                if other is not None and other != row and words[other] not in hidden:
                    bit = np.uint64(1 << (crc32(f"{min(row, other)}:{max(row, other)}".encode()) & 63))
                    self.families[row] |= bit
                    self.families[other] |= bit
                    key = min(row, other) * self._size + max(row, other)
                    kind = KINDS.index(variant.kind) + 1 if variant.kind in KINDS else len(KINDS)
                    listed[key] = min(kind, listed.get(key, kind))
        shared: dict[int, int] = defaultdict(int)
        for rows in members.values():
            if len(rows) <= _LARGEST_FAMILY:
                for left, right in combinations(sorted(set(rows)), 2):
                    shared[left * self._size + right] += 1
        self._listed_keys, self._listed_kinds = _sorted(listed)
        self._shared_keys, self._shared_counts = _sorted({k: n for k, n in shared.items() if k not in listed})

    def listed(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Kind as 1-4, 0 where not listed."""
        return _look_up(self._keys(left, right), self._listed_keys, self._listed_kinds)

    def shared(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return _look_up(self._keys(left, right), self._shared_keys, self._shared_counts)

    def _keys(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.minimum(left, right) * self._size + np.maximum(left, right)


def _sorted(values: dict[int, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    keys = np.array(sorted(values), dtype=np.int64)
    return keys, np.array([values[int(key)] for key in keys], dtype=np.float32)


def _look_up(
    wanted: npt.NDArray[np.int64], keys: npt.NDArray[np.int64], values: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.float32)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], np.float32(0))
