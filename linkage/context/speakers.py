"""Who speaks: the labels of a conversation name different people.

A program writes the labels of a chat, so two labels that differ by a letter are two people, not one misspelt.
Labels that people typed, as in minutes, count where both come back.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from linkage.context.lines import line_before
from linkage.records import Mention, fold

_BEFORE_LABEL = re.compile(
    r"[ \t>*]*(?P<time>[\[(]?[\d][\d:./, \t-]*[\])]?)?[ \t,\u2013-]*(?:[a-z]+[ \t]+){0,3}"
)
_AFTER_LABEL = re.compile(r"(?:[ \t]+[a-z]{2,12})?[ \t]*(?:\([^()\n]{0,30}\))?[ \t]*:(?!//)(?=[ \t\n]|$)")
_FEWEST_TURNS = 3
_MOST_LABELS = 300  # more are the lines of a list and no conversation; their pairs would be millions


def speakers(text: str, mentions: Sequence[Mention]) -> set[tuple[int, int]]:
    """Index pairs (smaller first): the first mentions of any two labels that open turns of a conversation."""
    turns: dict[str, list[int]] = defaultdict(list)
    timed: set[str] = set()
    for index, mention in enumerate(mentions):
        before = _BEFORE_LABEL.fullmatch(line_before(text, mention))
        if before is None or not _AFTER_LABEL.match(text, mention.span.end):
            continue
        label = fold(mention.surface)
        turns[label].append(index)
        if before["time"] and ":" in before["time"]:
            timed.add(label)
    if not 2 <= len(turns) <= _MOST_LABELS or sum(map(len, turns.values())) < _FEWEST_TURNS:
        return set()
    pairs: set[tuple[int, int]] = set()
    for left, right in combinations(turns, 2):
        is_program = left in timed and right in timed
        come_back = len(turns[left]) > 1 and len(turns[right]) > 1
        a, b = set(left.split()), set(right.split())
        if (is_program or come_back) and not a <= b and not b <= a:
            first, second = sorted((turns[left][0], turns[right][0]))
            pairs.add((first, second))
    return pairs
