"""Scoring whole registers: gap to the best rival, one-to-one matching, average linkage, pair F1."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy.cluster import hierarchy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from linkage.classifier import PairClassifier
from linkage.comparison import FormComparer
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName
from training.form_training import cluster_candidates, febrl_candidates
from training.register_pairs import ClusteredNames, Register

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


LONE_GIVEN = 0.02  # how often two people of one file who share a given name are one person, at most


@dataclass(frozen=True, slots=True, eq=False)
class RegisterScores:
    """Scored pairs of a register; with_margin also weighs how far each is above its best rival."""

    left: list[int]
    right: list[int]
    probability: Floats
    with_margin: Floats


def margin_scores(
    comparer: FormComparer, classifier: PairClassifier, register: Register, rows: Integers
) -> RegisterScores:
    """All pairs of the rows with all right records that the cheap filter keeps."""
    names: list[PersonName] = [*register.left, *register.right]
    known = comparer.prepare(names)
    right_rows = np.arange(len(register.right)) + len(register.left)
    lefts: list[Integers] = []
    rights: list[Integers] = []
    for row in rows.tolist():
        left = np.full(len(right_rows), row)
        kept = comparer.cheap_filter(known, left, right_rows)
        lefts.append(left[kept])
        rights.append(right_rows[kept])
    left, right = np.concatenate(lefts), np.concatenate(rights)
    probability = np.empty(len(left))
    for start in range(0, len(left), 200_000):
        part = slice(start, start + 200_000)
        values = comparer.vectors_at(known, left[part], right[part])
        probability[part] = identity_probabilities(comparer, classifier, values)
    shifted = right - len(register.left)
    return RegisterScores(
        left.tolist(), shifted.tolist(), probability, with_margin(left, shifted, probability)
    )


def identity_probabilities(
    comparer: FormComparer, classifier: PairClassifier, values: npt.NDArray[np.float32]
) -> Floats:
    """Probability that two records are one person: equal given names alone say little about that."""
    probability = classifier.match_probabilities(values, comparer.feature_names)
    lone_given = np.isnan(values[:, comparer.feature_names.index("surname_levenshtein")])
    lone_given &= ~np.isnan(values[:, comparer.feature_names.index("given_levenshtein")])
    return np.where(lone_given, probability * LONE_GIVEN, probability)


MOST_CANDIDATES = 80  # right records looked at for each left one
_ROUNDS = 20
_NO_PARTNER = 0.5  # odds that a record has no partner at all


def register_matches(
    comparer: FormComparer, classifier: PairClassifier, register: Register, *, seed: int
) -> tuple[Integers, npt.NDArray[np.bool_], Floats]:
    """Pairs of a register, whether each is true, and how surely it is, learned from the other left records.

    A second booster is fitted to the left records that are not held out: beside the vector and the
    probability of a pair it sees what only the register knows, its rivals and how often each part occurs.
    Each record has one partner at most, which the scores of all pairs are then made to agree with. Scores of
    the left records that it learned from come from boosters that did not see them.
    """
    pairs = febrl_candidates(register, range(len(register.left)), most=MOST_CANDIDATES)
    left, right = pairs[:, 0], pairs[:, 1]
    known = comparer.prepare([*register.left, *register.right])
    values = comparer.vectors_at(known, left, right + len(register.left))
    probability = identity_probabilities(comparer, classifier, values)
    odds = np.log(probability / (1 - probability))
    inputs = np.column_stack(
        [
            values,
            odds,
            odds - _best_other(left, odds),
            odds - _best_other(right, odds),
            _one_to_one(left, right, odds),
            _occurrences(register, left, right),
        ]
    )
    truth = np.array([pair in register.truth for pair in zip(left.tolist(), right.tolist(), strict=True)])
    held_out = register.held_out[left]
    fold = np.where(held_out, _FOLDS, left % _FOLDS)
    scores = np.empty(len(pairs))
    for number in range(_FOLDS + 1):
        learned = ~held_out & (fold != number)
        booster = lightgbm.train(
            {**_REGISTER_BOOSTER, "seed": seed}, lightgbm.Dataset(inputs[learned], truth[learned]), _TREES
        )
        asked = fold == number
        scores[asked] = booster.predict(inputs[asked], raw_score=True, num_threads=1)
    return pairs, truth, _one_to_one(left, right, scores)


_FOLDS, _TREES = 3, 250
_REGISTER_BOOSTER = {
    "objective": "binary", "num_leaves": 15, "learning_rate": 0.04, "min_data_in_leaf": 40,
    "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "num_threads": 1,
    "deterministic": True, "force_row_wise": True, "verbosity": -1, "max_bin": 127,
}  # fmt: skip


def _one_to_one(left: Integers, right: Integers, odds: Floats) -> Floats:
    """Log-odds of pairs where every record has one partner or none (Sinkhorn and Knopp 1967)."""
    weight = np.exp(np.clip(odds, -30, 30))
    rows, columns = int(left.max()) + 1, int(right.max()) + 1
    of_left, of_right = np.ones(rows), np.ones(columns)
    for _ in range(_ROUNDS):
        of_left = 1 / (_NO_PARTNER + np.bincount(left, weight * of_right[right], minlength=rows))
        of_right = 1 / (_NO_PARTNER + np.bincount(right, weight * of_left[left], minlength=columns))
    return np.asarray(np.log(weight * of_left[left] * of_right[right] + 1e-12))


def _occurrences(register: Register, left: Integers, right: Integers) -> Floats:
    """How often the rarer and the commoner given name and surname of a pair occur in the register."""
    columns: list[Floats] = []
    for part in ("given", "family"):
        counts = Counter(getattr(name, part) for name in (*register.left, *register.right))
        of_left = np.array([counts[getattr(name, part)] for name in register.left], dtype=np.float64)[left]
        of_right = np.array([counts[getattr(name, part)] for name in register.right], dtype=np.float64)[right]
        columns += [np.minimum(of_left, of_right), np.maximum(of_left, of_right)]
    return np.column_stack(columns)


def with_margin(left: Integers, right: Integers, probability: Floats) -> Floats:
    """Log-odds lessened by the best other pair of either row: who fits two people fits none for sure."""
    odds = np.log(probability / (1 - probability))
    rival = np.maximum(_best_other(left, odds), _best_other(right, odds))
    return odds - np.logaddexp(0.0, rival)


def _best_other(rows: Integers, odds: Floats) -> Floats:
    """For each pair, the highest odds among the other pairs of the same row; very low where there is none."""
    order = np.lexsort((-odds, rows))
    sorted_rows, sorted_odds = rows[order], odds[order]
    is_first = np.r_[True, sorted_rows[1:] != sorted_rows[:-1]]
    starts = np.flatnonzero(is_first)
    group = np.cumsum(is_first) - 1
    counts = np.diff(np.r_[starts, len(rows)])
    best = sorted_odds[starts]
    second = np.where(counts > 1, sorted_odds[np.minimum(starts + 1, len(rows) - 1)], -20.0)
    result = np.empty(len(rows))
    result[order] = np.where(is_first, second[group], best[group])
    return result


def best_f1(truth: npt.NDArray[np.bool_], score: Floats, matches: int) -> tuple[float, float]:
    """Highest F1 over all thresholds and that threshold; matches counts also those that were never scored."""
    order = np.argsort(-score, kind="stable")
    found = np.cumsum(truth[order])
    f1 = 2 * found / (np.arange(1, len(order) + 1) + matches)
    # A threshold cannot part equal scores.
    last_of_equal = np.r_[np.diff(score[order]) != 0, True]
    best = int(np.argmax(np.where(last_of_equal, f1, 0)))
    return float(f1[best]), float(score[order][best])


def score_names(
    names: Sequence[str], comparer: FormComparer, classifier: PairClassifier, gazetteer: Gazetteer
) -> tuple[Integers, Floats]:
    """Candidate pairs (rows) of a list of names against itself, and their probabilities."""
    numbers = np.zeros(len(names), dtype=np.int64)
    block = ClusteredNames(names, (), (), numbers, np.ones(len(names), dtype=bool))
    pairs = cluster_candidates(block, np.arange(len(names)))
    parsed = [parse_name(name, gazetteer) for name in names]
    known = comparer.prepare(parsed)
    kept = comparer.cheap_filter(known, pairs[:, 0], pairs[:, 1])
    pairs = pairs[kept]
    probability = np.empty(len(pairs))
    for start in range(0, len(pairs), 200_000):
        part = pairs[start : start + 200_000]
        values = comparer.vectors_at(known, part[:, 0], part[:, 1])
        probability[start : start + 200_000] = identity_probabilities(comparer, classifier, values)
    return pairs, probability


def average_linkage(count: int, pairs: Integers, probability: Floats, cut: float) -> Integers:
    """Average linkage inside the components of pairs above 0.1; pairs never scored count as 0."""
    kept = probability >= 0.1
    a, b, p = pairs[kept, 0], pairs[kept, 1], probability[kept]
    _, component = connected_components(coo_matrix((p, (a, b)), shape=(count, count)), directed=False)
    members: dict[int, list[int]] = defaultdict(list)
    for row, number in enumerate(component.tolist()):
        members[number].append(row)
    place = {row: i for rows in members.values() for i, row in enumerate(rows)}
    scored: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    for x, y, chance in zip(a.tolist(), b.tolist(), p.tolist(), strict=True):
        scored[int(component[x])].append((place[x], place[y], chance))
    result = np.zeros(count, dtype=np.int64)
    following = 0
    for number, rows in members.items():
        if len(rows) == 1:
            result[rows[0]] = following
            following += 1
            continue
        distance = np.ones((len(rows), len(rows)))
        np.fill_diagonal(distance, 0)
        for x, y, chance in scored[number]:
            distance[x, y] = distance[y, x] = 1 - chance
        labels = hierarchy.fcluster(hierarchy.linkage(squareform(distance), "average"), 1 - cut, "distance")
        for row, label in zip(rows, labels.tolist(), strict=True):
            result[row] = following + label
        following += int(labels.max()) + 1
    return result
