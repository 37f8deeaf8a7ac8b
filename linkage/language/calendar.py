"""Dates as people write them, in digits and in words: what a spelling means, in the forms of ISO 8601."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Final

from linkage.language.number_words import number_of_words
from linkage.language.pack import Language

_TOKEN: Final = re.compile(r"['\u2018\u2019]?\d+|[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*|[+:TZ]")
READ_WRONG: Final = str.maketrans({"o": "0", "l": "1", "i": "1"})  # what scanners take for digits, lowered
_LIKE_DIGITS: Final = re.compile(r"(?<![^\W_])[\doli]{1,4}(?![^\W_])")
ROMAN: Final[Mapping[str, int]] = {
    word: number
    for number, word in enumerate(
        ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"), start=1
    )
}
_LETTER_OF_PERIOD: Final = re.compile(
    r"(?:(?P<before>\d{4})[ /-]*)?(?P<letter>[qkh])(?P<number>\d)[ '\u2019/-]*(?P<after>\d{2,4})?"
)
_YEAR: Final = re.compile(r"(?:1[5-9]|2[01])\d\d")
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:t?(\d\d)(\d\d)(\d\d)?)?")
_CLOCK: Final = re.compile(r"[t ,](?P<hour>\d{1,2})[.:]?(?P<minute>\d\d)(?:[.:]?(?P<second>\d\d))?[^\d]*$")


@dataclass(frozen=True, slots=True)
class DateRead:
    """A date that was read. normal: ISO 8601, as complete as the text is: "1951-03-12", "--03-12", "2024-Q1".

    is_real: the calendar has such a day. year: None where the text names none.
    """

    normal: str = field(repr=False)
    is_real: bool
    year: int | None = None


def read_date(text: str, language: Language, *, last_short_year: int) -> DateRead | None:
    """What a spelling of a date means; None: it is none.

    last_short_year: the latest year, 0 to 99, that a year of two digits means in this century.
    """
    return _Reader(language, last_short_year).read(" ".join(text.lower().split()))


@dataclass(frozen=True, slots=True)
class _Reader:
    language: Language
    last_short_year: int

    def read(self, text: str) -> DateRead | None:
        words = _words(self.language)
        if text.replace("\u2019", "'") in self.language.feasts:
            return DateRead(self.language.feasts[text.replace("\u2019", "'")], is_real=True)
        if (found := words.feast.fullmatch(text)) is not None:
            day, year = self.language.feasts[found["feast"]], int(found["year"])
            normal = f"{year}{day[1:]}" if day.startswith("--") else f"{year} {day}"
            return DateRead(normal, is_real=True, year=year)
        for reading in (self._period, self._compact, self._by_month_name, self._weekday, self._by_numbers):
            if (read := reading(text)) is not None:
                return read
        return None

    def _period(self, text: str) -> DateRead | None:
        """A week, a quarter, half a year, a season, ten years."""
        words = _words(self.language)
        if (found := words.week.fullmatch(text)) is not None:
            year = int(found["year"]) if found["year"] else None
            return DateRead(
                f"{'' if year is None else year}-W{int(found['week']):02d}", is_real=True, year=year
            )
        if (found := re.fullmatch(r"(\d{4})-?w(\d\d)(?:-(\d))?", text)) is not None:
            rest = f"-{found[3]}" if found[3] else ""
            return DateRead(f"{found[1]}-W{found[2]}{rest}", is_real=True, year=int(found[1]))
        if (found := _LETTER_OF_PERIOD.fullmatch(text)) is not None:
            letter = "H" if found["letter"] == "h" else "Q"
            given = found["before"] or found["after"]
            return self._of_year(f"{letter}{found['number']}", given)
        if (found := words.quarter.search(text)) is not None:
            rest = text[: found.start()] + text[found.end() :]
            number = self._first_number(rest)
            letter = "H" if found[0].startswith(("half", "sem")) else "Q"
            given = _YEAR.search(rest) or re.search(r"(?<=['\u2019])\d\d", rest)
            return None if number is None else self._of_year(f"{letter}{number}", given[0] if given else None)
        if (found := words.season.match(text)) is not None:
            given = _YEAR.search(text) or re.search(r"(?<=['\u2019])\d\d", text)
            return self._of_year(found[0], given[0] if given else None)
        if (found := words.decade.fullmatch(text)) is not None:
            word = found["word"]
            number = self.language.numerals.get(word)
            if number is None:
                number = int(re.sub(r"\D", "", word))
            return DateRead(f"{number if number > 99 else 1900 + number}s", is_real=True)
        if re.fullmatch(r"\d{3}0s", text):
            return DateRead(text, is_real=True, year=int(text[:4]))
        return None

    def _of_year(self, part: str, year: str | None) -> DateRead:
        full = None if year is None else self._full_year(year)
        return DateRead(f"{'' if full is None else full}-{part}", is_real=True, year=full)

    def _first_number(self, text: str) -> int | None:
        for token in _TOKEN.findall(text):
            if token.isdigit() and len(token) == 1:
                return int(token)
            if token in self.language.ordinals:
                return self.language.ordinals[token]
            if token in ROMAN:
                return ROMAN[token]
        return None

    def _compact(self, text: str) -> DateRead | None:
        """Eight digits in a row, with or without a time behind them."""
        found = _COMPACT.fullmatch(text.rstrip("z"))
        if found is None:
            return None
        return _day(int(found[1]), int(found[2]), int(found[3]), _clock(found[4], found[5], found[6]))

    def _by_month_name(self, text: str) -> DateRead | None:
        """A day, a month in letters, a year: "12 maart 2024", "mrt '24", "May 3, 2024", "drie mei"."""
        tokens = _TOKEN.findall(_with_digits(text, also_without=False))
        while tokens and tokens[0] in self.language.weekdays and tokens[0] not in self.language.months:
            tokens = tokens[1:]
        if len(tokens) > 1 and tokens[0] in self.language.weekdays and tokens[1] in self.language.months:
            tokens = tokens[1:]
        places = [n for n, token in enumerate(tokens) if token in self.language.months]
        months = [self.language.months[tokens[place]] for place in places]
        if not places:
            places = [n for n, token in enumerate(tokens) if token in ROMAN and 0 < n < len(tokens) - 1]
            months = [ROMAN[tokens[place]] for place in places]
        if not places:
            return None
        days = [day for token in tokens[: places[0]] if (day := self._day_of(token)) is not None]
        behind = [token for token in tokens[places[-1] + 1 :] if token.strip("'\u2018\u2019").isdigit()]
        if not days and behind and len(behind[0]) < 3 and len(behind) > 1:  # "May 3, 2024"
            days, behind = [int(behind[0])], behind[1:]
        elif not days and behind and behind[0].isdigit() and len(behind[0]) < 3 and "-" not in text:
            days, behind = [int(behind[0])], []
        year = self._full_year(behind[0]) if behind else self._year_in_words(tokens[places[-1] + 1 :])
        if not days:
            ends = [_month(year, months[0]), *([_month(year, months[-1])] if len(months) > 1 else [])]
            return DateRead("/".join(ends), is_real=True, year=year)
        if len(days) == 1:
            return _day(year, months[0], days[0], _clock_of(text) if len(behind) > 2 else "")
        first, last = _day(year, months[0], days[0]), _day(year, months[-1], days[-1])
        return DateRead(f"{first.normal}/{last.normal}", is_real=first.is_real and last.is_real, year=year)

    def _day_of(self, token: str) -> int | None:
        if token.isdigit():
            return int(token) if len(token) < 3 else None
        for word in (token, token.removesuffix("n")):
            if word in self.language.ordinals:
                return self.language.ordinals[word]
            if word in self.language.numerals:
                return self.language.numerals[word]
        return None

    def _year_in_words(self, tokens: Sequence[str]) -> int | None:
        year = number_of_words(" ".join(tokens), self.language)
        return year if year is not None and year > 999 else None

    def _weekday(self, text: str) -> DateRead | None:
        word = text.rstrip(".")
        names = self.language.weekdays
        if word not in names:
            word = next(
                (
                    name
                    for name in sorted(names, key=len, reverse=True)
                    if len(name) > 3 and word.startswith(name)
                ),
                "",
            )
            if not word or re.search(r"\d", text):
                return None
        return DateRead(f"-W-{names[word]}", is_real=True)

    def _by_numbers(self, text: str) -> DateRead | None:
        """A date in digits: day, month and year, or two of them, or a year or a day alone."""
        first, _, rest = text.partition(" ")
        if rest and first.strip(".,") in self.language.weekdays:
            text = rest
        numbers = re.findall(r"['\u2018\u2019]?\d+", _with_digits(text, also_without=True))
        if not numbers:
            year = self._year_in_words(_TOKEN.findall(text))
            return None if year is None else DateRead(str(year), is_real=True, year=year)
        plain = [int(number.strip("'\u2018\u2019")) for number in numbers]
        if len(numbers) == 1:
            return self._one_number(numbers[0])
        if len(numbers) == 2:
            return self._two_numbers(numbers)
        clock = _clock_of(text) if len(numbers) > 3 else ""
        if len(numbers[0]) == 4:
            return _day(plain[0], plain[1], plain[2], clock)
        year = self._full_year(numbers[2])
        day, month = plain[0], plain[1]
        if month > 12 >= day:  # American order
            day, month = month, day
        return _day(year, month, day, clock)

    def _one_number(self, number: str) -> DateRead | None:
        if len(number) == 4 or not number.isdigit():
            year = self._full_year(number)
            return DateRead(str(year), is_real=True, year=year)
        return DateRead(f"---{int(number):02d}", is_real=0 < int(number) < 32) if len(number) < 3 else None

    def _two_numbers(self, numbers: Sequence[str]) -> DateRead | None:
        first, second = (int(number.strip("'\u2018\u2019")) for number in numbers)
        if len(numbers[0]) == 4 and len(numbers[1]) == 4:
            return DateRead(f"{first}/{second}", is_real=True, year=first)
        if len(numbers[0]) == 4:
            return DateRead(_month(first, second), is_real=0 < second < 13, year=first)
        if len(numbers[1]) == 4:
            return DateRead(_month(second, first), is_real=0 < first < 13, year=second)
        if second > 12 >= first:
            first, second = second, first
        return _day(None, second, first)

    def _full_year(self, digits: str) -> int:
        bare = digits.strip("'\u2018\u2019")
        number = int(bare)
        if len(bare) > 2:
            return number
        return number + (2000 if number <= self.last_short_year else 1900)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of periods in a language, as expressions over small letters."""

    week: re.Pattern[str]
    quarter: re.Pattern[str]
    season: re.Pattern[str]
    decade: re.Pattern[str]
    feast: re.Pattern[str]


