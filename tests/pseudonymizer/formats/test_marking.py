"""The mark in the metadata: written once, only where something was replaced, and undone with the rest."""

import base64
import email
import io
import json
import re
import struct
import time
from collections.abc import Callable

import docx
import openpyxl
import pikepdf
import pptx
import pyarrow.parquet as pq
import pytest
from odf.opendocument import load as load_open_document

from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, ParsedFile
from pseudonymizer.formats.mail.compound import Entry, read_compound, write_compound
from pseudonymizer.formats.marking import is_marked
from pseudonymizer.formats.tree.archive import unzip_trusted, zip_members
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import members

NAME, LABEL = "Jan Wiersma", "P1-7K3M9Q2XW4T8R5V0YB6C"
SENTENCE = f"Gisteren belde {NAME} terug."
_PACKED = base64.b64encode(f"Beste {NAME}, tot morgen.".encode())
MAIL = (
    f"From: {NAME} <info@post.example>\nSubject: verslag van {NAME}\nMIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
).encode() + _PACKED + b"\n"  # fmt: skip
PAGE = (
    f"<!DOCTYPE html>\n<html lang='nl'><head><title>{NAME}</title></head><body>{NAME}!</body></html>\n"
).encode()
RTF = rf"{{\rtf1\ansi\deff0{{\fonttbl{{\f0 Arial;}}}}{{\info{{\author {NAME}}}}}\f0 {SENTENCE}\par}}".encode()
PATIENT = {"resourceType": "Patient", "name": [{"given": ["Jan"], "family": "Wiersma"}], "x": SENTENCE}


def _fhir(**more: object) -> bytes:
    return json.dumps(PATIENT | more, indent=1).encode()


BYTE_MARKS = {
    "x.eml": MAIL,
    "crlf.eml": MAIL.replace(b"\n", b"\r\n"),
    "x.mbox": b"From a@b.example Fri May  3 10:00:00 2024\n" + MAIL,
    "x.html": PAGE,
    "x.rtf": RTF,
    "bare.rtf": rf"{{\rtf1\ansi {SENTENCE}}}".encode(),
    "own.rtf": RTF.replace(rb"\f0 G", rb"{\*\userprops{\propname A}\proptype30{\staticval b}}\f0 G"),
    "x.json": _fhir(),
    "meta.json": b"\xef\xbb\xbf" + _fhir(meta={"source": "é"}),
    "empty.json": _fhir(meta={}),
    "secure.json": _fhir(meta={"security": [{"code": "R"}]}),
}
PACKAGE_MARKS: dict[str, Callable[[], bytes]] = {
    f"x.{suffix}": lambda build=build: build([NAME], [SENTENCE])  # type: ignore[misc]  # bound early
    for suffix, build in (samples.PACKAGE_FORMATS | {"odp": samples.odp}).items()
}


def _read(raw: bytes, name: str, *, mark: bool = True) -> ParsedFile:
    return formats.read(raw, name=name, options=FormatOptions(mark=mark))


def _labels(parsed: ParsedFile) -> dict[str, dict[Span, str]]:
    made: dict[str, dict[Span, str]] = {}
    for part in parsed.parts:
        start = part.text.find(NAME)
        while start >= 0:
            made.setdefault(part.part_id, {})[Span(start, start + len(NAME))] = LABEL
            start = part.text.find(NAME, start + 1)
    return made


def _rewritten(raw: bytes, name: str) -> tuple[ParsedFile, formats.RenderedFile]:
    parsed = _read(raw, name)
    labels = _labels(parsed)
    assert labels
    assert not is_marked(parsed.format_name, raw)
    rendered = parsed.render(labels)
    assert is_marked(parsed.format_name, rendered.raw)
    return parsed, rendered


@pytest.mark.parametrize("name", BYTE_MARKS)
def test_mark_is_written_once_and_undone(name: str) -> None:
    raw = BYTE_MARKS[name]
    parsed, rendered = _rewritten(raw, name)
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    assert len(re.findall(b"nymlink|PSEUDED", rendered.raw)) == 1

    again = _read(rendered.raw, name)
    assert again.format_name == parsed.format_name
    assert again.render({}).raw == rendered.raw
    part = next(part for part in again.parts if LABEL in part.text)
    assert "nymlink" not in part.text
    assert "PSEUDED" not in part.text
    start = part.text.index(LABEL)
    second = again.render({part.part_id: {Span(start, start + len(LABEL)): "anders"}})
    assert len(re.findall(b"nymlink|PSEUDED", second.raw)) == 1
    assert formats.undo(parsed.format_name, second.raw, second.edits) == rendered.raw


