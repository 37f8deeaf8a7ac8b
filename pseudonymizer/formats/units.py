"""Large files of lines or messages, cut into units that are read and written one at a time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from linkage.errors import DocumentError
from linkage.records import Span
from pseudonymizer.formats.parsing import ParsedFile
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import claimed_format, looks_like_mailbox, read_as

UNIT_BYTES: Final = 1_000_000  # a unit has at least so many, and ends with its last line or message
_HEAD_BYTES: Final = 8_192
_MESSAGE = re.compile(rb"From [^\n]*\d\d:\d\d[^\n]*\n")  # as formats.mailbox has it


@dataclass(frozen=True, slots=True)
class Unit:
    """Bytes start to end of a file: whole lines or messages. first: number of the first one in the file."""

    number: int
    start: int
    end: int
    first: int
    format_name: str

    def __len__(self) -> int:
        return self.end - self.start

    def read(self, path: Path) -> bytes:
        """Its bytes in this file."""
        with path.open("rb") as file:
            file.seek(self.start)
            return file.read(len(self))


def units_of(path: Path, *, unit_bytes: int = UNIT_BYTES) -> tuple[Unit, ...]:
    """The units of a file of JSON lines or a mailbox; none for a file that is read whole.

    Raises:
        OSError: the file cannot be read.
    """
    if path.stat().st_size < 2 * unit_bytes:
        return ()
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        claimed = claimed_format(path.name)
        if b"\0" in head:  # two or four bytes a character: a line feed is not one byte
            return ()
        file.seek(0)
        if claimed == "jsonl":
            borders = _lines(file, unit_bytes)
        elif claimed == "mbox" or (claimed is None and looks_like_mailbox(head)):
            borders = _messages(file, unit_bytes)
        else:
            return ()
        name = "jsonl" if claimed == "jsonl" else "mbox"
        return tuple(
            Unit(number, start, end, first, name) for number, (start, end, first) in enumerate(borders)
        )


def _lines(file: BinaryIO, unit_bytes: int) -> Iterator[tuple[int, int, int]]:
    start = first = 0
    while block := file.read(unit_bytes):
        count = block.count(b"\n")
        end = start + len(block)
        if not block.endswith(b"\n") and (rest := file.readline()):
            end += len(rest)
            count += rest.endswith(b"\n")
        yield start, end, first
        start, first = end, first + count


def _messages(file: BinaryIO, unit_bytes: int) -> Iterator[tuple[int, int, int]]:
    start = first = position = count = 0
    for line in file:
        if line.startswith(b"From ") and _MESSAGE.match(line):
            if position - start >= unit_bytes:
                yield start, position, first
                start, first = position, count
            count += 1
        elif position == 0:
            count = 1  # what stands before the first separator is a message, too
        position += len(line)
    if position > start:
        yield start, position, first


def read_unit(raw: bytes, unit: Unit, options: FormatOptions | None = None) -> ParsedFile:
    """The texts of a unit. Its part ids are those that the parts have in the whole file.

    Raises:
        DocumentError: as formats.read; lines are counted from the beginning of the unit, and it says so.
    """
    try:
        return UnitFile(read_as(unit.format_name, raw, options or FormatOptions()), unit.first)
    except DocumentError as error:
        what = "line" if unit.format_name == "jsonl" else "message"
        raise type(error)(f"{error} (counted from {what} {unit.first + 1} of the file)") from None


class UnitFile(ParsedFile):
    """A part of a file, with part ids that begin with the number of a line or message in the whole file."""

    def __init__(self, parsed: ParsedFile, first: int) -> None:
        self._parsed, self._first = parsed, first
        self.format_name = parsed.format_name
        self.parts = tuple(replace(part, part_id=_moved(part.part_id, first)) for part in parsed.parts)
        self.unread, self.recognized = parsed.unread, parsed.recognized

    def render(self, replacements: Replacements) -> RenderedFile:
        """See ParsedFile.render."""
        own: dict[str, Mapping[Span, str]] = {
            _moved(part_id, -self._first): labels for part_id, labels in replacements.items()
        }
        rendered = self._parsed.render(own)
        edits = tuple(
            edit
            if edit.owner is None
            else Edit(
                edit.location, edit.start, edit.end, edit.original,
                (_moved(edit.owner[0], self._first), edit.owner[1]),
            )
            for edit in rendered.edits
        )  # fmt: skip
        return RenderedFile(rendered.raw, edits, rendered.unplaced)


def _moved(part_id: str, by: int) -> str:
    number, slash, rest = part_id.partition("/")
    return f"{int(number) + by}{slash}{rest}" if number.isdigit() else part_id
