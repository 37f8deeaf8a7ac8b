"""How many requests an account may send, and how many files at once: in memory."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from pseudonymizer.errors import EngineBusyError
from pseudonymizer.policy import refill

_MOST_BUCKETS: Final = 10_000


@dataclass(slots=True)
class Rates:
    """a_minute: requests that an account may send in a minute, and at once."""

    a_minute: int
    now: Callable[[], float] = time.monotonic
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)

    def take(self, key: str) -> int | None:
        """Count one request. None: it may be sent; else the seconds after which it may."""
        moment = self.now()
        left, at = self._buckets.pop(key, (float(self.a_minute), moment))
        left = refill(left, seconds=moment - at, capacity=self.a_minute, per_hour=self.a_minute * 60)
        if len(self._buckets) >= _MOST_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        if left < 1:
            self._buckets[key] = (left, moment)
            return max(1, math.ceil((1 - left) * 60 / self.a_minute))
        self._buckets[key] = (left - 1, moment)
        return None


@dataclass(slots=True)
class AtOnce:
    """most: how much an account may do at once."""

    most: int
    _going_on: Counter[str] = field(default_factory=Counter, repr=False)

    @contextmanager
    def one_more(self, key: str) -> Iterator[None]:
        """Something that goes on as long as this block.

        Raises:
            EngineBusyError: as much goes on as may.
        """
        if self._going_on[key] >= self.most:
            raise EngineBusyError(
                f"{self.most} such requests are at work, and no more can be; send it again later"
            )
        self._going_on[key] += 1
        try:
            yield
        finally:
            self._going_on[key] -= 1
            if not self._going_on[key]:
                del self._going_on[key]
