"""The cells of a worksheet, row by row, with the texts that all sheets of a workbook share."""

import re
from collections.abc import Sequence
from functools import partial
from html import unescape
from typing import NamedTuple

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.office.office_xml import SpacedTextNode
from pseudonymizer.formats.office.sheet_dates import SheetDates
from pseudonymizer.formats.office.sheet_names import Names
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.text.markup import (
    add_text,
    attributes,
    check_xml,
    decode_markup,
    escaped,
    may_hold_name,
)
from pseudonymizer.formats.text.markup_tokens import Token, TokenKind, inner_range, tokens
from pseudonymizer.formats.tree.nodes import Changes, Node
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Change, TextBuilder
from pseudonymizer.formats.vocabulary import words

Range = tuple[int, int]
_COLUMN = re.compile(r"[A-Z]+")
_STRINGS = re.compile(r"(?:\"|&quot;)((?:(?!\"|&quot;).|(?:\"\"|&quot;&quot;))*)(?:\"|&quot;)", re.DOTALL)
_JOINED = re.compile(r"\s*&amp;\s*")
_HEADER_CODES = re.compile(r"&amp;(?:[LCRPNDTFAZGUESXYBIHO&]|&quot;[^&]*&quot;|\d+|K[0-9A-Fa-f]{6})")
_HEADERS = words("oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter")
_FORMULAS = words("f formula formula1 formula2 sqref")
_SHOWN = words("display tooltip prompt promptTitle error errorTitle")
_SEARCHED = words("location name codeName r:id title")


class SharedStrings:
    """The texts of a workbook, each with the ranges of XML that hold it."""

    def __init__(self) -> None:
        self._source = -1
        self._text = ""
        self._items: list[list[Range]] = []
        self._used: set[int] = set()

    def read(self, raw: bytes, reading: Reading) -> Node:
        text, encoding, mark = decode_markup(raw)
        check_xml(text)
        self._text, self._source = text, reading.new_source()
        loose: list[tuple[int, int, int]] = []
        in_text = in_phonetic = False
        last: Token | None = None
        for token in tokens(text):
            name = token.name.rpartition(":")[2]
            if token.kind is TokenKind.START:
                last = token
                if name == "si":
                    self._items.append([])
                in_phonetic = in_phonetic or (name == "rPh" and not token.is_empty)
                in_text = name == "t" and not token.is_empty
            elif token.kind is TokenKind.END:
                in_phonetic = in_phonetic and name != "rPh"
                in_text = False
            elif in_text and self._items and token.kind in {TokenKind.TEXT, TokenKind.CDATA}:
                start, end = (token.start, token.end) if token.kind is TokenKind.TEXT else inner_range(token)
                if in_phonetic:
                    separate(reading.technical, "\n")
                    reading.technical.copied(self._source, text[start:end], start)
                    continue
                self._items[-1].append((start, end))
                if last is not None and "xml:space" not in text[last.start : last.end]:
                    loose.append((start, end, last.end - 1))
        return SpacedTextNode(self._source, text, encoding, mark, loose)

    def cell(self, number: int) -> TableCell:
        if not 0 <= number < len(self._items):
            raise DamagedDocumentError(
                f"a cell speaks of shared text {number}, which the workbook does not have"
            )
        self._used.add(number)
        value = "".join(unescape(self._text[start:end]) for start, end in self._items[number])
        return TableCell(value, partial(self._add, number))

    def add_unused(self, reading: Reading) -> None:
        """Texts that no cell shows any more still are in the file."""
        for number in range(len(self._items)):
            if number not in self._used:
                separate(reading.aside, "\n")
                self._add(number, reading.aside)

    def _add(self, number: int, builder: TextBuilder) -> None:
        for start, end in self._items[number]:
            add_text(builder, self._source, self._text, start, end, collapse=False, named=False)


