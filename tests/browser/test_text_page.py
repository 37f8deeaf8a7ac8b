"""The story of /text, by mouse and by keyboard alone, in both languages, light and dark."""

import hashlib
import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AXE, Visits
from tests.pseudonymizer.web.served import Service

TEXT: Final = (
    "Jan Tolsma belde met Els Douma.\nEls Douma \U0001f44d mailt els.douma@ziggo.nl & belt 06-12345678.\n\n"
    "<b>Jan Tolsma</b> kende haar al."
)
WORDS: Final = {
    "nl": ("Pseudoniemen schrijven", "Namen terughalen", "6 vermeldingen: 2 personen, 2 andere gegevens."),
    "en": ("Write pseudonyms", "Give names back", "6 mentions: 2 persons, 2 other values."),
}
_LABEL: Final = re.compile(r"PERSOON-\w+")


def _labels(page: Page) -> list[str]:
    return _LABEL.findall(page.inner_text("[data-view=after]"))


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_mouse(visits: Visits, language: str, scheme: str) -> None:
    write, give_back, outcome = WORDS[language]
    with visits.visitor(
        language=language, color_scheme=scheme, viewport={"width": 1200, "height": 900}
    ) as one:
        page = one.open("/")
        assert one.axe() == []
        page.click("nav a")
        expect(page.locator("h1")).to_have_text({"nl": "Tekst", "en": "Text"}[language])
        page.click("summary >> nth=0")
        assert one.axe() == []
        page.fill("#text", TEXT)
        page.click(f"text={write}")
        expect(page.locator("#written [data-outcome]")).to_have_text(re.compile(re.escape(outcome[:6])))
        assert " ".join(page.inner_text("#written [data-outcome]").split()) == outcome
        assert one.axe() == []
        labels = _labels(page)
        assert labels[0] == labels[4]
        assert labels[1] == labels[2] != labels[0]
        page.click("[data-view=before] .m >> nth=0")
        assert page.locator(".m.same").count() == 4  # twice in either text
        expect(page.locator("#written [data-told]")).to_contain_text("Jan Tolsma")
        page.click("[data-show-kind=PHONE]")
        assert page.locator(".m.off").count() == 2
        page.fill("#answer", f"Bel {labels[0]}, niet PERSOON-7KQN3.")
        page.fill("#purpose", "zaak 12")
        page.click(f"text={give_back}")
        expect(page.locator("[data-view=restored]")).to_contain_text("Bel Jan Tolsma, niet PERSOON-7KQN3.")
        expect(page.locator("#restored bdi")).to_have_text(["PERSOON-7KQN3"])
        assert one.axe() == []
        assert page.get_attribute("[data-view=before]", "lang") == "nl"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_by_keyboard_alone(visits: Visits) -> None:
    with visits.visitor(language="nl") as one:
        one.without_mouse()
        page = one.open("/text")
        keys = page.keyboard

        def tab_to(selector: str) -> None:
            one.tab_to("(selector) => document.activeElement.matches(selector)", selector, most=40)

        def focused() -> str:
            return str(page.evaluate("document.activeElement.textContent"))

        tab_to("#text")
        keys.insert_text(TEXT)
        tab_to("#text ~ p button, button.main")
        keys.press("Enter")
        page.wait_for_selector("[data-view=after]")
        expect(page.locator("#written [data-outcome]")).to_be_focused()
        tab_to("[data-view=before] .m")
        assert focused() == "Jan Tolsma"
        keys.press("ArrowRight")
        keys.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('.line').dataset.start") == "32"
        keys.press("End")
        assert focused() == "Jan Tolsma"
        keys.press("ArrowRight")
        assert focused() == "Jan Tolsma"
        keys.press("Enter")
        assert page.locator(".m.same").count() == 4
        assert page.get_attribute("[data-view=before] .m[tabindex='0']", "aria-pressed") == "true"
        keys.press("Escape")
        assert page.locator(".m.same").count() == 0
        keys.press("Tab")
        assert page.evaluate("document.activeElement.closest('[data-view]').dataset.view") == "after"
        assert page.locator("[data-view=before] .m[tabindex='0']").count() == 1
        label = focused()
        tab_to("[data-copy=after]")
        tab_to("#answer")
        keys.insert_text(f"Groet aan {label}.")
        tab_to("#purpose")
        keys.insert_text("zaak 12")
        keys.press("Enter")
        expect(page.locator("[data-view=restored]")).to_have_text("Groet aan Jan Tolsma.")


def test_narrow_and_in_forced_colours(visits: Visits) -> None:
    for options in (
        {"viewport": {"width": 320, "height": 700}},
        {"viewport": {"width": 1200, "height": 900}, "forced_colors": "active", "reduced_motion": "reduce"},
    ):
        with visits.visitor(**options) as one:
            page = one.open("/text")
            page.fill("#text", TEXT)
            page.click("button.main >> nth=0")
            page.wait_for_selector("[data-view=after]")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            border = "getComputedStyle(document.querySelector('[data-view=before] .m')).borderTopStyle"
            assert page.evaluate(border) == ("solid" if "forced_colors" in options else "none")
            assert one.axe() == []


def test_errors_are_said_in_words(visits: Visits, served: Service) -> None:
    with visits.visitor(language="nl") as one:
        page = one.open("/text")
        page.fill("#text", "Jan Tolsma belde.")
        page.click("summary >> nth=0")
        page.select_option("#style", "mask")
        page.click("button.main >> nth=0")
        page.wait_for_selector("#written [data-outcome]")
        page.evaluate("document.querySelector('#purpose').required = false")
        page.fill("#answer", "Bel PERSOON-7KQM3.")
        page.click("button.main >> nth=1")
        expect(page.locator("#restored .problem h3")).to_have_text("Het doel ontbreekt")
        assert one.axe() == []
        page.click("[data-logout]")
        expect(page.locator("#state")).to_contain_text("Niemand is aangemeld")
        assert one.axe() == []
        page.goto(f"{served.url}/text")
        expect(page.locator("h1")).to_have_text("U bent niet aangemeld")
        # Chromium writes each refused request into the console; nothing else may stand there.
        # That of the logout counts as cut off at times: its page goes as soon as the answer begins.
        allowed = re.compile(
            r"status of (401|403|422)|console info: Clear-Site-Data header|^failed: \S+/api/v1/session$"
        )
        one.wrong[:] = [line for line in one.wrong if not allowed.search(line)]


def test_language_and_theme_are_switched_and_kept(visits: Visits) -> None:
    with visits.visitor(language="nl", color_scheme="light") as one:
        page = one.open("/text")
        page.click("form[action='/language'] button")
        expect(page.locator("h1")).to_have_text("Text")
        assert page.url.endswith("/text")
        background = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(background)
        page.click("[data-theme-switch]")
        dark = page.evaluate(background)
        assert dark != light
        page.reload()
        assert page.evaluate(background) == dark
        assert page.evaluate("Object.keys(localStorage)") == ["theme"]
        assert page.evaluate("Object.keys(sessionStorage)") == []
        assert page.get_attribute("html", "lang") == "en"


def test_the_one_time_code_opens_a_session_and_leaves_the_address(visits: Visits, served: Service) -> None:
    assert served.front is not None
    assert served.front.code is not None
    context = visits.browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{served.url}/#{served.front.code.code}")
    page.wait_for_selector("nav a")
    assert page.url == f"{served.url}/"
    assert page.evaluate("history.length") <= 2
    context.close()


def test_axe_is_as_it_came() -> None:
    digest = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
    assert hashlib.sha256(AXE.encode()).hexdigest() == digest
