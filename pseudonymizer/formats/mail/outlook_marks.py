"""The mark of an Outlook message: a field of its transport headers (PidTagTransportMessageHeaders).

Outlook shows them as the Internet headers of a message, and programs that turn messages into mail files keep
them. A message that was never sent has none; it gets them, and loses them again when it is restored.
"""

import struct
from typing import Final

from pseudonymizer.formats.mail.compound import Entry, in_order, read_compound
from pseudonymizer.formats.marking import WORD
from pseudonymizer.formats.records import FormatOptions

PROPERTIES: Final = "__properties_version1.0"
_TAG, _STRING = 0x007D, 0x001F
_STREAM = "__substg1.0_007D001F"
_FIELD = f"X-Pseudonymized: {WORD}\r\n"
_NAME = "x-pseudonymized:"
_FLAGS = 6  # may be read and written


def has_headers(root: Entry) -> bool:
    return any(child.name.startswith("__substg1.0_007D") for child in root.children)


def headers_number(root: Entry) -> int | None:
    """The number of the stream that holds the headers in UTF-16, where it has no mark yet."""
    for number, (storage, stream) in enumerate(root.streams()):
        if storage is root and stream.name == _STREAM and not _carries(stream.content or b""):
            return number
    return None


def field_bytes() -> bytes:
    return _FIELD.encode("utf-16-le")


def mark_length(text: str) -> int:
    """How much of the headers is the mark, which nobody has to read."""
    return len(_FIELD) if text.startswith(_FIELD) else 0


def add_headers(root: Entry) -> None:
    """Headers with nothing in them but the mark, and their row in the table of properties."""
    content = field_bytes()
    root.children = in_order([*root.children, Entry(_STREAM, content)])
    row = struct.pack("<HHIII", _STRING, _TAG, _FLAGS, len(content) + 2, 0)
    for child in root.children:
        if child.name == PROPERTIES:
            child.content = (child.content or b"") + row


def take_headers(root: Entry) -> None:
    """Undoes add_headers."""
    root.children = [child for child in root.children if child.name != _STREAM]
    tag = struct.pack("<HH", _STRING, _TAG)
    for child in root.children:
        if child.name == PROPERTIES:
            table = child.content or b""
            head = len(table) % 16
            rows = [table[at : at + 16] for at in range(head, len(table), 16)]
            child.content = table[:head] + b"".join(row for row in rows if row[:4] != tag)


def is_marked(raw: bytes) -> bool:
    root = read_compound(raw, FormatOptions())
    return any(child.name == _STREAM and _carries(child.content or b"") for child in root.children)


def _carries(content: bytes) -> bool:
    return _NAME in content.decode("utf-16-le", "replace").lower()
