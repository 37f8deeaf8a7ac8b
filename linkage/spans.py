"""Many spans at once: whether another one hits any of them, without looking at each."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from linkage.records import Span


class SpanCover:
    """What a fixed set of spans of one text covers; they may overlap each other, in any order."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        starts: list[int] = []
        ends: list[int] = []
        for span in sorted(spans):
            if ends and span.start < ends[-1]:
                ends[-1] = max(ends[-1], span.end)
            else:
                starts.append(span.start)
                ends.append(span.end)
        self._starts, self._ends = starts, ends

    def overlaps(self, span: Span) -> bool:
        """Whether any of them overlaps span; in time logarithmic in their number."""
        place = bisect_left(self._starts, span.end)  # the pieces before it begin before span ends
        return place > 0 and self._ends[place - 1] > span.start


class SpanIndex:
    """Which of a fixed set of spans of one text overlap another; they may overlap each other."""

    __slots__ = ("_ends", "_numbers", "_reach", "_starts")

    def __init__(self, spans: Sequence[Span]) -> None:
        self._numbers = sorted(range(len(spans)), key=lambda number: spans[number])
        self._starts = [spans[number].start for number in self._numbers]
        self._ends = [spans[number].end for number in self._numbers]
        self._reach = list(accumulate(self._ends, max))

    def overlapping(self, span: Span) -> Iterator[int]:
        """Numbers of the spans that overlap span, from the end of the text on; the time it takes grows with
        what lies around span, not with their number.
        """
        place = bisect_left(self._starts, span.end)
        while place > 0 and self._reach[place - 1] > span.start:
            place -= 1
            if self._ends[place] > span.start:
                yield self._numbers[place]


def lie_inside(spans: Sequence[Span], outer: Sequence[Span]) -> list[bool]:
    """For each of spans, whether it lies inside one of outer, or is equal to it."""
    around = SpanIndex(outer)
    return [any(outer[number].contains(span) for number in around.overlapping(span)) for span in spans]
