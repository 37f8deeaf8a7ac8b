"""What the linker needs of whatever judges pairs of names; fakes take its place in tests."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from linkage.explanation import FeatureContribution
from linkage.records import PersonName

Indexes = npt.NDArray[np.int64]
Probabilities = npt.NDArray[np.float64]


class NameTable(Protocol):
    """Names made ready for comparison, once each."""

    def probabilities(self, left: Indexes, right: Indexes) -> Probabilities:
        """Match probability of each pair of table positions; NaN where a cheap filter ruled the pair out."""
        ...

    def every_probability(self, left: Indexes, right: Indexes) -> Probabilities:
        """Match probability of each pair of table positions, without a filter; NaN where two names have no
        part that could be compared.
        """
        ...

    def variant_kinds(self, left: Indexes, right: Indexes) -> Sequence[str | None]: ...

    def partial_ratios(self, left: Indexes, right: Indexes) -> Probabilities: ...


class PairScorer(Protocol):
    """Judges pairs of names."""

    link_threshold: float
    review_threshold: float
    version: str

    def table(self, names: Sequence[PersonName]) -> NameTable: ...

    def contributions(self, left: PersonName, right: PersonName) -> tuple[float, list[FeatureContribution]]:
        """Log-odds of a pair nothing is known about, and what each feature adds to them."""
        ...

    def surname_shares(self, families: Sequence[str]) -> Mapping[str, float]:
        """Share of people, in [0, 1], that bear each folded surname."""
        ...
