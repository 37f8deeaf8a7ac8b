"""The audit trail inside the vault's transaction: append, roll epochs, read, verify, export heads."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select

from pseudonymizer import audit
from pseudonymizer.crypto import Entropy, SigningKey, equal_in_constant_time, new_key
from pseudonymizer.errors import AuditTamperedError, AuditUnavailableError, KeyDestroyedError
from pseudonymizer.records import AuditEvent, SignedHead
from pseudonymizer.schema import audit_epoch, audit_event, audit_head
from pseudonymizer.vault.store.keystore import KeyStore
from pseudonymizer.vault.store.stores import Store

PURPOSE: Final = "audit"
VIA: Final = "via"  # in the counts of an event: the id of the user who spoke for the actor


@dataclass(frozen=True, slots=True)
class _Searched:
    """How far the trail was searched for a count: between after and through, exclusive and inclusive, no
    event has it. digest: that of the event `through`; b"": nothing was searched.
    """

    after: int
    through: int
    digest: bytes


class Trail:
    def __init__(self, vault: Store, keystore: KeyStore, *, can_make_keys: bool, entropy: Entropy) -> None:
        self._vault = vault
        self._keystore = keystore
        self.can_make_keys = can_make_keys
        self._entropy = entropy
        self._keys: audit.EpochKeys | None = None
        self.via: int | None = None  # the user who speaks for the actor, over the socket
        self.stale_epochs: list[int] = []
        self._searched: dict[tuple[str, str], _Searched] = {}  # by name and project of `last_count`
        self.written: audit.Head | None = None  # the end of the trail as it was last appended to here

    def start(self, *, created_at: datetime) -> bytes:
        """The first epoch of a new vault; returns its public key, the root of every later proof."""
        keys = audit.EpochKeys(0, new_key(self._entropy), new_key(self._entropy))
        head = audit.Head(0, audit.GENESIS, 0, b"")
        self._store_keys(keys, created_at)
        self._insert_epoch(audit.open_epoch(self._keystore.vault_id, head, keys, keys))
        first = audit.head_at(self._keystore.vault_id, 0, audit.GENESIS, keys)
        self._vault.insert(audit_head, [(1, first.sequence, first.digest, first.epoch, first.mac)])
        self._keys = keys
        return keys.public_key

    def append(self, entries: Sequence[audit.Entry], *, occurred_at: datetime) -> int:
        """Write events after the head; returns the sequence of the last one. The caller commits.

        Raises:
            AuditTamperedError: the head is not what the vault wrote last.
            AuditUnavailableError: the keys of the trail are gone.
        """
        vault_id = self._keystore.vault_id
        head, keys = self.checked_head()
        rows = []
        for told in entries:
            entry = told if self.via is None else replace(told, counts={**told.counts, VIA: self.via})
            if head.sequence and head.sequence % audit.EVENTS_AN_EPOCH == 0 and self.can_make_keys:
                keys = self._roll(head, keys, occurred_at)
            event = audit.next_event(vault_id, head, keys, entry, occurred_at=occurred_at)
            rows.append(_row(event))
            head = audit.head_after(vault_id, event, keys)
        self._vault.insert(audit_event, rows)
        self._vault.run_many(
            "UPDATE audit_head SET sequence = ?, digest = ?, epoch = ?, mac = ?",
            [(head.sequence, head.digest, head.epoch, head.mac)],
        )
        self.written = head
        return head.sequence

    def checked_head(self) -> tuple[audit.Head, audit.EpochKeys]:
        rows = self._vault.rows("SELECT head, sequence, digest, epoch, mac FROM audit_head")
        if [row[0] for row in rows] != [1]:
            raise AuditTamperedError("the head of the audit trail is gone")
        _, sequence, digest, epoch, mac = rows[0]
        head = audit.Head(int(sequence), bytes(digest), int(epoch), bytes(mac))
        keys = self._epoch_keys(head.epoch)
        expected = audit.head_at(self._keystore.vault_id, head.sequence, head.digest, keys)
        if not equal_in_constant_time(expected.mac, head.mac):
            raise AuditTamperedError("the head of the audit trail was not written by this vault")
        return head, keys

    def digest_of(self, sequence: int) -> bytes | None:
        """The digest of an event, as it is stored; None where the trail has no such event."""
        if sequence == 0:
            return audit.GENESIS
        stored = self._vault.scalar("SELECT digest FROM audit_event WHERE sequence = ?", (sequence,))
        return None if stored is None else bytes(stored)

    def signed_head(self) -> SignedHead:
        head, keys = self.checked_head()
        return audit.sign_head(self._keystore.vault_id, head, keys)

    def events(self, *, after: int = 0) -> Iterator[AuditEvent]:
        columns = ", ".join(column.name for column in audit_event.columns)
        with self._vault.streaming(
            f"SELECT {columns} FROM audit_event WHERE sequence > ? ORDER BY sequence",  # noqa: S608  our own columns
            (after,),
        ) as rows:
            yield from map(_event, rows)

    def last_count(self, name: str, *, project: str = "", after: int) -> tuple[int, int] | None:
        """The last event above a number that counts something of this name, of a project where one is named:
        its number and the count. It is not checked; `verify` finds an event that was edited.

        Events that were searched before are not searched again, while the trail still has the last of them:
        its digest is that of all before it.
        """
        ends = self._vault.rows("SELECT sequence, digest FROM audit_event ORDER BY sequence DESC LIMIT 1")
        if not ends:
            return None
        ((end, digest),) = ends
        searched = self._searched.get((name, project), _Searched(0, 0, b""))
        start = after
        if after >= searched.after:
            if (end, bytes(digest)) == (searched.through, searched.digest):
                return None
            if searched.digest and self.digest_of(searched.through) == searched.digest:
                start = max(after, searched.through)
        found = self._vault.rows(
            "SELECT sequence, counts FROM audit_event WHERE sequence > ? AND counts LIKE ? "
            "AND (project = ? OR ? = '') ORDER BY sequence DESC LIMIT 1",
            (start, f'%"{name}"%', project, project),
        )
        last = int(found[0][0]) if found else after
        self._searched[name, project] = _Searched(last, int(end), bytes(digest))
        if not found:
            return None
        ((sequence, counts),) = found
        try:
            return int(sequence), int(json.loads(str(counts))[name])
        except (ValueError, TypeError, KeyError):
            raise AuditTamperedError(f"audit event {sequence} was edited: it cannot be read") from None

    def verify(self, root_public_key: bytes, outside_heads: Sequence[SignedHead] = ()) -> int:
        """Raises AuditTamperedError at the first thing that is not as it was written."""
        head, keys = self.checked_head()
        epochs = [
            audit.Epoch(
                int(r.epoch),
                int(r.first_sequence),
                bytes(r.first_digest),
                bytes(r.public_key),
                bytes(r.signature),
            )
            for r in self._vault.execute(select(audit_epoch).order_by(audit_epoch.c.epoch))
        ]
        return audit.verify_trail(
            self._keystore.vault_id, root_public_key, self.events(), epochs, head, keys, outside_heads
        )

    def forget_keys(self) -> None:
        """After a rollback: what was derived in it was never stored."""
        self._keys = None
        self.stale_epochs.clear()

    def _roll(self, head: audit.Head, keys: audit.EpochKeys, at: datetime) -> audit.EpochKeys:
        following = keys.next(new_key(self._entropy))
        self._store_keys(following, at)
        self._insert_epoch(audit.open_epoch(self._keystore.vault_id, head, following, keys))
        self.stale_epochs.append(keys.epoch)
        self._keys = following
        return following

    def _store_keys(self, keys: audit.EpochKeys, at: datetime) -> None:
        self._keystore.store.begin_write()
        self._keystore.add_project_key(
            0, PURPOSE, keys.epoch, keys.mac_key + keys.signing_key, created_at=at.isoformat()
        )

    def _insert_epoch(self, epoch: audit.Epoch) -> None:
        self._vault.insert(
            audit_epoch,
            [(epoch.epoch, epoch.first_sequence, epoch.first_digest, epoch.public_key, epoch.signature)],
        )

    def _epoch_keys(self, epoch: int) -> audit.EpochKeys:
        if self._keys is None or self._keys.epoch != epoch:
            try:
                both = self._keystore.unwrap_project_key(0, PURPOSE, epoch)
            except KeyDestroyedError:
                raise AuditUnavailableError(
                    f"the keys of audit epoch {epoch} are gone, so nothing is recorded and nothing revealed"
                ) from None
            self._keys = audit.EpochKeys(epoch, both[:32], both[32:])
            SigningKey(self._keys.signing_key)
        return self._keys


def _row(event: AuditEvent) -> tuple[Any, ...]:
    return (
        event.sequence, event.occurred_at.isoformat(), event.actor, event.role, event.project, event.action,
        json.dumps(event.subjects), event.purpose, event.ticket, event.outcome,
        json.dumps(dict(event.counts), sort_keys=True), event.epoch, event.previous_digest,
        event.digest, event.mac,
    )  # fmt: skip


def _event(row: tuple[Any, ...]) -> AuditEvent:
    (sequence, occurred_at, actor, role, project, action, subjects, purpose, ticket, outcome, counts, epoch,
     previous_digest, digest, mac) = row  # fmt: skip
    try:
        return AuditEvent(
            int(str(sequence)), datetime.fromisoformat(str(occurred_at)), str(actor), str(role), str(project),
            str(action), tuple(json.loads(str(subjects))), str(purpose), str(ticket), str(outcome),
            json.loads(str(counts)), int(str(epoch)), bytes(previous_digest), bytes(digest), bytes(mac),
        )  # fmt: skip
    except (ValueError, TypeError):
        raise AuditTamperedError(f"audit event {sequence} was edited: it cannot be read") from None
