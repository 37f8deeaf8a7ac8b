"""Features of two words, given names or surnames; float32, NaN where nothing is known.

All are symmetric: the order of the two names never matters. Similarities lie in [0, 1], 1 = equal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, Hamming, Jaro, JaroWinkler, LCSseq, Levenshtein, Postfix, Prefix

from linkage.comparison.lexicon import LexiconRelations
from linkage.comparison.words import NAN, Bits, Floats, Integers, Strings, WordTable, chosen, similarity


@dataclass(frozen=True, slots=True)
class WordKnowledge:
    """What is known of the words of one table beyond their letters; each array has one row a word.

    vectors: learned embedding, length 1. gender: 0 unknown, 1 female, 2 male, 3 both. rarity: -log10 of the
    share of people who bear it, NaN unknown. relations: None for surnames.
    """

    vectors: Floats
    gender: npt.NDArray[np.int8]
    rarity: Floats
    relations: LexiconRelations | None


class WordPairs:
    """Pairs of words of one table, as row numbers."""

    def __init__(self, table: WordTable, knowledge: WordKnowledge, left: Integers, right: Integers) -> None:
        self.table, self.knowledge = table, knowledge
        self.left, self.right = left, right

    def similarity(self, keys: Strings, scorer: Callable[..., float]) -> Floats:
        """A rapidfuzz similarity of two keys, as it is given."""
        return similarity(keys, self.left, self.right, scorer)

    @cached_property
    def common_bigrams(self) -> Floats:
        return _common(self.table.bigrams, self.left, self.right)

    @cached_property
    def bigram_counts(self) -> Floats:
        return _counts(self.table.bigrams)


def _common(bits: Bits, left: Integers, right: Integers) -> Floats:
    return _counts(bits[left] & bits[right])


def _counts(bits: Bits) -> Floats:
    return np.asarray(np.bitwise_count(bits).sum(axis=1), dtype=np.float32)


WordFeature = Callable[[WordPairs], Floats]


def levenshtein(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.texts, Levenshtein.normalized_similarity)


def jaro_winkler(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.texts, JaroWinkler.similarity)


def jaccard(pairs: WordPairs) -> Floats:
    """Shared bigrams among all bigrams, the word set between marks."""
    counts = pairs.bigram_counts
    either = counts[pairs.left] + counts[pairs.right] - pairs.common_bigrams
    return np.asarray(pairs.common_bigrams / either, dtype=np.float32)


def cosine(pairs: WordPairs) -> Floats:
    """Cosine of the trigram sets (Ochiai)."""
    counts = _counts(pairs.table.trigrams)
    norm = np.sqrt(counts[pairs.left] * counts[pairs.right])
    common = _common(pairs.table.trigrams, pairs.left, pairs.right)
    return np.asarray(common / np.maximum(norm, np.float32(1)), dtype=np.float32)


def phonetic(pairs: WordPairs) -> Floats:
    """1 - Hamming distance of the Metaphone codes over the longer code."""
    return pairs.similarity(pairs.table.metaphone, Hamming.normalized_similarity)


def partial_ratio(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.texts, fuzz.partial_ratio) / np.float32(100)


def osa(pairs: WordPairs) -> Floats:
    """Optimal string alignment: neighbouring letters that changed places count once."""
    return pairs.similarity(pairs.table.texts, OSA.normalized_similarity)


def common_subsequence(pairs: WordPairs) -> Floats:
    """Longest common subsequence over the shorter word."""
    return _over_shorter(pairs, LCSseq.similarity)


def prefix(pairs: WordPairs) -> Floats:
    return _over_shorter(pairs, Prefix.similarity)


def suffix(pairs: WordPairs) -> Floats:
    return _over_shorter(pairs, Postfix.similarity)


def _over_shorter(pairs: WordPairs, scorer: Callable[..., Any]) -> Floats:
    length = pairs.table.length
    shared = similarity(pairs.table.texts, pairs.left, pairs.right, scorer)
    shorter = np.maximum(np.minimum(length[pairs.left], length[pairs.right]), np.float32(1))
    return np.asarray(shared / shorter, dtype=np.float32)


def spelling_key(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.spelling, Levenshtein.normalized_similarity)


def stem(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.stem, JaroWinkler.similarity)


def root(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.root, Levenshtein.normalized_similarity)


def skeleton(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.skeleton, Levenshtein.normalized_similarity)


def double_metaphone(pairs: WordPairs) -> Floats:
    """Best Jaro similarity of any code of one and any code of the other."""
    first, second = pairs.table.double_metaphone
    best = similarity(first, pairs.left, pairs.right, Jaro.similarity)
    other = (first[pairs.left] != second[pairs.left]) | (first[pairs.right] != second[pairs.right])
    rows = np.flatnonzero(other)
    if len(rows):
        left, right = pairs.left[rows], pairs.right[rows]
        for mine, theirs in ((first, second), (second, first), (second, second)):
            scores = process.cpdist(mine[left], theirs[right], scorer=Jaro.similarity, dtype=np.float32)
            best[rows] = np.maximum(best[rows], scores)
    return best


def cologne(pairs: WordPairs) -> Floats:
    return pairs.similarity(pairs.table.cologne, Levenshtein.normalized_similarity)


def embedding(pairs: WordPairs) -> Floats:
    """Cosine of the learned vectors, -1 to 1."""
    vectors = pairs.knowledge.vectors
    return np.asarray(np.einsum("ij,ij->i", vectors[pairs.left], vectors[pairs.right]), dtype=np.float32)


def first_letter(pairs: WordPairs) -> Floats:
    letters = pairs.table.first_letter
    return np.asarray(letters[pairs.left] == letters[pairs.right], dtype=np.float32)


def shorter_length(pairs: WordPairs) -> Floats:
    return np.minimum(pairs.table.length[pairs.left], pairs.table.length[pairs.right])


def length_difference(pairs: WordPairs) -> Floats:
    length = pairs.table.length
    return np.asarray(np.abs(length[pairs.left] - length[pairs.right]), dtype=np.float32)


def gender(pairs: WordPairs) -> Floats:
    """1 same gender, 0 other gender, 0.5 if a name is for both; NaN if the lists do not know one."""
    codes = pairs.knowledge.gender
    left, right = codes[pairs.left], codes[pairs.right]
    agreement = chosen((left == 3) | (right == 3), np.float32(0.5), (left == right).astype(np.float32))
    return chosen((left == 0) | (right == 0), NAN, agreement)


def look_alike(pairs: WordPairs) -> Floats:
    """Similarity of the letters as they are drawn: how text recognition may have misread one."""
    return pairs.similarity(pairs.table.look_alike, Levenshtein.normalized_similarity)


def rarity(pairs: WordPairs) -> Floats:
    """-log10 of the share of people with the commoner of the two; NaN if neither is known."""
    values = pairs.knowledge.rarity
    return np.fmin(values[pairs.left], values[pairs.right])


def rarity_difference(pairs: WordPairs) -> Floats:
    """How much rarer one is than the other: a misspelt name looks rarer than any; NaN if one is unknown."""
    values = pairs.knowledge.rarity
    return np.asarray(np.abs(values[pairs.left] - values[pairs.right]), dtype=np.float32)


def lexicon(pairs: WordPairs) -> Floats:
    """1 listed as variants, 0.5 short forms of one full form, 0 both known and apart, NaN unknown."""
    relations = _relations(pairs)
    listed, shared = relations.listed(pairs.left, pairs.right), relations.shared(pairs.left, pairs.right)
    value = chosen(listed > 0, np.float32(1), chosen(shared > 0, np.float32(0.5), np.float32(0)))
    known = relations.known[pairs.left] & relations.known[pairs.right]
    return chosen(known | (value > 0), value, NAN)


def lexicon_kind(pairs: WordPairs) -> Floats:
    """1 spelling, 2 diminutive, 3 nickname, 4 form of another language; NaN if not listed."""
    kinds = _relations(pairs).listed(pairs.left, pairs.right)
    return chosen(kinds > 0, kinds, NAN)


def full_forms(pairs: WordPairs) -> Floats:
    """How many full forms the more ambiguous of two related names has; NaN if not related."""
    relations = _relations(pairs)
    related = relations.listed(pairs.left, pairs.right) + relations.shared(pairs.left, pairs.right) > 0
    most = np.maximum(relations.full_forms[pairs.left], relations.full_forms[pairs.right])
    return chosen(related, most, NAN)


def shared_forms(pairs: WordPairs) -> Floats:
    """How many full forms two short forms share; NaN if none or listed."""
    shared = _relations(pairs).shared(pairs.left, pairs.right)
    return chosen(shared > 0, shared, NAN)


def _relations(pairs: WordPairs) -> LexiconRelations:
    if pairs.knowledge.relations is None:
        raise TypeError("surnames have no variant lexicon")
    return pairs.knowledge.relations


_LETTER_FEATURES: Mapping[str, WordFeature] = {
    "levenshtein": levenshtein, "jaro_winkler": jaro_winkler, "jaccard": jaccard, "cosine": cosine,
    "phonetic": phonetic, "partial_ratio": partial_ratio, "osa": osa,
    "common_subsequence": common_subsequence,
    "prefix": prefix, "suffix": suffix, "spelling_key": spelling_key, "root": root, "skeleton": skeleton,
    "double_metaphone": double_metaphone, "cologne": cologne, "embedding": embedding,
    "shorter_length": shorter_length, "length_difference": length_difference,
}  # fmt: skip
GIVEN_FEATURES: Mapping[str, WordFeature] = {
    **_LETTER_FEATURES, "stem": stem, "first_letter": first_letter, "gender": gender, "lexicon": lexicon,
    "lexicon_kind": lexicon_kind, "full_forms": full_forms, "shared_forms": shared_forms,
}  # fmt: skip
SURNAME_FEATURES: Mapping[str, WordFeature] = {
    **_LETTER_FEATURES, "rarity": rarity, "rarity_difference": rarity_difference,
    "look_alike": look_alike,
}  # fmt: skip
