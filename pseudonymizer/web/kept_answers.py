"""Answers for requests that come again: in memory alone and for some minutes, since they may hold names."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from litestar.types import Message

from pseudonymizer.web import problems
from pseudonymizer.web.problems import ProblemError

KEPT_SECONDS: Final = 600.0
LARGEST: Final = 1 << 20  # bytes of an answer that is kept
_MOST_BYTES: Final = 16 << 20  # of all answers that are kept
_MOST_ANSWERS: Final = 10_000


@dataclass(slots=True)
class KeptAnswer:
    """An answer, or one that is being made. digest: of the request. start: None while it is being made."""

    digest: bytes
    at: float
    start: Message | None = field(default=None, repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(slots=True)
class KeptAnswers:
    """Answers by account and key."""

    now: Callable[[], float] = time.monotonic
    _kept: OrderedDict[tuple[str, str], KeptAnswer] = field(default_factory=OrderedDict, repr=False)
    _bytes: int = 0

    def begin(self, account: str, key: str, digest: bytes) -> KeptAnswer | None:
        """The answer that is kept; None: this request is the first one, and its answer is being made.

        Raises:
            ProblemError: the key came with another request, or its first request is not answered yet.
        """
        self._drop_old()
        found = self._kept.get((account, key))
        if found is None:
            self._kept[account, key] = KeptAnswer(digest, self.now())
            return None
        if found.digest != digest:
            raise ProblemError(problems.KEY_USED)
        if found.start is None:
            raise ProblemError(problems.STILL_GOING_ON)
        return found

    def end(self, account: str, key: str, start: Message | None, body: bytes) -> None:
        """Keep the answer to the first request; None: nothing is kept, the next one is the first."""
        found = self._kept.get((account, key))
        if found is None:
            return
        if start is None or len(body) > LARGEST:
            del self._kept[account, key]
            return
        found.start, found.body = start, body
        self._bytes += len(body)
        self._drop_old()

    def _drop_old(self) -> None:
        oldest = self.now() - KEPT_SECONDS
        while self._kept:
            key, found = next(iter(self._kept.items()))
            is_full = self._bytes > _MOST_BYTES or len(self._kept) > _MOST_ANSWERS
            if found.at > oldest and not is_full:
                return
            del self._kept[key]
            self._bytes -= len(found.body)
