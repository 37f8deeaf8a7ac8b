"""How winmail.dat packs values (MS-OXTNEF): with their lengths before them, fill bytes, and a checksum."""

import struct
from typing import Final

from linkage.errors import DamagedDocumentError

_HEAD: Final = 9  # bytes before the value of an attribute: level, id, length
_NAMED: Final = struct.Struct("<HHHH")  # kind, length of all, of the name, of the address
_PAIR: Final = 4  # the kind of a sender who is a name and an address


class AttributePacking:
    """An attribute: its head, its value, the sum of the bytes of that."""

    name = "attribute"

    def __init__(self, raw: bytes) -> None:
        self._head = raw[:5]

    def pack(self, content: bytes) -> bytes:
        return _attribute(self._head, content)

    def layout(self, raw: bytes) -> bytes:
        """Level and id, and the checksum where it was wrong."""
        return raw[:5] if _attribute(raw[:5], raw[_HEAD:-2]) == raw else raw[:5] + raw[-2:]


def unpack_attribute(raw: bytes) -> bytes:
    return raw[_HEAD:-2]


def repack_attribute(content: bytes, layout: bytes) -> bytes:
    written = _attribute(layout[:5], content)
    return written[:-2] + layout[5:] if len(layout) > 5 else written


def _attribute(head: bytes, content: bytes) -> bytes:
    return head + struct.pack("<I", len(content)) + content + struct.pack("<H", sum(content) & 0xFFFF)


class CountedPacking:
    """A value after its length in four bytes, filled up to a multiple of four."""

    name = "counted"

    def pack(self, content: bytes) -> bytes:
        return struct.pack("<I", len(content)) + content + bytes(-len(content) % 4)

    def layout(self, raw: bytes) -> bytes:
        """The fill bytes, where they are others than zeros up to the multiple."""
        content = unpack_counted(raw)
        fill = raw[4 + len(content) :]
        return b"" if fill == bytes(-len(content) % 4) else b"fill:" + fill


def unpack_counted(raw: bytes) -> bytes:
    return raw[4 : 4 + struct.unpack_from("<I", raw)[0]]


def repack_counted(content: bytes, layout: bytes) -> bytes:
    if layout.startswith(b"fill:"):
        return struct.pack("<I", len(content)) + content + layout.removeprefix(b"fill:")
    return CountedPacking().pack(content)


class SenderPacking:
    """A sender of old messages: name and address, each with its length before both. Unpacked they are
    divided by a zero.
    """

    name = "sender"

    def pack(self, content: bytes) -> bytes:
        return repack_sender(content, b"")

    def layout(self, raw: bytes) -> bytes:
        """The lengths as they were, the zeros behind name and address, and what follows them."""
        _, _, name, address = _NAMED.unpack_from(raw)
        first, second = raw[8 : 8 + name], raw[8 + name : 8 + name + address]
        zeros = (len(first) - len(first.rstrip(b"\0")), len(second) - len(second.rstrip(b"\0")))
        return raw[:8] + struct.pack("<HH", *zeros) + raw[8 + name + address :]


def unpack_sender(raw: bytes) -> bytes:
    """Name and address, divided by a zero.

    Raises:
        DamagedDocumentError: the lengths do not fit, or it is another kind of sender.
    """
    if len(raw) >= _NAMED.size:
        kind, _, name, address = _NAMED.unpack_from(raw)
        if kind == _PAIR and 8 + name + address <= len(raw):
            parts = [raw[8 : 8 + name].rstrip(b"\0"), raw[8 + name : 8 + name + address].rstrip(b"\0")]
            if b"\0" not in parts[0] + parts[1]:
                return b"\0".join(parts)
    raise DamagedDocumentError("the sender of winmail.dat is written in an unknown way")


def repack_sender(content: bytes, layout: bytes) -> bytes:
    name, _, address = content.partition(b"\0")
    zeros = struct.unpack_from("<HH", layout, 8) if layout else (2 - len(name) % 2, 2 - len(address) % 2)
    name, address = name + bytes(zeros[0]), address + bytes(zeros[1])
    tail = layout[12:] if layout else bytes(8)
    size = 8 + len(name) + len(address)
    head = _NAMED.pack(_PAIR, size, len(name), len(address))
    if layout and layout[4:8] == head[4:8]:
        head = layout[:8]
    return head + name + address + tail
