"""Dates told as their month or their year."""

import re
from collections.abc import Sequence
from typing import Final

from pseudonymizer.treatments.dates.moments import Moment, Unit, moments_of
from pseudonymizer.treatments.dates.words import WordsOfDates

_YEARS: Final = re.compile(r"\d{4}|\d{4}/\d{4}|\d{3,4}s")
_YEAR_OF_FEAST: Final = re.compile(r"(\d{4}) .+", re.DOTALL)
_LONGER_THAN_MONTHS: Final = (Unit.QUARTER, Unit.HALF, Unit.SEASON)


def is_years(normal: str) -> bool:
    """Whether a date is one or two years or ten years, and no less."""
    return _YEARS.fullmatch(normal) is not None


def month_of(normal: str, words: WordsOfDates) -> str | None:
    """The month of a date: "maart 1951", "maart" where no year is named, "maart/april 2024" for two.

    A part of a year that is longer than a month is told as its normal form has it: None, as for everything
    that has no month.
    """
    moments = moments_of(normal, words.season_months)
    if moments is None or moments[0].unit in _LONGER_THAN_MONTHS:
        return None
    return _told([(words.month(moment.first.month), _year(moment)) for moment in moments])


def year_of(normal: str, words: WordsOfDates) -> str | None:
    """The year of a date, "2024/2025" where it reaches into another one; None where it names no year."""
    if (found := _YEAR_OF_FEAST.fullmatch(normal)) is not None:
        return found[1]
    moments = moments_of(normal, words.season_months)
    if moments is None or not moments[0].has_year:
        return None
    return "/".join(dict.fromkeys(f"{moment.year:04d}" for moment in moments))


def is_longer_than_a_month(normal: str, words: WordsOfDates) -> bool:
    """Whether a date is a quarter, half a year, a season, or years."""
    moments = moments_of(normal, words.season_months)
    return is_years(normal) or (moments is not None and moments[0].unit in _LONGER_THAN_MONTHS)


def _year(moment: Moment) -> str:
    return f"{moment.first.year:04d}" if moment.has_year else ""


def _told(months: Sequence[tuple[str, str]]) -> str:
    """Months with their years; a year that two of them share stands once."""
    first, last = months[0], months[-1]
    if first == last:
        return " ".join(filter(None, first))
    if first[1] == last[1]:
        return " ".join(filter(None, (f"{first[0]}/{last[0]}", last[1])))
    return "/".join(" ".join(filter(None, month)) for month in (first, last))
