"""One Chromium, and a service with a fake pipeline, for these tests; what a page did wrong is told."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pseudonymizer.desk.records import Principal
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import COOKIE
from tests.pseudonymizer.web.served import Service, fake_service

EXPECTED_WITHIN: Final = 30_000  # milliseconds until a page shows what a test expects; a busy machine is slow
AXE: Final = (Path(__file__).parent / "axe-4.14.1.min.js").read_text(encoding="utf-8")
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")

expect.set_options(timeout=EXPECTED_WITHIN)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class Visitor:
    """A page of a browser profile of its own. wrong: what a console, a policy or a foreign request told."""

    page: Page
    url: str
    wrong: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.url}{path}")
        return self.page

    def without_mouse(self) -> None:
        """From the next page on, a script that uses the mouse fails."""
        self.page.add_init_script(
            "for (const name of ['mousedown', 'pointerdown', 'touchstart'])"
            " addEventListener(name, () => { throw new Error('mouse'); }, true);"
        )

    def tab_to(self, is_there: str, wanted: str, *, most: int) -> None:
        """Press Tab until the function is_there, in JavaScript, is true of wanted, at most so many times."""
        for _ in range(most):
            if self.page.evaluate(is_there, wanted):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"Tab does not come to {wanted}")

    def axe(self) -> list[str]:
        """What axe finds on the page as it is."""
        self.page.evaluate(AXE)
        found = self.page.evaluate("axe.run()")["violations"]
        return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@dataclass
class Visits:
    """Makes visitors, each with a session of its own."""

    browser: Browser
    service: Service

    @contextmanager
    def visitor(
        self, *, language: str = "nl", principal: Principal | None = None, **options: Any
    ) -> Iterator[Visitor]:
        """A logged-in visitor, as who started the service or as a principal; it fails at the end where
        anything went wrong in his page.
        """
        assert self.service.front is not None
        whose = principal or Principal("local", "tester", is_session=True)
        session = self.service.front.sessions.begin(whose)
        context = self.browser.new_context(locale={"nl": "nl-NL", "en": "en-GB"}[language], **options)
        host = self.service.url.partition("://")[2].partition(":")[0]
        context.add_cookies(
            [{
                "name": COOKIE, "value": session, "domain": host, "path": "/", "secure": True,
                "httpOnly": True, "sameSite": "Strict",
            }]
        )  # fmt: skip
        made = Visitor(context.new_page(), self.service.url)
        _watch(made, context)
        try:
            yield made
        except Exception as error:
            error.add_note(f"The page {made.page.url} showed:\n{_shown(made.page)}\nWrong: {made.wrong}")
            raise
        finally:
            context.close()
        assert made.wrong == []


def _shown(page: Page) -> str:
    """The text of a page, or why it cannot be had."""
    try:
        return page.locator("body").inner_text(timeout=2_000)
    except PlaywrightError as error:
        return f"not to be read: {error}"


def _watch(made: Visitor, context: BrowserContext) -> None:
    page = made.page
    page.on("console", lambda message: made.wrong.append(f"console {message.type}: {message.text}"))
    page.on("pageerror", lambda error: made.wrong.append(f"error: {error}"))
    page.on("requestfailed", lambda request: made.wrong.append(f"failed: {request.url}"))

    def at(request: Any) -> None:
        if not request.url.startswith((f"{made.url}/", "blob:")):
            made.wrong.append(f"to another origin: {request.url}")

    context.on("request", at)
    context.add_init_script(
        "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective))"
    )


def chromium() -> str | None:
    """Where Chromium is; None where there is none."""
    return next((place for name in _NAMES if (place := shutil.which(name)) is not None), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None:
        pytest.skip("no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with fake_service(tmp_path_factory.mktemp("browser")) as made:
        assert made.front is not None
        made.front.reveals = Rates(1_000)  # all tests are one account, and ask for more names in a minute
        yield made


@pytest.fixture(scope="session")
def visits(browser: Browser, served: Service) -> Visits:
    return Visits(browser, served)
