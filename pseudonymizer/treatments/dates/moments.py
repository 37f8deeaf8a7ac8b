"""What a date means: a day, a week, a month, a part of a year; from its normal form, and some days later."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

_MONTHS_OF_QUARTER: Final = 3
_MONTHS_OF_HALF: Final = 6
# Years that stand for the one that a text does not name: an ordinary one, one with 29 February, one with a
# week 53. The ordinary one has 52 weeks.
_ORDINARY_YEAR: Final = 2023
_LEAP_YEAR: Final = 2024
_LONG_YEAR: Final = 2020
_LAST_WEEK: Final = 52
_DAY: Final = re.compile(r"(\d{4}|-)-(\d\d)-(\d\d)(?:T[\d:]+)?")
_MONTH: Final = re.compile(r"(\d{4}|-)-(\d\d)")
_WEEK: Final = re.compile(r"(\d{4})?-W(\d\d)(?:-(\d))?")
_PART: Final = re.compile(r"(\d{4})?-([QH])(\d)")
_SEASON: Final = re.compile(r"(\d{4})?-([^\W\d_]{3,})")
_STANDS: Final = re.compile(r"\d{4}|\d{4}/\d{4}|\d{3,4}s|-W-\d")


class Unit(StrEnum):
    """How long the time is that a date names."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    SEASON = "season"


@dataclass(frozen=True, slots=True)
class Moment:
    """first: the first day of the time, in a year of our own where the text names none (has_year False)."""

    unit: Unit
    first: date = field(repr=False)
    has_year: bool

    def later(self, days: int) -> "Moment":
        """The time of this unit which holds the day so many days after the first day of this one.

        Raises:
            OverflowError: the calendar does not reach so far.
        """
        return Moment(self.unit, self.first + timedelta(days=days), self.has_year)

    def a_year_later(self) -> "Moment":
        """The time one year later."""
        return Moment(self.unit, self.first.replace(year=self.first.year + 1), self.has_year)

    @property
    def year(self) -> int:
        """The year that a text names with this time; that of the week where it is a week."""
        return self.first.isocalendar().year if self.unit is Unit.WEEK else self.first.year

    @property
    def number(self) -> int:
        """The number of the week, the quarter or the half of the year; of other units that of the month."""
        if self.unit is Unit.WEEK:
            return self.first.isocalendar().week
        if self.unit is Unit.QUARTER:
            return (self.first.month - 1) // _MONTHS_OF_QUARTER + 1
        if self.unit is Unit.HALF:
            return (self.first.month - 1) // _MONTHS_OF_HALF + 1
        return self.first.month


def stays_when_shifted(normal: str) -> bool:
    """Whether the date is one or two years, ten years or a day of the week: those that a shift leaves."""
    return _STANDS.fullmatch(normal) is not None


def moments_of(normal: str, season_months: dict[str, int]) -> tuple[Moment, ...] | None:
    """The times that a normal form names: one, or the first and the last; None where it names no time.

    season_months: the first month by the name of a season.
    """
    parts = normal.split("/")
    is_leap = any(part.endswith("-02-29") for part in parts)
    try:
        moments = [_moment(part, _LEAP_YEAR if is_leap else _ORDINARY_YEAR, season_months) for part in parts]
    except ValueError:
        return None
    told = tuple(moment for moment in moments if moment is not None)
    return told if len(told) == len(parts) and len(parts) < 3 else None


def _moment(normal: str, own_year: int, season_months: dict[str, int]) -> Moment | None:
    """Raises ValueError: the calendar has no such day."""
    if (found := _DAY.fullmatch(normal)) is not None:
        has_year = found[1] != "-"
        year = int(found[1]) if has_year else own_year
        return Moment(Unit.DAY, date(year, int(found[2]), int(found[3])), has_year)
    if (found := _MONTH.fullmatch(normal)) is not None:
        has_year = found[1] != "-"
        return Moment(Unit.MONTH, date(int(found[1]) if has_year else own_year, int(found[2]), 1), has_year)
    if (found := _WEEK.fullmatch(normal)) is not None:
        week = int(found[2])
        year = int(found[1]) if found[1] else _LONG_YEAR if week > _LAST_WEEK else own_year
        return Moment(Unit.WEEK, date.fromisocalendar(year, week, int(found[3] or 1)), bool(found[1]))
    if (found := _PART.fullmatch(normal)) is not None:
        unit, months = (Unit.QUARTER, _MONTHS_OF_QUARTER) if found[2] == "Q" else (Unit.HALF, _MONTHS_OF_HALF)
        year = int(found[1]) if found[1] else own_year
        return Moment(unit, date(year, (int(found[3]) - 1) * months + 1, 1), bool(found[1]))
    if (found := _SEASON.fullmatch(normal)) is not None and found[2] in season_months:
        year = int(found[1]) if found[1] else own_year
        return Moment(Unit.SEASON, date(year, season_months[found[2]], 1), bool(found[1]))
    return None
