"""winmail.dat (TNEF): what Outlook packs of a message into one attachment, rewritten in place.

Its attributes and properties (MS-OXTNEF) hold subject, people, bodies and attachments; each is read as in a
message of Outlook, attachments by their own formats. A value that changes is written with its new length.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from linkage.errors import DamagedDocumentError, DocumentError, UnsupportedInputError
from pseudonymizer.formats.mail.properties import (
    ATTACHED,
    BINARY,
    BODY,
    BODY_HTML,
    BODY_RTF,
    MEDIA_SUFFIXES,
    STRING,
    STRING8,
    add_binary,
    add_string,
    rank,
)
from pseudonymizer.formats.text import rich_text
from pseudonymizer.formats.text.html import add_html, decode_html
from pseudonymizer.formats.text.markup import as_reference
from pseudonymizer.formats.tree.attributes import (
    AttributePacking,
    CountedPacking,
    SenderPacking,
    unpack_sender,
)
from pseudonymizer.formats.tree.nodes import BytesNode, Child, Node, TextNode
from pseudonymizer.formats.tree.packed_rtf import RtfPacking, decompress_rtf
from pseudonymizer.formats.tree.parsing import Reading, separate

_START: Final = 6  # bytes: the head, and a key that means nothing
_OF_MESSAGE, _OF_ATTACHMENT = 1, 2  # levels
_FROM, _SUBJECT, _BODY = 0x8000, 0x18004, 0x2800C
_CODEPAGE, _PROPERTIES, _RECIPIENTS = 0x69007, 0x69003, 0x69004
_BEGINS, _DATA, _PICTURE = 0x69002, 0x6800F, 0x68011  # of an attachment
_TITLE, _FILE_NAME, _OF_ATTACHED = 0x18010, 0x69001, 0x69005
# Attributes that are strings -> the property that says the same.
_STRINGS: Final = {_SUBJECT: 0x0037, _BODY: BODY, _TITLE: 0x3704, _FILE_NAME: 0x3704}
_TEXT_TYPES: Final = frozenset({1, 2})  # the upper half of an id, of other strings
_OBJECT: Final = 0x000D
_MESSAGE_INSIDE: Final = bytes.fromhex("0703020000000000c000000000000046")  # IID_IMessage
_LONG_NAME, _EXTENSION = 0x3707, 0x3703
# Types of properties whose values have one size -> bytes, filled up to four.
_SIZES: Final = {
    0x0000: 0, 0x0001: 0, 0x0002: 4, 0x0003: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000A: 4,
    0x000B: 4, 0x0014: 8, 0x0040: 8, 0x0048: 16,
}  # fmt: skip
_SEVERAL: Final = 0x1000  # in the type of a property that has several values
_NAMED: Final = 0x8000  # ids from here on have a name


@dataclass(frozen=True, slots=True)
class _Attribute:
    """start, end: where it stands, with its head and checksum."""

    level: int
    tag: int
    start: int
    end: int

    def content(self, raw: bytes) -> bytes:
        return raw[self.start + 9 : self.end - 2]


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a property with its length before it; tag 0: the name of a property of programs."""

    tag: int
    kind: int
    start: int
    end: int

    def content(self, raw: bytes) -> bytes:
        (size,) = struct.unpack_from("<I", raw, self.start)
        return raw[self.start + 4 : self.start + 4 + size]


def parse(raw: bytes, reading: Reading) -> BytesNode:
    """The tree of a file.

    Raises:
        DamagedDocumentError: it is cut off, or its lengths do not fit.
        UnsupportedInputError: an attachment was not read, and options do not allow that.
    """
    children = _Packed(raw, reading).children()
    reading.place = ""
    return BytesNode(raw, sorted(children, key=lambda child: child[:2]))


