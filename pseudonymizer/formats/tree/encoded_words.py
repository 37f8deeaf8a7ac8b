"""Encoded words of mail headers (RFC 2047): runs of them as one text, and written again just as they came."""

import base64
import binascii
import json
import re
from typing import NamedTuple

from linkage.errors import DamagedDocumentError

WORD = re.compile(rb"=\?([A-Za-z0-9_.:-]+)(?:\*[A-Za-z-]+)?\?([BbQq])\?([^?\s]*)\?=")
RUN = re.compile(WORD.pattern + rb"(?:[ \t\r\n]+" + WORD.pattern + rb")*")
_MAX_BYTES = 45  # of one word before it is encoded: base64 makes 60 of them, below the 75 that are allowed
_ALWAYS_LITERAL = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")


class _Word(NamedTuple):
    start: int
    end: int
    head: bytes  # "=?utf-8?Q?" as written
    charset: str
    is_base64: bool
    data: bytes

    def __repr__(self) -> str:
        return f"_Word({self.start}, {self.end})"


class WordsPacking:
    """A run of encoded words, unpacked to UTF-8."""

    name = "words"

    def pack(self, content: bytes) -> bytes:
        return encode_words(content.decode("utf-8"))

    def layout(self, raw: bytes) -> bytes:
        """How the words were cut and written; where that cannot be told exactly, the run itself."""
        layout = _layout(raw)
        try:
            same = repack_words(unpack_words(raw), layout) == raw
        except (LookupError, UnicodeError):
            same = False
        return layout if same else b"raw:" + raw


def encode_words(text: str) -> bytes:
    """text as encoded words in UTF-8, none longer than allowed; a character is never cut."""
    chunks: list[bytes] = [b""]
    for character in text:
        encoded = character.encode("utf-8")
        if len(chunks[-1]) + len(encoded) > _MAX_BYTES:
            chunks.append(b"")
        chunks[-1] += encoded
    return b" ".join(b"=?utf-8?B?" + base64.b64encode(chunk) + b"?=" for chunk in chunks if chunk)


def unpack_words(raw: bytes) -> bytes:
    """The text of a run of words in UTF-8. Neighbours in one charset are joined first: some writers cut
    letters."""
    texts: list[str] = []
    pending = b""
    charset = ""
    for word in _words(raw):
        if word.charset != charset and pending:
            texts.append(_decoded(pending, charset))
            pending = b""
        charset = word.charset
        pending += word.data
    return "".join([*texts, _decoded(pending, charset)]).encode("utf-8")


def repack_words(content: bytes, layout: bytes) -> bytes:
    """content as it was before, by the layout that WordsPacking.layout gave.

    Raises:
        DamagedDocumentError: the layout is not one of ours.
    """
    if layout.startswith(b"raw:"):
        return layout[4:]
    text = content.decode("utf-8")
    try:
        items = json.loads(layout)
    except ValueError:
        raise DamagedDocumentError(
            "an edit of an encoded header cannot be undone: its layout is damaged"
        ) from None
    data = text.encode(items[0][1])  # one charset for all words, as _layout makes sure
    written = bytearray()
    position = 0
    for head, _, is_base64, length, literal, gap in items:
        piece = data[position : position + length]
        position += length
        body = (
            base64.b64encode(piece) if is_base64 else _q_encoded(piece, frozenset(literal.encode("latin-1")))
        )
        written += head.encode("latin-1") + body + b"?=" + gap.encode("latin-1")
    return bytes(written)


def _layout(raw: bytes) -> bytes:
    words = _words(raw)
    if len({word.charset for word in words}) != 1:
        return b"raw:" + raw
    items = []
    for number, word in enumerate(words):
        gap_end = words[number + 1].start if number + 1 < len(words) else word.end
        body = raw[word.start + len(word.head) : word.end - 2]
        literal = b"" if word.is_base64 else bytes(sorted(set(re.sub(rb"=[0-9A-Fa-f]{2}", b"", body))))
        items.append(
            [
                word.head.decode("latin-1"), word.charset, word.is_base64, len(word.data),
                literal.decode("latin-1"), raw[word.end : gap_end].decode("latin-1"),
            ]
        )  # fmt: skip
    return json.dumps(items).encode()


def _words(raw: bytes) -> list[_Word]:
    words = []
    for found in WORD.finditer(raw):
        is_base64 = found[2] in b"Bb"
        words.append(
            _Word(
                found.start(), found.end(), raw[found.start() : found.start(3)],
                found[1].decode("ascii").lower(), is_base64,
                _unbase64(found[3]) if is_base64 else _q_decoded(found[3]),
            )
        )  # fmt: skip
    return words


def _unbase64(data: bytes) -> bytes:
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return b""


def _decoded(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return data.decode("utf-8", "replace") if charset == "utf-8" else data.decode("latin-1")


def _q_decoded(data: bytes) -> bytes:
    return re.sub(
        rb"=([0-9A-Fa-f]{2})|_", lambda found: bytes([int(found[1], 16)]) if found[1] else b" ", data
    )


def _q_encoded(data: bytes, literal: frozenset[int]) -> bytes:
    written = bytearray()
    for byte in data:
        if byte == 0x20 and 0x5F in literal:
            written += b"_"
        elif byte in literal or (byte in _ALWAYS_LITERAL and byte != 0x5F):
            written.append(byte)
        else:
            written += b"=%02X" % byte
    return bytes(written)
