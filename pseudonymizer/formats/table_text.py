"""A table as text: each row on a line, each cell after its column's header, names in parts put together."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from linkage.errors import UnsupportedInputError
from pseudonymizer.formats.name_fields import NameField, composed, looks_like_name, name_columns
from pseudonymizer.formats.records import FormatOptions
from pseudonymizer.formats.textmap import TextBuilder

_VALUE_LIKE = re.compile(
    r"[\d.,:/+\- ]*\d[\d.,:/+\- ]*|.*@.*|"
)  # numbers, dates, addresses: no column headers
_MAX_HEADER = 60  # characters


class TableCell(NamedTuple):
    """What a cell says, and how to add it to a text piece by piece."""

    value: str
    add: Callable[[TextBuilder], None]


class TableText:
    """Takes the rows of one table in order. Columns are numbered from 0; a row may lack some."""

    def __init__(self, builder: TextBuilder, options: FormatOptions) -> None:
        self._builder, self._options = builder, options
        self._titles: Mapping[int, str] | None = None
        self._roles: Mapping[int, NameField] = {}
        self._order: tuple[int, ...] = ()
        self._chosen: frozenset[int] | None = None

    def add_row(self, cells: Mapping[int, TableCell]) -> None:
        """Raises UnsupportedInputError if columns are chosen that the first row does not name."""
        if self._titles is None:
            self._begin({number: cell.value.strip() for number, cell in cells.items()})
            if self._titles:
                self._add_header(cells)
                return
        self._add_cells(cells)

    def go_on(self, builder: TextBuilder) -> None:
        """Add the rows that come to another text."""
        self._builder = builder

    def _begin(self, titles: Mapping[int, str]) -> None:
        has_header = is_header(list(titles.values()))
        self._titles = titles if has_header else {}
        if has_header and self._options.name_columns:
            numbers = list(titles)
            roles = name_columns(titles.values())
            self._roles = {numbers[at]: role for at, role in roles.items()}
        if self._options.columns is not None:
            wanted = {column.strip().casefold() for column in self._options.columns}
            self._chosen = frozenset(n for n, title in self._titles.items() if title.casefold() in wanted)
            if len(self._chosen) < len(wanted):
                raise UnsupportedInputError(
                    f"{len(self._chosen)} of the {len(wanted)} chosen columns are in the header of this table"
                )
            self._roles = {number: self._roles.get(number, NameField.FULL) for number in self._chosen}
        self._order = composed(self._roles)

    def _add_header(self, cells: Mapping[int, TableCell]) -> None:
        for at, cell in enumerate(cells.values()):
            if at:
                self._builder.gap("; ")
            self._builder.new_field()
            cell.add(self._builder)
        self._builder.gap("\n")

    def _add_cells(self, cells: Mapping[int, TableCell]) -> None:
        builder = self._builder
        started = False
        in_parts = [number for number in self._order if number in cells and cells[number].value]
        for number, cell in cells.items():
            if not cell.value or (self._chosen is not None and number not in self._chosen):
                continue
            in_name = number in in_parts
            if in_name and number != min(in_parts):
                continue
            if started:
                builder.gap("; ")
            started = True
            self._add_title(max(in_parts, key=lambda n: self._roles[n].value) if in_name else number)
            builder.new_field()
            begin = builder.length
            if in_name:
                self._add_composed([cells[n] for n in in_parts])
            else:
                cell.add(builder)
            role = self._roles.get(number)
            if in_name:
                builder.name(begin, builder.length)
            elif role is not None and (self._chosen is not None or _counts(cell.value, role)):
                start, end = _trimmed(cell.value)
                builder.name(begin + start, begin + end)
        if started:
            builder.gap("\n")

    def _add_title(self, number: int) -> None:
        title = (self._titles or {}).get(number)
        if title:
            self._builder.gap(f"{title}: ")

    def _add_composed(self, cells: Sequence[TableCell]) -> None:
        for at, cell in enumerate(cells):
            if at:
                self._builder.gap(" ")
            self._builder.new_field()
            cell.add(self._builder)


def _counts(value: str, role: NameField) -> bool:
    return role is not NameField.PARTICLE and looks_like_name(value, role)


def _trimmed(value: str) -> tuple[int, int]:
    """The value without white space around it, and without quotes of another kind ('Jan'); nothing if no
    name."""
    inner = value.strip()
    if len(inner) > 2 and inner[0] in "'\u2018" and inner[-1] in "'\u2019":
        inner = inner[1:-1]
    if not any(c.isalpha() for c in inner):
        return 0, 0
    start = value.find(inner)
    return start, start + len(inner)


def is_header(titles: Sequence[str]) -> bool:
    """Whether the first row names the columns: short distinct words, no numbers, dates or addresses."""
    filled = [title for title in titles if title]
    return (
        len(filled) > 0
        and len(set(filled)) == len(filled)
        and all(len(title) <= _MAX_HEADER and not _VALUE_LIKE.fullmatch(title) for title in filled)
    )
