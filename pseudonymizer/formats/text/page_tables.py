"""Tables of a page: their columns, over the text as a reader sees it."""

from dataclasses import dataclass, field
from typing import Final

from linkage.records import Span
from pseudonymizer.formats.records import FormatOptions
from pseudonymizer.formats.tables.name_fields import NameField, name_columns
from pseudonymizer.formats.tables.table_columns import ColumnCells
from pseudonymizer.formats.tables.table_text import has_header
from pseudonymizer.formats.tree.textmap import TextBuilder

_LEAST: Final = 2  # rows and columns of a table that is more than a layout


@dataclass(slots=True)
class PageTable:
    """A table that is open. is_layout: another table stands in it, or cells reach over several columns."""

    is_layout: bool = False
    rows: list[list[tuple[Span, str] | None]] = field(default_factory=list)
    begin: int = 0
    pieces: int = 0

    def begin_row(self) -> None:
        self.rows.append([])

    def begin_cell(self, builder: TextBuilder) -> None:
        self.begin, self.pieces = builder.length, builder.piece_count

    def end_cell(self, builder: TextBuilder) -> None:
        """Note what was added to the text since the cell began, without blanks around it."""
        if not self.rows:
            return
        value = builder.text_from(self.pieces)
        bare = value.strip()
        start = self.begin + value.find(bare)
        self.rows[-1].append((Span(start, start + len(bare)), bare) if bare else None)

    def close(self, builder: TextBuilder, options: FormatOptions) -> None:
        """Tell the builder the columns, where the table has a header and is no layout."""
        rows = [row for row in self.rows if any(row)]
        if self.is_layout or len(rows) < _LEAST or max(map(len, rows)) < _LEAST:
            return
        if not has_header([{n: cell[1] for n, cell in enumerate(row) if cell is not None} for row in rows]):
            return
        titles = {number: cell[1] for number, cell in enumerate(rows[0]) if cell is not None}
        roles: dict[int, NameField] = {}
        if options.name_columns:
            numbers = list(titles)
            roles = {
                numbers[at]: role for at, role in name_columns(titles.values(), options.language).items()
            }
        for number, title in titles.items():
            column = ColumnCells(title, roles.get(number))
            for row in rows[1:]:
                if number < len(row) and (cell := row[number]) is not None:
                    column.add(*cell)
            if column.cells:
                column.close(builder, options, were_chosen=False)
