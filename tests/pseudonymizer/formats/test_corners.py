"""Corners of formats that once kept a name in silence: each is replaced there, or told as not read."""

import base64
import email
import email.policy
import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage

import docx
import openpyxl
import pikepdf
import pptx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from docx.shared import Inches
from openpyxl.drawing.image import Image
from openpyxl.worksheet.table import Table
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL, members, rewrite
from tests.pseudonymizer.formats.pictures.test_ocr import picture
from tests.security.decodings import seen_in
from tests.security.planting.packages import with_parts

NAME = "Jitske Wiersma"
SAID = f"Toen belde {NAME} op."
KEPT = FormatOptions(keep_unread=True, ocr=False)
CERTIFICATE = base64.b64encode(b"0\x82\x03\x01\xff\x0c" + NAME.encode() + bytes(range(200))).decode()


def kinds_left(raw: bytes, name: str) -> set[str]:
    return {one.kind for one in formats.read(raw, name=name, options=KEPT).unread}


def a_picture() -> bytes:
    buffer = io.BytesIO()
    picture([SAID]).save(buffer, "PNG")
    return buffer.getvalue()


def test_certificates_of_xml_signatures_are_told_and_their_subjects_replaced() -> None:
    signed = (
        f"<?xml version='1.0'?><a><b>{SAID}</b><Signature xmlns='http://www.w3.org/2000/09/xmldsig#'><KeyInfo><X509Data>"
        f"<X509SubjectName>CN={NAME}, C=NL</X509SubjectName><X509Certificate>{CERTIFICATE}</X509Certificate>"
        "</X509Data></KeyInfo></Signature></a>"
    )
    _, rendered = rewrite(signed.encode(), "x.xml", [NAME])
    assert NAME.encode() not in rendered.raw
    assert "encoded content" in kinds_left(signed.encode(), "x.xml")
    part = signed.partition("</b>")[2].removesuffix("</a>")
    document = with_parts(samples.docx_file([NAME], [SAID]), {"_xmlsignatures/sig1.xml": part.encode()})
    assert kinds_left(document, "x.docx") & {"encoded content", "signature"}


def test_signatures_and_keys_of_a_mail_are_told() -> None:
    head = (
        f"From: {NAME} <a@b.example>\r\nAutocrypt: addr=a@b.example; keydata={CERTIFICATE}\r\n"
        "DKIM-Signature: v=1; a=rsa-sha256; d=b.example; i=jitske.wiersma@b.example; b=abcdef==\r\n"
    )
    raw = f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n{SAID}\r\n".encode()
    _, rendered = rewrite(raw, "x.eml", [NAME])
    assert b"wiersma" not in rendered.raw.lower()
    assert "key of a sender" in kinds_left(raw, "x.eml")
    signed = EmailMessage()
    signed["From"] = "a@b.example"
    signed.set_content(SAID)
    signed.add_attachment(
        b"0\x82" + NAME.encode(), maintype="application", subtype="pkcs7-signature", filename="smime.p7s"
    )
    assert "signature" in kinds_left(signed.as_bytes(), "x.eml")


def test_the_filter_of_a_table_is_replaced() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["naam"])
    sheet.append([NAME])
    table = Table(displayName="Lijst", ref="A1:A2")
    table.autoFilter = openpyxl.worksheet.filters.AutoFilter(ref="A1:A2")
    table.autoFilter.add_filter_column(0, [NAME])
    sheet.add_table(table)
    buffer = io.BytesIO()
    book.save(buffer)
    assert NAME in members(buffer.getvalue())["xl/tables/table1.xml"].decode()
    _, rendered = rewrite(buffer.getvalue(), "x.xlsx", [NAME])
    assert not seen_in(rendered.raw, ["Wiersma"])
    filtered = openpyxl.load_workbook(io.BytesIO(rendered.raw)).active.tables["Lijst"]
    assert filtered.autoFilter.filterColumn[0].filters.filter == [LABEL]


def test_statistics_of_a_parquet_file_say_what_its_values_say() -> None:
    table = pa.table({"naam": [NAME, "a"], "tekst": [SAID, "b"]})
    sink = io.BytesIO()
    pq.write_table(table, sink, write_statistics=True)
    _, rendered = rewrite(sink.getvalue(), "x.parquet", [NAME])
    assert b"Wiersma" not in rendered.raw
    column = pq.ParquetFile(io.BytesIO(rendered.raw)).metadata.row_group(0).column(0)
    assert {column.statistics.min, column.statistics.max} <= {LABEL, "a"}
    restored = formats.undo("parquet", rendered.raw, rendered.edits)
    assert pq.read_table(io.BytesIO(restored)).equals(table)


