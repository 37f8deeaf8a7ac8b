"""Tables as text (CSV, TSV): cells are read in the context of their row; delimiters, quotes and line ends stay."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from linkage.errors import UnsupportedInputError
from linkage.reading import decode
from pseudonymizer.formats.name_fields import NameField, composed, name_columns
from pseudonymizer.formats.nodes import TextNode
from pseudonymizer.formats.parsing import Reading, separate
from pseudonymizer.formats.textmap import TextBuilder

_DELIMITERS = ";,\t|"
_SAMPLE_ROWS = 200
_VALUE_LIKE = re.compile(r"[\d.,:/+\- ]*\d[\d.,:/+\- ]*|.*@.*|")  # numbers, dates, addresses: no column headers
_MAX_HEADER = 60  # characters


class Cell(NamedTuple):
    """Where a cell stands in the text: content without its quotes."""

    start: int
    end: int
    is_quoted: bool


Row = list[Cell]


def parse(raw: bytes, reading: Reading) -> TextNode:
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    separate(reading.prose)
    delimiter = sniff_delimiter(text)
    rows = read_rows(text, delimiter)
    first = next(rows, None)
    if first is not None:
        _Table(text, source, delimiter, reading).add(first, rows)
    return TextNode(source, text, decoded.encoding, decoded.byte_order_mark)


def sniff_delimiter(text: str) -> str:
    """The delimiter that gives the first rows the same number of cells, most cells first."""
    sample = text[:200_000]
    best, best_score = ",", (-1.0, 0)
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        widths: Counter[int] = Counter()
        for number, row in enumerate(read_rows(sample, delimiter)):
            if number >= _SAMPLE_ROWS:
                break
            widths[len(row)] += 1
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (count / widths.total() if width > 1 else 0.0, width)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def read_rows(text: str, delimiter: str) -> Iterator[Row]:
    """Rows of cells by the rules of RFC 4180; a quote inside an unquoted cell is a character as any other."""
    bare = re.compile(f"[^{re.escape(delimiter)}\r\n]*")
    quoted = re.compile(r'"((?:[^"]|"")*)"')
    position, length = 0, len(text)
    while position < length:
        row: Row = []
        while True:
            found = quoted.match(text, position)
            after = found.end() if found else -1
            if found and (after == length or text[after] in delimiter + "\r\n"):
                row.append(Cell(found.start(1), found.end(1), True))
                position = after
            else:
                plain = bare.match(text, position)
                end = plain.end() if plain else position
                row.append(Cell(position, end, False))
                position = end
            if position < length and text[position] == delimiter:
                position += 1
                continue
            break
        if text.startswith("\r\n", position):
            position += 2
        elif position < length:
            position += 1
        yield row


class _Table:
    """Shows a table as text: each row on a line, each cell after its column's header."""

    def __init__(self, text: str, source: int, delimiter: str, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading
        self._builder = reading.prose
        self._not_bare = re.compile(f'[{re.escape(delimiter)}"\r\n]')

    def add(self, first: Row, rows: Iterator[Row]) -> None:
        titles = [self._value(cell).strip() for cell in first]
        has_header = is_header(titles)
        chosen = self._chosen(titles, has_header=has_header)
        roles = name_columns(titles) if has_header and self._reading.options.name_columns else {}
        if chosen is not None:
            roles = {number: roles.get(number, NameField.FULL) for number in chosen}
        order = composed(roles)
        if has_header:
            self._add_bare(first)
        else:
            self._add_row(first, [], {}, (), chosen)
        for row in rows:
            self._add_row(row, titles if has_header else [], roles, order, chosen)

    def _chosen(self, titles: Sequence[str], *, has_header: bool) -> frozenset[int] | None:
        columns = self._reading.options.columns
        if columns is None:
            return None
        wanted = {column.strip().casefold() for column in columns}
        found = frozenset(n for n, title in enumerate(titles) if has_header and title.casefold() in wanted)
        if len(found) < len(wanted):
            raise UnsupportedInputError(
                f"{len(found)} of the {len(wanted)} chosen columns are in the header of this table"
            )
        return found

    def _add_bare(self, row: Row) -> None:
        for number, cell in enumerate(row):
            self._builder.new_field()
            self._add_cell(cell)
            self._builder.gap("\n" if number == len(row) - 1 else "; ")

    def _add_row(
        self,
        row: Row,
        titles: Sequence[str],
        roles: dict[int, NameField],
        order: tuple[int, ...],
        chosen: frozenset[int] | None,
    ) -> None:
        builder = self._builder
        started = False
        for number, cell in enumerate(row):
            if cell.start == cell.end or (chosen is not None and number not in chosen):
                continue
            in_name = number in order
            if in_name and number != _first_filled(row, order):
                continue
            if started:
                builder.gap("; ")
            started = True
            if number < len(titles) and titles[number]:
                title = titles[max(order, key=lambda n: roles[n].value)] if in_name else titles[number]
                builder.gap(f"{title}: ")
            builder.new_field()
            begin = builder.length
            if in_name:
                self._add_composed(row, order)
            else:
                self._add_cell(cell)
            role = roles.get(number)
            if role is not None and role is not NameField.PARTICLE:
                builder.name(*self._trimmed(begin, cell, composed_name=in_name))
        if started:
            builder.gap("\n")

    def _trimmed(self, begin: int, cell: Cell, *, composed_name: bool) -> tuple[int, int]:
        """The shown cell without white space around it, and without quotes of another kind ('Jan')."""
        end = self._builder.length
        if composed_name:
            return begin, end
        value = self._value(cell)
        inner = value.strip()
        if len(inner) > 2 and inner[0] in "'\u2018" and inner[-1] in "'\u2019":
            inner = inner[1:-1]
        if not any(c.isalpha() for c in inner):
            return begin, begin
        start = begin + value.find(inner)
        return start, start + len(inner)

    def _add_composed(self, row: Row, order: tuple[int, ...]) -> None:
        is_first = True
        for number in order:
            if number < len(row) and row[number].start < row[number].end:
                if not is_first:
                    self._builder.gap(" ")
                self._builder.new_field()
                self._add_cell(row[number])
                is_first = False

    def _value(self, cell: Cell) -> str:
        value = self._text[cell.start : cell.end]
        return value.replace('""', '"') if cell.is_quoted else value

    def _add_cell(self, cell: Cell) -> None:
        if cell.is_quoted:
            add_quoted(self._builder, self._source, self._text, cell.start, cell.end)
        else:
            content = self._text[cell.start : cell.end]
            self._builder.copied(self._source, content, cell.start, self._bare)

    def _bare(self, label: str) -> str:
        # Without quotes a delimiter in a label would start another cell, and quotes may not begin mid-cell.
        return " ".join(self._not_bare.sub(" ", label).split())


def _first_filled(row: Row, order: tuple[int, ...]) -> int:
    """The leftmost filled cell of a name that is spread over cells: there the whole name is shown."""
    return min((n for n in order if n < len(row) and row[n].start < row[n].end), default=-1)


def is_header(titles: Sequence[str]) -> bool:
    """Whether the first row names the columns: short distinct words, no numbers, dates or addresses."""
    filled = [title for title in titles if title]
    return (
        len(filled) > 0
        and len(set(filled)) == len(filled)
        and all(len(title) <= _MAX_HEADER and not _VALUE_LIKE.fullmatch(title) for title in filled)
    )


def add_quoted(builder: TextBuilder, source: int, text: str, start: int, end: int) -> None:
    """The content of a quoted cell: two quotes mean one."""
    position = start
    while (quote := text.find('""', position, end)) >= 0:
        builder.copied(source, text[position:quote], position, _quoted)
        builder.atom(source, '"', quote, quote + 2, _quoted)
        position = quote + 2
    builder.copied(source, text[position:end], position, _quoted)


def _quoted(label: str) -> str:
    return label.replace('"', '""')
