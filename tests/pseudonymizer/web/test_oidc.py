"""A login by a provider: who it names gets his rights; a lie in any part of the protocol gets nobody in."""

import base64
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import RSAKey

from pseudonymizer.desk.accounts import Accounts
from pseudonymizer.desk.role_map import Allowed, Provider, RoleMap
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.policy import Role
from pseudonymizer.web.login_state import COOKIE as STATE_COOKIE
from pseudonymizer.web.login_state import LOGIN_SECONDS
from pseudonymizer.web.logins import Logins
from pseudonymizer.web.oidc import OidcLogin
from pseudonymizer.web.sessions import COOKIE, RECENT_SECONDS
from tests.pseudonymizer.web.plain_browser import Browser
from tests.pseudonymizer.web.provider import CLIENT, SECRET, LocalProvider, local_provider
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

MAP = (
    Allowed(group="analysts", roles=(Role.ANALYST,), projects=(PROJECT,)),
    Allowed(group="stewards", roles=(Role.REQUESTER, Role.DPO), projects=("*",)),
)


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    with local_provider() as made:
        yield made


@pytest.fixture(scope="module")
def served(provider: LocalProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("oidc")

    def make_logins(store: DeskStore, url: str) -> Logins:
        told = Provider(issuer=provider.issuer, client_id=CLIENT)
        return Logins(
            Accounts(store), RoleMap(allow=MAP, oidc=told), OidcLogin(told, f"{url}/login/back", SECRET)
        )

    with fake_service(folder, make_logins=make_logins) as made:
        yield made


@pytest.fixture(autouse=True)
def _true_again(provider: LocalProvider) -> Iterator[None]:
    yield
    provider.lies, provider.published, provider.secret = {}, None, SECRET
    provider.claims = {"sub": "s-1", "groups": ["analysts"]}


@pytest.fixture
def browser(served: Service) -> Browser:
    return Browser(served)


def test_who_the_provider_names_is_logged_in_with_the_rights_of_his_groups(
    served: Service, browser: Browser, provider: LocalProvider
) -> None:
    answer = browser.log_in()
    assert (answer.status_code, answer.headers["location"]) == (303, "/text")
    assert provider.asked["code_challenge_method"] == "S256"
    assert provider.asked["scope"] == "openid profile"
    told = json_of(browser.get("/api/v1/session"))
    assert (told["actor"], told["project"]) == ("web:s-1", PROJECT)
    assert "pseudonymize" in told["verbs"]
    assert browser.get("/text").status_code == 200
    assert browser.get("/roles").status_code == 403
    assert browser.get("/projects").status_code == 403
    answer = browser.post("/text/pseudonymized", {"text": "Jan Tolsma belde."})
    assert answer.status_code == 200, answer.text
    with served.open_vault() as vault:
        assert "web:s-1" in {event.actor for event in vault.audit_events()}
        vault.rollback()
    other = browser.post("/text/pseudonymized", {"text": "Jan Tolsma belde.", "project": "study-99"})
    assert other.status_code == 404


def _is_nobody(browser: Browser) -> bool:
    return browser.get("/api/v1/session", Accept="application/json").status_code == 401


def test_a_code_and_a_state_work_once(browser: Browser) -> None:
    back = browser.to_the_provider()
    assert browser.get(back).status_code == 303
    session = browser.cookies.pop(COOKIE)
    assert browser.get(back).status_code == 401
    assert _is_nobody(browser)
    browser.cookies[COOKIE] = session
    assert not _is_nobody(browser)


def test_a_code_of_another_login_is_refused(browser: Browser) -> None:
    used = parse_qs(urlsplit(browser.to_the_provider()).query)["code"][0]
    state = parse_qs(urlsplit(browser.to_the_provider()).query)["state"][0]
    assert browser.get(f"/login/back?code={used}&state={state}").status_code == 401  # another verifier
    assert _is_nobody(browser)


def test_a_login_belongs_to_the_browser_that_began_it(served: Service, browser: Browser) -> None:
    back = browser.to_the_provider()
    other = Browser(served)
    assert other.get(back).status_code == 401
    assert _is_nobody(other)
    assert browser.get(back).status_code == 401  # the state was used up by the try


@pytest.mark.parametrize("state", ["", "x", "STATE"])
def test_another_state_is_refused(browser: Browser, state: str) -> None:
    back = browser.to_the_provider()
    code = parse_qs(urlsplit(back).query)["code"][0]
    browser.cookies[STATE_COOKIE] = state
    assert browser.get(f"/login/back?code={code}&state={state}").status_code == 401
    assert _is_nobody(browser)


@pytest.mark.parametrize(
    "lies",
    [
        {"nonce": "another"}, {"nonce": None}, {"aud": "another-client"}, {"aud": None},
        {"aud": [CLIENT, "another"]}, {"azp": "another"}, {"iss": "https://evil.example"}, {"iss": None},
        {"exp": int(time.time()) - 3600}, {"exp": None}, {"iat": int(time.time()) + 3600}, {"sub": None},
        {"sub": ""}, {"sub": 5},
    ],
)  # fmt: skip
def test_a_token_that_is_not_for_this_login_is_refused(
    browser: Browser, provider: LocalProvider, lies: dict[str, object]
) -> None:
    provider.lies = lies
    assert browser.log_in().status_code == 401
    assert _is_nobody(browser)


def test_a_token_that_another_key_signed_is_refused(browser: Browser, provider: LocalProvider) -> None:
    true = provider.key
    provider.key, provider.published = RSAKey.generate_key(2048, {"kid": "one"}), true
    try:
        assert browser.log_in().status_code == 401
    finally:
        provider.key = true
    assert _is_nobody(browser)


def _base64(content: bytes) -> bytes:
    return base64.urlsafe_b64encode(content).rstrip(b"=")


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_of_a_weak_algorithm_is_refused(
    browser: Browser, provider: LocalProvider, algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = provider.key.as_pem(private=False)

    def forged(sent: dict[str, str], authorization: str) -> dict[str, str]:
        del authorization
        nonce, now = provider.codes[sent["code"]]["nonce"], int(time.time())
        claims = {
            "iss": provider.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": nonce, "sub": "s-1",
            "groups": ["stewards"],
        }  # fmt: skip
        signed = b".".join(_base64(json.dumps(one).encode()) for one in ({"alg": algorithm}, claims))
        mark = b"" if algorithm == "none" else hmac.digest(public, signed, "sha256")
        return {"id_token": (signed + b"." + _base64(mark)).decode()}

    monkeypatch.setattr(provider, "token", forged)
    assert browser.log_in().status_code == 401
    assert _is_nobody(browser)


def test_who_is_in_no_group_of_the_map_gets_nothing(
    served: Service, browser: Browser, provider: LocalProvider
) -> None:
    for claims in ({"sub": "s-2"}, {"sub": "s-2", "groups": ["others"]}, {"sub": "s-2", "groups": 7}):
        provider.claims = claims
        answer = browser.log_in()
        assert answer.status_code == 403
        assert "Nothing is for your account here" in answer.text
        assert _is_nobody(browser)
    assert served.front is not None
    assert served.front.logins is not None
    assert "s-2" not in {one.name for one in served.front.logins.accounts.all()}


def test_an_account_that_has_ended_does_not_get_in(
    served: Service, browser: Browser, provider: LocalProvider
) -> None:
    provider.claims = {"sub": "s-3", "groups": ["analysts"]}
    assert browser.log_in().status_code == 303
    assert served.front is not None
    assert served.front.logins is not None
    served.front.logins.accounts.end("s-3")
    assert _is_nobody(browser)  # its session has ended with it
    assert browser.log_in().status_code == 403
    assert _is_nobody(browser)


def test_erasing_takes_a_new_login_at_the_provider(
    served: Service, browser: Browser, provider: LocalProvider
) -> None:
    provider.claims = {"sub": "s-4", "groups": ["stewards"]}
    assert browser.log_in().status_code == 303
    assert served.front is not None
    begun = served.front.sessions.session(browser.cookies[COOKIE])
    assert begun is not None
    begun.proved -= RECENT_SECONDS + 1
    fields = {"pseudonyms": "PERSOON-7KQM3", "purpose": "test", "project": PROJECT}
    refused = browser.post("/reveal/names", fields, Referer=f"{served.url}/reveal")
    assert refused.status_code == 403
    assert "/login/again?back=%2Freveal" in refused.text
    assert "/login/provider" in browser.get("/login/again?back=/reveal").text
    provider.lies = {"auth_time": int(time.time()) - 3600}  # nobody showed anything anew
    assert browser.log_in("/reveal").status_code == 401
    provider.lies = {}
    before = browser.cookies[COOKIE]
    assert browser.log_in("/reveal").headers["location"] == "/reveal"
    assert provider.asked["prompt"] == "login"
    assert browser.cookies[COOKIE] != before
    assert (
        browser.post("/reveal/names", fields).status_code == 404
    )  # by now it is the pseudonym that is wrong


def test_a_login_does_not_wait_for_ever(served: Service, browser: Browser) -> None:
    assert served.front is not None
    assert served.front.logins is not None
    oidc = served.front.logins.oidc
    assert oidc is not None
    back = browser.to_the_provider()
    oidc.now = lambda: time.time() + LOGIN_SECONDS + 1
    try:
        assert browser.get(back).status_code == 401
    finally:
        oidc.now = time.time


def test_a_provider_that_is_not_there_is_told(tmp_path: Path) -> None:
    def make_logins(store: DeskStore, url: str) -> Logins:
        told = Provider(issuer="http://127.0.0.1:9", client_id=CLIENT)
        return Logins(Accounts(store), RoleMap(allow=MAP, oidc=told), OidcLogin(told, f"{url}/login/back"))

    with fake_service(tmp_path, make_logins=make_logins) as made:
        browser = Browser(made)
        answer = browser.get("/login/provider")
        assert answer.status_code == 503
        assert "The login cannot be reached" in answer.text
        assert browser.post("/login", {"name": "a", "password": "b"}).status_code == 404
