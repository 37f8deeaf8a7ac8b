"""Two windows on one file: the later one is told that something changed, and nothing is lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visitor, Visits

JOB_SECONDS = 180_000  # milliseconds that a job of these tests may take


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    made = tmp_path / "brief.txt"
    made.write_text("Jan Tolsma belde Els Mol.\nPiet Anker kwam.", encoding="utf-8")
    return made


def _file_page(one: Visitor, letter: Path) -> Page:
    page = one.open("/workspaces")
    page.click("button:text-is('New workspace')")
    page.set_input_files("#pick-files", letter)
    expect(page.locator("#files tr")).to_have_count(1)
    page.click("button:text-is('Analyse')")
    page.click("a:text-is('Look at it')", timeout=JOB_SECONDS)
    expect(_mentions(page)).to_have_count(3)
    return page


def _mentions(page: Page) -> Locator:
    return page.locator("[data-view=before] [data-mention]")


def _press(page: Page, name: str, key: str) -> None:
    _mentions(page).filter(has_text=name).focus()
    page.keyboard.press(key)


def test_the_later_window_changes_nothing_and_says_so(visits: Visits, letter: Path) -> None:
    with visits.visitor(language="en") as one:
        first = _file_page(one, letter)
        second = first.context.new_page()
        second.goto(first.url)
        _press(first, "Els Mol", "Delete")
        expect(_mentions(first)).to_have_count(2)
        _press(second, "Piet Anker", "Delete")
        problem = second.locator("#problem [data-outcome]")
        expect(problem).to_contain_text("Something was changed meanwhile")
        expect(problem).to_be_focused()
        assert one.axe() == []
        expect(_mentions(second)).to_have_count(3)  # as it was
        first.reload()
        expect(_mentions(first)).to_have_text(["Jan Tolsma", "Piet Anker"])
        second.reload()
        expect(_mentions(second)).to_have_text(["Jan Tolsma", "Piet Anker"])
        _press(second, "Piet Anker", "Delete")
        expect(_mentions(second)).to_have_text(["Jan Tolsma"])
        _press(second, "Jan Tolsma", "Control+z")
        expect(_mentions(second)).to_have_count(2)
        _press(second, "Jan Tolsma", "Control+z")
        expect(_mentions(second)).to_have_count(3)  # both were kept as steps
        one.wrong[:] = [line for line in one.wrong if "status of 412" not in line]
