"""Lines of a large file as bytes, by its encoding: where each ends, and what its quotes and messages are."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, NamedTuple


class Stretch(NamedTuple):
    """Bytes start to end of a file, first: the number of the first note in them, notes: how many there are.
    head: what is put before them when they are read.
    """

    start: int
    end: int
    first: int
    notes: int
    head: bytes = b""

    def __repr__(self) -> str:
        return f"Stretch({self.start}, {self.end})"


_BLOCK: Final = 1 << 20
_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_WIDER: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True, slots=True)
class LineReader:
    """How the lines of a file are told: one byte a line feed, or two in UTF-16. mark: its byte order mark."""

    mark: bytes = b""
    encoding: str = ""  # "": one byte a line feed

    def lines(self, file: BinaryIO) -> Iterator[bytes]:
        """The lines from the beginning of a file, each with its end."""
        file.seek(0)
        return _wide_lines(file, "\n".encode(self.encoding)) if self.encoding else iter(file)

    def whole_lines(self, raw: bytes) -> bytes:
        """The lines at the beginning of raw that are whole."""
        end = "\n".encode(self.encoding or "ascii")
        at = raw.rfind(end)
        while at >= 0 and at % len(end):
            at = raw.rfind(end, 0, at + 1)
        return raw[: at + len(end)] if at >= 0 else b""

    def quotes(self, line: bytes) -> int:
        """How many double quotes a line has."""
        if self.encoding:
            return line.decode(self.encoding, "replace").count('"')
        return line.count(b'"')

    def is_blank(self, line: bytes) -> bool:
        return not (line.replace(b"\0", b"") if self.encoding else line).strip()


def reader_of(head: bytes) -> LineReader | None:
    """How to read the lines of a file that begins so; None where that cannot be told."""
    if head.startswith(_WIDER):
        return None
    for mark, encoding in _WIDE.items():
        if head.startswith(mark):
            return LineReader(mark, encoding)
    return None if b"\0" in head else LineReader()


def _wide_lines(file: BinaryIO, end: bytes) -> Iterator[bytes]:
    """Each block is looked through once, and a long line joined once: time goes with the size of the file."""
    line: list[bytes] = []
    odd = b""  # half a character at the end of a block
    while block := file.read(_BLOCK):
        block = odd + block
        odd = block[len(block) - len(block) % 2 :]
        block = block[: len(block) - len(odd)]
        start = searched = 0
        while (at := block.find(end, searched)) >= 0:
            searched = at + 1
            if at % 2 == 0:
                line.append(block[start : at + 2])
                yield b"".join(line)
                line = []
                start = searched = at + 2
        line.append(block[start:])
    if rest := b"".join(line) + odd:
        yield rest
