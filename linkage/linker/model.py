"""The trained classifier over the features of comparison, as the linker's judge of pairs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from linkage.classifier import PairClassifier
from linkage.comparison import FormComparer, PreparedForms
from linkage.comparison.birth_names import birth_names_contradict
from linkage.comparison.rarity import SurnameRarity
from linkage.errors import ModelNotFoundError
from linkage.explanation import FeatureContribution
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.language_contents import VARIANT_MODEL
from linkage.linker.scoring import Indexes, Probabilities
from linkage.linker.variants import VariantModel
from linkage.records import PersonName
from linkage.settings import data_directory

_TABLES = ("name_vectors.npz", "surname_rarity.npz")  # the boosters learned with these
_SHARES = "surname_shares.npz"
_BATCH = 200_000  # pairs whose vectors are held at once
_CONTRADICTED = 0.05  # J.P. and J.W., Jan Pieter and Jan Willem, Postma-Bakker and Postma-Visser
_OTHER_GENDER = 0.6  # Peter and Petra: of such pairs in the tuning texts a third are one person, misspelt
_ONE_SURNAME = 0.7  # Levenshtein similarity; below, the names may be turned round
_ALIKE_IN_ALL = 0.8  # "Jan" as a given name and as a surname
_SHRINKAGE = 0.9  # the model of shares draws common names towards the mean by so much (log10 of the share)


def _no_variants() -> VariantModel | None:
    return None


def _variants_of(language: Language) -> VariantModel | None:
    if not any((language.directory / name).is_file() for name in VARIANT_MODEL):
        return None
    return VariantModel.load(language.models(VARIANT_MODEL))


class ModelScorer:
    """The trained classifier over the features of comparison."""

    def __init__(
        self,
        comparer: FormComparer,
        classifier: PairClassifier,
        shares: SurnameRarity,
        find_variants: Callable[[], VariantModel | None] = _no_variants,
    ) -> None:
        """shares: a model of how common surnames are, as the rules of evidence ask, not the comparer's.
        find_variants: reads the model that judges two given names alone, in place of the classifier; it is
        asked once, when the first such pair comes.
        """
        self.comparer = comparer
        self._find_variants = find_variants
        self.shares = shares
        self.classifier = classifier
        self.link_threshold = classifier.link_threshold
        self.review_threshold = classifier.review_threshold
        self.version = classifier.version

    @classmethod
    def load(cls, gazetteer: Gazetteer, model: Path | None = None) -> Self:
        """The classifier in the folder model, by default the shipped one, with the tables that it was trained
        with: those of its folder, the shipped ones where it has none. Beside the shipped one stands the
        language's model of name variants, if the language has one.

        Raises:
            ModelNotFoundError: if a file is missing, or the folder has only one of the two tables.
            ModelDamagedError: if a file is not what it should be.
        """
        tables = _tables_of(model)
        shipped = data_directory() / "models" / "linkage" / _SHARES
        shares = SurnameRarity.load(tables / _SHARES if (tables / _SHARES).is_file() else shipped)
        find = partial(_variants_of, gazetteer.language) if model is None else _no_variants
        return cls(FormComparer.load(gazetteer, tables), PairClassifier.load(model), shares, find)

    @cached_property
    def variants(self) -> VariantModel | None:
        """The model of name variants; None where the language has none, or the classifier is not the shipped
        one.

        Raises:
            ModelNotFoundError: a file of the model is missing.
            ModelDamagedError: a file of the model is not what it should be.
            KindsError: a file of the model has another digest than the language tells.
        """
        return self._find_variants()

    def table(self, names: Sequence[PersonName]) -> "ModelTable":
        return ModelTable(self, self.comparer.prepare(names))

    def surname_shares(self, families: Sequence[str]) -> Mapping[str, float]:
        rarities = self.shares.of([family.replace(" ", "") for family in families]).astype(np.float64)
        shares = np.minimum(1.0, np.power(10.0, _SHRINKAGE - rarities))
        return dict(zip(families, shares.tolist(), strict=True))

    def contributions(self, left: PersonName, right: PersonName) -> tuple[float, list[FeatureContribution]]:
        table = self.table([left, right])
        sides = np.asarray([0]), np.asarray([1])
        values = table.vectors(*sides)
        words = table.lone_given_names(*sides, values)
        if words and self.variants is not None:
            base, learned = self.variants.contributions(words[0], values[0], self.comparer.feature_names)
            return base, [FeatureContribution(name, *told) for name, told in learned.items()]
        added = self.classifier.contributions(values)[0]
        rows = zip(self.comparer.feature_names, values[0].tolist(), added.tolist(), strict=False)
        return float(added[-1]), [
            FeatureContribution(name, value, log_odds) for name, value, log_odds in rows
        ]


def _ruled(
    probabilities: Probabilities,
    vectors: npt.NDArray[np.float32],
    feature_names: Sequence[str],
    contradicted: npt.NDArray[np.bool_],
) -> Probabilities:
    """What the classifier cannot know: the people it learned from are one person under every further name,
    and hardly ever a brother and a sister. NaN where two names have no part that could be compared.
    """
    column = {name: vectors[:, number] for number, name in enumerate(feature_names)}
    found = np.where(contradicted, np.minimum(probabilities, _CONTRADICTED), probabilities)
    other_gender = (column["given_gender"] == 0) & (column["given_lexicon"] != 1)
    other_gender &= column["surname_levenshtein"] >= _ONE_SURNAME
    found = np.where(other_gender, np.minimum(found, _OTHER_GENDER), found)
    nothing = (column["shared_parts"] == 0) & (column["words_sorted"] < _ALIKE_IN_ALL)
    return np.where(nothing, np.nan, found)


def _tables_of(model: Path | None) -> Path:
    """The folder with the tables that go with a model."""
    there = [name for name in _TABLES if model is not None and (model / name).is_file()]
    if model is None or not there:
        return data_directory() / "models" / "linkage"
    if missing := [name for name in _TABLES if name not in there]:
        # The shipped one in its place would be no table that the boosters learned with.
        raise ModelNotFoundError(
            f"the folder of the classifier has {there[0]} but no {missing[0]}: put there both tables that "
            f"scripts/train_classifier wrote, or neither, for the shipped ones"
        )
    return model


class ModelTable:
    def __init__(self, scorer: ModelScorer, prepared: PreparedForms) -> None:
        self._scorer = scorer
        self._prepared = prepared

    def probabilities(self, left: Indexes, right: Indexes) -> Probabilities:
        comparer = self._scorer.comparer
        result = np.full(len(left), np.nan)
        for start in range(0, len(left), _BATCH):
            a, b = left[start : start + _BATCH], right[start : start + _BATCH]
            worth = np.flatnonzero(comparer.cheap_filter(self._prepared, a, b))
            if len(worth):
                result[start + worth] = self._judged(a[worth], b[worth])
        return result

    def every_probability(self, left: Indexes, right: Indexes) -> Probabilities:
        starts = range(0, len(left), _BATCH)
        parts = [self._every(left[at : at + _BATCH], right[at : at + _BATCH]) for at in starts]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _every(self, left: Indexes, right: Indexes) -> Probabilities:
        """As _judged, with the model of name variants where the lexicon lacks one of two given names.

        The classifier has learned from pairs of listed names what it means that no list joins them.
        """
        found, vectors = self._judged(left, right), self.vectors(left, right)
        words = self.lone_given_names(left, right, vectors)
        if words and (variants := self._scorer.variants) is not None:
            rows, names = np.array(list(words), dtype=np.int64), self._scorer.comparer.feature_names
            found[rows] = variants.probabilities(list(words.values()), vectors[rows], names)
        return found

    def lone_given_names(
        self, left: Indexes, right: Indexes, vectors: npt.NDArray[np.float32]
    ) -> Mapping[int, tuple[str, str]]:
        """By row the letters of two unlike names, of pairs that are one given name each and no more, one of
        which the lexicon of variants lacks.

        vectors: the comparison vectors of the pairs.
        """
        forms = self._prepared.forms
        is_lone = (
            (forms.given[:, 0] >= 0) & (forms.given[:, 1] < 0) & ~forms.has_surname & ~forms.has_initials
        )
        likeness = vectors[:, self._scorer.comparer.feature_names.index("given_levenshtein")]
        is_new = np.isnan(vectors[:, self._scorer.comparer.feature_names.index("given_lexicon")])
        rows = np.flatnonzero(is_lone[left] & is_lone[right] & (likeness < 1) & is_new)
        texts = forms.given_words.texts
        sides = (texts[forms.given[side[rows], 0]].tolist() for side in (left, right))
        return dict(zip(rows.tolist(), zip(*sides, strict=True), strict=True))

    def _judged(self, left: Indexes, right: Indexes) -> Probabilities:
        comparer = self._scorer.comparer
        vectors = comparer.vectors_at(self._prepared, left, right)
        found = self._scorer.classifier.match_probabilities(vectors, comparer.feature_names)
        contradicted = self._prepared.further_names.contradict(left, right)
        contradicted |= birth_names_contradict(self._prepared.forms, left, right)
        return _ruled(found, vectors, comparer.feature_names, contradicted)

    def vectors(self, left: Indexes, right: Indexes) -> npt.NDArray[np.float32]:
        return self._scorer.comparer.vectors_at(self._prepared, left, right)

    def variant_kinds(self, left: Indexes, right: Indexes) -> Sequence[str | None]:
        return self._scorer.comparer.variant_kinds(self._prepared, left, right)

    def partial_ratios(self, left: Indexes, right: Indexes) -> Probabilities:
        ratios = self._scorer.comparer.partial_ratios(self._prepared, left, right)
        return ratios.astype(np.float64)
