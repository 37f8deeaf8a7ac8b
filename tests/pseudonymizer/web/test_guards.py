"""Browsers: the host that is meant, pages of other sites, cookies, and cookies beside tokens."""

import pytest

from pseudonymizer.web.sessions import COOKIE
from tests.pseudonymizer.web.served import Service, json_of

SESSION = "/api/v1/session"
DETECT = "/api/v1/text/detect"
BODY = {"texts": [{"text": "Jan Tolsma belde."}]}


@pytest.fixture(scope="module")
def cookie(fake: Service) -> str:
    assert fake.front is not None
    assert fake.front.code is not None
    with fake.client() as client:
        assert client.post(SESSION, json={"code": "wrong"}).status_code == 401
        answer = client.post(SESSION, json={"code": fake.front.code.code})
        assert answer.status_code == 201
        assert client.post(SESSION, json={"code": fake.front.code.code}).status_code == 401
    sent = answer.headers["set-cookie"]
    assert all(word in sent for word in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"))
    name, _, value = sent.partition(";")[0].partition("=")
    assert name == COOKIE
    return f"{name}={value}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "OWN"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "OWN"}, 200),
        ({}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "OWN"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
    ],
)
def test_only_a_page_of_this_service_may_change_something(
    fake: Service, cookie: str, headers: dict[str, str], status: int
) -> None:
    sent = {name: fake.url if value == "OWN" else value for name, value in headers.items()}
    with fake.client() as client:
        answer = client.post(DETECT, json=BODY, headers={**sent, "Cookie": cookie})
    assert answer.status_code == status, answer.text


def test_a_session_reads_and_ends(fake: Service, cookie: str) -> None:
    with fake.client(Cookie=cookie) as client:
        assert json_of(client.get(SESSION))["actor"] == "tester"
        assert client.get("/api/v1/styles").status_code == 200
    with fake.client(fake.token(), Cookie=cookie) as client:
        assert client.get(SESSION).status_code == 401  # a token and a cookie
    with fake.client(Cookie=f"{COOKIE}=x") as client:
        assert client.get(SESSION).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost", "", "127.0.0.1:1"])
def test_another_host_is_refused(fake: Service, host: str) -> None:
    with fake.client(fake.token(), Host=host) as client:
        for path in ("/health", "/", "/api/v1/styles"):
            answer = client.get(path)
            assert answer.status_code == 400
            assert json_of(answer)["type"] == "urn:nymlink:problem:wrong-host"
