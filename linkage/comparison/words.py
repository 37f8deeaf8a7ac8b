"""Distinct name words with everything that comparing them needs, computed once for each.

A word is one given name or one surname as plain letters. Pairs are compared as arrays of row numbers.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any
from zlib import crc32

import jellyfish
import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from linkage.comparison.double_metaphone import double_metaphone
from linkage.comparison.sounds import (
    cologne_code,
    consonant_skeleton,
    diminutive_stem,
    dutch_spelling_key,
    letters,
    look_alike_key,
    root,
)
from linkage.kept_words import remembered
from linkage.records import fold

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Strings = npt.NDArray[np.object_]
Bits = npt.NDArray[np.uint64]
NAN = np.float32(np.nan)

_BIGRAM_BITS = 27 * 27
_TRIGRAM_BITS = 1024  # trigrams are hashed; a name has about ten


@remembered(65_536)
def name_letters(text: str) -> str:
    """A name as plain letters a-z; one in another script keeps its folded characters without spaces."""
    folded = fold(text)
    return letters(folded) or folded.replace(" ", "")


def similarity(keys: Strings, left: Integers, right: Integers, scorer: Callable[..., Any]) -> Floats:
    """A rapidfuzz similarity of the keys of each pair of rows, as it is given."""
    scores = process.cpdist(keys[left], keys[right], scorer=scorer, dtype=np.float32, workers=1)
    return np.asarray(scores, dtype=np.float32)


def chosen(
    condition: npt.NDArray[np.bool_], value: Floats | np.float32, other: Floats | np.float32
) -> Floats:
    """value where the condition holds, other elsewhere."""
    return np.asarray(np.where(condition, value, other), dtype=np.float32)


class WordTable:
    """Distinct words and their keys; row numbers follow the order in which the words were given."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = _strings(texts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} words)"

    def __len__(self) -> int:
        return len(self.texts)

    def _keys(self, function: Callable[[str], str]) -> Strings:
        return _strings([function(text) for text in self.texts])

    @cached_property
    def spelling(self) -> Strings:
        return self._keys(dutch_spelling_key)

    @cached_property
    def stem(self) -> Strings:
        return self._keys(diminutive_stem)

    @cached_property
    def root(self) -> Strings:
        return self._keys(lambda text: dutch_spelling_key(root(text)))

    @cached_property
    def skeleton(self) -> Strings:
        return self._keys(consonant_skeleton)

    @cached_property
    def look_alike(self) -> Strings:
        return self._keys(look_alike_key)

    @cached_property
    def metaphone(self) -> Strings:
        return self._keys(jellyfish.metaphone)

    @cached_property
    def double_metaphone(self) -> tuple[Strings, Strings]:
        codes = [double_metaphone(text) for text in self.texts]
        return _strings([first for first, _ in codes]), _strings([second for _, second in codes])

    @cached_property
    def cologne(self) -> Strings:
        return self._keys(cologne_code)

    @cached_property
    def length(self) -> Floats:
        return np.array([len(text) for text in self.texts], dtype=np.float32)

    @cached_property
    def rank(self) -> Integers:
        """Place of each word in the alphabet."""
        places = np.empty(len(self.texts), dtype=np.int64)
        places[np.argsort(self.texts.astype(str), kind="stable")] = np.arange(len(self.texts))
        return places

    @cached_property
    def first_letter(self) -> npt.NDArray[np.int32]:
        return np.array([ord(text[0]) if text else 0 for text in self.texts], dtype=np.int32)

    @cached_property
    def bigrams(self) -> Bits:
        """One bit a bigram, the word set between marks; exact for a-z."""
        return _bit_rows(
            [[_bigram_bit(a, b) for a, b in pairwise(f"`{text}`")] for text in self.texts], _BIGRAM_BITS
        )

    @cached_property
    def trigrams(self) -> Bits:
        rows = [
            [crc32(f"`{text}`"[i : i + 3].encode()) % _TRIGRAM_BITS for i in range(len(text))]
            for text in self.texts
        ]
        return _bit_rows(rows, _TRIGRAM_BITS)


def _strings(texts: Sequence[str]) -> Strings:
    array = np.empty(len(texts), dtype=object)
    array[:] = list(texts)
    return array


def _bigram_bit(left: str, right: str) -> int:
    # "`" is the character before "a", so that the mark at both ends is 0; other scripts share its code.
    first, second = (ord(c) - 96 if "`" <= c <= "z" else 0 for c in (left, right))
    return first * 27 + second


def _bit_rows(rows: Sequence[Sequence[int]], bits: int) -> Bits:
    table = np.zeros((len(rows), -(-bits // 64)), dtype=np.uint64)
    for row, positions in enumerate(rows):
        for position in positions:
            table[row, position >> 6] |= np.uint64(1 << (position & 63))
    return table
