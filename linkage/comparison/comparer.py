"""Pairs of name forms -> comparison vectors. Forms are prepared once; recurring word pairs compared once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler

from linkage.comparison.embedding import NameEmbedding
from linkage.comparison.features import FEATURES
from linkage.comparison.filtering import QuickLook
from linkage.comparison.form_features import FORM_FEATURES, FormPairs
from linkage.comparison.forms import FormTable
from linkage.comparison.further_names import FurtherNames
from linkage.comparison.lexicon import KINDS, LexiconRelations, VariantKnowledge
from linkage.comparison.rarity import SurnameRarity
from linkage.comparison.word_features import (
    GIVEN_FEATURES,
    SURNAME_FEATURES,
    WordFeature,
    WordKnowledge,
    WordPairs,
)
from linkage.comparison.words import NAN, Floats, Integers
from linkage.records import Gender, PersonName
from linkage.settings import data_directory

_GENDER_CODES = {Gender.FEMALE: 1, Gender.MALE: 2, Gender.BOTH: 3}
_ALIKE = 0.85  # Jaro-Winkler similarity from which two words count as matched
_SAME_VECTOR = 0.55  # the same for the cosine of learned vectors


class ComparisonKnowledge(VariantKnowledge, Protocol):
    """What comparing asks of the gazetteer."""

    def gender(self, text: str) -> Gender | None: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Matched:
    """For each pair of forms: its best word pair (a row, -1 if a form has no word) and the share matched."""

    best: Integers
    left_words: Integers
    right_words: Integers
    share: Floats


class FormComparer:
    """Makes comparison vectors in the order of FEATURES; holds no name but while it compares."""

    def __init__(
        self,
        knowledge: ComparisonKnowledge,
        embedding: NameEmbedding,
        rarity: SurnameRarity,
        *,
        hidden: Collection[str] = (),
    ) -> None:
        """hidden: letters of names that the lexicon is asked to know nothing of, for training and tests."""
        self._knowledge, self._embedding, self._rarity = knowledge, embedding, rarity
        self._hidden = frozenset(hidden)

    @classmethod
    def load(cls, gazetteer: ComparisonKnowledge, directory: Path | None = None) -> Self:
        """With the trained tables from a folder; by default the shipped one.

        Raises:
            ModelNotFoundError, ModelDamagedError: if a table is missing or no table.
        """
        place = directory if directory is not None else data_directory() / "models" / "linkage"
        return cls(
            gazetteer,
            NameEmbedding.load(place / "name_vectors.npz"),
            SurnameRarity.load(place / "surname_rarity.npz"),
        )

    def hiding(self, names: Collection[str]) -> "FormComparer":
        """This comparer with a lexicon that has never heard of these names, given as letters."""
        return FormComparer(self._knowledge, self._embedding, self._rarity, hidden=names)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(FEATURES)

    def prepare(self, names: Sequence[PersonName]) -> "PreparedForms":
        """What comparing needs of each distinct form, computed once."""
        forms = FormTable(names)
        given = list(forms.given_words.texts)
        genders = [self._knowledge.gender(word) for word in given]
        given_knowledge = WordKnowledge(
            vectors=self._embedding.vectors(given),
            gender=np.array([_GENDER_CODES[g] if g is not None else 0 for g in genders], dtype=np.int8),
            rarity=np.full(len(given), NAN, dtype=np.float32),
            relations=LexiconRelations(given, self._knowledge, hidden=self._hidden),
        )
        surnames = list(forms.surname_words.texts)
        surname_knowledge = WordKnowledge(
            vectors=self._embedding.vectors(surnames),
            gender=np.zeros(len(surnames), dtype=np.int8),
            rarity=self._rarity.of(surnames),
            relations=None,
        )
        further_names = FurtherNames(forms, self._knowledge)
        return PreparedForms(forms, given_knowledge, surname_knowledge, further_names)

    def vectors_at(self, known: "PreparedForms", left: Integers, right: Integers) -> Floats:
        """Vectors of pairs of rows, float32 (n_pairs, n_features), NaN where a part cannot be compared."""
        left, right = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
        values = np.empty((len(left), len(FEATURES)), dtype=np.float32)
        forms = known.forms
        given = _match(known.given_pairs, forms.given, left, right, joined=None)
        surname = _match(known.surname_pairs, forms.surnames, left, right, joined=forms.is_joined)
        column = 0
        for features, matched, pairs_of in (
            (GIVEN_FEATURES, given, known.given_pairs),
            (SURNAME_FEATURES, surname, known.surname_pairs),
        ):
            pairs = pairs_of(matched.left_words, matched.right_words)
            values[:, column : column + len(features)] = _word_values(features, pairs)[matched.best]
            column += len(features)
        form_pairs = FormPairs(forms, left, right, given.share, surname.share)
        for function in FORM_FEATURES.values():
            values[:, column] = function(form_pairs)
            column += 1
        return values

    def cheap_filter(self, known: "PreparedForms", left: Integers, right: Integers) -> npt.NDArray[np.bool_]:
        """Which pairs are worth a vector, fast. What it drops is no match, but for rare exceptions."""
        left, right = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
        return known.quick_look.worth_comparing(left, right)

    def vectors(self, left: Sequence[PersonName], right: Sequence[PersonName]) -> Floats:
        """Vectors of pairs of names; names that recur are prepared once."""
        row_of = {name: row for row, name in enumerate(dict.fromkeys([*left, *right]))}
        known = self.prepare(list(row_of))
        rows = (np.array([row_of[name] for name in names], dtype=np.int64) for names in (left, right))
        return self.vectors_at(known, *rows)

    def variant_kinds(self, known: "PreparedForms", left: Integers, right: Integers) -> list[str | None]:
        """How two forms differ, in a word: equal, a kind of the lexicon, initials, part, order or similar."""
        values = dict(zip(FEATURES, self.vectors_at(known, left, right).T, strict=True))
        forms = known.forms
        kinds: list[str | None] = []
        for row, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            kinds.append(_kind(forms.names[a], forms.names[b], {n: float(c[row]) for n, c in values.items()}))
        return kinds

    def partial_ratios(self, known: "PreparedForms", left: Integers, right: Integers) -> Floats:
        """rapidfuzz partial ratio of the sorted words of two forms, in [0, 1]."""
        keys = known.forms.sorted_words
        scores = process.cpdist(keys[left], keys[right], scorer=fuzz.partial_ratio, dtype=np.float32)
        return np.asarray(scores, dtype=np.float32) / np.float32(100)


class PreparedForms:
    """Prepared forms with what is known of their words; rows follow the names that were prepared."""

    def __init__(
        self,
        forms: FormTable,
        given_knowledge: WordKnowledge,
        surname_knowledge: WordKnowledge,
        further_names: FurtherNames,
    ) -> None:
        self.forms, self.given_knowledge, self.surname_knowledge = forms, given_knowledge, surname_knowledge
        self.further_names = further_names

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} forms)"

    @cached_property
    def quick_look(self) -> QuickLook:
        given, surnames = self.given_knowledge, self.surname_knowledge
        return QuickLook(self.forms, given.vectors, surnames.vectors, given.relations)

    def __len__(self) -> int:
        return len(self.forms)

    def given_pairs(self, left: Integers, right: Integers) -> WordPairs:
        return WordPairs(self.forms.given_words, self.given_knowledge, left, right)

    def surname_pairs(self, left: Integers, right: Integers) -> WordPairs:
        return WordPairs(self.forms.surname_words, self.surname_knowledge, left, right)


def _word_values(features: Mapping[str, WordFeature], pairs: WordPairs) -> Floats:
    """One row a word pair, and a last row of NaN that row number -1 points to."""
    values = np.full((len(pairs.left) + 1, len(features)), NAN, dtype=np.float32)
    if len(pairs.left):
        for column, function in enumerate(features.values()):
            values[:-1, column] = function(pairs)
    return values


class _PairsOf(Protocol):
    def __call__(self, left: Integers, right: Integers) -> WordPairs: ...


def _match(
    pairs_of: _PairsOf,
    slots: Integers,
    left: Integers,
    right: Integers,
    *,
    joined: npt.NDArray[np.bool_] | None,
) -> _Matched:
    """Find for each pair of forms the two words that are most alike, among all words of both.

    joined marks words that only repeat another one with its particle: they may be best, but do not count.
    """
    width = slots.shape[1]
    left_slots, right_slots = slots[left], slots[right]
    pair_rows: list[Integers] = []
    left_words: list[Integers] = []
    right_words: list[Integers] = []
    slot_codes: list[Integers] = []
    for i in range(width):
        rows_i = np.flatnonzero(left_slots[:, i] >= 0)
        if not len(rows_i):
            break
        for j in range(width):
            rows = rows_i[right_slots[rows_i, j] >= 0]
            if not len(rows):
                break
            pair_rows.append(rows)
            left_words.append(left_slots[rows, i])
            right_words.append(right_slots[rows, j])
            slot_codes.append(np.full(len(rows), i * width + j, dtype=np.int64))
    if not pair_rows:
        nothing = np.full(len(left), -1, dtype=np.int64)
        none = np.zeros(0, dtype=np.int64)
        return _Matched(nothing, none, none, np.full(len(left), NAN, dtype=np.float32))
    rows, codes = np.concatenate(pair_rows), np.concatenate(slot_codes)
    first, second = np.concatenate(left_words), np.concatenate(right_words)
    size = int(max(first.max(), second.max())) + 1
    keys = np.minimum(first, second) * size + np.maximum(first, second)
    unique, inverse = np.unique(keys, return_inverse=True)
    pairs = pairs_of(unique // size, unique % size)
    likeness = _likeness(pairs)[inverse]
    # Best last within each pair of forms. Ties go to the words that come first, then by the alphabet:
    # whichever side is left, and whatever else was prepared, the same words are compared.
    i, j = codes // width, codes % width
    rank = pairs.table.rank
    low, high = np.minimum(rank[first], rank[second]), np.maximum(rank[first], rank[second])
    order = np.lexsort((high, low, -(i + j), likeness, rows))
    is_last = np.r_[rows[order][1:] != rows[order][:-1], True]
    chosen = order[is_last]
    best = np.full(len(left), -1, dtype=np.int64)
    best_keys, position = np.unique(keys[chosen], return_inverse=True)
    best[rows[chosen]] = position
    share = _share_matched(rows, i, j, likeness, left_slots, right_slots, left, right, joined)
    return _Matched(best, best_keys // size, best_keys % size, share)


def _likeness(pairs: WordPairs) -> Floats:
    """A quick order of word pairs: equal, then listed, then alike."""
    texts = pairs.table.texts
    scores = process.cpdist(
        texts[pairs.left], texts[pairs.right], scorer=JaroWinkler.similarity, dtype=np.float32
    )
    value = np.maximum(np.asarray(scores, dtype=np.float32) * np.float32(0.9), 0)
    vectors = pairs.knowledge.vectors
    cosine = np.einsum("ij,ij->i", vectors[pairs.left], vectors[pairs.right])
    near = np.float32(_ALIKE * 0.9) + (cosine - np.float32(_SAME_VECTOR)) * np.float32(0.2)
    value = np.where(cosine >= _SAME_VECTOR, np.maximum(value, near), value)
    if pairs.knowledge.relations is not None:
        relations = pairs.knowledge.relations
        value = np.where(
            relations.listed(pairs.left, pairs.right) > 0, np.maximum(value, np.float32(0.95)), value
        )
    return np.where(pairs.left == pairs.right, np.float32(1), value).astype(np.float32)


def _share_matched(
    rows: Integers, i: Integers, j: Integers, likeness: Floats, left_slots: Integers, right_slots: Integers,
    left: Integers, right: Integers, joined: npt.NDArray[np.bool_] | None,
) -> Floats:  # fmt: skip
    """Share of words that meet an alike one, of the form where it is smaller; NaN without words."""
    n_pairs, width = left_slots.shape
    real_left, real_right = left_slots >= 0, right_slots >= 0
    if joined is not None:
        real_left, real_right = real_left & ~joined[left], real_right & ~joined[right]
    met_left = np.zeros((n_pairs, width), dtype=bool)
    met_right = np.zeros((n_pairs, width), dtype=bool)
    alike = likeness >= _ALIKE * 0.9
    met_left[rows[alike], i[alike]] = True
    met_right[rows[alike], j[alike]] = True
    counts_left, counts_right = real_left.sum(axis=1), real_right.sum(axis=1)
    shares_left = (met_left & real_left).sum(axis=1) / np.maximum(counts_left, 1)
    shares_right = (met_right & real_right).sum(axis=1) / np.maximum(counts_right, 1)
    share = np.minimum(shares_left, shares_right).astype(np.float32)
    return np.where((counts_left > 0) & (counts_right > 0), share, NAN)


def _kind(left: PersonName, right: PersonName, values: Mapping[str, float]) -> str | None:
    if left == right:
        return "equal"
    kind = values["given_lexicon_kind"]
    if values["given_levenshtein"] < 1 and kind == kind:  # NaN is not equal to itself
        return KINDS[int(kind) - 1]
    if values["given_lexicon"] == 0.5:
        return "nickname"
    if values["initials_only"] >= 1 and values["surname_levenshtein"] >= 0.85:
        return "initials"
    if values["words_sorted"] == 1:
        return "order"
    if values["shared_parts"] in (1, 2) and (left.is_full or right.is_full):
        return "part"
    if values["surname_counts"] >= 3 and values["surname_jaro_winkler"] >= _ALIKE:
        return "partner"
    return "similar" if values["words_sorted"] >= 0.7 else None
