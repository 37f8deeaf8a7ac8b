"""Log-odds of a name by the tokens left and right of a span.

The table is counted by scripts/train_detection from the training texts; it knows words that no list of cues
has ("zag", "belt", a colon at the start of a line), alone and in pairs.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from linkage.kept_words import remembered
from linkage.pieces import CutText, Gap, Piece, Shape
from linkage.records import fold

_JOINS: Final = frozenset("'\u2019")  # two words to one token: "foto's"
_PASSED_OVER: Final = "_"
_LINE_ENDS: Final = re.compile(r"\n+")
_WORDS_KEPT: Final = 16_384
_LINE_END, _FIGURES, _TEXT_END = "¶", "#", "¶¶"


class NameSlots:
    """A table of log-odds with the tokens of one text."""

    __slots__ = ("_ends", "_keys", "_starts", "_table", "_text")

    def __init__(self, table: Mapping[str, float], cut: CutText) -> None:
        self._table = table
        self._text = cut.text
        places = list(token_places(cut))
        self._starts = [start for start, _, _ in places]
        self._ends = [end for _, end, _ in places]
        self._keys = [key for _, _, key in places]

    def score(self, side: str, start: int, end: int) -> float:
        """Log-odds of a name at [start:end] by what stands on one side, "L" or "R"; 0 = nothing is known."""
        nearest, next_nearest = self._before(start) if side == "L" else self._after(end)
        alone, both = slot_keys(side, self._text[start], nearest=nearest, next_nearest=next_nearest)
        score = self._table.get(both)
        return self._table.get(alone, 0.0) if score is None else score

    def _before(self, start: int) -> tuple[str, str]:
        """The two tokens before start, the nearest first; of one that the span cuts, what is left of it."""
        index = bisect_left(self._starts, start) - 1
        left = self._part(self._starts[index], start) if index >= 0 and self._ends[index] > start else []
        index -= bool(left)
        nearest, next_nearest, *_ = *reversed(left), self._key(index), self._key(index - 1)
        return nearest, next_nearest

    def _after(self, end: int) -> tuple[str, str]:
        """The two tokens from end on, the nearest first; of one that the span cuts, what is left of it."""
        index = bisect_right(self._ends, end)
        is_cut = index < len(self._starts) and self._starts[index] < end
        left = self._part(end, self._ends[index]) if is_cut else []
        index += is_cut
        nearest, next_nearest, *_ = *left, self._key(index), self._key(index + 1)
        return nearest, next_nearest

    def _part(self, start: int, end: int) -> list[str]:
        """The keys of a part of a token: of "foto's" behind "foto" an apostrophe and a letter."""
        return [key for _, _, key in token_places(CutText.of(self._text[start:end]))]

    def _key(self, index: int) -> str:
        return self._keys[index] if 0 <= index < len(self._keys) else _TEXT_END


def slot_keys(side: str, first: str, *, nearest: str, next_nearest: str) -> tuple[str, str]:
    """The table's keys for two tokens beside a span: the nearest alone, and both.

    side: "L" or "R"; first: the first character of the span.
    """
    case = "C" if first.isupper() else "l"
    return f"{side}{case} {nearest}", f"{side}{case} {nearest} {next_nearest}"


def token_places(cut: CutText) -> Iterator[tuple[int, int, str]]:
    """Start, end and token of each in a text: folded words, "#" for figures, "¶" for line ends."""
    text, pieces, read_to = cut.text, cut.pieces, 0
    for at, (written, start, end, gap, shape) in enumerate(pieces):
        if start < read_to:
            continue  # a part of the token before
        if gap is not Gap.SPACE and gap is not Gap.NONE:
            yield from _line_ends(text, read_to, start)
        read_to = end
        if shape is Shape.LETTERS and pieces[at + 1 : at + 2] and pieces[at + 1].shape is Shape.APOSTROPHE:
            read_to = _joined_end(pieces, at)
        if written != _PASSED_OVER:
            yield start, read_to, _key(written if read_to == end else text[start:read_to])
    yield from _line_ends(text, read_to, len(text))


def _line_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    return ((*found.span(), _LINE_END) for found in _LINE_ENDS.finditer(text, start, end))


def _joined_end(pieces: Sequence[Piece], at: int) -> int:
    """Where the token ends that begins with a word: words that an apostrophe joins are one."""
    while at + 2 < len(pieces) and _goes_on(pieces[at + 1], pieces[at + 2]):
        at += 2
    return pieces[at].end


def _goes_on(sign: Piece, word: Piece) -> bool:
    is_joint = sign.gap is Gap.NONE and sign.text in _JOINS
    return is_joint and word.gap is Gap.NONE and word.shape is Shape.LETTERS


@remembered(_WORDS_KEPT)
def _key(token: str) -> str:
    return _FIGURES if token[0].isdecimal() else fold(token) or token.lower()
