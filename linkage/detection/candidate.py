"""A stretch of text that a pattern matched, and what a validator says of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from linkage.language import Language
from linkage.texts import KindId

BEFORE: Final = (
    60  # characters before a candidate that a validator sees; an address before a postcode is shorter
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """text: what the pattern matched. groups: its named groups, None where one took no part.

    country: that of the pattern. kind: of the value that it may be. language: the language of the text.
    before: what stands before it, BEFORE characters at most.
    """

    text: str = field(repr=False)
    groups: Mapping[str, str | None] = field(repr=False)
    country: str
    kind: KindId
    language: Language
    before: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a validator says of a candidate that has the right shape.

    normal: the normal form of the value; values with equal normal forms are one. passed: the check digit, the
    number plan or the calendar agrees. length: how many characters of the candidate reach to the end of the
    value; None: all. skipped: how many of these stand before the value, such as a bracket.
    """

    normal: str = field(repr=False)
    passed: bool = True
    length: int | None = None
    skipped: int = 0


Validator = Callable[[Candidate], Checked | None]  # None: it cannot be a value even where a cue announces one