class NumberCell(NamedTuple):
    """Where the number of a cell stands; the type of the cell is written, or put in, at type_start."""

    start: int
    end: int
    type_start: int
    type_end: int


class SheetNode(SpacedTextNode):
    """A worksheet in which a cell of a number becomes one of text when the number is replaced."""

    def __init__(
        self,
        source: int,
        text: str,
        encoding: str,
        mark: bytes,
        loose: Sequence[tuple[int, int, int]],
        numbers: Sequence[NumberCell],
    ) -> None:
        super().__init__(source, text, encoding, mark, loose)
        self._numbers = numbers

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        own = list(changes.get(self.source, ()))
        owners = {(change.start, change.end): change.owner for change in own}
        added = [
            Change(
                one.type_start, one.type_end, "str" if one.type_end > one.type_start else ' t="str"',
                owners[one.start, one.end],
            )
            for one in self._numbers
            if (one.start, one.end) in owners
        ]  # fmt: skip
        merged = sorted([*own, *added], key=lambda change: (change.start, change.end))
        return super().render({self.source: merged}, location, edits)


class SheetReader:
    """One worksheet: its rows as a table, its headers and hints as lines, its formulas kept."""

    def __init__(
        self, reading: Reading, strings: SharedStrings, names: Names, dates: SheetDates | None = None
    ) -> None:
        self._reading, self._strings, self._names = reading, strings, names
        self._dates = dates or SheetDates()
        self._numbers: list[NumberCell] = []
        self._style = 0
        self._type_place = (0, 0)
        self._has_formula = False
        self._row: dict[int, TableCell] = {}
        self._literals: list[tuple[Range, ...]] = []
        self._column = -1
        self._kind = ""
        self._inline: list[Range] = []
        self._source = -1
        self._text = ""

    def read(self, raw: bytes) -> Node:
        text, encoding, mark = decode_markup(raw)
        check_xml(text)
        self._text, self._source = text, self._reading.new_source()
        separate(self._reading.prose)
        table = TableText(self._reading.prose, self._reading.options)
        loose: list[tuple[int, int, int]] = []
        element = ""
        tag: Token | None = None
        for token in tokens(text):
            if token.kind is TokenKind.START:
                element, tag = token.name.rpartition(":")[2], token
                if element == "c":
                    self._begin_cell(token)
                elif element == "row":
                    self._row = {}
                elif element not in {"v", "f", "t", "is"} and "=" in text[token.start : token.end]:
                    self._attributes(token)
            elif token.kind is TokenKind.END:
                name = token.name.rpartition(":")[2]
                if name == "c":
                    self._end_cell()
                elif name == "row" and self._row:
                    table.add_row(self._row)
                element = ""
            elif token.kind is TokenKind.TEXT:
                self._characters(element, token.start, token.end)
                if element == "t" and tag is not None and "xml:space" not in text[tag.start : tag.end]:
                    loose.append((token.start, token.end, tag.end - 1))
            elif token.kind is TokenKind.COMMENT:
                self._comment(*inner_range(token))
        table.end()
        return SheetNode(self._source, text, encoding, mark, loose, self._numbers)

    def _begin_cell(self, token: Token) -> None:
        self._kind, reference = "n", ""
        self._style, self._has_formula = 0, False
        self._type_place = (token.end - 1, token.end - 1)
        for attribute in attributes(self._text, token):
            if attribute.name == "t":
                self._kind = self._text[attribute.start : attribute.end]
                self._type_place = (attribute.start, attribute.end)
            elif attribute.name == "s":
                style = self._text[attribute.start : attribute.end]
                self._style = int(style) if style.isdigit() else 0
            elif attribute.name == "r":
                reference = self._text[attribute.start : attribute.end]
        letters = _COLUMN.match(reference)
        self._column = _column_number(letters[0]) if letters else self._column + 1 if self._row else 0
        self._inline = []
        self._literals = []

    def _characters(self, element: str, start: int, end: int) -> None:
        text, reading = self._text, self._reading
        if element == "v":
            if self._kind == "s":
                number = text[start:end].strip()
                self._row[self._column] = self._strings.cell(int(number) if number.isdigit() else -1)
            elif self._kind == "str":
                self._inline.append((start, end))
            elif self._kind not in {"b", "e"}:
                self._row[self._column] = self._number(start, end)
        elif element == "t":
            self._inline.append((start, end))
        elif element in _FORMULAS:
            self._has_formula = True
            self._names.add_formula(self._source, text, start, end, reading)
            self._add_literals(start, end)
        elif element in _HEADERS:
            separate(reading.aside, "\n")
            self._add_header(start, end)
        elif text[start:end].strip() and any(c.isalpha() for c in text[start:end]):
            separate(reading.technical, "\n")
            add_text(reading.technical, self._source, text, start, end, collapse=False, named=False)

    def _number(self, start: int, end: int) -> TableCell:
        """The number of a cell, a date as such. One that a formula gives stays, for it would come again."""
        number = self._text[start:end]
        shown = self._dates.shown(number, self._style) or number
        if self._has_formula:
            return TableCell(shown, lambda builder: builder.gap(shown))
        self._numbers.append(NumberCell(start, end, *self._type_place))
        return TableCell(shown, lambda builder: builder.atom(self._source, shown, start, end, escaped))

    def _end_cell(self) -> None:
        if self._inline:
            value = "".join(unescape(self._text[start:end]) for start, end in self._inline)
            self._row[self._column] = TableCell(value, partial(self._add_ranges, tuple(self._inline)))

    def _add_ranges(self, ranges: tuple[Range, ...], builder: TextBuilder) -> None:
        for start, end in ranges:
            add_text(builder, self._source, self._text, start, end, collapse=False, named=False)

    def _comment(self, start: int, end: int) -> None:
        separate(self._reading.technical, "\n")
        self._reading.technical.copied(self._source, self._text[start:end], start, escaped)

    def _add_literals(self, start: int, end: int) -> None:
        """Strings of a formula; those joined by & are one text, as the reader of the cell sees it."""
        aside = self._reading.aside
        last_end = -1
        for found in _STRINGS.finditer(self._text, start, end):
            if not any(c.isalpha() for c in found[1]):
                continue
            if last_end < 0 or not _JOINED.fullmatch(self._text, last_end, found.start()):
                separate(aside, "\n")
            add_text(
                aside, self._source, self._text, found.start(1), found.end(1), collapse=False, named=False
            )
            last_end = found.end()

    def _add_header(self, start: int, end: int) -> None:
        aside = self._reading.aside
        position = start
        for found in [*_HEADER_CODES.finditer(self._text, start, end), None]:
            stop = found.start() if found is not None else end
            add_text(aside, self._source, self._text, position, stop, collapse=False, named=False)
            if found is not None:
                if not aside.ends_with(("\n", " ")):
                    aside.gap(" ")
                position = found.end()

    def _attributes(self, token: Token) -> None:
        reading, text = self._reading, self._text
        for attribute in attributes(text, token):
            name = attribute.name.rpartition(":")[2]
            if not any(c.isalpha() for c in text[attribute.start : attribute.end]):
                continue
            if name in _SHOWN:
                separate(reading.aside, "\n")
                add_text(
                    reading.aside,
                    self._source,
                    text,
                    attribute.start,
                    attribute.end,
                    collapse=False,
                    named=False,
                )
            elif name == "location":
                self._names.add_formula(self._source, text, attribute.start, attribute.end, reading)
            elif attribute.name not in {"r:id", "xr:uid"} and (
                name in _SEARCHED or may_hold_name(text[attribute.start : attribute.end])
            ):
                separate(reading.technical, "\n")
                add_text(
                    reading.technical,
                    self._source,
                    text,
                    attribute.start,
                    attribute.end,
                    collapse=False,
                    named=False,
                )


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1
