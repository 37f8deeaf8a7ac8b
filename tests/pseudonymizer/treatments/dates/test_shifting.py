"""Dates that are shifted: each spelling, order and intervals, what stays and what becomes a code."""

import os
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkage.detection.values import normal_form
from linkage.kinds import KindId
from linkage.language import Language
from linkage.language.calendar import read_date
from pseudonymizer.treatments.dates.reading import DateReader
from pseudonymizer.treatments.dates.shifting import LONGEST_SHIFT, shift_days, shifted
from pseudonymizer.treatments.dates.words import words_of_dates
from pseudonymizer.treatments.dates.writing import DateWriter
from pseudonymizer.treatments.treatment import Outcome, Treatment

_DUTCH: Final = Language.load("nl")
_READER: Final = DateReader(_DUTCH, words_of_dates(["nl"]))
_LAST_SHORT: Final = 49
_WRITER: Final = DateWriter(_DUTCH, _LAST_SHORT)
_MONTHS: Final = {
    language: names.split()
    for language, names in (
        ("nl", "januari februari maart april mei juni juli augustus september oktober november december"),
        ("short", "jan feb mrt apr mei jun jul aug sep okt nov dec"),
        ("en", "January February March April May June July August September October November December"),
        ("de", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    )
}
_ROMAN: Final = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
_DAYS: Final = ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"]
_ENGLISH_DAYS: Final = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def _name(day: date, language: str = "nl") -> str:
    return _MONTHS[language][day.month - 1]


def _shortened(day: date) -> str:
    """The month as "mrt."; May has no shorter name, and so no full stop."""
    return _name(day, "short") + ("" if day.month == 5 else ".")


def _english_ending(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


_SPELLINGS: Final[dict[str, Callable[[date], str]]] = {
    "padded": lambda day: f"{day:%d-%m-%Y}",
    "slashes": lambda day: f"{day:%d/%m/%Y}",
    "points": lambda day: f"{day:%d.%m.%Y}",
    "blanks": lambda day: f"{day:%d - %m - %Y}",
    "short year": lambda day: f"{day:%d-%m-%y}",
    "apostrophe": lambda day: f"{day:%d-%m-'%y}",
    "iso": lambda day: f"{day:%Y-%m-%d}",
    "iso slashes": lambda day: f"{day:%Y/%m/%d}",
    "stamp": lambda day: f"{day:%Y-%m-%d}T14:30:05Z",
    "stamp in words": lambda day: f"{day:%d-%m-%Y}, 09:15",
    "compact": lambda day: f"{day:%Y%m%d}",
    "compact stamp": lambda day: f"{day:%Y%m%d}T0930",
    "name": lambda day: f"{day.day} {_name(day)} {day.year}",
    "capitals": lambda day: f"{day.day} {_name(day).upper()} {day.year}",
    "first capital": lambda day: f"{day.day} {_name(day).capitalize()} {day.year}",
    "short name": lambda day: f"{day.day} {_name(day, 'short')} {day.year}" if day.month != 5 else "",
    "full stop": lambda day: f"{day.day} {_shortened(day)} {day.year}" if day.month != 5 else "",
    "hyphens": lambda day: f"{day.day}-{_name(day)}-{day.year}",
    "name, short year": lambda day: f"{day.day} {_name(day)} '{day:%y}",
    "weekday": lambda day: f"{_DAYS[day.weekday()]} {day.day} {_name(day)} {day.year}",
    "short weekday": lambda day: f"{_DAYS[day.weekday()][:2]} {day:%d-%m-%Y}",
    "capital weekday": lambda day: f"{_DAYS[day.weekday()].capitalize()}, {day.day} {_name(day)} {day.year}",
    "ordinal": lambda day: f"{day.day}e {_name(day)} {day.year}",
    "english": lambda day: f"{_name(day, 'en')} {day.day}, {day.year}",
    "english ordinal": lambda day: f"{day.day}{_english_ending(day.day)} {_name(day, 'en')} {day.year}",
    "english weekday": lambda day: (
        f"{_ENGLISH_DAYS[day.weekday()]}, {_name(day, 'en')} {day.day}, {day.year}"
    ),
    "german": lambda day: f"{day.day}. {_name(day, 'de')} {day.year}",
    "roman": lambda day: f"{day.day} {_ROMAN[day.month - 1]} {day.year}",
    "month and year": lambda day: f"{_name(day)} {day.year}",
    "month in figures": lambda day: f"{day:%m-%Y}",
    "year and month": lambda day: f"{day:%Y-%m}",
    "quarter": lambda day: f"Q{(day.month + 2) // 3} {day.year}",
    "quarter in words": lambda day: f"{(day.month + 2) // 3}e kwartaal {day.year}",
    "week": lambda day: f"week {day.isocalendar().week} van {day.isocalendar().year}",
    "iso week": lambda day: f"{day.isocalendar().year}-W{day.isocalendar().week:02d}",
}
_FIRST_OF: Final = {  # the day whose shift counts
    "month and year": lambda day: day.replace(day=1),
    "month in figures": lambda day: day.replace(day=1),
    "year and month": lambda day: day.replace(day=1),
    "quarter": lambda day: day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
    "quarter in words": lambda day: day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
    "week": lambda day: day - timedelta(days=day.weekday()),
    "iso week": lambda day: day - timedelta(days=day.weekday()),
}
_DATES: Final = st.dates(date(1952, 1, 1), date(2047, 1, 1))
_SHIFTS: Final = st.integers(-LONGEST_SHIFT * 7, LONGEST_SHIFT * 7).filter(bool)


def _shifted(text: str, days: int) -> Outcome:
    read = read_date(text, _DUTCH, last_short_year=_LAST_SHORT)
    assert read is not None
    return shifted(text, read.normal, days, _READER, _WRITER)


@pytest.mark.parametrize("spelling", _SPELLINGS)
@settings(max_examples=40)
@given(day=_DATES, days=_SHIFTS)
def test_a_date_moves_in_its_spelling(spelling: str, day: date, days: int) -> None:
    write = _SPELLINGS[spelling]
    later = _FIRST_OF.get(spelling, lambda same: same)(day) + timedelta(days=days)
    assume(write(day) and write(later))
    assert _shifted(write(day), days) == Outcome(Treatment.SHIFT, write(later))


@given(days=_SHIFTS, one=_DATES, other=_DATES, spelled=st.sampled_from(["padded", "name", "iso", "roman"]))
def test_order_and_intervals_stay(days: int, one: date, other: date, spelled: str) -> None:
    told = [_shifted(_SPELLINGS[spelled](day), days).text or "" for day in (one, other)]
    read = [read_date(text, _DUTCH, last_short_year=_LAST_SHORT) for text in told]
    moved = [date.fromisoformat(one.normal) for one in read if one is not None]
    assert moved[1] - moved[0] == other - one


@given(day=_DATES, days=_SHIFTS)
def test_one_figure_where_one_stood(day: date, days: int) -> None:
    assume(day.day < 10 or day.month < 10)
    later = day + timedelta(days=days)
    text = f"{day.day}/{day.month}/{day.year}"
    assert _shifted(text, days).text == f"{later.day}/{later.month}/{later.year}"


@pytest.mark.parametrize(
    ("text", "days", "later"),
    [
        ("12 maart", 21, "2 april"),
        ("29 februari", 7, "7 maart"),  # a year that has it
        ("28 februari", 7, "7 maart"),  # an ordinary year
        ("31 december", 7, "7 januari"),
        ("ma 12/3", 14, "ma 26/3"),
        ("ma 12/3", 1, "di 13/3"),
        ("dinsdag 12 maart 2024", -5, "donderdag 7 maart 2024"),
        ("maart", 28, "maart"),
        ("maart", 42, "april"),
        ("mrt '24", -7, "feb '24"),
        ("mei 2024", 35, "juni 2024"),
        ("sept. 2019", -7, "aug. 2019"),
        ("12 mrt. 2024", 56, "7 mei 2024"),
        ("16 op 17 februari", 14, "2 op 3 maart"),
        ("14 en 15 oktober", 17, "31 oktober en 1 november"),
        ("14, 15 en 16 oktober 2024", 21, "4, 5 en 6 november 2024"),
        ("14 en 15 oktober 2024", 78, "31 december 2024 en 1 januari 2025"),
        ("8 t/m 26 juli", 7, "15 juli t/m 2 augustus"),
        ("maart/april 2024", 280, "december 2024/januari 2025"),
        ("1ste mei", 14, "15de mei"),
        ("1ste mei 2024", 19, "20ste mei 2024"),
        ("1e mei", 14, "15e mei"),
        ("drie mei", 7, "tien mei"),
        ("derde mei 2024", 7, "tiende mei 2024"),
        ("drie mei negentienhonderd vierenvijftig", -140, "veertien december negentienhonderd drieënvijftig"),
        ("Di. 12 MRT. 2024", 21, "Di. 2 APR. 2024"),
        ("Mittwoch, 3. Januar 2024", -7, "Mittwoch, 27. Dezember 2023"),
        ("5 août 1999", -7, "29 juillet 1999"),
        ("3 gennaio 2001", -7, "27 dicembre 2000"),
        ("derde kwartaal", 98, "vierde kwartaal"),
        ("kwartaal III 2024", 98, "kwartaal IV 2024"),
        ("1e halfjaar 2024", 181, "1e halfjaar 2024"),
        ("1e halfjaar 2024", 189, "2e halfjaar 2024"),
        ("zomer 2024", 98, "herfst 2024"),
        ("najaar '24", -98, "voorjaar '24"),
        ("summer 2020", 98, "autumn 2020"),
        ("zomer van 1991", 98, "herfst van 1991"),
        ("winter 2024/2025", 98, "lente 2025/2026"),
        ("winter 2024-'25", -364, "winter 2023-'24"),
        ("week 52", 14, "week 2"),
        ("wk 5, 2024", -35, "wk 52, 2023"),
        ("2024-W12-3", 7, "2024-W13-3"),
        ("05/13/2024", 7, "05/20/2024"),  # the American order stays
        ("20 juni 2O24", 7, "27 juni 2O24"),  # what a scanner read
        ("02-ll-1938", 30, "02-12-1938"),
        ("31-12-1949", 1, "01-01-1950"),
        ("31-12-'49", 1, "01-01-2050"),  # a year of two figures would be read as 1950
    ],
)
def test_spellings_one_by_one(text: str, days: int, later: str) -> None:
    assert _shifted(text, days) == Outcome(Treatment.SHIFT, later)


@pytest.mark.parametrize("text", ["2024", "woensdag", "wo", "jaren vijftig", "2024/2025", "1950s"])
def test_years_and_weekdays_alone_stay(text: str) -> None:
    assert _shifted(text, 21) == Outcome(Treatment.KEEP)


@pytest.mark.parametrize("text", ["30-02-2024", "31 april", "Pasen 2024", "kerst", "14e"])
def test_what_cannot_be_shifted_becomes_a_code(text: str) -> None:
    assert _shifted(text, 21) == Outcome(Treatment.CODE)


def test_a_normal_form_that_says_something_else_is_not_followed() -> None:
    assert shifted("12-03-1951", "1951-03-13", 7, _READER, _WRITER) == Outcome(Treatment.CODE)


def test_before_the_first_year_and_after_the_last_nothing_can_be_written() -> None:
    assert shifted("01-01-0001", "0001-01-01", -7, _READER, _WRITER) == Outcome(Treatment.CODE)
    assert shifted("31-12-9999", "9999-12-31", 7, _READER, _WRITER) == Outcome(Treatment.CODE)


@pytest.mark.parametrize("text", ["510312", "19510312", "12031951"])
def test_days_of_birth_without_marks(text: str) -> None:
    normal = normal_form(KindId("BIRTH_DATE"), text)
    assert normal == "1951-03-12"
    later = shifted(text, normal, 7, _READER, DateWriter(_DUTCH, 26)).text
    assert later is not None
    assert normal_form(KindId("BIRTH_DATE"), later) == "1951-03-19"
    assert len(later) == len(text)


@given(key=st.binary(min_size=32, max_size=32), whole_weeks=st.booleans())
def test_the_number_of_days(key: bytes, whole_weeks: bool) -> None:
    days = shift_days(key, whole_weeks=whole_weeks)
    assert 0 < abs(days) <= LONGEST_SHIFT * 7
    assert not whole_weeks or days % 7 == 0
    assert days == shift_days(key, whole_weeks=whole_weeks)


def test_every_number_of_weeks_is_drawn() -> None:
    drawn = {shift_days(os.urandom(32), whole_weeks=True) // 7 for _ in range(4000)}
    assert drawn == set(range(-LONGEST_SHIFT, LONGEST_SHIFT + 1)) - {0}


def test_a_person_has_another_number_of_days_than_the_project() -> None:
    key = bytes(32)
    numbers = {shift_days(key, whole_weeks=False, subject=subject) for subject in ("", "e1", "e2", "e3")}
    assert len(numbers) == 4
    assert shift_days(key, whole_weeks=False, subject="e1") == shift_days(
        key, whole_weeks=False, subject="e1"
    )
