"""Large files of lines, messages or rows, cut into units that are read and written one at a time."""

import codecs
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from linkage.errors import DocumentError
from linkage.reading import decode
from linkage.records import Span
from pseudonymizer.formats.every_format import BY_NAME, BY_SUFFIX
from pseudonymizer.formats.format import Cut
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import format_by_head, read_as
from pseudonymizer.formats.rejecting import lines_at
from pseudonymizer.formats.tables.delimited import Row, read_rows, sniff_delimiter
from pseudonymizer.formats.tables.table_text import ROWS_AHEAD, has_header
from pseudonymizer.formats.tree.parsing import ParsedFile
from pseudonymizer.formats.unit_lines import LineReader, Stretch, reader_of
from pseudonymizer.formats.unit_statements import statements

UNIT_BYTES: Final = 1_000_000  # a unit has at least so many, and ends with its last line or message
_HEAD_BYTES: Final = 8_192
_SAMPLE_BYTES: Final = 200_000
_TEXT_UNITS: Final = 16  # a plain text of fewer units is one document
_WITHOUT_NOTES: Final = frozenset({Cut.PARAGRAPHS, Cut.STATEMENTS})
_MESSAGE = re.compile(rb"From [^\n]*\d\d:\d\d[^\n]*\n")  # as formats.mailbox has it


@dataclass(frozen=True, slots=True)
class Unit:
    """Bytes start to end of a file: whole lines, messages or rows. first: number of the first one in it.

    notes: how many there are in it; of a table without the header. Of a text: 0.

    head: what later units are read with: the byte order mark of UTF-16, the header row of a table, the
    columns of the tables of a dump. Its bytes as Latin-1.
    """

    number: int
    start: int
    end: int
    first: int
    format_name: str
    head: str = field(default="", repr=False)
    notes: int = 0

    def __len__(self) -> int:
        return self.end - self.start

    def read(self, path: Path) -> bytes:
        """Its bytes in this file."""
        with path.open("rb") as file:
            file.seek(self.start)
            return file.read(len(self))


def units_of(path: Path, *, unit_bytes: int = UNIT_BYTES) -> tuple[Unit, ...]:
    """The units of a file of JSON lines, a mailbox, a table as text, a dump or a long plain text; none for
    a file that is read whole.

    Raises:
        OSError: the file cannot be read.
    """
    size = path.stat().st_size
    return () if size < 2 * unit_bytes else _cut(path, size, unit_bytes)


def notes_ahead(path: Path) -> int:
    """How many notes a small file has, told without reading it by its format: lines, messages, or rows
    without the header. 1 for any other file.

    Raises:
        OSError: the file cannot be read.
    """
    claimed = BY_SUFFIX.get(path.suffix.lower().lstrip("."))
    if claimed is None or _rule(claimed.name) is None or claimed.cut in _WITHOUT_NOTES:
        return 1
    whole = 2 * sys.maxsize  # one unit has the whole file, whatever its size
    units = _cut(path, whole, sys.maxsize) if path.stat().st_size else ()
    return max(sum(unit.notes for unit in units), 1)


def _cut(path: Path, size: int, unit_bytes: int) -> tuple[Unit, ...]:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        reader = reader_of(head)
        # A suffix that the content belies goes with the content, as in small files.
        name = format_by_head(head, path.name)
        rule = None if name is None else _rule(name)
        if reader is None or name is None or rule is None or size < rule.least * unit_bytes:
            return ()
        header = reader.mark + (_header(file, reader) if BY_NAME[name].is_table else b"")
        has_header = len(header) > len(reader.mark)
        return tuple(
            Unit(
                number, one.start, one.end, one.first, name,
                (header + one.head).decode("latin-1") if number else "",
                one.notes - (1 if has_header and not number else 0),
            )
            for number, one in enumerate(rule.split(reader.lines(file), reader, unit_bytes))
        )  # fmt: skip


def _header(file: BinaryIO, reader: LineReader) -> bytes:
    """The first row of a table where it names the columns, without the byte order mark of UTF-16."""
    _, end, *_ = next(_rows(reader.lines(file), reader, 1))
    file.seek(0)
    raw = file.read(end)
    try:
        decode(raw)
        sample = decode(reader.whole_lines(raw + file.read(_SAMPLE_BYTES))).text
    except DocumentError:
        return b""  # reading the units says so
    rows = islice(read_rows(sample, sniff_delimiter(sample)), ROWS_AHEAD + 1)
    if not has_header([_values(sample, row) for row in rows]):
        return b""
    return raw.removeprefix(reader.mark)


