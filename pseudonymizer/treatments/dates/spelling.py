"""A date as it stands in a text: which of its characters say the day, the month, the year."""

from dataclasses import dataclass, field
from enum import StrEnum

from pseudonymizer.treatments.dates.moments import Moment
from pseudonymizer.treatments.dates.words import WordsOfDates


class Part(StrEnum):
    """What a piece of a date says."""

    WEEKDAY = "weekday"
    DAY = "day"  # with its ending, as in "1e"
    MONTH = "month"
    YEAR = "year"
    NUMBER = "number"  # of a week, of a quarter, of half a year
    SEASON = "season"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a date between start and end. moment: the place of the time that it speaks of."""

    start: int
    end: int
    part: Part
    moment: int


@dataclass(frozen=True, slots=True)
class DateSpelling:
    """pieces: in the order of the text, without overlap. words: the language of its words.

    moments: the times that it names, in their order.
    """

    text: str = field(repr=False)
    pieces: tuple[Piece, ...]
    moments: tuple[Moment, ...] = field(repr=False)
    words: WordsOfDates = field(repr=False)

    def cut(self, piece: Piece) -> str:
        return self.text[piece.start : piece.end]
