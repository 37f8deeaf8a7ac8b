"""Texts that are packed in a text: base64, data addresses, pages and JSON inside of strings.

Where a format says what a packed text is, or where what comes out is a text, it is read by its own rules and
packed again. Everything else of the kind is left alone: its letters are no words, and no name is looked for
in them.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pseudonymizer.formats.text.escapes import Escapes, add_escaped
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Encoded, TextBuilder

# Letters of base64 in one run; ids, hashes and words of a language are shorter, or have no capitals, small
# letters and digits in turn. Set by what such runs must not be: file paths and words.
_LEAST: Final = 40
_RUN: Final = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
_WHOLE: Final = re.compile(r"\s*(?:[A-Za-z0-9+/]\s*){16,}={0,2}\s*")
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_CHANGES: Final = re.compile(r"[a-z][A-Z]|[A-Z][a-z]|[0-9][A-Za-z]|[A-Za-z][0-9]")
_DATA_ADDRESS: Final = re.compile(
    r"data:(?P<kind>[\w.+-]+/[\w.+-]+)?(?:;[\w-]+=[\w.-]+)*;base64,(?P<content>[A-Za-z0-9+/=\s]+)"
)
_MEDIA: Final = ("image/", "audio/", "video/", "font/", "application/font")
_TEXTS: Final = {"text/html": "html", "application/json": "json", "application/fhir+json": "json"}
_PICTURES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_LEAST_HEX: Final = 16  # digits: eight letters
_READABLE_SHARE: Final = 0.95  # of the characters of a text, 0 to 1
UNREAD: Final = "encoded content"


class Blob(NamedTuple):
    """Where packed letters stand in a text, and what they are when they are unpacked: a text, or None."""

    start: int
    end: int
    text: str | None
    encoding: str = "utf-8"
    is_media: bool = False
    kind: str = ""  # the media type, where it is said


def unpacked(letters: str, kind: str = "") -> Blob | None:
    """What base64 letters hold; None for letters that are no base64. Its place is all of them."""
    if not _WHOLE.fullmatch(letters):
        return None
    try:
        raw = base64.b64decode("".join(letters.split()), validate=True)
    except binascii.Error:
        return None
    if kind.startswith(_MEDIA) or raw.startswith(_PICTURES):
        return Blob(0, len(letters), None, is_media=True, kind=kind)
    for encoding in ("utf-8", "utf-16-le") if raw[1:2] == b"\0" else ("utf-8",):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_readable(text):
            return Blob(0, len(letters), text, encoding, kind=kind)
    return Blob(0, len(letters), None, kind=kind)


def _is_readable(text: str) -> bool:
    shown = sum(character.isprintable() or character in "\r\n\t" for character in text)
    words = sum(character.isalnum() or character.isspace() for character in text)
    return shown >= _READABLE_SHARE * len(text) and 2 * words > len(text)


def is_blob(letters: str) -> bool:
    """Whether a whole value is packed: letters of base64 in no order that words have."""
    return (
        len(letters) >= _LEAST
        and not _HEX.fullmatch(letters)
        and _WHOLE.fullmatch(letters) is not None
        and (_looks_packed(letters))
    )


def _looks_packed(letters: str) -> bool:
    changes = len(_CHANGES.findall(letters))
    return (6 * changes >= len(letters) and not letters.isalpha() | letters.isdigit()) or (
        letters.endswith("=") and 8 * changes >= len(letters)
    )


def blobs(text: str, start: int, end: int) -> Iterator[Blob]:
    """The data addresses and runs of base64 in a text, in order and without overlap."""
    position = start
    addresses = list(_DATA_ADDRESS.finditer(text, start, end)) if "base64," in text else []
    found: list[tuple[int, int, str]] = [
        (one.start("content"), one.end("content"), one["kind"] or "") for one in addresses
    ]
    found += [
        (one.start(), one.end(), "")
        for one in _RUN.finditer(text, start, end)
        if not _HEX.fullmatch(one[0]) and _looks_packed(one[0])
    ]
    for first, last, kind in sorted(found):
        if first < position:
            continue
        inside = unpacked(text[first:last], kind)
        if inside is not None:
            yield inside._replace(start=first, end=last)
            position = last


def may_be_packed(value: str) -> bool:
    """Whether a value, written in any way, is worth the question of what it packs; most are not."""
    begin = value[:40].lstrip(' \t\r\n"\\n')
    return (
        begin[:1] in ("{", "[", "<", "&")
        or "base64," in value[:120]
        or (len(value) >= _LEAST_HEX and " " not in begin)
    )


def add_value(value: TextBuilder, reading: Reading) -> bool:
    """Add what is packed in a value of a format, as lines of their own; False for a value of words.

    value: the characters of the value, with their places.
    """
    text = value.text
    if is_page(text) or is_json(text):
        source, inner = reading.derive(value)
        add_inner(inner, source, reading)
        return True
    if (inside := _of_hex(text)) is not None:
        source, letters = reading.derive(value)
        add_inner(inside, reading.encoded(Encoded(source, 0, len(letters), inside, _as_hex)), reading)
        return True
    blob = unpacked(text) if is_blob(text) else None
    if blob is None and not ("base64," in text and text.lstrip().startswith("data:")):
        return False
    source, inner = reading.derive(value)
    for one in [blob] if blob is not None else blobs(inner, 0, len(inner)):
        add_blob(one, source, reading)
    return True


def _of_hex(letters: str) -> str | None:
    """The text that pairs of hexadecimal digits hold; None where they hold none."""
    if len(letters) < _LEAST_HEX or len(letters) % 2 or not _HEX.fullmatch(letters):
        return None
    try:
        text = bytes.fromhex(letters).decode("utf-8")
    except ValueError:
        return None
    return text if _is_readable(text) else None


def _as_hex(text: str) -> str:
    return text.encode("utf-8").hex()


def add_blob(blob: Blob, source: int, reading: Reading) -> None:
    """What a blob of this source holds, as lines of its own; a blob that is no text is told as unread."""
    if blob.text is None:
        reading.leave_unread("media" if blob.is_media else UNREAD)
        return

    def pack(text: str) -> str:
        return base64.b64encode(text.encode(blob.encoding)).decode("ascii")

    inner = reading.encoded(Encoded(source, blob.start, blob.end, blob.text, pack))
    add_inner(blob.text, inner, reading, _TEXTS.get(blob.kind, ""))


def add_inner(text: str, source: int, reading: Reading, suffix: str = "") -> None:
    """A text inside another one, by the rules of its own: a page, JSON, or as it is."""
    from pseudonymizer.formats.text.html import add_html  # both know this module
    from pseudonymizer.formats.text.json_text import add_json

    separate(reading.prose, "\n")
    if suffix == "html" or is_page(text):
        add_html(text, 0, len(text), source, reading)
    elif suffix == "json" or is_json(text):
        add_json(text, 0, len(text), source, reading)
    else:
        reading.prose.copied(source, text, 0)
    separate(reading.prose, "\n")


def add_words(
    builder: TextBuilder, source: int, text: str, reading: Reading, *, ways: tuple[Escapes, ...] = ()
) -> None:
    """A running text; what is packed in it stands on lines of its own behind it. ways: escapes in it."""
    position = 0
    for blob in blobs(text, 0, len(text)):
        add_escaped(builder, source, text, position, blob.start, ways=ways)
        builder.gap(" ")
        builder.new_field()
        prose, reading.prose = reading.prose, reading.aside
        add_blob(blob, source, reading)
        reading.aside, reading.prose = reading.prose, prose
        position = blob.end
    add_escaped(builder, source, text, position, len(text), ways=ways)


_PAGE: Final = re.compile(
    r"\s*<(?:!doctype\s+html|html|p|div|b|i|span|table|body|br|ul|ol|h[1-6]|a|strong|em)\b[^<]*>", re.I
)


def is_page(text: str) -> bool:
    """Whether a text is a piece of a page: it begins with an element of HTML, and one ends in it."""
    return _PAGE.match(text) is not None and ("</" in text or "/>" in text)


def is_json(text: str) -> bool:
    """Whether a text is an object or a list of JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
