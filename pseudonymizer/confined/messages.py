"""What the process that reads files is asked, and what it answers: rows, each with bytes behind it.

Its answers are read by their types and nothing else, for a file may have taken that process over.
"""

from collections.abc import Sequence
from itertools import chain
from typing import BinaryIO, Final, Self

from linkage.codec import Codec, Row
from linkage.records import KindId, Span
from pseudonymizer.formats import Column, Edit, ParsedFile, PartRole, RenderedFile, TextPart
from pseudonymizer.formats.records import ReadAgain, RejectedLine, UnreadContent
from pseudonymizer.formats.units import Unit

_LENGTH_BYTES: Final = 8


class Limits(Row, array_like=True, frozen=True, gc=False):
    """What reading one file may take: seconds by the clock, and bytes of memory of the whole process."""

    seconds: float
    memory: int


class ReadRequest(Row, array_like=True, frozen=True, gc=False, tag="read"):
    """Read the file whose bytes stand behind. suffix: the end of its name. keep: it is rendered soon.

    options: a FormatOptions as the asking process packs its own objects; empty: that of the request before.
    """

    number: int
    suffix: str
    options: bytes
    unit: Unit | None
    keep: bool
    limits: Limits


class RenderRequest(Row, array_like=True, frozen=True, gc=False, tag="render"):
    """Write a file that was kept, with these texts: by part, (start, end, text). values: texts to look for in
    what was written, when it is read again; None: it is not read again.
    """

    number: int
    replacements: dict[str, list[tuple[int, int, str]]]
    limits: Limits
    values: list[str] | None = None


Request = ReadRequest | RenderRequest


class ColumnRow(Row, array_like=True, frozen=True, gc=False):
    """A Column. Spans are pairs of numbers, one after the other."""

    title: str
    cells: list[int]
    titles: list[int]
    kind: str | None
    is_chosen: bool

    @classmethod
    def of(cls, column: Column) -> Self:
        return cls(
            column.title, _flat(column.cells), _flat(column.titles), column.kind, column.is_chosen
        )  # fmt: skip

    def column(self) -> Column:
        kind = None if self.kind is None else KindId(self.kind)
        return Column(self.title, _spans(self.cells), _spans(self.titles), kind, self.is_chosen)


class PartRow(Row, array_like=True, frozen=True, gc=False):
    """A TextPart."""

    part_id: str
    text: str
    role: PartRole
    document_key: str | None
    names: list[int]
    columns: list[ColumnRow]
    group: str = ""
    language: str = ""

    @classmethod
    def of(cls, part: TextPart) -> Self:
        columns = [ColumnRow.of(column) for column in part.columns]
        return cls(
            part.part_id, part.text, part.role, part.document_key, _flat(part.names), columns, part.group,
            part.language,
        )  # fmt: skip

    def part(self) -> TextPart:
        columns = tuple(row.column() for row in self.columns)
        return TextPart(
            self.part_id, self.text, self.role, self.document_key, _spans(self.names), columns, self.group,
            self.language,
        )  # fmt: skip


class ReadAnswer(Row, array_like=True, frozen=True, gc=False, tag="read"):
    """The texts of a file. retires: the process ends now, having taken much memory."""

    format_name: str
    parts: list[PartRow]
    unread: list[tuple[str, int, str]]
    recognized: list[float]
    retires: bool = False
    rejected: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, parsed: ParsedFile, *, retires: bool) -> Self:
        return cls(
            parsed.format_name, [PartRow.of(part) for part in parsed.parts],
            [(one.kind, one.count, one.place) for one in parsed.unread], list(parsed.recognized), retires,
            tuple((one.number, one.reason) for one in parsed.rejected),
        )  # fmt: skip

    def left_out(self) -> tuple[RejectedLine, ...]:
        return tuple(RejectedLine(*one) for one in self.rejected)

    def left_unread(self) -> tuple[UnreadContent, ...]:
        return tuple(UnreadContent(*one) for one in self.unread)


class EditRow(Row, array_like=True, frozen=True, gc=False):
    """An Edit."""

    location: str
    start: int
    end: int
    original: bytes
    owner: tuple[str, int, int] | None

    @classmethod
    def of(cls, edit: Edit) -> Self:
        owner = None if edit.owner is None else (edit.owner[0], edit.owner[1].start, edit.owner[1].end)
        return cls(edit.location, edit.start, edit.end, edit.original, owner)

    def edit(self) -> Edit:
        owner = None if self.owner is None else (self.owner[0], Span(self.owner[1], self.owner[2]))
        return Edit(self.location, self.start, self.end, self.original, owner)


class RenderAnswer(Row, array_like=True, frozen=True, gc=False, tag="rendered"):
    """A file as it was written; its bytes stand behind. runs, left: a ReadAgain."""

    edits: list[EditRow]
    unplaced: int
    is_marked: bool
    retires: bool = False
    runs: tuple[tuple[str, str], ...] = ()
    left: tuple[tuple[int, str], ...] = ()
    crowded: int = 0

    @classmethod
    def of(cls, rendered: RenderedFile, again: ReadAgain, *, is_marked: bool, retires: bool) -> Self:
        edits = [EditRow.of(edit) for edit in rendered.edits]
        return cls(edits, rendered.unplaced, is_marked, retires, again.runs, again.values, rendered.crowded)

    def again(self) -> ReadAgain:
        return ReadAgain(self.runs, self.left)

    def rendered(self, raw: bytes) -> RenderedFile:
        edits = tuple(row.edit() for row in self.edits)
        return RenderedFile(raw, edits, self.unplaced, self.is_marked, self.crowded)


class FailedAnswer(Row, array_like=True, frozen=True, gc=False, tag="failed"):
    """Why a file was not read or written. error: the class. text: for errors of our own, their words."""

    error: str
    text: str
    retires: bool = False


class GoneAnswer(Row, array_like=True, frozen=True, gc=False, tag="gone"):
    """The file is not kept any more; read it again."""

    retires: bool = False


Answer = ReadAnswer | RenderAnswer | FailedAnswer | GoneAnswer
REQUESTS: Final[Codec[Request]] = Codec(Request)  # type: ignore[arg-type]
ANSWERS: Final[Codec[Answer]] = Codec(Answer)  # type: ignore[arg-type]


def put(stream: BinaryIO, head: bytes, behind: bytes = b"") -> None:
    """Write a row and the bytes behind it."""
    stream.write(len(head).to_bytes(_LENGTH_BYTES) + len(behind).to_bytes(_LENGTH_BYTES) + head)
    stream.write(behind)
    stream.flush()


def take(stream: BinaryIO) -> tuple[bytes, bytes]:
    """A row and the bytes behind it.

    Raises:
        EOFError: the other end is gone.
    """
    lengths = _whole(stream, 2 * _LENGTH_BYTES)
    head = int.from_bytes(lengths[:_LENGTH_BYTES])
    behind = int.from_bytes(lengths[_LENGTH_BYTES:])
    return _whole(stream, head), _whole(stream, behind)


def _whole(stream: BinaryIO, length: int) -> bytes:
    read = stream.read(length)
    if len(read) < length:
        raise EOFError
    return read


def _flat(spans: Sequence[Span]) -> list[int]:
    return list(chain.from_iterable((span.start, span.end) for span in spans))


def _spans(numbers: Sequence[int]) -> tuple[Span, ...]:
    starts = iter(numbers)
    return tuple(Span(start, end) for start, end in zip(starts, starts, strict=True))
