"""Pairs of items that share a key, each once, streamed in batches of bounded size."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy import sparse

Indexes = npt.NDArray[np.int64]


def divided_keys(
    keys_of: Sequence[Iterable[str]],
    further_keys: Sequence[Callable[[int], Iterable[str]]],
    *,
    max_block_size: int,
) -> list[list[str]]:
    """The keys that every item has with others, where those of more than max_block_size items are divided.

    further_keys are tried in turn, each a function from an item's index to its values; an item with several
    stands in several parts, one with none in the part of those without. A block that is still too large after
    the last stays as it is: no pair is dropped.
    """
    every = [dict.fromkeys(found) for found in keys_of]
    sizes = Counter(chain.from_iterable(every))
    keys = [[key for key in found if sizes[key] > 1] for found in every]
    large = {key for key, size in sizes.items() if size > max_block_size}
    for further in further_keys:
        if not large:
            break
        sizes = Counter()
        for index, found in enumerate(keys):
            if not large.isdisjoint(found):
                values = tuple(further(index)) or ("",)
                parts = [f"{key}\x1f{value}" for key in found if key in large for value in values]
                keys[index] = [*(key for key in found if key not in large), *parts]
                sizes.update(parts)
        large = {key for key, size in sizes.items() if size > max_block_size}
    return keys


def sharing_pairs(
    keys_of: Sequence[Iterable[str]], *, batch_pairs: int = 2_000_000
) -> Iterator[tuple[Indexes, Indexes]]:
    """Batches of (left, right) index arrays, left < right: all pairs of items that share a key, each once.

    A batch holds about batch_pairs pairs before repeats are taken out, more only where one item has more.
    """
    numbers: dict[str, int] = {}
    columns: list[int] = []
    starts = [0]
    for found in keys_of:
        columns.extend({numbers.setdefault(key, len(numbers)) for key in found})
        starts.append(len(columns))
    if not columns:
        return
    ones = np.ones(len(columns), dtype=np.int32)
    by_item = sparse.csr_matrix(
        (ones, np.asarray(columns, dtype=np.int32), np.asarray(starts, dtype=np.int64)),
        shape=(len(starts) - 1, len(numbers)),
    )
    by_key = by_item.T.tocsr()
    block_sizes = np.diff(by_key.indptr)
    cost = np.asarray(by_item @ block_sizes.astype(np.int64)).ravel()
    for start, stop in _slices(cost, batch_pairs):
        shared = (by_item[start:stop] @ by_key).tocoo()
        left = shared.row.astype(np.int64) + start
        right = shared.col.astype(np.int64)
        upper = left < right
        if upper.any():
            yield left[upper], right[upper]


def _slices(cost: Indexes, batch_pairs: int) -> Iterator[tuple[int, int]]:
    start, total = 0, 0
    for index, more in enumerate(cost):
        if total and total + more > batch_pairs:
            yield start, index
            start, total = index, 0
        total += int(more)
    if start < len(cost):
        yield start, len(cost)


def rarest_keys(
    keys_of: Sequence[Sequence[str]], count: int, beyond: Mapping[str, int] | None = None
) -> list[tuple[str, ...]]:
    """The count keys of every item that the fewest items have. beyond: how many of a larger corpus."""
    sizes = Counter(key for found in keys_of for key in found)
    if beyond is not None:
        sizes |= Counter(beyond)
    return [tuple(sorted(found, key=lambda key: (sizes[key], key))[:count]) for found in keys_of]


def composite_pairs(
    first: Sequence[Iterable[int]],
    second: Sequence[Iterable[int]],
    similar_first: dict[int, list[int]],
    similar_second: dict[int, list[int]],
    *,
    batch_items: int = 20_000,
) -> Iterator[tuple[Indexes, Indexes]]:
    """Pairs of items that are alike in both of two parts: equal, or named in the similar_ mappings.

    first and second hold the part numbers of every item, of which it may have several. Only combinations that
    occur are looked at, so that a frequent surname is divided by the given name and no block is too large.
    """
    holders: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (firsts, seconds) in enumerate(zip(first, second, strict=True)):
        for a in firsts:
            for b in seconds:
                holders[a, b].append(index)
    seconds_of: dict[int, set[int]] = defaultdict(set)
    for a, b in holders:
        seconds_of[a].add(b)
    left: list[int] = []
    right: list[int] = []
    for index, (firsts, seconds) in enumerate(zip(first, second, strict=True)):
        near: set[int] = set()
        wanted = {n for b in seconds for n in (b, *similar_second.get(b, ()))}
        for a in firsts:
            for similar in (a, *similar_first.get(a, ())):
                for b in wanted & seconds_of.get(similar, set()):
                    near.update(holders[similar, b])
        near.discard(index)
        later = [other for other in near if other > index]
        left.extend([index] * len(later))
        right.extend(later)
        if len(left) >= batch_items * 50:
            yield np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
            left, right = [], []
    if left:
        yield np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)


def meeting_pairs(
    holders_of: Sequence[Iterable[int]],
    similar: Mapping[int, Sequence[int]],
    *,
    largest: int,
    batch_pairs: int = 2_000_000,
) -> Iterator[tuple[Indexes, Indexes]]:
    """Pairs of items, left < right, of which one holds a part and the other one like it.

    holders_of: the part numbers of every item. similar: part number -> parts like it, symmetric. Two parts
    that would make more than largest pairs make none: what is so frequent says too little by itself. A pair
    may come twice.
    """
    items = [(part, index) for index, parts in enumerate(holders_of) for part in set(parts)]
    edges = [(a, b) for a, others in similar.items() for b in others if a < b]
    if not items or not edges:
        return
    held = np.asarray(sorted(items), dtype=np.int64)
    first, second = np.asarray(edges, dtype=np.int64).T
    starts = np.searchsorted(held[:, 0], np.arange(int(max(held[-1, 0], first.max(), second.max())) + 2))
    counts = np.diff(starts)
    sizes = counts[first] * counts[second]
    kept = np.flatnonzero((sizes > 0) & (sizes <= largest))
    first, second, sizes = first[kept], second[kept], sizes[kept]
    for start, stop in _slices(sizes, batch_pairs):
        size = sizes[start:stop]
        place = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        across = np.repeat(counts[second[start:stop]], size)
        one = held[np.repeat(starts[first[start:stop]], size) + place // across, 1]
        other = held[np.repeat(starts[second[start:stop]], size) + place % across, 1]
        differs = one != other
        yield np.minimum(one, other)[differs], np.maximum(one, other)[differs]
