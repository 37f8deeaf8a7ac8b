"""Files as they come: paths that stay inside and beside each other, and first bytes that fit the suffix."""

import pytest

from linkage.errors import UnsupportedInputError
from pseudonymizer.desk.intake import TakenPaths, check_head, checked_path
from pseudonymizer.errors import UploadRefusedError


def test_a_path_is_brought_into_one_form() -> None:
    assert checked_path("map\\e\u0301.txt") == "map/\u00e9.txt"
    assert checked_path("brief aan Jan.txt") == "brief aan Jan.txt"


@pytest.mark.parametrize(
    "path",
    ["/a", "a/", "", ".", "..", "a/../b", "./a", "C:\\a", "a\0b", "a\x7f", "a\u202eb", "é" * 128,
     "a/.NYMLINK/b", "/".join("a" * 40)],
)  # fmt: skip
def test_a_path_that_cannot_be_is_refused(path: str) -> None:
    with pytest.raises(UploadRefusedError):
        checked_path(path)


def test_twins_are_refused() -> None:
    taken = TakenPaths(["Map/a.txt"])
    for path in ("map/A.txt", "MAP", "map/a.txt/b", "Map/a.txt/b/c"):
        with pytest.raises(UploadRefusedError):
            taken.take(path)
    assert taken.take("map/b.txt") == "map/b.txt"
    with pytest.raises(UploadRefusedError):
        taken.take("map/b.TXT")


def test_first_bytes_must_fit_the_suffix() -> None:
    check_head(b"PK\x03\x04", "a.docx")
    check_head(b"Jan", "a.txt")
    check_head(b"Jan", "no suffix")
    check_head(b"Jan", "a.unknown")
    for name in ("a.docx", "a.PDF", "a.xlsx"):
        with pytest.raises(UnsupportedInputError):
            check_head(b"Jan", name)
