"""Checks of dates, times and ages."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.language import Language
from linkage.language.calendar import DateRead, read_date
from linkage.language.clock import read_clock
from linkage.language.number_words import number_of_words
from linkage.texts import KindId

_BIRTH_DATE: Final = KindId("BIRTH_DATE")
# A year of two digits, up to which it is one of this century: 26 as births were read before, 49 since papers
# speak of years to come.
LAST_SHORT_YEAR: Final = 49
LAST_SHORT_YEAR_OF_BIRTH: Final = 26
_LAST_BIRTH_YEAR: Final = 2012  # a later day behind a name is rather that of a letter or a visit
_LAST_BIRTH_YEAR_IN_BRACKETS: Final = 2022
_LIFE: Final = range(10, 116)  # years between the two of "(1938-2026)"; fewer are those of a project
_OLDEST: Final = 119  # years
_SPACED: Final = re.compile(r"\d\s+[-/.]|[-/.]\s+\d")
_MARK: Final = re.compile(r"\d\s*([-/.])(?=\s*['\u2019]?\d)")
_NO_PART: Final = ".,;: \t\n"  # what may stand at the end of a match without being a part of the value
_NO_DAY_OF_BIRTH: Final = re.compile(r"[WQHs]")  # a week, a quarter, ten years, a day of the week
_SIX_DIGITS: Final = re.compile(r"\d{6}")
_AGE_PARTS: Final = re.compile(r"\d+|[^\W\d_]+")


def checked_date(candidate: Candidate) -> Checked | None:
    """The date, and whether the calendar has it and its marks are those of dates."""
    text = candidate.text.rstrip(_NO_PART)
    read = _read(candidate, text)
    if read is None or (candidate.kind == _BIRTH_DATE and _NO_DAY_OF_BIRTH.search(read.normal)):
        return None
    return Checked(read.normal, _is_likely(text, read), len(text))


def checked_dotted_day(candidate: Candidate) -> Checked | None:
    """A day and a month that ends with a full stop, which is a part of it: "9.10."."""
    checked = checked_date(candidate)
    return None if checked is None else replace(checked, length=len(candidate.text))


def checked_joint_years(candidate: Candidate) -> Checked | None:
    """Two years that follow each other, as school years do: "2024/2025", "2024-25"."""
    read = _read(candidate, candidate.text[:4])
    until = candidate.groups["until"]
    if read is None or read.year is None or until is None:
        return None
    follows = int(until) == (read.year + 1) % 10 ** len(until)
    return Checked(f"{read.year}/{read.year + 1}") if follows else None


def checked_first_year_of_life(candidate: Candidate) -> Checked | None:
    """The first of two years in brackets behind a name, where somebody can have lived between them."""
    born, until = int(candidate.text), candidate.groups["until"]
    if born > _LAST_BIRTH_YEAR or (until is not None and int(until) - born not in _LIFE):
        return None
    return Checked(str(born))


def checked_birth_date_behind_name(candidate: Candidate) -> Checked | None:
    """A whole date that lies long enough in the past to be a birth date."""
    return _long_past(candidate, _LAST_BIRTH_YEAR)


def checked_birth_date_in_brackets(candidate: Candidate) -> Checked | None:
    """A whole date in brackets right behind a name, where children are told of too."""
    return _long_past(candidate, _LAST_BIRTH_YEAR_IN_BRACKETS)


def checked_birth_date_behind_sign(candidate: Candidate) -> Checked | None:
    """A date or a year behind a star, which may begin a point of a list as well."""
    text = candidate.text.rstrip(_NO_PART)
    read = _read(candidate, text)
    if read is None or read.year is None or read.year > _LAST_BIRTH_YEAR_IN_BRACKETS:
        return None
    return Checked(read.normal, _is_likely(text, read), len(text))


def _long_past(candidate: Candidate, last_year: int) -> Checked | None:
    text = candidate.text.rstrip(_NO_PART)
    read = _read(candidate, text)
    if read is None or read.year is None or not read.is_real or len(read.normal) < len("1951-03-12"):
        return None
    return Checked(read.normal, read.year <= last_year, len(text))


def checked_birth_date_without_marks(candidate: Candidate) -> Checked | None:
    """Six or eight digits that are a date in one of the orders: "19510312", "12031951", "510312"."""
    text = candidate.text
    if _SIX_DIGITS.fullmatch(text):
        orders = [f"{text[4:]}-{text[2:4]}-{text[:2]}", f"{text[:2]}-{text[2:4]}-{text[4:]}"]
    else:
        orders = [f"{text[:4]}-{text[4:6]}-{text[6:]}", f"{text[:2]}-{text[2:4]}-{text[4:]}"]
    for order in orders:
        read = _read(candidate, order)
        if read is not None and read.is_real and read.year is not None and 1850 < read.year < 2100:
            return Checked(read.normal)
    return None


def checked_clock(candidate: Candidate) -> Checked | None:
    """The time of day: "14:30", with its zone where the text names one."""
    normal = read_clock(candidate.text, candidate.language)
    return None if normal is None else Checked(normal)


def checked_age(candidate: Candidate) -> Checked | None:
    """The age: years as a number, "P5M" in months, "P3W" in weeks, "P11D" in days, "P9Y10M" in both."""
    language = candidate.language
    parts = _AGE_PARTS.findall(candidate.text.lower())
    numbers = [number for part in parts if (number := _number(part, language)) is not None]
    if not numbers or max(numbers) > _OLDEST:
        return None
    unit = next(
        (letter for part in reversed(parts) if (letter := language.age_units.get(part)) is not None), "Y"
    )
    if unit != "Y":
        return Checked(f"P{numbers[-1]}{unit}")
    if len(numbers) == 2 and re.match(r"\d+[;.]\d", candidate.text):
        return Checked(f"P{numbers[0]}Y{numbers[1]}M")
    return Checked("-".join(map(str, numbers[:2])))


def _number(word: str, language: Language) -> int | None:
    if word.isdigit():
        return int(word)
    for own in (
        word,
        *(word.removesuffix(ending) for ending in language.age_endings if word.endswith(ending)),
    ):
        if own in language.ordinals:
            return language.ordinals[own]
        if (number := number_of_words(own, language)) is not None:
            return number
    return None


def _read(candidate: Candidate, text: str) -> DateRead | None:
    is_birth = candidate.kind == _BIRTH_DATE
    return read_date(
        text,
        candidate.language,
        last_short_year=LAST_SHORT_YEAR_OF_BIRTH if is_birth else LAST_SHORT_YEAR,
    )


def _is_likely(text: str, read: DateRead) -> bool:
    """Whether a date counts without a cue.

    Days that no month has count where everything else is that of a date: people mistype. Two marks in one
    date, or blanks and a year of two digits, are rather a list of numbers or a version.
    """
    marks = _MARK.findall(text)[:2]
    if len(marks) == 2 and len(marks[0]) == 1:
        has_short_year = re.search(r"(?<!\d)\d{1,2}['\u2019]?$", text) is not None
        if marks[0] != marks[1]:
            return False
        if has_short_year and (
            _SPACED.search(text) or (marks[0] == "." and not re.fullmatch(r"\d\d\.\d\d\.\d\d", text))
        ):
            return False
    day_and_month = re.search(r"-(\d\d)-(\d\d)", read.normal)
    if day_and_month is None:
        return read.is_real
    return 0 < int(day_and_month[1]) < 13 and 0 < int(day_and_month[2]) < 32


VALIDATORS: Final[Mapping[str, Validator]] = {
    "date": checked_date,
    "dotted_day": checked_dotted_day,
    "joint_years": checked_joint_years,
    "first_year_of_life": checked_first_year_of_life,
    "birth_date_behind_name": checked_birth_date_behind_name,
    "birth_date_in_brackets": checked_birth_date_in_brackets,
    "birth_date_behind_sign": checked_birth_date_behind_sign,
    "birth_date_without_marks": checked_birth_date_without_marks,
    "clock": checked_clock,
    "age": checked_age,
}