class _Packed:
    """One file being read."""

    def __init__(self, raw: bytes, reading: Reading) -> None:
        self._raw, self._reading = raw, reading
        self._attributes = list(_attributes(raw))
        self._encoding = self._codepage()
        self._attachment, self._suffix = 0, ""

    def children(self) -> list[Child]:
        message = [one for one in self._attributes if one.level == _OF_MESSAGE]
        children: list[Child] = []
        for one in sorted(message, key=lambda one: one.tag in {_BODY, _PROPERTIES}):
            children += self._attribute(one)
        for attachment in self._attachments():
            self._attachment += 1
            self._reading.place = f"attachment {self._attachment}"
            self._suffix = self._suffix_of(attachment)
            for one in sorted(attachment, key=lambda one: one.tag in {_DATA, _OF_ATTACHED}):
                children += self._attribute(one)
        return children

    def _attachments(self) -> list[list[_Attribute]]:
        """The attributes of each."""
        found: list[list[_Attribute]] = []
        for one in self._attributes:
            if one.level == _OF_ATTACHMENT:
                if one.tag == _BEGINS or not found:
                    found.append([])
                found[-1].append(one)
        return found

    def _attribute(self, one: _Attribute) -> list[Child]:
        content = one.content(self._raw)
        inner = self._inside(one.tag, content)
        if not inner:
            return []
        node = BytesNode(content, sorted(inner, key=lambda child: child[:2]))
        return [(one.start, one.end, AttributePacking(self._raw[one.start : one.end]), node)]

    def _inside(self, tag: int, content: bytes) -> list[Child]:
        if not content.strip(b"\0"):
            return []
        if tag in _STRINGS or tag >> 16 in _TEXT_TYPES:
            length = len(content.rstrip(b"\0"))
            node = add_string(_STRINGS.get(tag, 0), content[:length], self._encoding, self._reading)
            return [(0, length, None, node)]
        if tag == _FROM:
            return self._sender(content)
        if tag in {_PROPERTIES, _OF_ATTACHED}:
            return self._properties(content, _values(content, 0)[0])
        if tag == _RECIPIENTS:
            return self._recipients(content)
        if tag == _PICTURE:
            self._reading.leave_unread("media")
            return []
        if tag == _DATA:
            return self._file(content, 0, self._suffix)
        return [(0, len(content), None, add_binary(content, self._reading))]

    def _sender(self, content: bytes) -> list[Child]:
        try:
            both = unpack_sender(content)
        except DamagedDocumentError:
            return [(0, len(content), None, add_binary(content, self._reading))]
        length = both.index(b"\0")
        name = add_string(0x0042, both[:length], self._encoding, self._reading)
        address = add_string(0, both[length + 1 :], self._encoding, self._reading)
        inner = BytesNode(both, [(0, length, None, name), (length + 1, len(both), None, address)])
        return [(0, len(content), SenderPacking(), inner)]

    def _recipients(self, content: bytes) -> list[Child]:
        children: list[Child] = []
        position = 4
        for _ in range(_number(content, 0)):
            values, position = _values(content, position)
            children += self._properties(content, values)
        return children

    def _properties(self, content: bytes, values: Sequence[_Value]) -> list[Child]:
        children: list[Child] = []
        for one in sorted(values, key=lambda one: rank(one.tag)):
            packed = content[one.start : one.end]
            inner = self._property(one.tag, one.kind, one.content(content))
            if inner:
                node = BytesNode(one.content(content), inner)
                children.append((one.start, one.start + len(packed), CountedPacking(), node))
        return children

    def _property(self, tag: int, kind: int, content: bytes) -> list[Child]:
        if not content.strip(b"\0"):
            return []
        if tag == BODY_HTML:
            return [(0, len(content), None, self._page(content, kind))]
        if kind in {STRING, STRING8}:
            encoding = "utf-16-le" if kind == STRING else self._encoding
            length = len(_without_end(content, kind))
            return [(0, length, None, add_string(tag, content[:length], encoding, self._reading))]
        if tag == BODY_RTF:
            node: Node = rich_text.parse(decompress_rtf(content), self._reading)
            return [(0, len(content), RtfPacking(), node)]
        if tag == ATTACHED and self._attachment:
            if kind == _OBJECT:
                is_message = content[:16] == _MESSAGE_INSIDE
                return self._file(content, 16, "tnef" if is_message else self._suffix)
            return self._file(content, 0, self._suffix)
        return [(0, len(content), None, add_binary(content, self._reading))]

    def _page(self, content: bytes, kind: int) -> TextNode:
        reading = self._reading
        source = reading.new_source()
        separate(reading.prose)
        wide = _wide(content) if kind == STRING else None
        text, encoding, mark = decode_html(content) if wide is None else (wide, "utf-16-le", b"")
        add_html(text, 0, len(text), source, reading)
        return TextNode(source, text, encoding, mark, as_reference)

    def _file(self, content: bytes, start: int, suffix: str) -> list[Child]:
        if suffix in MEDIA_SUFFIXES:
            self._reading.leave_unread("media")
            return []
        try:
            return [(start, len(content), None, self._reading.nested(content[start:], suffix))]
        except DocumentError as error:
            if not self._reading.options.keep_unread:
                raise UnsupportedInputError(
                    f"an attachment was not read ({error}); take it out, or allow unread attachments"
                ) from None
            self._reading.leave_unread("attachment")
            return []

    def _suffix_of(self, attachment: Sequence[_Attribute]) -> str:
        """The ending of the name of an attachment; "" where it has none."""
        names = {one.tag: self._text(one) for one in attachment if one.tag in {_TITLE, _FILE_NAME}}
        said = [names.get(_TITLE, ""), names.get(_FILE_NAME, "")]
        for one in attachment:
            if one.tag == _OF_ATTACHED:
                content = one.content(self._raw)
                for value in _values(content, 0)[0]:
                    if value.tag in {_LONG_NAME, _EXTENSION} and value.kind in {STRING, STRING8}:
                        encoding = "utf-16-le" if value.kind == STRING else self._encoding
                        said.insert(0, value.content(content).decode(encoding, "replace").rstrip("\0"))
        return next((name.rpartition(".")[2].lower() for name in said if "." in name), "")

    def _text(self, one: _Attribute) -> str:
        return one.content(self._raw).rstrip(b"\0").decode(self._encoding, "replace")

    def _codepage(self) -> str:
        """The encoding of strings of one byte a letter; Windows-1252 where the file does not say."""
        for one in self._attributes:
            content = one.content(self._raw)
            if one.tag == _CODEPAGE and len(content) >= 4:
                number = _number(content, 0)
                name = "utf-8" if number == 65001 else f"cp{number}"
                try:
                    "e".encode(name)
                except LookupError:
                    break
                return name
        return "cp1252"


