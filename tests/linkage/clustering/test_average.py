"""Average linkage: a partition that ignores order and keeps apart what must stay apart."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.clustering.average import average_linkage, group_with_doubt

Pairs = dict[tuple[int, int], float]


@st.composite
def scored_nodes(draw: st.DrawFn) -> tuple[int, Pairs, set[tuple[int, int]]]:
    count = draw(st.integers(1, 7))
    pairs = list(combinations(range(count), 2))
    links = {pair: draw(st.floats(0.0, 1.0)) for pair in pairs if draw(st.booleans())}
    apart = {pair for pair in pairs if draw(st.integers(0, 4)) == 0}
    return count, links, apart


def slow_average_linkage(
    count: int, links: Pairs, apart: set[tuple[int, int]], threshold: float
) -> list[int]:
    """The obvious version: look at all pairs of groups again after every join."""
    groups = [[node] for node in range(count)]

    def mean(a: list[int], b: list[int]) -> float:
        return sum(links.get((min(x, y), max(x, y)), 0.0) for x in a for y in b) / (len(a) * len(b))

    def forbidden(a: list[int], b: list[int]) -> bool:
        return any((min(x, y), max(x, y)) in apart for x in a for y in b)

    while True:
        possible = [
            (-mean(a, b), min(a), min(b))
            for a, b in combinations(sorted(groups, key=min), 2)
            if not forbidden(a, b) and mean(a, b) >= threshold
        ]
        if not possible:
            break
        _, first, second = min(possible)
        left = next(group for group in groups if min(group) == first)
        right = next(group for group in groups if min(group) == second)
        groups.remove(right)
        left += right
    return [min(group) for node in range(count) for group in groups if node in group]


@given(scored_nodes())
def test_equals_the_obvious_version(scored: tuple[int, Pairs, set[tuple[int, int]]]) -> None:
    count, links, apart = scored
    rounded = {pair: round(p, 2) for pair, p in links.items()}
    found = average_linkage(count, rounded, apart, threshold=0.5)
    if len(set(rounded.values())) == len(rounded):  # ties of means may fall either way by rounding
        assert found == slow_average_linkage(count, rounded, apart, 0.5)


@given(scored_nodes())
def test_never_joins_what_stands_apart(scored: tuple[int, Pairs, set[tuple[int, int]]]) -> None:
    count, links, apart = scored
    labels = average_linkage(count, links, apart, threshold=0.3)
    assert len(labels) == count
    assert all(labels[label] == label for label in labels)
    assert all(labels[left] != labels[right] for left, right in apart)


@given(scored_nodes(), st.data())
def test_order_of_links_is_ignored(
    scored: tuple[int, Pairs, set[tuple[int, int]]], data: st.DataObject
) -> None:
    count, links, apart = scored
    shuffled = dict(data.draw(st.permutations(list(links.items()))))
    assert average_linkage(count, shuffled, apart, threshold=0.4) == average_linkage(
        count, links, apart, threshold=0.4
    )


def test_a_chain_does_not_overrule_evidence() -> None:
    links = {(0, 1): 0.95, (1, 2): 0.94}
    assert average_linkage(3, links, {(0, 2)}, threshold=0.8) == [0, 0, 2]


def test_an_unscored_pair_forbids_nothing_when_it_is_left_out() -> None:
    links = {(0, 1): 0.9, (1, 2): 0.9}
    assert average_linkage(3, links, (), threshold=0.8, unscored=None) == [0, 0, 0]
    assert average_linkage(3, links, (), threshold=0.8) == [0, 0, 2]


def test_a_node_between_two_people_is_in_doubt() -> None:
    links = {(0, 1): 0.9, (1, 2): 0.9}
    labels, doubtful = group_with_doubt(
        3, links, {(0, 2)}, link_threshold=0.8, review_threshold=0.3, margin=2.5
    )
    assert doubtful == {1: (0, 2)}
    assert len(set(labels)) == 3


@pytest.mark.parametrize(("first", "second"), [(0.92, 0.988), (0.81, 0.988), (0.988, 0.922)])
def test_however_much_more_a_name_looks_like_another_it_may_be_either(first: float, second: float) -> None:
    links = {(0, 1): first, (1, 2): second}
    _, doubtful = group_with_doubt(3, links, {(0, 2)}, link_threshold=0.8, review_threshold=0.3, margin=2.5)
    assert doubtful == {1: (0, 2)}


def test_equal_names_are_not_in_doubt_for_a_name_that_is_only_alike() -> None:
    links = {(0, 1): 1.0, (1, 2): 0.95}
    _, doubtful = group_with_doubt(3, links, {(0, 2)}, link_threshold=0.8, review_threshold=0.3, margin=2.5)
    assert not doubtful


@pytest.mark.parametrize("second", [0.6, 0.7])
def test_a_clearly_weaker_second_link_leaves_no_doubt(second: float) -> None:
    links = {(0, 1): 0.97, (1, 2): second}
    _, doubtful = group_with_doubt(3, links, {(0, 2)}, link_threshold=0.5, review_threshold=0.3, margin=2.5)
    assert not doubtful


def test_merges_tell_how_groups_came_together_and_cut_anywhere_give_the_groups_of_that_threshold() -> None:
    links = {(0, 1): 0.9, (1, 2): 0.8, (0, 2): 0.4, (3, 4): 0.7, (2, 3): 0.2}
    merges: list[tuple[int, int, float]] = []
    average_linkage(5, links, {(0, 4)}, threshold=0.0, merges=merges)
    assert [(a, b, round(mean, 3)) for a, b, mean in merges] == [(0, 1, 0.9), (3, 4, 0.7), (0, 2, 0.6)]
    for threshold in (0.0, 0.5, 0.65, 0.75, 0.95):
        label = list(range(5))
        for left, right, mean in merges:
            if mean >= threshold:
                label = [left if at == right else at for at in label]
        assert label == average_linkage(5, links, {(0, 4)}, threshold=threshold)


def test_merges_are_those_of_the_groups_without_the_nodes_in_doubt() -> None:
    links = {(0, 1): 0.9, (1, 2): 0.9}
    merges: list[tuple[int, int, float]] = []
    _, doubtful = group_with_doubt(
        3, links, {(0, 2)}, link_threshold=0.8, review_threshold=0.3, margin=2.5, merges=merges
    )
    assert (list(doubtful), merges) == ([1], [])
