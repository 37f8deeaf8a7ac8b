"""Ages as bands of years: "42 jaar" as "40-49 jaar", everything above a limit as one band."""

import re
from dataclasses import dataclass
from typing import Final

from linkage.detection.candidate import Candidate
from linkage.detection.validators.dates import checked_age
from linkage.kinds import KindId
from linkage.language import Language
from linkage.language.number_words import number_of_words

_FIGURES: Final = re.compile(r"\d+(?:[.,;]\d+|\u00bd)?\+?")
_YEARS: Final = re.compile(r"(\d+)(?:-(\d+))?")
_SPAN: Final = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?")
_MONTHS_A_YEAR: Final = 12
_WEEKS_A_YEAR: Final = 52
_DAYS_A_YEAR: Final = 365
_AGE: Final = KindId("AGE")
_YEAR: Final = "Y"  # the letter of years in ISO 8601


@dataclass(frozen=True, slots=True)
class Bands:
    """width: years in a band. over: ages above it are one band. only_over: the others stay as they are."""

    language: Language
    width: int
    over: int
    only_over: bool

    def stays(self, text: str, normal: str) -> bool:
        """Whether an age is left as it is."""
        years = _years(self._read(text, normal))
        return self.only_over and years is not None and years[1] <= self.over

    def text(self, text: str, normal: str) -> str | None:
        """The age as a band, with the unit of the text: "40-49-jarige". None where it cannot be read.

        An age in months, weeks or days is told in years.
        """
        normal = self._read(text, normal)
        years = _years(normal)
        if years is None:
            return None
        band = self._band(*years)
        if normal.startswith("P") and "Y" not in normal:
            return f"{band} {self._unit}"
        figures = list(_FIGURES.finditer(text))
        if figures:
            return text[: figures[0].start()] + band + text[figures[-1].end() :]
        rest = self._behind_words(text, years[0])
        return None if rest is None else band + rest

    def _read(self, text: str, normal: str) -> str:
        """The normal form of an age; made from the text where it is that of a text that no pattern knew."""
        if _years(normal) is not None:
            return normal
        checked = checked_age(Candidate(text, {}, "international", _AGE, self.language))
        return normal if checked is None else checked.normal

    @property
    def _unit(self) -> str:
        return next(word for word, letter in self.language.age_units.items() if letter == _YEAR)

    def _band(self, first: int, last: int) -> str:
        if first > self.over:
            return f"{self.over + 1}+"
        low = first if self.only_over else first // self.width * self.width
        if last > self.over:
            return f"{low}+"
        return f"{low}-{min(last // self.width * self.width + self.width - 1, self.over)}"

    def _behind_words(self, text: str, years: int) -> str | None:
        """What stands behind an age in words, with a hyphen where it is a part of the word: "-jarige"."""
        lowered = text.lower()
        for end in range(len(lowered), 0, -1):
            word = lowered[:end]
            if word[-1].isspace():
                continue
            if (self.language.ordinals.get(word) or number_of_words(word, self.language)) == years:
                rest = text[end:]
                return f"-{rest}" if rest[:1].isalpha() else rest
        return None


def _years(normal: str) -> tuple[int, int] | None:
    """The youngest and the oldest age, in whole years, that a normal form says."""
    if (found := _YEARS.fullmatch(normal)) is not None:
        first = int(found[1])
        return min(first, int(found[2] or first)), max(first, int(found[2] or first))
    if (found := _SPAN.fullmatch(normal)) is None:
        return None
    years, months, weeks, days = (int(part or 0) for part in found.groups())
    whole = years + months // _MONTHS_A_YEAR + weeks // _WEEKS_A_YEAR + days // _DAYS_A_YEAR
    return whole, whole
