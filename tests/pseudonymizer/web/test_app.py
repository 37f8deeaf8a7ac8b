"""All routes, for all roles, with tokens of other projects: what each may, and what nobody may see."""

import itertools
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from litestar import get
from openapi_spec_validator import OpenAPIV31SpecValidator

from pseudonymizer.errors import InvalidRecordError
from pseudonymizer.policy import MATRIX, Role, Verb
from pseudonymizer.web import pages
from pseudonymizer.web.app import make_routes, routes_of
from pseudonymizer.web.guards import PUBLIC
from tests.pseudonymizer.web.served import PROJECT, Service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed, ended

BODIES: Mapping[str, dict[str, Any]] = {
    "/api/v1/text/detect": {"texts": [{"text": "Jan Tolsma belde."}]},
    "/api/v1/text/pseudonymize": {"texts": [{"text": "Jan Tolsma belde."}]},
    "/api/v1/text/restore": {"texts": [{"text": "Niets."}], "purpose": "test"},
    "/api/v1/session": {"code": "none"},
    "/api/v1/requests": {"pseudonyms": ["PERSOON-7KQM3"], "purpose": "test"},
    "/api/v1/reveals": {"pseudonyms": ["PERSOON-7KQM3"], "purpose": "test"},
    "/api/v1/splits": {"pseudonym": "PERSOON-7KQM3", "forms": ["J. Tolsma"], "purpose": "test"},
    "/api/v1/lookups": {"name": "Jan Tolsma", "purpose": "test"},
    "/api/v1/workspaces": {},
    "/api/v1/workspaces/{workspace:str}/files": {"files": [{"name": "a.txt", "bytes": 1}]},
    "/api/v1/workspaces/{workspace:str}/files/{file:str}/text": {},
    "/api/v1/workspaces/{workspace:str}/runs": {},
    "/api/v1/workspaces/{workspace:str}/mentions": {"commands": [{"do": "make", "mention": "m1"}]},
    "/api/v1/workspaces/{workspace:str}/verdicts": {"left": "m1", "right": "m2", "verdict": "accept"},
    "/api/v1/workspaces/{workspace:str}/people/{person:str}/merge": {"person": "p2"},
    "/api/v1/workspaces/{workspace:str}/people/{person:str}/split": {"mentions": ["m1"]},
    "/api/v1/workspaces/{workspace:str}/corrections": {},
}
PLACES: Mapping[str, str] = {
    "{number:int}": "99", "{project:str}": PROJECT, "{workspace:str}": "w_0", "{file:str}": "f_0",
    "{job:str}": "j_0", "{person:str}": "p_0", "{by:str}": "undo", "{what:str}": "mentions",
}  # fmt: skip

OWNED = ("{workspace:str}", "{file:str}", "{job:str}", "{person:str}")  # objects of one account

FORM: Mapping[str, str] = {  # what any form of a page of a workspace needs
    "revision": "1", "by": "undo", "do": "confirm", "answer": "undo", "mention": "m1", "words": "Jan",
    "kind": "PERSON", "document": "a",
}  # fmt: skip
FORMS: Mapping[str, dict[str, str]] = {
    "/text/pseudonymized": {"text": "Jan Tolsma belde."},
    "/text/restored": {"answer": "Niets.", "purpose": "test"},
}


def _asked(
    client: httpx.Client,
    method: str,
    path: str,
    role: Role | None = None,
    places: Mapping[str, str] = PLACES,
) -> httpx.Response:
    """The answer to a request that the route understands. role: whose verbs the token has. places: what
    stands where the path names an object.
    """
    if path in FORMS:
        return client.request(method, path, data=FORMS[path])
    body = BODIES.get(path) if method in ("POST", "PATCH") else None
    if path.endswith("/text/restore") and role is not None and Verb.RESTORE not in MATRIX[role]:
        body = {"texts": [{"text": "Niets."}], "receipt": "nyr_x"}
    place = path
    for written, value in places.items():
        place = place.replace(written, value)
    if places is not PLACES and method == "POST" and not path.startswith("/api"):
        return client.request(method, place, data=FORM)
    if method == "PUT":
        return client.request(method, place, content=b"x")
    return client.request(method, place, json=body, headers={"If-Match": '"0"'})


def _routes(service: Service) -> list[tuple[str, str, frozenset[Verb]]]:
    assert service.front is not None
    found = []
    for path, method, verbs in routes_of(make_routes(service.front)):
        assert verbs is not None
        found.append((path, method, verbs))
    return found


def test_every_route_names_its_verbs(fake: Service) -> None:
    found = _routes(fake)
    assert len(found) >= 12
    public = {path for path, _, verbs in found if verbs == PUBLIC}
    assert public == {
        "/health", "/ready", "/api/v1/session", "/", "/loaded", "/language",
        "/login", "/login/provider", "/login/back",
        "/static/{digest:str}/{name:str}",
    }  # fmt: skip


