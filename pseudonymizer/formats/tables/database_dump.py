"""Dumps of databases (SQL): rows that are put in as tables, other strings and comments as text.

Keywords and names of tables are no words of anybody, and are not read as such.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from linkage.reading import decode
from pseudonymizer.formats.tables.table_text import TableCell, TableText
from pseudonymizer.formats.text.escapes import Escapes, add_escaped
from pseudonymizer.formats.text.packed_text import UNREAD, add_value, may_be_packed
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Encoded, TextBuilder

_TOKEN: Final = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/|(?m:^)\#[^\n]*)"
    r"|(?P<hex>[xX]'(?P<digits>[0-9A-Fa-f]*)'|0x(?P<bare>[0-9A-Fa-f]{8,})|'\\\\?x(?P<bytea>[0-9A-Fa-f]{8,})')"
    r"|(?P<string>[eEnNbB]?'(?P<content>(?:[^'\\]|''|\\.)*)')"
    r"|(?P<name>`[^`\n]*`|\"[^\"\n]*\"|\[[A-Za-z_][^\]\n]*\])"
    r"|(?P<word>[A-Za-z_][\w$.]*)"
    r"|(?P<number>-?\d[\d.]*(?:[eE][+-]?\d+)?)"
    r"|(?P<dollar>\$(?P<tag>\w*)\$(?P<body>.*?)\$(?P=tag)\$)"
    r"|(?P<sign>[(),;])",
    re.DOTALL,
)
_COPY: Final = re.compile(
    r"^COPY\s+(?P<table>[\w.\"`]+)\s*(?:\((?P<columns>[^()]*)\))?\s+FROM\s+stdin\b[^;\n]*;[ \t]*\r?\n"
    r"(?P<rows>.*?)(?:^\\\.[ \t]*\r?$|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_COLUMN_NAME: Final = re.compile(r"[`\"\[]?(?P<name>[^`\"\]\[\s,]+)[`\"\]]?")
_NO_COLUMN: Final = frozenset(
    ["primary", "unique", "key", "constraint", "foreign", "index", "check", "fulltext", "spatial", "exclude"]
)
_SIMPLE: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}
_DOUBLED: Final = Escapes(re.compile(r"''"), lambda _: "'")
_SLASHED: Final = Escapes(re.compile(r"\\."), lambda written: _SIMPLE.get(written[1], written[1]))
_LEAST_HEX: Final = 8
_HEAD: Final = re.compile(
    rb"-- (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin|Dump|SQLite)|/\*!\d{5}|PRAGMA foreign_keys"
    rb"|--\r?\n-- PostgreSQL"
)


def looks_like_dump(raw: bytes) -> bool:
    """Whether a text begins as the dumps of the usual programs do."""
    head = raw[:400].lstrip(b"\xef\xbb\xbf\r\n \t")
    return _HEAD.match(head) is not None


def parse(raw: bytes, reading: Reading) -> TextNode:
    """Rows as tables with the names of their columns, strings elsewhere on lines, comments apart."""
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    separate(reading.prose)
    dump = _Dump(text, source, reading)
    position = 0
    for copied in [*_COPY.finditer(text), None]:
        dump.add_statements(position, copied.start() if copied is not None else len(text))
        if copied is None:
            break
        dump.add_copied(copied)
        position = copied.end()
    dump.end()
    return TextNode(source, text, decoded.encoding, decoded.byte_order_mark)


class _Dump:
    """One dump while its statements come in; consecutive rows of one table are one table."""

    def __init__(self, text: str, source: int, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading
        self._columns: dict[str, tuple[str, ...]] = {}  # of tables that the dump makes
        self._table: TableText | None = None
        self._open: tuple[str, tuple[str, ...]] = ("", ())

    def end(self) -> None:
        """No statement comes any more."""
        if self._table is not None:
            self._table.end()
            self._table = None
            self._open = ("", ())

    def add_statements(self, start: int, end: int) -> None:
        """All statements between start and end."""
        statement: list[re.Match[str]] = []
        depth = 0
        for token in _TOKEN.finditer(self._text, start, end):
            if token["comment"] is not None:
                self._add_comment(token)
                continue
            if token["word"] is not None and not depth and begins_statement(self._text, *token.span()):
                self._add(statement)
                statement = []
            depth = max(depth + (token[0] == "(") - (token[0] == ")"), 0)
            statement.append(token)
            if token[0] == ";":
                self._add(statement)
                statement, depth = [], 0
        self._add(statement)

    def _add(self, statement: Sequence[re.Match[str]]) -> None:
        first = [token[0].lower() for token in statement[:3]]
        if first[:2] == ["create", "table"] or first[:3] == ["create", "temporary", "table"]:
            self._note_columns(statement)
        if first[:1] in (["insert"], ["replace"]):
            self._add_rows(statement)
        else:
            self._add_strings(statement)

    def _note_columns(self, statement: Sequence[re.Match[str]]) -> None:
        table, names = _table_of(statement)
        self._columns[table] = names

    def _add_rows(self, statement: Sequence[re.Match[str]]) -> None:
        """INSERT INTO table (columns) VALUES (row), (row)."""
        at = next((n for n, token in enumerate(statement) if token[0].lower() == "values"), len(statement))
        names = [
            _bare(token[0]) for token in _without_schema(statement[1:at]) if token["name"] or token["word"]
        ]
        table = next((name for name in names if name.lower() not in _INTO), "")
        columns = tuple(names[names.index(table) + 1 :]) if table in names else ()
        if at == len(statement):
            self._add_strings(statement)
            return
        self._begin(table, columns or self._columns.get(table, ()))
        depth = number = 0
        row: dict[int, TableCell] = {}
        for token in statement[at + 1 :]:
            if token[0] == "(":
                depth += 1
            elif token[0] == ")":
                depth -= 1
                if depth == 0 and self._table is not None:
                    self._table.add_row(row)
                    row, number = {}, 0
            elif token[0] == "," and depth == 1:
                number += 1
            elif depth and (cell := self._cell(token)) is not None:
                row[number] = cell

    def _begin(self, table: str, columns: tuple[str, ...]) -> None:
        if self._table is not None and self._open == (table, columns):
            return
        self.end()
        separate(self._reading.prose, "\n")
        self._table, self._open = TableText(self._reading.prose, self._reading.options), (table, columns)
        self._table.add_row({n: TableCell(name, partial(_shown, name)) for n, name in enumerate(columns)})

    def _cell(self, token: re.Match[str]) -> TableCell | None:
        if token["string"] is not None:
            value = token["content"].replace("''", "'")
            return TableCell(value, partial(self._add_value, *token.span("content")))
        if token["number"] is not None:
            return TableCell(token[0], partial(self._add_number, *token.span()))
        if token["hex"] is not None:
            return TableCell(token[0], partial(self._add_hex, token))
        return None

    def _add_number(self, start: int, end: int, builder: TextBuilder) -> None:
        builder.atom(self._source, self._text[start:end], start, end, _as_string)

    def _add_value(self, start: int, end: int, builder: TextBuilder) -> None:
        """The content of a string."""
        if builder is self._reading.prose and may_be_packed(self._text[start:end]):
            value = TextBuilder()
            add_escaped(
                value, self._source, self._text, start, end, ways=(_DOUBLED, _SLASHED), escape=_in_string
            )
            if add_value(value, self._reading):
                return
        add_escaped(
            builder, self._source, self._text, start, end, ways=(_DOUBLED, _SLASHED), escape=_in_string
        )

    def _add_hex(self, token: re.Match[str], builder: TextBuilder) -> None:
        group = next(name for name in ("digits", "bare", "bytea") if token[name] is not None)
        start, end = token.span(group)
        try:
            inner = bytes.fromhex(token[group]).decode("utf-8")
        except ValueError:
            inner = ""
        if not inner or not all(letter.isprintable() or letter.isspace() for letter in inner):
            if end - start >= _LEAST_HEX:
                self._reading.leave_unread(UNREAD)
            builder.gap(" ")
            return
        source = self._reading.encoded(Encoded(self._source, start, end, inner, _as_hex))
        builder.copied(source, inner, 0)

    def _add_strings(self, statement: Sequence[re.Match[str]]) -> None:
        """Strings of a statement that puts in no rows, and quoted names, which are searched."""
        for token in statement:
            if token["string"] is not None and any(letter.isalpha() for letter in token["content"]):
                separate(self._reading.aside, "\n")
                self._add_value(*token.span("content"), self._reading.aside)
            elif token["hex"] is not None:
                separate(self._reading.aside, "\n")
                self._add_hex(token, self._reading.aside)
            elif token["dollar"] is not None:
                separate(self._reading.aside, "\n")
                self._reading.aside.copied(self._source, token["body"], token.start("body"))
            elif token["name"] is not None:
                separate(self._reading.technical, "\n")
                self._reading.technical.copied(self._source, token[0][1:-1], token.start() + 1, _in_name)

    def _add_comment(self, token: re.Match[str]) -> None:
        if any(letter.isalpha() for letter in token[0]) and not token[0].startswith("/*!"):
            separate(self._reading.aside, "\n")
            self._reading.aside.copied(self._source, token[0], token.start(), _in_comment)
        elif token[0].startswith("/*!"):
            separate(self._reading.technical, "\n")
            self._reading.technical.copied(self._source, token[0], token.start(), _in_comment)

    def add_copied(self, copied: re.Match[str]) -> None:
        """COPY table (columns) FROM stdin: rows of values with tabs between them."""
        table = _bare(copied["table"])
        columns = tuple(found["name"] for found in _COLUMN_NAME.finditer(copied["columns"] or ""))
        self._begin(table, columns or self._columns.get(table, ()))
        for start, end in _lines(self._text, *copied.span("rows")):
            row: dict[int, TableCell] = {}
            position = start
            for number, value in enumerate(self._text[start:end].split("\t")):
                stop = position + len(value)
                if value not in {"", "\\N"}:
                    row[number] = TableCell(value, partial(self._add_copied_value, position, stop))
                position = stop + 1
            if self._table is not None:
                self._table.add_row(row)

    def _add_copied_value(self, start: int, end: int, builder: TextBuilder) -> None:
        add_escaped(builder, self._source, self._text, start, end, ways=(_SLASHED,), escape=_in_row)


def begins_statement(text: str, start: int, end: int) -> bool:
    """Whether a word begins a statement though no sign ended the one before, as in scripts of SQL Server:
    INSERT at the beginning of a line, or GO alone in it.
    """
    word = text[start:end].upper()
    if word not in {"INSERT", "GO"} or text[text.rfind("\n", 0, start) + 1 : start].strip():
        return False
    line = text.find("\n", end)
    return word == "INSERT" or not text[end : line if line >= 0 else len(text)].strip()


def created_table(statement: str) -> tuple[str, tuple[str, ...]]:
    """(name, names of the columns) of the table that CREATE TABLE makes."""
    return _table_of([token for token in _TOKEN.finditer(statement) if token["comment"] is None])


def _table_of(statement: Sequence[re.Match[str]]) -> tuple[str, tuple[str, ...]]:
    depth, is_first = 0, True
    names: list[str] = []
    table = ""
    for token in statement:
        if token[0] == "(":
            depth += 1
            is_first = is_first and depth == 1
            continue
        if token[0] == ")":
            depth -= 1
        elif token[0] == "," and depth == 1:
            is_first = True
        elif depth == 0 and not names and token.lastgroup in {"name", "word"}:
            table = _bare(token[0])
        elif depth == 1 and is_first:
            if token["name"] or (token["word"] and token[0].lower() not in _NO_COLUMN):
                names.append(_bare(token[0]))
            is_first = False
    return table, tuple(names)


_INTO: Final = frozenset(
    {"into", "ignore", "low_priority", "delayed", "high_priority", "or", "only", "overwrite"}
)


def _without_schema(tokens: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Tokens without names that a dot follows: "dbo" of [dbo].[klant]."""
    for token in tokens:
        if token.string[token.end() : token.end() + 1] != ".":
            yield token


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        yield position, stop - (stop > position and text[stop - 1] == "\r")
        position = stop + 1


def _bare(name: str) -> str:
    return re.sub(r"[`\"\[\]]", "", name).rpartition(".")[2]


def _shown(name: str, builder: TextBuilder) -> None:
    builder.gap(name)


def _in_string(label: str) -> str:
    return label.replace("'", "''").replace("\\", "\\\\")


def _as_string(label: str) -> str:
    return f"'{_in_string(label)}'"


def _as_hex(text: str) -> str:
    return text.encode("utf-8").hex()


def _in_name(label: str) -> str:
    return re.sub(r"[`\"\[\]]", "", label)


def _in_comment(label: str) -> str:
    return label.replace("\n", " ").replace("*/", "* /")


def _in_row(label: str) -> str:
    return label.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
