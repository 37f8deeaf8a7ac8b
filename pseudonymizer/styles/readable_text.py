"""Edited text without the signs that editors, browsers and models put into labels.

Soft hyphens and characters without width go. Markdown's backslashes and the escapes of HTML, JSON and URLs
are taken for what they mean. Every hyphen and dash is "-". A line end with the blanks and quote marks around
it is one line end.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from linkage.records import Span

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d"
_NOTHING: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_MEANS: Final = {
    "lt": "<", "gt": ">", "shy": "", "hyphen": "-", "dash": "-", "ndash": "-", "mdash": "-", "nbsp": " ",
    "zwnj": "", "zwj": "", "lsqb": "[", "rsqb": "]", "amp": "&",
}  # fmt: skip
_SIGNS: Final = re.compile(
    rf"(?P<nothing>[{_NOTHING}]|<wbr ?/?>)"
    rf"|(?P<dash>[{_DASHES}])"
    r"|(?P<entity>&(?:amp;)?(?:lt|gt|shy|hyphen|dash|ndash|mdash|nbsp|zwnj|zwj|lsqb|rsqb|#[0-9]{2,5}|#x[0-9a-fA-F]{2,4});)"
    r"|(?P<json>\\u(?:003[cCeE]|002[dD]|00[aA][dD]|201[0-4]|200[bBcCdD]))"
    r"|(?P<url>%(?:3[CcEe]|2[Dd]))"
    r"|\\(?P<escaped>[-_<>\[\]\\])"
    r"|(?P<line>[ \t]*(?:=?\r?\n|\r)[ \t]*(?:>[ \t]?)*|(?:\\r)?\\n|<br ?/?>)"
    r"|(?P<blank>\u00a0)"
)


@dataclass(frozen=True, slots=True)
class ReadableText:
    """A text as it reads, and where each character of it stands in the text as it is.

    pieces: where each piece of this text begins. places: where the same piece stands in the text as it is, as
    (start, end); end is 0 for a piece of which every character means itself.
    """

    text: str = field(repr=False)
    pieces: Sequence[int]
    places: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> "ReadableText":
        """The text as it reads."""
        written: list[str] = []
        pieces: list[int] = []
        places: list[tuple[int, int]] = []
        length = at = 0
        for found in _SIGNS.finditer(text):
            means = _meaning(found)
            if means is None:
                continue
            start, end = found.span()
            pieces += [length, length + start - at]
            places += [(at, 0), (start, end)]
            written += [text[at:start], means]
            length += start - at + len(means)
            at = end
        pieces.append(length)
        places.append((at, 0))
        written.append(text[at:])
        return cls("".join(written), pieces, places)

    def span(self, start: int, end: int) -> Span:
        """Where the characters from start to end, at least one, stand in the text as it is."""
        return Span(self._range(start)[0], self._range(end - 1)[1])

    def _range(self, at: int) -> tuple[int, int]:
        number = bisect_right(self.pieces, at) - 1
        start, end = self.places[number]
        if end:
            return start, end
        offset = start + at - self.pieces[number]
        return offset, offset + 1


def _meaning(found: re.Match[str]) -> str | None:
    """What a sign means; None where it means itself."""
    kind = found.lastgroup
    if kind == "nothing":
        return ""
    if kind == "dash":
        return "-"
    if kind == "line":
        return "\n"
    if kind == "blank":
        return " "
    if kind == "escaped":
        return found["escaped"]
    if kind == "url":
        return chr(int(found["url"][1:], 16))
    if kind == "json":
        return _character(int(found["json"][2:], 16))
    name = found["entity"].removeprefix("&").removeprefix("amp;").rstrip(";")
    if not name.startswith("#"):
        return _MEANS[name]
    number = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return _character(number) if number < 0x110000 else None


def _character(number: int) -> str | None:
    character = chr(number)
    if character in _NOTHING:
        return ""
    if character in _DASHES or character == "-":
        return "-"
    return character if character in "<>[]_" else None
