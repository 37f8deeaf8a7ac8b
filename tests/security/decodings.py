"""Names searched in bytes in every way that a program may have written them: parts, streams, encodings."""

import base64
import binascii
import gzip
import html
import io
import quopri
import re
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from typing import Final
from urllib.parse import unquote_to_bytes

import olefile
import pikepdf
import pyarrow as pa
import pyarrow.parquet as pq

_DEEPEST: Final = 5
_BASE64: Final = re.compile(rb"(?:[A-Za-z0-9+/_-]{4}[\r\n]*){4,}[A-Za-z0-9+/_=-]{0,4}")
_STREAM: Final = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_HEX: Final = re.compile(rb"<([0-9A-Fa-f\s]{8,})>|\b([0-9A-Fa-f]{12,})\b")
_JSON_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
_TAG: Final = re.compile(r"<[^<>]*>")
_RTF_ESCAPE: Final = re.compile(r"\\'([0-9a-fA-F]{2})|\\u(-?\d+) ?(?:\\'[0-9a-fA-F]{2}|.)?")
_RTF_WORD: Final = re.compile(r"\\[a-z]+-?\d* ?|[{}\r\n]")
_PDF_OCTAL: Final = re.compile(rb"\\([0-7]{1,3})")
_TEXT_SHOWN: Final = re.compile(rb"\[((?:[^\[\]]|\\.)*)\]\s*TJ")
_PDF_STRING: Final = re.compile(rb"\(((?:[^()\\]|\\.)*)\)|<([0-9A-Fa-f\s]*)>")


def seen_in(raw: bytes, names: Collection[str]) -> dict[str, str]:
    """The names that stand in these bytes, each with the way in which it was found first."""
    found: dict[str, str] = {}
    for how, text in views(raw):
        for name in names:
            if name not in found and name.casefold() in text:
                found[name] = how
    return found


def views(raw: bytes) -> Iterator[tuple[str, str]]:
    """Texts that these bytes hold, folded: as they are, and decoded again and again; with how it was done."""
    waiting, seen = [("", raw, 0)], {raw}
    while waiting:
        how, content, depth = waiting.pop()
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            text = content.decode(encoding, "ignore")
            yield f"{how} {encoding}", text.casefold()
            if encoding == "utf-8":
                for what, other in _texts(text):
                    yield f"{how} {what}", other.casefold()
            elif content[1:].startswith(b"\0") and "<" in text:
                yield f"{how} {encoding} markup", _TAG.sub("", html.unescape(text)).casefold()
        if depth == _DEEPEST:
            continue
        for what, inner in _contents(content):
            if inner and inner not in seen:
                seen.add(inner)
                waiting.append((f"{how} {what}", inner, depth + 1))


def _texts(text: str) -> Iterator[tuple[str, str]]:
    """The text with escapes of a notation read, or its marks left out."""
    plain = html.unescape(text)
    yield "entities", plain
    yield "markup", _TAG.sub("", plain)
    yield "joined lines", re.sub(r"\s+", " ", plain)
    if "\\u" in text:
        yield "escapes", _JSON_ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if "=?" in text:
        yield "encoded words", _encoded_words(text)
    if "%" in text:
        yield "percent", unquote_to_bytes(text).decode("utf-8", "ignore")
    if "{\\rtf" in text:
        escaped = _RTF_ESCAPE.sub(
            lambda found: chr(int(found[1], 16)) if found[1] else chr(int(found[2]) % 65536), text
        )
        yield "rtf", _RTF_WORD.sub("", escaped)
        yield "rtf escapes", escaped