def test_a_route_without_a_verb_is_refused(fake: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    @get("/forgotten")
    async def forgotten() -> str:
        return ""

    assert fake.front is not None
    monkeypatch.setattr(pages, "router", forgotten)
    with pytest.raises(InvalidRecordError, match="forgotten"):
        make_routes(fake.front)


@pytest.mark.parametrize("role", list(Role))
def test_a_token_with_the_verbs_of_a_role_opens_its_routes_and_no_others(fake: Service, role: Role) -> None:
    with fake.client(fake.token(*MATRIX[role])) as client:
        for path, method, verbs in _routes(fake):
            if verbs == PUBLIC or path == "/api/v1/session":
                continue
            answer = _asked(client, method, path, role)
            allowed = not verbs.isdisjoint(MATRIX[role])
            if path.startswith("/api"):
                is_refused = answer.status_code == 403 and _kind(answer) == "not-allowed"
            else:
                is_refused = answer.status_code == 403
            assert is_refused != allowed, (path, answer.text)
            assert answer.status_code < 500


def _kind(answer: httpx.Response) -> str:
    return str(json_of(answer)["type"]).rpartition(":")[2]


def test_the_project_of_another_is_not_there(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        assert client.post(
            "/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma belde."}]}
        ).is_success
    with fake.client(fake.token(*Verb, project="study-99")) as client:
        steward = ("/api/v1/requests", "/api/v1/reveals", "/api/v1/lookups")
        for path, named in itertools.product((*list(BODIES)[1:3], *steward), (PROJECT, "study-99", None)):
            answer = client.post(path, json=BODIES[path] | ({"project": named} if named else {}))
            assert answer.status_code == 404, (path, named)
            assert json_of(answer)["type"] == "urn:nymlink:problem:not-found"
        for named in (PROJECT, "study-99"):
            assert client.get("/api/v1/kinds", params={"project": named}).status_code == 404
        assert json_of(client.get("/api/v1/projects"))["projects"] == []


@pytest.fixture(scope="module")
def objects(fake: Service) -> Mapping[str, str]:
    """A workspace of an account that was analysed and written, and what belongs to it."""
    with fake.client(fake.token(account="owner")) as client:
        place, ids = analysed(client, {"a.txt": b"Jan Tolsma belde."})
        job = ended(client, client.post(f"{place}/runs", json={}))["job"]
        (person,) = json_of(client.get(f"{place}/people"))["people"]
    return {
        **PLACES, "{workspace:str}": place.rpartition("/")[2], "{file:str}": ids["a.txt"], "{job:str}": job,
        "{person:str}": person["person"],
    }  # fmt: skip


def _state_of(fake: Service, objects: Mapping[str, str]) -> list[Any]:
    """What the owner sees of his objects."""
    place = f"/api/v1/workspaces/{objects['{workspace:str}']}"
    parts = ("", "/files", "/people", f"/files/{objects['{file:str}']}/mentions", "/report")
    with fake.client(fake.token(account="owner")) as client:
        seen = [json_of(client.get(place + part)) for part in parts]
        seen.append(json_of(client.get(f"/api/v1/jobs/{objects['{job:str}']}")))
    seen[0].pop("expires_at")
    return seen


@pytest.mark.parametrize("role", list(Role))
def test_objects_of_another_account_are_not_there_for_any_role(
    fake: Service, objects: Mapping[str, str], role: Role
) -> None:
    before = _state_of(fake, objects)
    walked = 0
    with fake.client(fake.token(*MATRIX[role], account=f"other-{role}")) as client:
        for path, method, verbs in _routes(fake):
            if any(written in path for written in OWNED):
                answer = _asked(client, method, path, role, objects)
                expected = 403 if verbs.isdisjoint(MATRIX[role]) else 404
                assert answer.status_code == expected, (method, path, answer.text)
                walked += 1
    assert walked > 30
    assert _state_of(fake, objects) == before


def test_objects_are_not_there_for_a_token_of_another_project(
    fake: Service, objects: Mapping[str, str]
) -> None:
    before = _state_of(fake, objects)
    with fake.client(fake.token(*Verb, account="owner", project="study-99")) as client:
        for path, method, _ in _routes(fake):
            if any(written in path for written in OWNED):
                assert _asked(client, method, path, None, objects).status_code == 404, (method, path)
    assert _state_of(fake, objects) == before


@pytest.mark.parametrize(
    "header", [None, "Bearer", "Bearer nym_0_0", "Bearer x", "Basic eDp5", "Bearer nym__"]
)
def test_without_a_living_token_only_public_routes_answer(fake: Service, header: str | None) -> None:
    with fake.client() as client:
        if header is not None:
            client.headers["Authorization"] = header
        for path, method, verbs in _routes(fake):
            if verbs != PUBLIC:
                answer = _asked(client, method, path)
                assert answer.status_code == 401, path
                assert answer.headers["www-authenticate"] == "Bearer"


def test_the_description_is_valid_and_names_every_route(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        told = json_of(client.get("/api/v1/openapi.json"))
    OpenAPIV31SpecValidator(told).validate()
    assert told["openapi"].startswith("3.1")
    texts = ("detect", "pseudonymize", "restore")
    assert {f"/api/v1/text/{name}" for name in texts} <= told["paths"].keys()
    assert told["components"]["schemas"]["PseudonymizeTexts"]["properties"]["texts"]["maxItems"] == 500
