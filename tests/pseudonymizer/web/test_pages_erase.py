"""The page /erase: what it would destroy is shown, then it is destroyed, and the receipt says so."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

HTMX = {"HX-Request": "true", "Accept-Language": "en"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with fake_service(tmp_path) as made:
        yield made


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client(service.token(*Verb), **HTMX) as made:
        yield made


@pytest.fixture
def labels(client: httpx.Client) -> list[str]:
    body = {"texts": [{"text": "Jan Tolsma belde Els Mol."}], "style": "code"}
    answer = json_of(client.post("/api/v1/text/pseudonymize", json=body))
    return [one["label"] for one in answer["texts"][0]["mentions"]]


def test_a_person_is_erased_after_it_was_shown(client: httpx.Client, labels: list[str]) -> None:
    told = {"pseudonyms": labels[0], "purpose": "verzoek 12", "project": PROJECT}
    planned = client.post("/erase/planned", data=told)
    assert planned.status_code == 200, planned.text
    assert "1 person would be erased." in planned.text
    assert "Tolsma" not in planned.text
    unsure = client.post("/erase/done", data=told)
    assert unsure.status_code == 422
    shown = {"pseudonyms": "\n".join(labels), "purpose": "p", "project": PROJECT}
    assert "Jan Tolsma" in client.post("/reveal/names", data=shown).text  # nothing was destroyed so far
    done = client.post("/erase/done", data={**told, "sure": "yes"})
    assert done.status_code == 200, done.text
    raw = re.findall(r"<pre[^>]*>(.*?)</pre>", done.text, re.DOTALL)[0]
    receipt = json.loads(html.unescape(raw))
    assert receipt["pseudonyms"] == [labels[0]]
    assert receipt["rows"]
    (event,) = json_of(
        client.get("/api/v1/audit", params={"after": receipt["audit_sequence"] - 1, "limit": 1})
    )["events"]
    assert (event["action"], event["purpose"]) == ("erase", "verzoek 12")
    assert client.post("/reveal/names", data={**shown, "pseudonyms": labels[0]}).status_code != 200
    assert "Els Mol" in client.post("/reveal/names", data={**shown, "pseudonyms": labels[1]}).text


def test_the_look_up_leads_to_it(client: httpx.Client, labels: list[str]) -> None:
    found = client.post("/lookup/found", data={"name": "Jan Tolsma", "purpose": "verzoek"}).text
    assert "Erase this person" in found
    assert f'name="pseudonyms" value="{labels[0]}"' in found


def test_what_cannot_be_erased_is_said(service: Service, client: httpx.Client, labels: list[str]) -> None:
    nobody = {"pseudonyms": "PERSOON-XXXXX", "purpose": "p"}
    answer = client.post("/erase/planned", data=nobody)
    assert answer.status_code == 404, answer.text
    assert "A pseudonym is not known in this project" in answer.text
    assert client.post("/erase/planned", data={"pseudonyms": "", "purpose": "p"}).status_code == 422
    assert client.post("/erase/planned", data={"pseudonyms": labels[0], "purpose": ""}).status_code == 422
    forever = client.post("/erase/planned", data={"unseen": "yes", "purpose": "p"})
    assert forever.status_code == 422  # the project keeps people for good
    with service.client(service.token(Verb.LOOKUP), **HTMX) as other:
        assert other.get("/erase").status_code == 403
        found = other.post("/lookup/found", data={"name": "Jan Tolsma", "purpose": "verzoek"}).text
        assert "Erase this person" not in found
