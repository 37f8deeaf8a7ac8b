"""Invented telephone numbers: set aside for fiction, or in an area that does not exist."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from string import digits
from typing import Final

import phonenumbers

from linkage.language.tables import read_table
from linkage.settings import data_directory
from pseudonymizer.treatments.drawing import chosen
from pseudonymizer.treatments.random_texts import drawn_signs, is_sign, laid
from pseudonymizer.treatments.treatment import TreatedValue

_TABLE: Final = "treatments/telephone_numbers.tsv"
_COLUMNS: Final = ("country", "like", "area", "start", "more")
_EXTENSION: Final = re.compile(r"[^\d+()]*[A-Za-z#][^\d]*\d{1,5}\)?$")
_ABROAD: Final = re.compile(r"\(?(?:\+|00)")
_GAP: Final = re.compile(r"(?<=\d)[^\d()]+(?=\d)")
_GROUP: Final = re.compile(r"\d+")
_SERVICE: Final = re.compile(r"0[89]00")  # numbers of services, in the Netherlands and Belgium
_NO_SERVICE: Final = "0999"  # a beginning that no service has
_SHORTEST: Final = 8  # figures of a number that has an area
_TRUNK: Final = "0"


@dataclass(frozen=True, slots=True)
class _Range:
    """Numbers that begin with start and have so many more figures, none of them anybody's.

    like: the beginning of the real numbers that they stand for; "" for all of the country. area: the area or
    network at their beginning.
    """

    country: str
    like: str
    area: str
    start: str
    more: int


@dataclass(frozen=True, slots=True)
class InventedTelephones:
    """Invents telephone and fax numbers."""

    def text(self, value: TreatedValue, numbers: Iterator[int]) -> str | None:
        """A number that nobody has, written as the value is; an extension stays an extension.

        Internal and emergency numbers are too short to have an area; other figures take their place.
        """
        found = _EXTENSION.search(value.text)
        text = value.text if found is None else value.text[: found.start()]
        extension = "" if found is None else _other(found[0], numbers)
        figures = "".join(filter(str.isdecimal, text))
        if _SERVICE.match(figures):
            return laid(text, list(_NO_SERVICE + _other(figures[4:], numbers))) + extension
        if len(figures) < _SHORTEST:
            return _other(text, numbers) + extension if figures else _other(value.text, numbers) or None
        number = _parsed(value.normal, figures)
        if number is None or number.country_code is None:
            return _other(text, numbers) + extension
        country = phonenumbers.region_code_for_country_code(number.country_code)
        national = phonenumbers.national_significant_number(number)
        row = _chosen_range(country, national, numbers)
        if row is None:
            return laid(text, _of_no_plan(figures, national, numbers)) + extension
        new = row.start + "".join(chosen(numbers, digits) for _ in range(row.more))
        if len(new) == len(national) and figures.endswith(national) and _has_place(text, row.area):
            return laid(text, list(figures[: -len(national)] + new)) + extension
        return _in_form(text, number.country_code, row.area, new) + extension


def _other(text: str, numbers: Iterator[int]) -> str:
    """Other figures for those of text."""
    return laid(text, drawn_signs(numbers, [sign for sign in text if is_sign(sign)], _letters_of(text)))


def _letters_of(text: str) -> frozenset[int]:
    signs = [sign for sign in text if is_sign(sign)]
    return frozenset(place for place, sign in enumerate(signs) if sign.isalpha())


def _parsed(normal: str, figures: str) -> phonenumbers.PhoneNumber | None:
    """The number with its country: as its normal form has it, else as Dutch ones are read."""
    try:
        told = normal if normal.startswith("+") else figures
        return phonenumbers.parse(told.partition("x")[0], "NL")
    except phonenumbers.NumberParseException:
        return None


def _chosen_range(country: str, national: str, numbers: Iterator[int]) -> _Range | None:
    """A range for a number; those that are for its own beginning go before those for all of its country."""
    own = [row for row in _ranges() if row.country == country and national.startswith(row.like)]
    best = [row for row in own if row.like] or own
    same_length = [row for row in best if len(row.start) + row.more == len(national)]
    return chosen(numbers, same_length or best) if best else None


def _of_no_plan(figures: str, national: str, numbers: Iterator[int]) -> Sequence[str]:
    """The figures of a number whose area begins with a zero, which no number has but in Italy; there a
    second one follows.
    """
    zeros = "00" if national.startswith(_TRUNK) else _TRUNK
    drawn = "".join(chosen(numbers, digits) for _ in national)
    before = figures[: len(figures) - len(national)]
    return list(before + (zeros + drawn)[: len(national)])


def _has_place(text: str, area: str) -> bool:
    """Whether the figures of text stand in groups of which one has the length of the area, or in none."""
    groups = [group.removeprefix(_TRUNK) for group in _GROUP.findall(text)]
    return not area or len(groups) == 1 or len(area) in map(len, groups[:2])


def _in_form(text: str, country_code: int, area: str, national: str) -> str:
    """A number of another length, with the marks of text between its country, its area and the rest."""
    gap = _GAP.search(text)
    mark = " " if gap is None else gap[0]
    rest = national[len(area) :]
    if _ABROAD.match(text):
        sign = "00" if text.lstrip("(").startswith("00") else "+"
        return f"{sign}{country_code} {area}{mark}{rest}" if gap else f"{sign}{country_code}{national}"
    return f"{_TRUNK}{area}{mark if gap else ''}{rest}"


@cache
def _ranges() -> tuple[_Range, ...]:
    rows = read_table(data_directory() / _TABLE, _COLUMNS)
    return tuple(
        _Range(row["country"], row["like"], row["area"], row["start"], int(row["more"])) for row in rows
    )
