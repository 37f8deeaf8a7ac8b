"""The service over a vault in PostgreSQL: texts, the way back, requests in a race, workspaces and erasure."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.desk import erasures
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Verb
from pseudonymizer.vault import Vault
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed, ended

TEXT = "Jan Tolsma belde Els Mol."


@pytest.fixture
def service(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(erasures, "CHECK_SECONDS", 0.0)
    key = FileKey(tmp_path / "kek.key")
    with Vault.create(postgres_url, key, actor="tester") as made:
        made.commit()
    with fake_service(
        tmp_path, open_vault=lambda actor: Vault.open(postgres_url, key, actor=actor)
    ) as served:
        yield served


def test_texts_files_and_an_erasure(service: Service) -> None:
    with service.client(service.token(*Verb)) as client:
        sent = json_of(client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]}))
        written = sent["texts"][0]
        asked = {"texts": [{"text": written["text"]}], "purpose": "ticket 88"}
        back = json_of(client.post("/api/v1/text/restore", json=asked))
        assert (back["texts"][0]["text"], back["texts"][0]["how"]) == (TEXT, "exact")
        assert back["audit_sequence"] > sent["audit_sequence"]
        place, ids = analysed(client, {"a.txt": TEXT.encode()})
        assert ended(client, client.post(f"{place}/runs", json={}))["state"] == "done"
        result = client.get(f"{place}/files/{ids['a.txt']}/result").content.decode()
        assert result == written["text"]
        label = written["mentions"][0]["label"]
        told = {"pseudonyms": label, "purpose": "art. 17", "project": PROJECT, "sure": "yes"}
        assert client.post("/erase/done", data=told).status_code == 200
        assert client.get(place).status_code == 404


def test_two_at_once_give_one_person_one_label(service: Service) -> None:
    labels = set[str]()

    def send() -> None:
        with service.client(service.token()) as client:
            for _ in range(4):
                answer = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
                assert answer.status_code in (200, 429, 503), answer.text
                if answer.status_code == 200:
                    labels.add(json_of(answer)["texts"][0]["mentions"][0]["label"])

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(labels) == 1
