"""Files that no reader has are refused by their first bytes, with what to do."""

import pytest

from linkage.errors import UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.refused import refuse
from tests.pseudonymizer.formats.test_unread import mail

PACKED = b"\x1f\x8b\x08\x00Jan Tolsma"


@pytest.mark.parametrize(
    ("name", "raw", "kind"),
    [
        ("x.csv.gz", PACKED, "gzip"),
        ("x.7z", b"7z\xbc\xaf\x27\x1cabc", "7-Zip"),
        ("x", b"Rar!\x1a\x07\x00", "RAR"),
        ("x.pst", b"!BDNabc", "PST"),
        ("x.wpd", b"\xffWPC\x10", "WordPerfect"),
        ("x.txt", b"SQLite format 3\x00abc", "SQLite"),
    ],
)
def test_each_says_what_it_is_and_what_to_do(name: str, raw: bytes, kind: str) -> None:
    with pytest.raises(UnsupportedInputError, match=f"{kind}.* is not processed; ") as told:
        formats.read(raw, name=name)
    assert "Tolsma" not in str(told.value)


def test_other_files_pass() -> None:
    refuse(b"BZ is een ministerie")
    assert formats.read(b"Rar is dat.", name="x.txt").format_name == "txt"


def test_in_a_mail_it_is_an_attachment_that_is_not_read() -> None:
    raw = mail(("application", "gzip", PACKED))
    with pytest.raises(UnsupportedInputError, match="packed with gzip"):
        formats.read(raw, name="x.eml")
    (left,) = formats.read(raw, name="x.eml", options=FormatOptions(keep_unread=True)).unread
    assert left.kind == "attachment"
