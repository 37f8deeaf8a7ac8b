"""The page of accounts: who there is, what the map gives, and the end of somebody's sessions."""

from collections.abc import Iterator

import pytest

from pseudonymizer.web.sessions import RECENT_SECONDS
from tests.pseudonymizer.web.accounts_served import account_service, log_in, logins_of, session_of
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import Service


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with account_service(tmp_path_factory.mktemp("admin")) as made:
        yield made


@pytest.fixture
def manager(served: Service) -> Browser:
    made = Browser(served)
    assert log_in(made, "dirk") == 303
    return made


def test_accounts_and_the_map_are_shown_to_whoever_manages(served: Service, manager: Browser) -> None:
    logins_of(served).accounts.end("gone")
    shown = manager.get("/admin").text
    for told in ("anna", "dirk", "nobody", "gone", "ended", "in use", "study-13", "every project", "analyst"):
        assert told in shown, told
    assert 'href="/admin"' in manager.get("/text").text
    other = Browser(served)
    assert log_in(other, "anna") == 303
    assert other.get("/admin").status_code == 403
    assert 'href="/admin"' not in other.get("/text").text
    assert Browser(served).get("/admin").status_code == 303


def test_the_sessions_of_an_account_are_ended(served: Service, manager: Browser) -> None:
    account = next(one for one in logins_of(served).accounts.all() if one.name == "anna")
    manager.post("/admin/sessions/ended", {"account": account.account_id})  # those of other tests
    anna = [Browser(served) for _ in range(2)]
    for one in anna:
        assert log_in(one, "anna") == 303
    assert anna[0].post("/admin/sessions/ended", {"account": account.account_id}).status_code == 403
    answer = manager.post("/admin/sessions/ended", {"account": account.account_id})
    assert "2 sessions have ended." in answer.text
    assert [one.get("/text").status_code for one in anna] == [303, 303]
    assert manager.get("/admin").status_code == 200
    assert "0 sessions have ended." in manager.post("/admin/sessions/ended", {"account": "a0"}).text
    assert log_in(anna[0], "anna") == 303


def test_to_end_sessions_takes_a_recent_login(served: Service, manager: Browser) -> None:
    session_of(served, manager).proved -= RECENT_SECONDS + 1
    answer = manager.post("/admin/sessions/ended", {"account": "a0"})
    assert answer.status_code == 403
    assert "Log in once more" in answer.text
    assert manager.get("/admin").status_code == 200
