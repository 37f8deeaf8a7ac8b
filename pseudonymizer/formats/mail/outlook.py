"""Outlook messages (MSG): subject, people, bodies, attachments and all other strings; equal text comes
back."""

import re
import struct
from collections.abc import Mapping, Sequence

from linkage.errors import (
    DamagedDocumentError,
    DocumentError,
    EncryptedDocumentError,
    UnsupportedInputError,
)
from pseudonymizer.formats.mail import outlook_marks
from pseudonymizer.formats.mail.compound import Entry, read_compound, write_compound
from pseudonymizer.formats.mail.outlook_marks import PROPERTIES
from pseudonymizer.formats.mail.properties import (
    ATTACHED,
    BINARY,
    BODY_HTML,
    BODY_RTF,
    MEDIA_SUFFIXES,
    STRING,
    STRING8,
    add_binary,
    add_string,
    rank,
)
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.text import rich_text
from pseudonymizer.formats.text.html import add_html, decode_html
from pseudonymizer.formats.text.markup import as_reference
from pseudonymizer.formats.tree import restoring
from pseudonymizer.formats.tree.nodes import Changes, Node, TextNode
from pseudonymizer.formats.tree.packed_rtf import decompress_rtf, uncompressed_rtf
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate
from pseudonymizer.formats.tree.stamps import Stamp, stamped
from pseudonymizer.formats.tree.textmap import collect_changes

_PROPERTY = re.compile(r"__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})(?:-[0-9A-F]{8})?")
_OLD_OFFICE = {"WordDocument": "doc", "Workbook": "xls", "Book": "xls", "PowerPoint Document": "ppt"}
_ADDED = "/mark"  # location of the edit that says that the headers were added


def format_of_ole(raw: bytes) -> str:
    """ "msg" for an Outlook message; "doc", "xls" or "ppt" for an Office file of before 2007.

    Raises:
        EncryptedDocumentError: an Office file with a password.
        UnsupportedInputError: any other compound file.
    """
    root = read_compound(raw, FormatOptions())
    names = {child.name for child in root.children}
    if PROPERTIES in names:
        return "msg"
    if "EncryptedPackage" in names:
        raise EncryptedDocumentError("the file needs a password; take the protection off first")
    for stream, name in _OLD_OFFICE.items():
        if stream in names:
            return name
    raise UnsupportedInputError(
        "the file is a compound file of a program that is not known; save it in another format"
    )


def read(raw: bytes, options: FormatOptions) -> "ParsedMessage":
    return ParsedMessage(raw, options)


