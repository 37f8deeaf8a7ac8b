"""Average linkage over scored pairs: no chain overrules evidence, and order does not matter."""

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

Merge = tuple[int, int, float]  # labels of two groups that joined, the first for both after it; their mean


def average_linkage(
    node_count: int,
    links: Mapping[tuple[int, int], float],
    apart: Collection[tuple[int, int]],
    *,
    threshold: float,
    unscored: float | None = 0.0,
    merges: list[Merge] | None = None,
) -> list[int]:
    """Group nodes 0..node_count-1; the label of a group is its smallest node.

    links maps (left, right) with left < right to a probability in [0, 1]; apart are pairs that must not
    meet. Two groups join, surest first, while the mean probability over the pairs between them reaches
    threshold (UPGMA; Sokal and Michener 1958). A pair without a probability counts as unscored; with
    unscored=None it is left out of the mean, so that it forbids nothing. Ties go by node number.

    merges, where it is given, gets the labels of each two groups that joined, with the mean.
    """
    members: dict[int, list[int]] = {node: [node] for node in range(node_count)}
    between: dict[int, dict[int, tuple[float, int]]] = defaultdict(dict)
    for (left, right), probability in links.items():
        between[left][right] = between[right][left] = (probability, 1)
    forbidden: dict[int, set[int]] = defaultdict(set)
    for left, right in apart:
        forbidden[left].add(right)
        forbidden[right].add(left)

    def mean(left: int, right: int) -> float:
        total, scored = between[left][right]
        pairs = len(members[left]) * len(members[right])
        if unscored is None:
            return total / scored
        return (total + unscored * (pairs - scored)) / pairs

    # Groups are named by their smallest node; born numbers tell entries of groups that have grown since.
    born = dict.fromkeys(members, 0)
    waiting = [
        (-mean(left, right), left, right, 0, 0)
        for left in between
        for right in between[left]
        if left < right and right not in forbidden[left]
    ]
    heapq.heapify(waiting)
    while waiting:
        negative, left, right, left_born, right_born = heapq.heappop(waiting)
        if -negative < threshold:
            break
        if born.get(left) != left_born or born.get(right) != right_born:
            continue
        if merges is not None:
            merges.append((left, right, -negative))
        members[left] += members.pop(right)
        del born[right]
        born[left] += 1
        for other in forbidden.pop(right, ()):
            forbidden[left].add(other)
            forbidden[other].discard(right)
            forbidden[other].add(left)
        for other, (total, scored) in between.pop(right).items():
            del between[other][right]
            if other == left:
                continue
            old_total, old_scored = between[left].get(other, (0.0, 0))
            between[left][other] = between[other][left] = (old_total + total, old_scored + scored)
        for other in between[left]:
            if other in forbidden[left]:
                continue
            first, second = min(left, other), max(left, other)
            heapq.heappush(waiting, (-mean(first, second), first, second, born[first], born[second]))
    labels = [0] * node_count
    for group in members.values():
        label = min(group)
        for node in group:
            labels[node] = label
    return labels


def group_with_doubt(
    node_count: int,
    links: Mapping[tuple[int, int], float],
    apart: Collection[tuple[int, int]],
    *,
    link_threshold: float,
    review_threshold: float,
    margin: float,
    merges: list[Merge] | None = None,
) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """Groups as average_linkage makes them, with the nodes that fit two groups equally well taken out.

    Returns the labels and, for each node in doubt, the labels of the groups it may belong to. A node is in
    doubt when it is linked to a second group, by at most margin of log-odds less surely than to its own, and
    the two groups stand apart by evidence: without that second link it would just be a looser member. How
    much surer than _SURE a likeness is says nothing: Bert may be Robert, however like Albert it is.

    merges, where it is given, gets the joins of the groups, as average_linkage tells them.
    """
    if not links:
        return list(range(node_count)), {}
    labels = average_linkage(node_count, links, apart, threshold=link_threshold, merges=merges)
    neighbours: dict[int, dict[int, float]] = defaultdict(dict)
    for (left, right), probability in links.items():
        neighbours[left][right] = neighbours[right][left] = probability
    enemies: dict[int, set[int]] = defaultdict(set)
    for left, right in apart:
        enemies[left].add(right)
        enemies[right].add(left)
    groups = _groups(labels)
    in_doubt: set[int] = set()
    for node in range(node_count):
        own = [other for other in groups[labels[node]] if other != node]
        if not own:
            continue
        own_mean = _mean(neighbours[node], own)
        own_odds = _log_odds(own_mean if own_mean > _EQUAL else min(own_mean, _SURE))
        for label in sorted({labels[other] for other in neighbours[node]} - {labels[node]}):
            rival = groups[label]
            if enemies[node] & set(rival):
                continue
            rival_mean = _mean(neighbours[node], rival)
            if (
                rival_mean >= link_threshold
                and _log_odds(rival_mean) >= own_odds - margin
                and _stand_apart(own, rival, neighbours, enemies, review_threshold)
            ):
                in_doubt.add(node)
                break
    if not in_doubt:
        return labels, {}
    kept_links = {pair: p for pair, p in links.items() if not in_doubt & set(pair)}
    if merges is not None:
        merges.clear()
    labels = average_linkage(node_count, kept_links, apart, threshold=link_threshold, merges=merges)
    groups = _groups(labels)
    candidates: dict[int, tuple[int, ...]] = {}
    for node in sorted(in_doubt):
        near = {labels[other] for other in neighbours[node] if other not in in_doubt}
        fitting = {
            label: _mean(neighbours[node], groups[label])
            for label in near
            if not enemies[node] & set(groups[label])
        }
        candidates[node] = tuple(sorted(label for label, mean in fitting.items() if mean >= review_threshold))
    return labels, candidates


_SURE = 0.97
_EQUAL = 0.99  # no likeness of two different names is as sure


def _log_odds(probability: float) -> float:
    within = min(0.999, max(0.001, probability))
    return math.log(within / (1 - within))


def _groups(labels: Iterable[int]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for node, label in enumerate(labels):
        groups[label].append(node)
    return groups


def _mean(probabilities: Mapping[int, float], nodes: Collection[int]) -> float:
    return sum(probabilities.get(node, 0.0) for node in nodes) / len(nodes)


def _stand_apart(
    left: Collection[int],
    right: Collection[int],
    neighbours: Mapping[int, Mapping[int, float]],
    enemies: Mapping[int, Collection[int]],
    review_threshold: float,
) -> bool:
    """Whether evidence speaks against one person: a forbidden pair, or a mean below review_threshold."""
    total = 0.0
    for node in left:
        if any(other in enemies[node] for other in right):
            return True
        total += sum(neighbours[node].get(other, 0.0) for other in right)
    return total / (len(left) * len(right)) < review_threshold
