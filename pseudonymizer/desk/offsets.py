"""Places in a text as the caller counts them: code points, or the UTF-16 units of JavaScript and Java."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final, Self

from linkage.records import Span

_LAST_OF_ONE_UNIT: Final = "\uffff"


@dataclass(frozen=True, slots=True)
class Places:
    """Places of one text. wide: code points that take two units, in order; () where these are counted."""

    wide: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str, unit: str) -> Self:
        """unit: "codepoint" or "utf16"."""
        if unit != "utf16" or text.isascii():
            return cls()
        return cls(tuple(at for at, letter in enumerate(text) if letter > _LAST_OF_ONE_UNIT))

    def of_span(self, span: Span) -> tuple[int, int]:
        """(start, end) of a span of code points."""
        return span.start + bisect_left(self.wide, span.start), span.end + bisect_left(self.wide, span.end)