class ParsedMessage(ParsedFile):
    """A message; each stream that holds text is a node under the number of the stream."""

    def __init__(self, raw: bytes, options: FormatOptions) -> None:
        self._raw, self._options = raw, options
        reading = Reading(options, parse_nested, size=len(raw))
        root = read_compound(raw, options)
        self._nodes: dict[int, tuple[str, Node]] = {}
        self._attachments = 0
        streams = list(root.streams())
        codepage = _codepage(root)
        # Subject and people first, bodies next, attachments last: as a reader sees them.
        order = sorted(range(len(streams)), key=lambda n: (_rank(streams[n][1].name), n))
        for number in order:
            storage, stream = streams[number]
            found = _PROPERTY.fullmatch(stream.name)
            if found is not None and stream.content:
                kind = int(found[2], 16) & ~0x1000  # values of several strings have one stream each
                self._add(number, int(found[1], 16), kind, stream.content, storage, reading, codepage)
        super().__init__("msg", _NoNode(), reading)

    def _add(
        self,
        number: int,
        tag: int,
        kind: int,
        content: bytes,
        storage: Entry,
        reading: Reading,
        codepage: str,
    ) -> None:
        if kind in {STRING, STRING8}:
            encoding = "utf-16-le" if kind == STRING else codepage
            self._nodes[number] = ("stream", add_string(tag, content, encoding, reading))
        elif kind == BINARY and tag == BODY_HTML:
            text, encoding, mark = decode_html(content)
            source = reading.new_source()
            separate(reading.prose)
            add_html(text, 0, len(text), source, reading)
            self._nodes[number] = ("stream", TextNode(source, text, encoding, mark, as_reference))
        elif kind == BINARY and tag == BODY_RTF:
            self._nodes[number] = ("rtf", rich_text.parse(decompress_rtf(content), reading))
        elif kind == BINARY and tag == ATTACHED:
            self._add_attachment(number, content, storage, reading)
        elif kind == BINARY:
            self._nodes[number] = ("stream", add_binary(content, reading))

    def _add_attachment(self, number: int, content: bytes, storage: Entry, reading: Reading) -> None:
        self._attachments += 1
        reading.place = f"attachment {self._attachments}"
        name = next((s.content for s in storage.children if s.name == "__substg1.0_3703001F"), b"") or b""
        suffix = name.decode("utf-16-le", "replace").lstrip(".").lower()
        if suffix in MEDIA_SUFFIXES:
            reading.leave_unread("media")
            return
        try:
            self._nodes[number] = ("stream", reading.nested(content, suffix))
        except DocumentError as error:
            if not self._options.keep_unread:
                raise UnsupportedInputError(
                    f"an attachment was not read ({error}); take it out, or allow unread attachments"
                ) from None
            reading.leave_unread("attachment")

    def render(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        edits: list[Edit] = []
        new: dict[int, bytes] = {}
        for number, (kind, node) in self._nodes.items():
            if node.is_changed(changes):
                written = node.render(changes, f"/{number}:{kind}", edits)
                new[number] = uncompressed_rtf(written) if kind == "rtf" else written
        if not new:
            return RenderedFile(self._raw, (), unplaced)
        root = read_compound(self._raw, self._options)
        if self._options.mark:
            headers = outlook_marks.headers_number(root)
            if headers is not None:
                content = new.get(headers, list(root.streams())[headers][1].content or b"")
                stamp = Stamp(0, 0, outlook_marks.field_bytes())
                new[headers] = stamped(content, [stamp], f"/{headers}:stream", edits, 0)
        _put(root, new)
        if self._options.mark and not outlook_marks.has_headers(root):
            outlook_marks.add_headers(root)
            edits.append(Edit(_ADDED, 0, 0, b""))
        return RenderedFile(write_compound(root), tuple(edits), unplaced)


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The message with the streams it had; a formatted body (RTF) comes back uncompressed."""
    root = read_compound(raw, FormatOptions())
    if any(edit.location == _ADDED for edit in edits):
        outlook_marks.take_headers(root)
    streams = list(root.streams())
    by_stream: dict[str, list[Edit]] = {}
    for edit in (edit for edit in edits if edit.location != _ADDED):
        head, _, inner = edit.location[1:].partition("/")
        rest = f"/{inner}" if inner else ""
        by_stream.setdefault(head, []).append(Edit(rest, edit.start, edit.end, edit.original))
    new: dict[int, bytes] = {}
    for head, own in by_stream.items():
        digits, _, kind = head.partition(":")
        if not digits.isdigit() or int(digits) >= len(streams):
            raise DamagedDocumentError("the rewritten message is not as it was when its edits were noted")
        content = streams[int(digits)][1].content or b""
        if kind == "rtf":
            new[int(digits)] = uncompressed_rtf(restoring.undo(decompress_rtf(content), own))
        else:
            new[int(digits)] = restoring.undo(content, own)
    _put(root, new)
    return write_compound(root)


def _put(root: Entry, new: Mapping[int, bytes]) -> None:
    """Replaces streams by their numbers, and puts their sizes right in the table of properties beside
    them."""
    for number, (storage, stream) in enumerate(root.streams()):
        if number in new:
            stream.content = new[number]
            found = _PROPERTY.fullmatch(stream.name)
            table = next((child for child in storage.children if child.name == PROPERTIES), None)
            if found is not None and table is not None:
                kind = int(found[2], 16)
                extra = {STRING: 2, STRING8: 1}.get(kind, 0)
                tag = struct.pack("<HH", kind, int(found[1], 16))
                table.content = _sized(table.content or b"", tag, len(new[number]) + extra)


def _sized(table: bytes, tag: bytes, size: int) -> bytes:
    start = len(table) % 16
    for at in range(start, len(table) - 15, 16):
        if table[at : at + 4] == tag:
            return table[: at + 8] + struct.pack("<I", size) + table[at + 12 :]
    return table


def _rank(name: str) -> int:
    found = _PROPERTY.fullmatch(name)
    return rank(int(found[1], 16)) if found else 0


def _codepage(root: Entry) -> str:
    """The code page of 8-bit strings (PidTagMessageCodepage), Windows-1252 where the message does not say."""
    table = next((child.content for child in root.children if child.name == PROPERTIES), b"") or b""
    for at in range(len(table) % 16, len(table) - 15, 16):
        if table[at : at + 4] == struct.pack("<HH", 0x0003, 0x3FFD):
            number = struct.unpack_from("<I", table, at + 8)[0]
            name = "utf-8" if number == 65001 else f"cp{number}"
            try:
                "e".encode(name)
            except LookupError:
                break
            return name
    return "cp1252"


class _NoNode:
    """The message is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return b""