@pytest.mark.parametrize("name", PACKAGE_MARKS)
def test_package_is_marked_once_and_undone(name: str) -> None:
    raw = PACKAGE_MARKS[name]()
    parsed, rendered = _rewritten(raw, name)
    assert members(formats.undo(parsed.format_name, rendered.raw, rendered.edits)) == members(raw)

    again = _read(rendered.raw, name)
    assert again.render({}).raw == rendered.raw
    assert "nymlink" not in again.parts[0].text
    start = again.parts[0].text.index(LABEL)
    second = again.render({"": {Span(start, start + len(LABEL)): "anders"}})
    marks = [content.count(b">nymlink<") for content in members(second.raw).values()]
    assert sum(marks) == 1
    assert members(formats.undo(parsed.format_name, second.raw, second.edits)) == members(rendered.raw)


def test_the_libraries_of_each_format_read_the_mark() -> None:
    marked = {name: _rewritten(build(), name)[1].raw for name, build in PACKAGE_MARKS.items()}
    book = openpyxl.load_workbook(io.BytesIO(marked["x.xlsx"]))
    assert [(one.name, one.value) for one in book.custom_doc_props.props] == [("Pseudonymized", "nymlink")]
    for package in (docx.Document(io.BytesIO(marked["x.docx"])).part.package,
                    pptx.Presentation(io.BytesIO(marked["x.pptx"])).part.package):  # fmt: skip
        part = next(p for p in package.iter_parts() if str(p.partname) == "/docProps/custom.xml")
        assert part.content_type.endswith("custom-properties+xml")
        assert b"nymlink" in part.blob
    for name in ("x.odt", "x.ods", "x.odp"):
        meta = load_open_document(io.BytesIO(marked[name])).meta
        found = [str(node) for node in meta.childNodes if "user-defined" in node.tagName]
        assert found == ["nymlink"]


def test_properties_that_a_package_has_are_kept() -> None:
    raw = PACKAGE_MARKS["x.xlsx"]()
    book = openpyxl.load_workbook(io.BytesIO(raw))
    book.custom_doc_props.append(openpyxl.packaging.custom.StringProperty(name="Zaak", value="12"))
    buffer = io.BytesIO()
    book.save(buffer)
    _, rendered = _rewritten(buffer.getvalue(), "x.xlsx")
    found = openpyxl.load_workbook(io.BytesIO(rendered.raw)).custom_doc_props.props
    assert [(one.name, one.value) for one in found] == [("Zaak", "12"), ("Pseudonymized", "nymlink")]
    assert members(formats.undo("xlsx", rendered.raw, rendered.edits)) == members(buffer.getvalue())


@pytest.mark.parametrize("name", ["x.odt", "x.docx"])
def test_packages_without_metadata_get_them(name: str) -> None:
    gone = "meta.xml" if name == "x.odt" else "_rels/.rels"
    raw = zip_members([m for m in unzip_trusted(PACKAGE_MARKS[name]()) if m[0].filename != gone])
    parsed = _read(raw, name)
    rendered = parsed.render(_labels(parsed))
    # Without relationships the mark has no place; without meta.xml it gets one.
    assert is_marked(parsed.format_name, rendered.raw) is (name == "x.odt")
    assert members(formats.undo(parsed.format_name, rendered.raw, rendered.edits)) == members(raw)


def test_pdf() -> None:
    raw = samples.pdf([NAME], [SENTENCE])
    parsed, rendered = _rewritten(raw, "x.pdf")
    with pikepdf.open(io.BytesIO(rendered.raw)) as pdf:
        assert str(pdf.docinfo["/Pseudonymized"]) == "nymlink"
        with pdf.open_metadata() as metadata:
            assert metadata["{http://ns.adobe.com/pdfx/1.3/}Pseudonymized"] == "nymlink"
    assert formats.undo("pdf", rendered.raw, rendered.edits).decode() == parsed.parts[0].text
    again = _read(rendered.raw, "x.pdf")
    assert all("nymlink" not in part.text for part in again.parts if part.part_id == "")


def test_pdf_with_metadata_of_its_own() -> None:
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(samples.pdf([NAME], [SENTENCE]))) as pdf:
        with pdf.open_metadata() as metadata:
            metadata["dc:title"] = f"Dossier {NAME}"
        pdf.save(buffer)
    _, rendered = _rewritten(buffer.getvalue(), "x.pdf")
    with pikepdf.open(io.BytesIO(rendered.raw)) as pdf, pdf.open_metadata() as metadata:
        assert metadata["dc:title"] == f"Dossier {LABEL}"
        assert metadata["{http://ns.adobe.com/pdfx/1.3/}Pseudonymized"] == "nymlink"


def test_parquet() -> None:
    raw = samples.parquet([NAME], [SENTENCE])
    _, rendered = _rewritten(raw, "x.parquet")
    assert (pq.read_schema(io.BytesIO(rendered.raw)).metadata or {})[b"pseudonymized"] == b"nymlink"
    restored = pq.read_table(io.BytesIO(formats.undo("parquet", rendered.raw, rendered.edits)))
    assert restored.equals(pq.read_table(io.BytesIO(raw)), check_metadata=True)


def _streams(raw: bytes) -> list[tuple[str, bytes | None]]:
    return [(stream.name, stream.content) for _, stream in read_compound(raw, FormatOptions()).streams()]


