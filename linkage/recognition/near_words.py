"""Pairs of words that are few edits from each other, out of very many: words of like length are compared."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

MOST_EDITS: Final = 2
_CELLS: Final = 4_000_000  # distances held at a time, one byte each


def near_pairs(words: Sequence[str], others: Sequence[str]) -> list[tuple[int, int, int]]:
    """Place in words, place in others, and edits of all pairs at most MOST_EDITS apart, sorted by the places.

    Edits are those of optimal string alignment, 0 to MOST_EDITS. Memory does not grow with the product of the
    two lengths.
    """
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, other in enumerate(others):
        by_length[len(other)].append(place)
    rows_by_length: dict[int, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        rows_by_length[len(word)].append(place)
    found: list[tuple[int, int, int]] = []
    for length, rows in rows_by_length.items():
        like = range(length - MOST_EDITS, length + MOST_EDITS + 1)
        columns = [place for size in like for place in by_length.get(size, ())]
        if not columns:
            continue
        compared = [others[place] for place in columns]
        step = max(1, _CELLS // len(columns))
        for first in range(0, len(rows), step):
            part = rows[first : first + step]
            distances = process.cdist(
                [words[place] for place in part], compared, scorer=OSA.distance, score_cutoff=MOST_EDITS,
                dtype=np.uint8,
            )  # fmt: skip
            near_rows, near_columns = np.nonzero(distances <= MOST_EDITS)
            edits = distances[near_rows, near_columns].tolist()
            found += [
                (part[row], columns[column], edit)
                for row, column, edit in zip(near_rows.tolist(), near_columns.tolist(), edits, strict=True)
            ]
    found.sort()
    return found
