"""Scoring a whole list of names against itself: what the list tells beyond the two names of a pair.

Boosters are fitted to other clusters of the same set. They see the vector and the probability of a pair, how
often its names and words occur in the list, and how far both names are linked to the same others; a second
one looks at the pairs again with what the first ones found.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy import sparse

from linkage.blocking import deletion_keys
from linkage.classifier import PairClassifier
from linkage.comparison import FormComparer
from linkage.comparison.sounds import consonant_skeleton
from linkage.comparison.words import name_letters
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from training.register_scoring import identity_probabilities

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LARGEST_BLOCK = 500
_LINKED = 0.05  # probability from which another name counts as a neighbour
_AT_ONCE = 100_000
_TREES = 200
_BOOSTER = {
    "objective": "binary", "num_leaves": 31, "learning_rate": 0.05, "min_data_in_leaf": 100,
    "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "num_threads": 1,
    "deterministic": True, "force_row_wise": True, "verbosity": -1, "max_bin": 127,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class ScoredNames:
    """A list of names with its candidate pairs (rows, left < right), their vectors and probabilities."""

    names: Sequence[str] = field(repr=False)
    clusters: Integers
    pairs: Integers
    values: npt.NDArray[np.float32]
    probability: Floats

    @property
    def truth(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.clusters[self.pairs[:, 0]] == self.clusters[self.pairs[:, 1]])


def name_pairs(names: Sequence[str]) -> Integers:
    """Pairs of names with a word alike: its opening, end, consonants, or letters with one left out; or the
    openings of two words. Keys that more than LARGEST_BLOCK names have are left out.
    """
    blocks: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(names):
        for key in _keys(sorted({name_letters(word) for word in name.split()} - {""})):
            blocks[key].append(row)
    found: set[tuple[int, int]] = set()
    for rows in blocks.values():
        if len(rows) <= LARGEST_BLOCK:
            found.update(combinations(rows, 2))
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)


def _keys(words: Sequence[str]) -> set[str]:
    keys = {f"b{a[:2]}|{b[:2]}" for a, b in combinations(words, 2)}
    for word in words:
        if len(word) > 2:
            keys.add(f"w{word}")
        if len(word) > 3:
            keys |= {f"s{consonant_skeleton(word)}", f"o{word[:5]}", f"e{word[-5:]}"}
        if len(word) > 4:
            keys.update(f"d{key}" for key in deletion_keys(word))
    return keys


def scored_names(
    names: Sequence[str],
    clusters: Integers,
    comparer: FormComparer,
    classifier: PairClassifier,
    gazetteer: Gazetteer,
) -> ScoredNames:
    pairs = name_pairs(names)
    known = comparer.prepare([parse_name(name, gazetteer) for name in names])
    values = np.concatenate(
        [
            comparer.vectors_at(known, *pairs[start : start + _AT_ONCE].T)
            for start in range(0, len(pairs), _AT_ONCE)
        ]
    )
    return ScoredNames(names, clusters, pairs, values, identity_probabilities(comparer, classifier, values))


@dataclass(frozen=True, slots=True)
class ClusterBoosters:
    """first: one for each list that was learned from; second: sees what the first ones say."""

    first: tuple[lightgbm.Booster, ...]
    second: lightgbm.Booster

    def probabilities(self, asked: ScoredNames) -> Floats:
        """How likely each pair is one person's, in [0, 1]."""
        inputs = in_context(asked)
        return _predicted(self.second, _again(asked, inputs, _mean(self.first, inputs)))


def fit_clusters(fitted: Sequence[ScoredNames], *, seed: int) -> ClusterBoosters:
    """Boosters for pairs of names of one list, from two or more lists whose clusters are known.

    The second booster learns from first scores of boosters that did not see the list (cross-fitting).
    """
    inputs = [in_context(one) for one in fitted]
    first = tuple(_fitted(found, one.truth, seed) for found, one in zip(inputs, fitted, strict=True))
    again = []
    for number, (one, found) in enumerate(zip(fitted, inputs, strict=True)):
        others = [booster for other, booster in enumerate(first) if other != number]
        again.append(_again(one, found, _mean(others, found)))
    truth = np.concatenate([one.truth for one in fitted])
    return ClusterBoosters(first, _fitted(np.concatenate(again), truth, seed))


