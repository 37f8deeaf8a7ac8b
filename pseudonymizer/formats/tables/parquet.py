"""Parquet tables: text columns are read row by row, also texts in nested values, names of columns and
metadata; types stay.
"""

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, UnsupportedInputError
from pseudonymizer.formats.marking import PROPERTY, WORD
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tables.nested_values import (
    Place,
    by_place,
    is_readable,
    is_text,
    places,
    texts,
    with_texts,
)
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.text.markup import may_hold_name
from pseudonymizer.formats.tree.nodes import Changes
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate
from pseudonymizer.formats.tree.textmap import Change, TextBuilder, collect_changes

_ROWS_AT_ONCE = 4096
_KEY = PROPERTY.lower().encode()  # of the metadata of the schema
_MARK = "mark"  # location of the edit that says that the metadata were added to
_NAME, _META = "name", "meta"  # first words of the locations of names of columns and of metadata
_NAMES, _METADATA = 1 << 60, 1 << 61  # from these numbers on sources are names of columns, metadata
_INSIDE = 1 << 59  # from this number on sources are texts in nested values
_OWN_KEYS = frozenset({_KEY, b"ARROW:schema"})
Cells = dict[int, dict[int, Any]]  # column -> row -> text, or nested value


def read(raw: bytes, options: FormatOptions) -> "ParsedTable":
    with _damage_told():
        return ParsedTable(raw, options)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Values that are not what their column says are damage.

    Raises:
        DamagedDocumentError: there are some.
    """
    try:
        yield
    except (UnicodeDecodeError, pa.ArrowException, OverflowError):
        raise DamagedDocumentError("the table has values that are no text; write it anew") from None


class ParsedTable(ParsedFile):
    """A table; a cell is a source, numbered row by row over the text columns, the header first."""

    def __init__(self, raw: bytes, options: FormatOptions) -> None:
        self._raw, self._mark = raw, options.mark
        reading = Reading(options, parse_nested, size=len(raw))
        table = _table(raw, options)
        self._columns = [n for n, kind in enumerate(table.schema.types) if _is_text(kind)]
        kinds = table.schema.types
        self._inside: list[tuple[int, int, int]] = []  # column, row and number of each text in a nested value
        nested = {n: kind for n, kind in enumerate(kinds) if pa.types.is_nested(kind) and is_readable(kind)}
        for number, kind in enumerate(kinds, start=1):
            if number - 1 not in nested and _is_unread(kind):
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
        shown = _shown_columns(names, nested)
        header = {n: TableCell(names[n], partial(_copied, _NAMES + n, names[n])) for n in range(len(names))}
        for number, title in shown.values():
            header[number] = TableCell(title, partial(_gap, title))
        inner = {(n, name) for n, kind in nested.items() for place in places(kind) for name in place}
        if count := sum(may_hold_name(name) for _, name in inner):
            reading.leave_unread("name of a field", count)
        rows.add_row(header)
        self._add_rows(table, rows, nested, shown)
        rows.end()
        for number, (_, _, value) in enumerate(_metadata(table.schema)):
            separate(reading.aside, "\n")
            reading.aside.copied(_METADATA + number, value, 0)
        super().__init__("parquet", _NoNode(), reading)

    def _add_rows(
        self,
        table: pa.Table,
        rows: TableText,
        nested: Mapping[int, pa.DataType],
        shown: "Mapping[tuple[int, Place], _Shown]",
    ) -> None:
        width = max(len(self._columns), 1)
        at = 0
        for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
            values = [_texts(column) for column in batch.columns]
            packed = {number: batch.columns[number].to_pylist() for number in nested}
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
                for number, kind in nested.items():
                    for place, found in by_place(packed[number][row], kind).items():
                        cell = self._inner_cell(number, at, found)
                        cells[shown[number, place].number] = cell
                rows.add_row(cells)
                at += 1

    def _inner_cell(self, column: int, row: int, found: Sequence[tuple[int, str]]) -> TableCell:
        """All texts at one place of a nested value."""
        sources: list[tuple[int, str]] = []
        for number, text in found:
            sources.append((_INSIDE + len(self._inside), text))
            self._inside.append((column, row, number))
        return TableCell("; ".join(text for _, text in found), partial(_listed, sources))

    def render(self, replacements: Replacements) -> RenderedFile:
        """Raises DamagedDocumentError, as ParsedFile.render does, also for values that cannot be written."""
        with _damage_told():
            return self._rendered(replacements)

    def _rendered(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        width = max(len(self._columns), 1)
        edits: list[Edit] = []
        new: Cells = {}
        inner: dict[tuple[int, int], dict[int, str]] = {}
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
            if source >= _INSIDE:
                column, row, number = self._inside[source - _INSIDE]
                value = old.column(column)[row].as_py()
                text = dict(enumerate(t for _, t in texts(value, old.schema.types[column])))[number]
                place = f"{column}:{row}:{number}"
                inner.setdefault((column, row), {})[number] = _spliced(text, changes[source], place, edits)
                continue
            row, column = source // width, self._columns[source % width]
            text = str(old.column(column)[row].as_py())
            new.setdefault(column, {})[row] = _spliced(text, changes[source], f"{column}:{row}", edits)
        if self._mark and edits and _KEY not in (old.schema.metadata or {}):
            old = old.replace_schema_metadata({**(old.schema.metadata or {}), _KEY: WORD.encode()})
            edits.append(Edit(_MARK, 0, 0, b""))
        for (column, row), found in inner.items():
            value = old.column(column)[row].as_py()
            new.setdefault(column, {})[row] = with_texts(value, old.schema.types[column], found)
        return RenderedFile(_written(_described(old, names, metadata), new), tuple(edits), unplaced)


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The table with its old cells: equal values, schema and metadata."""
    table = _table(raw, FormatOptions())
    by_cell: dict[tuple[int, int], list[Edit]] = {}
    if any(edit.location == _MARK for edit in edits):
        kept = {key: value for key, value in (table.schema.metadata or {}).items() if key != _KEY}
        table = table.replace_schema_metadata(kept or None)
    by_part: dict[str, list[Edit]] = {}
    by_inner: dict[tuple[int, int], dict[int, list[Edit]]] = {}
    for edit in (edit for edit in edits if edit.location != _MARK):
        first, *cell = edit.location.split(":")
        if first in {_NAME, _META}:
            by_part.setdefault(edit.location, []).append(edit)
        elif len(cell) > 1:
            by_inner.setdefault((int(first), int(cell[0])), {}).setdefault(int(cell[1]), []).append(edit)
        else:
            by_cell.setdefault((int(first), int(cell[0])), []).append(edit)
    table = _as_described_before(table, by_part)
    new: Cells = {}
    if any(c >= table.num_columns or r >= table.num_rows for c, r in (*by_cell, *by_inner)):
        raise DamagedDocumentError("the rewritten table is not as it was when its edits were noted")
    for (column, row), inside in by_inner.items():
        value, kind = table.column(column)[row].as_py(), table.schema.types[column]
        old = dict(enumerate(text for _, text in texts(value, kind)))
        before = {number: _before(old.get(number, ""), own) for number, own in inside.items()}
        new.setdefault(column, {})[row] = with_texts(value, kind, before)
    for (column, row), own in by_cell.items():
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


