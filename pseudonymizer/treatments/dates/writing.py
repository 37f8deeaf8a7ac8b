"""Other times in the spelling of a date: its order, its marks, its padding, its short or whole names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from linkage.language import Language
from linkage.language.calendar import READ_WRONG, ROMAN
from pseudonymizer.treatments.dates.moments import Moment, Unit
from pseudonymizer.treatments.dates.spelling import DateSpelling, Part, Piece
from pseudonymizer.treatments.dates.words import WordsOfDates, first_names, with_capitals

_FIGURES: Final = re.compile(r"(['\u2018\u2019]?)([\dOolIi]*\d[\dOolIi]*|[OolIi]+)(.*)", re.DOTALL)
_ROMAN_OF: Final = {number: numeral for numeral, number in ROMAN.items()}
_SHORT_YEAR_LENGTH: Final = 2
_DAYS_OF_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class _Figures:
    """A number in figures: what stands before them, the figures as they are meant, what stands behind."""

    before: str
    figures: str
    behind: str


@dataclass(frozen=True)
class DateWriter:
    """Writes dates of texts in a language.

    last_short_year: the latest year, 0 to 99, that a year of two figures means in this century.
    """

    language: Language
    last_short_year: int

    def write(self, spelling: DateSpelling, moments: Sequence[Moment]) -> str | None:
        """The text of spelling with other moments; None where its words have no form for them."""
        pieces: list[str] = []
        read_to = 0
        for piece in spelling.pieces:
            text = self._piece(spelling, piece, moments[piece.moment])
            if text is None:
                return None
            pieces += [spelling.text[read_to : piece.start], text]
            pieces += self._added(spelling, piece, moments)
            read_to = piece.end
        return "".join(pieces) + spelling.text[read_to:]

    def _piece(self, spelling: DateSpelling, piece: Piece, new: Moment) -> str | None:
        text, words, old = spelling.cut(piece), spelling.words, spelling.moments[piece.moment]
        match piece.part:
            case Part.DAY:
                return self._day(text, new.first.day, words, padded=_is_padded(spelling, piece))
            case Part.MONTH:
                return _month(text, old.number, new.number, words, padded=_is_padded(spelling, piece))
            case Part.YEAR:
                return text if old.year == new.year else self._year(text, new.year)
            case Part.WEEKDAY:
                return _weekday(text, (new.first - old.first).days, words)
            case Part.NUMBER:
                is_iso = spelling.text[: piece.start].endswith(("W", "w"))
                return self._number(text, old.number, new.number, words, is_iso=is_iso)
            case Part.SEASON:
                return words.season(text, new.number)

    def _day(self, text: str, day: int, words: WordsOfDates, *, padded: bool) -> str | None:
        parts = _figures(text)
        if parts is not None:
            number = f"{day:02d}" if padded else str(day)
            ending = words.ending(parts.behind, day) if parts.behind else ""
            return None if ending is None else number + ending
        return self._in_words(text, day)

    def _in_words(self, text: str, number: int) -> str | None:
        """A number in words in place of another one, an ordinal for an ordinal."""
        bare = text.lower()
        for table in (self.language.ordinals, self.language.numerals):
            for ending in ("", "n"):
                if bare.endswith(ending) and bare.removesuffix(ending) in table:
                    word = next((word for word, value in table.items() if value == number), None)
                    return None if word is None else with_capitals(text, word + ending)
        return None

    def _year(self, text: str, year: int) -> str | None:
        parts = _figures(text)
        if parts is None:
            return self._year_in_words(text, year)
        if len(parts.figures) > _SHORT_YEAR_LENGTH:
            return f"{year:04d}"
        means = year % 100 + (2000 if year % 100 <= self.last_short_year else 1900)
        return f"{parts.before}{year % 100:02d}" if means == year else f"{year:04d}"

    def _year_in_words(self, text: str, year: int) -> str | None:
        """A year as "negentienhonderd vierenvijftig" says it; None for one that the words do not reach."""
        words = first_names(self.language.numerals)
        thousands, rest = divmod(year, 1000) if year // 100 % 10 == 0 else (0, 0)
        if thousands:
            whole = words.get(thousands, "") + words.get(1000, "")
        else:
            hundreds, rest = divmod(year, 100)
            whole = words.get(hundreds, "") + words.get(100, "")
        if rest and rest not in words:
            return None
        return with_capitals(text, f"{whole} {words[rest]}" if rest else whole)

    def _number(self, text: str, old: int, new: int, words: WordsOfDates, *, is_iso: bool) -> str | None:
        """The number of a week or of a part of a year; two figures behind the W of ISO 8601."""
        if old == new:
            return text
        parts = _figures(text)
        if parts is not None and not text.isalpha():
            ending = parts.behind if not parts.behind else words.ending(parts.behind, new)
            number = f"{new:02d}" if is_iso or parts.figures.startswith("0") else str(new)
            return None if ending is None else parts.before + number + ending
        if text.lower() in ROMAN:
            return _ROMAN_OF[new].upper() if text.isupper() else _ROMAN_OF[new]
        return self._in_words(text, new)

    def _added(self, spelling: DateSpelling, piece: Piece, moments: Sequence[Moment]) -> list[str]:
        """The month, and the year, behind a part of a list whose next part lies in another month or year."""
        listed = {Unit.DAY: Part.DAY, Unit.MONTH: Part.MONTH}.get(moments[0].unit)
        if piece.part is not listed or piece.moment == len(moments) - 1:
            return []
        own, following = moments[piece.moment], moments[piece.moment + 1]
        added: list[str] = []
        read_to = max(one.end for one in spelling.pieces if one.part is listed)
        for shared in spelling.pieces:
            is_month = shared.part is Part.MONTH and listed is Part.DAY and own.number != following.number
            if is_month or (shared.part is Part.YEAR and own.year != following.year):
                added += [spelling.text[read_to : shared.start], self._piece(spelling, shared, own) or ""]
                read_to = shared.end
        return added


def _figures(text: str) -> _Figures | None:
    if text.isdecimal():
        return _Figures("", text, "")
    found = _FIGURES.fullmatch(text)
    return None if found is None else _Figures(found[1], found[2].lower().translate(READ_WRONG), found[3])


def _plain_figures(text: str) -> _Figures | None:
    return None if text.lower() in ROMAN else _figures(text)


def _is_padded(spelling: DateSpelling, piece: Piece) -> bool:
    """Whether days and months stand in two figures: by the piece itself, its neighbours, or its month."""
    own = _plain_figures(spelling.cut(piece))
    if own is None or len(own.figures) == 1:
        return False
    if own.figures.startswith("0"):
        return True
    others = [
        _plain_figures(spelling.cut(one)) for one in spelling.pieces if one.part in (Part.DAY, Part.MONTH)
    ]
    for parts in others:
        if parts is not None and (len(parts.figures) == 1 or parts.figures.startswith("0")):
            return len(parts.figures) > 1
    return all(parts is not None for parts in others)  # beside the name of a month people write "5 maart"


def _month(text: str, old: int, new: int, words: WordsOfDates, *, padded: bool) -> str:
    if old == new:
        return text
    bare = text.removesuffix(".")
    if bare.lower() in words.months.numbers:
        name = words.months.like(bare, new)
        has_stop = bare != text and (words.months.is_short(name) or not words.months.is_short(bare))
        return name + "." * has_stop
    if _plain_figures(text) is not None:
        return f"{new:02d}" if padded else str(new)
    numeral = _ROMAN_OF[new]
    return numeral.upper() if text.isupper() else numeral


def _weekday(text: str, days: int, words: WordsOfDates) -> str:
    """The day of the week so many days later, in its spelling: a name or, in weeks by number, a figure."""
    if days % _DAYS_OF_WEEK == 0:
        return text
    if text.isdigit():
        return str((int(text) - 1 + days) % _DAYS_OF_WEEK + 1)
    number = words.weekdays.numbers[text.lower()]
    return words.weekdays.like(text, (number - 1 + days) % _DAYS_OF_WEEK + 1)
