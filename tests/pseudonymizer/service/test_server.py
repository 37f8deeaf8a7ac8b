"""The service as a boundary: the kernel tells who connects, and everyone gets what his roles allow."""

import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from linkage.records import DocumentId, KnownIdentity, LinkageResult, NormalizedMention, PersonName
from linkage.review import Judgement, MentionPlace, Verdict
from pseudonymizer.assignment import assign, literal_label
from pseudonymizer.crosslinks import link_projects
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    PseudonymizerError,
    PurposeRequiredError,
    ServiceError,
    UnknownProjectError,
    UnknownPseudonymError,
)
from pseudonymizer.open_links import OpenLinks
from pseudonymizer.policy import MATRIX, Role
from pseudonymizer.records import Known, Linked, Rewrite, RewriteEdit, Style
from pseudonymizer.reidentification import approve, grant, lookup, request, restore, reveal, stored_forms
from pseudonymizer.service import VaultService
from pseudonymizer.service.server import Callers, HeldKey, Limits, user_name
from pseudonymizer.service.verbs import VERBS
from pseudonymizer.settings import ProjectSettings, StyleSettings, StylesWanted
from pseudonymizer.vault import Vault, wire
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.remote import messages
from pseudonymizer.vault.remote.client import VaultClient
from pseudonymizer.vault.rows import people
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Jan"}, [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")]]
)
NAMES = (b"Tolsma", b"tolsma", b"Els Kok", b"kok")
ACTORS = {
    "ana": {Role.ANALYST}, "cor": {Role.CURATOR}, "rik": {Role.REQUESTER}, "apo": {Role.APPROVER},
    "aud": {Role.AUDITOR}, "kim": {Role.KEYADMIN}, "dpo": {Role.DPO}, "rare": {Role.REQUESTER, Role.APPROVER},
}  # fmt: skip


PLACE = MentionPlace("brief.txt", 0, 10)


class FakeLinker:
    """Everyone with the same name is one person; a known one where the name is known."""

    judgements: tuple[Judgement, ...] = ()

    def link(
        self,
        mentions: Sequence[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        self.judgements = tuple(judgements)
        ids = {name: person.entity_id for person in known for name in person.names}
        found = linkage_result(
            {"b": ", ".join(m.mention.surface for m in mentions)},
            [[("b", m.mention.surface)] for m in mentions],
        ).identities
        people = tuple(
            replace(one, mention_ids=frozenset({m.mention_id}), entity_id=ids.get(m.name))
            for one, m in zip(found, mentions, strict=True)
        )
        return LinkageResult(tuple(mentions), people)


class Served:
    """A running service whose callers are whoever the test says."""

    def __init__(self, place: VaultPlace, folder: Path, **options: Any) -> None:
        self.place = place
        self.socket = folder / "s" / "vault.sock"
        self.caller = "ana"
        self.linker = FakeLinker()
        key = HeldKey(place.key)
        self.service = VaultService(
            self.socket,
            lambda actor: Vault.open(place.url, key, actor=actor, clock=place.clock),
            linker=options.pop("linker", self.linker),
            callers=options.pop("callers", Callers(actor_of=lambda _: self.caller)),
            **options,
        )
        self.ready = threading.Event()
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self.service.serve(ready=self.ready.set)
        except BaseException as error:  # noqa: BLE001
            self.error = error
            self.ready.set()

    def connect(self, actor: str) -> VaultClient:
        self.caller = actor
        return Vault.connect(f"unix://{self.socket}")


@contextmanager
def running(place: VaultPlace, **options: Any) -> Iterator[Served]:
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        served = Served(place, Path(folder), **options)
        served.thread.start()
        served.ready.wait(20)
        try:
            yield served
        finally:
            served.service.stop()
            served.thread.join(20)
            assert not served.thread.is_alive()


def filled(place: VaultPlace) -> dict[str, str]:
    with place.create("boss") as vault:
        vault.ensure_project("p", ProjectSettings(approvals_needed=1))
        pseudonyms = assign(RESULT, vault, project="p")
        for actor, roles in ACTORS.items():
            for role in roles:
                give_role(vault, actor, role)
        vault.commit()
        return {m.mention.surface: pseudonyms[m.mention_id].label for m in RESULT.mentions}


@pytest.fixture
def labels(place: VaultPlace) -> dict[str, str]:
    return filled(place)


@pytest.fixture
def served(place: VaultPlace, labels: dict[str, str]) -> Iterator[Served]:
    del labels
    with running(place) as one:
        yield one


def test_without_roles_it_does_not_start(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        vault.commit()
    with running(sqlite_place) as served:
        assert isinstance(served.error, ServiceError)
        assert "roles give" in str(served.error)
        assert not served.socket.exists()


@pytest.mark.parametrize("path", ["/home/x/.profile", "../x", "a/../../x", "C:\\x"])
def test_an_analyst_stores_no_path_that_leads_out_of_a_folder(served: Served, path: str) -> None:
    edit = RewriteEdit(0, "", 0, 23, b"Jan Tolsma", None)
    with served.connect("ana") as client:
        with pytest.raises(PseudonymizerError, match="the path of document d ") as refused:
            client.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,), path), output=b"uit")
        assert type(refused.value).__name__ == "OutsideFolderError"
    with served.connect("rare") as client:
        assert restore(client, project="p", outputs=[b"uit"], purpose="t") == (None,)


