"""Office files of before 2007 (doc, xls, ppt): read and written as the new formats, through LibreOffice.

What is written is a file of the old format again. What comes back of it is its text.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from linkage.errors import UnsupportedInputError
from linkage.records import Span
from pseudonymizer.formats.office.libreoffice import converted
from pseudonymizer.formats.records import (
    Edit,
    FormatOptions,
    PartRole,
    RenderedFile,
    Replacements,
    TextPart,
    UnreadContent,
)
from pseudonymizer.formats.registry import format_of, read_as
from pseudonymizer.formats.tree.parsing import ParsedFile
from pseudonymizer.formats.tree.text_edits import text_edits, undone
from pseudonymizer.formats.unread import AS_PLAIN_TEXT

NEW: Final[Mapping[str, str]] = {"doc": "docx", "xls": "xlsx", "ppt": "pptx"}
_BINARY: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_GAP: Final = "\n\n"


def read_doc(raw: bytes, options: FormatOptions) -> ParsedFile:
    """The texts of a Word document. Raises as ParsedOld does."""
    return _read("doc", raw, options)


def read_xls(raw: bytes, options: FormatOptions) -> ParsedFile:
    """The texts of an Excel workbook. Raises as ParsedOld does."""
    return _read("xls", raw, options)


def read_ppt(raw: bytes, options: FormatOptions) -> ParsedFile:
    """The texts of a PowerPoint presentation. Raises as ParsedOld does."""
    return _read("ppt", raw, options)


def _read(name: str, raw: bytes, options: FormatOptions) -> ParsedFile:
    """A file of another format that somebody named so, such as a web page, is read as that."""
    if raw.startswith(_BINARY):
        return ParsedOld(name, raw, options)
    found = format_of(raw)
    parsed = read_as(found, raw, options)
    if found == "txt":
        parsed.unread = (*parsed.unread, UnreadContent(AS_PLAIN_TEXT, 1))
    return parsed


class ParsedOld(ParsedFile):
    """A file as its texts, which are those of the file in the new format."""

    def __init__(self, name: str, raw: bytes, options: FormatOptions) -> None:
        """Raises:
        UnsupportedInputError: LibreOffice is not installed.
        DocumentError: LibreOffice cannot read the file, or what it made of it cannot be read.
        """
        self.format_name = name
        self._raw, self._options = raw, options
        self._inner = read_as(NEW[name], converted(raw, name, NEW[name]), options)
        self.parts, self.unread = self._inner.parts, self._inner.unread
        self.recognized = self._inner.recognized

    def render(self, replacements: Replacements) -> RenderedFile:
        """Raises as ParsedFile.render does, and DocumentError where LibreOffice cannot write the file."""
        rendered = self._inner.render(replacements)
        if not rendered.edits:
            return RenderedFile(self._raw, (), rendered.unplaced)
        written = converted(rendered.raw, NEW[self.format_name], self.format_name)
        new = ParsedOld(self.format_name, written, self._options)
        edits = text_edits(_text(self.parts), _text(new.parts), _labels(self.parts, replacements))
        return RenderedFile(written, tuple(edits), rendered.unplaced)


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The text of the file before the edits, in UTF-8.

    Raises:
        UnsupportedInputError: LibreOffice is not installed, or it is no file of an old format.
        DamagedDocumentError: the file is not the one the edits were made for, or was changed since.
    """
    name = format_of(raw)
    if name not in NEW:
        raise UnsupportedInputError(
            "the rewritten file is no old Office file any more; give the output as it was"
        )
    parsed = ParsedOld(name, raw, FormatOptions(keep_unread=True, ocr=False))
    return undone(_text(parsed.parts), edits).encode("utf-8")


def _text(parts: Sequence[TextPart]) -> str:
    return _GAP.join(part.text for part in parts if part.role is PartRole.PROSE)


def _labels(parts: Sequence[TextPart], replacements: Replacements) -> dict[Span, str]:
    """The labels of all parts, counted in the text that _text gives."""
    labels: dict[Span, str] = {}
    position = 0
    for part in parts:
        if part.role is PartRole.PROSE:
            for span, label in replacements.get(part.part_id, {}).items():
                labels[Span(position + span.start, position + span.end)] = label
            position += len(part.text) + len(_GAP)
    return labels
