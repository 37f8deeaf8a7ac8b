"""Reading: encodings told with certainty or refused, and the way back byte for byte."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import DocumentError, EncodingUndeterminedError, UnsupportedInputError
from linkage.reading import DecodedText, decode, encode, read_document
from linkage.records import DocumentId

TEXT = "Jan Terpstra belde Zoë.\r\nDaarna  \n"
MARKS = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\0\0",
    "utf-32-be": b"\0\0\xfe\xff",
}


@pytest.mark.parametrize("encoding", list(MARKS))
def test_byte_order_mark_decides(encoding: str) -> None:
    raw = MARKS[encoding] + TEXT.encode(encoding)
    assert decode(raw) == DecodedText(TEXT, encoding, MARKS[encoding])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "cp1252"])
def test_encoding_without_mark(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == DecodedText(TEXT, encoding)


@pytest.mark.parametrize("text", ["", " \r\n\t", "a"])
def test_little_or_nothing_is_utf_8(text: str) -> None:
    assert decode(text.encode()) == DecodedText(text, "utf-8")


def test_byte_that_windows_1252_leaves_undefined_is_refused() -> None:
    with pytest.raises(EncodingUndeterminedError):
        decode(b"Jos\x81 kwam")


def test_two_encodings_in_one_text_are_refused() -> None:
    with pytest.raises(EncodingUndeterminedError):
        decode("Zoë".encode() + b" en " + "René".encode("cp1252"))


def test_capital_and_closing_quote_are_windows_1252() -> None:
    raw = "het heet \u201cCAF\u00c9\u201d daar".encode("cp1252")
    assert decode(raw).text == "het heet \u201cCAF\u00c9\u201d daar"


def test_broken_utf_16_behind_a_mark_is_refused() -> None:
    with pytest.raises(EncodingUndeterminedError):
        decode(b"\xff\xfe" + "Jan".encode("utf-16-le") + b"x")
    with pytest.raises(EncodingUndeterminedError):
        decode(b"\xff\xfe\x00\xd8a\x00")


@pytest.mark.parametrize(
    "raw",
    [
        bytes(range(256)),
        b"\x89PNG\r\n\x1a\n rest",
        b"PK\x03\x04 rest",
        b"%PDF-1.4 kapot",
        b"J\0a\0n\0\0\0\0\0\0\0\0x",
        b"\x01\x02\x03\x04",
        b"Jan\0Terpstra",
    ],
)
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    with pytest.raises(UnsupportedInputError):
        decode(raw)


def test_few_control_characters_are_kept() -> None:
    text = "ver\x02slag " + "van de vergadering " * 20
    assert decode(text.encode()).text == text


def test_pseudonyms_go_into_the_encoding_of_the_input() -> None:
    decoded = decode(TEXT.encode("cp1252"))
    assert encode(decoded.text.replace("Jan", "P1-X"), decoded) == TEXT.replace("Jan", "P1-X").encode(
        "cp1252"
    )


def test_character_that_the_encoding_lacks_is_an_error_without_the_text() -> None:
    with pytest.raises(EncodingUndeterminedError) as caught:
        encode("Jan \u0179", decode(TEXT.encode("cp1252")))
    assert "Jan" not in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bytes_come_back_or_are_refused(raw: bytes) -> None:
    try:
        decoded = decode(raw)
    except DocumentError:
        return
    assert encode(decoded.text, decoded) == raw


@given(st.text(st.characters(codec="cp1252", exclude_categories=["Cc"]), max_size=80))
def test_utf_8_text_is_never_taken_for_something_else(text: str) -> None:
    assert decode(text.encode()) == DecodedText(text, "utf-8")


def test_read_document_has_a_random_id_and_a_silent_repr(tmp_path: Path) -> None:
    path = tmp_path / "Jan Terpstra.txt"
    path.write_bytes(TEXT.encode())
    first, second = read_document(path), read_document(path)
    assert first.text == TEXT
    assert first.doc_id != second.doc_id
    assert "Terpstra" not in repr(first)
    assert "Terpstra" not in repr(decode(TEXT.encode()))
    assert read_document(path, doc_id=DocumentId("d1")).doc_id == "d1"


def test_unreadable_file_is_an_error_without_its_name(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(tmp_path / "Jan Terpstra.txt")
    assert "Terpstra" not in str(caught.value)
