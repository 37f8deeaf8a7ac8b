"""Places right behind a name: where "(77)" is an age and "12-03-1951" a birth date."""

import re
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from linkage.language import Language
from linkage.texts import Span

_REACH: Final = 48  # characters between a name and the value that is told of it: forms put many blanks there
_MARKS: Final = r"[^\w\n.]{1,40}+"  # blanks, commas, brackets, bars
# Where nobody has looked for names: a word with a capital, or an initial, before a bracket counts as one.
_NAME_LIKE: Final = re.compile(
    r"(?:[^\W\d_a-z\u00df-\u00ff][\w'\u2019-]{0,30}[^\W\d_]|\b[^\W\d_]\.)\s?\(\s?\Z"
)


class BehindNames:
    """What a language has between a name and a value that is told of its person."""

    def __init__(self, language: Language) -> None:
        link = language.slots.get("NAME_LINK", "(?!)")
        self.between = re.compile(rf"{_MARKS}(?:{link}(?!\w){_MARKS}(?:{link}\s)?)?", re.IGNORECASE)

    def read(self, text: str, persons: Collection[Span] | None) -> "PlacesBehindNames":
        """The places of a text. persons: where it mentions persons; None: nobody has looked."""
        ends = None if persons is None else sorted(span.end for span in persons)
        return PlacesBehindNames(text, ends, self.between)


@dataclass(frozen=True, slots=True)
class PlacesBehindNames:
    """The places right behind the names in one text. ends: where its names end, in order; None: not known."""

    text: str = field(repr=False)
    ends: list[int] | None = field(repr=False)
    between: re.Pattern[str] = field(repr=False)

    def hold(self, start: int) -> bool:
        """Whether a value that begins at start stands right behind a name."""
        if self.ends is not None:
            place = bisect_right(self.ends, start)
            if place == 0 or start - self.ends[place - 1] > _REACH:
                return False
            return self.between.fullmatch(self.text, self.ends[place - 1], start) is not None
        before = self.text[max(start - _REACH, 0) : start]
        return _NAME_LIKE.search(before) is not None
