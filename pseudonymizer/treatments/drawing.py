"""Numbers that nobody can foretell without the key of a run, and that are the same each time within it."""

import hashlib
import hmac
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws from the key of a run for one value and one purpose."""

    key: bytes = field(repr=False)
    purpose: tuple[str, ...] = field(repr=False)

    def numbers(self, attempt: int = 0) -> Iterator[int]:
        """Numbers from 0 to 2**32 - 1, without end. attempt: another row of them for each."""
        told = "\0".join((*self.purpose, str(attempt))).encode("utf-8", "surrogatepass")
        seed = hmac.digest(self.key, told, hashlib.sha256)
        block = 0
        while True:
            digest = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
            for place in range(0, len(digest), 4):
                yield int.from_bytes(digest[place : place + 4], "big")
            block += 1


def chosen(numbers: Iterator[int], choices: Sequence[_Choice]) -> _Choice:
    """One of choices; each is equally likely, but for a share that 32 bits make too small to be seen."""
    return choices[next(numbers) % len(choices)]


def shuffled(numbers: Iterator[int], choices: Sequence[_Choice]) -> MutableSequence[_Choice]:
    """The choices in another order."""
    mixed = list(choices)
    for last in range(len(mixed) - 1, 0, -1):
        other = next(numbers) % (last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
