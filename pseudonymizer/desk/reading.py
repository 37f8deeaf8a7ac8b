"""A text as it is read on a page: blocks of one line, cut into parts where marked stretches begin and end.

Places count code points of the text. Nothing here knows what a stretch means or how it is drawn.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from linkage.records import Span as Span
from pseudonymizer.errors import OverlappingReplacementsError

WINDOW: Final = 20_000  # code points that a page lays out at once; a longer line is cut there as well
_ENDING: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text which the same stretches cover. stretches: their numbers, the outermost first."""

    start: int
    text: str = field(repr=False)
    stretches: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """The place behind the piece."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """A line of a text, or a piece of a line that is longer than WINDOW.

    ending: what ends the line in the text, "\\r\\n", "\\r" or "\\n"; "" where the text ends, or the line
    goes on.
    begun: numbers of the stretches that began in an earlier block.
    """

    start: int
    parts: tuple[Part, ...]
    ending: str = ""
    begun: frozenset[int] = frozenset()

    @property
    def letters(self) -> int:
        """How many code points of the text it takes, its ending among them."""
        return sum(len(part.text) for part in self.parts) + len(self.ending)


def parts_of(text: str, stretches: Sequence[Span]) -> tuple[Part, ...]:
    """The text in pieces, in order. A stretch may lie inside another; an empty one is left out.

    Raises:
        OverlappingReplacementsError: two stretches share characters and neither holds the other, or one
            reaches beyond the text.
    """
    cuts, opened, found = {0, len(text)}, list[int](), list[Part]()
    order = sorted(
        (number for number, span in enumerate(stretches) if span.start < span.end),
        key=lambda number: (stretches[number].start, -stretches[number].end, number),
    )
    for number in order:
        cuts.update((stretches[number].start, stretches[number].end))
    if cuts and max(cuts) > len(text):
        raise OverlappingReplacementsError(f"a stretch reaches to {max(cuts)}; the text ends at {len(text)}")
    waiting = iter(order)
    following = next(waiting, None)
    places = sorted(cuts)
    for start, end in pairwise(places):
        while opened and stretches[opened[-1]].end <= start:
            opened.pop()
        while following is not None and stretches[following].start == start:
            if opened and stretches[opened[-1]].end < stretches[following].end:
                raise OverlappingReplacementsError(
                    f"the stretch at {start} begins inside another and ends behind it"
                )
            opened.append(following)
            following = next(waiting, None)
        found.append(Part(start, text[start:end], tuple(opened)))
    return tuple(found)


def nested(stretches: Sequence[Span]) -> tuple[Span, ...]:
    """The stretches in order, without those that begin inside an earlier one and end behind it."""
    kept, opened = list[Span](), list[Span]()
    for span in sorted(stretches, key=lambda span: (span.start, -span.end)):
        while opened and opened[-1].end <= span.start:
            opened.pop()
        if opened and opened[-1].end < span.end:
            continue
        opened.append(span)
        kept.append(span)
    return tuple(kept)


def blocks_of(text: str, stretches: Sequence[Span]) -> tuple[Block, ...]:
    """The text line by line; together the blocks with their endings are the text.

    Raises:
        OverlappingReplacementsError: see parts_of.
    """
    found: list[Block] = []
    waiting = list(reversed(parts_of(text, stretches)))
    seen: set[int] = set()
    for start, end, ending in _lines(text):
        parts: list[Part] = []
        while waiting and waiting[-1].start < end:
            part = waiting.pop()
            inside = part.text[max(0, start - part.start) : end - part.start]
            if inside:
                parts.append(Part(max(start, part.start), inside, part.stretches))
            if part.end > end:
                waiting.append(Part(end, part.text[end - part.start :], part.stretches))
        inner = {number for part in parts for number in part.stretches}
        found.append(Block(start, tuple(parts), ending, frozenset(inner & seen)))
        seen |= inner
    return tuple(found)


def windows(blocks: Iterable[Block], letters: int = WINDOW) -> Iterator[tuple[Block, ...]]:
    """Blocks in groups of at most so many code points, each of one block at least."""
    group: list[Block] = []
    count = 0
    for block in blocks:
        if group and count + block.letters > letters:
            yield tuple(group)
            group, count = [], 0
        group.append(block)
        count += block.letters
    if group:
        yield tuple(group)


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, ending) of each line, the last one without an ending; long lines in pieces."""
    start = 0
    for match in _ENDING.finditer(text):
        yield from _pieces(start, match.start(), match.group())
        start = match.end()
    yield from _pieces(start, len(text), "")


def _pieces(start: int, end: int, ending: str) -> Iterator[tuple[int, int, str]]:
    while end - start > WINDOW:
        yield start, start + WINDOW, ""
        start += WINDOW
    yield start, end, ending
