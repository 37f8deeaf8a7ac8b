"""Runs makers through carriers, and counts what was found and what was found falsely."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from linkage.detection import value_mentions
from linkage.kinds import REST
from linkage.records import Document, DocumentId, ValueMention
from value_benchmark import citizens, contact, days, numbers
from value_benchmark.carriers import CARRIERS, Carried, carried
from value_benchmark.making import Draw, Made, Maker
from value_benchmark.near_misses import NEAR_MISSES, NearMiss

MAKERS: Final[tuple[Maker, ...]] = (*citizens.MAKERS, *numbers.MAKERS, *contact.MAKERS, *days.MAKERS)


@dataclass(frozen=True, slots=True)
class Trial:
    """One text, and what was found where it was to be: "" for the right value alone, else what went wrong."""

    row: str
    carrier: str
    carried: Carried = field(repr=False)
    fault: str


@dataclass(frozen=True)
class Result:
    """What was found. values: of kinds; near: of near misses, where a fault is a kind that was found."""

    values: tuple[Trial, ...] = field(repr=False)
    near: tuple[Trial, ...] = field(repr=False)

    @property
    def found_share(self) -> float:
        return _share(self.values)

    @property
    def false_share(self) -> float:
        return 1 - _share(self.near)

    def as_dict(self) -> dict[str, Any]:
        return {
            "values": len(self.values), "found_share": self.found_share,
            "near_misses": len(self.near), "false_share": self.false_share,
            "by_row": {row: _counts(own) for row, own in _by(self.values, "row").items()},
            "by_carrier": {name: _counts(own) for name, own in _by(self.values, "carrier").items()},
            "false_by_row": {row: _counts(own) for row, own in _by(self.near, "row").items()},
        }  # fmt: skip

    def gaps(self) -> frozenset[tuple[str, str]]:
        """Rows and carriers in which a value was missed, or a near miss taken for a value."""
        return frozenset((trial.row, trial.carrier) for trial in (*self.values, *self.near) if trial.fault)


def run(*, generated: int = 2000, written: int = 200, near: int = 2000, seed: int = 18) -> Result:
    """Makes and looks for values: generated of each maker with a generator, written of each other.

    near: near misses of all sorts together.
    """
    values = [
        trial
        for maker in MAKERS
        for trial in _values(maker, generated if maker.by_generator else written, seed)
    ]
    each = -(-near // len(NEAR_MISSES))
    misses = [trial for near_miss in NEAR_MISSES for trial in _near(near_miss, each, seed)]
    return Result(tuple(values), tuple(misses))


def _values(maker: Maker, count: int, seed: int) -> Iterator[Trial]:
    draw = Draw(seed)
    names = tuple(CARRIERS)
    for number in range(count):
        carrier = names[number % len(names)]
        made = maker.make(draw)
        is_bare = maker.alone and number // len(names) % 2 == 1
        text = carried(
            made if isinstance(made, Made) else Made(made),
            None if is_bare else draw.one_of(maker.labels),
            carrier,
        )
        place = f"{carrier}, no label" if is_bare else carrier
        yield Trial(maker.name, place, text, _fault(maker, text))


def _fault(maker: Maker, text: Carried) -> str:
    told = [
        f"{value.kind} {value.mention.span.start - text.start:+} {value.mention.span.end - text.end:+}"
        for value in _there(text)
    ]
    return "" if told == [f"{maker.kind} +0 +0"] else ", ".join(told) or "nothing"


def _there(text: Carried) -> list[ValueMention]:
    """The values that are found where the made one stands."""
    found = value_mentions(Document(DocumentId("made"), text.text))
    return [v for v in found if v.mention.span.start < text.end and text.start < v.mention.span.end]


def _near(near: NearMiss, count: int, seed: int) -> Iterator[Trial]:
    draw = Draw(seed)
    names = tuple(CARRIERS)
    allowed = near.may_be | {REST}
    for number in range(count):
        carrier = names[number % len(names)]
        text = carried(Made(near.make(draw)), near.cue or None, carrier)
        kinds = [str(value.kind) for value in _there(text) if value.kind not in allowed]
        yield Trial(near.name, carrier, text, ", ".join(kinds))


def _share(trials: Iterable[Trial]) -> float:
    """The share of trials without a fault, 0 to 1; 1 where there are none."""
    faults = [bool(trial.fault) for trial in trials]
    return 1 - sum(faults) / len(faults) if faults else 1.0


def _counts(trials: list[Trial]) -> dict[str, Any]:
    faults = Counter(trial.fault for trial in trials if trial.fault)
    return {"tried": len(trials), "share": _share(trials), "faults": dict(faults.most_common(5))}


def _by(trials: Iterable[Trial], name: str) -> dict[str, list[Trial]]:
    told: dict[str, list[Trial]] = {}
    for trial in trials:
        told.setdefault(trial.row if name == "row" else trial.carrier, []).append(trial)
    return told