def _values(text: str, row: Row) -> dict[int, str]:
    return {number: text[cell.start : cell.end] for number, cell in enumerate(row)}


def _rows(lines: Iterable[bytes], reader: LineReader, unit_bytes: int) -> Iterator[Stretch]:
    """A line feed inside quotes ends no row. Where quotes are not in pairs a unit may end inside a cell: its
    text is then read as two, and no byte is lost.
    """
    start = first = position = count = 0
    inside = has_odd = False
    unit: list[bytes] = []
    for line in lines:
        position += len(line)
        unit.append(line)
        if reader.quotes(line) % 2:
            inside, has_odd = not inside, True
        if inside and position - start < 2 * max(unit_bytes, _SAMPLE_BYTES):
            continue
        inside = False
        count += 1
        if position - start >= unit_bytes:
            # A quote inside a cell opens nothing, so rows are counted as they are read.
            rows = _count_rows(b"".join(unit), reader) if has_odd else count
            yield Stretch(start, position, first, rows)
            start, first = position, first + rows
            count, has_odd, unit = 0, False, []
    if position > start:
        notes = _count_rows(b"".join(unit), reader) if has_odd else count
        yield Stretch(start, position, first, notes)


def _count_rows(raw: bytes, reader: LineReader) -> int:
    plain = raw.removeprefix(reader.mark or codecs.BOM_UTF8)
    text = plain.decode(reader.encoding or "latin-1", "replace")
    return sum(1 for _ in read_rows(text, sniff_delimiter(text)))


def _lines(lines: Iterable[bytes], reader: LineReader, unit_bytes: int) -> Iterator[Stretch]:
    start = first = position = notes = 0
    for count, line in enumerate(lines, start=1):
        position += len(line)
        notes += not reader.is_blank(line)
        if position - start >= unit_bytes:
            yield Stretch(start, position, first, notes)
            start, first, notes = position, count, 0
    if position > start:
        yield Stretch(start, position, first, notes)


