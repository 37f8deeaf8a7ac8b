"""The story "answer a request for access" from the words of the pages alone, and axe on each of them."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits

TEXT: Final = "Wim Postma belde met Els Douma. Wim Postma belde terug."
NAME: Final = "Wim Postma"
PURPOSE: Final = "inzageverzoek 2026-14"
WORDS: Final = {
    "nl": {
        "look-up": "Opzoeken", "requests": "Verzoeken", "audit": "Logboek", "name": "Naam", "purpose": "Doel",
        "pseudonyms": "Pseudoniemen, één per regel", "send": "Verzoek versturen", "approve": "Goedkeuren",
        "take": "Toestemming ophalen", "show": "Namen tonen", "hidden": "De namen zijn weer verborgen.",
        "check": "Logboek controleren", "whole": "zoals de kluis ze schreef", "open": "openen",
    },
    "en": {
        "look-up": "Look up", "requests": "Requests", "audit": "Audit", "name": "Name", "purpose": "Purpose",
        "pseudonyms": "Pseudonyms, one a line", "send": "Send the request", "approve": "Approve",
        "take": "Take the grant", "show": "Show the names", "hidden": "The names are hidden again.",
        "check": "Check the trail", "whole": "as the vault wrote them", "open": "Open request",
    },
}  # fmt: skip


def _written(page: Page) -> str:
    """The pseudonym of somebody in a text that was written just now."""
    page.fill("#text", TEXT)
    page.click("button.main >> nth=0")
    page.wait_for_selector("[data-view=after]")
    return str(re.findall(r"PERSOON-\w+", page.inner_text("[data-view=after]"))[0])


@pytest.mark.parametrize(
    ("language", "scheme", "width"), [("nl", "light", 1200), ("en", "dark", 1200), ("nl", "dark", 320)]
)
def test_a_request_for_access_is_answered(visits: Visits, language: str, scheme: str, width: int) -> None:
    words = WORDS[language]
    size = {"width": width, "height": 900}
    with visits.visitor(language=language, color_scheme=scheme, viewport=size) as one:
        label = _written(one.open("/text"))
        page = one.open("/")
        page.clock.install()

        def is_sound() -> None:
            assert one.axe() == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

        is_sound()
        page.get_by_role("navigation").get_by_role("link", name=words["look-up"]).click()
        page.get_by_label(words["name"], exact=True).fill(NAME)
        page.get_by_label(words["purpose"], exact=True).fill(PURPOSE)
        page.get_by_role("button", name=words["look-up"]).click()
        expect(page.locator("#found [data-outcome]")).to_be_focused()
        expect(page.locator("#found bdi")).to_have_text([label])
        is_sound()
        page.get_by_role("navigation").get_by_role("link", name=words["requests"]).click()
        is_sound()
        page.get_by_label(words["pseudonyms"]).fill(label)
        page.get_by_label(words["purpose"], exact=True).fill(PURPOSE)
        page.get_by_role("button", name=words["send"]).click()
        page.get_by_role("link", name=words["open"]).click()
        is_sound()
        page.get_by_role("button", name=words["approve"]).click()
        page.get_by_role("button", name=words["take"]).click()
        page.get_by_role("button", name=words["show"]).click()
        expect(page.locator("#names td >> nth=1")).to_have_text(NAME)
        expect(page.locator("#names [data-outcome]")).to_be_focused()
        is_sound()
        page.clock.fast_forward(50_000)
        expect(page.locator("#names")).to_contain_text(NAME)
        page.clock.fast_forward(11_000)
        expect(page.locator("#names")).to_have_text(words["hidden"])
        expect(page.locator("#names [role=status]")).to_be_focused()
        assert NAME not in page.content()
        page.reload()
        assert NAME not in page.content()
        page.get_by_role("navigation").get_by_role("link", name=words["audit"]).click()
        expect(page.locator("tbody tr >> nth=0")).to_be_visible()
        page.get_by_role("button", name=words["check"]).click()
        expect(page.locator("#verified")).to_contain_text(words["whole"])
        page.locator("#action").fill("reveal")
        page.locator("#action").press("Enter")
        expect(page.locator("#events tbody code >> nth=0")).to_have_text("reveal")
        expect(page.locator("#events tbody tr >> nth=0")).to_contain_text(PURPOSE)
        assert NAME not in page.content()
        is_sound()
        for address in page.evaluate("performance.getEntries().map((one) => one.name)"):
            assert label not in address
            assert "inzage" not in address


def test_by_keyboard_alone_names_are_shown_and_hidden(visits: Visits) -> None:
    with visits.visitor(language="en") as one:
        label = _written(one.open("/text"))
        one.without_mouse()
        page = one.open("/reveal")
        keys = page.keyboard

        def tab_to(selector: str) -> None:
            one.tab_to("(selector) => document.activeElement.matches(selector)", selector, most=40)

        tab_to("#pseudonyms")
        keys.insert_text(label)
        tab_to("#purpose")
        keys.insert_text(PURPOSE)
        keys.press("Enter")
        expect(page.locator("#names")).to_contain_text(NAME)
        assert one.axe() == []
        tab_to("[data-hide-now]")
        keys.press("Enter")
        expect(page.locator("#names")).to_have_text("The names are hidden again.")
        assert NAME not in page.content()


def test_names_are_gone_when_the_page_is_left(visits: Visits) -> None:
    with visits.visitor(language="en") as one:
        label = _written(one.open("/text"))
        page = one.open("/reveal")
        page.fill("#pseudonyms", label)
        page.fill("#purpose", PURPOSE)
        page.get_by_role("button", name="Show the names").click()
        expect(page.locator("#names")).to_contain_text(NAME)
        page.get_by_role("navigation").get_by_role("link", name="Audit").click()
        expect(page.locator("tbody tr >> nth=0")).to_be_visible()  # else its requests would be cut off
        page.go_back()
        expect(page.locator("h1")).to_have_text("Names behind pseudonyms")
        assert NAME not in page.content()
