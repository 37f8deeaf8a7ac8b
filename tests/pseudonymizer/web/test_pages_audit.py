"""The page /audit by its requests: the latest first, filters, pages, and what a check says."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from pseudonymizer.policy import Role, Verb
from pseudonymizer.web import pages_audit
from tests.pseudonymizer.web.served import Service, fake_service

HTMX = {"HX-Request": "true", "Accept-Language": "en"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("audit")
    with fake_service(folder) as made:
        made.give_roles(
            [("web:analyst", Role.ANALYST), ("web:auditor", Role.AUDITOR), ("web:requester", Role.REQUESTER)]
        )
        with made.client(made.token(account="analyst")) as client:
            client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma belde."}]})
        with made.client(made.token(Verb.LOOKUP, account="requester")) as client:
            refused = client.post("/api/v1/lookups", json={"name": "Jan Tolsma", "purpose": "nieuwsgierig"})
            assert refused.status_code == 403
        yield made


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client(service.token(Verb.READ_AUDIT, Verb.VERIFY, account="auditor"), **HTMX) as made:
        yield made


def _rows(page: str) -> list[tuple[int, str, str, str]]:
    """(number, account, action, outcome) of every event that is shown."""
    found = re.findall(
        r'<tr><th scope="row">(\d+)</th><td>[^<]*</td><td>([^<]*)</td><td><code>([^<]*)</code></td>'
        r"<td>([^<]*)</td>",
        page,
    )
    return [(int(number), *rest) for number, *rest in found]


def _events(client: httpx.Client, **fields: str) -> list[tuple[int, str, str, str]]:
    answer = client.post("/audit/events", data=fields or {"none": ""})
    assert answer.status_code == 200, answer.text
    return _rows(answer.text)


def test_the_latest_event_is_the_first_and_no_name_is_shown(client: httpx.Client) -> None:
    page = client.get("/audit").text
    numbers = [one[0] for one in _rows(page)]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) > 3
    assert "Tolsma" not in page
    assert "nieuwsgierig" in page


def test_filters_leave_what_fits(client: httpx.Client) -> None:
    assert {one[1] for one in _events(client, account="web:analyst")} == {"web:analyst"}
    refused = _events(client, refused="yes")
    assert [(one[1], one[2]) for one in refused] == [("web:requester", "lookup")]
    assert all(one[3].startswith("refused") for one in refused)
    assert {one[2] for one in _events(client, action="lookup")} == {"lookup"}
    today = datetime.now(UTC).date()
    assert len(_events(client, since=f"{today}", account="web:analyst")) > 0
    assert _events(client, since=f"{today + timedelta(days=2)}") == []
    assert client.post("/audit/events", data={"since": "gisteren"}).status_code == 422


def test_pages_follow_each_other_without_a_gap(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_audit, "EVENTS_A_PAGE", 2)
    page = client.post("/audit/events", data={"account": "web:analyst"}).text
    assert 'name="account" value="web:analyst"' in page
    whole = [one[0] for one in _rows(page)]
    while before := re.findall(r'name="before" value="(\d+)"', page):
        page = client.post("/audit/events", data={"account": "web:analyst", "before": before[0]}).text
        assert "To the latest" in page
        whole += [one[0] for one in _rows(page)]
    monkeypatch.undo()
    assert whole == [one[0] for one in _events(client, account="web:analyst")]


def test_a_check_says_that_all_is_as_written(client: httpx.Client, service: Service) -> None:
    told = client.post("/audit/verified", data={"none": ""}).text
    count = int(re.findall(r"([\d,]+) events are as the vault wrote them", told)[0].replace(",", ""))
    with service.open_vault() as vault:
        assert count in range(4, 1 + sum(1 for _ in vault.audit_events()))


def test_a_check_says_that_an_event_was_altered(tmp_path: Path) -> None:
    with fake_service(tmp_path) as made, made.client(made.token(*Verb), **HTMX) as client:
        client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": "Jan Tolsma belde."}]})
        with closing(sqlite3.connect(made.vault_file)) as raw:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            changed = raw.execute("UPDATE audit_event SET actor = 'nobody' WHERE sequence = 2").rowcount
            raw.commit()
        assert changed == 1
        told = client.post("/audit/verified", data={"none": ""})
    assert told.status_code == 200, told.text
    assert "The trail was altered" in told.text
