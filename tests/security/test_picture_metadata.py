"""A name in every place of a picture's metadata: read, and gone with all of them once it is replaced."""

import io
import re
import struct
import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.pictures import ocr
from tests.security.decodings import seen_in

NAME: Final = "Zoë Köhler"
PLAIN: Final = "Zoe Kohler"
LABEL: Final = "P-ABCD"
_CAMERA, _PLACE, _OTHER, _THUMBNAIL = 0x8769, 0x8825, 0xA005, 1


def _saved(kind: str, **extra: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", (64, 32), 200).save(buffer, kind, **extra)
    return buffer.getvalue()


def _exif(tag: int, value: object, directory: int | None = None) -> Image.Exif:
    exif = Image.Exif()
    table: Any = exif if directory is None else exif.get_ifd(directory)
    table[tag] = value
    return exif


_WIDE: Final = NAME.encode("utf-16-le") + b"\0\0"
EXIF: Final[Mapping[str, Image.Exif]] = {
    "description": _exif(270, PLAIN),
    "document name": _exif(269, PLAIN),
    "artist": _exif(315, PLAIN),
    "host computer": _exif(316, PLAIN),
    "copyright": _exif(33432, PLAIN),
    "title of Windows": _exif(40091, _WIDE),
    "comment of Windows": _exif(40092, _WIDE),
    "author of Windows": _exif(40093, _WIDE),
    "keywords of Windows": _exif(40094, _WIDE),
    "subject of Windows": _exif(40095, _WIDE),
    "a tag of nobody's": _exif(50_000, PLAIN),
    "bytes of nobody's": _exif(50_001, b"\x01\x02" + NAME.encode() + b"\0"),
    "wide bytes of nobody's": _exif(50_001, b"\x01\x02" + _WIDE),
    "owner of the camera": _exif(42032, PLAIN, _CAMERA),
    "comment of the user": _exif(37510, b"UNICODE\0" + NAME.encode("utf-16-le"), _CAMERA),
    "notes of the maker": _exif(37500, b"Maker\0\x01\x00" + NAME.encode() + b"\0\xff", _CAMERA),
    "title of the picture": _exif(42038, PLAIN, _CAMERA),
    "photographer": _exif(42039, PLAIN, _CAMERA),
    "way of finding the place": _exif(27, b"ASCII\0\0\0" + NAME.encode(), _PLACE),
    "name of the area": _exif(28, b"UNICODE\0" + NAME.encode("utf-16-le"), _PLACE),
    "reference of a direction": _exif(18, PLAIN, _PLACE),
}
# In the first directory: the library writes the others into a JPEG alone.
_FIRST: Final = {
    place: exif for place, exif in EXIF.items() if not exif.get_ifd(_CAMERA) and not exif.get_ifd(_PLACE)
}
XMP: Final = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>'
    b"<dc:creator>" + NAME.encode() + b"</dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"
)


def _png(**texts: Any) -> bytes:
    info = PngInfo()
    for how, text in texts.items():
        if how == "international":
            info.add_itxt("Author", text, zip=True)
        else:
            info.add_text("Author", text, zip=how == "packed")
    return _saved("PNG", pnginfo=info)


def _with_segment(raw: bytes, marker: int, content: bytes) -> bytes:
    """A JPEG with one more segment behind its first two bytes."""
    return raw[:2] + bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content + raw[2:]


def _with_chunk(raw: bytes, kind: bytes, content: bytes) -> bytes:
    """A PNG with one more chunk behind its first one, which ends at byte 33."""
    sum_of_it = struct.pack(">I", zlib.crc32(kind + content))
    return raw[:33] + struct.pack(">I", len(content)) + kind + content + sum_of_it + raw[33:]


def _iptc() -> bytes:
    record = b"\x1c\x02\x50" + struct.pack(">H", len(NAME.encode())) + NAME.encode()  # by-line
    record += b"\0" * (len(record) % 2)
    return b"Photoshop 3.0\x008BIM\x04\x04\0\0" + struct.pack(">I", len(record)) + record


PICTURES: Final[Mapping[str, tuple[str, bytes]]] = {
    **{f"JPEG: {place}": ("a.jpg", _saved("JPEG", exif=exif)) for place, exif in EXIF.items()},
    **{f"PNG: {place}": ("a.png", _saved("PNG", exif=exif)) for place, exif in _FIRST.items()},
    **{f"TIFF: {place}": ("a.tif", _saved("TIFF", exif=exif)) for place, exif in _FIRST.items()},
    "JPEG: comment": ("a.jpg", _saved("JPEG", comment=NAME.encode())),
    "JPEG: XMP": ("a.jpg", _saved("JPEG", xmp=XMP)),
    "JPEG: IPTC": ("a.jpg", _with_segment(_saved("JPEG"), 0xED, _iptc())),
    "JPEG: a segment of nobody's": ("a.jpg", _with_segment(_saved("JPEG"), 0xE9, b"mine\0" + NAME.encode())),
    "JPEG: behind the end": ("a.jpg", _saved("JPEG") + b"\n" + NAME.encode()),
    "PNG: text": ("a.png", _png(plain=PLAIN)),
    "PNG: packed text": ("a.png", _png(packed=PLAIN)),
    "PNG: international text": ("a.png", _png(international=NAME)),
    "PNG: a chunk of nobody's": ("a.png", _with_chunk(_saved("PNG"), b"naMe", NAME.encode())),
    "PNG: behind the end": ("a.png", _saved("PNG") + b"\n" + NAME.encode()),
}


@pytest.fixture(autouse=True)
def a_reader_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text recognition that reads a text with nobody in it: what counts here stands around the picture."""

    def read(_picture: Image.Image) -> ocr.ReadPicture:
        return ocr.ReadPicture("Notulen van vandaag", (), 0, 0.99)

    monkeypatch.setattr(ocr, "is_available", lambda: True)
    monkeypatch.setattr(ocr, "read_picture", read)


def _is_in(raw: bytes) -> bool:
    packed = [raw[found.start() :] for found in re.finditer(rb"x[\x01\x5e\x9c\xda]", raw)]
    unpacked = []
    for start in packed:
        with suppress(zlib.error):
            unpacked.append(zlib.decompressobj().decompress(start))
    return any(seen_in(one, [NAME, PLAIN]) for one in (raw, raw[1:], *unpacked))


@pytest.mark.parametrize(("name", "raw"), PICTURES.values(), ids=PICTURES)
def test_a_name_in_the_metadata_is_read_and_goes_with_all_of_them(name: str, raw: bytes) -> None:
    assert _is_in(raw), "the file has the name"
    parsed = formats.read(raw, name=name, options=FormatOptions(mark=True, ocr=True))
    text = parsed.parts[0].text
    found = [one for one in (NAME, PLAIN) if one in text]
    assert found, "nobody could replace it"
    spans = {Span(text.index(one), text.index(one) + len(one)): LABEL for one in found}
    rendered = parsed.render({parsed.parts[0].part_id: spans})
    assert not _is_in(rendered.raw)
    assert Image.open(io.BytesIO(rendered.raw)).size == (64, 32)
