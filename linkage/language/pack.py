"""The tables of a language: a folder in data/languages, named by ISO 639-1."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from linkage.errors import KindsError
from linkage.gazetteer.tables import read_table
from linkage.language.headers import RUNNING_TEXT, About, Header, Headers, NamePart
from linkage.settings import data_directory
from linkage.texts import KindId

_WORD_TABLES: Final = ("months", "weekdays", "numerals")  # each: a word and the number that it stands for


class CuePlace(StrEnum):
    """Where a cue stands beside the value that it announces."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase that announces a value of a kind: "polisnr" before a case number, "jaar" after an age.

    regex: the phrase as it stands in the table, a regular expression over small letters.
    """

    kind: KindId
    regex: str
    place: CuePlace = CuePlace.BEFORE


@dataclass(frozen=True)
class Language:
    """The words of one language, read from its tables when they are first needed."""

    code: str
    directory: Path = field(repr=False)

    @staticmethod
    def load(code: str) -> "Language":
        """The language of this code.

        Raises:
            KindsError: there is no folder for it, or a table that every language needs is missing.
        """
        return _loaded(code)

    @cached_property
    def months(self) -> Mapping[str, int]:
        """The number of a month, 1 to 12, by each of its names in small letters, without a full stop."""
        return self._numbers("months")

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """The number of a day of the week, Monday 1 to Sunday 7, by each of its names in small letters."""
        return self._numbers("weekdays")

    @cached_property
    def numerals(self) -> Mapping[str, int]:
        """The number that a word in small letters stands for."""
        return self._numbers("numerals")

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The phrases that announce values, in the order of the table."""
        rows = read_table(self.directory / "cues.tsv", ("kind", "place", "cue"))
        return tuple(Cue(KindId(row["kind"]), row["cue"], CuePlace(row["place"])) for row in rows)

    def street_endings(self, strength: str) -> tuple[str, ...]:
        """The last parts of names of streets, in small letters.

        strength: "strong" for those that a name of a street has by itself ("straat"), "weak" for those that
        need a house number ("hoek"). Empty where the language has no such table.
        """
        table = self.directory / "street_endings.tsv"
        if not table.is_file():
            return ()
        rows = read_table(table, ("ending", "strength"))
        return tuple(row["ending"] for row in rows if row["strength"] == strength)

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """By name of a slot, the regular expression that takes its place in a pattern."""
        return {
            "MONTH": any_of(self.months),
            "WEEKDAY": any_of(self.weekdays),
            "NUMERAL": any_of(self.numerals),
            "STREET_ENDING": any_of(self.street_endings("strong")),
            "STREET_ENDING_WEAK": any_of(self.street_endings("weak")),
            **{
                row["slot"]: row["regex"]
                for row in read_table(self.directory / "slots.tsv", ("slot", "regex"))
            },
        }

    @cached_property
    def headers(self) -> Headers:
        """The header words of columns of tables."""
        rows = read_table(self.directory / "columns.tsv", ("kind", "part", "about", "header"))
        return Headers(
            Header(
                row["header"],
                None if row["kind"] == RUNNING_TEXT else KindId(row["kind"]),
                NamePart(row["part"]) if row["part"] else None,
                About(row["about"]),
            )
            for row in rows
        )

    @cached_property
    def empty_values(self) -> frozenset[str]:
        """What a cell says where it holds no value, in small letters: "nvt", "onbekend"."""
        rows = read_table(self.directory / "empty_values.tsv", ("value",))
        return frozenset(row["value"] for row in rows)

    def _numbers(self, table: str) -> Mapping[str, int]:
        rows = read_table(self.directory / f"{table}.tsv", ("word", "number"))
        return {row["word"]: int(row["number"]) for row in rows}


def any_of(words: Collection[str]) -> str:
    """A regular expression for any of these words, the longest first; of none, one that matches nothing."""
    if not words:
        return "(?!)"
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})"


@cache
def _loaded(code: str) -> Language:
    directory = data_directory() / "languages" / code
    if not directory.is_dir():
        raise KindsError(f"there are no tables for the language {code!r}")
    for table in (*_WORD_TABLES, "cues", "slots", "columns", "empty_values"):
        if not (directory / f"{table}.tsv").is_file():
            raise KindsError(f"the language {code!r} lacks the table {table}.tsv")
    return Language(code, directory)
