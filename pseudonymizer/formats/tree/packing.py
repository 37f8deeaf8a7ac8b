"""How a part is packed in the bytes around it, and how to pack it again just as it came."""

import base64
import binascii
import itertools
import json
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.tree import attributes, packed_rtf
from pseudonymizer.formats.tree.encoded_words import WordsPacking, repack_words, unpack_words


class Packing(Protocol):
    """name goes into locations; pack takes new content; layout says how the original bytes were packed."""

    name: str

    def pack(self, content: bytes) -> bytes: ...

    def layout(self, raw: bytes) -> bytes: ...


class PlainPacking:
    """Not packed at all."""

    name = "plain"

    def pack(self, content: bytes) -> bytes:
        return content

    def layout(self, raw: bytes) -> bytes:  # noqa: ARG002
        return b""


# Ways of programs that pack a part as a whole: name -> (packed again as its layout says, unpacked).
_WHOLE_PARTS: Mapping[str, tuple[Callable[[bytes, bytes], bytes], Callable[[bytes], bytes]]] = {
    WordsPacking.name: (repack_words, unpack_words),
    packed_rtf.RtfPacking.name: (packed_rtf.repack_rtf, packed_rtf.unpack_rtf),
    attributes.AttributePacking.name: (attributes.repack_attribute, attributes.unpack_attribute),
    attributes.CountedPacking.name: (attributes.repack_counted, attributes.unpack_counted),
    attributes.SenderPacking.name: (attributes.repack_sender, attributes.unpack_sender),
}
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/=]+|[^A-Za-z0-9+/=]+")


class Base64Packing:
    """Base64 in lines, as in mail (RFC 2045, section 6.8)."""

    name = "base64"

    def __init__(self, raw: bytes) -> None:
        self._layout = _base64_layout(raw)

    @staticmethod
    def unpack(raw: bytes) -> bytes:
        """Raises DamagedDocumentError for base64 that cannot be written again just as it is."""
        letters = b"".join(run for run in _BASE64_RUN.findall(raw) if _is_base64(run))
        try:
            content = base64.b64decode(letters, validate=True)
        except binascii.Error:
            raise DamagedDocumentError("a base64 part of the message is damaged") from None
        if _lay_out(base64.b64encode(content), _base64_layout(raw)) != raw:
            raise DamagedDocumentError(
                "a base64 part of the message has bits that mean nothing; save it again"
            )
        return content

    def pack(self, content: bytes) -> bytes:
        letters = base64.b64encode(content)
        lengths, separators = self._layout
        if not lengths:
            return letters
        # New content has another length: the lines go on as the first one was.
        width, separator = lengths[0], separators[1] if len(separators) > 1 else b"\r\n"
        lines = [letters[at : at + width] for at in range(0, len(letters), width)]
        last = separators[-1] if len(separators) > len(lengths) else b""
        return separators[0] + separator.join(lines) + last

    def layout(self, raw: bytes) -> bytes:
        lengths, separators = _base64_layout(raw)
        runs = [
            [length, separator.decode("latin-1"), sum(1 for _ in group)]
            for (length, separator), group in itertools.groupby(zip(lengths, separators[1:], strict=True))
        ]
        return json.dumps([separators[0].decode("latin-1"), runs]).encode()


def repack(name: str, content: bytes, layout: bytes) -> bytes:
    """content packed as the layout says: the original bytes, if content is the original content."""
    if name == PlainPacking.name:
        return content
    if name in _WHOLE_PARTS:
        return _WHOLE_PARTS[name][0](content, layout)
    if name == Base64Packing.name:
        first, runs = json.loads(layout)
        lengths: list[int] = []
        separators = [first.encode("latin-1")]
        for length, separator, count in runs:
            lengths += [length] * count
            separators += [separator.encode("latin-1")] * count
        return _lay_out(base64.b64encode(content), (lengths, separators))
    raise DamagedDocumentError(
        f"the edits speak of an unknown packing {name!r}; use the version that made them"
    )


def unpack(name: str, raw: bytes) -> bytes:
    if name == PlainPacking.name:
        return raw
    if name in _WHOLE_PARTS:
        return _WHOLE_PARTS[name][1](raw)
    if name == Base64Packing.name:
        letters = b"".join(run for run in _BASE64_RUN.findall(raw) if _is_base64(run))
        try:
            return base64.b64decode(letters, validate=True)
        except binascii.Error:
            raise DamagedDocumentError("a base64 part of the rewritten file was changed since") from None
    raise DamagedDocumentError(
        f"the edits speak of an unknown packing {name!r}; use the version that made them"
    )


def _is_base64(run: bytes) -> bool:
    return run[:1].isalnum() or run[:1] in b"+/="


def _base64_layout(raw: bytes) -> tuple[list[int], list[bytes]]:
    """Lengths of the runs of base64, and what stands before, between and after them (one more)."""
    lengths: list[int] = []
    separators: list[bytes] = [b""]
    for run in _BASE64_RUN.findall(raw):
        if _is_base64(run):
            lengths.append(len(run))
            separators.append(b"")
        else:
            separators[-1] = run
    return lengths, separators


def _lay_out(letters: bytes, layout: tuple[list[int], list[bytes]]) -> bytes:
    lengths, separators = layout
    pieces = [separators[0]]
    position = 0
    for length, separator in zip(lengths, separators[1:], strict=True):
        pieces += [letters[position : position + length], separator]
        position += length
    pieces.append(letters[position:])
    return b"".join(pieces)
