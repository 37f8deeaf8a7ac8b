"""Files that are damaged, locked, too large, or not what they say: an error with its reason, never a clean
result."""

import io
import struct
import zipfile

import pikepdf
import pytest

from linkage.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedInputError,
)
from pseudonymizer import formats
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tree.archive import unzip
from pseudonymizer.formats.tree.parsing import Reading
from tests.pseudonymizer.formats import samples

NAMES, SENTENCES = ["Sanne de Boer"], ["Toen belde Sanne de Boer terug."]


def _zip(members: dict[str, bytes], flags: int = 0) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    raw = bytearray(buffer.getvalue())
    if flags:
        for at in (raw.index(b"PK\x03\x04") + 6, raw.index(b"PK\x01\x02") + 8):
            struct.pack_into("<H", raw, at, flags)
    return bytes(raw)


def _docx_with(document: bytes) -> bytes:
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": document})


@pytest.mark.parametrize("suffix", ["docx", "xlsx", "pptx", "odt", "ods", "pdf", "msg", "parquet"])
@pytest.mark.parametrize("raw", [b"", b"dit is geen zip", b"\x00\x01\x02" * 50])
def test_a_suffix_that_the_content_belies(suffix: str, raw: bytes) -> None:
    with pytest.raises(UnsupportedInputError):
        formats.read(raw, name=f"x.{suffix}")


@pytest.mark.parametrize("suffix", ["docx", "xlsx", "pptx", "odt"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_package_cut_off(suffix: str, share: float) -> None:
    raw = samples.PACKAGE_FORMATS[suffix](NAMES, SENTENCES)
    with pytest.raises(DocumentError):
        formats.read(raw[: int(len(raw) * share)], name=f"x.{suffix}")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    raw = _docx_with(b"<a>" + b" " * 40_000_000 + b"</a>")
    assert len(raw) < 100_000
    with pytest.raises(DocumentTooLargeError):
        formats.read(raw, name="x.docx")


def test_a_zip_that_lies_about_its_size() -> None:
    raw = bytearray(_zip({"a": b"x" * 3_000_000}))
    struct.pack_into("<I", raw, raw.index(b"PK\x01\x02") + 24, 10)
    with pytest.raises(DocumentError):
        unzip(bytes(raw), Reading(FormatOptions(), parse_nested, size=len(raw)))


def test_a_package_with_a_password() -> None:
    with pytest.raises(EncryptedDocumentError):
        formats.read(
            _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<a/>"}, flags=1), name="x.docx"
        )


def test_two_members_of_one_name() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<a/>")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("word/document.xml", "<b/>")
    with pytest.raises(DamagedDocumentError):
        formats.read(buffer.getvalue(), name="x.docx")


def test_an_archive_is_no_document_of_another_format() -> None:
    raw = _zip({"brief.txt": b"Sanne de Boer"})
    assert formats.read(raw, name="x.zip").format_name == "zip"
    for name in ("x.docx", "x.ods"):
        with pytest.raises(UnsupportedInputError, match="its content is not"):
            formats.read(raw, name=name)


_BOMB = b'<!DOCTYPE a [<!ENTITY x "Sanne"><!ENTITY y "&x;&x;&x;&x;">]><a>&y;</a>'
_OUTSIDE = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'


@pytest.mark.parametrize("document", [_BOMB, _OUTSIDE])
def test_declared_entities_are_refused(document: bytes) -> None:
    with pytest.raises(UnsupportedInputError):
        formats.read(document, name="x.xml")
    with pytest.raises(UnsupportedInputError):
        formats.read(_docx_with(document), name="x.docx")


@pytest.mark.parametrize("raw", [b"<a><b></a>", b"<a", b"<a>\x81</a>"])
def test_xml_that_is_not_well_formed(raw: bytes) -> None:
    with pytest.raises(DocumentError):
        formats.read(raw, name="x.xml")


@pytest.mark.parametrize("raw", [b'{"a": ', b"[1, 2", b"{'a': 1}"])
def test_json_that_is_none(raw: bytes) -> None:
    with pytest.raises(DamagedDocumentError):
        formats.read(raw, name="x.json")


def test_json_nested_without_end() -> None:
    with pytest.raises(DocumentError):
        formats.read(b"[" * 200_000 + b"]" * 200_000, name="x.json")


def test_a_pdf_with_a_password() -> None:
    buffer = io.BytesIO()
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.save(buffer, encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(EncryptedDocumentError):
        formats.read(buffer.getvalue(), name="x.pdf")


def test_an_encrypted_mail() -> None:
    raw = b'From: a@b.example\nContent-Type: multipart/encrypted; boundary="x"\n\n--x\n\nabc\n--x--\n'
    with pytest.raises(EncryptedDocumentError):
        formats.read(raw, name="x.eml")


def test_an_attachment_that_is_not_read_stops_the_file_unless_allowed() -> None:
    raw = (
        b'From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n\n'
        b"Hoi Sanne\n--x\n"
        b"Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\nUEsDBAoAAAAAAA==\n--x--\n"
    )
    with pytest.raises(UnsupportedInputError):
        formats.read(raw, name="x.eml")
    parsed = formats.read(raw, name="x.eml", options=FormatOptions(keep_unread=True))
    assert [(content.kind, content.count) for content in parsed.unread] == [("attachment", 1)]


def test_a_file_above_the_limit() -> None:
    with pytest.raises(DocumentTooLargeError):
        formats.read(b"x" * 100, name="x.txt", options=FormatOptions(max_bytes=99))


def test_messages_within_messages_without_end() -> None:
    raw = b"Content-Type: message/rfc822\n\n" * 80 + b"From: a@b.example\n\nSanne\n"
    with pytest.raises(DocumentError):
        formats.read(raw, name="x.eml")


def test_undo_of_a_file_that_was_changed_since_is_refused() -> None:
    with pytest.raises(DamagedDocumentError):
        formats.undo("txt", b"kort", [Edit("", 10, 14, b"Sanne")])
    with pytest.raises(DamagedDocumentError):
        formats.undo("docx", b"kort", [Edit("/0:zip/0:member!", 0, 1, b""), Edit("/0:zip!", 0, 4, b"")])


def test_errors_hold_no_name() -> None:
    for raw, name in ((b"geen zip, Terpstra", "kapot_Terpstra.docx"), (b'{"Terpstra"', "Terpstra.json")):
        with pytest.raises(DocumentError) as caught:
            formats.read(raw, name=name)
        assert "Terpstra" not in str(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["leeg.docx", "leeg.pdf", "leeg.xlsx", "leeg.png"])
@pytest.mark.parametrize("raw", [b"", b" \r\n"])
def test_an_empty_file_is_told_as_empty(name: str, raw: bytes) -> None:
    with pytest.raises(UnsupportedInputError, match="is empty; get it again"):
        formats.read(raw, name=name)
