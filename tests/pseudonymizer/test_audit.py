"""The trail: what it proves against someone with the database, and against someone with the keys later."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pseudonymizer import audit
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import mac_sha256
from pseudonymizer.errors import AuditTamperedError
from pseudonymizer.vault import Vault
from tests.pseudonymizer.conftest import VaultPlace

COUNT = 12


@pytest.fixture(autouse=True)
def _short_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "EVENTS_AN_EPOCH", 5)


def write(vault: Vault, count: int = COUNT) -> None:
    for number in range(count):
        vault.record(Entry("toets", subjects=(f"n{number}",), purpose="p", ticket="t"))
        vault.commit()


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_an_untouched_trail_verifies_over_several_epochs(place: VaultPlace) -> None:
    with place.create() as vault:
        write(vault)
    with place.open() as vault:
        assert vault.verify_audit() == COUNT + 1
        assert [e.subjects for e in vault.audit_events(limit=1)] == [(f"n{COUNT - 1}",)]
        epochs = vault.store.rows("SELECT epoch FROM audit_epoch")
        assert len(epochs) == 3
        assert vault.key_records.rows("SELECT version FROM project_key WHERE purpose = 'audit'") == [(2,)]


TAMPERING = {
    "edited": ["UPDATE audit_event SET purpose = 'x' WHERE sequence = {n}"],
    "edited time": ["UPDATE audit_event SET occurred_at = '2020-01-01T00:00:00+00:00' WHERE sequence = {n}"],
    "unreadable": ["UPDATE audit_event SET subjects = '[' WHERE sequence = {n}"],
    "deleted": ["DELETE FROM audit_event WHERE sequence = {n}"],
    "deleted and closed up": [
        "DELETE FROM audit_event WHERE sequence = {n}",
        "UPDATE audit_event SET sequence = sequence - 1 WHERE sequence > {n}",
    ],
    "reordered": [
        "UPDATE audit_event SET sequence = 99 WHERE sequence = {n}",
        "UPDATE audit_event SET sequence = {n} WHERE sequence = {n} - 1",
        "UPDATE audit_event SET sequence = {n} - 1 WHERE sequence = 99",
    ],
    "inserted": [
        "INSERT INTO audit_event SELECT 14, occurred_at, actor, role, project, action, subjects, purpose, "
        "ticket, outcome, counts, epoch, digest, digest, mac FROM audit_event WHERE sequence = {n}"
    ],
    "cut off": ["DELETE FROM audit_event WHERE sequence >= {n}"],
    "epoch gone": ["DELETE FROM audit_epoch WHERE epoch = 1"],
    "epoch key swapped": ["UPDATE audit_epoch SET public_key = zeroblob(32) WHERE epoch = 1"],
    "head set back": ["UPDATE audit_head SET sequence = {n}"],
}


@pytest.mark.parametrize("sequence", [3, 8, 13])
@pytest.mark.parametrize("what", sorted(TAMPERING))
def test_every_kind_of_tampering_is_found(sqlite_place: VaultPlace, what: str, sequence: int) -> None:
    if (what, sequence) == ("head set back", 13):
        pytest.skip("the head is at 13")
    with sqlite_place.create() as vault:
        write(vault)
    change(sqlite_place.vault_file, *(s.format(n=sequence) for s in TAMPERING[what]))
    with sqlite_place.open() as vault, pytest.raises(AuditTamperedError):
        vault.verify_audit()


def test_a_cut_off_tail_shows_only_against_an_outside_head(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        write(vault, 1)
        with closing(sqlite3.connect(sqlite_place.vault_file)) as connection:
            head = connection.execute("SELECT * FROM audit_head").fetchone()
        write(vault, 2)
        outside = vault.audit_head()
        assert vault.verify_audit([outside]) == 4
    change(sqlite_place.vault_file, "DELETE FROM audit_event WHERE sequence > 2", "DELETE FROM audit_head")
    with closing(sqlite3.connect(sqlite_place.vault_file)) as connection, connection:
        connection.execute("INSERT INTO audit_head VALUES (?, ?, ?, ?, ?)", head)
    with sqlite_place.open() as vault:
        assert vault.verify_audit() == 2, "without a head kept outside this cannot be seen"
        with pytest.raises(AuditTamperedError, match="outside head"):
            vault.verify_audit([outside])


def test_an_altered_outside_head_proves_nothing(vault: Vault) -> None:
    write(vault, 3)
    head = vault.audit_head()
    for altered in (
        replace(head, signature="00" * 64),
        replace(head, vault_id="00" * 16),
        replace(head, public_key="00" * 32),
        replace(head, digest="00" * 32),
        replace(head, epoch=7),
    ):
        with pytest.raises(AuditTamperedError):
            vault.verify_audit([altered])


def test_who_takes_the_keys_later_cannot_rewrite_an_earlier_epoch(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        write(vault)
        _, keys = vault.trail.checked_head()
        vault_id = vault.keystore.vault_id
        events = list(vault.audit_events())
        forged, previous = [], events[1].digest
        for event in events[2:]:  # from epoch 0 on, with the keys of epoch 2 and the chain made anew
            changed = replace(event, purpose="vervalst", previous_digest=previous)
            digest = audit.digest_of(vault_id, changed)
            previous = digest
            forged.append(replace(changed, digest=digest, mac=mac_sha256(keys.mac_key, b"event" + digest)))
        head = audit.head_after(vault_id, forged[-1], keys)
        rows = vault.store.rows("SELECT * FROM audit_epoch ORDER BY epoch")
        epochs = [audit.Epoch(n, first, *(bytes(part) for part in parts)) for n, first, *parts in rows]
        root = bytes(vault.store.scalar("SELECT value FROM vault_meta WHERE name = 'audit_root'"))
        with pytest.raises(AuditTamperedError):
            audit.verify_trail(vault_id, root, [*events[:2], *forged], epochs, head, keys)
