"""Rows, counts and stores put back as they were before: found by verify, before and after writes."""

import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from linkage.records import DocumentId
from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, GrantInvalidError, PseudonymizerError, VaultDamagedError
from pseudonymizer.open_links import LinkedSource
from pseudonymizer.policy import Role
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import approve, grant, request, reveal
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.mending import mend_roles
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.erasure import erase
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok en Bert, Wim Faber"},
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Bert")], [("a", "Wim Faber")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)
LATER = linkage_result(
    {"b": "Ada Mulder, Jan Tolsma en Bert", "a": "Jan Tolsma, Els Kok"},
    [[("b", "Ada Mulder")], [("b", "Jan Tolsma"), ("a", "Jan Tolsma")], [("b", "Bert")], [("a", "Els Kok")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)
OWN: Final = ("project", "actor_role", "access_request", "approval", "rate_bucket")
OF_PROJECT: Final = (
    "entity", "form", "name_index", "pseudonym", "mention_list", "run_result", "document", "edit",
    "tombstone",
)  # fmt: skip


@dataclass(frozen=True)
class Before:
    """A vault that was used, what its tables held at an earlier time, and what was given then."""

    folder: Path
    tables: Mapping[str, list[tuple[Any, ...]]]
    labels: tuple[str, ...]
    grant: str


def as_actor(place: VaultPlace, actor: str) -> Vault:
    return Vault.open(place.url, place.key, clock=place.clock, actor=actor)


def rows_in(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        tables = [r[0] for r in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {t: connection.execute(f"SELECT * FROM {t}").fetchall() for t in tables}  # noqa: S608


def put_back(file: Path, tables: Mapping[str, list[tuple[Any, ...]]]) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for table, rows in tables.items():
            connection.execute(f"DELETE FROM {table}")  # noqa: S608
            for row in rows:
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def put_back_counts(file: Path, before: Before, names: tuple[str, ...], projects: tuple[int, ...]) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for name in names:
            for number in projects:
                condition = "project_id = ? AND table_name = ?"
                connection.execute(f"DELETE FROM checkpoint WHERE {condition}", (number, name))  # noqa: S608
        old = [row for row in before.tables["checkpoint"] if row[0] in projects and row[1] in names]
        connection.executemany("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)", old)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Before:
    folder = tmp_path_factory.mktemp("used")
    place = sqlite_place_in(folder)
    with place.create() as vault:
        vault.ensure_project("p", ProjectSettings(single_approval=False))
        given = assign(RESULT, vault, project="p")
        people = [given[m.mention_id] for m in RESULT.mentions]
        labels = tuple(p.label for p in people)
        edits = tuple(
            RewriteEdit(n, "kop", 30 * n, 30 * n + 23, b"origineel %d" % n, p.entity_id)
            for n, p in enumerate(people)
        )
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits, "pad"), output=b"uit")
        source = LinkedSource(DocumentId("bron"))
        vault.keep_open_links("p", open_links_of(RESULT, {DocumentId("a"): source}, ()))
        vault.give_role("anna", Role.REQUESTER)
        vault.give_role("bob", Role.APPROVER)
        vault.give_role("carl", Role.ANALYST)
        vault.give_role("audra", Role.AUDITOR)
        vault.commit()
        owner = vault.actor
    with as_actor(place, "anna") as vault:
        asked = request(vault, project="p", pseudonyms=labels[:1], purpose="klacht 7")
        open_request = request(vault, project="p", pseudonyms=labels[1:2], purpose="klacht 8")
    with as_actor(place, "bob") as vault:
        approve(vault, asked.request_id)
    with as_actor(place, "anna") as vault:
        permit = grant(vault, asked.request_id)
        reveal_once = request(vault, project="p", pseudonyms=labels[:1], purpose="klacht 9")
    with as_actor(place, "bob") as vault:
        approve(vault, reveal_once.request_id)
    with as_actor(place, "anna") as vault:
        first = grant(vault, reveal_once.request_id)
        reveal(vault, project="p", pseudonyms=labels[:1], purpose="klacht 9", grant=first)
    tables = rows_in(place.vault_file)
    with as_actor(place, "anna") as vault:
        reveal(vault, project="p", pseudonyms=labels[:1], purpose="klacht 7", grant=permit)
    with as_actor(place, "bob") as vault:
        approve(vault, open_request.request_id)
    place.clock.advance(days=3)
    with as_actor(place, owner) as vault:
        vault.change_settings("p", ProjectSettings(single_approval=False, limit_capacity=7))
        vault.take_role("anna", Role.REQUESTER)
        vault.commit()
        vault.give_role(owner, Role.KEYADMIN)
        vault.give_role(owner, Role.CURATOR)
        vault.commit()
        assign(LATER, vault, project="p")
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits[:2], "pad"), output=b"uit 2")
        vault.keep_open_links("p", open_links_of(LATER, {DocumentId("b"): source}, ()))
        vault.commit()
        erase(vault, project="p", pseudonyms=labels[3:], purpose="verzoek")
        rotate(vault, Rotated.DATA, project_name="p")
        assert vault.verify().findings == ()
    return Before(folder, tables, labels, permit)


