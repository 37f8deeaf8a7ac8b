"""The pages /projects and /roles: settings and roles are changed, on record, by who may alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pseudonymizer.policy import Role, Verb
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

EN = {"Accept-Language": "en"}
PLACE = f"/projects/{PROJECT}"
FORM = {
    "approvals_needed": "2", "extra_approval_above": "50", "grant_minutes": "15", "limit_capacity": "100",
    "limit_per_hour": "100", "retention_days": "365",
}  # fmt: skip


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with fake_service(tmp_path) as made:
        yield made


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client(service.token(*Verb), **EN) as made:
        made.post("/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma belde."}]})
        yield made


@pytest.fixture
def steward(service: Service) -> Iterator[httpx.Client]:
    """A session of who is let into every project."""
    assert service.front is not None
    from pseudonymizer.desk.records import Principal
    from pseudonymizer.web.sessions import COOKIE

    session = service.front.sessions.begin(Principal("local", "tester", is_session=True))
    with service.client(**EN, Cookie=f"{COOKIE}={session}", Origin=service.url) as made:
        yield made


def test_a_project_is_kept_otherwise(service: Service, client: httpx.Client) -> None:
    assert PLACE in client.get("/projects").text
    before = client.get(PLACE).text
    assert 'name="single_approval" value="yes" checked' in before
    answer = client.post(f"{PLACE}/changed", data=FORM)
    assert answer.status_code == 200, answer.text
    assert "Stored, and on record." in answer.text
    with service.open_vault() as vault:
        found = vault.project_settings(PROJECT)
        assert (found.approvals_needed, found.extra_approval_above, found.grant_minutes) == (2, 50, 15)
        assert (found.limit_capacity, found.limit_per_hour, found.retention_days) == (100, 100, 365)
        assert not found.single_approval
    for_good = client.post(f"{PLACE}/changed", data={**FORM, "retention_days": "", "single_approval": "yes"})
    assert for_good.status_code == 200
    with service.open_vault() as vault:
        assert vault.project_settings(PROJECT).retention_days is None
    for wrong in ({"approvals_needed": "0"}, {"retention_days": "soon"}, {"grant_minutes": ""}):
        assert client.post(f"{PLACE}/changed", data={**FORM, **wrong}).status_code == 422
    assert client.get("/projects/another-one").status_code == 404


def _label_of_jan(client: httpx.Client) -> str:
    answer = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma schreef."}]})
    return str(answer.json()["texts"][0]["text"])


def test_who_was_named_lately_is_not_erased_by_the_retention_of_the_project(client: httpx.Client) -> None:
    label = _label_of_jan(client)
    client.post(f"{PLACE}/changed", data={**FORM, "retention_days": "0"})
    page = client.get(PLACE).text
    assert 'name="unseen" value="yes"' in page
    told = {"project": PROJECT, "unseen": "yes", "purpose": "bewaartermijn"}
    planned = client.post("/erase/planned", data=told)
    assert planned.status_code == 200, planned.text
    count = int(re.findall(r"(\d+) persons? would be erased", planned.text)[0])
    assert count == 0
    done = client.post("/erase/done", data={**told, "sure": "yes"})
    assert done.status_code == 200, done.text
    assert "PERSOON-" not in done.text
    assert _label_of_jan(client) == label


def test_roles_are_given_and_taken(service: Service, steward: httpx.Client) -> None:
    assert "everybody may everything" in steward.get("/roles").text
    given = steward.post("/roles/changed", data={"account": "web:anna", "role": "analyst", "do": "give"})
    assert given.status_code == 200, given.text
    assert "web:anna" in given.text
    with service.open_vault() as vault:
        assert set(vault.stored_roles()) == {("tester", Role.DPO), ("web:anna", Role.ANALYST)}
    last = steward.post("/roles/changed", data={"account": "tester", "role": "dpo", "do": "take"})
    assert last.status_code == 403
    taken = steward.post("/roles/changed", data={"account": "web:anna", "role": "analyst", "do": "take"})
    assert "web:anna" not in taken.text
    wrong = steward.post("/roles/changed", data={"account": "web:anna", "role": "king", "do": "give"})
    assert wrong.status_code == 422


def test_who_may_not_manage_is_refused(service: Service, client: httpx.Client) -> None:
    assert client.get("/roles").status_code == 404  # a token is for one project, roles are of all of them
    with service.client(service.token(Verb.LOOKUP), **EN) as other:
        for path in ("/projects", PLACE, "/roles"):
            assert other.get(path).status_code == 403
        assert other.post(f"{PLACE}/changed", data=FORM).status_code == 403
    service.give_roles([("web:auditor", Role.AUDITOR)])
    with service.client(service.token(*Verb, account="auditor"), **EN) as other:
        assert other.post(f"{PLACE}/changed", data=FORM).status_code == 403  # the vault decides
        events = json_of(other.get("/api/v1/audit"))["events"]
        assert events[-1]["outcome"].startswith("refused")
