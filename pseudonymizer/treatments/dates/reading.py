"""Where in its spelling a date says its day, month and year, found with the help of its normal form.

Every piece must say what the normal form says: a spelling that can be taken in another way is not read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Self

from linkage.language import Language
from linkage.language.calendar import READ_WRONG, ROMAN
from linkage.language.number_words import number_of_words
from pseudonymizer.treatments.dates.moments import Moment, Unit, moments_of
from pseudonymizer.treatments.dates.spelling import DateSpelling, Part, Piece
from pseudonymizer.treatments.dates.words import WordsOfDates

_TOKEN: Final = re.compile(r"['\u2018\u2019]?\d+|[^\W\d_]+")
_NUMBER: Final = re.compile(r"['\u2018\u2019]?\d+")
_LIKE_FIGURES: Final = re.compile(r"(?<![^\W_])[\doli]{1,4}(?![^\W_])")
_COMPACT: Final = re.compile(r"(\d{8}|\d{6})(?:t?\d{4,6}z?)?")
_APOSTROPHES: Final = "'\u2018\u2019"
_YEAR_LENGTH: Final = 4
_SHORT_YEAR_LENGTH: Final = 2
# By figures of a day without marks, the lengths of its parts in each order that people use.
_ORDERS: Final = {
    8: (((Part.YEAR, 4), (Part.MONTH, 2), (Part.DAY, 2)), ((Part.DAY, 2), (Part.MONTH, 2), (Part.YEAR, 4))),
    6: (((Part.YEAR, 2), (Part.MONTH, 2), (Part.DAY, 2)), ((Part.DAY, 2), (Part.MONTH, 2), (Part.YEAR, 2))),
}


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a number between start and end. text: in small letters, with figures as they are meant.

    figures: without an apostrophe; "" for a word. number: what they say; -1 for a word.
    """

    start: int
    end: int
    text: str = field(repr=False)
    figures: str = field(repr=False)
    number: int = field(repr=False)

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        bare = match[0].strip(_APOSTROPHES)
        figures = bare if bare.isdecimal() else ""
        return cls(match.start(), match.end(), match[0], figures, int(figures or -1))

    def piece(self, part: Part, moment: int = 0) -> Piece:
        return Piece(self.start, self.end, part, moment)


