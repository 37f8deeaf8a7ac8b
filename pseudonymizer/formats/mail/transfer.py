"""Texts written in ASCII by some rule (quoted-printable, percent signs), character by character."""

import codecs
import re
from collections.abc import Callable
from urllib.parse import quote

from pseudonymizer.formats.tree.nodes import MappedTextNode, encode_label

_QUOTED = re.compile(rb"=\r?\n|=[0-9A-Fa-f]{2}|[\x00-\x3c\x3e-\x7f]+|[\x80-\xff]|=")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}|[\x00-\x24\x26-\x7f]+|[\x80-\xff]|%")
_SHORT = 12  # characters of a label that may make a line longer without another break
_FOLDED = re.compile(rb"\r?\n[ \t]+|[^\r\n\x80-\xff]+|[\x80-\xff]+|\r?\n|\r")


def quoted_printable(source: int, raw: bytes, charset: str, line_end: str) -> MappedTextNode:
    """A body in quoted-printable (RFC 2045, section 6.7). A soft line break belongs to no character."""

    def write(label: str) -> str:
        written = _quoted(encode_label(label, charset))
        if len(written) <= _SHORT:
            return written
        # Lines may not be longer than 76 characters: soft breaks around the label, which readers take out.
        return f"={line_end}{written}={line_end}"

    return _mapped(source, raw, charset, _QUOTED, b"=", write)


def percent_encoded(source: int, raw: bytes, charset: str) -> MappedTextNode:
    """A parameter in the way of RFC 2231, after its charset and language."""
    return _mapped(
        source, raw, charset, _PERCENT, b"%", lambda label: quote(encode_label(label, charset), safe="")
    )


def unfolded(source: int, raw: bytes, charset: str, write: Callable[[str], str]) -> MappedTextNode:
    """A header value whose lines are folded (RFC 5322, section 2.2.3): a fold is one space."""
    starts: list[int] = []
    places: list[tuple[int, int, bool]] = []
    texts: list[str] = []
    length = 0

    def add(text: str, start: int, end: int, *, is_plain: bool) -> None:
        nonlocal length
        starts.append(length)
        places.append((start, end, is_plain))
        texts.append(text)
        length += len(text)

    for found in _FOLDED.finditer(raw):
        if found[0][:1] in b"\r\n":
            if len(found[0]) > 2 or found[0][-1:] in b" \t":
                add(" ", found.start(), found.end(), is_plain=False)
            else:
                add("\n", found.start(), found.end(), is_plain=False)
        elif found[0][0] < 0x80:
            add(found[0].decode("ascii"), found.start(), found.end(), is_plain=True)
        else:
            at = found.start()
            for character in found[0].decode(charset):
                width = len(character.encode(charset))
                add(character, at, at + width, is_plain=False)
                at += width
    return MappedTextNode(source, "".join(texts), raw, (starts, places), write)


def _mapped(
    source: int,
    raw: bytes,
    charset: str,
    pattern: re.Pattern[bytes],
    sign: bytes,
    write: Callable[[str], str],
) -> MappedTextNode:
    starts: list[int] = []
    places: list[tuple[int, int, bool]] = []
    texts: list[str] = []
    length = 0
    decoder = codecs.getincrementaldecoder(charset)("replace")
    pending = -1  # where the bytes of an unfinished character begin
    for found in pattern.finditer(raw):
        token = found[0]
        if token[:1] == sign and token[1:2] in b"\r\n" and len(token) > 1:
            continue
        is_code = token[:1] == sign and len(token) == 3
        data = bytes([int(token[1:], 16)]) if is_code else token
        if data[0] < 0x80 and pending < 0:
            text, start, is_plain = data.decode("ascii"), found.start(), not is_code
        else:
            # The bytes of one character may be written in both ways, and stand on two lines.
            pending = found.start() if pending < 0 else pending
            text, start, is_plain = decoder.decode(data), pending, False
            if not text:
                continue
            pending = -1
        starts.append(length)
        places.append((start, found.end(), is_plain))
        texts.append(text)
        length += len(text)
    return MappedTextNode(source, "".join(texts), raw, (starts, places), write)


def _quoted(encoded: bytes) -> str:
    return "".join(chr(b) if 0x20 < b < 0x7F and b != 0x3D else f"={b:02X}" for b in encoded)
