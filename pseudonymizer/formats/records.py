"""What every file format hands out and takes back. Texts and original bytes stay out of every repr."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from linkage.own_kinds import OwnValues
from linkage.records import Span
from linkage.texts import KindId

# What stands in place of one mention: part_id -> span of the part's text -> the text to write there.
Replacements = Mapping[str, Mapping[Span, str]]
Owner = tuple[str, Span]  # the replacement an edit belongs to: part_id and span


class PartRole(StrEnum):
    """PROSE is read by detection. TECHNICAL text (message ids, link targets) is only searched for known
    names."""

    PROSE = "prose"
    TECHNICAL = "technical"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table in the text of a part.

    title: what its header says; "" without a header. cells: the content of each filled cell, row by row,
    without the title before it; a name in parts is one cell, of the column whose title leads. titles: the
    titles repeated before the cells, which stand in the file but once. kind: what its values are; None:
    running text, or nothing that is known. is_chosen: False where other columns were chosen: no cell of this
    one is treated.
    """

    title: str = field(repr=False)
    cells: tuple[Span, ...]
    titles: tuple[Span, ...] = ()
    kind: KindId | None = None
    is_chosen: bool = True


@dataclass(frozen=True, slots=True)
class TextPart:
    """One text of a file. A prose part is what detection sees as one document.

    names are the spans that the format itself says are names of people, such as the sender of a chat line.
    document_key is the id that the file gives this text, such as doc_id in a JSONL line. columns are those
    of the tables in the text, one table after the other. group: the dossier, client or case that the
    file says the text is of, such as group in a JSONL line; "" where it says none. language: the code of the
    language that the file says the text is in, such as language in a JSONL line; "" where it says none.
    """

    part_id: str
    text: str = field(repr=False)
    role: PartRole = PartRole.PROSE
    document_key: str | None = field(default=None, repr=False)
    names: tuple[Span, ...] = ()
    columns: tuple[Column, ...] = ()
    group: str = field(default="", repr=False)
    language: str = ""


@dataclass(frozen=True, slots=True)
class UnreadContent:
    """Content of a kind that was not read, such as pictures. It belongs in the report: it is not clean.

    place: where in the file it stands, in numbers and words of the format ("page 3"), never in words of its
    author; "" where there is nothing to tell.
    """

    kind: str
    count: int
    place: str = ""


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A line of JSON lines, or a row of a table as text, that cannot be read and is left out of the output.

    number: its place in the file, from 1; the header of a table is row 1. reason: why, without its content.
    """

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of bytes, with what is needed to undo it.

    location says in which (decoded) part of the rewritten file start and end count bytes; original is what
    stood there. A location that ends in "!" opens a packed part, such as a base64 attachment: then original
    says how it was packed. owner is the replacement that caused the edit, None where several did or none.
    Neither location nor start and end hold personal data; original does.
    """

    location: str
    start: int
    end: int
    original: bytes = field(repr=False)
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """The file in its own format with the replacements in it.

    unplaced counts replacements that fell wholly on text which the file does not hold, such as the column
    name repeated before a cell. crowded counts labels of a page that are wider than the room that their line
    has. is_marked: its metadata say that it is pseudonymized; None: nobody looked.
    """

    raw: bytes = field(repr=False)
    edits: tuple[Edit, ...] = field(repr=False)
    unplaced: int = 0
    is_marked: bool | None = None
    crowded: int = 0


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """What a written file says when it is read again, by pseudonymizer.leaks.

    runs: the different stretches in which a full name may stand, each with the place where it was met first.
    values: the numbers of the values that it holds, of those that were looked for, each with a place. Places
    are words of ours.
    """

    runs: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    values: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How files are read.

    columns: names of the table columns to treat, all when None; the whole table is read all the same.
    name_columns: whether columns whose header says so ("Achternaam") give names.
    keep_unread: whether a file may go out although something in it (an attachment of an unknown kind) could
    not be read; it is counted then, and an error else. Pictures and sound are always counted and kept.
    ocr: whether pages that are pictures are read by text recognition, where it is installed.
    max_bytes bounds a file and everything packed in it together; max_ratio bounds unpacked to packed size;
    max_depth bounds files within files. max_seconds (by the clock, and more for large files) and max_memory
    (bytes, and at most half of the machine's) bound the process that reads a file. mark: whether a file in
    which something was replaced says in its metadata that it is pseudonymized, where its format has a place
    for that (see marking). column_kinds: by the header of a column in small letters, the kind of its values
    as the user says; "TEXT" for running text. language: of texts, and whose header words tables have.
    tell_language: whether each text is in the language that its words tell, of those installed. own: kinds
    and lists of the user's, beside the shipped kinds. reject_lines: whether lines that cannot be read are
    left out and told, see RejectedLine; else the file is refused. as_written: plain text is taken letter for
    letter, without what marks and escapes in it mean: so labels are looked for, which have their own reader.
    keep_original: whether the original of a file of which else the text alone comes back is kept whole.
    group_by: what says which dossier, client or case a text is of, see formats.groups.
    """

    columns: tuple[str, ...] | None = None
    name_columns: bool = True
    keep_unread: bool = False
    ocr: bool = True
    max_bytes: int = 512 * 1024 * 1024
    max_ratio: int = 200
    max_depth: int = 4
    max_seconds: float = 120.0
    max_memory: int = 4 * 1024 * 1024 * 1024
    mark: bool = False
    column_kinds: Mapping[str, KindId] = field(default_factory=dict, repr=False)
    language: str = "nl"
    tell_language: bool = False
    own: OwnValues = field(default_factory=OwnValues, repr=False)
    reject_lines: bool = False
    as_written: bool = False
    keep_original: bool = False
    group_by: str = field(default="", repr=False)

    def kind_of_column(self, title: str) -> KindId | None:
        """The kind that the user says a column has; None: nothing is said."""
        return self.column_kinds.get(title.strip().casefold()) if self.column_kinds else None