def _paragraphs(lines: Iterable[bytes], reader: LineReader, unit_bytes: int) -> Iterator[Stretch]:
    """Units of running text end with a blank line where there is one soon, for a name may go on behind the
    end of a line.
    """
    start = first = position = 0
    for count, line in enumerate(lines, start=1):
        position += len(line)
        length = position - start
        if length >= unit_bytes and (reader.is_blank(line) or length >= unit_bytes + unit_bytes // 4):
            yield Stretch(start, position, first, 0)
            start, first = position, count
    if position > start:
        yield Stretch(start, position, first, 0)


def _messages(lines: Iterable[bytes], _: LineReader, unit_bytes: int) -> Iterator[Stretch]:
    start = first = position = count = 0
    for line in lines:
        if line.startswith(b"From ") and _MESSAGE.match(line):
            if position - start >= unit_bytes:
                yield Stretch(start, position, first, count - first)
                start, first = position, count
            count += 1
        elif position == 0:
            count = 1  # what stands before the first separator is a message, too
        position += len(line)
    if position > start:
        yield Stretch(start, position, first, count - first)


_MESSAGE_PLACE: Final = re.compile(r"\Amessage (\d+)")
_MARKS: Final = "\xff\xfe"  # as Latin-1, the byte order marks of UTF-16


@dataclass(frozen=True, slots=True)
class _CutRule:
    """How a file is cut. one: what it is cut between; whole: what a unit is named after whose parts are one
    text; "": the parts keep names of their own. least: how many units a file must have to be cut.
    """

    split: Callable[[Iterable[bytes], LineReader, int], Iterator[Stretch]]
    one: str
    whole: str = ""
    least: int = 2


_RULES: Final = {
    Cut.LINES: _CutRule(_lines, "line"),
    Cut.MESSAGES: _CutRule(_messages, "message"),
    Cut.ROWS: _CutRule(_rows, "row", "rows"),
    Cut.STATEMENTS: _CutRule(statements, "line", "statements"),
    Cut.PARAGRAPHS: _CutRule(_paragraphs, "line", "lines", _TEXT_UNITS),
}


def _rule(format_name: str) -> _CutRule | None:
    cut = BY_NAME[format_name].cut
    return None if cut is None else _RULES[cut]


def read_unit(raw: bytes, unit: Unit, options: FormatOptions | None = None) -> ParsedFile:
    """The texts of a unit. Its part ids are those that the parts have in the whole file.

    Raises:
        DocumentError: as formats.read; lines are counted from the beginning of the unit, and it says so.
    """
    head = unit.head.encode("latin-1")
    try:
        return UnitFile(read_as(unit.format_name, head + raw, options or FormatOptions()), unit, len(head))
    except DocumentError as error:
        rule = _rule(unit.format_name)
        what = "line" if rule is None else rule.one
        raise type(error)(f"{error} (counted from {what} {unit.first + 1} of the file)") from None


def rejected_bytes(
    raw: bytes, format_name: str, numbers: Collection[int], unit: Unit | None = None
) -> dict[int, bytes]:
    """The lines of a file, or of a unit of it, that are left out, by their numbers in the file."""
    if unit is None:
        return lines_at(format_name, raw, numbers)
    before = _before(unit)
    found = lines_at(format_name, unit.head.encode("latin-1") + raw, {number - before for number in numbers})
    return {number + before: line for number, line in found.items()}


def _before(unit: Unit) -> int:
    """How many lines or rows stand before those of a unit; its head has the header again."""
    return unit.first - (1 if unit.head.lstrip(_MARKS) else 0)


class UnitFile(ParsedFile):
    """A part of a file. Its part ids begin with the number of a line or message in the whole file; rows of a
    table, and lines of a text, are one part, named after the first of them.
    """

    def __init__(self, parsed: ParsedFile, unit: Unit, head: int) -> None:
        """head: how many bytes were put before those of the unit, which are not written again."""
        self._parsed, self._head = parsed, head
        rule = _rule(unit.format_name)
        whole = rule.whole if rule is not None else ""
        self._rows = f"{whole}-{unit.first}" if whole else ""
        self._first = unit.first
        self.format_name = parsed.format_name
        self.parts = tuple(replace(part, part_id=self._outside(part.part_id)) for part in parsed.parts)
        self.unread = tuple(
            replace(one, place=_moved_message(one.place, unit.first)) for one in parsed.unread
        )
        self.recognized = parsed.recognized
        self.rejected = tuple(replace(one, number=one.number + _before(unit)) for one in parsed.rejected)

    def render(self, replacements: Replacements) -> RenderedFile:
        """See ParsedFile.render."""
        own: dict[str, Mapping[Span, str]] = {
            self._inside(part_id): labels for part_id, labels in replacements.items()
        }
        rendered = self._parsed.render(own)
        kept, border = self._without_head(rendered.edits)
        edits = tuple(
            Edit(
                edit.location, edit.start - border, edit.end - border, edit.original,
                None if edit.owner is None else (self._outside(edit.owner[0]), edit.owner[1]),
            )
            for edit in kept
        )  # fmt: skip
        return RenderedFile(rendered.raw[border:], edits, rendered.unplaced)

    def _without_head(self, edits: Sequence[Edit]) -> tuple[Sequence[Edit], int]:
        """The edits behind what was put before the unit, and where it ends in the rewritten bytes."""
        if not self._head:
            return edits, 0
        ordered = sorted(edits, key=lambda edit: edit.start)
        border, inside = self._head, 0
        for edit in ordered:
            if edit.start >= border:
                break
            border += edit.end - edit.start - len(edit.original)
            inside += 1
        return ordered[inside:], border

    def _outside(self, part_id: str) -> str:
        return self._rows if self._rows and not part_id else _moved(part_id, self._first)

    def _inside(self, part_id: str) -> str:
        return "" if self._rows and part_id == self._rows else _moved(part_id, -self._first)


def _moved_message(place: str, by: int) -> str:
    """A place in a mailbox that begins with a message, counted from the beginning of the file."""
    return _MESSAGE_PLACE.sub(lambda found: f"message {int(found[1]) + by}", place)


def _moved(part_id: str, by: int) -> str:
    number, slash, rest = part_id.partition("/")
    return f"{int(number) + by}{slash}{rest}" if number.isdigit() else part_id
