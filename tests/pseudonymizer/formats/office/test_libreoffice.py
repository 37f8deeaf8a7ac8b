"""LibreOffice as what turns files: within time, without leaving a copy, and told where it is missing."""

import tempfile
from pathlib import Path

import pytest

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, UnsupportedInputError
from pseudonymizer.formats.office import libreoffice
from pseudonymizer.formats.office.libreoffice import converted

needs_office = pytest.mark.skipif(
    libreoffice.program() is None, reason="LibreOffice (soffice) is not installed"
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies lie."""
    monkeypatch.setattr(libreoffice, "_IN_MEMORY", tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@needs_office
def test_a_text_is_turned_and_no_copy_stays(place: Path) -> None:
    made = converted(rb"{\rtf1 Sanne Terpstra}", "rtf", "txt")
    assert b"Sanne Terpstra" in made
    assert list(place.iterdir()) == []


@needs_office
def test_a_file_that_it_cannot_read_is_damaged(place: Path) -> None:
    with pytest.raises(DamagedDocumentError, match="LibreOffice cannot read"):
        converted(b"", "ppt", "docx")
    assert list(place.iterdir()) == []


@needs_office
def test_it_ends_in_time_and_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "_SECONDS", 0.01)
    with pytest.raises(DocumentTooLargeError, match="LibreOffice takes more than"):
        converted(b"x", "doc", "docx")
    assert list(place.iterdir()) == []


def test_where_it_is_missing_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        UnsupportedInputError, match=r"need LibreOffice: install LibreOffice \(soffice\), save"
    ):
        converted(b"x", "doc", "docx")
