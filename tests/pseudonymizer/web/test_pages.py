"""Pages: headers on each, nothing from another origin, no style or script inside, languages, errors."""

import re
from html.parser import HTMLParser

import pytest

from pseudonymizer.policy import Verb
from pseudonymizer.web.door import HEADERS
from pseudonymizer.web.static_files import STATIC
from tests.pseudonymizer.web.served import Service

PAGES = (
    "/",
    "/text",
    "/workspaces",
    "/requests",
    "/reveal",
    "/lookup",
    "/audit",
    "/restore",
    "/erase",
    "/projects",
    "/nowhere",
)
HTML = {"Accept": "text/html"}


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, str] = {}
        self._last = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._last = tag
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.inside[self._last] = self.inside.get(self._last, "") + data


def _pages(fake: Service) -> dict[str, str]:
    """Every page by its path, as somebody who may all sees it, and with a token that is dead."""
    with fake.client(fake.token(*Verb), **HTML) as client:
        found = {path: client.get(path) for path in PAGES}
    with fake.client(**HTML) as client:
        found |= {f"{path} of nobody": client.get(path) for path in PAGES}
    for answer in found.values():
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert answer.headers["content-type"].startswith("text/html")
    return {path: answer.text for path, answer in found.items()}


def test_every_page_has_all_headers_and_nothing_inside_or_from_elsewhere(fake: Service) -> None:
    assert "unsafe" not in HEADERS["content-security-policy"]
    for path, page in _pages(fake).items():
        tags = _Tags(page)
        assert tags.found, path
        for tag, attributes in tags.found:
            assert tag not in ("style", "base", "iframe", "object"), path
            assert not [name for name in attributes if name.startswith(("on", "hx-on")) or name == "style"]
            for name in ("src", "href", "action", "hx-post", "hx-get"):
                assert (attributes.get(name) or "/").startswith(("/", "#")), (path, attributes)
            assert not any("js:" in (value or "") for value in attributes.values())
            if tag == "script" or attributes.get("rel") == "stylesheet":
                assert (attributes.get("integrity") or "").startswith("sha384-"), path
        assert not tags.inside.get("script", "").strip(), path
        assert "http:" not in page
        assert "https:" not in page


def test_every_static_file_of_a_page_is_there_for_ever(fake: Service) -> None:
    addresses = {one for page in _pages(fake).values() for one in re.findall(r'"(/static/[^"]+)"', page)}
    assert len(addresses) >= 6
    with fake.client() as client:
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["x-content-type-options"] == "nosniff"
        for other in (f"/static/{STATIC.digest}/none.js", "/static/0000000000000000/frame.js"):
            assert client.get(other).status_code == 404
        assert client.get(f"/static/{STATIC.digest}/SOURCE.md").status_code == 404


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({"Accept-Language": "nl-NL,nl;q=0.9,en;q=0.8"}, "nl"),
        ({"Accept-Language": "de,en;q=0.5,nl;q=0.4"}, "en"),
        ({"Accept-Language": "fr"}, "en"),
        ({}, "en"),
        ({"Accept-Language": "en", "Cookie": "__Host-nymlink-language=nl"}, "nl"),
        ({"Accept-Language": "nl", "Cookie": "__Host-nymlink-language=xx"}, "nl"),
    ],
)
def test_the_language_is_that_of_the_cookie_else_of_the_browser(
    fake: Service, headers: dict[str, str], language: str
) -> None:
    with fake.client(**headers) as client:
        answer = client.get("/")
    assert f'<html lang="{language}">' in answer.text
    assert answer.headers["content-language"] == language


@pytest.mark.parametrize(
    ("back", "to"),
    [
        ("/text", "/text"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\r\nSet-Cookie: a=b", "/"),
        ("", "/"),
    ],
)
def test_the_language_is_kept_and_the_reader_stays_where_he_was(fake: Service, back: str, to: str) -> None:
    with fake.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        answer = client.post("/language", data={"language": "nl", "back": back})
    assert answer.status_code == 303
    assert answer.headers["location"] == to
    sent = answer.headers["set-cookie"]
    assert sent.startswith("__Host-nymlink-language=nl;")
    assert all(word in sent for word in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"))


def test_another_site_does_not_choose_the_language(fake: Service) -> None:
    with fake.client(**{"Sec-Fetch-Site": "cross-site"}) as client:
        answer = client.post("/language", data={"language": "nl"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_an_unknown_language_is_not_kept(fake: Service) -> None:
    with fake.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        answer = client.post("/language", data={"language": "xx"})
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers


def test_whether_the_model_is_loaded_is_told(fake: Service) -> None:
    with fake.client() as client:
        assert client.get("/loaded").json() == {"is_ready": True}


def test_a_program_gets_problems_and_a_browser_pages(fake: Service) -> None:
    with fake.client() as client:
        assert client.get("/nowhere").headers["content-type"] == "application/problem+json"
        assert (
            client.get("/api/v1/nowhere", headers=HTML).headers["content-type"] == "application/problem+json"
        )
        page = client.get("/nowhere", headers={**HTML, "Accept-Language": "nl"})
    assert page.status_code == 404
    assert "Deze pagina bestaat niet" in page.text