def _fitted(inputs: Floats, truth: npt.NDArray[np.bool_], seed: int) -> lightgbm.Booster:
    return lightgbm.train({**_BOOSTER, "seed": seed}, lightgbm.Dataset(inputs, truth), _TREES)


def _predicted(booster: lightgbm.Booster, inputs: Floats) -> Floats:
    return np.asarray(booster.predict(inputs, num_threads=1), dtype=np.float64)


def _mean(boosters: Sequence[lightgbm.Booster], inputs: Floats) -> Floats:
    return np.asarray(np.mean([_predicted(booster, inputs) for booster in boosters], axis=0))


def _again(scored: ScoredNames, inputs: Floats, probability: Floats) -> Floats:
    return np.column_stack([inputs, probability, *_neighbours(scored, probability)])


def in_context(scored: ScoredNames) -> Floats:
    """Inputs of the first boosters, one row a pair: vector, log-odds, occurrences, common neighbours."""
    odds = np.log(scored.probability / (1 - scored.probability))
    return np.column_stack(
        [scored.values, odds, *_occurrences(scored), *_neighbours(scored, scored.probability)]
    )


def _occurrences(scored: ScoredNames) -> list[Floats]:
    """How often whole names and words occur, and what the words in common say by that."""
    left, right = scored.pairs.T
    words = [[name_letters(word) for word in name.split()] for name in scored.names]
    sets = [frozenset(found) for found in words]
    whole = Counter(" ".join(found) for found in words)
    holders = Counter(word for found in sets for word in found)
    weight = {word: float(np.log(len(words) / count)) for word, count in holders.items()}
    of_names = (
        np.array([whole[" ".join(found)] for found in words], dtype=np.float64),
        np.array([min((holders[w] for w in found), default=0) for found in sets], dtype=np.float64),
        np.array([max((holders[w] for w in found), default=0) for found in sets], dtype=np.float64),
        np.array([len(found) for found in words], dtype=np.float64),
    )
    columns: list[Floats] = []
    for column in of_names:
        columns += [np.minimum(column[left], column[right]), np.maximum(column[left], column[right])]
    common = [sets[a] & sets[b] for a, b in scored.pairs.tolist()]
    shared = np.array([sum(weight[w] for w in sorted(found)) for found in common])
    total = np.array([sum(weight[w] for w in sorted(found)) for found in sets])
    return [
        *columns,
        np.array([min((holders[w] for w in found), default=np.nan) for found in common], dtype=np.float64),
        shared,
        np.array([len(found) for found in common], dtype=np.float64),
        shared / np.maximum(np.minimum(total[left], total[right]), 1e-9),
        shared / np.maximum(np.maximum(total[left], total[right]), 1e-9),
    ]


def _neighbours(scored: ScoredNames, probability: Floats) -> list[Floats]:
    """How far both names are linked to the same others, to how many at all, and the gaps to the best one."""
    left, right = scored.pairs.T
    near = probability >= _LINKED
    rows, columns = np.r_[left[near], right[near]], np.r_[right[near], left[near]]
    size = len(scored.names)
    graph = sparse.csr_matrix((np.r_[probability[near], probability[near]], (rows, columns)), (size, size))
    degree = np.asarray(graph.sum(axis=1)).ravel()
    norm = np.sqrt(np.asarray(graph.multiply(graph).sum(axis=1)).ravel())
    best = graph.max(axis=1).toarray().ravel()
    common = np.empty(len(left))
    for start in range(0, len(left), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        common[part] = np.asarray(graph[left[part]].multiply(graph[right[part]]).sum(axis=1)).ravel()
    fewer, more = np.minimum(degree[left], degree[right]), np.maximum(degree[left], degree[right])
    return [
        common,
        common / np.maximum(norm[left] * norm[right], 1e-9),
        common / np.maximum(fewer, 1e-9),
        fewer,
        more,
        probability - np.minimum(best[left], best[right]),
        probability - np.maximum(best[left], best[right]),
    ]
