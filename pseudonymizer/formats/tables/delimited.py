"""Tables as text (CSV, TSV): cells are read in the context of their row; delimiters, quotes and line ends
stay."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from linkage.reading import decode
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.text.packed_text import add_value, may_be_packed
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder

_DELIMITERS = ";,\t|"
_SAMPLE_ROWS = 200


class Cell(NamedTuple):
    """Where a cell stands in the text: content without its quotes."""

    start: int
    end: int
    is_quoted: bool


Row = list[Cell]


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The table as one text, whichever columns are chosen."""
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    separate(reading.prose)
    delimiter = sniff_delimiter(text)
    table = TableText(reading.prose, reading.options)
    add = _CellAdder(text, source, delimiter, reading)
    for row in read_rows(text, delimiter):
        table.add_row({number: add.cell(cell) for number, cell in enumerate(row)})
    table.end()
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
    quoted = re.compile(r'"((?:[^"]++|"")*+)"')
    position, length = 0, len(text)
    while position < length:
        row: Row = []
        while True:
            found = quoted.match(text, position)
            after = found.end() if found else -1
            if found and (after == length or text[after] in delimiter + "\r\n"):
                row.append(Cell(found.start(1), found.end(1), is_quoted=True))
                position = after
            else:
                plain = bare.match(text, position)
                end = plain.end() if plain else position
                row.append(Cell(position, end, is_quoted=False))
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


class _CellAdder:
    """Cells of one text as cells of a table."""

    def __init__(self, text: str, source: int, delimiter: str, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading
        self._not_bare = re.compile(f'[{re.escape(delimiter)}"\r\n]')

    def cell(self, cell: Cell) -> TableCell:
        content = self._text[cell.start : cell.end]
        return TableCell(content.replace('""', '"') if cell.is_quoted else content, partial(self._add, cell))

    def _add(self, cell: Cell, builder: TextBuilder) -> None:
        if builder is self._reading.prose and may_be_packed(self._text[cell.start : cell.end]):
            value = TextBuilder()
            self._add_words(cell, value)
            if add_value(value, self._reading):
                return
        self._add_words(cell, builder)

    def _add_words(self, cell: Cell, builder: TextBuilder) -> None:
        if cell.is_quoted:
            add_quoted(builder, self._source, self._text, cell.start, cell.end)
        else:
            builder.copied(self._source, self._text[cell.start : cell.end], cell.start, self._bare)

    def _bare(self, label: str) -> str:
        # Without quotes a delimiter in a label would start another cell, and quotes may not begin mid-cell.
        return " ".join(self._not_bare.sub(" ", label).split())


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
