"""What the variant lexicon says about pairs of given names, as sorted arrays for many look-ups at once."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt

from linkage.comparison.words import name_letters

KINDS = ("spelling", "diminutive", "nickname", "form")
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
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
    form); known: whether the lexicon has the word at all; related: whether a pair is listed or shares a form.
    """

    def __init__(
        self, words: Sequence[str], knowledge: VariantKnowledge, *, hidden: Collection[str] = ()
    ) -> None:
        row_of = {word: row for row, word in enumerate(words)}
        self._size = max(len(words), 1)
        self.full_forms = np.zeros(len(words), dtype=np.float32)
        self.known = np.zeros(len(words), dtype=bool)
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
            for variant in variants:
                other = row_of.get(name_letters(variant.name))
                if other is not None and other != row and words[other] not in hidden:
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
        self._related_keys = np.sort(np.concatenate([self._listed_keys, self._shared_keys]))
        # A bit a hashed pair, so sparse that most pairs are seen at once to be strangers.
        self._hash_bits = min(24, max(10, (16 * len(self._related_keys)).bit_length()))
        self._may_be_related = np.zeros(1 << self._hash_bits, dtype=bool)
        self._may_be_related[self._hashed(self._related_keys)] = True

    def listed(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Kind as 1-4, 0 where not listed."""
        return _look_up(self._keys(left, right), self._listed_keys, self._listed_kinds)

    def shared(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return _look_up(self._keys(left, right), self._shared_keys, self._shared_counts)

    def related(self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        keys = self._keys(left, right)
        found = self._may_be_related[self._hashed(keys)]
        rows = np.flatnonzero(found)
        if len(rows):
            places = np.searchsorted(self._related_keys, keys[rows])
            places = np.minimum(places, len(self._related_keys) - 1)
            found[rows] = self._related_keys[places] == keys[rows]
        return np.asarray(found, dtype=bool)

    def _hashed(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Places in the table of hashed pairs (Fibonacci hashing: Knuth, TAOCP 3, 6.4)."""
        return (keys.astype(np.uint64) * _GOLDEN) >> np.uint64(64 - self._hash_bits)

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
