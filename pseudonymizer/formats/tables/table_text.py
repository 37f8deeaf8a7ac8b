"""A table as text: each row on a line, each cell after its column's header, names in parts put together.

The text is the same whichever columns are chosen: those that are not are shown as text that no source holds,
so that nothing can be written there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from linkage.errors import UnsupportedInputError
from linkage.kinds import PERSON
from linkage.records import Span
from pseudonymizer.formats.records import FormatOptions
from pseudonymizer.formats.tables.name_fields import NameField, composed, header_of, name_columns
from pseudonymizer.formats.tables.table_columns import ColumnCells
from pseudonymizer.formats.tree.mojibake import mended
from pseudonymizer.formats.tree.textmap import TextBuilder

_VALUE_LIKE = re.compile(
    r"[\d.,:/+\- ]*\d[\d.,:/+\- ]*|.*@.*|"
)  # numbers, dates, addresses: no column headers
_MAX_HEADER = 60  # characters
ROWS_AHEAD: Final = 50  # rows that are looked at before the first one counts as a header
_LEAST_WORDS: Final = 2  # header words that a row below the first one needs, to be a header


class TableCell(NamedTuple):
    """What a cell says, and how to add it to a text piece by piece."""

    value: str
    add: Callable[[TextBuilder], None]

    def __repr__(self) -> str:
        return "TableCell()"


Row = Mapping[int, TableCell]


class TableText:
    """Takes the rows of one table in order; end closes it. Columns are numbered from 0; a row may lack some.

    A row of header words below the first one begins another table, as one with a title above its header, or
    the second of two on a sheet.
    """

    def __init__(self, builder: TextBuilder, options: FormatOptions) -> None:
        self._builder, self._options = builder, options
        self._waiting: list[Row] | None = []
        self._titles: Mapping[int, str] = {}
        self._roles: Mapping[int, NameField] = {}
        self._order: tuple[int, ...] = ()
        self._wanted: frozenset[str] | None = None
        if options.columns is not None:
            self._wanted = frozenset(column.strip().casefold() for column in options.columns)
        self._chosen: frozenset[int] | None = None if self._wanted is None else frozenset()
        self._met: set[str] = set()  # chosen columns that some header has named
        self._columns: dict[tuple[int, bool], ColumnCells] = {}
        self._had_rows = False

    def add_row(self, row: Row) -> None:
        """A row. Cells that hold nothing count as lacking, so that an empty row is none."""
        cells = {number: cell for number, cell in row.items() if cell.value}
        if not cells:
            return
        self._had_rows = True
        if self._waiting is None:
            self._add(cells)
            return
        self._waiting.append(cells)
        if len(self._waiting) > ROWS_AHEAD:
            self._begin()

    def end(self) -> None:
        """No row comes any more.

        Raises:
            UnsupportedInputError: columns are chosen that no header of the table names.
        """
        if self._waiting:
            self._begin()
        self._close_columns()
        if self._had_rows and self._wanted is not None and len(self._met) < len(self._wanted):
            raise UnsupportedInputError(
                f"{len(self._met)} of the {len(self._wanted)} chosen columns are in the "
                "header of this table; `nymlink columns` shows its columns"
            )

    def _begin(self) -> None:
        """Add the rows that waited for it to be known whether the first of them is a header."""
        rows, self._waiting = self._waiting or [], None
        values = [{number: cell.value for number, cell in row.items()} for row in rows]
        if has_header(values):
            self._begin_table(rows[0])
            rows = rows[1:]
        for row in rows:
            self._add(row)

    def _add(self, cells: Row) -> None:
        if self._is_header(cells):
            self._close_columns()
            self._begin_table(cells)
        else:
            self._add_cells(cells)

    def _begin_table(self, cells: Row) -> None:
        self._titles = {number: cell.value.strip() for number, cell in cells.items()}
        self._roles = {}
        if self._options.name_columns:
            numbers = list(self._titles)
            roles = name_columns(self._titles.values(), self._options.language)
            self._roles = {
                numbers[at]: role
                for at, role in roles.items()
                if self._options.kind_of_column(self._titles[numbers[at]]) in (None, PERSON)
            }
        if self._wanted is not None:
            folded = {number: title.casefold() for number, title in self._titles.items()}
            self._chosen = frozenset(number for number, title in folded.items() if title in self._wanted)
            self._met.update(folded[number] for number in self._chosen)
        self._order = composed(self._roles)
        self._add_header(cells)

    def _is_header(self, cells: Row) -> bool:
        """Whether a row below the first one is a header: half of it, and one for a name, are header words."""
        found = people = filled = 0
        for cell in cells.values():
            title = cell.value.strip()
            filled += 1
            header = header_of(title, self._options.language) if len(title) <= _MAX_HEADER else None
            found += header is not None
            people += header is not None and header.kind == PERSON
            if filled >= 2 * _LEAST_WORDS and not found:
                return False
        if found < _LEAST_WORDS or not people or 2 * found < filled:
            return False
        return is_header([cell.value.strip() for cell in cells.values()])

    def _add_header(self, cells: Row) -> None:
        for at, cell in enumerate(cells.values()):
            if at:
                self._builder.gap("; ")
            self._builder.new_field()
            cell.add(self._builder)
        self._builder.gap("\n")

    def _add_cells(self, cells: Row) -> None:
        builder = self._builder
        started = False
        in_parts = [number for number in self._order if number in cells]
        for number in cells:
            in_name = number in in_parts
            if in_name and number != min(in_parts):
                continue
            if started:
                builder.gap("; ")
            started = True
            shown = in_parts if in_name else [number]
            title = max(shown, key=lambda n: self._roles[n].value) if in_name else number
            column = self._column(title, is_chosen=any(map(self._is_chosen, shown)))
            self._add_title(column)
            builder.new_field()
            begin = builder.length
            self._add_values([(n, cells[n]) for n in shown])
            if builder.length > begin:
                value = " ".join(mended(cells[n].value) for n in shown)
                column.add(Span(begin, builder.length), value, is_whole_name=in_name)
        if started:
            builder.gap("\n")

    def _add_title(self, column: ColumnCells) -> None:
        if column.title:
            begin = self._builder.length
            self._builder.gap(f"{column.title}: ")
            column.titles.append(Span(begin, begin + len(column.title)))

    def _add_values(self, cells: Sequence[tuple[int, TableCell]]) -> None:
        for at, (number, cell) in enumerate(cells):
            if at:
                self._builder.gap(" ")
                self._builder.new_field()
            add = cell.add if self._is_chosen(number) else partial(_shown, cell.value)
            add(self._builder)

    def _is_chosen(self, number: int) -> bool:
        return self._chosen is None or number in self._chosen

    def _column(self, number: int, *, is_chosen: bool) -> ColumnCells:
        key = number, is_chosen
        if key not in self._columns:
            self._columns[key] = ColumnCells(
                self._titles.get(number, ""), self._roles.get(number), is_chosen=is_chosen
            )
        return self._columns[key]

    def _close_columns(self) -> None:
        for _, column in sorted(self._columns.items()):
            column.close(self._builder, self._options, were_chosen=self._wanted is not None)
        self._columns = {}


def _shown(value: str, builder: TextBuilder) -> None:
    builder.gap(value)


def is_header(titles: Sequence[str]) -> bool:
    """Whether a row may name the columns: short distinct words, no numbers, dates or addresses."""
    filled = [title for title in titles if title]
    return (
        len(filled) > 0
        and len(set(filled)) == len(filled)
        and all(len(title) <= _MAX_HEADER and not _VALUE_LIKE.fullmatch(title) for title in filled)
    )


def has_header(rows: Sequence[Mapping[int, str]]) -> bool:
    """Whether the first of these rows names the columns, told by its words and by the rows below.

    A word that comes again below itself is a value, unless most of the first row are known header words.
    """
    if not rows:
        return False
    first = {number: value.strip() for number, value in rows[0].items()}
    if not is_header(list(first.values())):
        return False
    filled = {number: title for number, title in first.items() if title}
    if 2 * sum(header_of(title) is not None for title in filled.values()) > len(filled):
        return True
    return not any(
        row.get(number, "").strip().casefold() == title.casefold()
        for row in rows[1:]
        for number, title in filled.items()
    )
