"""What a file format is: one record, from which all that asks about formats is read.

A record says names, beginnings and ways; the modules that read and write a format load when they are needed,
for pikepdf, pyarrow and others are heavy. A new format is a module with its reader and one record in the
table of its folder.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from linkage.errors import UnsupportedInputError
from pseudonymizer.formats.records import Edit, FormatOptions
from pseudonymizer.formats.tree.nodes import Node
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading
from pseudonymizer.formats.tree.stamps import Stamp

Parse = Callable[[bytes, Reading], Node]
Read = Callable[[bytes, FormatOptions], ParsedFile]
Undo = Callable[[bytes, Sequence[Edit]], bytes]
Stamps = Callable[[bytes], list[Stamp]]
T = TypeVar("T")
_PACKAGE: Final = "pseudonymizer.formats."


@dataclass(frozen=True, slots=True)
class Way(Generic[T]):
    """A function of a module of this package that loads when it is asked for: "text.plain:parse"."""

    path: str

    def load(self) -> T:
        """The function.

        Raises:
            UnsupportedInputError: its module needs a package that is not installed.
        """
        module, _, name = self.path.partition(":")
        try:
            function: T = getattr(import_module(_PACKAGE + module), name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("pseudonymizer"):
                raise
            raise UnsupportedInputError(
                f"this format needs {error.name}; install it with: pip install 'nymlink[docs]'"
            ) from None
        return function


class Restores(StrEnum):
    """What comes back of a rewritten file: the file byte for byte; a file packed anew whose parts, values and
    order are those of the original; or only its text.
    """

    FILE = "file"
    PARTS = "parts"
    TEXT = "text"


class Cut(StrEnum):
    """Where a large file may be cut into units that are read one at a time."""

    LINES = "lines"
    MESSAGES = "messages"
    ROWS = "rows"
    PARAGRAPHS = "paragraphs"
    STATEMENTS = "statements"


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    title: its name for people. suffixes: without the dot, in small letters. media_types: as mail names it.
    heads: bytes one of which begins each file, after any of the bytes head_after and within the first
    head_area bytes. tell: of files with such a head, the name of the format, or an error that says why it is
    refused; None: a head is enough. is_signed: a file of its suffix without its head is refused.
    looks_like: whether a text without a telling suffix is of this format. among: names of formats whose
    suffix a file of this one may have, where looks_like_among (or else looks_like) says so. parse: one tree
    of the bytes. read: for a format that is no such tree, or is read piece by piece. undo: the way back;
    None: by the edits alone. stamps, is_marked: the mark in the metadata; see marking. cut: where large files
    are cut. is_table: a file of it is a table. shows_bytes: its bytes are its text, and nothing
    is parsed.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    heads: tuple[bytes, ...] = ()
    head_after: bytes = b""
    head_area: int = 0
    tell: Way[Callable[[bytes], str]] | None = None
    is_signed: bool = False
    looks_like: Way[Callable[[bytes], bool]] | None = None
    among: frozenset[str] = frozenset()
    looks_like_among: Way[Callable[[bytes], bool]] | None = None
    parse: Way[Parse] | None = None
    read: Way[Read] | None = None
    undo: Way[Undo] | None = None
    stamps: Way[Stamps] | None = None
    is_marked: Way[Callable[[bytes], bool]] | None = None
    cut: Cut | None = None
    restores: Restores = Restores.FILE
    is_table: bool = False
    shows_bytes: bool = False
    ways: tuple[Way[Any], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        given = (
            self.tell, self.looks_like, self.looks_like_among, self.parse, self.read, self.undo, self.stamps,
            self.is_marked,
        )  # fmt: skip
        object.__setattr__(self, "ways", tuple(way for way in given if way is not None))

    def begins(self, raw: bytes) -> bool:
        """Whether the bytes begin as a file of this format does."""
        if self.head_area:
            return any(head in raw[: self.head_area] for head in self.heads)
        return (raw.lstrip(self.head_after) if self.head_after else raw).startswith(self.heads)
