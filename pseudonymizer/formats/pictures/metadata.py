"""Texts of a picture file beside its picture: Exif, XMP, IPTC, comments, notes of the maker, anything else.

What the library of pictures reads is taken from there. Everything else that is no picture is searched for
stretches of text as it stands: values of bytes, segments of a JPEG and chunks of a PNG that have no name
here, and whatever stands behind the end.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pseudonymizer.formats.marking import PROPERTY

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDE_TAGS: Final = range(40091, 40096)  # of Exif, in UTF-16
_DIRECTORIES: Final = (0x8769, 0x8825, 0xA005)  # of the camera and its user, of the place, of exchange
_ENCODED: Final = frozenset({37510, 27, 28})  # begin with eight bytes that name the encoding: comment, place
_SHORTEST: Final = 3  # letters of a text that is read
# A stretch of text among bytes: the shortest name with a blank, "Jo Vos", has six letters; noise is as long
# by chance once in some thousand bytes, and detection finds no name in it.
_STRETCH: Final = re.compile(r"[^\W_](?:[^\W_]|[ .,:;@'\u2019&/()_-]){4,}")
_BEYOND_EUROPE: Final = "\u2100"  # ASCII that is read as UTF-16 gives signs of Chinese
_PLACES_OF_PICTURES: Final = frozenset({0xE0, 0xE2, 0xEE})  # segments of a JPEG: size, colours, colours again
_READ_ELSEWHERE: Final = (b"Exif\0", b"http://ns.adobe.com/xap/")  # beginnings of segments
_OF_PICTURES: Final = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP pHYs bKGD hIST sBIT sPLT tIME acTL fcTL fdAT".split()
)
_READ_CHUNKS: Final = frozenset({b"eXIf", b"tEXt", b"zTXt", b"iTXt"})


def texts_of(raw: bytes, opened: "Image", *, besides: str) -> list[str]:
    """The texts, each once, of all pictures of the file. besides: a text that is left out."""
    found: list[str] = []
    with opened as picture:
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            found += _of_exif(exif_of(picture))
            for key, value in {**picture.info, **getattr(picture, "text", {})}.items():
                if key not in {"exif", "icc_profile", PROPERTY}:
                    found.append(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value))
    for rest in _of_nobody(raw):
        found += stretches(rest)
    kept = (text for text in dict.fromkeys(found) if text != besides)
    return [text for text in kept if sum(character.isalpha() for character in text) >= _SHORTEST]


def exif_of(picture: "Image") -> Any:
    """The Exif of a picture; empty where there is none that can be read."""
    try:
        return picture.getexif()
    except (OSError, SyntaxError, ValueError):
        return {}


def stretches(raw: bytes) -> Iterator[str]:
    """Stretches of text among bytes: in UTF-8, and in UTF-16 from either of two bytes on."""
    yield from _STRETCH.findall(raw.decode("utf-8", "replace"))
    for start in (0, 1):
        text = raw[start : start + (len(raw) - start) // 2 * 2].decode("utf-16-le", "replace")
        yield from (found for found in _STRETCH.findall(text) if max(found) < _BEYOND_EUROPE)


def _of_exif(exif: Any) -> Iterator[str]:
    tables = [exif]
    if hasattr(exif, "get_ifd"):
        for directory in _DIRECTORIES:
            try:
                tables.append(exif.get_ifd(directory))
            except (OSError, SyntaxError, ValueError, KeyError, TypeError):
                continue
    for table in tables:
        for tag, value in table.items():
            yield from _of_value(tag, value)


def _of_value(tag: int, value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            if isinstance(one, (str, bytes)):
                yield from _of_value(tag, one)
    elif not isinstance(value, bytes):
        return
    elif tag in _WIDE_TAGS:
        yield value.decode("utf-16-le", "replace").rstrip("\0")
    elif tag in _ENCODED:
        # Of the order of UTF-16 writers have different opinions.
        ways = ("utf-16-le", "utf-16-be") if value.startswith(b"UNICODE\0") else ("utf-8",)
        texts = [value[8:].decode(way, "replace").strip("\0 ") for way in ways]
        yield min(texts, key=lambda text: sum(letter > "\u2fff" for letter in text))
    else:
        yield from stretches(value)


def _of_nobody(raw: bytes) -> Iterator[bytes]:
    """What no reader of pictures knows, or shows."""
    if raw.startswith(b"\xff\xd8"):
        yield from _segments(raw)
    elif raw.startswith(b"\x89PNG"):
        yield from _chunks(raw)


def _segments(raw: bytes) -> Iterator[bytes]:
    """Of a JPEG: segments of applications, and what follows the end of the last picture."""
    position = 2
    while position + 4 <= len(raw) and raw[position] == 0xFF:
        marker, size = raw[position + 1], int.from_bytes(raw[position + 2 : position + 4], "big")
        if marker == 0xDA:
            break
        content = raw[position + 4 : position + 2 + size]
        is_application = 0xE0 <= marker <= 0xEF and marker not in _PLACES_OF_PICTURES
        if is_application and not content.startswith(_READ_ELSEWHERE):
            yield content
        position += 2 + max(size, 2)
    if (end := raw.rfind(b"\xff\xd9")) >= 0:
        yield raw[end + 2 :]


def _chunks(raw: bytes) -> Iterator[bytes]:
    """Of a PNG: chunks without a name here, and what follows the last one."""
    position = 8
    while position + 8 <= len(raw):
        size, kind = int.from_bytes(raw[position : position + 4], "big"), raw[position + 4 : position + 8]
        content = raw[position + 8 : position + 8 + size]
        position += 12 + size
        if kind not in _OF_PICTURES and kind not in _READ_CHUNKS:
            yield content
        if kind == b"IEND":
            yield raw[position:]
            return
