"""The story of a folder: picked or dropped, analysed, written, fetched; by mouse and by keyboard alone."""

import io
import os
import re
import zipfile
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.pseudonymizer.web.test_api_jobs import text_of, word

WORDS: Final = {
    "nl": ("Bestanden", "Nieuwe werkmap", "Doorzoeken", "Bestanden schrijven", "Alles ophalen als zip"),
    "en": ("Files", "New workspace", "Analyse", "Write files", "Fetch all as a zip"),
}
JOB_SECONDS: Final = 180_000  # milliseconds that a job of these tests may take


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "zaak 12"
    (made / "brieven").mkdir(parents=True)
    (made / "brieven" / "Jan Tolsma.docx").write_bytes(word("Jan Tolsma belde Els Mol.", "Op 06-12345678."))
    (made / "tweede.txt").write_text("Jan Tolsma kwam niet.", encoding="utf-8")
    (made / "kapot.pdf").write_bytes(b"%PDF-1.7 cut off")
    (made / ".verborgen.txt").write_text("Els Mol", encoding="utf-8")
    return made


def _picture(page: Page, name: str) -> None:
    if place := os.environ.get("NYMLINK_PICTURES"):
        page.screenshot(path=f"{place}/{name}.png", full_page=True)


@pytest.mark.parametrize(
    ("language", "scheme", "width"), [("nl", "light", 1200), ("en", "dark", 1200), ("nl", "light", 320)]
)
def test_a_folder_is_pseudonymized(
    visits: Visits, folder: Path, language: str, scheme: str, width: int
) -> None:
    files, new, analyse, write, fetch = WORDS[language]
    with visits.visitor(
        language=language, color_scheme=scheme, viewport={"width": width, "height": 900}
    ) as one:
        page = one.open("/")
        page.click(f"nav a:text-is('{files}')")
        assert one.axe() == []
        page.click(f"button:text-is('{new}')")
        assert one.axe() == []
        page.set_input_files("#pick-folder", folder)
        expect(page.locator("#files tr")).to_have_count(3)
        expect(page.locator("#sending")).to_contain_text("3")
        expect(page.locator("#sending")).to_contain_text("1")  # the hidden one
        assert page.inner_text("#n1").startswith("zaak 12/")
        _picture(page, f"files-{language}-{width}")
        assert one.axe() == []
        page.click(f"button:text-is('{analyse}')")
        expect(page.locator("#announced")).not_to_be_empty(timeout=JOB_SECONDS)
        expect(page.locator(".why")).to_have_count(1)
        assert one.axe() == []
        _picture(page, f"analysed-{language}-{width}")
        page.click("#state summary")
        page.select_option("#style", "code")
        assert one.axe() == []
        page.click(f"button:text-is('{write}')")
        zip_link = page.locator(f"a:text-is('{fetch}')")
        expect(zip_link).to_be_visible(timeout=JOB_SECONDS)
        _picture(page, f"written-{language}-{width}")
        assert one.axe() == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with page.expect_download() as fetched:
            zip_link.click()
        with zipfile.ZipFile(io.BytesIO(fetched.value.path().read_bytes())) as archive:
            names = archive.namelist()
            assert len(names) == 2
            assert "Tolsma" not in "".join(names)
            letter = next(name for name in names if name.endswith(".docx"))
            assert re.search(r"PERSOON-\w+ belde PERSOON-\w+", text_of(archive.read(letter)))
        with page.expect_download() as fetched:
            page.click("#files a[download] >> nth=0")
        assert b"Tolsma" not in fetched.value.path().read_bytes()
        # Chromium writes of a page that a download leaves behind; nothing else may stand there.
        one.wrong[:] = [line for line in one.wrong if not re.match(r"failed: \S+/result$", line)]


def test_by_keyboard_alone(visits: Visits, folder: Path) -> None:
    with visits.visitor(language="en") as one:
        one.without_mouse()
        page = one.open("/workspaces")
        # From now on Chromium hands its choosers to the test; asked for only at the key, it may be too late.
        page.on("filechooser", lambda _: None)
        keys = page.keyboard

        def tab_to(text: str) -> None:
            one.tab_to("(text) => document.activeElement.textContent.trim() === text", text, most=60)

        tab_to("New workspace")
        keys.press("Enter")
        page.wait_for_url("**/workspaces/w_*")
        tab_to("Choose a folder")
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files(folder)
        expect(page.locator("#files tr")).to_have_count(3)
        tab_to("Analyse")
        keys.press("Enter")
        expect(page.locator("#state .outcome")).to_be_focused(timeout=JOB_SECONDS)
        tab_to("Write files")
        keys.press("Enter")
        expect(page.locator("#announced")).to_contain_text("The files are written.", timeout=JOB_SECONDS)
        expect(page.locator("#state .outcome")).to_be_focused()
        tab_to("Fetch all as a zip")
        with page.expect_download() as fetched:
            keys.press("Enter")
        assert fetched.value.path().stat().st_size > 0
        page.on("dialog", lambda dialog: dialog.accept())
        tab_to("Delete")
        keys.press("Enter")
        expect(page.locator("#files tr")).to_have_count(2)
        one.wrong[:] = [line for line in one.wrong if not re.match(r"failed: \S+/result$", line)]


