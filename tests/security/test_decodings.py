"""The search for names sees them in every coding that it knows, so that finding nothing means something."""

import base64
import gzip
import io
import json
import quopri
import zipfile
from email.header import Header
from urllib.parse import quote

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.pseudonymizer.formats import samples
from tests.security.decodings import seen_in

NAME = "Quirinus Vlasbloem"
SENTENCE = f"Toen kwam {NAME} langs."


def _zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def _page(*, packed: bool) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=int(packed))
    canvas.drawString(72, 720, SENTENCE)
    canvas.save()
    return buffer.getvalue()


CODED = {
    "as it is": SENTENCE.encode(),
    "other case": SENTENCE.upper().encode(),
    "utf-16": SENTENCE.encode("utf-16-le"),
    "utf-16 of the other order": SENTENCE.encode("utf-16-be"),
    "base64": b"x: " + base64.b64encode(b"een tekst " + SENTENCE.encode()),
    "base64 in lines": base64.encodebytes(SENTENCE.encode() * 5),
    "base64 behind letters": b"tekst" + base64.b64encode(SENTENCE.encode()),
    "base64 twice": base64.b64encode(base64.b64encode(SENTENCE.encode())),
    "quoted-printable": quopri.encodestring(b"\n".join([b"M\xc3\xbcller " * 20 + SENTENCE.encode()])),
    "percent": quote(SENTENCE).replace("V", "%56").encode(),
    "entities": "".join(f"&#{ord(c)};" for c in SENTENCE).encode(),
    "escapes of JSON": "".join(f"\\u{ord(c):04x}" for c in SENTENCE).encode(),
    "JSON": json.dumps({SENTENCE: 1}).encode(),
    "over tags": b"<p><b>Qui</b>rinus Vlas<i>bloem</i></p>",
    "over lines": b"Quirinus\n   Vlasbloem",
    "encoded word": b"Subject: " + Header(f"Zo\u00eb {NAME}", "utf-8").encode().encode(),
    "hex": SENTENCE.encode().hex().encode(),
    "gzip": gzip.compress(SENTENCE.encode()),
    "zip": _zipped("a.txt", SENTENCE.encode()),
    "name in a zip": _zipped(f"{NAME}.txt", b""),
    "zip in a zip": _zipped("b.zip", _zipped("a.txt", SENTENCE.encode())),
    "rtf": samples.rtf([NAME], ["Zo\u00eb"]),
    "rtf escapes": ("{\\rtf1 " + "".join(f"\\'{ord(c):02x}" for c in NAME) + "}").encode(),
    "rtf units": ("{\\rtf1 " + "".join(f"\\u{ord(c)}?" for c in NAME) + "}").encode(),
    "pdf": _page(packed=False),
    "packed pdf": _page(packed=True),
    **{f"sample of {name}": make([NAME], [SENTENCE]) for name, make in samples.EVERY_FORMAT.items()},
}


@pytest.mark.parametrize("how", CODED)
def test_a_coded_name_is_seen(how: str) -> None:
    assert "Vlasbloem" in seen_in(CODED[how], ["Vlasbloem", "Kwakkelstein"])


@pytest.mark.parametrize("how", CODED)
def test_another_name_is_not_seen(how: str) -> None:
    assert "Kwakkelstein" not in seen_in(CODED[how], ["Kwakkelstein"])
