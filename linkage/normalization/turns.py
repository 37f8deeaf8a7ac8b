"""Who speaks and who writes: the labels of a conversation and the header of a letter name different people.

A program writes the labels of a chat, so two labels that differ by a letter are two people, not one misspelt.
Labels that people typed, as in minutes, count where both come back.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from linkage.records import Mention, PersonName, fold

_BEFORE_LABEL = re.compile(
    r"[ \t>*]*(?P<time>[\[(]?[\d][\d:./, \t-]*[\])]?)?[ \t,\u2013-]*(?:[a-z]+[ \t]+){0,3}"
)
_AFTER_LABEL = re.compile(r"(?:[ \t]+[a-z]{2,12})?[ \t]*(?:\([^()\n]{0,30}\))?[ \t]*:(?!//)(?=[ \t\n]|$)")
_HEADER = re.compile(
    r"[ \t>*]*(?P<label>van|from|afzender|aan|to|cc|bcc|kopie)(?:[ \t]*\([^()\n]{0,20}\))?[ \t]*:"
    r"[ \t]*[\"'<]?[ \t]*",
    re.IGNORECASE,
)
_SIDE = {"van": "sender", "from": "sender", "afzender": "sender"}
_FEWEST_TURNS = 3
_MOST_LABELS = 300  # more are the lines of a list and no conversation; their pairs would be millions
_WIDEST_LABEL = 200  # characters of a line before the name of its label
_FARTHEST_HEADER = 400  # characters between the lines of one header


def different_people(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName]
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions, sorted by span, whom the layout tells apart."""
    return _speakers(text, mentions) | _correspondents(text, mentions, names)


def line_start(text: str, mention: Mention) -> int:
    """Where its line begins, or as far before it as a label or header can reach: texts without line ends
    would be read again from the beginning for each mention.
    """
    end = mention.span.start
    first = max(0, end - _WIDEST_LABEL)
    return max(text.rfind("\n", first, end) + 1, text.rfind("\r", first, end) + 1, first)


def _line_before(text: str, mention: Mention) -> str:
    return text[line_start(text, mention) : mention.span.start]


def _speakers(text: str, mentions: Sequence[Mention]) -> set[tuple[int, int]]:
    """The first mentions of any two labels that open turns of a conversation."""
    turns: dict[str, list[int]] = defaultdict(list)
    timed: set[str] = set()
    for index, mention in enumerate(mentions):
        before = _BEFORE_LABEL.fullmatch(_line_before(text, mention))
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


def _correspondents(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName]
) -> set[tuple[int, int]]:
    """Sender and receivers of one header: nobody writes to himself under another name."""
    pairs: set[tuple[int, int]] = set()
    header: list[tuple[str, int]] = []
    end = -_FARTHEST_HEADER
    for index, mention in enumerate(mentions):
        found = _HEADER.fullmatch(_line_before(text, mention))
        if found is None:
            continue
        side = _SIDE.get(found["label"].lower(), "receiver")
        is_far = mention.span.start - end > _FARTHEST_HEADER
        if side == "sender" or is_far or len(header) >= _MOST_LABELS:
            header = []
        for other_side, other in header:
            if (side != other_side or side == "receiver") and names[other] != names[index]:
                pairs.add((other, index))
        header.append((side, index))
        end = mention.span.end
    return pairs