def test_an_analyst_pseudonymizes_and_links_but_gets_no_name(served: Served, labels: dict[str, str]) -> None:
    with served.connect("ana") as client:
        assert (client.status.actor, client.status.roles) == ("ana", ("analyst",))
        again = linkage_result({"b": "Jan Tolsma"}, [[("b", "Jan Tolsma")]])
        linked = client.linked("p", again.mentions).result
        assert linked.identities[0].entity_id is not None
        judged = Judgement("Jan Tolsma", "Els Kok", Verdict.REJECT, left_at=PLACE, right_at=PLACE)
        client.linked("p", again.mentions, judgements=[judged])
        assert served.linker.judgements == (judged,)
        found = assign(linked, client, project="p")
        assert [p.label for p in found.values()] == [labels["Jan Tolsma"]]
        edit = RewriteEdit(0, "", 0, 23, b"Jan Tolsma", next(iter(found.values())).entity_id)
        client.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,), "map/b\udcff.txt"), output=b"uit")
        asked = [again.mentions[0].name, PersonName(given="Piet", family="Nergens")]
        assert client.are_known_names("p", asked) == (True, False)
        assert client.tokens("p").is_valid(labels["Els Kok"])
        assert [t.is_valid for t in client.tokens("p").find(f"x {labels['Els Kok']} P1-{'0' * 20}")] == [
            True,
            False,
        ]
        assert list(client.pseudonym_links("p")) == []
        for refused in (
            lambda: client.known_identities("p"),
            lambda: reveal(client, project="p", pseudonyms=[labels["Jan Tolsma"]], purpose="t"),
            lambda: stored_forms(client, project="p", labels=[labels["Jan Tolsma"]], purpose="t"),
            lambda: restore(client, project="p", outputs=[b"uit"], purpose="t"),
            lambda: lookup(client, project="p", name="Jan Tolsma", purpose="t"),
            lambda: list(client.audit_events()),
            lambda: client.give_role("ana", Role.DPO),
            lambda: client.change_settings("p", ProjectSettings()),
        ):
            with pytest.raises(AccessRefusedError):
                refused()
    with served.connect("rik") as client, pytest.raises(GrantInvalidError):
        restore(client, project="p", outputs=[b"uit"], purpose="t")
    with served.connect("rare") as client:
        (back,) = restore(client, project="p", outputs=[b"uit"], purpose="t")
        assert back is not None
        assert (back.edits[0].original, back.path) == (b"Jan Tolsma", "map/b\udcff.txt")


