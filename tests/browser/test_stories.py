"""Five stories, each in a fresh profile, by the words that the pages say alone, in twelve actions at most."""

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visitor, Visits
from tests.pseudonymizer.web.test_api_jobs import text_of, word

MOST: Final = 12  # actions of a story
JOB_SECONDS: Final = 180_000  # milliseconds that a job of these tests may take


@dataclass
class Walk:
    """Goes by what a page says: buttons, links and fields by their names. It counts what it does."""

    page: Page
    actions: int = 0

    def _acted(self, found: Locator) -> Locator:
        self.actions += 1
        assert self.actions <= MOST
        return found

    def press(self, name: str, *, within: Locator | None = None) -> None:
        """A button or link of this name; the first that can be seen."""
        inside = within or self.page.locator("body")
        found = inside.get_by_role("button", name=name, exact=True).or_(
            inside.get_by_role("link", name=name, exact=True)
        )
        self._acted(found.first).click(timeout=JOB_SECONDS)

    def fill(self, label: str, text: str) -> None:
        self._acted(self.page.get_by_label(label, exact=True).first).fill(text)

    def tick(self, found: Locator) -> None:
        self._acted(found).check()

    def give(self, selector: str, files: Path) -> None:
        """Files for the chooser that a button opens."""
        self._acted(self.page.locator(selector)).set_input_files(files)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "zaak 12"
    (made / "brieven").mkdir(parents=True)
    (made / "brieven" / "een.docx").write_bytes(word("Jan Tolsma belde Els Mol. Wim kwam."))
    (made / "twee.txt").write_text("Jan Tolsma kwam niet, Wim wel. Jan Tolsma sliep.", encoding="utf-8")
    return made


def _analysed(walk: Walk, folder: Path) -> None:
    """To the page of a workspace whose files are analysed: four actions."""
    walk.press("Bestanden")
    walk.press("Nieuwe werkmap")
    walk.give("#pick-folder", folder)
    expect(walk.page.locator("#files tr")).to_have_count(2, timeout=JOB_SECONDS)
    walk.press("Doorzoeken")
    expect(walk.page.locator("#announced")).not_to_be_empty(timeout=JOB_SECONDS)


def _forget_downloads(one: Visitor) -> None:
    # Chromium writes of a page that a download leaves behind; nothing else may stand there.
    one.wrong[:] = [line for line in one.wrong if not re.match(r"failed: \S+/result$|failed: blob:", line)]


def test_a_folder_is_pseudonymized(visits: Visits, folder: Path) -> None:
    with visits.visitor() as one:
        walk = Walk(one.open("/"))
        _analysed(walk, folder)
        walk.press("Zien wat er geschreven wordt")
        expect(walk.page.locator("#foreseen")).to_contain_text("Jan Tolsma")
        assert one.axe() == []
        walk.press("Bestanden schrijven")
        expect(walk.page.get_by_text("Alles ophalen als zip")).to_be_visible(timeout=JOB_SECONDS)
        with walk.page.expect_download() as fetched:
            walk.press("Alles ophalen als zip")
        with zipfile.ZipFile(io.BytesIO(fetched.value.path().read_bytes())) as archive:
            assert sorted(name.rpartition(".")[2] for name in archive.namelist()) == ["docx", "txt"]
            letter = next(name for name in archive.namelist() if name.endswith(".docx"))
            assert "Tolsma" not in text_of(archive.read(letter))
        _forget_downloads(one)


def test_a_missed_and_a_false_name_are_mended_everywhere(visits: Visits, folder: Path) -> None:
    with visits.visitor() as one:
        walk = Walk(one.open("/"))
        _analysed(walk, folder)
        walk.press("Bekijken", within=walk.page.locator("#files tr", has_text=".docx"))
        walk.fill("Een naam of waarde die gemist is", "Wim")
        walk.press("Toevoegen")
        expect(walk.page.locator("#announced")).to_contain_text("2 vermeldingen")
        mention = walk.page.locator("[data-mention]", has_text="Els Mol")
        walk._acted(mention).click()
        walk.tick(walk.page.get_by_label("ook dezelfde woorden in alle bestanden").first)
        walk.press("Het is er geen")
        expect(walk.page.locator("[data-mention]", has_text="Els Mol")).to_have_count(0)
        assert one.axe() == []


