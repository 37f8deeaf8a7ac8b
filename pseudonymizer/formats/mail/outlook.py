"""Outlook messages (MSG): subject, people, bodies, attachments and all other strings; equal text comes
back."""

import re
import struct
from collections.abc import Mapping, Sequence

from linkage.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedInputError,
)
from pseudonymizer.formats.mail import outlook_marks
from pseudonymizer.formats.mail.compound import Entry, read_compound, write_compound
from pseudonymizer.formats.mail.outlook_marks import PROPERTIES
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.text import rich_text
from pseudonymizer.formats.text.html import add_html, decode_html
from pseudonymizer.formats.text.markup import as_reference
from pseudonymizer.formats.tree import restoring
from pseudonymizer.formats.tree.nodes import Changes, Node, TextNode
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate
from pseudonymizer.formats.tree.stamps import Stamp, stamped
from pseudonymizer.formats.tree.textmap import collect_changes

# MAPI property ids (MS-OXPROPS) whose text people read, and what to show before it.
_SHOWN = {
    0x0037: "Onderwerp: ", 0x0070: "Onderwerp: ", 0x0E1D: "Onderwerp: ", 0x0042: "Van: ", 0x0C1A: "Van: ",
    0x0E04: "Aan: ", 0x0E03: "Cc: ", 0x0E02: "Bcc: ", 0x3001: "Naam: ", 0x5FF6: "Naam: ", 0x3FFA: "Auteur: ",
    0x3FF8: "Auteur: ", 0x1000: "", 0x3704: "Bijlage: ", 0x3707: "Bijlage: ", 0x007D: "",
    0x3A06: "Voornaam: ", 0x3A11: "Achternaam: ", 0x3A44: "Tussennaam: ", 0x0040: "Van: ", 0x0044: "Van: ",
}  # fmt: skip
_BODY_HTML, _BODY_RTF, _ATTACHED = 0x1013, 0x1009, 0x3701
_STRING, _STRING8, _BINARY = 0x001F, 0x001E, 0x0102
_PROPERTY = re.compile(r"__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})(?:-[0-9A-F]{8})?")
_ADDED = "/mark"  # location of the edit that says that the headers were added
_RUNS = re.compile(rb"(?:[\x20-\x7e\xc0-\xff]\x00){4,}|[\x20-\x7e\xc0-\xff]{4,}")
_MAX_RTF = 64 * 1024 * 1024
_RTF_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)  # the dictionary that MS-OXRTFCP, section 2.2.2.1, prescribes