def _written(table: pa.Table, new: Mapping[int, Mapping[int, Any]]) -> bytes:
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
    return is_text(kind)


def _is_unread(kind: pa.DataType) -> bool:
    return bool(pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


class _Shown(NamedTuple):
    """A column that people read: the texts at one place of a nested column."""

    number: int
    title: str


def _shown_columns(
    names: Sequence[str], nested: Mapping[int, pa.DataType]
) -> "Mapping[tuple[int, Place], _Shown]":
    """The columns that people read of nested ones, behind the others. Where titles would be equal they have
    the whole place.
    """
    found = [(number, place) for number, kind in nested.items() for place in dict.fromkeys(places(kind))]
    last = [place[-1] if place and place[-1] not in ("key", "value") else names[n] for n, place in found]
    met = Counter([*(name for n, name in enumerate(names) if n not in nested), *last])
    return {
        (number, place): _Shown(
            len(names) + at, title if met[title] == 1 else " ".join((names[number], *place))
        )
        for at, ((number, place), title) in enumerate(zip(found, last, strict=True))
    }


def _texts(column: pa.Array) -> list[str | None]:
    if _is_unread(column.type):
        return [None] * len(column)
    return [None if value is None else str(value) for value in column.to_pylist()]


def _gap(value: str, builder: TextBuilder) -> None:
    builder.gap(value)


def _copied(source: int, value: str, builder: TextBuilder) -> None:
    builder.copied(source, value, 0)


def _listed(found: Sequence[tuple[int, str]], builder: TextBuilder) -> None:
    for at, (source, text) in enumerate(found):
        if at:
            builder.gap("; ")
            builder.new_field()
        builder.copied(source, text, 0)


class _NoNode:
    """The file is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return b""