def test_two_people_that_were_taken_for_one(visits: Visits, folder: Path) -> None:
    with visits.visitor() as one:
        walk = Walk(one.open("/"))
        _analysed(walk, folder)
        walk.press("Personen in alle bestanden")
        expect(walk.page.get_by_text("2 personen")).to_be_visible()
        assert one.axe() == []
        walk.press("Zien waar")
        assert one.axe() == []
        walk.tick(walk.page.locator("[name=mention]").last)
        walk.press("De aangevinkte plaatsen bedoelen iemand anders")
        expect(walk.page.locator("[name=mention]")).to_have_count(2)
        walk.press("Alle personen")
        expect(walk.page.get_by_text("3 personen")).to_be_visible()


def test_questions_are_answered_by_one_key(visits: Visits, folder: Path) -> None:
    with visits.visitor() as one:
        walk = Walk(one.open("/"))
        _analysed(walk, folder)
        walk.press("Open vragen, de minst zekere eerst")
        walk.page.select_option("#sure", "100")
        walk.press("Kiezen")
        question = walk.page.locator("[data-question]")
        expect(question).to_be_focused()
        expect(question).to_contain_text("nog 4 vragen")
        assert one.axe() == []
        for key, left in (("Enter", 3), ("ArrowRight", 3), ("Delete", 2), ("Control+z", 3)):
            walk.page.keyboard.press(key)
            expect(question).not_to_have_attribute("aria-busy", "true")
            expect(question).to_contain_text(f"nog {left} vragen")
            expect(question).to_be_focused()


def test_a_file_comes_back(visits: Visits, tmp_path: Path) -> None:
    place = tmp_path / "brief.txt"
    place.write_text("Jan Tolsma belde Els Mol.\r\nTot ziens.", encoding="utf-8", newline="")
    with visits.visitor() as one:
        page = one.open("/workspaces")
        page.click("button:text-is('Nieuwe werkmap')")
        page.set_input_files("#pick-files", place)
        page.click("button:text-is('Bestanden schrijven')", timeout=JOB_SECONDS)
        with page.expect_download(timeout=JOB_SECONDS) as fetched:
            page.click("#files a[download]", timeout=JOB_SECONDS)
        written = tmp_path / "geschreven.txt"
        written.write_bytes(fetched.value.path().read_bytes())
        assert b"Tolsma" not in written.read_bytes()
        walk = Walk(one.open("/"))
        walk.press("Teruggeven")
        assert one.axe() == []
        walk.give("#file", written)
        walk.fill("Doel", "zaak 12")
        walk.press("Terughalen")
        expect(page.locator("#restored .outcome")).to_have_text("De tekst is terug, precies zoals hij was.")
        assert one.axe() == []
        with page.expect_download() as fetched:
            walk.press("Bestand ophalen")
        assert fetched.value.path().read_bytes() == place.read_bytes()
        _forget_downloads(one)


def test_a_request_to_be_erased_is_answered(visits: Visits) -> None:
    with visits.visitor() as one:
        page = one.open("/text")
        page.fill("#text", "Piet Terpstra belde.")
        page.click("button.main >> nth=0")
        page.wait_for_selector("[data-view=after]")
        walk = Walk(one.open("/"))
        walk.press("Opzoeken")
        walk.fill("Naam", "Piet Terpstra")
        walk.fill("Doel", "wisverzoek 3")
        walk.press("Opzoeken", within=page.locator("main"))
        expect(page.locator("#found")).to_contain_text("PERSOON-")
        walk._acted(page.get_by_text("Deze persoon wissen")).click()
        walk.fill("Waarom de persoon gewist wordt; dat wordt vastgelegd", "wisverzoek 3")
        walk.press("Zien wat er vernietigd wordt")
        assert one.axe() == []
        walk.tick(page.get_by_label("Ik weet dat niemand dit ongedaan kan maken"))
        walk.press("Voorgoed wissen")
        expect(page.locator("#planned")).to_contain_text("1 pseudoniem bedoelt niemand meer.")
        assert one.axe() == []
        with page.expect_download() as kept:
            walk.press("Bewijs bewaren als bestand")
        assert b"PERSOON-" in kept.value.path().read_bytes()
        _forget_downloads(one)
        for path in ("/erase", "/projects", "/projects/study-12", "/roles"):
            one.open(path)
            assert one.axe() == []
