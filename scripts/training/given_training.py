"""Examples for the given-name booster, and name vectors that have not seen the names they are asked about.

Vectors trained on a pair know it by heart, so the booster would trust them too much. The training names are
parted in folds; the pairs inside a fold get vectors trained without that fold's names (cross-fitting).
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from linkage.comparison import FormComparer
from linkage.comparison.comparer import ComparisonKnowledge
from linkage.comparison.embedding import NameEmbedding
from linkage.comparison.rarity import SurnameRarity
from linkage.records import PersonName
from training.name_families import NameFamilies
from training.name_pairs import (
    NamePair,
    derived_variants,
    given_names,
    given_variants,
    judged_negatives,
    part_of_pair,
)

HARD_FROM = 0.72  # Jaro-Winkler similarity above which a non-variant is a hard negative


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Vectors with truth (1 = variant or same person) and weight of each row; kind of pair, for reports."""

    values: npt.NDArray[np.float32]
    truth: npt.NDArray[np.int8]
    weight: npt.NDArray[np.float32]
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.truth)


def joined(parts: Sequence[Examples]) -> Examples:
    return Examples(
        np.concatenate([p.values for p in parts]),
        np.concatenate([p.truth for p in parts]),
        np.concatenate([p.weight for p in parts]),
        tuple(kind for p in parts for kind in p.kinds),
    )


def fold_of(name: str, folds: int, round_number: int) -> int:
    return hashlib.sha256(f"fold-{round_number}:{name}".encode()).digest()[0] % folds


@dataclass(frozen=True, slots=True)
class PairStock:
    """All judged pairs, and the listed names from which strangers are drawn."""

    variants: Mapping[tuple[str, str], NamePair]
    derived: Mapping[tuple[str, str], NamePair]
    negatives: Mapping[tuple[str, str], NamePair]
    names: Sequence[str]
    families: NameFamilies = field(default_factory=lambda: NameFamilies({}))

    @classmethod
    def of(cls, data: Path) -> Self:
        """The pairs and names of the training data."""
        variants, negatives = given_variants(data), judged_negatives(data)
        families = NameFamilies.of(variants, negatives)
        return cls(variants, derived_variants(data), negatives, sorted(given_names(data)), families)

    def of_part(self, part: str) -> "PairStock":
        """The names of families of a part, and the pairs between them."""

        def inside(pairs: Mapping[tuple[str, str], NamePair]) -> Mapping[tuple[str, str], NamePair]:
            return {k: p for k, p in pairs.items() if all(self.families.part_of(name) == part for name in k)}

        names = [name for name in self.names if self.families.part_of(name) == part]
        kept = inside(self.variants), inside(self.derived), inside(self.negatives)
        return PairStock(*kept, names, self.families)

    def is_known_variant(self, key: tuple[str, str]) -> bool:
        return key in self.variants or key in self.derived


def labelled_pairs(
    stock: PairStock, names: Collection[str], *, seed: int, random_share: float = 1.0, hard_share: float = 1.0
) -> list[NamePair]:
    """Pairs with both names among names: variants, judged negatives, random ones and hard ones.

    random_share and hard_share count negatives for each variant pair.
    """
    random = np.random.default_rng(seed)
    inside = set(names)
    positives = [
        p
        for k, p in stock.variants.items()
        if p.left in inside and p.right in inside and k not in stock.negatives
    ]
    extra = [
        p for k, p in stock.derived.items()
        if p.left in inside and p.right in inside and k not in stock.negatives and k not in stock.variants
    ]  # fmt: skip
    judged = [
        p
        for k, p in stock.negatives.items()
        if p.left in inside and p.right in inside and not stock.is_known_variant(k)
    ]
    pool = sorted({name for p in positives for name in p.key} | (set(stock.names) & inside))
    strangers = _random_negatives(stock, pool, int(random_share * len(positives)), random)
    hard = hard_negatives(stock, pool, int(hard_share * len(positives)), random)
    return [*positives, *extra, *judged, *strangers, *hard]


def _random_negatives(
    stock: PairStock, pool: Sequence[str], count: int, random: np.random.Generator
) -> list[NamePair]:
    found: dict[tuple[str, str], NamePair] = {}
    while len(found) < count:
        for a, b in random.integers(len(pool), size=(count, 2)).tolist():
            left, right = sorted((pool[a], pool[b]))
            if left != right and not stock.is_known_variant((left, right)) and len(found) < count:
                found[left, right] = NamePair(left, right, "random", is_variant=False)
    return list(found.values())


def hard_negatives(
    stock: PairStock, pool: Sequence[str], count: int, random: np.random.Generator
) -> list[NamePair]:
    """Pairs that look alike (Jaro-Winkler above HARD_FROM) and that no list calls variants."""
    found: dict[tuple[str, str], NamePair] = {}
    order = random.permutation(len(pool))
    for start in range(0, len(order), 200):
        rows = [pool[i] for i in order[start : start + 200]]
        others = [pool[i] for i in random.integers(len(pool), size=2_000)]
        scores = process.cdist(rows, others, scorer=JaroWinkler.similarity, dtype=np.float32)
        places = np.argwhere(scores > HARD_FROM)
        random.shuffle(places)
        for a, b in places[: max(1, count // 10)].tolist():
            left, right = sorted((rows[a], others[b]))
            if left != right and not stock.is_known_variant((left, right)):
                found[left, right] = NamePair(left, right, "hard", is_variant=False)
        if len(found) >= count:
            break
    return list(found.values())[:count]


def examples(
    pairs: Sequence[NamePair],
    knowledge: ComparisonKnowledge,
    embedding: NameEmbedding,
    rarity: SurnameRarity,
    *,
    hidden: Collection[str],
) -> Examples:
    """Vectors of given-name pairs, with the lexicon ignorant of hidden names."""
    comparer = FormComparer(knowledge, embedding, rarity, hidden=hidden)
    values = comparer.vectors(
        [PersonName(given=p.left) for p in pairs], [PersonName(given=p.right) for p in pairs]
    )
    return Examples(
        values,
        np.array([p.is_variant for p in pairs], dtype=np.int8),
        np.array([p.weight for p in pairs], dtype=np.float32),
        tuple(p.kind for p in pairs),
    )


def names_of_part(stock: PairStock, part: str) -> list[str]:
    every = {name for p in (*stock.variants.values(), *stock.negatives.values()) for name in p.key} | set(
        stock.names
    )
    return sorted(name for name in every if stock.families.part_of(name) == part)


def vector_pairs(stock: PairStock, names: Collection[str]) -> tuple[list[NamePair], list[NamePair]]:
    """Variant pairs and judged negatives with both names among names, to train name vectors on."""
    inside = set(names)
    variants = [
        p for source in (stock.variants, stock.derived) for k, p in source.items()
        if p.left in inside and p.right in inside and k not in stock.negatives
    ]  # fmt: skip
    negatives = [
        p for k, p in stock.negatives.items()
        if p.left in inside and p.right in inside and not stock.is_known_variant(k)
    ]  # fmt: skip
    return variants, negatives


__all__ = [
    "Examples", "PairStock", "examples", "fold_of", "hard_negatives", "joined", "labelled_pairs",
    "names_of_part", "part_of_pair", "vector_pairs",
]  # fmt: skip
