"""The page of an account: its project, its sessions, its password."""

from collections.abc import Iterator

import pytest

from pseudonymizer.desk.role_map import Allowed, RoleMap
from pseudonymizer.policy import Role
from pseudonymizer.web.sessions import COOKIE
from tests.pseudonymizer.web.accounts_served import MAP, WORDS, account_service, log_in, logins_of, session_of
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import PROJECT, Service, json_of


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with account_service(tmp_path_factory.mktemp("login")) as made:
        yield made


@pytest.fixture
def browser(served: Service) -> Browser:
    return Browser(served)


def test_an_account_has_the_verbs_of_its_roles_in_one_project_at_a_time(
    served: Service, browser: Browser
) -> None:
    assert log_in(browser, "anna") == 303
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


def test_sessions_are_listed_and_ended(served: Service, browser: Browser) -> None:
    others = [Browser(served) for _ in range(3)]
    for one in (browser, *others):
        assert log_in(one, "dirk") == 303
    page = browser.get("/account").text
    assert page.count("this one") == 1
    assert browser.cookies[COOKIE] not in page
    assert served.front is not None
    name = session_of(served, others[0]).name
    assert name in page
    answer = browser.post("/account/sessions/ended", {"session": name})
    assert "1 session has ended." in answer.text
    assert [one.get("/account").status_code for one in others] == [303, 200, 200]
    assert log_in(others[0], "anna") == 303
    browser.post("/account/sessions/ended", {"session": session_of(served, others[0]).name})  # another one's
    assert others[0].get("/account").status_code == 200
    assert "sessions have ended" in browser.post("/account/sessions/ended", {"session": ""}).text
    assert [one.get("/account").status_code for one in others] == [200, 303, 303]
    assert browser.get("/account").status_code == 200


def test_sessions_end_with_the_account_and_with_its_password(served: Service, browser: Browser) -> None:
    other = Browser(served)
    for one in (browser, other):
        assert log_in(one, "dirk") == 303
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
    assert log_in(other, "dirk") == 401
    assert log_in(other, "dirk", new) == 303
    logins_of(served).accounts.set_password("dirk", WORDS)  # as the command does
    assert browser.get("/account").status_code == 303
    accounts = logins_of(served).accounts
    logins_of(served).roles = RoleMap(
        allow=(*MAP.allow, Allowed(account="gone", roles=(Role.ANALYST,), projects=("*",)))
    )
    assert log_in(browser, "gone") == 303
    accounts.end("gone")
    assert browser.get("/account").status_code == 303
    assert log_in(browser, "gone") == 401
