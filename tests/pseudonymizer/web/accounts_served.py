"""A service with accounts for tests, and how somebody logs in there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pseudonymizer.desk.accounts import Accounts
from pseudonymizer.desk.role_map import Allowed, RoleMap
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.policy import Role
from pseudonymizer.web.logins import Logins
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import COOKIE, Session
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service

WORDS: Final = "vier woorden voor Anna"
MAP: Final = RoleMap(
    allow=(
        Allowed(account="anna", roles=(Role.ANALYST,), projects=(PROJECT, "study-13")),
        Allowed(account="anna", roles=(Role.AUDITOR,), projects=("study-13",)),
        Allowed(account="dirk", roles=(Role.DPO, Role.REQUESTER), projects=("*",)),
    )
)


@contextmanager
def account_service(folder: Path) -> Iterator[Service]:
    """A service for anna, dirk, and two accounts without rights. Nobody is kept from trying."""

    def make_logins(store: DeskStore, url: str) -> Logins:
        del url
        accounts = Accounts(store)
        for name in ("anna", "dirk", "nobody", "gone"):
            accounts.create(name, WORDS)
        return Logins(accounts, MAP, _tries=Rates(1000), _of_account=Rates(1000), _of_address=Rates(1000))

    with fake_service(folder, make_logins=make_logins) as made:
        yield made


def logins_of(served: Service) -> Logins:
    assert served.front is not None
    assert served.front.logins is not None
    return served.front.logins


def log_in(browser: Browser, name: str, password: str = WORDS, back: str = "/text") -> int:
    """The status of the answer."""
    return browser.post("/login", {"name": name, "password": password, "back": back}).status_code


def session_of(served: Service, browser: Browser) -> Session:
    assert served.front is not None
    found = served.front.sessions.session(browser.cookies[COOKIE])
    assert found is not None
    return found
