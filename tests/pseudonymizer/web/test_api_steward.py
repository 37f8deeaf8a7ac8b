"""Requests, approvals, grants, reveals, look-ups and the trail, each by the account whose role allows it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from pseudonymizer.policy import MATRIX, Role
from tests.pseudonymizer.web.served import PROJECT, fake_service, json_of

Client = Callable[[str], httpx.Client]
TEXT = "Jan Tolsma belde Els Mol."


@pytest.fixture
def clients(tmp_path: Path) -> Iterator[Client]:
    """The client of each role's account, in a project that wants the approval of somebody else."""
    with fake_service(tmp_path) as service, ExitStack() as open_clients:
        with service.open_vault() as vault:
            vault.ensure_project(PROJECT)
            vault.ensure_project("other")
            vault.change_settings(PROJECT, replace(vault.project_settings(PROJECT), single_approval=False))
            vault.commit()
        service.give_roles([(f"web:{role}", role) for role in Role])

        def client(role: str) -> httpx.Client:
            name, _, project = role.partition("@")
            verbs = MATRIX[Role(name)]
            token = service.token(*verbs, account=name, project=project or PROJECT)
            return open_clients.enter_context(service.client(token))

        yield client


def _labels(clients: Client) -> list[str]:
    answer = clients("analyst").post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
    assert answer.status_code == 200, answer.text
    return [one["label"] for one in json_of(answer)["texts"][0]["mentions"]]


def _told(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return json_of(answer)


def test_names_come_back_by_a_request_that_another_account_approves(clients: Client) -> None:
    jan, els = _labels(clients)
    asker, boss = clients("requester"), clients("approver")
    asked = {"pseudonyms": [jan], "purpose": "complaint 7", "legal_basis": "GDPR art. 6(1)(c)"}
    made = _told(asker.post("/api/v1/requests", json=asked), 201)
    assert (made["requester"], made["state"], made["pseudonyms"]) == ("web:requester", "open", 1)
    place = f"/api/v1/requests/{made['number']}"
    assert _told(asker.get(place)) == made
    assert _told(boss.get("/api/v1/requests"))["requests"] == [made]
    assert asker.post(f"{place}/grant").status_code == 403
    assert (
        asker.post("/api/v1/reveals", json={"pseudonyms": [jan], "purpose": "complaint 7"}).status_code == 403
    )
    approved = _told(boss.post(f"{place}/approvals"))
    assert approved["approvers"] == ["web:approver"]
    wanted = {
        "pseudonyms": [jan],
        "purpose": "complaint 7",
        "grant": _told(asker.post(f"{place}/grant"))["grant"],
    }
    assert asker.post("/api/v1/reveals", json=wanted | {"pseudonyms": [jan, els]}).status_code == 403
    (name,) = _told(asker.post("/api/v1/reveals", json=wanted))["names"]
    assert (name["pseudonym"], name["name"]) == (jan, "Jan Tolsma")
    again = _told(asker.post("/api/v1/reveals", json=wanted), 403)
    assert again["type"] == "urn:nymlink:problem:grant-invalid"


def test_a_request_can_be_denied_and_withdrawn(clients: Client) -> None:
    jan, _ = _labels(clients)
    asker, boss = clients("requester"), clients("approver")
    asked = {"pseudonyms": [jan], "purpose": "x"}
    first, second = (_told(asker.post("/api/v1/requests", json=asked), 201)["number"] for _ in range(2))
    assert boss.post(f"/api/v1/requests/{first}/denials", json={"reason": "x" * 2001}).status_code == 422
    assert boss.post(f"/api/v1/requests/{first}/denials", json={"because": "x"}).status_code == 422
    denied = _told(boss.post(f"/api/v1/requests/{first}/denials", json={"reason": "ingetrokken"}))
    assert (denied["state"], denied["denied_for"]) == ("denied", "ingetrokken")
    assert _told(asker.get(f"/api/v1/requests/{first}"))["denied_for"] == "ingetrokken"
    third = _told(asker.post("/api/v1/requests", json=asked), 201)["number"]
    assert _told(boss.post(f"/api/v1/requests/{third}/denials"))["denied_for"] == ""
    assert _told(asker.delete(f"/api/v1/requests/{second}"))["state"] == "withdrawn"
    assert asker.post("/api/v1/requests/99/grant").status_code == 404


def test_requests_of_another_project_are_not_there(clients: Client) -> None:
    jan, _ = _labels(clients)
    number = _told(
        clients("requester").post("/api/v1/requests", json={"pseudonyms": [jan], "purpose": "x"}), 201
    )["number"]
    place = f"/api/v1/requests/{number}"
    boss, asker = clients("approver@other"), clients("requester@other")
    assert _told(boss.get("/api/v1/requests"))["requests"] == []
    for answer in (
        boss.get(place), boss.post(f"{place}/approvals"), boss.post(f"{place}/denials"), asker.get(place),
        asker.post(f"{place}/grant"), asker.delete(place),
    ):  # fmt: skip
        assert _told(answer, 404)["type"] == "urn:nymlink:problem:not-found"
    assert asker.post("/api/v1/reveals", json={"pseudonyms": [jan], "purpose": "x"}).status_code in (403, 404)


def test_the_data_protection_officer_looks_up_and_the_auditor_reads_the_trail(clients: Client) -> None:
    jan, _ = _labels(clients)
    officer, auditor = clients("dpo"), clients("auditor")
    found = _told(officer.post("/api/v1/lookups", json={"name": "Jan Tolsma", "purpose": "access request"}))
    assert found["pseudonyms"] == [jan]
    assert (
        _told(officer.post("/api/v1/lookups", json={"name": "Piet Niemand", "purpose": "x"}))["pseudonyms"]
        == []
    )
    page = _told(auditor.get("/api/v1/audit", params={"limit": 2}))
    assert len(page["events"]) == 2
    seen = list(page["events"])
    while page["events"]:
        page = _told(auditor.get("/api/v1/audit", params={"limit": 50, "after": page["last"]}))
        seen += page["events"]
        if len(page["events"]) < 50:
            break
    numbers = [one["sequence"] for one in seen]
    assert numbers == sorted(set(numbers))
    assert {"lookup", "assign"} & {one["action"] for one in seen}
    assert {"web:dpo", "web:analyst"} <= {one["actor"] for one in seen}
    assert "Tolsma" not in str(seen)
    assert auditor.get("/api/v1/audit", params={"limit": 0}).status_code == 422


def test_names_are_asked_for_ten_times_a_minute(clients: Client) -> None:
    asker = clients("requester")
    asked = {"pseudonyms": ["PERSOON-7KQM3"], "purpose": "x"}
    statuses = [asker.post("/api/v1/reveals", json=asked).status_code for _ in range(11)]
    assert statuses[-1] == 429
    assert 429 not in statuses[:-1]