@dataclass(frozen=True)
class DateReader:
    """Reads dates of texts in a language. words: of this language, then of those that its texts quote."""

    language: Language
    words: Sequence[WordsOfDates]

    def read(self, text: str, normal: str) -> DateSpelling | None:
        """The spelling of a date with this normal form; None where it cannot be told which part says what."""
        moments = moments_of(normal, self._season_months)
        lowered = text.lower()
        if moments is None or len(lowered) != len(text):
            return None
        unit = moments[0].unit
        if unit in (Unit.DAY, Unit.MONTH):
            pieces = (
                self._compact(lowered, moments)
                or self._by_name(lowered, moments)
                or self._by_numbers(lowered, moments)
            )
        elif unit is Unit.SEASON:
            pieces = self._season(lowered, moments)
        else:
            pieces = self._numbered(lowered, moments)
        if pieces is None or not _is_whole(pieces, moments):
            return None
        ordered = tuple(sorted(pieces, key=lambda piece: piece.start))
        between = self._between(lowered, ordered, moments)
        if between:
            moments = (moments[0], *between, moments[-1])
            ordered = tuple(_of_last(piece, len(moments) - 1) for piece in ordered)
        if unit is Unit.SEASON and ordered[-1].moment > 0:
            moments = (moments[0], moments[0].a_year_later())
        return DateSpelling(text, ordered, moments, self._language_of(lowered, ordered))

    @cached_property
    def _weekdays(self) -> frozenset[str]:
        return frozenset(name for words in self.words for name in words.weekdays.numbers)

    @cached_property
    def _months_by_name(self) -> Mapping[str, frozenset[int]]:
        """The months that a name means in any of the languages."""
        names = {name for words in self.words for name in words.months.numbers}
        return {
            name: frozenset(
                words.months.numbers[name] for words in self.words if name in words.months.numbers
            )
            for name in names
        }

    @cached_property
    def _season_months(self) -> dict[str, int]:
        """The first month by the name of a season."""
        return {word: month for words in self.words for word, month in words.season_months.items()}

    def _between(self, text: str, pieces: Sequence[Piece], moments: Sequence[Moment]) -> list[Moment]:
        """The days that a list names between its first and its last one, in the month of the last one."""
        days = [piece for piece in pieces if piece.part is Part.DAY][1:-1]
        first = moments[-1].first
        tokens = [_tokens(text[piece.start : piece.end], also_without=False)[0] for piece in days]
        return [replace(moments[-1], first=first.replace(day=self._day(token) or 1)) for token in tokens]

    def _compact(self, text: str, moments: Sequence[Moment]) -> list[Piece] | None:
        """A day in six or eight figures without marks, with or without a time behind it."""
        found = _COMPACT.fullmatch(text)
        if found is None or moments[0].unit is not Unit.DAY or not moments[0].has_year:
            return None
        day = moments[0].first
        for order in _ORDERS[len(found[1])]:
            pieces, place = [], 0
            for part, length in order:
                pieces.append(Piece(place, place + length, part, 0))
                place += length
            told = {piece.part: int(text[piece.start : piece.end]) for piece in pieces}
            if (told[Part.DAY], told[Part.MONTH]) == (day.day, day.month) and told[Part.YEAR] in (
                day.year,
                day.year % 100,
            ):
                return pieces
        return None

    def _by_name(self, text: str, moments: Sequence[Moment]) -> list[Piece] | None:
        """A date whose month is a word or a Roman number."""
        if text.isascii() and not any(map(str.isalpha, text)):
            return None
        tokens = _tokens(text, also_without=False)
        pieces = self._weekday(tokens)
        rest = tokens[len(pieces) :]
        months = self._months(rest, moments)
        if not months:
            return None
        pieces += [self._with_stop(text, rest[place].piece(Part.MONTH, moment)) for place, moment in months]
        before, behind = rest[: months[0][0]], rest[months[-1][0] + 1 :]
        if moments[0].unit is Unit.DAY:
            days = self._days(text, before, moments)
            if not days and behind and len(behind[0].figures) in (1, 2):  # "May 3, 2024"
                days = self._days(text, behind[:1], moments)
                behind = behind[1:]
            if not days:
                return None
            pieces += days
        if moments[0].has_year:
            year = self._year(text, behind, moments[-1], len(moments) - 1)
            if year is None:
                return None
            pieces.append(year)
        return pieces

    def _weekday(self, tokens: Sequence[_Token]) -> list[Piece]:
        """The day of the week with which a date begins, if it does."""
        if len(tokens) > 1 and tokens[0].text in self._weekdays:
            return [tokens[0].piece(Part.WEEKDAY)]
        return []

    def _months(self, tokens: Sequence[_Token], moments: Sequence[Moment]) -> list[tuple[int, int]]:
        """The places of the tokens that name the months of the first and of the last time, with the time."""
        last = len(moments) - 1
        named = [place for place, token in enumerate(tokens) if self._names_month(token, moments[last])]
        if not named:
            named = [
                place
                for place, token in enumerate(tokens)
                if 0 < place < len(tokens) - 1 and ROMAN.get(token.text) == moments[last].first.month
            ]
        if last == 0 or moments[0].unit is Unit.DAY:
            return [(place, last) for place in named[:1]]
        first = [place for place, token in enumerate(tokens) if self._names_month(token, moments[0])]
        return [(first[0], 0), (named[-1], last)] if first and named and first[0] < named[-1] else []

    def _with_stop(self, text: str, month: Piece) -> Piece:
        """The month with the full stop of its short name."""
        name = text[month.start : month.end]
        is_short = any(words.months.is_short(name) for words in self.words)
        return replace(month, end=month.end + (is_short and text.startswith(".", month.end)))

    def _names_month(self, token: _Token, moment: Moment) -> bool:
        return moment.first.month in self._months_by_name.get(token.text, ())

    def _days(self, text: str, tokens: Sequence[_Token], moments: Sequence[Moment]) -> list[Piece]:
        """The days before a month; of several the first and the last must be those of the moments."""
        told = [(token, day) for token in tokens if (day := self._day(token)) is not None]
        if len(told) < len(moments) or (len(moments) == 1 and len(told) > 1):
            return []
        if told[0][1] != moments[0].first.day or told[-1][1] != moments[-1].first.day:
            return []
        return [
            Piece(token.start, token.end + len(self._ending(text, token)), Part.DAY, number)
            for number, (token, _) in enumerate(told)
        ]

    def _ending(self, text: str, token: _Token) -> str:
        """What stands behind the figures of a day and belongs to them: "e" of "1e"."""
        if not token.figures:
            return ""
        found = re.compile(r"[^\W\d_]+").match(text, token.end)
        is_ending = found is not None and any(found[0] in words.endings for words in self.words)
        return found[0] if found is not None and is_ending else ""

    def _day(self, token: _Token) -> int | None:
        if token.figures:
            return token.number if len(token.text) <= _SHORT_YEAR_LENGTH else None
        for word in (token.text, token.text.removesuffix("n")):
            if (day := self.language.ordinals.get(word) or self.language.numerals.get(word)) is not None:
                return day
        return None

    def _year(self, text: str, behind: Sequence[_Token], moment: Moment, last: int) -> Piece | None:
        """The year behind a month: figures, or words up to the end."""
        for token in behind:
            if token.figures:
                return token.piece(Part.YEAR, last) if _says_year(token, moment.first.year) else None
        if behind and number_of_words(text[behind[0].start :], self.language) == moment.first.year:
            return Piece(behind[0].start, len(text), Part.YEAR, last)
        return None

    def _by_numbers(self, text: str, moments: Sequence[Moment]) -> list[Piece] | None:
        """A date in figures alone, perhaps with a day of the week before it."""
        pieces = [] if text[0].isdecimal() else self._weekday(_tokens(text, also_without=False))
        tokens = [token for token in _tokens(text, also_without=True) if token.figures]
        if len(moments) > 1:
            return None
        day = moments[0].first
        orders: list[tuple[Part, ...]]
        if moments[0].unit is Unit.MONTH:
            orders = [(Part.YEAR, Part.MONTH), (Part.MONTH, Part.YEAR)]
        elif not moments[0].has_year:
            orders = [(Part.DAY, Part.MONTH), (Part.MONTH, Part.DAY)]
        else:
            if tokens and len(tokens[0].figures) == _YEAR_LENGTH:
                return self._in_order(
                    tokens, (Part.YEAR, Part.MONTH, Part.DAY), day.year, day.month, day.day, pieces
                )
            orders = [(Part.DAY, Part.MONTH, Part.YEAR), (Part.MONTH, Part.DAY, Part.YEAR)]
        for order in orders:
            told = self._in_order(tokens, order, day.year, day.month, day.day, pieces)
            if told is not None:
                return told
        return None

    def _in_order(
        self,
        tokens: Sequence[_Token],
        order: Sequence[Part],
        year: int,
        month: int,
        day: int,
        weekday: Sequence[Piece],
    ) -> list[Piece] | None:
        """The first tokens as the parts of a date in this order; None where they say something else."""
        if len(tokens) < len(order):
            return None
        for token, part in zip(tokens, order, strict=False):
            if part is Part.YEAR:
                says_so = _says_year(token, year)
            else:
                says_so = token.number == (day if part is Part.DAY else month)
            if not says_so:
                return None
        return [*weekday, *(token.piece(part) for token, part in zip(tokens, order, strict=False))]

    def _numbered(self, text: str, moments: Sequence[Moment]) -> list[Piece] | None:
        """A week, a quarter, half a year: its number, and its year."""
        (moment,) = moments[:1]
        tokens = _tokens(re.sub(r"(?<=\d)w(?=\d)", "-", text), also_without=False)
        pieces: list[Piece] = []
        for token in tokens:
            told = {piece.part for piece in pieces}
            may_be_year = moment.has_year and (Part.NUMBER in told or len(token.figures) == _YEAR_LENGTH)
            if Part.YEAR not in told and may_be_year and _says_year(token, moment.year):
                pieces.append(token.piece(Part.YEAR))
            elif Part.NUMBER not in told and self._number(token) == moment.number:
                pieces.append(token.piece(Part.NUMBER))
            elif Part.NUMBER in told and token.number == moment.first.isoweekday():
                pieces.append(token.piece(Part.WEEKDAY))
        return pieces

    def _number(self, token: _Token) -> int | None:
        if token.figures:
            return token.number
        return self.language.ordinals.get(token.text) or ROMAN.get(token.text)

    def _season(self, text: str, moments: Sequence[Moment]) -> list[Piece] | None:
        """A season and its year, or the two years that a winter lies in."""
        season, *rest = _tokens(text, also_without=False)
        years = [token for token in rest if token.figures]
        if not 0 < len(years) < 3 or not all(
            _says_year(token, moments[0].year + number) for number, token in enumerate(years)
        ):
            return None
        pieces = [token.piece(Part.YEAR, number) for number, token in enumerate(years)]
        return [season.piece(Part.SEASON), *pieces]

    def _language_of(self, text: str, pieces: Sequence[Piece]) -> WordsOfDates:
        """The first language that has all words of the date; that of the texts where none has."""
        named = [
            (piece.part, text[piece.start : piece.end].removesuffix("."))
            for piece in pieces
            if piece.part in (Part.WEEKDAY, Part.MONTH, Part.SEASON) and text[piece.start].isalpha()
        ]
        if not named and text.isascii() and not any(map(str.isalpha, text)):
            return self.words[0]
        endings = {
            re.sub(r"^\W*\d+", "", text[piece.start : piece.end]) or text[piece.end : piece.end + 1]
            for piece in pieces
            if piece.part is Part.DAY
        }
        fitting = [words for words in self.words if all(_has(words, part, word) for part, word in named)]
        order = [piece.part for piece in pieces if piece.part in (Part.DAY, Part.MONTH)]
        telling = [
            words
            for words in fitting
            if endings & words.endings.keys()
            or (order == [Part.MONTH, Part.DAY] and words.may_put_month_first)
        ]
        return next(iter([*telling, *fitting, *self.words]))


