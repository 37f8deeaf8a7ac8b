"""Who is erased is gone from workspaces: those that may name him are destroyed, others stay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from linkage.known import KnownIdentity
from linkage.person_name import PersonName
from linkage.records import EntityId
from pseudonymizer.desk import erasures
from pseudonymizer.desk.erasures import people_elsewhere, words_of
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.workspaces import ENDED, WorkspaceStore
from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed, ended, filled

GONE = "Quirijna Zwartsluis"
TEXT = f"{GONE} belde Els Mol."


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(erasures, "CHECK_SECONDS", 0.0)
    with fake_service(tmp_path) as made:
        yield made


def known(service: Service, text: str = TEXT) -> list[str]:
    """The labels of a text that the project has by now."""
    with service.client(service.token()) as client:
        answer = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": text}]})
        return [one["label"] for one in json_of(answer)["texts"][0]["mentions"]]


def erased(service: Service, label: str) -> Any:
    """The receipt of an erasure by another process than the service."""
    with service.open_vault() as vault:
        receipt = vault.erase(project=PROJECT, pseudonyms=[label], purpose="art. 17")
        vault.commit()
    return receipt


def statuses(client: httpx.Client, *places: str) -> list[int]:
    return [client.get(f"{place}/files").status_code for place in places]


def test_a_workspace_that_names_the_erased_is_gone_and_another_one_stays(service: Service) -> None:
    label, _ = known(service)
    with service.client(service.token()) as client:
        named, _ = analysed(client, {"a.txt": TEXT.encode()})
        written, ids = analysed(client, {"b.txt": f"Later kwam {GONE}.".encode()})
        assert ended(client, client.post(f"{written}/runs", json={}))["state"] == "done"
        in_path, _ = analysed(client, {f"{GONE}.txt": b"Els Mol zweeg."})
        other, _ = analysed(client, {"c.txt": b"Els Mol kwam met Jan Tolsma."})
        unread, _ = filled(client, {"d.txt": b"Niemand."})
        assert statuses(client, named, written, in_path, other, unread) == [200] * 5
        receipt = erased(service, label)
        assert statuses(client, named, written, in_path, unread, other) == [404, 404, 404, 404, 200]
        assert client.get(f"{written}/files/{ids['b.txt']}/result").status_code == 404
        again, _ = analysed(client, {"e.txt": TEXT.encode()})  # later files are another matter
        assert statuses(client, again, other) == [200, 200]
    assert len([line for line in receipt.remains if line.startswith("workspace ")]) == 5
    assert not any("was not reached" in line for line in receipt.remains)
    assert GONE not in str(receipt)


def test_an_erasure_by_the_service_destroys_at_once_and_says_how_many(service: Service) -> None:
    label, _ = known(service)
    with service.client(service.token()) as client:
        place, _ = analysed(client, {"a.txt": TEXT.encode()})
        other, _ = analysed(client, {"c.txt": b"Els Mol kwam."})
        folder = service.folder / "workspaces" / place.rpartition("/")[2]
        assert list(folder.iterdir())
        with service.client(service.token(*Verb, account="dpo")) as dpo:
            told = {"pseudonyms": label, "purpose": "art. 17", "project": PROJECT, "sure": "yes"}
            done = dpo.post("/erase/done", data=told)
        assert done.status_code == 200, done.text
        assert "&#34;workspace&#34;: 1" in done.text
        assert "half a minute" not in done.text
        assert not folder.exists()
        assert statuses(client, place, other) == [404, 200]


def test_what_was_destroyed_before_the_service_was_there_is_told_to_the_vault(tmp_path: Path) -> None:
    with fake_service(tmp_path) as service:
        known(service)
        with service.client(service.token()) as client:
            place, _ = analysed(client, {"a.txt": TEXT.encode()})
            assert client.delete(place).status_code == 204
            store = WorkspaceStore(
                DeskStore.open(service.folder / "workspaces" / "workspaces.db"), service.folder / "workspaces"
            )
            assert [one.state for one in store.everything()] in ([ENDED], [])
            started, _ = filled(client, {"x.txt": b"x"})
            ended(client, client.post(f"{started}/analyses"))  # the process of jobs looks at what has ended
            ends = [one.workspace_id for one in store.everything()]
            assert ends == [started.rpartition("/")[2]]
        with service.open_vault() as vault:
            assert len(vault.output_folders(PROJECT)) == 1


def identity(number: str, *names: PersonName) -> KnownIdentity:
    return KnownIdentity(EntityId(number), names)


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        (PersonName(given="Jan", family="Tolsma"), True),
        (PersonName(given="Jan", family="Mol"), False),
        (PersonName(given="Zoë"), True),
        (PersonName(given="Els"), False),
        (PersonName(given="Els", family="Bakker-Mol", partner_family="Tolsma"), True),
        (PersonName(initials="J."), True),  # nothing to look for: nobody knows
    ],
)
def test_who_may_stand_in_a_text(name: PersonName, stands: bool) -> None:
    words = words_of(["Mevrouw TOLSMA sprak met Zoe."])
    assert (people_elsewhere([identity("1", name)], words) == ()) is stands
