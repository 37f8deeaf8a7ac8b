"""Parquet tables: text columns are read row by row, names of columns and metadata too; types stay."""

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, UnsupportedInputError
from pseudonymizer.formats.marking import PROPERTY, WORD
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.tree.nodes import Changes
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate
from pseudonymizer.formats.tree.textmap import Change, TextBuilder, collect_changes

_ROWS_AT_ONCE = 4096
_KEY = PROPERTY.lower().encode()  # of the metadata of the schema
_MARK = "mark"  # location of the edit that says that the metadata were added to
_NAME, _META = "name", "meta"  # first words of the locations of names of columns and of metadata
_NAMES, _METADATA = 1 << 60, 1 << 61  # from these numbers on sources are names of columns, metadata
_OWN_KEYS = frozenset({_KEY, b"ARROW:schema"})
Cells = dict[int, dict[int, str]]  # column -> row -> text


def read(raw: bytes, options: FormatOptions) -> "ParsedTable":
    return ParsedTable(raw, options)


class ParsedTable(ParsedFile):
    """A table; a cell is a source, numbered row by row over the text columns, the header first."""

    def __init__(self, raw: bytes, options: FormatOptions) -> None:
        self._raw, self._mark = raw, options.mark
        reading = Reading(options, parse_nested, size=len(raw))
        table = _table(raw, options)
        self._columns = [n for n, kind in enumerate(table.schema.types) if _is_text(kind)]
        for number, kind in enumerate(table.schema.types, start=1):
            if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
                if not options.keep_unread:
                    raise UnsupportedInputError(
                        "the table has a column of nested or binary values, which are not read; leave it out,"
                        " or allow unread content"
                    )
                reading.place = f"column {number}"
                reading.leave_unread("nested or binary column")
        separate(reading.prose)
        rows = TableText(reading.prose, options)
        names = table.schema.names
        rows.add_row(
            {n: TableCell(names[n], partial(_copied, _NAMES + n, names[n])) for n in range(len(names))}
        )
        self._add_rows(table, rows)
        rows.end()
        for number, (_, _, value) in enumerate(_metadata(table.schema)):
            separate(reading.aside, "\n")
            reading.aside.copied(_METADATA + number, value, 0)
        super().__init__("parquet", _NoNode(), reading)

    def _add_rows(self, table: pa.Table, rows: TableText) -> None:
        width = max(len(self._columns), 1)
        at = 0
        for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
            values = [_texts(column) for column in batch.columns]
            for row in range(batch.num_rows):
                cells: dict[int, TableCell] = {}
                for number, column in enumerate(values):
                    value = column[row]
                    if value is None:
                        continue
                    if number in self._columns:
                        source = at * width + self._columns.index(number)
                        cells[number] = TableCell(value, partial(_copied, source, value))
                    else:
                        cells[number] = TableCell(value, partial(_gap, value))
                rows.add_row(cells)
                at += 1

    def render(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        width = max(len(self._columns), 1)
        edits: list[Edit] = []
        new: Cells = {}
        old = _table(self._raw, FormatOptions())
        names: dict[int, str] = {}
        metadata: dict[int, str] = {}
        told = list(_metadata(old.schema))
        for source in sorted(changes):
            if source >= _METADATA:
                number = source - _METADATA
                metadata[number] = _spliced(told[number][2], changes[source], f"{_META}:{number}", edits)
                continue
            if source >= _NAMES:
                number = source - _NAMES
                names[number] = _spliced(
                    old.schema.names[number], changes[source], f"{_NAME}:{number}", edits
                )
                continue
            row, column = source // width, self._columns[source % width]
            text = str(old.column(column)[row].as_py())
            new.setdefault(column, {})[row] = _spliced(text, changes[source], f"{column}:{row}", edits)
        if self._mark and edits and _KEY not in (old.schema.metadata or {}):
            old = old.replace_schema_metadata({**(old.schema.metadata or {}), _KEY: WORD.encode()})
            edits.append(Edit(_MARK, 0, 0, b""))
        return RenderedFile(_written(_described(old, names, metadata), new), tuple(edits), unplaced)


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The table with its old cells: equal values, schema and metadata."""
    table = _table(raw, FormatOptions())
    by_cell: dict[tuple[int, int], list[Edit]] = {}
    if any(edit.location == _MARK for edit in edits):
        kept = {key: value for key, value in (table.schema.metadata or {}).items() if key != _KEY}
        table = table.replace_schema_metadata(kept or None)
    by_part: dict[str, list[Edit]] = {}
    for edit in (edit for edit in edits if edit.location != _MARK):
        cell_column, _, cell_row = edit.location.partition(":")
        if cell_column in {_NAME, _META}:
            by_part.setdefault(edit.location, []).append(edit)
        else:
            by_cell.setdefault((int(cell_column), int(cell_row)), []).append(edit)
    table = _as_described_before(table, by_part)
    new: Cells = {}
    for (column, row), own in by_cell.items():
        if column >= table.num_columns or row >= table.num_rows:
            raise DamagedDocumentError("the rewritten table is not as it was when its edits were noted")
        new.setdefault(column, {})[row] = _before(str(table.column(column)[row].as_py()), own)
    return _written(table, new)


def _before(text: str, edits: Sequence[Edit]) -> str:
    """A text without these edits."""
    raw = text.encode("utf-8")
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(edits, key=lambda e: e.start):
        pieces += [raw[position : edit.start], edit.original]
        position = edit.end
    return b"".join([*pieces, raw[position:]]).decode("utf-8")


def _as_described_before(table: pa.Table, by_part: Mapping[str, Sequence[Edit]]) -> pa.Table:
    """The table with the names of columns and the metadata that it had."""
    told = list(_metadata(table.schema))
    names: dict[int, str] = {}
    metadata: dict[int, str] = {}
    for location, own in by_part.items():
        what, _, place = location.partition(":")
        number = int(place)
        known = table.schema.names if what == _NAME else told
        if number >= len(known):
            raise DamagedDocumentError("the rewritten table is not as it was when its edits were noted")
        if what == _NAME:
            names[number] = _before(table.schema.names[number], own)
        else:
            metadata[number] = _before(told[number][2], own)
    return _described(table, names, metadata)


def _metadata(schema: pa.Schema) -> Iterator[tuple[int, bytes, str]]:
    """(column, or -1 for the whole table; key; value) of the metadata that are texts, in an order that a
    change of values does not change.
    """
    for column in range(-1, len(schema.names)):
        held = (schema.metadata if column < 0 else schema.field(column).metadata) or {}
        for key in sorted(held):
            if key in _OWN_KEYS:
                continue
            try:
                yield column, key, held[key].decode("utf-8")
            except UnicodeDecodeError:
                continue


def _described(table: pa.Table, names: Mapping[int, str], metadata: Mapping[int, str]) -> pa.Table:
    """The table with other names of columns, and other values of its metadata by their number."""
    if not names and not metadata:
        return table
    told = list(_metadata(table.schema))
    fields = [table.schema.field(n) for n in range(len(table.schema.names))]
    whole = dict(table.schema.metadata or {})
    for number, text in metadata.items():
        column, key, _ = told[number]
        if column < 0:
            whole[key] = text.encode("utf-8")
        else:
            fields[column] = fields[column].with_metadata(
                {**(fields[column].metadata or {}), key: text.encode("utf-8")}
            )
    for number, name in names.items():
        fields[number] = fields[number].with_name(name)
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields, metadata=whole or None))


def is_marked(raw: bytes) -> bool:
    return _KEY in (pq.read_schema(io.BytesIO(raw)).metadata or {})


def _spliced(text: str, changes: Sequence[Change], location: str, edits: list[Edit]) -> str:
    written = bytearray()
    position = 0
    for change in changes:
        written += text[position : change.start].encode("utf-8")
        start = len(written)
        written += change.new.encode("utf-8")
        original = text[change.start : change.end].encode("utf-8")
        edits.append(Edit(location, start, len(written), original, change.owner))
        position = change.end
    written += text[position:].encode("utf-8")
    return written.decode("utf-8")


def _table(raw: bytes, options: FormatOptions) -> pa.Table:
    try:
        file = pq.ParquetFile(io.BytesIO(raw))
        size = sum(file.metadata.row_group(n).total_byte_size for n in range(file.metadata.num_row_groups))
        if size > options.max_bytes:
            raise DocumentTooLargeError(f"unpacked the table would be {size} bytes: refused")
        return file.read()
    except (pa.ArrowException, OSError):
        raise DamagedDocumentError(
            "the file is named or begins as Parquet but cannot be read as such"
        ) from None


def _written(table: pa.Table, new: Mapping[int, Mapping[int, str]]) -> bytes:
    for column, cells in new.items():
        schema_field = table.schema.field(column)
        values = table.column(column).to_pylist()
        for row, text in cells.items():
            values[row] = text
        table = table.set_column(
            column, schema_field, pa.chunked_array([pa.array(values, type=schema_field.type)])
        )
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _texts(column: pa.Array) -> list[str | None]:
    if (
        pa.types.is_nested(column.type)
        or pa.types.is_binary(column.type)
        or pa.types.is_large_binary(column.type)
    ):
        return [None] * len(column)
    return [None if value is None else str(value) for value in column.to_pylist()]


def _gap(value: str, builder: TextBuilder) -> None:
    builder.gap(value)


def _copied(source: int, value: str, builder: TextBuilder) -> None:
    builder.copied(source, value, 0)


class _NoNode:
    """The file is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return b""
