"""Invented numbers: others in the same spelling, from a range that is never given out where one is known.

A number whose kind has check digits never passes them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final

from linkage.detection.validators.citizens import compact
from linkage.language.tables import read_table
from linkage.settings import data_directory
from pseudonymizer.treatments.checks import Checks
from pseudonymizer.treatments.drawing import chosen
from pseudonymizer.treatments.random_texts import drawn_signs, is_sign, laid
from pseudonymizer.treatments.treatment import TreatedValue

_TABLE: Final = "treatments/never_given.tsv"
_COLUMNS: Final = ("kind", "country", "shape", "start", "first_letter", "first_figure", "stays")
_MOST_DRAWS: Final = 400  # until a number has all but its check; one draw of 30 holds a day of birth
_MASKED: Final = re.compile(r"[xX]{2,}")
_AS_DRAWN: Final = "?"  # in a start: this sign is as it was drawn


@dataclass(frozen=True, slots=True)
class NeverGiven:
    """Numbers of one shape that are never given out. shape: over capitals and figures without marks.

    start: how they begin, "?" for any sign. first_letter, first_figure: which these are; "" for any. stays:
    "letters" where letters say what the number is, as "HRB" does; "country" where the first two signs do.
    """

    country: str
    shape: re.Pattern[str]
    start: str
    first_letter: str
    first_figure: str
    stays: str

    def holds(self, bare: str, country: str) -> bool:
        """Whether this row is the one for numbers such as bare, of this country."""
        return self.country in ("", country) and self.shape.fullmatch(bare) is not None

    def staying(self, signs: Sequence[str]) -> frozenset[int]:
        """The places of the signs that stay as they are in the value."""
        if self.stays == "country":
            return frozenset(range(2))
        return frozenset(place for place, sign in enumerate(signs) if self.stays and sign.isalpha())

    def applied(self, signs: Sequence[str]) -> list[str]:
        """Drawn signs, changed into a number that is never given out."""
        changed = [
            sign if wanted == _AS_DRAWN else wanted
            for sign, wanted in zip(signs, self.start.ljust(len(signs), _AS_DRAWN), strict=False)
        ]
        for wanted, is_kind in ((self.first_letter, str.isalpha), (self.first_figure, str.isdecimal)):
            place = next((place for place, sign in enumerate(changed) if is_kind(sign)), None)
            if wanted and place is not None:
                changed[place] = wanted
        return changed


@dataclass(frozen=True, slots=True)
class InventedNumbers:
    """Invents numbers of all kinds that are letters and figures."""

    checks: Checks

    def text(self, value: TreatedValue, numbers: Iterator[int]) -> str | None:
        """A number that nobody has in the spelling of the value; None where it has no letters or figures."""
        signs = [sign for sign in value.text if is_sign(sign)]
        if not signs:
            return None
        bare = compact(value.text)
        checks = self.checks.of(value.kind, value.text, value.country)
        spelled = value.text
        if not checks and len(bare) == len(signs):
            spelled, checks = bare, self.checks.of(value.kind, bare, value.country)
        has_check = bool(checks) and checks[0].passes(spelled)
        row = next((row for row in _rows().get(value.kind, ()) if row.holds(bare, value.country)), None)
        staying = checks[0].staying(signs) if has_check else frozenset()
        if row is not None:
            staying |= row.staying(signs)
        staying |= _masks(value.text)
        failing: list[str] | None = None
        for _ in range(_MOST_DRAWS):
            drawn = drawn_signs(numbers, signs, staying)
            if row is not None and not has_check:
                drawn = row.applied(drawn)
            tried = laid(spelled, drawn)
            if any(check.passes(tried) for check in checks):
                continue
            failing = drawn
            if not has_check or checks[0].refuses(tried):
                break
        return None if failing is None else laid(value.text, failing)


def _masks(text: str) -> frozenset[int]:
    """The places, among letters and figures, of an x that stands for a hidden sign."""
    hidden = {place for found in _MASKED.finditer(text) for place in range(*found.span())}
    signs = [place for place, sign in enumerate(text) if is_sign(sign)]
    return frozenset(number for number, place in enumerate(signs) if place in hidden)


def letters(numbers: Iterator[int], count: int) -> str:
    """So many letters, small."""
    return "".join(chosen(numbers, ascii_uppercase) for _ in range(count)).lower()


@cache
def _rows() -> Mapping[str, Sequence[NeverGiven]]:
    """By kind the rows of numbers that are never given out; the first one that holds counts."""
    rows: dict[str, list[NeverGiven]] = {}
    for row in read_table(data_directory() / _TABLE, _COLUMNS):
        never = NeverGiven(
            row["country"], re.compile(row["shape"]), row["start"], row["first_letter"],
            row["first_figure"], row["stays"],
        )  # fmt: skip
        rows.setdefault(row["kind"], []).append(never)
    return rows
