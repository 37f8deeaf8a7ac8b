"""Words of dates by language: months, days of the week, endings of days, seasons; read and written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Self

from linkage.language import Language
from linkage.language.tables import read_table
from linkage.settings import data_directory

_MONTH_FIRST: Final = frozenset({"en"})  # languages that may put the month before the day
_CAPITAL_MONTHS: Final = frozenset({"de", "en"})  # languages that write months with a capital
_FOLDER: Final = "treatments"  # in the folder of data


@dataclass(frozen=True)
class NameTable:
    """The names of months, or of days of the week, in one language. numbers: by name in small letters."""

    numbers: Mapping[str, int]
    short: frozenset[str]

    @classmethod
    def read(cls, path: Path) -> Self:
        rows = list(read_table(path, ("word", "number", "short")))
        return cls(
            {row["word"]: int(row["number"]) for row in rows},
            frozenset(row["word"] for row in rows if row["short"]),
        )

    @cached_property
    def _whole(self) -> Mapping[int, str]:
        return first_names({name: n for name, n in self.numbers.items() if name not in self.short})

    @cached_property
    def _shortened(self) -> Mapping[int, str]:
        return first_names({name: n for name, n in self.numbers.items() if name in self.short})

    def name(self, number: int) -> str:
        """The whole name, in small letters."""
        return self._whole[number]

    def like(self, old: str, number: int) -> str:
        """The name of another month or day in place of old: short where old is, and with its capitals.

        The whole name where the other one has no short name.
        """
        is_short = old.lower() in self.short
        new = self._shortened.get(number, self._whole[number]) if is_short else self._whole[number]
        return with_capitals(old, new)

    def is_short(self, word: str) -> bool:
        return word.lower() in self.short


@dataclass(frozen=True)
class WordsOfDates:
    """The words of one language. endings: what may stand behind the figures of a day, with its days."""

    code: str
    months: NameTable
    weekdays: NameTable
    endings: Mapping[str, frozenset[int]]
    seasons: Sequence[Mapping[str, int]]

    @property
    def may_put_month_first(self) -> bool:
        """Whether the month may stand before the day."""
        return self.code in _MONTH_FIRST

    def month(self, number: int) -> str:
        """The whole name of a month as it stands inside a sentence."""
        name = self.months.name(number)
        return name.capitalize() if self.code in _CAPITAL_MONTHS else name

    def ending(self, old: str, day: int) -> str | None:
        """The ending of another day in place of old; None where no ending of the language fits."""
        if day in self.endings.get(old.lower(), frozenset()):
            return old
        others = [ending for ending, days in self.endings.items() if day in days and ending.isalpha()]
        if not others:
            return None
        return with_capitals(old, min(others, key=lambda ending: abs(len(ending) - len(old))))

    def season(self, old: str, month: int) -> str | None:
        """The season of a month in place of old; None where old belongs to no row of seasons."""
        row = next((row for row in self.seasons if old.lower() in row), None)
        if row is None:
            return None
        begun = [word for word, first in row.items() if first <= month]
        return with_capitals(old, begun[-1] if begun else list(row)[-1])  # January lies in the last one

    @cached_property
    def season_months(self) -> dict[str, int]:
        """The first month by the name of a season."""
        return {word: month for row in self.seasons for word, month in row.items()}


def first_names(numbers: Mapping[str, int]) -> Mapping[int, str]:
    """By number the first of its names."""
    names: dict[int, str] = {}
    for name, number in numbers.items():
        names.setdefault(number, name)
    return names


def with_capitals(old: str, new: str) -> str:
    """A new word, in small letters, with capitals where old has them: none, the first letter, all."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def words_of_dates(languages: Iterable[str]) -> tuple[WordsOfDates, ...]:
    """The words of these languages, then those of the languages that their texts quote; each once."""
    codes = list(languages)
    for code in tuple(codes):
        directory = Language.load(code).directory
        codes += [row["language"] for row in read_table(directory / "quotes.tsv", ("language",))]
    return tuple(map(_words, dict.fromkeys(codes)))


@cache
def _words(code: str) -> WordsOfDates:
    data = data_directory()
    folder = data / "languages" / code
    endings = read_table(data / _FOLDER / "day_endings.tsv", ("language", "ending", "days"))
    seasons: dict[str, dict[str, int]] = {}
    for row in read_table(data / _FOLDER / "seasons.tsv", ("language", "row", "word", "month")):
        if row["language"] == code:
            seasons.setdefault(row["row"], {})[row["word"]] = int(row["month"])
    return WordsOfDates(
        code,
        NameTable.read(folder / "months.tsv"),
        NameTable.read(folder / "weekdays.tsv"),
        {row["ending"]: _days(row["days"]) for row in endings if row["language"] == code},
        tuple(seasons.values()),
    )


def _days(text: str) -> frozenset[int]:
    """The days of a list such as "1,8,20-31"."""
    days: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        days.update(range(int(first), int(last or first) + 1))
    return frozenset(days)