def _attributes(raw: bytes) -> Iterator[_Attribute]:
    position = _START
    while raw[position:].strip(b"\0\r\n "):
        try:
            level, tag, size = struct.unpack_from("<BII", raw, position)
        except struct.error:
            raise _damaged() from None
        end = position + 9 + size + 2
        if level not in {_OF_MESSAGE, _OF_ATTACHMENT} or end > len(raw):
            raise _damaged()
        yield _Attribute(level, tag, position, end)
        position = end


def _values(content: bytes, position: int) -> tuple[list[_Value], int]:
    """(the values that have lengths, where the list of properties ends)."""
    values: list[_Value] = []
    count = _number(content, position)
    position += 4
    for _ in range(count):
        both = _number(content, position)
        kind, tag = both & 0xFFFF, both >> 16
        position += 4
        if tag >= _NAMED:
            position += 16
            named = _number(content, position)
            position += 4
            if named:
                values.append(_counted(content, position, 0, STRING))
                position = values[-1].end
            else:
                position += 4
        single = kind & ~_SEVERAL
        if single in _SIZES:
            many = 1
            if kind & _SEVERAL:
                many = _number(content, position)
                position += 4
            position += many * _SIZES[single]
            if position > len(content):
                raise _damaged()
        elif single in {STRING, STRING8, BINARY, _OBJECT}:
            many = _number(content, position)
            position += 4
            for _ in range(many):
                values.append(_counted(content, position, tag, single))
                position = values[-1].end
        else:
            raise _damaged()
    return values, position


def _counted(content: bytes, position: int, tag: int, kind: int) -> _Value:
    size = _number(content, position)
    end = position + 4 + size
    if end > len(content):
        raise _damaged()
    return _Value(tag, kind, position, min(end + -size % 4, len(content)))


def _number(content: bytes, position: int) -> int:
    try:
        (number,) = struct.unpack_from("<I", content, position)
    except struct.error:
        raise _damaged() from None
    return int(number)


def _wide(content: bytes) -> str | None:
    """The text of two bytes a letter; None where it cannot be written again as it is."""
    try:
        return content.decode("utf-16-le")
    except UnicodeDecodeError:
        return None


def _without_end(content: bytes, kind: int) -> bytes:
    """A string without the zeros that end it."""
    if kind == STRING8:
        return content.rstrip(b"\0")
    while content.endswith(b"\0\0") and len(content) % 2 == 0:
        content = content[:-2]
    return content


def _damaged() -> DamagedDocumentError:
    return DamagedDocumentError("winmail.dat is cut off, or its lengths do not fit; have it sent again")