@pytest.mark.parametrize("with_headers", [False, True])
def test_outlook(with_headers: bool) -> None:
    raw = samples.msg([NAME], [SENTENCE])
    if with_headers:
        root = read_compound(raw, FormatOptions())
        headers = f"From: {NAME} <a@b.example>\r\n\r\n".encode("utf-16-le")
        root.children.append(Entry("__substg1.0_007D001F", headers))
        table = next(child for child in root.children if child.name == "__properties_version1.0")
        table.content = (table.content or b"") + struct.pack("<HHIII", 0x1F, 0x7D, 6, len(headers) + 2, 0)
        raw = write_compound(root)
        raw = write_compound(read_compound(raw, FormatOptions()))
    _, rendered = _rewritten(raw, "x.msg")
    assert _streams(formats.undo("msg", rendered.raw, rendered.edits)) == _streams(raw)
    again = _read(rendered.raw, "x.msg")
    assert "nymlink" not in again.parts[0].text
    start = again.parts[0].text.index(LABEL)
    second = again.render({"": {Span(start, start + len(LABEL)): "anders"}})
    assert second.raw.count("nymlink".encode("utf-16-le")) == 1
    assert _streams(formats.undo("msg", second.raw, second.edits)) == _streams(rendered.raw)


def test_attached_files_are_marked_too() -> None:
    raw = samples.eml([NAME], [SENTENCE])
    parsed, rendered = _rewritten(raw, "x.eml")
    message = email.message_from_bytes(rendered.raw)
    assert message["X-Pseudonymized"] == "nymlink"
    attached = next(part for part in message.walk() if part.get_filename() == "b.docx")
    content = attached.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert is_marked("docx", content)
    restored = formats.undo("eml", rendered.raw, rendered.edits)
    assert [part.text for part in _read(restored, "x.eml").parts] == [part.text for part in parsed.parts]
    assert restored[: raw.index(b"b.docx")] == raw[: raw.index(b"b.docx")]


def test_a_bundle_and_its_resources_are_marked_but_not_what_they_contain() -> None:
    contained = PATIENT | {"contained": [{"resourceType": "Patient", "id": "c"}]}
    bundle = {"resourceType": "Bundle", "entry": [{"resource": contained}, {"resource": PATIENT}]}
    raw = json.dumps(bundle).encode()
    _, rendered = _rewritten(raw, "x.json")
    found = json.loads(rendered.raw)
    for resource in (found, *(entry["resource"] for entry in found["entry"])):
        assert [coding["code"] for coding in resource["meta"]["security"]] == ["PSEUDED"]
    assert "meta" not in found["entry"][0]["resource"]["contained"][0]
    assert formats.undo("fhir", rendered.raw, rendered.edits) == raw


def test_a_bundle_of_thousands_takes_no_square_of_time() -> None:
    entries = [{"resource": {"resourceType": "Patient", "note": f"é {SENTENCE}"}}] * 4_000
    raw = json.dumps({"resourceType": "Bundle", "entry": entries}, ensure_ascii=False).encode()
    parsed = formats.read(raw, name="x.json", options=FormatOptions(mark=True))
    labels = {
        part.part_id: {Span(*found.span()): LABEL for found in re.finditer(NAME, part.text)}
        for part in parsed.parts
    }
    started = time.process_time()
    rendered = parsed.render(labels)
    assert time.process_time() - started < 10  # seconds; the square takes a minute
    assert rendered.raw.count(b"PSEUDED") == 4_001
    assert formats.undo("fhir", rendered.raw, rendered.edits) == raw


def test_mail_header_is_readable() -> None:
    parsed = _read(MAIL, "x.eml")
    message = email.message_from_bytes(parsed.render(_labels(parsed)).raw)
    assert message["X-Pseudonymized"] == "nymlink"
    assert LABEL in str(message["Subject"])


@pytest.mark.parametrize("name", [*BYTE_MARKS, *PACKAGE_MARKS])
def test_no_mark_without_replacement_or_option(name: str) -> None:
    raw = BYTE_MARKS.get(name) or PACKAGE_MARKS[name]()
    assert _read(raw, name).render({}).raw == raw
    plain = _read(raw, name, mark=False)
    rendered = plain.render(_labels(plain))
    assert rendered.raw != raw
    assert is_marked(plain.format_name, rendered.raw) is False


@pytest.mark.parametrize("format_name", ["txt", "csv", "json", "xml", "hl7"])
def test_formats_without_a_place_say_so(format_name: str) -> None:
    assert is_marked(format_name, b"") is None


def test_page_without_head_and_late_charset_stay_unmarked() -> None:
    late = PAGE.replace(b"<title>", b"<!--" + b"x" * 1960 + b'--><meta charset="utf-8"><title>')
    for raw in (f"<p>{NAME}</p>".encode(), late):
        parsed = _read(raw, "x.html")
        rendered = parsed.render(_labels(parsed))
        assert LABEL.encode() in rendered.raw
        assert is_marked("html", rendered.raw) is False
        assert formats.undo("html", rendered.raw, rendered.edits) == raw
