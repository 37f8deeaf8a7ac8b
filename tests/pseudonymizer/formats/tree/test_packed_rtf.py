"""RTF as Outlook packs it: unpacked, and packed again as it came, letter for letter."""

import pytest

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.tree.packed_rtf import RtfPacking, decompress_rtf, repack_rtf, uncompressed_rtf
from tests.pseudonymizer.formats.made_winmail import packed_rtf

# The example of MS-OXRTFCP, section 4.1.1.
COMPRESSED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)
LONG = b"{\\rtf1\\ansi " + b"".join(b"Els Wiersma belde %d keer.\\par " % n for n in range(300)) + b"}"


def test_packed_rtf() -> None:
    assert decompress_rtf(COMPRESSED) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert decompress_rtf(uncompressed_rtf(b"{\\rtf1 x}")) == b"{\\rtf1 x}"
    assert decompress_rtf(packed_rtf(LONG)) == LONG


@pytest.mark.parametrize(
    "raw", [COMPRESSED, packed_rtf(LONG), COMPRESSED + b"tail", uncompressed_rtf(LONG) + b"x"]
)
def test_the_layout_gives_the_packed_body_back_and_holds_no_letters(raw: bytes) -> None:
    layout = RtfPacking().layout(raw)
    assert repack_rtf(decompress_rtf(raw), layout) == raw
    assert b"hello" not in layout
    assert b"Wiersma" not in layout


def test_another_text_than_was_packed_is_written_uncompressed() -> None:
    layout = RtfPacking().layout(packed_rtf(LONG))
    assert repack_rtf(b"{\\rtf1 x}", layout) == uncompressed_rtf(b"{\\rtf1 x}")


@pytest.mark.parametrize(
    "raw", [b"", COMPRESSED[:15], COMPRESSED[:8] + b"abcd" + COMPRESSED[12:], COMPRESSED[:18]]
)
def test_a_body_that_is_cut_off_or_of_another_kind_is_damaged(raw: bytes) -> None:
    with pytest.raises(DamagedDocumentError, match="formatted body"):
        decompress_rtf(raw)
