"""Which kind each gold mention was found as: a matrix of counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkage.records import Span
from linkage.spans import SpanCover, SpanIndex

Labelled = tuple[Span, str]  # a span and its label


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of gold mentions by their label and the label they were found under.

    together: by gold label and found label; bounds do not matter. missed: gold mentions that no found span
    stands for, by label. false: found spans that stand for no gold mention, by label.
    """

    together: Mapping[tuple[str, str], int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)
    false: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(
            Counter(self.together) + Counter(other.together),
            Counter(self.missed) + Counter(other.missed),
            Counter(self.false) + Counter(other.false),
        )

    @property
    def labels(self) -> frozenset[str]:
        """Every label with a count."""
        return frozenset({label for pair in self.together for label in pair} | {*self.missed, *self.false})

    def as_dict(self) -> dict[str, Any]:
        """found_as: by gold label, the counts by found label; missed and false by label."""
        found_as: dict[str, dict[str, int]] = {}
        for (gold, found), count in sorted(self.together.items()):
            found_as.setdefault(gold, {})[found] = count
        return {
            "found_as": found_as,
            "missed": dict(sorted(self.missed.items())),
            "false": dict(sorted(self.false.items())),
        }


def confusion_of(
    gold: Sequence[Labelled], found: Sequence[Labelled], unsure: Sequence[Span] = ()
) -> Confusion:
    """Match gold mentions and found spans that overlap, one to one.

    Pairs of one label come first, then pairs of the same span, then those that share most. A mention or a
    found span that is left, and overlaps a partner of its own label, is a piece of what was matched: then the
    mention counts as found, and the span does not count. A found span over an unsure mention does not count.
    """
    golds, founds = sorted(set(gold)), sorted(set(found))
    index = SpanIndex([span for span, _ in founds])
    pairs = [(number, other) for number, (span, _) in enumerate(golds) for other in index.overlapping(span)]

    def rank(pair: tuple[int, int]) -> tuple[bool, bool, float, int, int]:
        (span, label), (other, other_label) = golds[pair[0]], founds[pair[1]]
        shared = min(span.end, other.end) - max(span.start, other.start)
        joined = max(span.end, other.end) - min(span.start, other.start)
        return label != other_label, span != other, -shared / joined, *pair

    partner_of: dict[int, int] = {}
    used: set[int] = set()
    for number, other in sorted(pairs, key=rank):
        if number not in partner_of and other not in used:
            partner_of[number] = other
            used.add(other)
    alike = [(number, other) for number, other in pairs if golds[number][1] == founds[other][1]]
    covered, pieces = {number for number, _ in alike}, {other for _, other in alike}
    together: Counter[tuple[str, str]] = Counter()
    missed: Counter[str] = Counter()
    for number, (_, label) in enumerate(golds):
        if number in partner_of:
            together[label, founds[partner_of[number]][1]] += 1
        elif number in covered:
            together[label, label] += 1
        else:
            missed[label] += 1
    excused = SpanCover(unsure)
    false = Counter(
        label
        for other, (span, label) in enumerate(founds)
        if other not in used and other not in pieces and not excused.overlaps(span)
    )
    return Confusion(together, missed, false)