def test_files_are_dropped_and_those_that_are_not_taken_are_told(visits: Visits) -> None:
    with visits.visitor(language="en") as one:
        page = one.open("/workspaces")
        page.click("button:text-is('New workspace')")
        expect(page.locator("#drop")).to_have_attribute("data-ready", "")
        given = page.evaluate_handle(
            """() => {
              const data = new DataTransfer();
              data.items.add(new File(["Jan Tolsma belde."], "een.txt"));
              data.items.add(new File(["MZ geen tabel"], "twee.xlsx"));
              data.items.add(new File(["Els Mol kwam."], "drie.md"));
              return data;
            }"""
        )
        page.dispatch_event("#drop", "drop", {"dataTransfer": given})
        expect(page.locator("#sending")).to_contain_text("Files that have come: 2.")
        expect(page.locator("#sending")).to_contain_text("Not taken: 1.")
        assert one.axe() == []
        one.wrong[:] = [line for line in one.wrong if not re.search(r"status of (415|422)", line)]


@pytest.mark.parametrize(("language", "scheme", "width"), [("nl", "light", 1200), ("en", "dark", 320)])
def test_what_was_found_is_looked_at_and_mended_by_keyboard(
    visits: Visits, folder: Path, language: str, scheme: str, width: int
) -> None:
    look, stored = {"nl": ("Bekijken", "Opgeslagen"), "en": ("Look at it", "Stored")}[language]
    with visits.visitor(
        language=language, color_scheme=scheme, viewport={"width": width, "height": 900}
    ) as one:
        page = one.open("/workspaces")
        page.click(f"button:text-is('{WORDS[language][1]}')")
        page.set_input_files("#pick-folder", folder)
        expect(page.locator("#files tr")).to_have_count(3)
        page.click(f"button:text-is('{WORDS[language][2]}')")
        letter = page.locator("#files tr", has_text=".docx")
        letter.locator(f"a:text-is('{look}')").click(timeout=JOB_SECONDS)
        expect(page.locator("h1")).to_contain_text("Jan Tolsma.docx")
        mentions = page.locator("[data-view=before] [data-mention]")
        expect(mentions).to_have_count(3)
        assert one.axe() == []
        page.click("[value=confirm]")  # nothing is chosen
        expect(page.locator("#announced")).not_to_be_empty()
        mentions.nth(0).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("[data-told]")).to_contain_text("Els Mol")
        _picture(page, f"file-{language}-{width}")
        assert one.axe() == []
        page.click("[value=confirm]")
        expect(page.locator("#announced")).to_contain_text(stored)
        assert "\u2713" in str(mentions.nth(1).get_attribute("data-tag"))
        mentions.nth(1).focus()
        page.keyboard.press("Delete")
        expect(mentions).to_have_count(2)
        expect(mentions.nth(1)).to_be_focused()
        page.keyboard.press("Control+z")
        expect(mentions).to_have_count(3)
        assert one.axe() == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_missed_name_is_selected_and_bounds_move_by_keyboard(visits: Visits, tmp_path: Path) -> None:
    place = tmp_path / "een.txt"
    place.write_text("\U0001f44d Wim kwam.\nmr. Jan Tolsma zag Wim.", encoding="utf-8")
    with visits.visitor(language="en") as one:
        page = one.open("/workspaces")
        page.click(f"button:text-is('{WORDS['en'][1]}')")
        page.set_input_files("#pick-files", place)
        expect(page.locator("#files tr")).to_have_count(1)
        page.click(f"button:text-is('{WORDS['en'][2]}')")
        page.click("a:text-is('Look at it')", timeout=JOB_SECONDS)
        mentions = page.locator("[data-view=before] [data-mention]")
        expect(mentions).to_have_count(1)
        page.wait_for_load_state("networkidle")  # the script that hears the selection has begun
        page.locator(".line").nth(0).dblclick(position={"x": 40, "y": 10})
        expect(page.locator("#missed")).to_have_value("Wim")
        page.click("button:text-is('Add it')")
        expect(mentions).to_have_count(3)
        expect(page.locator("#announced")).to_contain_text("Stored: 2 mentions.")
        mentions.nth(1).focus()
        page.keyboard.press("Shift+ArrowLeft")
        expect(mentions.nth(1)).to_have_text("mr. Jan Tolsma")
        expect(mentions.nth(1)).to_be_focused()
        page.keyboard.press("Alt+Shift+ArrowRight")
        expect(mentions.nth(1)).to_have_text("Jan Tolsma")
        page.keyboard.press("Control+z")
        expect(mentions.nth(1)).to_have_text("mr. Jan Tolsma")
        page.keyboard.press("Control+y")
        expect(mentions.nth(1)).to_have_text("Jan Tolsma")
        mentions.nth(1).click()
        page.click("#more summary")
        page.select_option("#person-of", label=page.locator("#person-of option").nth(0).inner_text())
        page.click("button:text-is('It means this person')")
        expect(mentions.nth(1)).to_have_attribute("data-tag", re.compile("^P1"))
        expect(page.locator("#more")).to_have_attribute("open", "")
        assert one.axe() == []