@pytest.fixture
def before(template: Before, tmp_path: Path) -> tuple[VaultPlace, Before]:
    for file in template.folder.iterdir():
        shutil.copy2(file, tmp_path)
    place = sqlite_place_in(tmp_path)
    place.clock.advance(days=3)
    return place, template


def write_on(place: VaultPlace) -> None:
    """Further writes, by several actors; each may be refused."""
    new = linkage_result({"z": "Otto Lok"}, [[("z", "Otto Lok")]])
    acts: list[tuple[str, Callable[[Vault], object]]] = [
        ("carl", lambda v: assign(new, v, project="p")),
        ("anna", lambda v: request(v, project="p", pseudonyms=["x"], purpose="toets")),
        ("stranger", lambda v: reveal(v, project="p", pseudonyms=["x"], purpose="toets")),
    ]
    for actor, act in acts:
        with as_actor(place, actor) as vault, suppress(PseudonymizerError):
            act(vault)
            vault.commit()


def findings(place: VaultPlace) -> tuple[str, ...]:
    with as_actor(place, "audra") as vault:
        return vault.verify().findings


@pytest.mark.parametrize("with_counts", [False, True], ids=["alone", "with its count"])
@pytest.mark.parametrize("table", [*OWN, *OF_PROJECT])
def test_a_table_that_was_put_back_is_found_before_and_after_writes(
    before: tuple[VaultPlace, Before], table: str, *, with_counts: bool
) -> None:
    place, earlier = before
    assert findings(place) == ()
    assert sorted(earlier.tables[table]) != sorted(rows_in(place.vault_file)[table]), "the test changes it"
    put_back(place.vault_file, {table: earlier.tables[table]})
    if with_counts:
        put_back_counts(place.vault_file, earlier, (table,), (0,) if table in OWN else (1,))
    assert findings(place)
    write_on(place)
    assert findings(place)


@pytest.mark.parametrize("tables", [OWN, OF_PROJECT], ids=["own", "of the project"])
def test_all_tables_put_back_with_all_counts_are_found_before_and_after_writes(
    before: tuple[VaultPlace, Before], tables: tuple[str, ...]
) -> None:
    place, earlier = before
    put_back(place.vault_file, {table: earlier.tables[table] for table in tables})
    put_back_counts(place.vault_file, earlier, tables, (0,) if tables is OWN else (1,))
    assert findings(place)
    write_on(place)
    assert findings(place)


@pytest.mark.parametrize("table", [*OWN, "job", *OF_PROJECT])
def test_a_count_that_is_gone_is_found_before_and_after_writes(
    before: tuple[VaultPlace, Before], table: str
) -> None:
    place, _ = before
    with closing(sqlite3.connect(place.vault_file)) as connection, connection:
        connection.execute("DELETE FROM checkpoint WHERE table_name = ?", (table,))
    assert findings(place)
    write_on(place)
    assert findings(place)


def test_a_dismissed_requester_gets_nothing_by_roles_that_were_put_back(
    before: tuple[VaultPlace, Before],
) -> None:
    place, earlier = before
    put_back(place.vault_file, {"actor_role": earlier.tables["actor_role"]})
    put_back_counts(place.vault_file, earlier, ("actor_role",), (0,))
    with as_actor(place, "anna") as vault, pytest.raises(VaultDamagedError, match="verify"):
        request(vault, project="p", pseudonyms=earlier.labels[:1], purpose="klacht 7")


def test_a_used_grant_that_was_put_back_serves_nobody(before: tuple[VaultPlace, Before]) -> None:
    place, earlier = before
    put_back(place.vault_file, {"access_request": earlier.tables["access_request"]})
    put_back_counts(place.vault_file, earlier, ("access_request",), (0,))
    with as_actor(place, "anna") as vault, pytest.raises(VaultDamagedError):
        reveal(vault, project="p", pseudonyms=earlier.labels[:1], purpose="klacht 7", grant=earlier.grant)


