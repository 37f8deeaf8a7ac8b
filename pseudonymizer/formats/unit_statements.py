"""Dumps of databases cut into units: between statements, rows that are put in, and lines that are copied in.

What a later unit needs of what came before it, the columns of the tables and the statement that it begins
in, is put before it when it is read.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pseudonymizer.formats.tables.database_dump import begins_statement, created_table
from pseudonymizer.formats.unit_lines import LineReader, Stretch

_TOKEN: Final = re.compile(
    r"--[^\n]*|\A\#[^\n]*|/\*|'|\"[^\"\n]*\"|`[^`\n]*`|\$(?:[A-Za-z_]\w*)?\$|[();]|\bVALUES\b", re.IGNORECASE
)
_STRING: Final = re.compile(r"(?:[^'\\]++|''|\\.)*+", re.DOTALL)
_COPIED: Final = re.compile(r"\s*COPY\s.*\sFROM\s+stdin\b[^;]*;\s*\Z", re.DOTALL | re.IGNORECASE)
_PUT_IN: Final = re.compile(r"\s*(?:INSERT|REPLACE)\b", re.IGNORECASE)
_CREATED: Final = re.compile(r"\s*CREATE\s+(?:TEMPORARY\s+)?TABLE\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[ \t]*(INSERT|GO)\b", re.IGNORECASE)
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_LONGEST: Final = 65_536  # characters of a statement that is kept as what a later unit begins in
_MOST_COLUMNS: Final = 65_536  # characters that the columns of all tables may take before a unit


def statements(lines: Iterable[bytes], reader: LineReader, unit_bytes: int) -> Iterator[Stretch]:
    """Stretches of at least unit_bytes; one that finds no place to end at has up to twice as many, and ends
    with a line.
    """
    cutter = _Cutter()
    start = first = position = 0
    head = ""
    for count, line in enumerate(lines, start=1):
        position += len(line)
        opening = cutter.feed(line.decode(reader.encoding or "latin-1", "replace"))
        length = position - start
        if length >= unit_bytes and (opening is not None or length >= 2 * unit_bytes):
            yield Stretch(start, position, first, 0, _written(head, reader))
            head = cutter.columns() + (opening or "")
            start, first = position, count
    if position > start:
        yield Stretch(start, position, first, 0, _written(head, reader))


def _written(head: str, reader: LineReader) -> bytes:
    return head.encode(reader.encoding or "latin-1", "replace")


class _Cutter:
    """Follows a dump line by line. A line feed inside a string, a comment or a body ends nothing."""

    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._until = ""  # what ends the string, comment or body that is open
        self._is_copying = False
        self._depth = 0
        self._statement = ""  # its beginning, without what came after its length
        self._opening: str | None = None  # the statement up to its values

    def feed(self, line: str) -> str | None:
        """The beginning of a unit that begins behind this line; None: no unit may begin there."""
        if self._is_copying:
            if line.rstrip() == "\\.":
                self._is_copying = False
                self._end()
                return ""
            return self._statement
        position = 0
        word = None if self._until or self._depth else _WORD.match(line)
        if word is not None and self._statement.strip() and begins_statement(line, *word.span(1)):
            self._close()
        while position < len(line):
            position = self._inside(line, position) if self._until else self._outside(line, position)
        if self._is_copying:
            return self._statement
        if self._until or self._depth:
            return None
        if not self._statement.strip():
            return ""
        return self._opening if line.rstrip().endswith(("),", "VALUES", "values")) else None

    def columns(self) -> str:
        """The tables that were made so far, with their columns, as statements."""
        made = "".join(self._tables.values())
        return made if len(made) <= _MOST_COLUMNS else ""

    def _inside(self, line: str, position: int) -> int:
        """Where what is open ends in this line; else the end of the line."""
        if self._until == "'":
            end = _STRING.match(line, position).end()  # type: ignore[union-attr]  # it matches nothing, too
        else:
            end = line.find(self._until, position)
            end = len(line) if end < 0 else end
        if end >= len(line):
            self._keep(line[position:])
            return len(line)
        end += len(self._until)
        self._keep(line[position:end])
        self._until = ""
        return end

    def _outside(self, line: str, position: int) -> int:
        found = _TOKEN.search(line, position)
        end = len(line) if found is None else found.end()
        if found is None or not found[0].startswith(("--", "#")):
            self._keep(line[position:end])
        sign = "" if found is None else found[0]
        if sign == "'":
            self._until = "'"
        elif sign == "/*":
            self._until = "*/"
        elif sign.startswith("$"):
            self._until = sign
        elif sign in {"(", ")"}:
            self._depth = max(self._depth + (1 if sign == "(" else -1), 0)
        elif sign.upper() == "VALUES" and not self._depth and self._opening is None:
            is_whole = len(self._statement) < _LONGEST and _PUT_IN.match(self._statement) is not None
            self._opening = f"{self._statement}\n" if is_whole else None
        elif sign == ";":
            self._close()
        return end

    def _keep(self, text: str) -> None:
        if len(self._statement) < _LONGEST and self._opening is None:
            self._statement += text

    def _close(self) -> None:
        """A statement is whole."""
        if _COPIED.fullmatch(self._statement):
            self._is_copying = True
            self._statement = f"{self._statement.strip()}\n"
            return
        if _CREATED.match(self._statement):
            table, columns = created_table(self._statement)
            if columns:
                named = ", ".join(map(_named, columns))
                self._tables[table] = f"CREATE TABLE {_named(table)} ({named});\n"
        self._end()

    def _end(self) -> None:
        self._statement, self._opening, self._depth = "", None, 0


def _named(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"
