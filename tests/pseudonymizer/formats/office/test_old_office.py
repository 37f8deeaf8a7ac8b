"""Office files of before 2007, through LibreOffice: no name stays in the file, and its text comes back."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import olefile
import pytest

from linkage.errors import UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats.mail.compound import Entry, write_compound
from pseudonymizer.formats.office import libreoffice
from pseudonymizer.formats.office.libreoffice import converted
from pseudonymizer.runs.restore import TEXT_ONLY, Restoration
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault, new_batch
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL, rewrite
from tests.pseudonymizer.formats.test_whole_runs import ListPipeline
from tests.security.decodings import seen_in

NAMES = ["Sanne Terpstra", "Jürgen Köhler"]
SENTENCES = ["Toen belde Sanne Terpstra terug.", "Later kwam Jürgen Köhler langs."]
NEW: dict[str, tuple[str, Callable[[Sequence[str], Sequence[str]], bytes]]] = {
    "doc": ("docx", samples.docx_file), "xls": ("xlsx", samples.xlsx), "ppt": ("pptx", samples.pptx_file),
}  # fmt: skip
needs_office = pytest.mark.skipif(
    libreoffice.program() is None, reason="LibreOffice (soffice) is not installed"
)


def made(suffix: str) -> bytes:
    new, build = NEW[suffix]
    return converted(build(NAMES, SENTENCES), new, suffix)


@needs_office
@pytest.mark.parametrize("suffix", NEW)
def test_no_name_stays_and_the_text_comes_back(suffix: str) -> None:
    raw = made(suffix)
    assert seen_in(raw, ["Terpstra"])
    parsed, rendered = rewrite(raw, f"x.{suffix}", NAMES)
    assert parsed.format_name == suffix
    assert rendered.raw.startswith(olefile.MAGIC)
    assert formats.format_of(rendered.raw) == suffix
    assert not seen_in(rendered.raw, ["Terpstra", "Köhler"])
    with olefile.OleFileIO(io.BytesIO(rendered.raw)) as file:
        for path in file.listdir():
            assert b"erpstra" not in file.openstream(path).read().replace(b"\0", b"")
    text = parsed.parts[0].text
    again = formats.read(rendered.raw, name=f"x.{suffix}").parts[0].text
    assert f"Toen belde {LABEL} terug." in again
    assert formats.undo(suffix, rendered.raw, rendered.edits).decode().startswith(text)


@needs_office
def test_a_whole_run_and_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "brief.doc").write_bytes(made("doc"))
    opened = make_vault(tmp_path / "vault")
    report = new_batch(
        find_sources([tmp_path / "in"]),
        tmp_path / "out",
        BatchSettings(PROJECT),
        load=ListPipeline,
        open_vault=opened,
    ).run()
    assert report.errors == {}
    assert not seen_in((tmp_path / "out" / "brief.doc").read_bytes(), ["Terpstra"])
    back = Restoration(opened, PROJECT, "test").files(find_sources([tmp_path / "out"]), tmp_path / "back")
    assert back.counts[TEXT_ONLY] == 1
    assert SENTENCES[0] in (tmp_path / "back" / "brief.doc.txt").read_text()


def test_without_libreoffice_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "program", lambda: None)
    raw = write_compound(Entry("Root Entry", None, [Entry("WordDocument", b"x")]))
    with pytest.raises(
        UnsupportedInputError, match=r"need LibreOffice: install LibreOffice \(soffice\), save"
    ):
        formats.read(raw, name="x.doc")


def test_another_file_that_is_named_so_is_read_as_what_it_is() -> None:
    page = formats.read(b"<!DOCTYPE html><html><body>Sanne Terpstra</body></html>", name="x.doc")
    assert page.format_name == "html"
    text = formats.read(b"Sanne Terpstra", name="x.doc")
    assert (text.format_name, [one.kind for one in text.unread]) == ("txt", ["read as plain text"])