@pytest.mark.parametrize("counts", [("actor_role",), OWN, (*OWN, "job")], ids=["one", "five", "all"])
def test_roles_that_are_gone_do_not_bring_back_the_default(
    before: tuple[VaultPlace, Before], counts: tuple[str, ...]
) -> None:
    place, earlier = before
    with closing(sqlite3.connect(place.vault_file)) as connection, connection:
        connection.execute("DELETE FROM actor_role")
        for table in counts:
            connection.execute("DELETE FROM checkpoint WHERE project_id = 0 AND table_name = ?", (table,))
    refused: list[Callable[[Vault], object]] = [
        lambda v: reveal(v, project="p", pseudonyms=earlier.labels[:1], purpose="toets"),
        lambda v: v.give_role("stranger", Role.KEYADMIN),
        lambda v: assign(RESULT, v, project="p"),
        lambda v: list(v.audit_events()),
        lambda v: v.known_identities("p"),
        lambda v: rotate(v, Rotated.WRAP, project_name="p"),
    ]
    for act in refused:
        with as_actor(place, "stranger") as vault, pytest.raises(VaultDamagedError):
            act(vault)
    assert findings(place)


@pytest.mark.parametrize("what", ["gone", "put back", "altered", "counts gone"])
def test_the_recovery_key_mends_roles_on_record(before: tuple[VaultPlace, Before], what: str) -> None:
    place, earlier = before
    with place.open() as vault:
        made = vault.add_recovery_key()
        assert made is not None
    with closing(sqlite3.connect(place.vault_file)) as connection, connection:
        if what == "gone":
            connection.execute("DELETE FROM actor_role")
            connection.execute("DELETE FROM checkpoint WHERE table_name = 'actor_role'")
        elif what == "altered":
            connection.execute("UPDATE actor_role SET role = 'dpo' WHERE actor = 'carl'")
        elif what == "counts gone":
            connection.execute("DELETE FROM checkpoint WHERE project_id = 0")
    if what == "put back":
        tables = ("actor_role", "access_request", "rate_bucket")
        put_back(place.vault_file, {table: earlier.tables[table] for table in tables})
        put_back_counts(place.vault_file, earlier, tables, (0,))
    with as_actor(place, "stranger") as vault:
        assert vault.verify().findings
        with pytest.raises(AccessRefusedError, match="recovery key"):
            mend_roles(vault, "stranger")
    with Vault.open(place.url, made, clock=place.clock, actor="keeper") as vault:
        assert mend_roles(vault, "nina") > 0
    with as_actor(place, "nina") as vault:
        assert vault.stored_roles() == (("nina", Role.DPO),)
        (event,) = [e for e in vault.audit_events() if e.action == "roles.mend"]
        assert (event.actor, event.role, event.subjects) == ("keeper", "recovery", ("nina=dpo",))
        vault.give_role("audra", Role.AUDITOR)
        vault.give_role("anna", Role.REQUESTER)
        vault.commit()
    assert findings(place) == ()
    with as_actor(place, "anna") as vault, pytest.raises(GrantInvalidError):
        reveal(vault, project="p", pseudonyms=earlier.labels[:1], purpose="klacht 7", grant=earlier.grant)
    with as_actor(place, "stranger") as vault, pytest.raises(AccessRefusedError):
        assign(LATER, vault, project="p")


def test_a_key_store_from_before_an_erasure_is_found(tmp_path: Path) -> None:
    place = sqlite_place_in(tmp_path)
    with place.create() as vault:
        given = assign(RESULT, vault, project="p")
        vault.commit()
        labels = [given[m.mention_id].label for m in RESULT.mentions]
        erase(vault, project="p", pseudonyms=labels[:1], purpose="verzoek")
    kept = tmp_path / "kept.db"
    with closing(sqlite3.connect(place.keys_file)) as source, closing(sqlite3.connect(kept)) as target:
        source.backup(target)
    with place.open() as vault:
        erase(vault, project="p", pseudonyms=labels[1:2], purpose="verzoek")
        assert vault.verify().findings == ()
    for tail in ("-wal", "-shm"):
        place.keys_file.with_name(place.keys_file.name + tail).unlink(missing_ok=True)
    shutil.copy(kept, place.keys_file)
    with place.open() as vault:
        assert any("a copy from before was put back" in found for found in vault.verify().findings)
        assign(LATER, vault, project="p")
        vault.commit()
        assert any("a copy from before was put back" in found for found in vault.verify().findings)


def test_every_byte_of_a_sealed_document_is_verified(before: tuple[VaultPlace, Before]) -> None:
    place, _ = before
    with closing(sqlite3.connect(place.vault_file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        ((number, sealed),) = connection.execute("SELECT document_id, sealed FROM document").fetchall()
        for position in range(0, len(sealed), 5):
            altered = sealed[:position] + bytes([sealed[position] ^ 1]) + sealed[position + 1 :]
            connection.execute("UPDATE document SET sealed = ? WHERE document_id = ?", (altered, number))
            assert any("document" in found for found in findings(place)), position
