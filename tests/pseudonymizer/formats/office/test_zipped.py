"""Archives: each file by its own format, names of files too; limits hold over all levels."""

import io
import zipfile

import pytest

from linkage.errors import DocumentTooLargeError, UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL, members, replacements_for, rewrite

NAME = "Quirine Hoekema"


def archive_of(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_each_file_is_read_by_its_own_format_and_comes_back() -> None:
    files = {
        "brieven/Quirine_Hoekema.txt": f"{NAME} belde.".encode(),
        "x.csv": f"naam;n\n{NAME};1\nx;2\n".encode(),
        "x.docx": samples.docx_file([NAME], [f"Toen belde {NAME}."]),
        "x.pdf": samples.pdf([NAME], [f"Toen belde {NAME}."]), "leeg/": b"", "__MACOSX/x": b"\0",
    }  # fmt: skip
    raw = archive_of(**files)
    parsed, rendered = rewrite(raw, "x.zip", [NAME])
    assert parsed.format_name == "zip"
    written = members(rendered.raw)
    assert next(iter(written)) == f"brieven/{LABEL}.txt"
    assert list(written)[1:] == list(files)[1:]
    for content in (written["x.csv"], written[f"brieven/{LABEL}.txt"]):
        assert b"Hoekema" not in content
    inner = formats.read(written["x.pdf"], name="x.pdf")
    assert NAME not in inner.parts[0].text
    assert LABEL in inner.parts[0].text
    assert members(formats.undo("zip", rendered.raw, rendered.edits)) == files


def test_two_files_whose_new_names_are_one_get_a_number() -> None:
    raw = archive_of(**{f"{NAME}.txt": b"a", f"{NAME} .txt": b"b"})
    _, rendered = rewrite(raw, "x.zip", [NAME])
    assert len(set(members(rendered.raw))) == 2
    assert not any("Hoekema" in name for name in members(rendered.raw))
    assert members(formats.undo("zip", rendered.raw, rendered.edits)) == members(raw)


def test_a_file_that_cannot_be_read_is_refused_or_told() -> None:
    raw = archive_of(**{"x.txt": b"tekst", "x.dat": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)})
    with pytest.raises(UnsupportedInputError, match="file 2 of the archive was not read"):
        formats.read(raw, name="x.zip")
    parsed = formats.read(raw, name="x.zip", options=FormatOptions(keep_unread=True))
    assert [(one.kind, one.place) for one in parsed.unread] == [("file in an archive", "file 2")]


def test_archives_in_archives_are_read_to_a_depth() -> None:
    raw = archive_of(**{"x.txt": NAME.encode()})
    for _ in range(3):
        raw = archive_of(**{"x.zip": raw})
    _, rendered = rewrite(raw, "x.zip", [NAME])
    assert LABEL in formats.read(rendered.raw, name="x.zip").parts[0].text
    for _ in range(3):
        raw = archive_of(**{"x.zip": raw})
    with pytest.raises(UnsupportedInputError, match="more than 4 deep"):
        formats.read(raw, name="x.zip")


def test_a_bomb_is_refused() -> None:
    with pytest.raises(DocumentTooLargeError, match="unpacked it would be"):
        formats.read(archive_of(**{"x.txt": bytes(40_000_000)}), name="x.zip")


def test_an_office_file_named_as_an_archive_is_one() -> None:
    raw = samples.docx_file([NAME], [f"Toen belde {NAME}."])
    parsed = formats.read(raw, name="x.zip")
    assert parsed.format_name == "docx"
    assert parsed.render(replacements_for(parsed, [NAME])).raw != raw
