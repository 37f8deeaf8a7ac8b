"""Numbers in words: "vijfentachtigduizend" is 85,000."""

import re
from functools import cache
from typing import Final

from linkage.language.expressions import any_of
from linkage.language.pack import Language

_HUNDRED: Final = 100
_THOUSAND: Final = 1000


def number_of_words(text: str, language: Language) -> int | None:
    """The number that words stand for; None: they are no number."""
    rest = " ".join(text.lower().split())
    if not rest:
        return None
    parts: list[int] = []
    part = _part(language)
    place = 0
    while place < len(rest):
        found = part.match(rest, place)
        if found is None or found["word"] is None:
            return None
        word = found["word"]
        parts.append(language.numerals.get(word) or language.multiples.get(word) or 0)
        place = found.end()
    return _sum(parts)


def _sum(parts: list[int]) -> int:
    """The number of parts in their order: a hundred and above multiply what stands before them."""
    total = below = 0
    for part in parts:
        if part >= _THOUSAND:
            total += max(below, 1) * part
            below = 0
        elif part == _HUNDRED:
            below = max(below, 1) * part
        else:
            below += part
    return total + below


@cache
def _part(language: Language) -> re.Pattern[str]:
    words = any_of({*language.numerals, *language.multiples})
    joint = language.slots["NUMBER_JOINT"]
    return re.compile(rf"(?:[ -]|{joint})?(?P<word>{words})[ -]?")