def test_calendars_and_names_of_files_in_mails_in_mails_are_replaced() -> None:
    inner = EmailMessage()
    inner["From"] = f'"{NAME}" <a@b.example>'
    inner.set_content(SAID, charset="utf-16")
    event = "BEGIN:VEVENT\r\nATTENDEE;CN=Jitske Wier\r\n sma:mailto:x@y.example\r\nEND:VEVENT\r\n"
    calendar = f"BEGIN:VCALENDAR\r\n{event}END:VCALENDAR\r\n"
    inner.add_attachment(calendar.encode(), maintype="text", subtype="calendar", filename="x.ics")
    inner.add_attachment(SAID.encode(), maintype="text", subtype="plain", filename=f"Verslag {NAME} Ł.txt")
    outer = EmailMessage()
    outer["From"] = "a@b.example"
    outer.set_content("Zie bijlage.")
    outer.add_attachment(inner)
    raw = outer.as_bytes(policy=email.policy.SMTP)
    parsed, rendered = rewrite(raw, "x.eml", [NAME])
    assert parsed.unread == ()
    assert not seen_in(rendered.raw.replace(b"\r\n ", b""), ["Wiersma"])
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw
    again = email.message_from_bytes(rendered.raw, policy=email.policy.default)
    names = [name for part in again.walk() if (name := part.get_filename())]
    assert [name.rpartition(".")[2] for name in names] == ["ics", "txt"]
    assert all(NAME not in name for name in names)


def test_a_mail_with_a_page_is_read_and_written() -> None:
    message = EmailMessage()
    message["From"] = "a@b.example"
    message.set_content("Zie bijlage.")
    page = samples.pdf([NAME], [SAID])
    message.add_attachment(page, maintype="application", subtype="pdf", filename=f"brief {NAME}.pdf")
    raw = message.as_bytes()
    _, rendered = rewrite(raw, "x.eml", [NAME])
    part = next(email.message_from_bytes(rendered.raw, policy=email.policy.default).iter_attachments())
    assert part.get_filename() == f"brief {LABEL}.pdf"
    assert not seen_in(part.get_content(), ["Wiersma"])
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw


@pytest.mark.parametrize("ending", ["csv", "json", "txt", "docx"])
def test_names_of_files_inside_keep_their_endings(ending: str) -> None:
    content = samples.EVERY_FORMAT[ending]([NAME], [SAID])
    pdf = pikepdf.open(io.BytesIO(samples.pdf([NAME], [SAID])))
    pdf.attachments[f"{NAME}.{ending}"] = content
    page = io.BytesIO()
    pdf.save(page)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"map/{NAME}.{ending}", content)
    for name, raw in (("x.pdf", page.getvalue()), ("x.zip", packed.getvalue())):
        _, rendered = rewrite(raw, name, [NAME])
        if name == "x.pdf":
            with pikepdf.open(io.BytesIO(rendered.raw)) as written:
                listed = [written.attachments[key].filename for key in written.attachments]
        else:
            listed = zipfile.ZipFile(io.BytesIO(rendered.raw)).namelist()
        assert [one.rpartition(".")[2] for one in listed] == [ending]
        assert all("Wiersma" not in one for one in listed)


def _pictured_document() -> bytes:
    document, buffer = docx.Document(), io.BytesIO()
    document.add_paragraph(SAID)
    document.add_picture(io.BytesIO(a_picture()), width=Inches(2))
    document.save(buffer)
    return buffer.getvalue()


def _pictured_book() -> bytes:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"] = SAID
    book.active.add_image(Image(io.BytesIO(a_picture())), "C3")
    book.save(buffer)
    return buffer.getvalue()


def _pictured_slides() -> bytes:
    show, buffer = pptx.Presentation(), io.BytesIO()
    slide = show.slides.add_slide(show.slide_layouts[6])
    slide.shapes.add_picture(io.BytesIO(a_picture()), 0, 0)
    show.save(buffer)
    return buffer.getvalue()


def _pictured_page() -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    for line in range(9):
        page.drawString(72, 700 - 15 * line, SAID)
    page.drawImage(ImageReader(io.BytesIO(a_picture())), 72, 300, 200, 60)
    page.save()
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("x.docx", _pictured_document),
        ("x.xlsx", _pictured_book),
        ("x.pptx", _pictured_slides),
        ("x.pdf", _pictured_page),
    ],
)
def test_pictures_inside_are_counted(name: str, build: Callable[[], bytes]) -> None:
    left = formats.read(build(), name=name).unread
    assert sum(one.count for one in left if one.kind in {"media", "image"}) == 1


def test_a_text_with_an_unknown_ending_is_told_and_a_head_that_says_a_format_is_believed() -> None:
    unknown = formats.read(SAID.encode(), name="x.xyz")
    assert [one.kind for one in unknown.unread] == ["read as plain text"]
    calendar = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    for name in ("x.txt", "x", "x.xyz"):
        told = formats.read(calendar, name=name)
        assert (told.format_name, told.unread) == ("ics", ())
    dump = b"-- MySQL dump 10\nCREATE TABLE t (naam varchar(60));\nINSERT INTO t VALUES ('x');\n"
    assert "varchar" not in formats.read(dump, name="x.txt").parts[0].text
