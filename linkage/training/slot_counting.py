"""Counting the table of linkage.recognition.name_slots from texts with marked names."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from linkage.evaluation.gold import GoldDocument
from linkage.pieces import CutText
from linkage.recognition.name_slots import slot_keys, token_places
from linkage.training.numbers import numbers

_TEXT_END = "¶¶"
_LEAST_COUNT = 3

Counts = dict[str, list[int]]  # key -> [places without a name, places with one]


def count_slots(golds: Sequence[GoldDocument]) -> Counts:
    """How often a name begins or ends beside each token and pair, and how often another capital does."""
    counts: Counts = defaultdict(lambda: [0, 0])
    for gold in golds:
        text = gold.document.text
        places = list(token_places(CutText.of(text)))
        keys = [_TEXT_END, _TEXT_END, *(key for _, _, key in places), _TEXT_END, _TEXT_END]
        starts = {mention.span.start for mention in gold.mentions}
        ends = {mention.span.end for mention in gold.mentions}
        inside = {place for m in gold.mentions for place in range(m.span.start, m.span.end)}
        for index, (start, end, _) in enumerate(places):
            if not text[start].isalpha():
                continue
            other = text[start].isupper() and start not in inside
            # keys[index + 2] is this token: two marks of the text's end stand before and behind the tokens.
            left, right = (keys[index + 1], keys[index]), (keys[index + 3], keys[index + 4])
            for side, is_name, around in (("L", start in starts, left), ("R", end in ends, right)):
                if not (is_name or other):
                    continue
                nearest, next_nearest = around
                alone, both = slot_keys(side, text[start], nearest=nearest, next_nearest=next_nearest)
                for key in (alone[:2], alone, both):
                    counts[key][is_name] += 1
    return dict(counts)


def slot_table(counts: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Log-odds against the mean of the same side and case; rare tokens, and pairs that add little, are left
    out."""
    table: dict[str, float] = {}
    for key, (without, with_name) in counts.items():
        if len(key.split(" ")) != 2 or without + with_name < _LEAST_COUNT:
            continue
        table[key] = round(_log_odds(_share(counts, key)) - _log_odds(_share(counts, key[:2])), 2)
    for key, (without, with_name) in counts.items():
        if len(key.split(" ")) != 3 or without + with_name < _LEAST_COUNT:
            continue
        score = round(_log_odds(_share(counts, key)) - _log_odds(_share(counts, key[:2])), 2)
        if abs(score - table.get(key.rsplit(" ", 1)[0], 0.0)) >= numbers("slots")["least_gain"]:
            table[key] = score
    return {key: table[key] for key in sorted(table)}


def slots_as_text(table: Mapping[str, float]) -> str:
    """The table as the gazetteer reads it, with a head."""
    return "slot\tlog_odds\n" + "".join(f"{key}\t{score}\n" for key, score in table.items())


class FoldedSlots:
    """Tables of name slots that leave out the texts of some folds, so that no text is scored by itself."""

    def __init__(self, golds: Sequence[GoldDocument], *, folds: int, fold_of: Callable[[str], int]) -> None:
        """fold_of: the fold of a document by its id, from 0 to folds - 1."""
        parts: list[list[GoldDocument]] = [[] for _ in range(folds)]
        for gold in golds:
            parts[fold_of(gold.document.doc_id)].append(gold)
        self._counts = [count_slots(part) for part in parts]
        self._tables: dict[frozenset[int], Mapping[str, float]] = {}

    def table(self, *, without: Collection[int] = ()) -> Mapping[str, float]:
        """The table counted from all folds but these."""
        left_out = frozenset(without)
        if left_out not in self._tables:
            kept = [counts for fold, counts in enumerate(self._counts) if fold not in left_out]
            self._tables[left_out] = slot_table(_summed(kept))
        return self._tables[left_out]


def _summed(parts: Sequence[Counts]) -> Counts:
    total: Counts = defaultdict(lambda: [0, 0])
    for counts in parts:
        for key, (without, with_name) in counts.items():
            total[key][0] += without
            total[key][1] += with_name
    return dict(total)


def _share(counts: Mapping[str, Sequence[int]], key: str) -> float:
    """Share of names among the places of a key, drawn towards that of the shorter key."""
    without, with_name = counts[key]
    shorter = key.rsplit(" ", 1)[0]
    if shorter == key:
        return (with_name + 1) / (without + with_name + 2)
    prior = _share(counts, shorter)
    weight = numbers("slots")["prior_weight"]
    return (with_name + weight * prior) / (without + with_name + weight)


def _log_odds(share: float) -> float:
    sure = numbers("slots")["sure"]
    bounded = min(max(share, 1 - sure), sure)
    return math.log(bounded / (1 - bounded))
