"""Files of winmail.dat (MS-OXTNEF), made for tests."""

import struct
from collections.abc import Sequence

from pseudonymizer.formats.tree.packed_rtf import _START as DICTIONARY

MESSAGE, ATTACHMENT = 1, 2
WIDE, NARROW, BYTES, OBJECT = 0x001F, 0x001E, 0x0102, 0x000D


def attribute(level: int, tag: int, content: bytes) -> bytes:
    head = struct.pack("<BII", level, tag, len(content))
    return head + content + struct.pack("<H", sum(content) & 0xFFFF)


def value(tag: int, kind: int, content: bytes, *, name: str = "") -> bytes:
    """A property; with a name where it is one of a program."""
    head = struct.pack("<HH", kind, tag)
    if name:
        wide = name.encode("utf-16-le") + b"\0\0"
        head += bytes(16) + struct.pack("<II", 1, len(wide)) + wide + bytes(-len(wide) % 4)
    return head + struct.pack("<II", 1, len(content)) + content + bytes(-len(content) % 4)


def fixed(tag: int, number: int) -> bytes:
    return struct.pack("<HHI", 0x0003, tag, number)


def wide(text: str) -> bytes:
    return text.encode("utf-16-le") + b"\0\0"


def properties(*values: bytes) -> bytes:
    return struct.pack("<I", len(values)) + b"".join(values)


def sender(name: str, address: str) -> bytes:
    """The old field of a sender, in Windows-1252."""
    parts = [part.encode("cp1252") + b"\0" for part in (name, address)]
    parts = [part + bytes(len(part) % 2) for part in parts]
    sizes = [len(part) for part in parts]
    return struct.pack("<HHHH", 4, 8 + sum(sizes), *sizes) + b"".join(parts) + bytes(8)


def packed_rtf(rtf: bytes) -> bytes:
    """RTF as Outlook packs it, with references to what stood before."""
    text = DICTIONARY + rtf
    at, made = len(DICTIONARY), bytearray()
    while at <= len(text):
        control, group = 0, bytearray()
        for bit in range(8):
            if at == len(text):
                control |= 1 << bit
                group += struct.pack(">H", (at % 4096) << 4)
                at += 1
                break
            start, length = _met_before(text, at)
            if length:
                control |= 1 << bit
                group += struct.pack(">H", (start % 4096) << 4 | length - 2)
                at += length
            else:
                group += text[at : at + 1]
                at += 1
        made += bytes([control]) + group
    return struct.pack("<III", len(made) + 12, len(rtf), 0x75465A4C) + b"\1\2\3\4" + bytes(made)


def _met_before(text: bytes, at: int) -> tuple[int, int]:
    """(start, length) of the longest stretch from at on that stood there before; length 0 for none."""
    for length in range(min(17, len(text) - at), 1, -1):
        start = text.find(text[at : at + length], max(at - 4000, 0), at)
        if start >= 0:
            return start, length
    return 0, 0


def winmail(*attributes: bytes) -> bytes:
    version = attribute(MESSAGE, 0x89006, struct.pack("<I", 0x10000))
    codepage = attribute(MESSAGE, 0x69007, struct.pack("<II", 1252, 0))
    return b"\x78\x9f\x3e\x22\x01\x00" + b"".join((version, codepage, *attributes))


def attached(name: str, content: bytes, *more: bytes) -> bytes:
    """The attributes of one attachment."""
    return b"".join((
        attribute(ATTACHMENT, 0x69002, bytes(14)), attribute(ATTACHMENT, 0x6800F, content),
        attribute(ATTACHMENT, 0x18010, name.encode("cp1252") + b"\0"), *more,
    ))  # fmt: skip


def tnef(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """A message with people, subject, all kinds of bodies, recipients and two attachments, one a message."""
    rows = b"".join(properties(fixed(0x0C15, 1), value(0x3001, WIDE, wide(name))) for name in names)
    subject, told = f"Over {names[-1]}", "\n".join(sentences)
    rtf = "".join(c if c.isascii() and c not in "\\{}" else f"\\u{ord(c) % 32768}?" for c in told)
    page = "".join(f"<p>{s.replace('&', '&amp;').replace('<', '&lt;')}</p>" for s in sentences)
    page = f"<html><head><meta charset=utf-8></head><body>{page}</body></html>"
    inside = winmail(attribute(MESSAGE, 0x69003, properties(value(0x1000, WIDE, wide(told)))))
    return winmail(
        attribute(MESSAGE, 0x8000, sender(_western(names[0]), "SMTP:a@b.example")),
        attribute(MESSAGE, 0x18004, _western(subject).encode("cp1252") + b"\0"),
        attribute(MESSAGE, 0x69004, struct.pack("<I", len(names)) + rows),
        attribute(MESSAGE, 0x69003, properties(
            value(0x0037, WIDE, wide(subject)), fixed(0x3FDE, 65001),
            value(0x8005, WIDE, wide(names[0]), name="Klant"),
            value(0x1009, BYTES, packed_rtf(("{\\rtf1\\ansi " + rtf + "}").encode("ascii"))),
            value(0x1013, BYTES, page.encode()),
        )),
        attached("lijst.csv", ("naam\n" + "\n".join(names)).encode()),
        attached("bericht", b"", attribute(ATTACHMENT, 0x69005, properties(
            value(0x3001, WIDE, wide(f"bericht van {names[0]}")),
            value(0x3701, OBJECT, bytes.fromhex("0703020000000000c000000000000046") + inside),
        ))),
    )  # fmt: skip


def _western(text: str) -> str:
    return text.encode("cp1252", "replace").decode("cp1252")
