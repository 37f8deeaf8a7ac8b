"""A file inside another one that is no tree of bytes: rewritten by its own format, restored byte for byte."""

import base64

from pseudonymizer import formats
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Sanne Terpstra"


def _mail(content: bytes, file: str) -> bytes:
    return (
        "From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream\r\n"
        f'Content-Disposition: attachment; filename="{file}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    ).encode() + base64.encodebytes(content).replace(b"\n", b"\r\n")


def test_a_pdf_in_a_mail_is_read_and_comes_back_byte_for_byte() -> None:
    raw = _mail(samples.pdf([NAME], [f"Toen belde {NAME} op."]), "x.pdf")
    parsed, rendered = rewrite(raw, "x.eml", [NAME])
    assert any(NAME in part.text for part in parsed.parts)
    inside = base64.b64decode(rendered.raw.partition(b"\r\n\r\n")[2])
    assert LABEL in formats.read(inside, name="x.pdf").parts[0].text
    assert NAME not in formats.read(inside, name="x.pdf").parts[0].text
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw


def test_an_outlook_message_and_a_table_of_columns_in_a_mail() -> None:
    for content, file in (
        (samples.msg([NAME], [f"Toen belde {NAME} op."]), "x.msg"),
        (samples.parquet([NAME], [f"Toen belde {NAME} op."]), "x.parquet"),
    ):
        raw = _mail(content, file)
        parsed, rendered = rewrite(raw, "x.eml", [NAME])
        assert any(NAME in part.text for part in parsed.parts)
        inside = base64.b64decode(rendered.raw.partition(b"\r\n\r\n")[2])
        assert all(NAME not in part.text for part in formats.read(inside, name=file).parts)
        assert formats.undo("eml", rendered.raw, rendered.edits) == raw
