"""Training of the model of name variants, in five folds by family, and its figures on families it never saw.

For each fold the weights of edits and the booster learn from the other four folds alone; the booster sees
scores of weights that had not seen its example either. The lists forget the variants of the fold, and half of
it is tested without gender as well, as names are that no list has. What the five say of their own folds
calibrates the model that learns from all.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack

from linkage.classifier import Calibration
from linkage.comparison import FEATURES, FormComparer
from linkage.comparison.comparer import ComparisonKnowledge
from linkage.comparison.edits import BUCKETS, EditTable, EditWeights
from linkage.comparison.embedding import NameEmbedding
from linkage.comparison.rarity import SurnameRarity
from linkage.linker.variants import VARIANT_FEATURES, VariantModel, variant_values
from linkage.records import PersonName
from training.boosters import calibrate
from training.name_pairs import NamePair
from training.variant_pairs import FOLDS, VariantFolds, balanced, measured

Floats = npt.NDArray[np.float32]

PENALTY: Final = 1 / 3  # of squared weights of edits; 1 and 1/10 gave less on one fold
ROUNDS: Final = 40  # of L-BFGS
TREES: Final = 200
LEAVES: Final = 15  # of a tree; 16 are the most that linkage.leaf_masks reads
LEARNED: Final = 14.0  # trees times learning rate
HIDDEN_SHARE: Final = 0.7  # of training names whose variants the lists forget
NO_GENDER_SHARE: Final = 0.35  # of training names whose gender they forget, too
_COLUMNS: Final = tuple(FEATURES)
GENDER_COLUMN: Final = _COLUMNS.index("given_gender")
_OF_LEXICON: Final = [
    _COLUMNS.index(f"given_{name}") for name in ("lexicon", "lexicon_kind", "full_forms", "shared_forms")
]


@dataclass(frozen=True, slots=True)
class FoldExamples:
    """What a fold gives: edits, and comparison vectors as in training and as of names that no list has.

    with_gender: the vectors where the lists know of the names no more than their gender. listed: rows of the
    pairs of which the lexicon has both names, and known: their vectors with all that the lists tell.
    """

    pairs: Sequence[NamePair] = field(repr=False)
    edits: EditTable
    trained: Floats = field(repr=False)
    unknown: Floats = field(repr=False)
    with_gender: Floats = field(repr=False)
    listed: npt.NDArray[np.int64] = field(repr=False)
    known: Floats = field(repr=False)

    @property
    def truth(self) -> npt.NDArray[np.int8]:
        return np.array([pair.is_variant for pair in self.pairs], dtype=np.int8)


@dataclass(frozen=True, slots=True)
class FoldTest:
    """Log-odds that the models of the other folds give the pairs of a fold, with and without gender."""

    pairs: Sequence[NamePair] = field(repr=False)
    unknown: npt.NDArray[np.float64] = field(repr=False)
    with_gender: npt.NDArray[np.float64] = field(repr=False)


class VariantTraining:
    """One run: the examples of all folds, made once."""

    def __init__(self, folds: VariantFolds, knowledge: ComparisonKnowledge, *, seed: int) -> None:
        self.folds, self.seed = folds, seed
        self._knowledge = knowledge
        self._random = np.random.default_rng(seed)
        self._weights: dict[tuple[int, ...], EditWeights] = {}
        self.examples = [self._examples(fold) for fold in range(FOLDS)]

    def _examples(self, fold: int) -> FoldExamples:
        pairs, names = self.folds.pairs[fold], sorted(self.folds.names(fold))
        drawn = dict(zip(names, self._random.random(len(names)).tolist(), strict=True))
        left, right = ([PersonName(given=pair.key[side]) for pair in pairs] for side in (0, 1))
        seen = self._comparer([name for name, at in drawn.items() if at < HIDDEN_SHARE]).vectors(left, right)
        has = {name: bool(self._knowledge.variants(name)) for name in names}
        listed = np.array([row for row, pair in enumerate(pairs) if all(map(has.__getitem__, pair.key))])
        listed = listed.astype(np.int64)
        known = self._comparer(()).vectors([left[row] for row in listed], [right[row] for row in listed])
        lost = [any(drawn[name] < NO_GENDER_SHARE for name in pair.key) for pair in pairs]
        trained, with_gender = seen.copy(), seen.copy()
        trained[np.flatnonzero(lost), GENDER_COLUMN] = np.nan
        with_gender[:, _OF_LEXICON] = np.nan
        unknown = with_gender.copy()
        unknown[:, GENDER_COLUMN] = np.nan
        edits = EditTable([pair.key for pair in pairs])
        return FoldExamples(pairs, edits, trained, unknown, with_gender, listed, known)

    def _comparer(self, hidden: Collection[str]) -> FormComparer:
        """A comparer without name vectors and rarity, which are no features of this model."""
        no_vectors = NameEmbedding(np.zeros((1, 1), dtype=np.float32))
        no_rarity = SurnameRarity(np.zeros(1, dtype=np.float32), 0.0)
        return FormComparer(self._knowledge, no_vectors, no_rarity, hidden=hidden)

    def weights_of(self, folds: Sequence[int]) -> EditWeights:
        """The weights of edits learned from some folds, made once."""
        key = tuple(sorted(folds))
        if key not in self._weights:
            chosen = [self.examples[fold] for fold in key]
            pairs = [pair for one in chosen for pair in one.pairs]
            weight = np.array([pair.weight for pair in pairs])
            truth = np.concatenate([one.truth for one in chosen])
            self._weights[key] = fit_edits([one.edits for one in chosen], truth, weight)
        return self._weights[key]

    def booster(self, folds: Sequence[int]) -> lightgbm.Booster:
        """A booster of some folds; of each it sees scores of weights that learned from the others."""
        values, truth, weight = [], [], []
        for fold in folds:
            one = self.examples[fold]
            scores = self.weights_of([other for other in folds if other != fold]).scores(one.edits)
            balance = balanced(one.pairs)
            every = np.arange(len(one.pairs))
            # Names as in use, too: the lexicon has the pair, or has both names and not the pair.
            for rows, vectors in ((every, one.trained), (one.listed, one.known)):
                values.append(variant_values(scores[rows], vectors, _COLUMNS))
                truth.append(one.truth[rows])
                weight.append(balance[rows])
        return fit_booster(
            np.concatenate(values), np.concatenate(truth), np.concatenate(weight), seed=self.seed
        )

    def test(self, fold: int) -> FoldTest:
        """What a model of the other folds says of a fold."""
        others = [other for other in range(FOLDS) if other != fold]
        one, booster = self.examples[fold], self.booster(others)
        scores = self.weights_of(others).scores(one.edits)
        told = [
            np.asarray(
                booster.predict(variant_values(scores, vectors, _COLUMNS), raw_score=True),
                dtype=np.float64,
            )
            for vectors in (one.unknown, one.with_gender)
        ]
        return FoldTest(one.pairs, told[0], told[1])

    def model(self, tests: Sequence[FoldTest]) -> VariantModel:
        """The model of all folds, calibrated on what models of other folds said of each."""
        every = list(range(FOLDS))
        about = {
            "seed": self.seed,
            "folds": FOLDS,
            "pairs": sum(len(one.pairs) for one in self.examples),
            "variants": int(sum(one.truth.sum() for one in self.examples)),
        }
        return VariantModel(self.weights_of(every), self.booster(every), calibration_of(tests), about)


def calibration_of(tests: Sequence[FoldTest]) -> Calibration:
    """The calibration of what was said of some folds, with gender and without, which weigh the same."""
    pairs = [pair for test in tests for pair in test.pairs] * 2
    scores = np.concatenate([test.unknown for test in tests] + [test.with_gender for test in tests])
    weight = np.concatenate([measured(test.pairs) for test in tests] * 2)
    truth = np.array([pair.is_variant for pair in pairs], dtype=np.int8)
    kept = weight > 0
    return calibrate(scores[kept], truth[kept], weight[kept].astype(np.float32))


def fit_edits(
    tables: Sequence[EditTable], truth: npt.NDArray[np.int8], weight: npt.NDArray[np.float64]
) -> EditWeights:
    """Weights by logistic regression with a penalty on squares; rounded as they are kept."""
    known = vstack(
        [csr_matrix((one.shares, one.buckets, one.starts), shape=(len(one), BUCKETS)) for one in tables]
    ).tocsr()
    turned = known.T.tocsr()

    def loss(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        weights, base = point[:-1], point[-1]
        scores = known @ weights + base
        wrong = weight * (1 / (1 + np.exp(-scores)) - truth)
        value = (weight * (np.logaddexp(0, scores) - truth * scores)).sum()
        slope = np.append(turned @ wrong + PENALTY * weights, wrong.sum())
        return float(value + PENALTY / 2 * (weights @ weights)), slope

    found = minimize(loss, np.zeros(BUCKETS + 1), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x
    return EditWeights(found[:-1].astype(np.float32), float(found[-1])).rounded()


def fit_booster(
    values: Floats, truth: npt.NDArray[np.int8], weight: npt.NDArray[np.float64], *, seed: int
) -> lightgbm.Booster:
    """A booster over VARIANT_FEATURES."""
    data = lightgbm.Dataset(values, label=truth, weight=weight, feature_name=list(VARIANT_FEATURES))
    parameters = {
        "objective": "binary", "num_leaves": LEAVES, "learning_rate": LEARNED / TREES, "min_data_in_leaf": 40,
        "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 2.0, "seed": seed,
        "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbosity": -1, "max_bin": 127,
    }  # fmt: skip
    return lightgbm.train(parameters, data, num_boost_round=TREES)
