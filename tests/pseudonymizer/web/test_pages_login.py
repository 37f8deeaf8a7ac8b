"""Login by password: who gets in, what ends his session, and what takes a recent login."""

from collections.abc import Iterator

import pytest

from pseudonymizer.policy import Role
from pseudonymizer.web.sessions import COOKIE, RECENT_SECONDS
from tests.pseudonymizer.web.accounts_served import WORDS, account_service, log_in, session_of
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import PROJECT, Service, json_of


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with account_service(tmp_path_factory.mktemp("login")) as made:
        yield made


@pytest.fixture
def browser(served: Service) -> Browser:
    return Browser(served)


@pytest.mark.parametrize(
    ("name", "password", "status"),
    [
        ("anna", WORDS, 303),
        ("anna", WORDS.upper(), 401),
        ("anna", f"{WORDS} ", 401),
        ("anna", "", 401),
        ("dirk", "x" * 5000, 401),
        ("none", WORDS, 401),
        ("", "", 401),
        ("nobody", WORDS, 403),  # the map has nothing for it
    ],
)
def test_name_and_password_get_in_and_nothing_else_does(
    browser: Browser, name: str, password: str, status: int
) -> None:
    answer = browser.post("/login", {"name": name, "password": password, "back": "https://evil.example/"})
    assert answer.status_code == status, answer.text
    assert (COOKIE in browser.cookies) == (status == 303)
    if status == 303:
        assert answer.headers["location"] == "/"
    assert not password or password not in answer.text


def test_who_is_not_logged_in_is_led_to_the_login_and_back(browser: Browser) -> None:
    answer = browser.get("/workspaces")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?back=%2Fworkspaces")
    assert 'name="back" value="/workspaces"' in browser.get("/login?back=/workspaces").text
    assert 'value="/"' in browser.get("/login?back=//evil.example").text
    assert browser.get("/api/v1/styles", Accept="application/json").status_code == 401
    assert "/login" in browser.get("/").text
    fragment = browser.post("/text/pseudonymized", {"text": "x"}, **{"HX-Request": "true"})
    assert fragment.status_code == 401
    assert "/login?back=%2F" in fragment.text
    assert log_in(browser, "anna", back="/workspaces") == 303
    assert browser.get("/workspaces").status_code == 200


def test_another_site_cannot_log_somebody_in(browser: Browser) -> None:
    answer = browser.post("/login", {"name": "anna", "password": WORDS}, **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert COOKIE not in browser.cookies


def test_the_vault_decides_by_its_roles_too(served: Service, browser: Browser) -> None:
    assert log_in(browser, "dirk") == 303
    given = {"account": "web:anna", "role": "auditor", "do": "give"}
    assert browser.post("/roles/changed", given).status_code == 200
    try:
        other = Browser(served)
        assert log_in(other, "anna") == 303
        refused = other.post("/text/pseudonymized", {"text": "Jan Tolsma belde."})
        assert refused.status_code == 403  # the map has it, the vault has not
        assert "Access is refused" in refused.text
    finally:
        with served.open_vault("web:dirk") as vault:
            vault.give_role("tester", Role.DPO)
            vault.give_role("web:anna", Role.ANALYST)
            vault.commit()
            events = [one for one in vault.audit_events() if one.action == "role.give"]
            assert {one.actor for one in events} == {"web:dirk"}
            vault.rollback()


def test_a_login_makes_a_new_session_and_logging_out_ends_it(served: Service, browser: Browser) -> None:
    browser.cookies[COOKIE] = "chosen by somebody else"
    assert log_in(browser, "anna") == 303
    first = browser.cookies[COOKIE]
    assert first != "chosen by somebody else"
    assert log_in(browser, "anna") == 303
    assert browser.cookies[COOKIE] != first
    assert served.front is not None
    assert served.front.sessions.of(first) is None
    answer = browser.send("DELETE", "/api/v1/session", {"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 204
    assert "cookies" in answer.headers["clear-site-data"]
    assert browser.get("/account").status_code == 303


def test_to_reveal_erase_and_give_roles_takes_a_recent_login(served: Service, browser: Browser) -> None:
    assert log_in(browser, "dirk") == 303
    told = {"pseudonyms": "PERSOON-7KQM3", "purpose": "test", "project": PROJECT}
    asked = {
        "/reveal/names": told, "/erase/done": told | {"sure": "yes"}, "/requests/1/names": {"grant": "x"},
        "/roles/changed": {"account": "web:eva", "role": "analyst", "do": "give"},
    }  # fmt: skip
    session_of(served, browser).proved -= RECENT_SECONDS + 1
    for path, fields in asked.items():
        answer = browser.post(path, fields, Referer=f"{served.url}/reveal")
        assert answer.status_code == 403, path
        assert "Log in once more" in answer.text
    body = {"pseudonyms": ["PERSOON-7KQM3"], "purpose": "test", "project": PROJECT}
    answer = browser.send("POST", "/api/v1/reveals", {"Sec-Fetch-Site": "same-origin"}, json=body)
    assert json_of(answer)["type"] == "urn:nymlink:problem:login-again"
    assert browser.get("/erase").status_code == 200  # looking at the form takes none
    assert "Show once more" in browser.get("/login/again?back=/erase").text
    again = {"password": "wrong wrong wrong", "back": "/erase"}
    assert browser.post("/login/again", again).status_code == 401
    answer = browser.post("/login/again", again | {"password": WORDS})
    assert (answer.status_code, answer.headers["location"]) == (303, "/erase")
    for path, fields in asked.items():
        assert "Log in once more" not in browser.post(path, fields).text, path


def test_a_front_without_accounts_has_no_login(fake: Service) -> None:
    browser = Browser(fake)
    for path in ("/login", "/login/provider", "/login/back"):
        assert browser.get(path).status_code == 404
    assert browser.post("/login", {"name": "a", "password": "b"}).status_code == 404
