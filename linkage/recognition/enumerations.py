"""Names in a list: "de leden Bos (SP), Van der Mei en Kok" says of each member what it says of the others."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_BEHIND = re.compile(r"(?: ?\([^()\n]{1,30}\))?(?:, (?:en |of |& )?| en | of | & | ?[/+] ?)")
_ENDS = (", ", " en ", " of ", " & ", "/", "+", "/ ", "+ ")  # what the pattern can end with
_LONGEST_ITEM = 45  # letters of a member with what brackets add
_MOST_STEPS = 6  # members to either side
_SENTENCE_MARKS = frozenset(".;:!?\n«»")


class Listing(NamedTuple):
    """The other members of the list that a span stands in; all zero where it stands in none.

    best: the highest confidence among them; sure_share: the part of them with .5 or more; head: where the
    first member begins, -1 if that is not known.
    """

    best: float
    sure_share: float
    head: int


_NO_LISTING = Listing(0.0, 0.0, -1)


def listing(
    text: str,
    start: int,
    end: int,
    *,
    sure_starts: Mapping[int, float],
    sure_ends: Mapping[int, float],
    first_of_end: Mapping[int, int],
) -> Listing:
    """The list that text[start:end] is a member of.

    sure_starts, sure_ends: where candidates begin and end -> the highest confidence; first_of_end: where the
    surest one that ends there begins.
    """
    confidences = [sure_starts.get(place, 0.0) for place in _members_behind(text, end)]
    head = start
    for item_end in _members_before(text, start):
        confidences.append(sure_ends.get(item_end, 0.0))
        head = first_of_end.get(item_end, -1)
    if not confidences:
        return _NO_LISTING
    sure = sum(confidence >= 0.5 for confidence in confidences)
    return Listing(max(confidences), sure / len(confidences), head)


def _members_behind(text: str, end: int) -> Iterator[int]:
    """Where the members behind begin."""
    for _ in range(_MOST_STEPS):
        separator = _BEHIND.match(text, end)
        if separator is None or separator.end() >= len(text):
            return
        begin = separator.end()
        if not _may_begin(text, begin):
            return
        yield begin
        following = _BEHIND.search(text, begin, begin + _LONGEST_ITEM)
        if following is None or not _SENTENCE_MARKS.isdisjoint(text[begin : following.start()]):
            return
        end = following.start()


def _members_before(text: str, start: int) -> Iterator[int]:
    """Where the members before end."""
    for _ in range(_MOST_STEPS):
        if not text.endswith(_ENDS, 0, start):
            return
        first = max(0, start - _LONGEST_ITEM)
        separators = [found for found in _BEHIND.finditer(text, first, start) if found.end() <= start]
        if not separators or separators[-1].end() != start or separators[-1].start() == 0:
            return
        end = separators[-1].start()
        yield end
        # The member's own beginning: behind the separator before it.
        if len(separators) < 2:
            return
        start = separators[-2].end()
        if not _may_begin(text, start) or not _SENTENCE_MARKS.isdisjoint(text[start:end]):
            return


def _may_begin(text: str, place: int) -> bool:
    """Whether a member may begin here: with a capital, or a particle before one."""
    word = text[place : place + 12]
    return word[:1].isupper() or (word[:1] in "vdt'’" and any(character.isupper() for character in word[2:]))