def test_a_person_that_the_linker_did_not_find_is_found_by_full_name(
    served: Served, labels: dict[str, str]
) -> None:
    with served.connect("ana") as client:
        found = assign(linkage_result({"c": "Els Kok"}, [[("c", "Els Kok")]]), client, project="p")
    assert [p.label for p in found.values()] == [labels["Els Kok"]]


def test_who_may_see_names_gets_the_known_people(served: Served) -> None:
    with served.connect("cor") as client:
        known = client.known_identities("p")
        assert {name.family for person in known for name in person.names} >= {"tolsma", "kok"}
        assert client.known("p").seen_through > 0


def test_known_people_are_sent_and_read_again_only_if_something_changed(
    served: Served, labels: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = people.known_identities, list[int]()

    def counting(vault: Any, keys: Any) -> Any:
        reads.append(1)
        return read(vault, keys)

    monkeypatch.setattr(people, "known_identities", counting)
    with served.connect("cor") as client, served.connect("ana") as analyst:
        before = client.known("p")
        assert client.known("p") is before
        analyst.linked("p", [])
        assert len(reads) == 1  # once for all callers
        raw = _raw_answer(client, "known", {"project": "p", "revision": before.revision})
        assert not any(name in raw for name in NAMES)
        with served.place.open("boss") as vault:
            vault.erase(project="p", pseudonyms=[labels["Els Kok"]], purpose="verzoek")
        after = client.known("p")
        assert {name.family for person in after.people for name in person.names} == {"tolsma", None}
        assert client.known("nergens") == client.known("nergens") == Known()
        client.close()
        assert client._known == {}


def test_the_long_way_over_the_socket(served: Served, labels: dict[str, str]) -> None:
    jan = labels["Jan Tolsma"]
    with served.connect("rik") as client:
        asked = request(client, project="p", pseudonyms=[jan], purpose="klacht")
        with pytest.raises(PurposeRequiredError):
            request(client, project="p", pseudonyms=[jan], purpose=" ")
        with pytest.raises(UnknownPseudonymError):
            request(client, project="p", pseudonyms=["Wim"], purpose="klacht")
    with served.connect("apo") as client:
        assert approve(client, asked.request_id).approvers == ("apo",)
    with served.connect("rik") as client:
        given = grant(client, asked.request_id)
        assert (
            reveal(client, project="p", pseudonyms=[jan], purpose="klacht", grant=given)[jan].name
            == "Jan Tolsma"
        )
        with pytest.raises(GrantInvalidError):
            reveal(client, project="p", pseudonyms=[jan], purpose="klacht", grant=given)


def test_the_other_roles_do_their_verbs(served: Served, labels: dict[str, str]) -> None:
    with served.connect("aud") as client:
        events = list(client.audit_events())
        assert client.verify_audit([client.audit_head()]) == len(events)
        assert client.verify().findings == ()
        assert [e.sequence for e in client.audit_events(limit=2)] == [
            events[-2].sequence,
            events[-1].sequence,
        ]
    with served.connect("dpo") as client:
        assert ("ana", Role.ANALYST) in client.stored_roles()
        assert lookup(client, project="p", name="Els Kok", purpose="t").pseudonyms == (labels["Els Kok"],)
        receipt = client.erase(project="p", pseudonyms=[labels["Els Kok"]], purpose="verzoek")
        assert receipt.pseudonyms == (labels["Els Kok"],)
        client.take_role("ana", Role.ANALYST)
    with served.connect("ana") as client, pytest.raises(AccessRefusedError):
        client.ensure_project("q")
    with served.connect("kim") as client:
        assert client.verify().findings == ()


def test_an_unknown_project_shows_only_to_who_has_a_role(served: Served) -> None:
    with served.connect("vreemde") as client:
        for project in ("p", "bestaat niet"):
            with pytest.raises(AccessRefusedError):
                client.project_settings(project)
    with served.connect("ana") as client, pytest.raises(UnknownProjectError):
        client.project_settings("bestaat niet")


# Every served verb with arguments that reach its work, so that only the matrix can refuse.
def calls(labels: dict[str, str]) -> dict[str, dict[str, Any]]:
    jan = labels["Jan Tolsma"]
    why = {"project": "p", "purpose": "t"}
    return {
        "projects": {}, "ensure_project": {"project": "p"}, "project_settings": {"project": "p"},
        "change_settings": {"project": "p", "settings": ProjectSettings()},
        "known": {"project": "p", "revision": b""}, "check_may_see_names": {"project": "p"},
        "linked": {"project": "p", "mentions": [], "registered": []},
        "candidates": {
            "project": "p", "names": [], "marks": {}, "documents": [], "again": [], "everybody": True,
        },
        "assign": {"result": LinkageResult((), ()), "project": "p", "seen_through": 0},
        "assign_styled": {
            "result": LinkageResult((), ()), "project": "p", "wanted": StylesWanted(StyleSettings()),
            "seen_through": 0,
        },
        "stored_labels": {"project": "p", "style": Style.TAG},
        "styles_of_people": {"project": "p"}, "listed_people": why,
        "outputs_among": {"project": "p", "digests": [bytes(32)]},
        "literal_label": {"project": "p", "text": "P1-X"},
        "document_id": {"project": "p", "relative_path": b"a"},
        "are_known_names": {"project": "p", "names": [PersonName(given="Jan", family="Tolsma")]},
        "are_tokens": {"project": "p", "texts": [jan]}, "read_labels": {"project": "p", "texts": [jan]},
        "work_key": {"project": "p"},
        "folder_keys": {"project": "p", "folder_id": bytes(16), "place": b"/x", "is_new": False},
        "settle_folder": {"project": "p", "folder_id": bytes(16), "version": 1, "forgotten": []},
        "output_folders": {"project": "p"}, "give_up_folders": {**why, "folders": []},
        "keep_open_links": {"project": "p", "found": OpenLinks(())},
        "kept_links": {"project": "p", "outputs": []}, "forget_open_links": {"project": "p", "outputs": []},
        "store_rewrites": {"project": "p", "rewrites": []}, "audit_events": {}, "verify_audit": {},
        "verify": {},
        "audit_head": {}, "reveal": {**why, "pseudonyms": [jan]},
        "stored_addresses": {**why, "labels": [jan]},
        "stored_forms": {**why, "labels": [jan]}, "restore": {**why, "outputs": [bytes(32)]},
        "lookup": {**why, "name": "Jan Tolsma"}, "request": {**why, "pseudonyms": [jan]},
        "request_restore": {**why, "outputs": [bytes(32)]}, "request_link": {**why, "other": "p"},
        "approve": {"request_id": 999}, "grant": {"request_id": 999}, "link_projects": {**why, "other": "q"},
        "planned_erasure": {**why, "what": {"days": 9999}},
        "requests": {}, "deny": {"request_id": 999}, "withdraw": {"request_id": 999},
        "erase": {**why, "pseudonyms": ["geen"]}, "erase_unseen_since": {**why, "days": 9999},
        "rotate": {"what": "token", "project": "p"}, "pseudonym_links": {"project": "p"},
        "add_decoy": {"project": "p", "name": PersonName(given="otto", family="lok"), "surface": "Otto Lok"},
        "give_role": {"actor": "x", "role": "auditor"}, "take_role": {"actor": "x", "role": "auditor"},
        "hand_out": {**why, "run": "r", "hours": 1}, "accept": {"project": "p", "run": "r", "parcels": []},
        "assign_values": {"project": "p", "values": [], "labels": []},
        "treatment_key": {"project": "p"},
        "lookup_value": {**why, "value": {"kind": "PHONE", "normal": "1"}},
        "erase_values": {**why, "values": [{"kind": "PHONE", "normal": "1"}]},
        "stored_value_labels": {"project": "p", "style": "surrogate"},
        "stored_roles": {}, "merge": {**why, "pseudonyms": [jan]}, "unmerge": {**why, "pseudonyms": [jan]},
        "split": {**why, "pseudonym": jan, "surfaces": [], "doc_ids": [], "found": []},
        "relink": {**why, "how": {"apply": False, "names": False}},
        "receipt": {"project": "p", "sent": []},
        "give_back": {"project": "p", "receipt": "nyr_", "labels": [jan]},
    }  # fmt: skip


def test_every_role_gets_exactly_the_served_verbs_of_the_matrix(sqlite_place: VaultPlace) -> None:
    labels = filled(sqlite_place)
    asked = calls(labels)
    assert set(asked) == set(VERBS)
    with sqlite_place.open("boss") as vault:
        found = vault.keys_of("p")._versions
        keys = [version.key for versions in found.values() for version in versions.values()]
    assert len(keys) == 4
    silent = {Role.ANALYST, Role.APPROVER, Role.AUDITOR, Role.KEYADMIN}
    with running(sqlite_place, limits=Limits(most_faults=999, fault_seconds=0)) as served:
        for role in Role:
            actor = next(name for name, roles in ACTORS.items() if roles == {role})
            with served.connect(actor) as client:
                for verb, arguments in asked.items():
                    raw = _raw_answer(client, verb, arguments)
                    error = wire.decode(raw, wire.Answer).error
                    # GrantInvalidError: the role allowed it; it is the request or the grant that lacks.
                    refused = error == "AccessRefusedError"
                    allowed = bool(MATRIX[role] & set(VERBS[verb].needs))
                    assert refused is not allowed, (role, verb)
                    assert not any(key in raw for key in keys), (role, verb)
                    if role in silent:
                        assert not any(name in raw for name in NAMES), (role, verb)


def _raw_answer(client: VaultClient, verb: str, arguments: dict[str, Any]) -> bytes:
    call = wire.Call(verb, msgspec.Raw(wire.encode(arguments)))
    wire.send_frame(client._connection, wire.encode(call), largest=wire.LARGEST_FRAME)
    return wire.receive_frame(client._connection, largest=wire.LARGEST_FRAME)


def _raw_socket(served: Served) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(10)
    connection.connect(str(served.socket))
    return connection


STRANGE = (
    b"\xff\xff\xff\xff",
    struct.pack(">I", 5) + b"hello",
    struct.pack(">I", 1) + b"\x63",
    struct.pack(">I", 900) + b"\x91" * 900,
    struct.pack(">I", 10) + b"\x81\xa8protocol",
    struct.pack(">I", 10) + b"x",
    b"GET / HTTP/1.1\r\n\r\n",
)


def test_a_stranger_who_speaks_otherwise_is_cut_off(served: Served) -> None:
    for sent in STRANGE:
        with _raw_socket(served) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                assert connection.recv(100) == b""
    with served.connect("ana") as client:
        assert client.projects() == ("p",)


BROKEN: tuple[Any, ...] = (
    {"verb": "open", "arguments": {}},
    {"verb": "__class__", "arguments": {}},
    {"verb": "assign", "arguments": {"result": 3, "project": "p"}},
    {"verb": "assign", "arguments": {"project": "p"}},
    {"verb": "document_id", "arguments": {"project": "p", "relative_path": b"a", "more": 1}},
    {"verb": "document_id", "arguments": {"project": "p", "relative_path": b"\xff\xfe"}},
    {"verb": "store_rewrites", "arguments": {"project": "p", "rewrites": [["d", "txt", [], None, b"short"]]}},
    {"verb": "projects", "arguments": [1, 2]},
    {"verb": "projects"},
    {"verb": 1, "arguments": {}},
    [],
    "projects",
    None,
)


def test_a_broken_call_gets_an_error_and_changes_nothing(served: Served) -> None:
    with served.connect("ana") as client:
        for call in BROKEN:
            wire.send_frame(client._connection, msgspec.msgpack.encode(call), largest=1 << 20)
            answer = wire.decode(wire.receive_frame(client._connection, largest=1 << 20), wire.Answer)
            assert answer.error, call
            assert isinstance(wire.raised(answer), PseudonymizerError)
        assert client.projects() == ("p",)


def test_a_deep_value_does_not_bring_it_down(served: Served) -> None:
    with served.connect("ana") as client:
        deep = b"\x91" * 100_000 + b"\xc0"
        wire.send_frame(client._connection, b"\x82\xa4verb\xa6assign\xa9arguments" + deep, largest=1 << 20)
        answer = wire.decode(wire.receive_frame(client._connection, largest=1 << 20), wire.Answer)
        assert answer.error
    with served.connect("ana") as client:
        assert client.projects() == ("p",)


def test_who_has_no_role_may_not_send_much(served: Served) -> None:
    with served.connect("vreemde") as client:
        assert client.status.roles == ()
        with pytest.raises(ServiceError):
            client.ask(messages.ARE_TOKENS, messages.OfTexts(project="p", texts=("x" * 100_000,)))


# 20 faults end a connection; a client that sees its end before it asks connects again in silence.
_MOST_TRIES = 400


def test_after_many_faults_the_connection_ends(served: Served) -> None:
    answers: list[type[Exception]] = []
    with served.connect("vreemde") as client:
        while len(answers) < _MOST_TRIES and (not answers or answers[-1] is AccessRefusedError):
            try:
                client.projects()
            except PseudonymizerError as error:
                answers.append(type(error))
    assert answers[-1] is wire.ConnectionEndedError
    with served.connect("aud") as client:
        refusals = [e for e in client.audit_events() if e.actor == "vreemde"]
    assert 0 < len(refusals) < _MOST_TRIES
    assert {e.outcome for e in refusals} == {"refused:role"}


def test_connections_are_bounded(sqlite_place: VaultPlace) -> None:
    filled(sqlite_place)
    with running(sqlite_place, limits=Limits(most_a_user=2)) as served:
        with served.connect("ana"), served.connect("ana"), pytest.raises(ServiceError):
            served.connect("ana")
        for _ in range(50):
            try:
                with served.connect("ana") as client:
                    assert client.projects() == ("p",)
                break
            except ServiceError:
                threading.Event().wait(0.02)
        else:
            pytest.fail("closed connections still count")


def test_a_message_above_the_limit_is_refused_before_it_is_sent(sqlite_place: VaultPlace) -> None:
    filled(sqlite_place)
    with (
        running(sqlite_place, limits=Limits(largest_message=1000)) as served,
        served.connect("ana") as client,
    ):
        with pytest.raises(ServiceError, match="largest-message"):
            client.ask(messages.ARE_TOKENS, messages.OfTexts(project="p", texts=("x" * 2000,)))
        assert client.projects() == ("p",)


def test_the_socket_is_its_users_alone(served: Served) -> None:
    assert stat.S_IMODE(served.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(served.socket.parent.stat().st_mode) == 0o700


def test_it_starts_over_a_dead_socket_but_not_over_a_living_one_nor_in_an_open_folder(
    sqlite_place: VaultPlace, tmp_path: Path
) -> None:
    filled(sqlite_place)
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        first = Served(sqlite_place, Path(folder))
        first.socket.parent.mkdir(mode=0o700)
        dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        dead.bind(str(first.socket))
        dead.close()
        first.thread.start()
        first.ready.wait(20)
        assert first.error is None
        second = Served(sqlite_place, Path(folder))
        with pytest.raises(ServiceError, match="another"):
            second.service.serve()
        first.service.stop()
        first.thread.join(20)
        assert not first.socket.exists()
        first.socket.parent.chmod(0o755)
        with pytest.raises(ServiceError, match="folder"):
            Served(sqlite_place, Path(folder)).service.serve()
        first.socket.parent.chmod(0o700)
        first.socket.write_text("x")
        with pytest.raises(ServiceError, match="no socket"):
            Served(sqlite_place, Path(folder)).service.serve()
        assert first.socket.read_text() == "x"
    assert tmp_path.exists()


def test_two_callers_at_once_lose_and_double_nobody(served: Served) -> None:
    text = ", ".join(f"Kees Naam{n}" for n in range(40))
    result = linkage_result({"z": text}, [[("z", f"Kees Naam{n}")] for n in range(40)])
    found: list[set[str]] = []
    client_a, client_b = served.connect("ana"), served.connect("cor")

    def work(client: VaultClient) -> None:
        with client:
            found.append({p.label for p in assign(result, client, project="p").values()})

    threads = [threading.Thread(target=work, args=(client,)) for client in (client_a, client_b)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 2
    assert found[0] == found[1]
    assert len(found[0]) == 40


def test_work_keys_are_each_actors_own(served: Served) -> None:
    with served.connect("ana") as client:
        sealed = client.work_sealer("p").seal(b"x", context=b"c")
        assert client.work_sealer("p").unseal(sealed, context=b"c") == b"x"
    with served.connect("cor") as client, pytest.raises(PseudonymizerError):
        client.work_sealer("p").unseal(sealed, context=b"c")
    with served.place.open("boss") as vault, pytest.raises(PseudonymizerError):
        vault.work_sealer("p").unseal(sealed, context=b"c")


def test_a_literal_and_a_cross_link_over_the_socket(served: Served) -> None:
    with served.connect("ana") as client:
        text = "P1-" + "0" * 20
        assert literal_label(client, "p", text) == literal_label(client, "p", text)
        client.ensure_project("q")
        assign(linkage_result({"q": "Els Kok"}, [[("q", "Els Kok")]]), client, project="q")
    with served.connect("rare") as client:
        assert [c.evidence for c in link_projects(client, project="p", other="q", purpose="t")] == [
            "full name"
        ]


OTHER_USER = """
import os, sys
from pseudonymizer.vault.remote.client import VaultClient
os.setgroups([]), os.setgid(65534), os.setuid(65534)
try:
    with VaultClient.connect(sys.argv[1]) as client:
        print(client.status.actor)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("group", [None, "nogroup"])
def test_another_user_of_the_system_is_known_by_the_kernel(
    sqlite_place: VaultPlace, group: str | None
) -> None:
    filled(sqlite_place)
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        Path(folder).chmod(0o711)
        served = Served(sqlite_place, Path(folder), callers=Callers(group))
        served.thread.start()
        served.ready.wait(20)
        try:
            done = subprocess.run(  # noqa: S603  our own interpreter
                [sys.executable, "-c", OTHER_USER, f"unix://{served.socket}"], capture_output=True, text=True,
                check=False, timeout=120,
            )  # fmt: skip
            expected = "ServiceError" if group is None else user_name(65534)
            assert done.stdout.strip() == expected, done.stderr
        finally:
            served.service.stop()
            served.thread.join(20)


def test_stopping_lets_a_running_verb_end(sqlite_place: VaultPlace) -> None:
    filled(sqlite_place)
    with running(sqlite_place) as served:
        entered, go_on = threading.Event(), threading.Event()
        linker = served.service._linker
        assert linker is not None

        def slow(mentions: Any, *, known: Any = (), judgements: Any = ()) -> LinkageResult:
            del known, judgements
            entered.set()
            go_on.wait(20)
            return LinkageResult(tuple(mentions), ())

        linker.link = slow  # type: ignore[method-assign]
        answers: list[Linked] = []
        client = served.connect("ana")
        caller = threading.Thread(target=lambda: answers.append(client.linked("p", [])))
        caller.start()
        assert entered.wait(20)
        served.service.stop()
        go_on.set()
        caller.join(20)
        client.close()
        assert [linked.result for linked in answers] == [LinkageResult((), ())]
