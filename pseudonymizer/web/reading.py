"""The reading view: a text by lines, its mentions as buttons with one tab stop for all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from pseudonymizer.desk.drawing import drawn
from pseudonymizer.desk.reading import Block, Span, blocks_of, windows

_HUES: Final = 12  # classes h0 to h11 of pages.css
_PATTERNS: Final = 5  # classes u0 to u4: solid, dashed, dotted, double, wavy
_HUE_STEP: Final = 5  # kinds that follow each other in the table get colours far apart
_ENDINGS: Final[Mapping[str, str]] = {"\r\n": "crlf", "\n": "lf", "\r": "cr", "": ""}


@dataclass(frozen=True, slots=True)
class Look:
    """How mentions of a kind look: a letter, a colour, and the pattern of the line under them."""

    letter: str
    hue: int
    pattern: int

    @classmethod
    def of(cls, place: int, letter: str) -> "Look":
        """The look of the kind at a place of the table of kinds. Sixty kinds have sixty looks."""
        return cls(letter, place * _HUE_STEP % _HUES, place % _PATTERNS)

    @property
    def classes(self) -> str:
        """Classes of pages.css."""
        return f"h{self.hue} u{self.pattern}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A mention of a reading view.

    key: ties it to the same mention in another view. tag: the letter of its kind and the number of its
    person. told: what is said of it, to those who cannot see it too. mention: its id, where it can be
    corrected.
    """

    span: Span
    key: str
    kind: str
    look: Look
    tag: str
    told: str = field(repr=False)
    mention: str = ""


def reading_view(text: str, mentions: Sequence[Shown]) -> str:
    """The text as HTML: groups of lines, which a browser lays out when they come into sight.

    Raises:
        OverlappingReplacementsError: see desk.reading.
    """
    return "".join(_view(blocks_of(text, [one.span for one in mentions]), mentions))


def _view(blocks: Sequence[Block], mentions: Sequence[Shown]) -> Iterator[str]:
    first = min(range(len(mentions)), key=lambda number: mentions[number].span, default=None)
    groups = list(windows(blocks))
    for group in groups:
        yield "<div class=window>" if len(groups) > 1 else "<div>"
        for block in group:
            ending = _ENDINGS[block.ending]
            yield f'<div class=line data-start="{block.start}"'
            yield f' data-ending="{ending}">' if ending else ">"
            yield from drawn(block.parts, _Opening(mentions, block.begun, first), lambda _: "</span>")
            yield "</div>" if block.parts else "<br></div>"
        yield "</div>"


@dataclass(frozen=True, slots=True)
class _Opening:
    """Tags that open mentions. A mention is a button once: not inside another, nor where it goes on."""

    mentions: Sequence[Shown] = field(repr=False)
    begun: frozenset[int]
    first: int | None

    def __call__(self, number: int, is_inner: bool) -> str:  # noqa: FBT001  as desk.drawing calls it
        one = self.mentions[number]
        shared = f'data-key="{escape(one.key)}" data-kind="{escape(one.kind)}"'
        if is_inner or number in self.begun:
            return f'<span class="m {one.look.classes}" {shared}>'
        stop = 0 if number == self.first else -1
        if one.mention:
            shared += f' data-mention="{escape(one.mention)}"'
        return (
            f'<span class="m {one.look.classes}" role=button tabindex={stop} {shared} '
            f'data-tag="{escape(one.tag)}" aria-label="{escape(one.told)}">'
        )
