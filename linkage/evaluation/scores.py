"""Counts and rates, and how a rate is spread over documents."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from operator import add
from statistics import quantiles


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one way of counting, and the rates that follow; a rate without cases is 0."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(*map(add, astuple(self), astuple(other)))

    @property
    def precision(self) -> float:
        return share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        return share(self.true_positives, self.true_positives + self.false_negatives)

    def f_beta(self, beta: float) -> float:
        """Weighted harmonic mean of precision and recall (van Rijsbergen 1979); beta 2 favours recall."""
        weight = beta * beta
        hits = (1 + weight) * self.true_positives
        return share(hits, hits + weight * self.false_negatives + self.false_positives)

    def as_dict(self) -> dict[str, float]:
        return {
            **asdict(self), "precision": self.precision, "recall": self.recall,
            "f1": self.f_beta(1), "f2": self.f_beta(2),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a rate is spread over documents; all values are 0 where there is no document."""

    lowest: float
    tenth: float
    quarter: float
    median: float
    three_quarters: float
    ninetieth: float
    highest: float
    mean: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Distribution":
        if not values:
            return cls(0, 0, 0, 0, 0, 0, 0, 0)
        cuts = quantiles([*values, values[-1]] if len(values) == 1 else values, n=20, method="inclusive")
        mean = sum(values) / len(values)
        return cls(min(values), cuts[1], cuts[4], cuts[9], cuts[14], cuts[17], max(values), mean)


def share(part: float, whole: float) -> float:
    """part / whole; 0 where there is nothing."""
    return part / whole if whole else 0.0


def summed(scores: Iterable[Score]) -> Score:
    return sum(scores, Score())
