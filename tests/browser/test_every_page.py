"""Every page, as axe sees it: Dutch and English, light, dark, forced colours, and 320 pixels wide."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser

from pseudonymizer.desk.records import Principal
from pseudonymizer.web.app import make_routes, routes_of
from pseudonymizer.web.sessions import COOKIE
from tests.browser.conftest import Visits
from tests.pseudonymizer.web.accounts_served import account_service, logins_of
from tests.pseudonymizer.web.served import PROJECT, Service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed, ended, word

# What stands for the parts of a path that change.
PAGES: Final = (
    "/", "/text", "/workspaces", "/workspaces/{workspace:str}",
    "/workspaces/{workspace:str}/files/{file:str}", "/workspaces/{workspace:str}/people",
    "/workspaces/{workspace:str}/people/{person:str}", "/workspaces/{workspace:str}/check", "/restore",
    "/requests", "/requests/{number:int}", "/reveal", "/lookup", "/erase", "/projects",
    "/projects/{project:str}", "/roles", "/admin", "/audit", "/account", "/login", "/login/again",
)  # fmt: skip
OF_NOBODY: Final = ("/login",)
# Pieces of pages, files, and what sends the browser on.
NO_PAGES: Final = frozenset(
    {
        "/loaded", "/login/provider", "/login/back", "/static/{digest:str}/{name:str}", "/health", "/ready",
        "/workspaces/{workspace:str}/state", "/workspaces/{workspace:str}/jobs/{job:str}",
        "/workspaces/{workspace:str}/passage/{mention:str}",
    }
)  # fmt: skip
LOOKS: Final = {
    "nl-light": {"locale": "nl-NL", "color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "en-dark": {"locale": "en-GB", "color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "nl-narrow": {"locale": "nl-NL", "color_scheme": "dark", "viewport": {"width": 320, "height": 700}},
    "en-narrow": {"locale": "en-GB", "color_scheme": "light", "viewport": {"width": 320, "height": 700}},
    "nl-forced": {
        "locale": "nl-NL", "color_scheme": "dark", "forced_colors": "active",
        "viewport": {"width": 1280, "height": 900},
    },
    "en-forced": {
        "locale": "en-GB", "color_scheme": "light", "forced_colors": "active",
        "viewport": {"width": 320, "height": 700},
    },
}  # fmt: skip


@dataclass(frozen=True)
class Furnished:
    """A service with something on every page, for an account. places: by the part of a path."""

    service: Service
    principal: Principal
    places: dict[str, str]

    def path(self, template: str) -> str:
        return re.sub(r"\{(\w+):\w+\}", lambda found: self.places[found[1]], template)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    with account_service(tmp_path_factory.mktemp("every")) as made:
        assert made.front is not None
        logins = logins_of(made)
        account = next(one for one in logins.accounts.all() if one.name == "dirk")
        narrow = logins.principal(account)
        whole = Principal(
            narrow.key, narrow.actor, None, Principal("", "").verbs, is_session=True, account=narrow.account
        )
        session = made.front.sessions.begin(whole)
        with made.client(Cookie=f"{COOKIE}={session}", Origin=made.url) as client:
            yield Furnished(made, whole, _places(client))


def _places(client: httpx.Client) -> dict[str, str]:
    files = {
        "brieven/Jan Tolsma.docx": word("Jan Tolsma belde Els Mol.", "Op 06-12345678 en NL91ABNA0417164300."),
        "tweede.txt": "Jan Tolsma kwam niet.\r\n\u05d0\u05d1\u05d2 \U0001f44d Els Mol wel.".encode(),
        "kapot.pdf": b"%PDF-1.7 cut off",
    }
    place, ids = analysed(client, files)
    assert ended(client, client.post(f"{place}/runs", json={}))["state"] == "done"
    people = json_of(client.get(f"{place}/people"))["people"]
    written = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma belde."}]})
    label = str(json_of(written)["texts"][0]["mentions"][0]["label"])
    asked = {"pseudonyms": [label], "purpose": "klacht 7", "ticket": "88"}
    number = json_of(client.post("/api/v1/requests", json=asked))["number"]
    return {
        "workspace": place.rpartition("/")[2], "file": ids["brieven/Jan Tolsma.docx"], "number": str(number),
        "person": str(people[0]["person"]), "project": PROJECT,
    }  # fmt: skip


def test_every_page_of_the_service_is_in_this_table(furnished: Furnished) -> None:
    assert furnished.service.front is not None
    found = {
        path for path, method, _ in routes_of(make_routes(furnished.service.front))
        if method == "GET" and not path.startswith("/api/")
    }  # fmt: skip
    assert found - NO_PAGES == set(PAGES)


@pytest.mark.parametrize("look", list(LOOKS))
def test_axe_finds_nothing_on_any_page(browser: Browser, furnished: Furnished, look: str) -> None:
    visits = Visits(browser, furnished.service)
    options: dict[str, Any] = dict(LOOKS[look])
    language = str(options.pop("locale"))[:2]
    found: dict[str, list[str]] = {}
    with visits.visitor(language=language, principal=furnished.principal, **options) as one:
        for template in (*PAGES, "/nowhere"):
            if template in OF_NOBODY:
                continue
            page = one.open(furnished.path(template))
            assert page.evaluate("document.documentElement.lang") == language
            found[template] = one.axe()
            if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                found[template].append("the page is wider than the window")
        one.page.context.clear_cookies()
        for template in OF_NOBODY:
            one.open(furnished.path(template))
            found[template] = one.axe()
        one.wrong[:] = [line for line in one.wrong if "status of 404" not in line]
    assert {path: told for path, told in found.items() if told} == {}
