"""An engine that speaks for accounts at a vault service: roles and the trail are those of the account."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.desk.records import WEB
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.policy import Role, Verb
from pseudonymizer.service import VaultService
from pseudonymizer.service.callers import Callers
from pseudonymizer.vault import Vault
from pseudonymizer.vault.api import VaultApi
from tests.pseudonymizer.batch_fakes import FakeLinker
from tests.pseudonymizer.web.served import Service, fake_service, json_of, make_vault
from tests.pseudonymizer.web.test_api_jobs import analysed, ended

TEXT = "Jan Tolsma belde Els Mol."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("served")
    make_vault(folder)
    own = Service("", folder, Tokens(DeskStore.open(folder / "vault.desk.db")))
    own.give_roles([("web:sender", Role.ANALYST), ("web:auditor", Role.AUDITOR)])
    place = folder / "socket" / "vault.sock"
    ready = threading.Event()
    service = VaultService(place, own.open_vault, linker=FakeLinker(), callers=Callers(front=os.getuid()))
    thread = threading.Thread(target=lambda: service.serve(ready=ready.set), daemon=True)
    thread.start()
    assert ready.wait(20)

    def opened(actor: str) -> VaultApi:
        return Vault.connect(place, acting_for=actor if actor.startswith(WEB) else "")

    with fake_service(folder, open_vault=opened) as made:
        yield made
    service.stop()
    thread.join()


def test_an_account_does_what_its_role_allows_and_the_trail_names_it(served: Service) -> None:
    verbs = (Verb.PSEUDONYMIZE, Verb.GIVE_BACK, Verb.RESTORE)
    with served.client(served.token(*verbs, account="sender")) as client:
        asked = {"texts": [{"text": TEXT}], "receipt": True}
        answer = client.post("/api/v1/text/pseudonymize", json=asked)
        assert answer.status_code == 200, answer.text
        (written,) = json_of(answer)["texts"]
        assert "Tolsma" not in written["text"]
        back = {"texts": [{"text": written["text"]}], "receipt": json_of(answer)["receipt"]}
        assert json_of(client.post("/api/v1/text/restore", json=back))["texts"][0]["text"] == TEXT
        del back["receipt"]
        refused = client.post("/api/v1/text/restore", json=back | {"purpose": "x"})
        assert refused.status_code == 403  # the token has the verb, the account has no role for it
        assert json_of(refused)["type"] == "urn:nymlink:problem:refused"
    with served.client(served.token(Verb.PSEUDONYMIZE, account="stranger")) as client:
        answer = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
        assert answer.status_code == 403
    with served.client(served.token(Verb.READ_AUDIT, account="auditor")) as client:
        events = json_of(client.get("/api/v1/audit"))["events"]
    mine = [one for one in events if one["actor"] == "web:sender"]
    assert "give-back" in {one["action"] for one in mine}
    with served.open_vault("web:auditor") as vault:
        refused_events = [event for event in vault.audit_events() if event.outcome == "refused:role"]
    assert {event.actor for event in refused_events} == {"web:sender", "web:stranger"}
    assert {one["counts"].get("via") for one in mine} == {os.getuid()}


def test_it_is_ready_while_the_vault_service_answers_and_that_leaves_no_event(served: Service) -> None:
    def events() -> int:
        with served.open_vault("web:auditor") as vault:
            return vault.verify_audit()

    before = events()
    assert served.front is not None
    with served.client() as client:
        assert client.get("/ready").status_code == 200
        assert events() == before
        place = served.folder / "socket" / "vault.sock"
        place.rename(place.with_suffix(".away"))
        try:
            served.front.engine._vault_until = 0.0
            lost = client.get("/ready")
            assert (lost.status_code, json_of(lost)["type"]) == (503, "urn:nymlink:problem:vault-unavailable")
            assert client.get("/health").status_code == 200
        finally:
            place.with_suffix(".away").rename(place)
        assert client.get("/ready").status_code == 200


def test_workspaces_are_sealed_under_a_key_that_the_service_gives(served: Service) -> None:
    with served.client(served.token(Verb.PSEUDONYMIZE, account="sender")) as client:
        place, ids = analysed(client, {"map/a.txt": TEXT.encode()})
        assert ended(client, client.post(f"{place}/runs", json={}))["state"] == "done"
        assert b"Tolsma" not in client.get(f"{place}/files/{ids['map/a.txt']}/result").content
    with served.client(served.token(Verb.PSEUDONYMIZE, account="stranger")) as client:
        assert client.post("/api/v1/workspaces", json={}).status_code == 403  # no role at the vault
