"""Words of a text around a mention: the bounds a word further or shorter, and what stands before and behind.

Pure. Places are half-open and count code points.
"""

import re
from typing import Final, Literal

from linkage.records import Span

Side = Literal["start", "end"]
# A word with what belongs to it inside: "Jan-Willem", "d'Ancona", "A.B.". Not a dash or a dot at its end.
_WORD: Final = re.compile(r"\w+(?:['\u2019.\-]\w+)*")


def wider(text: str, span: Span, side: Side) -> Span | None:
    """The bounds with one word more at this side; None where the text has no further one."""
    if side == "end":
        after = next((one for one in _WORD.finditer(text, span.start) if one.end() > span.end), None)
        return None if after is None else Span(span.start, after.end())
    before = [one for one in _WORD.finditer(text, 0, span.end) if one.start() < span.start]
    return Span(before[-1].start(), span.end) if before else None


def narrower(text: str, span: Span, side: Side) -> Span | None:
    """The bounds with one word less at this side; None where there is one word alone."""
    words = [one.span() for one in _WORD.finditer(text, span.start, span.end)]
    if len(words) < 2:
        return None
    return Span(words[1][0], span.end) if side == "start" else Span(span.start, words[-2][1])


def around(text: str, span: Span, letters: int) -> tuple[str, str]:
    """(what stands before the bounds, what stands behind them), of at most so many letters each, cut between
    words where it can be.
    """
    begin, end = max(0, span.start - letters), min(len(text), span.end + letters)
    before, after = text[begin : span.start], text[span.end : end]
    if begin and " " in before:
        before = before[before.index(" ") + 1 :]
    if end < len(text) and " " in after:
        after = after[: after.rindex(" ")]
    return before, after
