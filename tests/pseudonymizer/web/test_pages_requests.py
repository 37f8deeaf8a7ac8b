"""The pages of stewards by their requests: who may do what, the way of a request, no name kept."""

import html
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from pseudonymizer.policy import MATRIX, Role, Verb
from pseudonymizer.records import RequestState
from pseudonymizer.web import words
from pseudonymizer.web.app import make_routes, routes_of
from pseudonymizer.web.door import HEADERS
from pseudonymizer.web.pages_requests import pseudonyms_of
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

Client = Callable[[str], httpx.Client]
TEXT = "Jan Tolsma belde Els Mol."
PAGES = {
    "/requests": {Verb.REQUEST, Verb.APPROVE, Verb.READ_AUDIT},
    "/reveal": {Verb.REVEAL},
    "/lookup": {Verb.LOOKUP},
    "/audit": {Verb.READ_AUDIT},
    "/restore": {Verb.RESTORE},
    "/erase": {Verb.ERASE},
    "/projects": {Verb.MANAGE},
}
DEEPER = {
    "/requests/1": PAGES["/requests"],
    "/projects/1": {Verb.MANAGE},
    "/roles": {Verb.MANAGE},  # of the whole vault, which no token of one project sees
}
POSTS = {
    "/requests/asked": {Verb.REQUEST},
    "/requests/1/approved": {Verb.APPROVE},
    "/requests/1/denied": {Verb.APPROVE},
    "/requests/1/withdrawn": {Verb.REQUEST},
    "/requests/1/grant": {Verb.REQUEST},
    "/requests/1/names": {Verb.REVEAL},
    "/reveal/names": {Verb.REVEAL},
    "/lookup/found": {Verb.LOOKUP},
    "/audit/events": {Verb.READ_AUDIT},
    "/audit/verified": {Verb.VERIFY},
    "/restore/file": {Verb.RESTORE},
    "/erase/planned": {Verb.ERASE},
    "/erase/done": {Verb.ERASE},
    "/projects/1/changed": {Verb.MANAGE},
    "/roles/changed": {Verb.MANAGE},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service in whose project somebody else has to approve."""
    folder: Path = tmp_path_factory.mktemp("stewards")
    with fake_service(folder) as made:
        with made.open_vault() as vault:
            vault.ensure_project(PROJECT)
            vault.change_settings(PROJECT, replace(vault.project_settings(PROJECT), single_approval=False))
            vault.commit()
        made.give_roles([(f"web:{role}", role) for role in Role])
        yield made


@pytest.fixture
def clients(service: Service) -> Iterator[Client]:
    with ExitStack() as opened:

        def client(role: str) -> httpx.Client:
            token = service.token(*MATRIX[Role(role)], account=role)
            return opened.enter_context(service.client(token, Accept="text/html"))

        yield client


@pytest.fixture
def labels(clients: Client) -> list[str]:
    answer = clients("analyst").post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
    return [one["label"] for one in json_of(answer)["texts"][0]["mentions"]]


def _post(client: httpx.Client, path: str, status: int = 200, **fields: str) -> str:
    answer = client.post(path, data=fields or {"none": ""}, headers={"HX-Request": "true"})
    assert answer.status_code == status, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.text


def _decide(client: httpx.Client, path: str, **fields: str) -> None:
    answer = client.post(path, data=fields or {"none": ""})
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == path.rpartition("/")[0]


def _asked(client: httpx.Client, labels: list[str], purpose: str = "complaint 7") -> str:
    page = _post(client, "/requests/asked", pseudonyms="\r\n".join(labels), purpose=purpose, ticket="88")
    return str(re.findall(r'href="(/requests/\d+)"', page)[0])


@pytest.mark.parametrize("role", list(Role))
def test_each_role_has_its_pages_and_no_other(clients: Client, role: Role) -> None:
    client = clients(role)
    start = client.get("/").text
    for path, verbs in PAGES.items():
        may = not verbs.isdisjoint(MATRIX[role])
        assert client.get(path).status_code == (200 if may else 403), path
        assert (f'href="{path}"' in start) == may, path
    for path, verbs in POSTS.items():
        if verbs.isdisjoint(MATRIX[role]):
            _post(client, path, 403)


def test_every_route_of_stewards_is_in_these_tables(service: Service) -> None:
    assert service.front is not None
    heads = (*PAGES, "/roles")
    known = {path: frozenset(verbs) for path, verbs in (PAGES | POSTS | DEEPER).items()}
    for path, _, verbs in routes_of(make_routes(service.front)):
        if path.startswith(heads):
            at = re.sub(r"\{[^}]+\}", "1", path)
            assert verbs == known[at], path


def test_a_request_goes_its_way_to_the_names(clients: Client, labels: list[str]) -> None:
    asker, boss = clients("requester"), clients("approver")
    place = _asked(asker, labels[:1])
    seen = boss.get(place).text
    for told in (
        "complaint 7",
        "web:requester",
        "88",
        f'action="{place}/approved"',
        f'action="{place}/denied"',
    ):
        assert told in seen
    assert labels[0] not in seen
    assert f"{place}/withdrawn" not in seen
    own = asker.get(place).text
    assert f'action="{place}/withdrawn"' in own
    assert "/approved" not in own
    assert f"{place}/grant" not in own
    _post(asker, f"{place}/grant", 403)
    _decide(boss, f"{place}/approved")
    assert f'hx-post="{place}/grant"' in asker.get(place).text
    assert "hx-post" not in boss.get(place).text
    page = _post(asker, f"{place}/grant")
    grant = html.unescape(re.findall(r'name="grant" value="([^"]+)"', page)[0])
    _post(asker, f"{place}/names", 403, grant="no-such")
    shown = _post(asker, f"{place}/names", grant=grant)
    assert "Jan Tolsma" in shown
    assert "Els Mol" not in shown
    assert 'data-hide-after="60"' in shown
    _post(asker, f"{place}/names", 403, grant=grant)
    after = asker.get(place).text
    assert "used" in after
    assert "Tolsma" not in after
    assert '<form method="post" action="/requests' not in after


def test_a_request_is_denied_or_withdrawn(clients: Client, labels: list[str]) -> None:
    asker, boss = clients("requester"), clients("approver")
    first, second = (_asked(asker, labels[:1]) for _ in range(2))
    assert 'name="reason"' in boss.get(first).text
    _decide(boss, f"{first}/denied", reason="de klacht <is> ingetrokken")
    assert "de klacht &lt;is&gt; ingetrokken" in asker.get(first).text
    _decide(asker, f"{second}/withdrawn")
    listed = asker.get("/requests").text
    assert '<span class="state denied">denied</span>' in listed
    assert '<span class="state withdrawn">withdrawn</span>' in listed
    answer = boss.post(f"{first}/approved", data={"none": ""}, headers={"Accept-Language": "nl"})
    assert answer.status_code == 403
    assert "<html" in answer.text
    assert asker.get("/requests/999").status_code == 404


def test_names_without_a_request_need_a_grant_here(clients: Client, labels: list[str]) -> None:
    page = _post(clients("requester"), "/reveal/names", 403, pseudonyms=labels[0], purpose="x")
    assert "The grant is not valid for this" in page


@pytest.mark.parametrize(
    ("path", "fields", "status", "told"),
    [
        ("/requests/asked", {"pseudonyms": "PERSOON-7KQM3", "purpose": "x"}, 404, "A pseudonym is not known"),
        ("/requests/asked", {"pseudonyms": " , ", "purpose": "x"}, 422, "Something in the form"),
        ("/requests/asked", {"pseudonyms": "PERSOON-7KQM3", "purpose": " "}, 422, "Something in the form"),
        ("/reveal/names", {"pseudonyms": "", "purpose": "x"}, 422, "Something in the form"),
    ],
)
def test_what_is_wrong_is_said_in_words(
    clients: Client, path: str, fields: dict[str, str], status: int, told: str
) -> None:
    page = _post(clients("requester"), path, status, **fields)
    assert told in page
    assert "7KQM3" not in page


def test_pseudonyms_are_read_as_people_paste_them() -> None:
    assert pseudonyms_of(" PERSOON-7KQM3, PERSOON-AB2CD;\r\n\r\nPERSOON-7KQM3\n") == (
        "PERSOON-7KQM3", "PERSOON-AB2CD",
    )  # fmt: skip
    assert pseudonyms_of("P1-7KQM3 P2-AB2CD\n") == ("P1-7KQM3", "P2-AB2CD")
    assert pseudonyms_of("Mark van Dam\nEva Smit, Jo Bos") == ("Mark van Dam", "Eva Smit", "Jo Bos")


def test_no_value_of_a_form_is_in_a_log_or_an_address(
    clients: Client, labels: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        _post(clients("dpo"), "/lookup/found", name="Jan Tolsma", purpose="geheim doel", ticket="77881")
        _asked(clients("requester"), labels[:1], "geheim doel")
        page = clients("dpo").get("/lookup").text
    assert "/lookup/found" in caplog.text
    for value in ("Tolsma", "geheim", "77881", labels[0]):
        assert value not in caplog.text
    assert 'method="get"' not in page
    assert "form-action 'self'" in HEADERS["content-security-policy"]


def test_every_state_has_a_name() -> None:
    assert set(words.STATES) == set(RequestState)
    assert set(words.REQUESTED) == {Verb.REVEAL, Verb.RESTORE, Verb.LINK_PROJECTS}
