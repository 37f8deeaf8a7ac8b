"""Races of processes over one vault in PostgreSQL: corrections of one file, and texts of one person."""

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.pseudonymizer.web.served import Service, json_of, served_again
from tests.pseudonymizer.web.test_api_jobs import analysed, ended

CLIENTS: Final = 6
NAMES: Final = ("Aal Bos", "Bas Dam", "Cor Eik", "Dik Fok", "Eef Gal", "Fop Ham")
PEOPLE: Final = ("Jan Tolsma", "Els Mol", "Jitske Douma", "Sita Wiersma", "Teun Zwart")
SECONDS: Final = 120.0  # that one round may take on a busy machine


@pytest.fixture
def key(tmp_path: Path, postgres_url: str) -> Path:
    """The key of a vault that was made."""
    place = tmp_path / "kek.key"
    with Vault.create(postgres_url, FileKey(place), actor="tester") as vault:
        vault.commit()
    return place


@contextmanager
def service_of(folder: Path, key: Path, vault: str) -> Iterator[Service]:
    """A service with two processes that treat texts, and files of its own, as on a machine of its own."""
    for place in (folder, folder / "tmp", folder / "memory"):
        place.mkdir()
    shutil.copy(key, folder / "kek.key")
    places = (
        "--desk", f"{folder}/vault.desk.db", "--workspaces", f"{folder}/workspaces", "--work-folder",
        f"{folder}/memory", "--unsealed-work", "--workers", "2",
    )  # fmt: skip
    with served_again(folder, *places, with_fakes=True, vault=vault) as made:
        yield made


def at_once(work: Callable[[int], Any], count: int) -> list[Any]:
    """What each of so many threads gives, which begin together."""
    line = threading.Barrier(count)

    def begin(number: int) -> Any:
        line.wait(SECONDS)
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count), timeout=SECONDS))


def test_of_corrections_at_once_one_wins_and_none_is_lost(
    tmp_path: Path, key: Path, postgres_url: str
) -> None:
    text = ". ".join(f"{name} belde" for name in NAMES)
    with ExitStack() as stack:
        service = stack.enter_context(service_of(tmp_path / "one", key, postgres_url))
        token = service.token()
        clients = [stack.enter_context(service.client(token)) for _ in range(CLIENTS)]
        first = clients[0]
        place, ids = analysed(first, {"a.txt": text.encode()})
        (file,) = ids.values()
        found = json_of(first.get(f"{place}/files/{file}/mentions"))["mentions"]
        assert [one["text"] for one in found] == list(NAMES)
        begun = int(json_of(first.get(f"{place}/files/{file}/mentions"))["revision"])

        def correct(number: int, seen: str) -> httpx.Response:
            body = {"commands": [{"do": "reject", "mention": found[number]["mention"]}]}
            return clients[number].patch(f"{place}/mentions", json=body, headers={"If-Match": seen})

        late = list(range(CLIENTS))
        while late:
            seen = str(first.get(place).headers["etag"])
            turn = list(late)
            answers = at_once(lambda number: correct(turn[number], seen), len(turn))  # noqa: B023
            by_status = sorted(answer.status_code for answer in answers)
            assert by_status == [200] + [412] * (len(turn) - 1)
            (winner,) = [one for one, answer in zip(turn, answers, strict=True) if answer.status_code == 200]
            late.remove(winner)
            now = json_of(first.get(f"{place}/files/{file}/mentions"))["mentions"]
            assert [one["text"] for one in now] == [NAMES[one] for one in late]
        assert json_of(first.get(f"{place}/files/{file}/mentions"))["revision"] == begun + CLIENTS
        assert ended(first, first.post(f"{place}/runs", json={}))["state"] == "done"
        assert first.get(f"{place}/files/{file}/result").content == text.encode()  # nobody is left in it


def test_processes_that_meet_a_person_at_once_give_one_pseudonym(
    tmp_path: Path, key: Path, postgres_url: str
) -> None:
    with ExitStack() as stack:
        services = [
            stack.enter_context(service_of(tmp_path / name, key, postgres_url)) for name in ("one", "two")
        ]
        clients = [
            stack.enter_context(service.client(service.token()))
            for service in services
            for _ in range(CLIENTS // 2)
        ]

        def send(number: int, text: str) -> str:
            body = {"texts": [{"text": text}]}
            answer = clients[number].post("/api/v1/text/pseudonymize", json=body)
            assert answer.status_code == 200, answer.text
            return str(json_of(answer)["texts"][0]["mentions"][0]["label"])

        given = list[str]()
        for person in PEOPLE:
            labels = at_once(lambda number: send(number, f"{person} belde."), CLIENTS)  # noqa: B023
            assert len(set(labels)) == 1
            given += set(labels)
        assert len(set(given)) == len(PEOPLE)
        both = at_once(lambda number: send(number, f"Toen kwam {PEOPLE[number % 5]}."), CLIENTS)
        assert both == [given[number % 5] for number in range(CLIENTS)]
