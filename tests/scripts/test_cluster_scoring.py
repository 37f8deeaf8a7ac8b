"""What a list of names tells beyond two names, and that clusters learned from are not those of the test."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.cluster_scoring import (
    ScoredNames,
    fit_clusters,
    in_context,
    name_pairs,
    scored_names,
)
from training.form_training import CLUSTERS, cluster_draw, drawn_clusters
from training.measurements import free_lists
from training.register_pairs import ClusteredNames

from linkage.classifier import PairClassifier
from linkage.comparison import FEATURES, FormComparer
from linkage.gazetteer import Gazetteer

NAMES = ["fenna qarstra", "fenna qarsrta", "inge qarstra", "willem zolmans", "wim zolmans", "truus tak"]


@pytest.fixture(scope="module")
def scored() -> ScoredNames:
    gazetteer = Gazetteer.load()
    clusters = np.array([0, 0, 1, 2, 2, 3])
    return scored_names(NAMES, clusters, FormComparer.load(gazetteer), PairClassifier.load(), gazetteer)


def test_names_with_a_word_alike_are_pairs_once_and_in_order() -> None:
    pairs = [tuple(pair) for pair in name_pairs(NAMES).tolist()]
    assert pairs == sorted(set(pairs))
    assert {(0, 1), (0, 2), (3, 4)} <= set(pairs)
    assert all(left < right for left, right in pairs)
    assert not any(5 in pair for pair in pairs)
    assert name_pairs(["truus tak", "inge zolm"]).shape == (0, 2)


@given(st.permutations(range(len(NAMES))))
def test_pairs_do_not_depend_on_order(order: list[int]) -> None:
    found = {frozenset((order[a], order[b])) for a, b in name_pairs([NAMES[n] for n in order]).tolist()}
    assert found == {frozenset(pair) for pair in name_pairs(NAMES).tolist()}


def test_context_counts_words_and_common_neighbours(scored: ScoredNames) -> None:
    assert scored.truth.sum() == 2
    context = in_context(scored)
    assert len(context) == len(scored.pairs)
    columns = context[:, len(FEATURES) :]
    assert np.isfinite(columns[:, 0]).all()
    row = [tuple(pair) for pair in scored.pairs.tolist()].index((0, 2))
    of_names, rarest_common, common_words = columns[row, 1:9], columns[row, 9], columns[row, 11]
    assert of_names.tolist() == [
        1,
        1,
        1,
        2,
        2,
        2,
        2,
        2,
    ]  # names once; "inge" once, other words twice; two words
    assert (rarest_common, common_words) == (2, 1)
    graph = np.zeros((len(NAMES), len(NAMES)))
    for (left, right), probability in zip(scored.pairs.tolist(), scored.probability.tolist(), strict=True):
        graph[left, right] = graph[right, left] = probability if probability >= 0.05 else 0
    for (left, right), common in zip(scored.pairs.tolist(), columns[:, -7].tolist(), strict=True):
        assert common == pytest.approx((graph[left] * graph[right]).sum())


def _list(seed: int) -> ScoredNames:
    random = np.random.default_rng(seed)
    count = 60
    pairs = np.array(list(combinations(range(count), 2)))
    clusters = np.arange(count) // 4
    truth = clusters[pairs[:, 0]] == clusters[pairs[:, 1]]
    values = np.zeros((len(pairs), len(FEATURES)), dtype=np.float32)
    probability = np.clip(truth * 0.4 + random.random(len(pairs)) * 0.5, 0.01, 0.99)
    letters = ["".join(random.choice(list("abcdefgh"), 6)) for _ in range(count)]
    return ScoredNames(letters, clusters, pairs, values, probability)


def test_boosters_learn_from_lists_and_judge_another() -> None:
    boosters = fit_clusters([_list(1), _list(2)], seed=1)
    asked = _list(3)
    found = boosters.probabilities(asked)
    assert found.shape == (len(asked.pairs),)
    assert ((found >= 0) & (found <= 1)).all()
    plain = asked.probability[asked.truth].mean() - asked.probability[~asked.truth].mean()
    assert found[asked.truth].mean() - found[~asked.truth].mean() > plain


def test_clusters_to_learn_from_are_never_of_the_test() -> None:
    clusters = np.repeat(np.arange(40), 2)
    names = ClusteredNames([""] * 80, [None] * 80, [None] * 80, clusters, clusters < 15)
    drawn = drawn_clusters(names, 20, np.random.default_rng(1))
    assert len(set(drawn.tolist())) == 20
    assert drawn.min() >= 15


@pytest.mark.parametrize(("seed", "quick"), [(1, False), (7, False), (7, True)])
def test_lists_for_the_cluster_boosters_are_free_of_what_trained_this_classifier(
    seed: int, quick: bool
) -> None:
    clusters = np.arange(3_000)
    names = ClusteredNames([""] * 3_000, [None] * 3_000, [None] * 3_000, clusters, clusters < 800)
    shipped = PairClassifier.load()
    shipped.training = {**shipped.training, "seed": seed, "quick": quick}
    lists = free_lists(names, shipped, size=200)
    assert [len(found) for found in lists] == [200] * 3
    taken = {int(one) for found in lists for one in found}
    assert len(taken) == 600
    assert min(taken) >= 800
    for part in CLUSTERS:
        count, drawn_with = cluster_draw(part, seed=seed, quick=quick)
        assert not taken & set(drawn_clusters(names, count, np.random.default_rng(drawn_with)).tolist())
