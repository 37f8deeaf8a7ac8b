"""What was not read is told by its place in the file, in numbers and never in the words of its author."""

import io
import zipfile
from email.message import EmailMessage

import docx
import pikepdf
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, UnreadContent
from pseudonymizer.formats.units import UNIT_BYTES, Unit, read_unit
from pseudonymizer.formats.unread import is_always_left, told, unread_places
from tests.pseudonymizer.formats.pdf.test_document import drawn
from tests.pseudonymizer.formats.pictures.test_ocr import picture, scan

KEPT = FormatOptions(keep_unread=True, ocr=False)
NAME = "Jitske Wiersma"


def places(raw: bytes, name: str) -> dict[str, int]:
    return unread_places(formats.read(raw, name=name, options=KEPT).unread)


def mail(*attachments: tuple[str, str, bytes]) -> bytes:
    """A message with attachments of these (main type, sub type, bytes), each called after a person."""
    message = EmailMessage()
    message["From"] = "a@voorbeeld.test"
    message.set_content("Zie de bijlagen.\n")
    for main, sub, raw in attachments:
        message.add_attachment(raw, maintype=main, subtype=sub, filename=f"{NAME}.{sub}")
    return message.as_bytes()


def package(*members: tuple[str, bytes]) -> bytes:
    """A document with members more."""
    buffer = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("Een brief.")
    document.save(buffer)
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, raw in members:
            archive.writestr(name, raw)
    return buffer.getvalue()


def pages(*raws: bytes) -> bytes:
    """The pages of several PDF files in one."""
    joined, buffer = pikepdf.new(), io.BytesIO()
    for raw in raws:
        joined.pages.extend(pikepdf.open(io.BytesIO(raw)).pages)
    joined.save(buffer)
    return buffer.getvalue()


def test_a_mail_tells_its_parts() -> None:
    raw = mail(
        ("application", "x-unknown", b"\0\1"), ("image", "png", b"x"), ("application", "zip", b"PK\3\4x")
    )
    assert places(raw, "x.eml") == {"attachment (part 3, part 5)": 2, "media (part 4)": 1}


def test_a_file_in_a_file_tells_both_places() -> None:
    inner = package(("word/media/image1.png", b"x"), ("word/embeddings/oleObject2.bin", b"x"))
    raw = mail(("application", "x-unknown", b"\0\1"), ("application", "docx", inner))
    assert places(raw, "x.eml") == {
        "attachment (part 3)": 1,
        "embedded object (part 4: word/embeddings/oleObject2.bin)": 1,
        "media (part 4: word/media/image1.png)": 1,
    }


def test_a_package_tells_members_by_number_where_anybody_may_have_named_them() -> None:
    raw = package(
        *((f"word/media/image{n}.png", b"x") for n in (1, 2, 3, 5)), (f"word/media/{NAME}.png", b"x"),
        (f"word/embeddings/{NAME}.zip", b"PK\3\4"),
    )  # fmt: skip
    members = {m.filename: n for n, m in enumerate(zipfile.ZipFile(io.BytesIO(raw)).infolist(), start=1)}
    named, packed = members[f"word/media/{NAME}.png"], members[f"word/embeddings/{NAME}.zip"]
    assert places(raw, "x.docx") == {
        f"embedded object (member {packed})": 1,
        f"media (word/media/image1-3.png, word/media/image5.png, member {named})": 5,
        f"name of a part (member {named}-{packed})": 2,
    }


def test_a_pdf_tells_its_pages() -> None:
    text, scanned = drawn((50, 700, "Een gewone regel tekst")), scan(picture())
    raw = pages(text, scanned, scanned, scanned, text, scanned)
    assert places(raw, "x.pdf") == {"page without text layer (page 2-4, page 6)": 4}


def test_a_pdf_tells_attached_files_by_number() -> None:
    buffer = io.BytesIO()
    pdf = pikepdf.open(io.BytesIO(drawn((50, 700, "Een gewone regel tekst"))))
    pdf.attachments[f"{NAME}.doc"] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    pdf.save(buffer)
    assert places(buffer.getvalue(), "x.pdf") == {"attached file (attachment 1)": 1}


def test_a_table_tells_its_columns() -> None:
    table = pa.table({"a": ["x"], NAME: [{"b": 1}], "c": [b"x"]})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    assert places(buffer.getvalue(), "x.parquet") == {"nested or binary column (column 3)": 1}


def test_rich_text_tells_its_objects() -> None:
    raw = rb"{\rtf1 Brief {\pict\pngblip 00}{\object{\*\objdata 00}}{\pict 00}}"
    assert places(raw, "x.rtf") == {"embedded object (object 2)": 1, "media (object 1, object 3)": 2}


def mailbox() -> bytes:
    separator = b"From a@voorbeeld.test Fri May  3 10:00:00 2024\n"
    plain, attached = mail() + b"\n", mail(("application", "x-unknown", b"\0\1")) + b"\n"
    return b"".join(separator + one for one in (plain, attached, attached))


def test_a_mailbox_tells_its_messages() -> None:
    assert places(mailbox(), "x.mbox") == {"attachment (message 2: part 3, message 3: part 3)": 2}


def test_a_unit_of_a_mailbox_counts_messages_from_the_beginning_of_the_file() -> None:
    raw = mailbox()
    assert len(raw) < UNIT_BYTES
    unit = Unit(number=3, start=0, end=len(raw), first=40, format_name="mbox", head="")
    assert unread_places(read_unit(raw, unit, KEPT).unread) == {
        "attachment (message 42: part 3, message 43: part 3)": 2
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["page 9", "page 10", "page 11", "page 1"], "x (page 9-11, page 1)"),
        (["a1b", "a2b", "a3c"], "x (a1-2b, a3c)"),
        (["page 3", "page 3"], "x (page 3)"),
        (["cover", "page 1", "back", ""], "x (cover, page 1, back)"),
        ([""], "x"),
    ],
)
def test_successive_places_are_told_together(given: list[str], expected: str) -> None:
    counted = unread_places([UnreadContent("x", 1, place) for place in given])
    assert counted == {expected: len(given)}


def test_it_is_told_in_words() -> None:
    assert (
        told({"image (page 2-3)": 2, "attachment (part 4)": 1}) == "2 x image (page 2-3), attachment (part 4)"
    )
    assert is_always_left(["media (part 4)", "image"])
    assert not is_always_left(["media (part 4)", "attachment (part 5)"])


@pytest.mark.parametrize("name", ["nota", "nota.qqq", "map.2024/nota"])
def test_a_file_of_which_nothing_says_the_format_is_told_to_be_read_as_plain_text(name: str) -> None:
    assert places(b"Niets bijzonders.\n", name) == {"read as plain text": 1}


@pytest.mark.parametrize("name", ["", "nota.txt", ".env", "README.md"])
def test_a_text_whose_suffix_says_so_is_not_told(name: str) -> None:
    assert places(b"# Niets bijzonders.\n", name) == {}


def test_texts_in_an_archive_and_a_mail_are_told_too() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("nota", "nota.qqq", "nota.txt"):
            archive.writestr(name, b"Niets bijzonders.\n")
    assert sum(places(buffer.getvalue(), "x.zip").values()) == 2
    told = places(mail(("application", "qqq", b"Niets bijzonders.\n")), "x.eml")
    assert [what.partition(" (")[0] for what in told] == ["read as plain text"]
