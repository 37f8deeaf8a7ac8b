"""Invented streets: a made name with the ending of the real one, another house number of the same form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from linkage.language import Language
from linkage.language.tables import read_table
from linkage.settings import data_directory
from pseudonymizer.treatments.dates.words import with_capitals
from pseudonymizer.treatments.drawing import chosen
from pseudonymizer.treatments.surrogates.addresses import other
from pseudonymizer.treatments.treatment import TreatedValue

_NAMES: Final = "treatments/street_names.tsv"
_TYPES: Final = "treatments/street_types.tsv"
_PARTS: Final = re.compile(r"(?P<name>[^\d]*[^\d\s,])(?P<rest>\s*,?\s*\d.*)?", re.DOTALL)
_YEAR_IN_NAME: Final = re.compile(r"^\s\d{4}(?=\D+\d)")  # of "Plein 1944 nr 3"
_NUMBER_FIRST: Final = re.compile(r"(?P<number>\d+[A-Za-z]?,?\s)(?P<name>.+\s)(?P<kind>\S+)", re.DOTALL)
_NUMBERS_ALONE: Final = ("postbus", "antwoordnummer", "postfach")  # a box has a number in place of a name
_BEFORE: Final = "before"
_APOSTROPHE: Final = re.compile(r"^['\u2018\u2019][st]?-?(?=[A-Z])")


@dataclass(frozen=True)
class InventedStreets:
    """Invents streets in a language."""

    language: Language

    def text(self, value: TreatedValue, numbers: Iterator[int]) -> str | None:
        """A street in the form of the value, a box for a box; None where it holds no name."""
        text = value.text
        if (first := _NUMBER_FIRST.fullmatch(text)) is not None:
            return f"{other(first['number'], numbers)}{self._name(numbers).capitalize()} {first['kind']}"
        parts = _PARTS.fullmatch(text)
        if parts is None:
            return None
        rest = _number(_YEAR_IN_NAME.sub("", parts["rest"] or ""), numbers)
        words = [_APOSTROPHE.sub("", word) for word in parts["name"].split()]
        if words[0].lower() in _NUMBERS_ALONE:
            return parts["name"] + re.sub(r"\d", "0", rest, count=1)  # no box begins with a zero
        if words[0].lower() in _types()[_BEFORE] and len(words) > 1:
            return f"{words[0]} {with_capitals(words[-1], self._name(numbers))}{rest}"
        return self._like(words, numbers) + rest

    def _like(self, words: Sequence[str], numbers: Iterator[int]) -> str:
        """A made name with the ending of the last of words; "straat" where it has none."""
        last = words[-1]
        ending = next((ending for ending in self._endings if last.lower().endswith(ending)), None)
        name = self._name(numbers)
        if ending is None:
            return with_capitals(last, name + self._endings_by_strength[0])
        if len(ending) == len(last) and ending not in self._endings_by_strength and len(words) > 1:
            return f"{with_capitals(words[0], name)} {last}"  # "Berliner Allee"; the Dutch write one word
        return with_capitals(last, name + ending)

    def _name(self, numbers: Iterator[int]) -> str:
        """A name of two syllables that no list of streets, towns or people has."""
        syllables = _syllables()
        return chosen(numbers, syllables["first"]) + chosen(numbers, syllables["second"])

    @cached_property
    def _endings_by_strength(self) -> tuple[str, ...]:
        return (*self.language.street_endings("strong"), *self.language.street_endings("weak"))

    @cached_property
    def _endings(self) -> Sequence[str]:
        """What names of streets end with, the longest first."""
        return sorted({*self._endings_by_strength, *_types()["behind"]}, key=len, reverse=True)


def _number(rest: str, numbers: Iterator[int]) -> str:
    """Another house number of the same form: its words, such as "bis" and "hoog", stay."""
    return re.sub(r"\d+|(?<=\d)[A-Za-z](?![A-Za-z])", lambda found: other(found[0], numbers), rest)


@cache
def _syllables() -> Mapping[str, Sequence[str]]:
    return _by_place(_NAMES, "syllable")


@cache
def _types() -> Mapping[str, Sequence[str]]:
    return _by_place(_TYPES, "word")


def _by_place(table: str, column: str) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for row in read_table(data_directory() / table, ("place", column)):
        found.setdefault(row["place"], []).append(row[column])
    return found
