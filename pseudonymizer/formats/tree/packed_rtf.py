"""RTF as Outlook packs it (MS-OXRTFCP): unpacked, and packed again just as it came."""

import struct
from typing import Final

from linkage.errors import DamagedDocumentError, DocumentTooLargeError

_MAX_RTF: Final = 64 * 1024 * 1024  # bytes, unpacked
_HEAD: Final = 16  # bytes before what is packed: two sizes, the kind, a checksum
_PLAIN, _PACKED = 0x414C454D, 0x75465A4C  # "MELA", "LZFu"
_WINDOW: Final = 4096  # bytes that a reference can lead back
_START: Final = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)  # the dictionary that MS-OXRTFCP, section 2.2.2.1, prescribes
_WHOLE: Final = b"whole:"


def decompress_rtf(content: bytes) -> bytes:
    """The RTF in a formatted body of Outlook.

    Raises:
        DamagedDocumentError: it is cut off, or packed in an unknown way.
        DocumentTooLargeError: unpacked it would be larger than 64 MiB.
    """
    if len(content) < _HEAD:
        raise DamagedDocumentError("the formatted body of the message is cut off")
    _, size, kind = struct.unpack_from("<III", content)
    if size > _MAX_RTF:
        raise DocumentTooLargeError(f"the formatted body would be {size} bytes: refused")
    if kind == _PLAIN:
        return content[_HEAD : _HEAD + size]
    if kind != _PACKED:
        raise DamagedDocumentError("the formatted body of the message is packed in an unknown way")
    window = bytearray(_START.ljust(_WINDOW, b"\0"))
    at, written = len(_START), bytearray()
    position = _HEAD
    while position < len(content) and len(written) < size:
        control = content[position]
        position += 1
        for bit in range(8):
            if position >= len(content):
                break
            if control >> bit & 1:
                if position + 1 >= len(content):
                    raise DamagedDocumentError("the formatted body of the message is cut off")
                start, length = _reference(content, position)
                position += 2
                if start == at:
                    return bytes(written[:size])
                copied = [0] * length
                for n in range(length):
                    copied[n] = window[(start + n) % _WINDOW]
                    window[at] = copied[n]
                    at = (at + 1) % _WINDOW
                written += bytes(copied)
            else:
                byte = content[position]
                position += 1
                window[at] = byte
                at = (at + 1) % _WINDOW
                written.append(byte)
    return bytes(written[:size])


def uncompressed_rtf(content: bytes) -> bytes:
    """RTF in the way of Outlook, not compressed."""
    return struct.pack("<IIII", len(content) + 12, len(content), _PLAIN, 0) + content


class RtfPacking:
    """A formatted body. It is written uncompressed, and packed again from where its references stood."""

    name = "rtf"

    def pack(self, content: bytes) -> bytes:
        return uncompressed_rtf(content)

    def layout(self, raw: bytes) -> bytes:
        """The packed body without its letters; where they cannot be filled in again, all of it."""
        layout = _without_letters(raw)
        return layout if repack_rtf(decompress_rtf(raw), layout) == raw else _WHOLE + raw


def unpack_rtf(raw: bytes) -> bytes:
    """The RTF that RtfPacking wrote."""
    return decompress_rtf(raw)


def repack_rtf(content: bytes, layout: bytes) -> bytes:
    """content packed as the layout says; uncompressed where it is another text than that was packed."""
    if layout.startswith(_WHOLE):
        packed = layout.removeprefix(_WHOLE)
    elif layout[8:12] == struct.pack("<I", _PLAIN):
        packed = layout[:_HEAD] + content + layout[_HEAD:]
    else:
        packed = _with_letters(layout, content)
    try:
        same = decompress_rtf(packed) == content
    except DamagedDocumentError:
        same = False
    return packed if same else uncompressed_rtf(content)


def _reference(packed: bytes, position: int) -> tuple[int, int]:
    """(place in the window, length)."""
    both = packed[position] << 8 | packed[position + 1]
    return both >> 4, (both & 0xF) + 2


def _without_letters(packed: bytes) -> bytes:
    _, size, kind = struct.unpack_from("<III", packed)
    if kind == _PLAIN:
        return packed[:_HEAD] + packed[_HEAD + size :]
    kept, position, written = bytearray(packed[:_HEAD]), _HEAD, 0
    while position < len(packed) and written < size:
        control = packed[position]
        kept.append(control)
        position += 1
        for bit in range(8):
            if position >= len(packed):
                break
            if control >> bit & 1:
                start, length = _reference(packed, position)
                kept += packed[position : position + 2]
                position += 2
                if start == (len(_START) + written) % _WINDOW:
                    return bytes(kept + packed[position:])
                written += length
            else:
                position += 1
                written += 1
    return bytes(kept + packed[position:])


def _with_letters(layout: bytes, content: bytes) -> bytes:
    size = struct.unpack_from("<I", layout, 4)[0]
    packed, position, written = bytearray(layout[:_HEAD]), _HEAD, 0
    while position < len(layout) and written < size:
        control = layout[position]
        packed.append(control)
        position += 1
        for bit in range(8):
            if control >> bit & 1:
                if position + 1 >= len(layout):
                    break
                start, length = _reference(layout, position)
                packed += layout[position : position + 2]
                position += 2
                if start == (len(_START) + written) % _WINDOW:
                    return bytes(packed + layout[position:])
                written += length
            elif written < len(content):
                packed.append(content[written])
                written += 1
            else:
                break
    return bytes(packed + layout[position:])
