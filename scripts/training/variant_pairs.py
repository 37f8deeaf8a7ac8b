"""Pairs of given names for the model of name variants, parted in folds by family, and what they weigh.

Negatives that look like variants (Jaro-Winkler above HARD_FROM) are of two families: inside a family many
pairs that no list has are forms of one name as well.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from training.given_training import PairStock, hard_negatives, labelled_pairs
from training.name_pairs import NamePair

FOLDS: Final = 5
SEED: Final = "nymlink-variants-1"
NOISY: Final = ("derived", "ancestry")  # kinds of pairs that train, and that nothing is measured on


@dataclass(frozen=True, slots=True)
class VariantFolds:
    """The names of each fold: whole families; and the pairs inside each."""

    stock: PairStock = field(repr=False)
    fold_of: Mapping[str, int] = field(repr=False)
    pairs: Sequence[Sequence[NamePair]] = field(repr=False)

    @classmethod
    def of(cls, stock: PairStock, *, seed: int) -> Self:
        """Folds of all names of the stock. Pairs whose names lie in two folds are in none."""
        sources = (stock.variants, stock.derived, stock.negatives)
        names = sorted({name for source in sources for key in source for name in key} | set(stock.names))
        fold_of = {name: _fold(stock.families.family_of.get(name, name)) for name in names}
        folds: list[Sequence[NamePair]] = []
        for fold in range(FOLDS):
            inside = [name for name in names if fold_of[name] == fold]
            folds.append(_pairs(stock, inside, seed=seed + fold))
        return cls(stock, fold_of, folds)

    def names(self, fold: int) -> frozenset[str]:
        """All names of a fold."""
        return frozenset(name for name, place in self.fold_of.items() if place == fold)


def are_of_one_family(stock: PairStock, left: str, right: str) -> bool:
    """Whether pairs of variants hold two names together."""
    family_of = stock.families.family_of
    return family_of.get(left, left) == family_of.get(right, right)


def _fold(family: str) -> int:
    return hashlib.sha256(f"{SEED}:{family}".encode()).digest()[0] % FOLDS


def _pairs(stock: PairStock, names: Collection[str], *, seed: int) -> Sequence[NamePair]:
    """Variants, judged negatives, random ones and, twice as many, hard ones: among all names, and among those
    that have variants.
    """
    drawn = labelled_pairs(stock, names, seed=seed, random_share=1, hard_share=0)
    variants = [pair for pair in drawn if pair.is_variant]
    count = sum(pair.kind != "derived" for pair in variants)
    with_variants = sorted({name for pair in variants if pair.kind not in NOISY for name in pair.key})
    every = sorted({name for pair in variants for name in pair.key} | (set(stock.names) & set(names)))
    random = np.random.default_rng(seed)
    hard = {
        pair.key: pair
        for pool in (every, with_variants)
        for pair in hard_negatives(stock, pool, count, random)
    }
    return [
        pair for pair in (*drawn, *hard.values())
        if pair.kind not in ("random", "hard") or not are_of_one_family(stock, pair.left, pair.right)
    ]  # fmt: skip


def balanced(pairs: Sequence[NamePair]) -> npt.NDArray[np.float64]:
    """Weights to train with: random and hard negatives weigh half as much as all variants, each kind."""
    weight = np.array([pair.weight for pair in pairs], dtype=np.float64)
    kinds = np.array([pair.kind for pair in pairs])
    variants = weight[np.array([pair.is_variant for pair in pairs], dtype=bool)].sum()
    for kind in ("random", "hard"):
        rows = kinds == kind
        weight[rows] *= 0.5 * variants / max(weight[rows].sum(), 1e-9)
    return weight


def measured(pairs: Sequence[NamePair]) -> npt.NDArray[np.float64]:
    """Weights to measure and calibrate with: listed variants half of all, random and hard negatives a quarter
    each; what a list does not vouch for counts nothing.
    """
    kinds = np.array([pair.kind for pair in pairs])
    is_variant = np.array([pair.is_variant for pair in pairs], dtype=bool)
    weight = np.zeros(len(pairs))
    parts = (
        (is_variant & ~np.isin(kinds, NOISY), 0.5), (kinds == "random", 0.25), (kinds == "hard", 0.25)
    )  # fmt: skip
    for rows, share in parts:
        weight[rows] = share / max(int(rows.sum()), 1)
    return weight * len(pairs)
