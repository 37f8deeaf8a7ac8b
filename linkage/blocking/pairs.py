"""Pairs of items that share a key, each once, streamed in batches of bounded size."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

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
    """The keys of every item, where keys of more than max_block_size items are divided by further ones.

    further_keys are tried in turn, each a function from an item's index to its values; an item with several
    stands in several parts, one with none in the part of those without. A block that is still too large after
    the last stays as it is: no pair is dropped.
    """
    keys = [list(dict.fromkeys(found)) for found in keys_of]
    for further in further_keys:
        sizes = Counter(key for found in keys for key in found)
        if max(sizes.values(), default=0) <= max_block_size:
            break
        for index, found in enumerate(keys):
            if any(sizes[key] > max_block_size for key in found):
                values = tuple(further(index)) or ("",)
                keys[index] = [
                    part
                    for key in found
                    for part in ([key] if sizes[key] <= max_block_size else [f"{key}\x1f{v}" for v in values])
                ]
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


def rarest_keys(keys_of: Sequence[Sequence[str]], count: int) -> list[tuple[str, ...]]:
    """The count keys of every item that the fewest items have."""
    sizes = Counter(key for found in keys_of for key in found)
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
