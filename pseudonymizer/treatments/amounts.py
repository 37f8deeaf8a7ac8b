"""Amounts rounded to some significant figures, in their spelling."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from linkage.detection.validators.amounts import decimal_of
from linkage.language import Language
from linkage.language.number_words import number_of_words
from pseudonymizer.treatments.dates.words import first_names, with_capitals

_FIGURES: Final = re.compile(r"\d(?:[\d.,'\u2019 ]*\d)?")
_WORD: Final = re.compile(r"[^\W\d_]+")
_GROUP: Final = 3  # figures between two marks of thousands
_HUNDRED: Final = 100
_THOUSAND: Final = 1000


@dataclass(frozen=True, slots=True)
class Rounding:
    """figures: significant figures that stay."""

    language: Language
    figures: int

    def text(self, text: str) -> str | None:
        """The amount rounded, with its currency, its marks and its multiple: "€ 60.000", "1 miljoen".

        None where it holds more than one number, or none that can be read.
        """
        found = list(_FIGURES.finditer(text))
        if len(found) == 1 and "(" not in text:
            place = found[0]
            before, behind = text[: place.start()], text[place.end() :]
            return before + self._in_figures(place[0], is_multiplied=self._is_multiplied(behind)) + behind
        return None if found else self._in_words(text)

    def rounded(self, value: Decimal) -> Decimal:
        """The value with no more significant figures than stay, halves upwards."""
        if not value:
            return value
        return value.quantize(Decimal(1).scaleb(value.adjusted() - self.figures + 1), ROUND_HALF_UP)

    def _is_multiplied(self, behind: str) -> bool:
        """Whether thousands or millions are counted: "miljoen", "k"."""
        words = _WORD.findall(behind.lower())
        return bool(words) and (words[0] in self.language.multiples or behind[0].isalpha())

    def _in_figures(self, text: str, *, is_multiplied: bool) -> str:
        spelling = _Spelling.of(text)
        value = decimal_of(text)
        rounded = self.rounded(value)
        if rounded == value and rounded % 1:
            return text
        return spelling.written(rounded, fewest_decimals=0 if is_multiplied else min(spelling.decimals, 2))

    def _in_words(self, text: str) -> str | None:
        """An amount in words: "drie euro vijftig" as "vier euro"; figures where no words are known."""
        for end in (match.end() for match in reversed(list(_WORD.finditer(text)))):
            whole = number_of_words(text[:end], self.language)
            if whole is None:
                continue
            unit, _, cents = text[end:].strip().partition(" ")
            parts = number_of_words(cents, self.language) if cents else 0
            if parts is None:
                return None
            value = Decimal(whole) + Decimal(parts) / _HUNDRED
            rounded = self.rounded(value)
            if rounded == value:
                return text
            euros, rest = divmod(rounded, 1)
            behind = f" {self._number(int(rest * _HUNDRED))}" if rest else ""
            return f"{with_capitals(text, self._number(int(euros)))} {unit}{behind}"
        return None

    def _number(self, number: int) -> str:
        """A number in words; in figures where it is no word and no whole hundreds, thousands or millions."""
        words = first_names(self.language.numerals)
        if number in words:
            return words[number]
        for unit in (_THOUSAND, _HUNDRED):
            many, rest = divmod(number, unit)
            if rest == 0 and many in words and many < _HUNDRED:
                return f"{words[many]}{words[unit]}"
        for unit, name in sorted(first_names(self.language.multiples).items(), reverse=True):
            many, rest = divmod(number, unit)
            if unit > _THOUSAND and rest == 0 and many in words:
                return f"{words[many]} {name}"
        return str(number)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How figures stand: marks of thousands and of decimals, "" for none; how many decimals."""

    thousands: str
    decimal: str
    decimals: int

    @classmethod
    def of(cls, text: str) -> "_Spelling":
        whole = len(str(int(decimal_of(text))))
        seen, thousands, decimal = 0, "", ""
        for sign in text.lstrip("0") if not text.startswith("0") else text:
            if sign.isdigit():
                seen += 1
            elif seen < whole:
                thousands = sign
            elif not decimal:
                decimal = sign
        return cls(thousands, decimal, seen - whole)

    def written(self, value: Decimal, *, fewest_decimals: int) -> str:
        """A value in this spelling; without decimals where it is whole."""
        whole, _, decimals = f"{value:f}".partition(".")
        decimals = decimals.rstrip("0")
        groups: list[str] = []
        while len(whole) > _GROUP and self.thousands:
            groups.insert(0, whole[-_GROUP:])
            whole = whole[:-_GROUP]
        text = self.thousands.join([whole, *groups])
        if not decimals:
            return text
        return text + (self.decimal or ",") + decimals.ljust(fewest_decimals, "0")
