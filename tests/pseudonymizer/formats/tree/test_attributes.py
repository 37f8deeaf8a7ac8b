"""Values of winmail.dat come back as they were, with their lengths, also where those were odd."""

import struct

import pytest

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.tree.attributes import (
    AttributePacking,
    CountedPacking,
    SenderPacking,
    repack_attribute,
    repack_counted,
    repack_sender,
    unpack_attribute,
    unpack_counted,
    unpack_sender,
)
from tests.pseudonymizer.formats.made_winmail import attribute, sender


@pytest.mark.parametrize(
    "raw", [attribute(1, 0x18004, b"Els\0"), attribute(2, 0x6800F, b"")[:-2] + b"\x07\0"]
)
def test_an_attribute_comes_back(raw: bytes) -> None:
    packing = AttributePacking(raw)
    assert repack_attribute(unpack_attribute(raw), packing.layout(raw)) == raw
    assert packing.pack(b"x") == raw[:5] + b"\1\0\0\0x" + struct.pack("<H", ord("x"))


@pytest.mark.parametrize("raw", [b"\3\0\0\0abc\0", b"\4\0\0\0abcd", b"\1\0\0\0a", b"\1\0\0\0a\1\2\3"])
def test_a_counted_value_comes_back(raw: bytes) -> None:
    assert repack_counted(unpack_counted(raw), CountedPacking().layout(raw)) == raw
    assert CountedPacking().pack(b"abcde") == b"\5\0\0\0abcde\0\0\0"


@pytest.mark.parametrize("raw", [sender("Els", "a@b.nl"), sender("Els W", "SMTP:a@b"), sender("", "x")[:-8]])
def test_a_sender_comes_back(raw: bytes) -> None:
    both = unpack_sender(raw)
    assert repack_sender(both, SenderPacking().layout(raw)) == raw
    again = SenderPacking().pack(b"Jan Tolsma\0x@y")
    assert unpack_sender(again) == b"Jan Tolsma\0x@y"
    assert struct.unpack_from("<HHHH", again) == (4, 8 + 12 + 4, 12, 4)


@pytest.mark.parametrize("raw", [b"", b"\5\0" + sender("Els", "a")[2:], sender("Els", "a@b.nl")[:12]])
def test_another_sender_is_damaged(raw: bytes) -> None:
    with pytest.raises(DamagedDocumentError, match="sender"):
        unpack_sender(raw)
