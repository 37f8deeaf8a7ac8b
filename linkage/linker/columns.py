"""Columns of whole numbers that only grow: a hundred thousand known people take a few megabytes of them."""

from array import array
from collections import defaultdict
from collections.abc import Collection
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uintc]  # the type of a column's values

# Rows that came last and are found by a dictionary. A column is sorted anew where more have come, and at
# least an eighth of it, so that what is added one by one costs the same however long the column is.
_MOST_FRESH: Final = 4_000
_FRESH_SHARE: Final = 8
_FEW: Final = 8  # values whose rows are quicker found one by one


class Column:
    """Values by row, both counted from 0, and the rows in which a value stands.

    values.append adds a row.
    """

    def __init__(self) -> None:
        self.values = array("I")
        self._rows = np.zeros(0, np.uintc)  # the settled ones, by value
        self._bounds = array("I", (0,))  # where the rows of each value begin
        self._settled = 0
        self._fresh: defaultdict[int, list[int]] = defaultdict(list)
        self._looked_up = 0  # so many rows are settled or in fresh

    def __len__(self) -> int:
        return len(self.values)

    def of(self, rows: "Numbers | slice") -> Numbers:
        """The values of these rows, as a copy."""
        return np.array(np.frombuffer(self.values, np.uintc)[rows])

    def rows_with(self, value: int) -> list[int]:
        """The rows that have a value, in their order."""
        if self._looked_up != len(self.values):
            self._look_up()
        found: list[int] = []
        if value + 1 < len(self._bounds):
            found = self._rows[self._bounds[value] : self._bounds[value + 1]].tolist()
        if self._fresh and (fresh := self._fresh.get(value)):
            found += fresh
        return found

    def rows_with_any(self, values: Collection[int]) -> Numbers:
        """The rows that have one of these values, each given once."""
        if self._looked_up != len(self.values):
            self._look_up()
        fresh = [row for value in values for row in self._fresh.get(value, ())] if self._fresh else []
        if len(values) <= _FEW:
            bounds, last = self._bounds, len(self._bounds) - 1
            several = [self._rows[bounds[value] : bounds[value + 1]] for value in values if value < last]
            return np.concatenate((*several, np.array(fresh, np.uintc)))
        wanted = np.fromiter(values, np.int64, len(values))
        wanted = wanted[wanted + 1 < len(self._bounds)]
        bounds_of = np.frombuffer(self._bounds, np.uintc)
        starts, ends_of = bounds_of[wanted].astype(np.int64), bounds_of[wanted + 1].astype(np.int64)
        counts = ends_of - starts
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)
        return np.concatenate((self._rows[places], np.array(fresh, np.uintc)))

    def _look_up(self) -> None:
        count = len(self.values)
        if count - self._settled > max(_MOST_FRESH, count // _FRESH_SHARE):
            values = np.frombuffer(self.values, np.uintc)
            self._rows = np.argsort(values, kind="stable").astype(np.uintc)
            ends = np.cumsum(np.bincount(values), dtype=np.uintc)
            self._bounds = array("I", (0,))
            self._bounds.frombytes(ends.tobytes())
            self._fresh.clear()
            self._settled = count
        else:
            for row in range(self._looked_up, count):
                self._fresh[self.values[row]].append(row)
        self._looked_up = count


class Flags:
    """A yes or no by number, no at first."""

    def __init__(self) -> None:
        self._flags = bytearray()

    def __getitem__(self, number: int) -> bool:
        return number < len(self._flags) and bool(self._flags[number])

    def append(self, *, flag: bool) -> None:
        """Add the flag of the next number."""
        self._flags.append(flag)

    def grow(self, count: int) -> None:
        """Let there be at least so many."""
        self._flags.extend(bytes(max(0, count - len(self._flags))))

    def raise_at(self, numbers: Numbers) -> None:
        """Set those of these numbers, all below the count."""
        np.frombuffer(self._flags, np.uint8)[numbers] = 1

    def at(self, numbers: Numbers) -> npt.NDArray[np.bool_]:
        """The flags of these numbers, all below the count."""
        return np.frombuffer(self._flags, np.uint8)[numbers].astype(np.bool_)
