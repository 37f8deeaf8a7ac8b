"""Measures names alone, as `nymlink compare` judges them and as a pair of two given names or two surnames.

Given names are of families that never train (training.name_families), and the lexicon is told to forget their
variants; surnames are of the held-out part. Negatives are as many: drawn at random, or alike in letters. The
shipped model of name variants learned from all families: one that did not stands in its place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler
from sklearn.metrics import roc_auc_score

from linkage.comparison.words import name_letters
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.model import ModelScorer
from linkage.linker.roles import LoneName, LonePair, probabilities_of_roles
from linkage.linker.variants import VariantModel
from linkage.records import LinkDecision
from linkage.settings import LinkingSettings
from training.given_training import HARD_FROM, PairStock, hard_negatives, labelled_pairs, names_of_part
from training.name_pairs import NamePair, dutch_variants, part_of, part_of_pair, surname_variants
from training.person_pairs import borne_surnames
from training.variant_pairs import FOLDS, VariantFolds, are_of_one_family
from training.variant_training import VariantTraining

Scores = dict[str, dict[str, float | int]]
Judge = Callable[[Sequence[NamePair]], npt.NDArray[np.float64]]

_SEED = 20_240  # of the negatives drawn for a test; not the seed of training
_COMMON_NAMES = 1_500  # given names, from the commonest down; the last has about 2,000 bearers
_COMMON_SURNAMES = 1_500


@dataclass(frozen=True, slots=True)
class LoneNames:
    """Pairs of held-out names with their truth, by kind of negatives."""

    pairs: Mapping[str, Sequence[NamePair]] = field(repr=False)

    def scores(self, judge: Judge) -> Scores:
        """AUC, and accuracy at 0.5, of each kind."""
        found: Scores = {}
        for kind, pairs in self.pairs.items():
            probability = judge(pairs)
            truth = np.array([pair.is_variant for pair in pairs], dtype=bool)
            found[kind] = {
                "pairs": len(pairs),
                "AUC": float(roc_auc_score(truth, probability)),
                "accuracy": float(((probability >= 0.5) == truth).mean()),
            }
        return found


def given_pairs(data: Path, stock: PairStock, *, part: str = "test") -> LoneNames:
    """Variants of families of a part, of the Dutch lists and of all lists; none that only Ancestry has.

    Negatives are of two families: inside one, many pairs that no list has are forms of one name as well.
    """
    names = names_of_part(stock, part)
    every = labelled_pairs(stock, names, seed=_SEED, random_share=0, hard_share=0)
    listed = [p for p in every if p.is_variant and p.kind not in ("derived", "ancestry")]
    dutch = dutch_variants(data)
    random = np.random.default_rng(_SEED)
    found: dict[str, Sequence[NamePair]] = {}
    for title, positives in (("Dutch lists", [p for p in listed if p.key in dutch]), ("all lists", listed)):
        pool = sorted({name for p in positives for name in p.key})
        drawn = labelled_pairs(stock, pool, seed=_SEED, random_share=2, hard_share=0)
        strangers = _of_two_families(stock, [p for p in drawn if p.kind == "random"])[: len(positives)]
        hard = _of_two_families(stock, hard_negatives(stock, pool, 2 * len(positives), random))
        hard = hard[: len(positives)]
        found[f"{title}, random negatives"] = [*positives, *strangers]
        found[f"{title}, hard negatives"] = [*positives, *hard]
    return LoneNames(found)


def _of_two_families(stock: PairStock, pairs: Sequence[NamePair]) -> list[NamePair]:
    return [pair for pair in pairs if not are_of_one_family(stock, pair.left, pair.right)]


def surname_pairs(data: Path) -> LoneNames:
    """Held-out surnames: listed spellings, and as many other pairs of surnames that are borne."""
    variants = surname_variants(data)
    positives = [p for p in variants.values() if part_of_pair(p) == "test" and p.kind == "spelling"]
    pool = sorted({n for _, core in borne_surnames(data) if part_of(n := name_letters(core)) == "test"})
    stock = PairStock(variants, {}, {}, pool)
    random = np.random.default_rng(_SEED)
    picked = random.permutation(len(pool))[: 2 * len(positives)].tolist()
    strangers = [
        NamePair(min(pool[a], pool[b]), max(pool[a], pool[b]), "random", is_variant=False)
        for a, b in zip(picked[::2], picked[1::2], strict=False)
    ]
    hard = hard_negatives(stock, pool, len(positives), random)
    return LoneNames({"random negatives": [*positives, *strangers], "hard negatives": [*positives, *hard]})


class LoneNameMeasurer:
    """A model under test, that knows or does not know the held-out families by the lexicon."""

    def __init__(self, model: Path, stock: PairStock, variants: VariantModel | None = None) -> None:
        """variants: a model of name variants that learned from no held-out family."""
        self.gazetteer = Gazetteer.load()
        plain = ModelScorer.load(self.gazetteer, model)
        self._known = ModelScorer(plain.comparer, plain.classifier, plain.shares, lambda: variants)
        unseen = [n for part in ("validation", "test") for n in names_of_part(stock, part)]
        comparer = self._known.comparer.hiding(unseen)
        self._scorer = ModelScorer(comparer, plain.classifier, plain.shares, lambda: variants)

    def command(self, pairs: Sequence[NamePair]) -> npt.NDArray[np.float64]:
        """Probabilities as `nymlink compare` gives them."""
        linker = Linker(LinkingSettings(), self.gazetteer, self._scorer)
        found = linker.compare_many([(p.left.capitalize(), p.right.capitalize()) for p in pairs])
        return np.array([link.match_probability for link in found])

    def told(self, *, given: bool) -> Judge:
        """Probabilities of pairs that are known to be given names, or surnames."""
        share = float(given)

        def judge(pairs: Sequence[NamePair]) -> npt.NDArray[np.float64]:
            asked = [LonePair(LoneName(p.left, share), LoneName(p.right, share)) for p in pairs]
            return np.nan_to_num(probabilities_of_roles(asked, self._scorer), nan=0.0)

        return judge

    def linked(self, pairs: Sequence[tuple[str, str]], *, knows_lexicon: bool) -> dict[str, float | int]:
        """How many of these pairs of two names the command links, and how many it asks about."""
        scorer = self._known if knows_lexicon else self._scorer
        found = Linker(LinkingSettings(), self.gazetteer, scorer).compare_many(pairs)
        decisions = [link.decision for link in found]
        return {
            "pairs": len(pairs),
            "linked, share": decisions.count(LinkDecision.LINK) / len(pairs),
            "open, share": decisions.count(LinkDecision.POSSIBLE_LINK) / len(pairs),
        }


def _variants_of_others(stock: PairStock) -> VariantModel:
    """A model of name variants that learned from the families of the training part."""
    training = VariantTraining(VariantFolds.of(stock.of_part("train"), seed=1), Gazetteer.load(), seed=1)
    return training.model([training.test(fold) for fold in range(FOLDS)])


def common_pairs(names: Sequence[str], are_related: Callable[[str, str], bool]) -> list[tuple[str, str]]:
    """Pairs of common names that look alike (Jaro-Winkler above HARD_FROM) and that no list joins."""
    letters = [name_letters(name) for name in names]
    scores = process.cdist(letters, letters, scorer=JaroWinkler.similarity, dtype=np.float32)
    return [
        (names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
        if scores[a, b] > HARD_FROM and letters[a] != letters[b] and not are_related(letters[a], letters[b])
    ]


def lone_names(data: Path, model: Path, stock: PairStock) -> Scores:
    """All rows: given names and surnames, by the command and told their role, and common names joined."""
    measurer = LoneNameMeasurer(model, stock, _variants_of_others(stock))
    rows: Scores = {}
    for title, pairs, is_given in (
        ("given names", given_pairs(data, stock), True),
        ("surnames", surname_pairs(data), False),
    ):
        for way, judge in (("by the command", measurer.command), ("told", measurer.told(given=is_given))):
            rows |= {f"{title}, {kind}, {way}": row for kind, row in pairs.scores(judge).items()}
    gazetteer = measurer.gazetteer
    given = sorted(gazetteer.given_names, key=lambda name: (-gazetteer.given_name_frequency(name), name))

    def are_given_variants(left: str, right: str) -> bool:
        is_known = stock.is_known_variant((min(left, right), max(left, right)))
        return is_known or gazetteer.shared_full_forms(left, right) > 0

    common = common_pairs([name.capitalize() for name in given[:_COMMON_NAMES]], are_given_variants)
    held_out = [
        pair for pair in common
        if all(stock.families.part_of(name_letters(name)) == "test" for name in pair)
    ]  # fmt: skip
    variants = surname_variants(data)
    surnames = sorted(gazetteer.surnames, key=lambda name: (-gazetteer.surname_frequency(name), name))
    families = [name.capitalize() for name in surnames[:_COMMON_SURNAMES] if " " not in name]
    rows["two common given names that look alike"] = measurer.linked(common, knows_lexicon=True)
    rows["the same, held-out families"] = measurer.linked(held_out, knows_lexicon=False)
    rows["two common surnames that look alike"] = measurer.linked(
        common_pairs(families, lambda a, b: (min(a, b), max(a, b)) in variants), knows_lexicon=True
    )
    return rows
