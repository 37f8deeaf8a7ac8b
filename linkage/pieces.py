"""The one cut of a text: letters, figures and signs, with what stands between them.

A text is cut once. Words of the lists, words of the other detectors, tokens of name slots, listed texts and
letters of identifiers are all read from these pieces: they differ in which pieces they join, and no reader
has an expression of its own for what a letter is. docs/architecture.md lists what each joins.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, Self

# Inside brackets of an expression: what is no letter. Superscript and subscript figures and fractions are
# letters to \w; they are note marks, powers and amounts.
NO_LETTER: Final = r"\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c"
MARKS: Final = r"\u0300-\u036f"  # accents of their own, behind the letter that they belong to
APOSTROPHES: Final = frozenset("'\u2019\u2018`\u00b4\u02bc")
_LETTERS: Final = rf"[^{NO_LETTER}]+(?:[{MARKS}]+[^{NO_LETTER}]*)*"
_LETTERS_ALONE: Final = re.compile(_LETTERS)
_PIECE: Final = re.compile(rf"(\s*)({_LETTERS}|\d+|\S)")


class Gap(Enum):
    """The blanks or line ends between a piece and the one before it."""

    NONE = ""
    SPACE = " "
    WIDE = "  "
    TAB = "\t"
    LINE = "\n"
    BLANK_LINE = "\n\n"
    START = "^"

    @property
    def is_line(self) -> bool:
        """Whether the piece begins a line."""
        return self in (Gap.LINE, Gap.BLANK_LINE, Gap.START)


class Shape(Enum):
    """The sort of a piece: letters with their accents, figures, one apostrophe, or one other sign."""

    LETTERS = "a"
    FIGURES = "1"
    APOSTROPHE = "'"
    SIGN = "."


class Piece(NamedTuple):
    """text[start:end] of a text. A tuple, because a text has very many."""

    text: str
    start: int
    end: int
    gap: Gap
    shape: Shape

    def __repr__(self) -> str:
        return f"Piece({self.start}, {self.end}, {self.gap.name})"  # the text may be a name


@dataclass(frozen=True, slots=True)
class CutText:
    """A text with its pieces, in order."""

    text: str = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)

    @classmethod
    def of(cls, text: str) -> Self:
        """The text, cut."""
        pieces = list(_pieces(text))
        if pieces:
            pieces[0] = pieces[0]._replace(gap=Gap.START)
        return cls(text, tuple(pieces))

    def runs(self) -> Iterator[tuple[Piece, Piece]]:
        """First and last piece of all letters, figures and apostrophes that touch each other."""
        first = last = None
        for piece in self.pieces:
            shape, gap = piece.shape, piece.gap
            if first is not None and last is not None and (shape is Shape.SIGN or gap is not Gap.NONE):
                yield first, last
                first = None
            if shape is not Shape.SIGN:
                first, last = first or piece, piece
        if first is not None and last is not None:
            yield first, last


def pieces_of(text: str) -> tuple[str, ...]:
    """The pieces of a text as they are written, without their places."""
    return tuple(written for _, written in _PIECE.findall(text))


def letters_between(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of the pieces of letters in text[start:end], without what stands between them."""
    return (found.span() for found in _LETTERS_ALONE.finditer(text, start, end))


def _pieces(text: str) -> Iterator[Piece]:
    known: dict[str, tuple[str, Shape]] = {}  # each kept once: a long text repeats its words
    gaps = dict(_GAPS)
    end = 0
    for between, written in _PIECE.findall(text):
        start = end + len(between)
        end = start + len(written)
        gap = gaps.get(between) or gaps.setdefault(between, _gap(between))
        kept = known.get(written) or known.setdefault(written, (written, _shape(written)))
        yield Piece(kept[0], start, end, gap, kept[1])


_GAPS: Final = {"": Gap.NONE, " ": Gap.SPACE}


def _gap(between: str) -> Gap:
    lines = between.count("\n")
    if lines:
        return Gap.LINE if lines == 1 else Gap.BLANK_LINE
    if "\t" in between:
        return Gap.TAB
    return Gap.SPACE if len(between) == 1 else Gap.WIDE


def _shape(written: str) -> Shape:
    if written in APOSTROPHES:
        return Shape.APOSTROPHE
    if written[0].isdecimal():
        return Shape.FIGURES
    return Shape.SIGN if _SIGN.match(written) else Shape.LETTERS


_SIGN: Final = re.compile(rf"[{NO_LETTER}]")
