"""Tables and lists inside a plain text: a header, or a title, announces the values that stand below it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from linkage.language import Language
from linkage.texts import KindId

_BIRTH_DATE: Final = KindId("BIRTH_DATE")
_CASE: Final = KindId("CASE_NUMBER")
_STREET: Final = KindId("STREET")
_BLANKS: Final = "  "  # two and more between the columns
_MARKS: Final = (";", "|", "\t")  # the first that stands twice in a header divides the columns
_WORDS: Final = re.compile(r"\S+(?: \S+)*")
_RULER: Final = re.compile(r"[\s|+:=-]*")
_AROUND: Final = " \t\"'*.:"  # what may stand around the words of a header
_MOST_ROWS: Final = 500
_MOST_INDENT: Final = 3  # blanks by which the first cell of a row may stand beside that of the header
_VALUE: Final = re.compile(r"\d{3}")  # what no header has: its words may have "1e ziektedag" and "T1"
_IN_BRACKETS: Final = re.compile(r"(?<=[^\W\d_]) \((?=\d{1,3}[a-z]?[),])")
_FEWEST_NEIGHBOURS: Final = 3  # names with a number in brackets in one line; two may be the ages of children
_LONGEST_ENTRY: Final = 90  # letters of a line of a list, as of names with a day behind each


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class TextTables:
    """How a language heads the columns and the lists of a text."""

    def __init__(self, language: Language) -> None:
        number = language.slots.get("NUMBER_HEADER", "(?!)")
        birthdays = language.slots.get("BIRTHDAYS", "(?!)")
        self._number = re.compile(rf"(?m)^[ \t|\"]{{0,8}}(?:{number})(?=\.?[ \t]*\"?(?:[;|\t]|  ))")
        self._birthdays = re.compile(rf"(?m)^[^\n\d]{{0,30}}(?<!\w)(?:{birthdays})(?!\w)")
        houses, before = (language.slots.get(name, "(?!)") for name in ("HOUSES", "HOUSE_BEFORE"))
        self._houses = re.compile(rf"(?<!\w)(?:{houses})(?!\w)")
        self._house_number = re.compile(rf"(?<!\w)(?:{before})[ \t]{{1,2}}(?=\d)")
        self._day = re.compile(rf"(?<!\w)(?:\d|(?:{language.slots.get('MONTH_NAME', '(?!)')})(?!\w))")

    def places(self, lowered: str, ends: Mapping[KindId, Sequence[int]]) -> Iterator[tuple[KindId, int]]:
        """Where values begin that a header or a title announces, each with the kind.

        lowered: the text in small letters. ends: by kind, where the phrases of cues.tsv end in it.
        """
        lines = _lines(lowered)
        starts = [line.start for line in lines]
        heads: dict[int, dict[int, KindId]] = {}
        for kind, places in ends.items():
            for place in places:
                heads.setdefault(bisect_right(starts, place - 1) - 1, {})[place] = kind
        for match in self._number.finditer(lowered):
            heads.setdefault(bisect_right(starts, match.start()) - 1, {}).setdefault(match.end(), _CASE)
        for number in sorted(heads):
            yield from _below(lines, number, heads[number])
        for match in self._birthdays.finditer(lowered):
            for line in _list_below(lines, bisect_right(starts, match.start()) - 1):
                for day in self._day.finditer(line.text):
                    yield _BIRTH_DATE, line.start + day.start()
        if self._houses.search(lowered) is not None:
            yield from ((_STREET, match.end()) for match in self._house_number.finditer(lowered))
            yield from _numbers_behind_names(lines)


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(_Line(start, line))
        start += len(line) + 1
    return lines


def _numbers_behind_names(lines: Iterable[_Line]) -> Iterator[tuple[KindId, int]]:
    """The house numbers of a list of neighbours: "Van Zuijlen (2), Ye (6), Hogeweg (8)"."""
    for line in lines:
        numbers = list(_IN_BRACKETS.finditer(line.text))
        if len(numbers) >= _FEWEST_NEIGHBOURS:
            yield from ((_STREET, line.start + match.end()) for match in numbers)


def _below(lines: Sequence[_Line], number: int, heads: Mapping[int, KindId]) -> Iterator[tuple[KindId, int]]:
    """The cells below a header line. heads: by place where a word of it ends, the kind that it announces."""
    header = lines[number]
    if _VALUE.search(header.text):
        return
    mark = next((mark for mark in _MARKS if header.text.count(mark) > 1), _BLANKS)
    if mark == _BLANKS and _BLANKS not in header.text.strip():
        return
    columns = _cells(header, mark)
    kinds = [
        next((kind for end, kind in heads.items() if _ends_at(header, start, stop, end)), None)
        for start, stop in columns
    ]
    if len(columns) < 2 or not any(kinds):
        return
    for line in lines[number + 1 : number + 1 + _MOST_ROWS]:
        if _RULER.fullmatch(line.text):
            if not line.text.strip():
                return
            continue
        cells = _cells(line, mark)
        if len(cells) < 2:
            return
        # Cells stand in their order where none is left out; else below the header that they lie under.
        is_whole = len(cells) == len(columns) and abs(cells[0][0] - columns[0][0]) <= _MOST_INDENT
        for index, (start, stop) in enumerate(cells):
            column = index if mark != _BLANKS or is_whole else _column(columns, start, stop)
            kind = kinds[column] if column < len(kinds) else None
            if kind is not None and start < stop:
                yield kind, line.start + start


def _cells(line: _Line, mark: str) -> list[tuple[int, int]]:
    """Start and end of each cell in its line, without what may stand around it."""
    if mark == _BLANKS:
        return [match.span() for match in _WORDS.finditer(line.text)]
    cells = []
    start = 0
    for part in line.text.split(mark):
        bare = part.strip(_AROUND)
        offset = start + (part.index(bare) if bare else 0)
        cells.append((offset, offset + len(bare)))
        start += len(part) + 1
    is_framed = mark == "|" and cells[0][0] == cells[0][1]
    return cells[1:] if is_framed else cells


def _ends_at(line: _Line, start: int, stop: int, end: int) -> bool:
    """Whether a phrase that ends at this place of the text ends the cell, or stands there but for a mark."""
    place = end - line.start
    return start < place <= stop and not line.text[place:stop].strip(_AROUND)


def _column(columns: Sequence[tuple[int, int]], start: int, stop: int) -> int:
    """The column that a cell between start and stop shares the most places with."""
    bounds = [*(left for left, _ in columns), max(stop, columns[-1][1]) + 1]
    shared = [min(stop, bounds[k + 1]) - max(start, bounds[k]) for k in range(len(columns))]
    return max(range(len(columns)), key=lambda k: shared[k])


def _list_below(lines: Sequence[_Line], number: int) -> Iterator[_Line]:
    """The title of a list and the lines below it, up to an empty line behind one of them."""
    has_begun = False
    for count, line in enumerate(lines[number : number + 1 + _MOST_ROWS]):
        if len(line.text) > _LONGEST_ENTRY or (has_begun and not line.text.strip()):
            return
        has_begun = has_begun or (count > 0 and bool(line.text.strip()))
        yield line
