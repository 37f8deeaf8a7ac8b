"""Names in a list: "de leden Bos (SP), Van der Mei en Kok" says of each member what it says of the others."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from linkage.language import Language
from linkage.language.expressions import any_of

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


@dataclass(frozen=True, slots=True)
class _Separators:
    """Expressions for what stands between members. ends: all that one can end with."""

    behind: re.Pattern[str]
    ends: tuple[str, ...]


@cache
def _separators(language: Language) -> _Separators:
    joints = language.words("list_joint")
    joint = any_of(joints)
    return _Separators(
        re.compile(rf"(?: ?\([^()\n]{{1,30}}\))?(?:, (?:{joint} |& )?| {joint} | & | ?[/+] ?)"),
        (", ", *(f" {word} " for word in sorted(joints)), " & ", "/", "+", "/ ", "+ "),
    )


def listing(
    text: str,
    start: int,
    end: int,
    language: Language,
    *,
    sure_starts: Mapping[int, float],
    sure_ends: Mapping[int, float],
    first_of_end: Mapping[int, int],
) -> Listing:
    """The list that text[start:end] is a member of.

    sure_starts, sure_ends: where candidates begin and end -> the highest confidence; first_of_end: where the
    surest one that ends there begins.
    """
    separators = _separators(language)
    confidences = [sure_starts.get(place, 0.0) for place in _members_behind(text, end, separators.behind)]
    head = start
    for item_end in _members_before(text, start, separators):
        confidences.append(sure_ends.get(item_end, 0.0))
        head = first_of_end.get(item_end, -1)
    if not confidences:
        return _NO_LISTING
    sure = sum(confidence >= 0.5 for confidence in confidences)
    return Listing(max(confidences), sure / len(confidences), head)


def _members_behind(text: str, end: int, behind: re.Pattern[str]) -> Iterator[int]:
    """Where the members behind begin."""
    for _ in range(_MOST_STEPS):
        separator = behind.match(text, end)
        if separator is None or separator.end() >= len(text):
            return
        begin = separator.end()
        if not _may_begin(text, begin):
            return
        yield begin
        following = behind.search(text, begin, begin + _LONGEST_ITEM)
        if following is None or not _SENTENCE_MARKS.isdisjoint(text[begin : following.start()]):
            return
        end = following.start()


def _members_before(text: str, start: int, separators: _Separators) -> Iterator[int]:
    """Where the members before end."""
    for _ in range(_MOST_STEPS):
        if not text.endswith(separators.ends, 0, start):
            return
        first = max(0, start - _LONGEST_ITEM)
        found = [one for one in separators.behind.finditer(text, first, start) if one.end() <= start]
        if not found or found[-1].end() != start or found[-1].start() == 0:
            return
        end = found[-1].start()
        yield end
        # The member's own beginning: behind the separator before it.
        if len(found) < 2:
            return
        start = found[-2].end()
        if not _may_begin(text, start) or not _SENTENCE_MARKS.isdisjoint(text[start:end]):
            return


def _may_begin(text: str, place: int) -> bool:
    """Whether a member may begin here: with a capital, or a particle before one."""
    word = text[place : place + 12]
    return word[:1].isupper() or (word[:1] in "vdt'’" and any(character.isupper() for character in word[2:]))
