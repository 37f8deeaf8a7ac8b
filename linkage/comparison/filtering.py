"""A quick look at blocked pairs: most are told apart by a few numbers, and only the rest get a vector.

A pair is dropped only if what both names have speaks against it: surnames, or given names, whose learned
vectors point apart and that the lexicon does not have together, or initials of which none is in common. Names
that may have been turned round are kept.
"""

from functools import cached_property
from zlib import crc32

import numpy as np
import numpy.typing as npt

from linkage.comparison.forms import FormTable
from linkage.comparison.lexicon import LexiconRelations
from linkage.comparison.words import Floats, Integers

Booleans = npt.NDArray[np.bool_]

SURNAME_FROM = 0.15  # cosine below which two surnames are not worth comparing
GIVEN_FROM = 0.15
SAME_SURNAME_FROM = 0.5  # cosine from which two surnames are one, in its place
TURNED_FROM = 0.6  # share of bigrams from which names may be one in another order
_CHUNK = 50_000  # pairs at a time, so that what is gathered stays in the cache


class QuickLook:
    """Per-form numbers for the filter; texts are not kept."""

    def __init__(
        self,
        forms: FormTable,
        given_vectors: Floats,
        surname_vectors: Floats,
        relations: LexiconRelations | None,
    ) -> None:
        """relations: what the lexicon says of the given names."""
        self._forms = forms
        self._given_vectors, self._surname_vectors = given_vectors, surname_vectors
        self._relations = relations

    def worth_comparing(self, left: Integers, right: Integers) -> Booleans:
        kept = np.empty(len(left), dtype=bool)
        for start in range(0, len(left), _CHUNK):
            part = slice(start, start + _CHUNK)
            kept[part] = self._look(left[part], right[part])
        return kept

    def _look(self, left: Integers, right: Integers) -> Booleans:
        forms = self._forms
        kept = np.ones(len(left), dtype=bool)
        both_given = forms.has_given[left] & forms.has_given[right]
        rows = np.flatnonzero(both_given)
        if len(rows):
            kept[rows] = self._given_alike(left[rows], right[rows])
        rows = np.flatnonzero(~both_given & self._has_forename[left] & self._has_forename[right])
        if len(rows):  # a form with only initials has no more to show
            kept[rows] = (self._initials[left[rows]] & self._initials[right[rows]]) != 0
        rows = np.flatnonzero(kept & forms.has_surname[left] & forms.has_surname[right])
        if len(rows):
            kept[rows] = self._surname_cosines(left[rows], right[rows]) >= SURNAME_FROM
        rows = np.flatnonzero(~kept)
        if len(rows):
            rows = rows[self._maybe_turned(left[rows], right[rows])]
            kept[rows] = True
            # Two full names with one surname are in the same order: only their given names differ.
            rows = rows[both_given[rows] & forms.has_surname[left[rows]] & forms.has_surname[right[rows]]]
            kept[rows] = self._surname_cosines(left[rows], right[rows]) < SAME_SURNAME_FROM
        return kept

    def _surname_cosines(self, left: Integers, right: Integers) -> Floats:
        return _most_alike(self._forms.surnames, self._surname_count, self._surname_vectors, left, right)

    def _given_alike(self, left: Integers, right: Integers) -> Booleans:
        """Whether the vectors of any two given names point one way, or the lexicon has any two together."""
        slots = self._forms.given
        alike = _most_alike(slots, self._given_count, self._given_vectors, left, right) >= GIVEN_FROM
        if self._relations is None:
            return alike
        rows = np.flatnonzero(~alike)
        alike[rows] = self._relations.related(slots[left[rows], 0], slots[right[rows], 0])
        rows = rows[~alike[rows]]
        rows = rows[(self._given_count[left[rows]] > 1) | (self._given_count[right[rows]] > 1)]
        for i in range(slots.shape[1]):
            for j in range(slots.shape[1]):
                words, others = slots[left[rows], i], slots[right[rows], j]
                at = np.flatnonzero((words >= 0) & (others >= 0))
                if (i or j) and len(at):
                    alike[rows[at]] |= self._relations.related(words[at], others[at])
        return alike

    def _maybe_turned(self, left: Integers, right: Integers) -> Booleans:
        common = np.bitwise_count(self._bigrams[left] & self._bigrams[right])
        fewer = np.minimum(self._bigram_counts[left], self._bigram_counts[right])
        return np.asarray(common >= TURNED_FROM * fewer, dtype=bool) & (fewer > 0)

    @cached_property
    def _initials(self) -> npt.NDArray[np.uint64]:
        """Bits of the initials, and of the first letters of all given names and call names."""
        codes = self._forms.initials
        bits = np.zeros(len(codes), dtype=np.uint64)
        for column in range(codes.shape[1]):
            bits |= _letter_bit(codes[:, column])
        first = self._forms.given_words.first_letter
        for column in range(self._forms.given.shape[1]):
            slot = self._forms.given[:, column]
            bits |= np.where(slot >= 0, _letter_bit(first[slot]) if len(first) else 0, 0).astype(np.uint64)
        return bits

    @cached_property
    def _has_forename(self) -> Booleans:
        return np.asarray(self._initials != 0, dtype=bool)

    @cached_property
    def _given_count(self) -> Integers:
        return np.asarray((self._forms.given >= 0).sum(axis=1), dtype=np.int64)

    @cached_property
    def _surname_count(self) -> Integers:
        return np.asarray((self._forms.surnames >= 0).sum(axis=1), dtype=np.int64)

    @cached_property
    def _bigrams(self) -> npt.NDArray[np.uint64]:
        """64 hashed bits of the bigrams of all words of a form."""
        bits = np.zeros(len(self._forms), dtype=np.uint64)
        for row, text in enumerate(self._forms.sorted_words):
            found = 0
            for word in text.split():
                for i in range(len(word) - 1):
                    found |= 1 << (crc32(word[i : i + 2].encode()) & 63)
            bits[row] = found
        return bits

    @cached_property
    def _bigram_counts(self) -> npt.NDArray[np.uint8]:
        return np.bitwise_count(self._bigrams)


def _letter_bit(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.uint64]:
    """One bit a letter, by its number modulo 64; none for 0."""
    bits = np.uint64(1) << (codes.astype(np.uint64) & np.uint64(63))
    return np.where(codes > 0, bits, np.uint64(0))


def _most_alike(
    slots: Integers, counts: Integers, vectors: Floats, left: Integers, right: Integers
) -> Floats:
    """Cosine of the most alike words of two forms that have at least one each."""
    best = np.einsum("ij,ij->i", vectors[slots[left, 0]], vectors[slots[right, 0]])
    rows = np.flatnonzero((counts[left] > 1) | (counts[right] > 1))
    if len(rows):
        a, b = left[rows], right[rows]
        most = best[rows]
        for i in range(slots.shape[1]):
            for j in range(slots.shape[1]):
                if i or j:
                    at = np.flatnonzero((slots[a, i] >= 0) & (slots[b, j] >= 0))
                    if len(at):
                        cosines = np.einsum("ij,ij->i", vectors[slots[a[at], i]], vectors[slots[b[at], j]])
                        most[at] = np.maximum(most[at], cosines)
        best[rows] = most
    return np.asarray(best, dtype=np.float32)
