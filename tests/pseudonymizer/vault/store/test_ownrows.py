"""Roles, requests, approvals, limits, jobs, projects: deleted, put back, edited; verbs that need a role."""

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, AuditTamperedError, VaultDamagedError
from pseudonymizer.keyring import EnvironmentKey
from pseudonymizer.policy import Role
from pseudonymizer.reidentification import approve, grant, request, reveal
from pseudonymizer.schema import job
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role, roles_of, take_role
from pseudonymizer.vault.care.links import pseudonym_links
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.stores import store_addresses
from tests.fakes import FakeClock, linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok en Bert"},
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Bert")]],
    candidates={2: (0, 1)},
)
GOLDEN = Path(__file__).parents[3] / "vectors" / "golden"
TABLES = ("project", "actor_role", "access_request", "approval", "rate_bucket", "job")


def filled(place: VaultPlace) -> str:
    """A vault with a row in every table of its own; returns the label of someone."""
    with place.create() as vault:
        label = str(assign(RESULT, vault, project="p")[RESULT.mentions[0].mention_id].label)
        vault.commit()
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")
        approve(vault, request(vault, project="p", pseudonyms=[label], purpose="toets").request_id)
        give_role(vault, "ana", Role.ANALYST)
        give_role(vault, "rik", Role.REQUESTER)
        give_role(vault, "tester", Role.AUDITOR)
        vault.begin()
        vault.own.insert(job, ("later:1", "{}"))
        vault.commit()
        assert vault.verify().findings == ()
    return label


def change(place: VaultPlace, statement: str, rows: tuple[tuple[Any, ...], ...] = ((),)) -> None:
    """Past the vault, as another program with the right to write would."""
    with place.open() as vault:
        vault.store.begin_write()
        vault.store.run_many(statement, rows)
        vault.store.commit()


def rows_of(place: VaultPlace, table: str) -> list[tuple[Any, ...]]:
    with place.open() as vault:
        return vault.store.rows(f"SELECT * FROM {table}")  # noqa: S608


def put_back(place: VaultPlace, table: str, rows: list[tuple[Any, ...]]) -> None:
    change(place, f"DELETE FROM {table}")  # noqa: S608
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        change(place, f"INSERT INTO {table} VALUES ({marks})", tuple(rows))  # noqa: S608


def findings(place: VaultPlace) -> tuple[str, ...]:
    with place.open() as vault:
        return vault.verify().findings


@pytest.mark.parametrize("table", TABLES)
def test_a_deleted_row_is_found(place: VaultPlace, table: str) -> None:
    filled(place)
    change(place, f"DELETE FROM {table}")  # noqa: S608
    assert any(f"{table} has 0 rows" in finding for finding in findings(place))


def test_deleted_roles_do_not_bring_the_embedded_default_back(place: VaultPlace) -> None:
    label = filled(place)
    change(place, "DELETE FROM actor_role")
    with place.open("ana") as vault:
        with pytest.raises(VaultDamagedError, match="actor_role"):
            roles_of(vault, "ana")
        with pytest.raises(VaultDamagedError):
            reveal(vault, project="p", pseudonyms=[label], purpose="toets")
        with pytest.raises(VaultDamagedError):
            give_role(vault, "ana", Role.DPO)


@pytest.mark.parametrize("with_trail", [False, True], ids=["counts", "counts and trail"])
def test_deleted_counts_do_not_either(place: VaultPlace, with_trail: bool) -> None:
    label = filled(place)
    change(place, "DELETE FROM actor_role")
    change(place, "DELETE FROM checkpoint WHERE project_id = 0")
    if with_trail:  # as if nothing had ever been counted
        change(place, "UPDATE audit_event SET counts = '{}'")
    with place.open("ana") as vault, pytest.raises((VaultDamagedError, AuditTamperedError)):
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")
    assert findings(place) != ()


def test_a_role_that_was_taken_and_put_back_is_refused(place: VaultPlace) -> None:
    filled(place)
    before = rows_of(place, "actor_role")
    with place.open() as vault:
        take_role(vault, "rik", Role.REQUESTER)
        assert roles_of(vault, "rik") == frozenset(), "changes of this unit of work count"
        vault.commit()
    put_back(place, "actor_role", before)
    with place.open("rik") as vault, pytest.raises(VaultDamagedError):
        roles_of(vault, "rik")