def _is_whole(pieces: Iterable[Piece], moments: Sequence[Moment]) -> bool:
    """Whether pieces say all that the times say."""
    told = {piece.part for piece in pieces}
    wanted = {
        Unit.DAY: {Part.DAY, Part.MONTH},
        Unit.MONTH: {Part.MONTH},
        Unit.SEASON: {Part.SEASON},
    }.get(moments[0].unit, {Part.NUMBER})
    return wanted <= told and (Part.YEAR in told) == moments[0].has_year


def _has(words: WordsOfDates, part: Part, word: str) -> bool:
    """Whether a language has a word for this part of dates."""
    if part is Part.SEASON:
        return word in words.season_months
    return word in (words.months if part is Part.MONTH else words.weekdays).numbers


def _of_last(piece: Piece, last: int) -> Piece:
    """The piece of a list of days: its month and year are those of its last day."""
    return replace(piece, moment=last) if piece.part in (Part.MONTH, Part.YEAR) else piece


def _says_year(token: _Token, year: int) -> bool:
    length = len(token.figures)
    if length == _SHORT_YEAR_LENGTH:
        return token.number == year % 100
    return length == _YEAR_LENGTH and token.number == year


def _tokens(text: str, *, also_without: bool) -> list[_Token]:
    """The words and numbers of text, with figures for the letters that a scanner reads in their place.

    also_without: also where a group of such letters holds no figure: "02-ll-1938".
    """

    def figures(found: re.Match[str]) -> str:
        own = found[0]
        is_mixed = any(map(str.isdigit, own)) and not own.isdigit()
        return own.translate(READ_WRONG) if is_mixed or also_without else own

    is_read_wrong = any(letter in text for letter in "oli")
    read = _LIKE_FIGURES.sub(figures, text) if is_read_wrong else text
    return [_Token.of(match) for match in _TOKEN.finditer(read)]
