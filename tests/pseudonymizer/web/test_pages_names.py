"""The pages /reveal and /lookup by their requests, of one person who may all."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pseudonymizer.policy import Verb
from pseudonymizer.web.parts import REVEALS_A_MINUTE
from tests.pseudonymizer.web.served import Service, fake_service, json_of

HTMX = {"HX-Request": "true", "Accept-Language": "en"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with fake_service(tmp_path) as made:
        yield made


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    token = service.token(*Verb)
    with service.client(token, **HTMX) as made:
        yield made


@pytest.fixture
def labels(client: httpx.Client) -> list[str]:
    body = {"texts": [{"text": "Jan Tolsma belde Els Mol. J. Tolsma belde terug."}]}
    answer = json_of(client.post("/api/v1/text/pseudonymize", json=body))
    return [one["label"] for one in answer["texts"][0]["mentions"]]


def test_names_are_shown_for_a_while_and_are_on_record(client: httpx.Client, labels: list[str]) -> None:
    fields = {"pseudonyms": "\n".join(labels[:2]), "purpose": "zaak 12", "ticket": "88"}
    answer = client.post("/reveal/names", data=fields)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "2 names are shown." in answer.text
    assert "Jan Tolsma" in answer.text
    assert "Els Mol" in answer.text
    number = int(re.findall(r"on record as event (\d+)", answer.text)[0])
    events = json_of(client.get("/api/v1/audit", params={"after": number - 1, "limit": 1}))["events"]
    assert (events[0]["action"], events[0]["purpose"], events[0]["ticket"]) == ("reveal", "zaak 12", "88")
    assert "Tolsma" not in client.get("/reveal").text


def test_a_name_leads_to_its_pseudonym_and_documents(client: httpx.Client, labels: list[str]) -> None:
    fields = {"name": "Jan Tolsma", "purpose": "inzageverzoek"}
    answer = client.post("/lookup/found", data=fields)
    assert answer.status_code == 200, answer.text
    assert "1 pseudonym stands for this name." in answer.text
    assert labels[0] in answer.text
    assert labels[1] not in answer.text
    assert "Tolsma" not in answer.text
    nobody = client.post("/lookup/found", data={"name": "Piet Niemand", "purpose": "inzageverzoek"})
    assert "The project knows nobody of exactly this name." in nobody.text
    assert "Niemand" not in nobody.text
    wrong = client.post("/lookup/found", data={"name": "Jan Tolsma", "purpose": ""})
    assert wrong.status_code == 422


def test_names_are_asked_for_so_often_a_minute_over_both_pages(
    client: httpx.Client, labels: list[str]
) -> None:
    asks = [
        ("/reveal/names", {"pseudonyms": labels[0], "purpose": "x"}),
        ("/lookup/found", {"name": "Jan Tolsma", "purpose": "x"}),
    ]
    statuses = [
        client.post(path, data=fields).status_code
        for path, fields in (asks[number % 2] for number in range(REVEALS_A_MINUTE + 1))
    ]
    assert statuses == [200] * REVEALS_A_MINUTE + [429]
