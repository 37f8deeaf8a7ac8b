"""How often one may try to log in, and whom an account stands for."""

from collections.abc import Iterator

import pytest

from pseudonymizer.policy import MATRIX, Role
from pseudonymizer.web.logins import TRIES_A_MINUTE, session_cookie
from pseudonymizer.web.problems import ProblemError
from pseudonymizer.web.rates import Rates
from tests.pseudonymizer.web.accounts_served import WORDS, account_service, log_in, logins_of
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import Service


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with account_service(tmp_path_factory.mktemp("login")) as made:
        yield made


@pytest.fixture
def browser(served: Service) -> Browser:
    return Browser(served)


def test_tries_are_counted(served: Service, browser: Browser) -> None:
    logins_of(served)._tries = Rates(TRIES_A_MINUTE)
    for _ in range(TRIES_A_MINUTE):
        assert log_in(browser, "anna", "wrong password") == 401
    answer = browser.post("/login", {"name": "anna", "password": WORDS})
    assert answer.status_code == 429  # the right one, too: trying tells nothing
    assert int(answer.headers["retry-after"]) > 0
    assert log_in(browser, "dirk") == 303
    logins_of(served)._tries = Rates(1000)
    logins_of(served)._of_account = Rates(1)
    assert log_in(browser, "anna") == 303
    assert log_in(browser, "anna") == 429


def test_an_account_stands_for_a_caller_with_the_rights_of_a_project(served: Service) -> None:
    logins = logins_of(served)
    accounts = {one.name: one for one in logins.accounts.all()}
    made = logins.principal(accounts["anna"], (), "study-13")
    assert (made.actor, made.project, made.is_session) == ("web:anna", "study-13", True)
    assert made.verbs == MATRIX[Role.ANALYST] | MATRIX[Role.AUDITOR]
    assert "anna" not in made.key  # it stands in the log
    assert logins.principal(accounts["dirk"]).project is None
    for name, project in (("nobody", ""), ("anna", None), ("anna", "study-99")):
        with pytest.raises(ProblemError, match="no-rights"):
            logins.principal(accounts[name], (), project)


def test_the_cookie_of_a_session_is_for_this_service_alone() -> None:
    told = session_cookie("x").to_header()
    assert told.startswith("Set-Cookie: __Host-nymlink=x;")
    assert all(word in told for word in ("HttpOnly", "Secure", "Path=/", "SameSite=lax"))