def format_of_ole(raw: bytes) -> str:
    """ "msg" for an Outlook message.

    Raises:
        EncryptedDocumentError: an Office file with a password.
        UnsupportedInputError: any other compound file, such as an old Word document.
    """
    root = read_compound(raw, FormatOptions())
    names = {child.name for child in root.children}
    if PROPERTIES in names:
        return "msg"
    if "EncryptedPackage" in names:
        raise EncryptedDocumentError("the file needs a password; take the protection off first")
    raise UnsupportedInputError(
        "old Office files (doc, xls, ppt) are not processed; save it in the new format, or convert it with "
        "LibreOffice: soffice --headless --convert-to docx (xlsx, pptx) FILE"
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
        if kind in {_STRING, _STRING8}:
            encoding = "utf-16-le" if kind == _STRING else codepage
            self._nodes[number] = ("stream", _add_string(tag, content, encoding, reading))
        elif kind == _BINARY and tag == _BODY_HTML:
            text, encoding, mark = decode_html(content)
            source = reading.new_source()
            separate(reading.prose)
            add_html(text, 0, len(text), source, reading)
            self._nodes[number] = ("stream", TextNode(source, text, encoding, mark, as_reference))
        elif kind == _BINARY and tag == _BODY_RTF:
            self._nodes[number] = ("rtf", rich_text.parse(decompress_rtf(content), reading))
        elif kind == _BINARY and tag == _ATTACHED:
            self._add_attachment(number, content, storage, reading)
        elif kind == _BINARY:
            source = reading.new_source()
            for run in _RUNS.finditer(content):
                separate(reading.technical, "\n")
                is_wide = run[0][1:2] == b"\0"
                text = run[0].decode("utf-16-le" if is_wide else "latin-1")
                for at, character in enumerate(text):
                    start = run.start() + (2 * at if is_wide else at)
                    reading.technical.atom(source, character, start, start + (2 if is_wide else 1))
            self._nodes[number] = ("stream", _FixedNode(source, content))

    def _add_attachment(self, number: int, content: bytes, storage: Entry, reading: Reading) -> None:
        self._attachments += 1
        reading.place = f"attachment {self._attachments}"
        name = next((s.content for s in storage.children if s.name == "__substg1.0_3703001F"), b"") or b""
        suffix = name.decode("utf-16-le", "replace").lstrip(".").lower()
        if suffix in {"png", "jpg", "jpeg", "gif", "bmp", "emf", "wmf", "tif", "tiff", "mp3", "mp4", "wav"}:
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
                extra = {_STRING: 2, _STRING8: 1}.get(kind, 0)
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
    tag = int(found[1], 16) if found else 0
    return 2 if tag == _ATTACHED else 1 if tag in {0x1000, _BODY_HTML, _BODY_RTF} else 0


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


def _add_string(tag: int, content: bytes, encoding: str, reading: Reading) -> Node:
    try:
        text = content.decode(encoding)
        if text.encode(encoding) != content:
            raise UnicodeError
    except UnicodeError:
        text, encoding = content.decode("latin-1"), "latin-1"
    source = reading.new_source()
    builder = reading.prose if tag in _SHOWN else reading.technical
    if any(c.isalpha() for c in text):
        separate(builder, "\n")
        builder.gap(_SHOWN.get(tag, ""))
        begin = outlook_marks.mark_length(text) if tag == 0x007D else 0
        builder.copied(source, text[begin:], begin)
    return TextNode(source, text, encoding)


class _FixedNode:
    """Binary values whose length says something: a name in them is overwritten by letters x."""

    def __init__(self, source: int, raw: bytes) -> None:
        self._source, self._raw = source, raw

    def is_changed(self, changes: Changes) -> bool:
        return self._source in changes

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        written = bytearray(self._raw)
        for change in changes.get(self._source, ()):
            old = self._raw[change.start : change.end]
            is_wide = len(old) > 1 and old[1] == 0
            written[change.start : change.end] = b"x\0" * (len(old) // 2) if is_wide else b"x" * len(old)
            edits.append(Edit(location, change.start, change.end, old, change.owner))
        return bytes(written)


class _NoNode:
    """The message is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return b""


def decompress_rtf(content: bytes) -> bytes:
    """RTF as Outlook packs it (MS-OXRTFCP)."""
    if len(content) < 16:
        raise DamagedDocumentError("the formatted body of the message is cut off")
    _, size, kind = struct.unpack_from("<III", content)
    if size > _MAX_RTF:
        raise DocumentTooLargeError(f"the formatted body would be {size} bytes: refused")
    if kind == 0x414C454D:  # "MELA": not compressed
        return content[16 : 16 + size]
    if kind != 0x75465A4C:
        raise DamagedDocumentError("the formatted body of the message is packed in an unknown way")
    window = bytearray(_RTF_START.ljust(4096, b"\0"))
    at, written = len(_RTF_START), bytearray()
    position = 16
    while position < len(content) and len(written) < size:
        control = content[position]
        position += 1
        for bit in range(8):
            if position >= len(content):
                break
            if control >> bit & 1:
                if position + 1 >= len(content):
                    raise DamagedDocumentError("the formatted body of the message is cut off")
                reference = content[position] << 8 | content[position + 1]
                position += 2
                start, length = reference >> 4, (reference & 0xF) + 2
                if start == at:
                    return bytes(written[:size])
                copied = [0] * length
                for n in range(length):
                    copied[n] = window[(start + n) % 4096]
                    window[at] = copied[n]
                    at = (at + 1) % 4096
                written += bytes(copied)
            else:
                byte = content[position]
                position += 1
                window[at] = byte
                at = (at + 1) % 4096
                written.append(byte)
    return bytes(written[:size])


def uncompressed_rtf(content: bytes) -> bytes:
    """RTF in the way of Outlook, not compressed."""
    return struct.pack("<IIII", len(content) + 12, len(content), 0x414C454D, 0) + content
