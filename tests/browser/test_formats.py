"""A Word letter, a workbook, a PDF and a mail go through the pages, by mouse or by keyboard; then the command
gives them back: mail and PDF byte for byte, letter and workbook with the same parts.
"""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import openpyxl
import pypdfium2
import pytest
from playwright.sync_api import Page, expect
from reportlab.pdfgen import canvas
from typer.testing import CliRunner

from pseudonymizer.cli import app
from tests.browser.conftest import Visitor, Visits
from tests.pseudonymizer.web.served import PROJECT
from tests.pseudonymizer.web.test_api_jobs import text_of, word

JOB_SECONDS: Final = 180_000  # milliseconds that a job of these tests may take
MAIL: Final = (
    b"From: Jan Tolsma <jan.tolsma@example.org>\r\nTo: griffie@example.org\r\nSubject: zaak 12\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nJan Tolsma belde Els Mol.\r\n"
)


def workbook() -> bytes:
    made, raw = openpyxl.Workbook(), io.BytesIO()
    assert made.active is not None
    made.active.append(["naam", "opmerking"])
    made.active.append(["Jan Tolsma", "Els Mol belde"])
    made.save(raw)
    return raw.getvalue()


def report() -> bytes:
    raw = io.BytesIO()
    page = canvas.Canvas(raw)
    page.drawString(50, 700, "Jan Tolsma belde gisteren, en Els Mol kwam niet.")
    page.save()
    return raw.getvalue()


def cells_of(raw: bytes) -> list[tuple[object, ...]]:
    sheet = openpyxl.load_workbook(io.BytesIO(raw)).active
    assert sheet is not None
    return [tuple(cell.value for cell in row) for row in sheet.iter_rows()]


def lines_of(raw: bytes) -> str:
    with pypdfium2.PdfDocument(raw) as document:
        return " ".join(page.get_textpage().get_text_range() for page in document)


FILES: Final = {
    "brief.docx": word("Jan Tolsma belde Els Mol."),
    "lijst.xlsx": workbook(),
    "verslag.pdf": report(),
    "bericht.eml": MAIL,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "zaak"
    made.mkdir()
    for name, raw in FILES.items():
        (made / name).write_bytes(raw)
    return made


@dataclass(frozen=True)
class Ways:
    """How somebody presses what has a name, and ticks the box of a field."""

    press: Callable[[str], None]
    tick: Callable[[str], None]


def by_mouse(one: Visitor) -> Ways:
    return Ways(
        lambda name: one.page.get_by_text(name, exact=True).first.click(timeout=JOB_SECONDS),
        lambda field: one.page.locator(f"input[name={field}]").check(timeout=JOB_SECONDS),
    )


def by_keyboard(one: Visitor) -> Ways:
    one.without_mouse()

    def press(name: str) -> None:
        one.tab_to("(name) => document.activeElement.textContent.trim() === name", name, most=80)
        one.page.keyboard.press("Enter")

    def tick(field: str) -> None:
        one.tab_to("(field) => document.activeElement.name === field", field, most=80)
        one.page.keyboard.press("Space")

    return Ways(press, tick)


def parts_of(raw: bytes) -> dict[str, bytes]:
    """The parts of an Office file by their names."""
    with zipfile.ZipFile(io.BytesIO(raw)) as package:
        return {name: package.read(name) for name in package.namelist()}


def _fetched(page: Page, ways: Ways, folder: Path) -> dict[str, bytes]:
    """The written files, by their endings."""
    page.on("filechooser", lambda _: None)
    ways.press("New workspace")
    page.wait_for_url("**/workspaces/w_*")
    with page.expect_file_chooser() as chooser:
        ways.press("Choose a folder")
    chooser.value.set_files(folder)
    expect(page.locator("#files tr")).to_have_count(len(FILES), timeout=JOB_SECONDS)
    ways.tick("keep_original")
    ways.press("Write files")
    expect(page.locator("#announced")).to_contain_text("The files are written.", timeout=JOB_SECONDS)
    with page.expect_download() as fetched:
        ways.press("Fetch all as a zip")
    with zipfile.ZipFile(io.BytesIO(fetched.value.path().read_bytes())) as archive:
        return {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("way", [by_mouse, by_keyboard])
def test_files_of_four_formats_come_back(
    visits: Visits, tmp_path: Path, folder: Path, way: Callable[[Visitor], Ways]
) -> None:
    with visits.visitor(language="en") as one:
        ways = way(one)
        written = _fetched(one.open("/workspaces"), ways, folder)
        one.wrong[:] = [line for line in one.wrong if not re.match(r"failed: \S+/result$", line)]
    assert written.keys() == FILES.keys()
    texts = [
        text_of(written["brief.docx"]), str(cells_of(written["lijst.xlsx"])),
        lines_of(written["verslag.pdf"]), written["bericht.eml"].decode(),
    ]  # fmt: skip
    for text in texts:
        assert "Tolsma" not in text
        assert "PERSOON-" in text
    out = tmp_path / "geschreven"
    out.mkdir()
    for name, raw in written.items():
        (out / name).write_bytes(raw)
    service = visits.service
    place = ("--vault", str(service.vault_file), "--key-file", str(service.folder / "kek.key"))
    about = ("--project", PROJECT, "--purpose", "zaak 12", "--actor", "tester")
    done = CliRunner().invoke(app, ["restore", str(out), "--out", str(tmp_path / "terug"), *place, *about])
    assert done.exit_code == 0, done.output
    back = {one.name: one.read_bytes() for one in (tmp_path / "terug").rglob("*") if one.is_file()}
    assert back["bericht.eml"] == MAIL
    assert parts_of(back["brief.docx"]) == parts_of(FILES["brief.docx"])
    assert parts_of(back["lijst.xlsx"]) == parts_of(FILES["lijst.xlsx"])
    assert back["verslag.pdf"] == FILES["verslag.pdf"]
