"""Login by password: who gets in, what he may, when his session ends, and what takes a recent login."""

from collections.abc import Iterator

import pytest

from pseudonymizer.desk.accounts import Accounts
from pseudonymizer.desk.role_map import Allowed, RoleMap
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.policy import Role
from pseudonymizer.web.logins import TRIES_A_MINUTE, Logins
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import COOKIE, RECENT_SECONDS, Session
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

WORDS = "vier woorden voor Anna"
MAP = RoleMap(
    allow=(
        Allowed(account="anna", roles=(Role.ANALYST,), projects=(PROJECT, "study-13")),
        Allowed(account="anna", roles=(Role.AUDITOR,), projects=("study-13",)),
        Allowed(account="dirk", roles=(Role.DPO, Role.REQUESTER), projects=("*",)),
    )
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    def make_logins(store: DeskStore, url: str) -> Logins:
        del url
        accounts = Accounts(store)
        for name in ("anna", "dirk", "nobody", "gone"):
            accounts.create(name, WORDS)
        return Logins(accounts, MAP)

    with fake_service(tmp_path_factory.mktemp("login"), make_logins=make_logins) as made:
        yield made


@pytest.fixture(autouse=True)
def _many_tries(served: Service) -> None:
    logins_of(served)._tries = Rates(1000)
    logins_of(served)._of_account = Rates(1000)


def logins_of(served: Service) -> Logins:
    assert served.front is not None
    assert served.front.logins is not None
    return served.front.logins


@pytest.fixture
def browser(served: Service) -> Browser:
    return Browser(served)


def _log_in(browser: Browser, name: str, password: str = WORDS, back: str = "/text") -> int:
    return browser.post("/login", {"name": name, "password": password, "back": back}).status_code


def _session(served: Service, browser: Browser) -> Session:
    assert served.front is not None
    found = served.front.sessions.session(browser.cookies[COOKIE])
    assert found is not None
    return found


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
    assert _log_in(browser, "anna", back="/workspaces") == 303
    assert browser.get("/workspaces").status_code == 200


def test_another_site_cannot_log_somebody_in(browser: Browser) -> None:
    answer = browser.post("/login", {"name": "anna", "password": WORDS}, **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert COOKIE not in browser.cookies


def test_tries_are_counted(served: Service, browser: Browser) -> None:
    logins_of(served)._tries = Rates(TRIES_A_MINUTE)
    for _ in range(TRIES_A_MINUTE):
        assert _log_in(browser, "anna", "wrong password") == 401
    answer = browser.post("/login", {"name": "anna", "password": WORDS})
    assert answer.status_code == 429  # the right one, too: trying tells nothing
    assert int(answer.headers["retry-after"]) > 0
    assert _log_in(browser, "dirk") == 303
    logins_of(served)._tries = Rates(1000)
    logins_of(served)._of_account = Rates(1)
    assert _log_in(browser, "anna") == 303
    assert _log_in(browser, "anna") == 429


def test_an_account_has_the_verbs_of_its_roles_in_one_project_at_a_time(
    served: Service, browser: Browser
) -> None:
    assert _log_in(browser, "anna") == 303
    told = json_of(browser.get("/api/v1/session"))
    assert (told["actor"], told["project"]) == ("web:anna", PROJECT)
    for path, status in (("/text", 200), ("/erase", 403), ("/roles", 403), ("/lookup", 403)):
        assert browser.get(path).status_code == status, path
    fields = {"text": "Jan Tolsma belde.", "project": "study-13"}
    assert browser.post("/text/pseudonymized", fields).status_code == 404
    assert "study-13" in browser.get("/account").text
    assert browser.post("/account/project", {"project": "=study-13"}).status_code == 303
    assert json_of(browser.get("/api/v1/session"))["project"] == "study-13"
    for other in ("*", "=study-99", "=", ""):
        browser.post("/account/project", {"project": other})
        assert json_of(browser.get("/api/v1/session"))["project"] == "study-13"
    with served.open_vault() as vault:
        assert "web:anna" not in {one for one, _ in vault.stored_roles()}
        vault.rollback()


def test_the_vault_decides_by_its_roles_too(served: Service, browser: Browser) -> None:
    assert _log_in(browser, "dirk") == 303
    given = {"account": "web:anna", "role": "auditor", "do": "give"}
    assert browser.post("/roles/changed", given).status_code == 200
    try:
        other = Browser(served)
        assert _log_in(other, "anna") == 303
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


def test_sessions_are_listed_and_ended(served: Service, browser: Browser) -> None:
    others = [Browser(served) for _ in range(3)]
    for one in (browser, *others):
        assert _log_in(one, "dirk") == 303
    page = browser.get("/account").text
    assert page.count("this one") == 1
    assert browser.cookies[COOKIE] not in page
    assert served.front is not None
    name = _session(served, others[0]).name
    assert name in page
    answer = browser.post("/account/sessions/ended", {"session": name})
    assert "1 session has ended." in answer.text
    assert [one.get("/account").status_code for one in others] == [303, 200, 200]
    assert _log_in(others[0], "anna") == 303
    browser.post("/account/sessions/ended", {"session": _session(served, others[0]).name})  # another one's
    assert others[0].get("/account").status_code == 200
    assert "sessions have ended" in browser.post("/account/sessions/ended", {"session": ""}).text
    assert [one.get("/account").status_code for one in others] == [200, 303, 303]
    assert browser.get("/account").status_code == 200


def test_a_login_makes_a_new_session_and_logging_out_ends_it(served: Service, browser: Browser) -> None:
    browser.cookies[COOKIE] = "chosen by somebody else"
    assert _log_in(browser, "anna") == 303
    first = browser.cookies[COOKIE]
    assert first != "chosen by somebody else"
    assert _log_in(browser, "anna") == 303
    assert browser.cookies[COOKIE] != first
    assert served.front is not None
    assert served.front.sessions.of(first) is None
    answer = browser.send("DELETE", "/api/v1/session", {"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 204
    assert "cookies" in answer.headers["clear-site-data"]
    assert browser.get("/account").status_code == 303


def test_sessions_end_with_the_account_and_with_its_password(served: Service, browser: Browser) -> None:
    other = Browser(served)
    for one in (browser, other):
        assert _log_in(one, "dirk") == 303
    new = "andere vier woorden"
    for fields, told in (
        ({"password": "wrong wrong wrong", "new": new, "again": new}, "The present password is wrong."),
        ({"password": WORDS, "new": new, "again": "else"}, "The two new passwords differ."),
        ({"password": WORDS, "new": "short", "again": "short"}, "at least 12 characters"),
    ):
        assert told in browser.post("/account/password", fields).text
        assert other.get("/account").status_code == 200
    answer = browser.post("/account/password", {"password": WORDS, "new": new, "again": new})
    assert "The password is changed" in answer.text
    assert browser.get("/account").status_code == 200
    assert other.get("/account").status_code == 303
    assert _log_in(other, "dirk") == 401
    assert _log_in(other, "dirk", new) == 303
    logins_of(served).accounts.set_password("dirk", WORDS)  # as the command does
    assert browser.get("/account").status_code == 303
    accounts = logins_of(served).accounts
    logins_of(served).roles = RoleMap(
        allow=(*MAP.allow, Allowed(account="gone", roles=(Role.ANALYST,), projects=("*",)))
    )
    assert _log_in(browser, "gone") == 303
    accounts.end("gone")
    assert browser.get("/account").status_code == 303
    assert _log_in(browser, "gone") == 401


def test_to_reveal_erase_and_give_roles_takes_a_recent_login(served: Service, browser: Browser) -> None:
    assert _log_in(browser, "dirk") == 303
    told = {"pseudonyms": "PERSOON-7KQM3", "purpose": "test", "project": PROJECT}
    asked = {
        "/reveal/names": told, "/erase/done": told | {"sure": "yes"}, "/requests/1/names": {"grant": "x"},
        "/roles/changed": {"account": "web:eva", "role": "analyst", "do": "give"},
    }  # fmt: skip
    _session(served, browser).proved -= RECENT_SECONDS + 1
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