def test_rows_and_counts_put_back_together_are_found_by_the_trail(place: VaultPlace) -> None:
    filled(place)
    tables = ("actor_role", "checkpoint")
    before = {table: rows_of(place, table) for table in tables}
    with place.open() as vault:
        take_role(vault, "rik", Role.REQUESTER)
        vault.commit()
    for table in tables:
        put_back(place, table, before[table])
    assert any("own rows are at revision" in finding for finding in findings(place))


def test_a_limit_cannot_be_reset_by_deleting_it(place: VaultPlace) -> None:
    with place.create() as vault:
        label = str(assign(RESULT, vault, project="p")[RESULT.mentions[0].mention_id].label)
        vault.commit()
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")
    change(place, "DELETE FROM rate_bucket")
    with place.open() as vault, pytest.raises(VaultDamagedError, match="rate_bucket"):
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")


def test_a_used_grant_put_back_is_refused(place: VaultPlace) -> None:
    with place.create() as vault:
        label = str(assign(RESULT, vault, project="p")[RESULT.mentions[0].mention_id].label)
        vault.commit()
        number = request(vault, project="p", pseudonyms=[label], purpose="toets").request_id
        approve(vault, number)
        text = grant(vault, number)
    before = rows_of(place, "access_request")
    with place.open() as vault:
        reveal(vault, project="p", pseudonyms=[label], purpose="toets", grant=text)
    put_back(place, "access_request", before)
    with place.open() as vault, pytest.raises(VaultDamagedError, match="access_request"):
        reveal(vault, project="p", pseudonyms=[label], purpose="toets", grant=text)


def test_a_vault_that_was_never_counted_is_counted_with_its_next_commit(tmp_path: Path) -> None:
    """A golden database of before; its roles can be given, and are then held fast."""
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0001.{name}.gz").read_bytes()))
    url, key = f"sqlite:///{tmp_path}/vault.db", EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
    for address in store_addresses(url, None):
        migration.upgrade(address)
    with Vault.open(url, key, clock=FakeClock(), actor="tester") as vault:
        assert vault.own.states() == {}
        assert vault.verify().findings == ()
        assert roles_of(vault, "anyone") == frozenset(Role)
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
        assert set(vault.own.states()) == set(TABLES)
        assert roles_of(vault, "ana") == {Role.ANALYST}
    with closing(sqlite3.connect(tmp_path / "vault.db")) as connection, connection:
        connection.execute("DELETE FROM actor_role")
    with Vault.open(url, key, clock=FakeClock(), actor="ana") as vault, pytest.raises(VaultDamagedError):
        roles_of(vault, "ana")


def test_rolled_back_roles_leave_the_counts_alone(place: VaultPlace) -> None:
    filled(place)
    with place.open() as vault:
        give_role(vault, "bo", Role.AUDITOR)
        vault.rollback()
        assert roles_of(vault, "bo") == frozenset()
        assert vault.verify().findings == ()


VERBS: dict[str, tuple[Callable[[Vault], object], str, set[Role]]] = {
    "verify": (lambda v: v.verify(), "verify", {Role.AUDITOR, Role.KEYADMIN}),
    "verify_audit": (lambda v: v.verify_audit(), "verify", {Role.AUDITOR, Role.KEYADMIN}),
    "pseudonym_links": (lambda v: pseudonym_links(v, "p"), "export-links", {Role.ANALYST, Role.CURATOR}),
    "known_identities": (lambda v: v.known_identities("p"), "see-names", {Role.ANALYST, Role.CURATOR}),
}


@pytest.mark.parametrize("name", sorted(VERBS))
def test_verbs_ask_for_a_role_and_refusals_are_on_record(place: VaultPlace, name: str) -> None:
    call, verb, allowed = VERBS[name]
    with place.create() as vault:
        assign(RESULT, vault, project="p")
        vault.commit()
        assert call(vault), "the embedded default has every role"
        for role in Role:
            give_role(vault, str(role), role)
        vault.commit()
    for role in Role:
        with place.open(str(role)) as vault:
            if role in allowed:
                assert call(vault)
            else:
                with pytest.raises(AccessRefusedError):
                    call(vault)
    with place.open("auditor") as vault:
        refused = [(e.actor, e.action) for e in vault.audit_events() if e.outcome == "refused:role"]
        assert vault.verify().findings == ()
    assert refused == [(str(role), verb) for role in Role if role not in allowed]


def test_altered_roles_do_not_keep_anyone_from_verifying(place: VaultPlace) -> None:
    filled(place)
    change(place, "UPDATE actor_role SET role = 'dpo' WHERE actor = 'ana'")
    with place.open("ana") as vault:
        assert any("actor_role" in finding for finding in vault.verify().findings)