def _encoded_words(text: str) -> str:
    found = []
    for word in re.findall(r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?=", text):
        with suppress(HeaderParseError, LookupError, binascii.Error, ValueError):
            for raw, charset in decode_header(word):
                found.append(raw.decode(charset or "ascii", "ignore") if isinstance(raw, bytes) else raw)
    return "".join(found)


def _contents(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """What is packed or coded in these bytes."""
    if raw[:2] == b"PK":
        yield from _members(raw)
    if raw[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError, zlib.error):
            yield "gzip", gzip.decompress(raw)
    if raw[257:262] == b"ustar":
        with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(raw)) as archive:
            for member in archive:
                yield "tar name", member.name.encode()
                if (file := archive.extractfile(member)) is not None:
                    yield f"tar {member.name}", file.read()
    if raw[:8] == olefile.MAGIC:
        yield from _streams_of_compound(raw)
    if raw[:4] == b"PAR1":
        with suppress(pa.ArrowException):
            table = pq.read_table(io.BytesIO(raw))
            yield "parquet", str(table.to_pylist()).encode() + str(table.schema).encode()
    if b"%PDF-" in raw[:1024]:
        yield from _streams_of_pdf(raw)
    for found in _BASE64.finditer(raw):
        text = re.sub(rb"[\r\n=]", b"", found[0]).replace(b"-", b"+").replace(b"_", b"/")
        for start in range(4) if len(text) < 400 else (0,):
            with suppress(binascii.Error, ValueError):
                cut = text[start:]
                yield "base64", base64.b64decode(cut + b"=" * (-len(cut) % 4))
    if b"=" in raw and b"\n" in raw:
        yield "quoted-printable", quopri.decodestring(raw)
    for found in _HEX.finditer(raw):
        with suppress(ValueError):
            yield "hex", bytes.fromhex((found[1] or found[2]).decode())


def _members(raw: bytes) -> Iterator[tuple[str, bytes]]:
    with suppress(zipfile.BadZipFile, OSError, ValueError), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        yield "zip comment", archive.comment
        for member in archive.infolist():
            yield "zip name", member.filename.encode("utf-8", "ignore") + member.comment + member.extra
            with suppress(zipfile.BadZipFile, OSError, zlib.error, NotImplementedError, RuntimeError):
                yield f"zip {member.filename}", archive.read(member)


def _streams_of_compound(raw: bytes) -> Iterator[tuple[str, bytes]]:
    with suppress(OSError), olefile.OleFileIO(io.BytesIO(raw)) as compound:
        for place in compound.listdir():
            yield "compound name", "/".join(place).encode()
            yield f"compound {'/'.join(place)}", compound.openstream(place).read()


def _streams_of_pdf(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for found in _STREAM.finditer(raw):
        with suppress(zlib.error):
            yield "pdf deflated", zlib.decompressobj().decompress(found[1])
    yield "pdf strings", _pdf_text(raw)
    with suppress(pikepdf.PdfError), pikepdf.open(io.BytesIO(raw)) as document:
        for number, item in enumerate(document.objects):
            if isinstance(item, pikepdf.Stream):
                with suppress(pikepdf.PdfError):
                    content = item.read_bytes()
                    yield f"pdf stream {number}", content
                    yield f"pdf text {number}", _pdf_text(content)
            with suppress(pikepdf.PdfError, ValueError):
                yield f"pdf object {number}", _strings_in(item).encode("utf-8", "ignore")


def _strings_in(item: object, depth: int = 0) -> str:
    """The texts of a PDF object, read by its library."""
    if isinstance(item, pikepdf.String):
        return str(item) + "\n"
    if depth > 5 or (isinstance(item, pikepdf.Object) and depth and item.is_indirect):
        return ""
    if isinstance(item, pikepdf.Name):
        return str(item) + "\n"
    if isinstance(item, pikepdf.Array):
        return "".join(_strings_in(one, depth + 1) for one in item.as_list())
    if isinstance(item, (pikepdf.Dictionary, pikepdf.Stream)):
        return "".join(f"{key} {_strings_in(value, depth + 1)}" for key, value in item.items())
    return ""


def _pdf_text(content: bytes) -> bytes:
    """The strings of a page, those of one TJ joined."""
    shown = [_joined(found[1]) for found in _TEXT_SHOWN.finditer(content)]
    return b"\n".join(shown) + b"\n" + _joined(content, b"\n") + b"\n" + _joined(content)


def _joined(content: bytes, between: bytes = b"") -> bytes:
    strings = []
    for found in _PDF_STRING.finditer(content):
        if found[1] is not None:
            octal = _PDF_OCTAL.sub(lambda code: bytes([int(code[1], 8) % 256]), found[1])
            strings.append(re.sub(rb"\\(.)", rb"\1", octal))
        elif found[2]:
            with suppress(ValueError):
                strings.append(bytes.fromhex(found[2].decode() + "0" * (len(found[2].split()) % 1)))
    return between.join(strings)
