"""Sheets of OpenDocument: the cells of each row, by the rules of every table."""

from functools import partial
from typing import Final

from pseudonymizer.formats.office.office_xml import Rules, Walker
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.text.markup import attributes
from pseudonymizer.formats.text.markup_tokens import Token
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder

_SHEETS: Final = "spreadsheet"  # the element that holds the sheets of a workbook
_TABLE: Final = "table"


class SheetWalker(Walker):
    """Goes through a text or a workbook; in a workbook each sheet is a table."""

    def __init__(self, text: str, source: int, reading: Reading, rules: Rules) -> None:
        super().__init__(text, source, reading, rules)
        self._table: TableText | None = None
        self._row: dict[int, TableCell] = {}
        self._column = 0
        self._width = 1  # columns that the open cell stands in

    def _start(self, token: Token, after: Token | None) -> None:
        name = token.name.rpartition(":")[2]
        super()._start(token, after)
        if name == _TABLE and _SHEETS in self._open and self._table is None and not token.is_empty:
            separate(self._builder)
            self._table = TableText(self._builder, self.reading.options)
        elif self._table is not None and name in self.rules.rows:
            self._row, self._column = {}, 0
        elif self._table is not None and name in self.rules.cells:
            if token.is_empty:
                self._column += self._repeats(token)
            else:
                self._builders.append(TextBuilder())
                self._depths.append(0)
                self._width = self._repeats(token)

    def _end(self, name: str) -> None:
        if self._table is not None and name == _TABLE:
            self._table.end()
            self._table = None
        super()._end(name)
        if self._table is not None and name in self.rules.rows:
            self._table.add_row(self._row)
            self._row = {}

    def _end_cell(self) -> None:
        if self._table is None:
            super()._end_cell()
            return
        inner = self._builders.pop()
        self._depths.pop()
        inner.drop_gap("\n")
        self._row[self._column] = TableCell(inner.text, partial(_append, inner))
        self._column += self._width

    def _repeats(self, token: Token) -> int:
        """How many columns a cell stands in."""
        for attribute in attributes(self.text, token):
            if attribute.name.rpartition(":")[2] == "number-columns-repeated":
                number = self.text[attribute.start : attribute.end]
                return int(number) if number.isdigit() else 1
        return 1


def _append(inner: TextBuilder, builder: TextBuilder) -> None:
    builder.append(inner)
