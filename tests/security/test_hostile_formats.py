"""Files that were made to take all time or memory are read in bounds, or refused."""

import io
import logging
import time
import tracemalloc
import zipfile
from contextlib import suppress

import pytest
from reportlab.pdfgen.canvas import Canvas

from linkage.errors import DocumentError, DocumentTooLargeError
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions

_SECONDS = 10  # of processor time; the slowest of these files took a second and a half, and 26 or more before
_BYTES = 80_000
_BEGINNINGS = ["<!--", "<![CDATA[", "<!", "<![", "<a ", "<a", "</a", "<?", '<a "', "<a '", "<a \"<b '", '<!"']


@pytest.mark.parametrize("tail", ["", ">", '">', "]>"], ids=["none", "tag", "quote", "bracket"])
@pytest.mark.parametrize("beginning", _BEGINNINGS)
def test_a_page_of_beginnings_is_read_in_a_time_that_grows_with_its_length(beginning: str, tail: str) -> None:
    raw = (beginning * (_BYTES // len(beginning)) + tail + " Sanne Terpstra").encode()
    started = time.process_time()
    parsed = formats.read(raw, name="x.html")
    assert time.process_time() - started < _SECONDS
    assert any("Sanne Terpstra" in part.text for part in parsed.parts)


@pytest.mark.parametrize("name", ["x.txt", "x"])
def test_a_text_that_begins_like_a_mail_is_told_at_once(name: str) -> None:
    raw = b"Naam: Sanne\r\n" * 5_000 + b"en dan gaat het verder"
    started = time.process_time()
    assert formats.read(raw, name=name).format_name == "txt"
    assert time.process_time() - started < _SECONDS


def test_a_mail_is_still_told_by_its_head() -> None:
    raw = b"From: a@b.example\r\nSubject: =?utf-8?q?x?=\r\n verder\r\n\r\nHoi\r\n"
    assert formats.read(raw, name="x.txt").format_name == "eml"


def test_a_quoted_cell_takes_few_bytes_a_letter() -> None:
    letters = 2_000_000
    raw = b'naam;brief\r\nSanne;"' + b"a" * letters + b'"\r\n'
    formats.read(b"a;b\r\nc;d\r\n", name="x.csv")
    tracemalloc.start()
    try:
        formats.read(raw, name="x.csv")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 20 * letters


def _zip(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _docx(embedded: dict[str, bytes], padding: int) -> bytes:
    words = b"".join(b"%d " % number for number in range(padding // 6))
    document = b'<w:document xmlns:w="w"><w:p><w:t>' + words + b"</w:t></w:p></w:document>"
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": document, **embedded})


def test_all_levels_of_a_file_count_against_its_limit() -> None:
    inner = _docx({}, 600_000)
    outer = _docx({f"word/embeddings/{number}.docx": inner for number in range(4)}, 600_000)
    # Each level alone stays below the limit; together they are 3 MB and more.
    with pytest.raises(DocumentError, match="unpacked it would be"):
        formats.read(outer, name="x.docx", options=FormatOptions(max_bytes=2_500_000))
    assert formats.read(outer, name="x.docx", options=FormatOptions(max_bytes=9_000_000)).parts


def test_the_ratio_counts_over_all_levels() -> None:
    raw = b"<a>" + b" " * 900_000 + b"</a>"
    for _ in range(3):
        raw = _zip({
            "[Content_Types].xml": b"<Types/>", "word/document.xml": b"<a>" + b" " * 900_000 + b"</a>",
            **({"word/embeddings/1.docx": raw} if raw[:2] == b"PK" else {}),
        })  # fmt: skip
    with pytest.raises(DocumentError, match="times its size"):
        formats.read(raw, name="x.docx")
    with pytest.raises(DocumentTooLargeError):
        formats.read(_zip({"[Content_Types].xml": raw, "word/document.xml": b" " * 2_000_000}), name="x.docx")


def test_what_a_pdf_holds_is_printed_nowhere(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=0)
    canvas.drawString(72, 720, "Sanne Terpstra")
    canvas.save()
    # A font descriptor that pdfminer warns about, with the name in the warning.
    raw = buffer.getvalue().replace(b"/BaseFont /Helvetica", b"/FirstChar (Sanne) /BaseFont /Helvetica", 1)
    with caplog.at_level(logging.WARNING):
        with suppress(DocumentError):
            formats.read(raw, name="x.pdf")
        logging.getLogger("pdfminer.psparser").error("Invalid token: %r", b"Sanne")
    shown = capfd.readouterr()
    assert "Sanne" not in shown.out + shown.err + caplog.text