@cache
def _words(language: Language) -> _Words:
    slots = language.slots
    return _Words(
        re.compile(
            rf"(?:{slots['WEEK']})\.? ?(?:nr\.? ?|no\.? ?)?(?P<week>\d{{1,2}})"
            r"(?:[ ,/-]+(?:van )?(?P<year>\d{4}))?",
            re.I,
        ),
        re.compile(slots["QUARTER"], re.IGNORECASE),
        re.compile(rf"{slots['SEASON']}(?= )"),
        re.compile(rf"{slots['DECADE_BEFORE']} (?P<word>.+)"),
        re.compile(rf"(?P<feast>{slots['FEAST']}) (?P<year>\d{{4}})"),
    )


def _with_digits(text: str, *, also_without: bool) -> str:
    """The text with digits for the letters that a scanner reads in their place.

    also_without: also where a group of such letters holds no digit: "02-ll-1938".
    """

    def digits(found: re.Match[str]) -> str:
        own = found[0]
        if own.isdigit() or not (also_without or any(letter.isdigit() for letter in own)):
            return own
        return own.translate(READ_WRONG)

    return _LIKE_DIGITS.sub(digits, text)


def _day(year: int | None, month: int, day: int, clock: str = "") -> DateRead:
    normal = f"{'-' if year is None else f'{year:04d}'}-{month:02d}-{day:02d}"
    try:
        date(2000 if year is None else year, month, day)  # 2000 has a 29 February
    except ValueError:
        return DateRead(normal + clock, is_real=False, year=year)
    return DateRead(normal + clock, is_real=True, year=year)


def _month(year: int | None, month: int) -> str:
    return f"{'-' if year is None else f'{year:04d}'}-{month:02d}"


def _clock_of(text: str) -> str:
    found = _CLOCK.search(text)
    return "" if found is None else _clock(found["hour"], found["minute"], found["second"])


def _clock(hour: str | None, minute: str | None, second: str | None) -> str:
    if hour is None or minute is None:
        return ""
    return f"T{int(hour):02d}:{minute}{'' if second is None else f':{second}'}"
