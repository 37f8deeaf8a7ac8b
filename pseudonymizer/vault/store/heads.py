"""The end of the trail, kept where the vault is not: in its key store, and in a file that the user names.

Roles, requests, limits and rows are told from older ones by the trail, and an older trail by these heads. A
head is written after the trail is durable, so that it never tells of an event that was lost with a process;
one that is behind the trail is a head of it all the same. Where the trail lacks the event that a head tells,
an older copy of the vault was put back: the next write says so in the trail, and `verify` says so until
somebody who governs the vault accepts it.
"""

import json
import logging
import os
import struct
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from sqlalchemy import delete, select

from pseudonymizer.crypto import equal_in_constant_time
from pseudonymizer.errors import PseudonymizerError, SettingsError, VaultDamagedError, VaultError
from pseudonymizer.records import AuditEvent, SignedHead
from pseudonymizer.schema import key_meta, vault_meta
from pseudonymizer.vault.store.keyrows import TRAIL_HEAD
from pseudonymizer.vault.store.keystore import KeyStore
from pseudonymizer.vault.store.ownrows import OwnRows
from pseudonymizer.vault.store.stores import Store
from pseudonymizer.vault.store.trail import Trail

log = logging.getLogger(__name__)

PUT_BACK: Final = "vault.put-back"  # the event that tells that an older copy of the vault was put back
TOLD_KEYS: Final = "keys"  # in the counts of PUT_BACK: the revision that the key store had, as the trail told
ACCEPTED: Final = "vault.put-back.accept"
# Row of vault_meta, 8 bytes: how often the vault was made from an export, or found older than a head outside.
IMPORTS: Final = "imports"
_HEAD: Final = struct.Struct(">Q32s")  # sequence and digest of the last event
_LONGEST: Final = 10_000  # bytes of a file with a signed head


class Heads:
    """Reads and keeps them. outside: a file, written after every unit of work that is on record."""

    def __init__(self, keystore: KeyStore, own: OwnRows, trail: Trail, outside: Path | None) -> None:
        self._key_records, self._key_rows = keystore.store, keystore.rows
        self._own, self._trail, self._outside = own, trail, outside

    def ahead(self) -> int | None:
        """The number of the last event that a head tells and the trail lacks; None where it has all.

        Raises:
            VaultDamagedError: the head in the key store was altered.
            SettingsError: the file outside holds no head of this vault.
        """
        told = [n for n in (self._lacking(self._in_key_store()), self.outside_ahead()) if n is not None]
        return max(told, default=None)

    def outside_ahead(self) -> int | None:
        """The last event that the file outside tells and the trail lacks; None where it has all.

        The key store may be an older copy then, too.
        """
        return self._lacking(self._in_file())

    def _lacking(self, told: tuple[int, bytes] | None) -> int | None:
        return None if told is None or self._trail.digest_of(told[0]) == told[1] else told[0]

    def keep(self) -> None:
        """Keep where the trail ends now. Nothing is raised: the unit of work that it tells of is durable."""
        try:
            self._keep_in_key_store()
        except PseudonymizerError as error:
            self._key_records.rollback()
            self._key_rows.forget()
            log.warning("the head of the trail was not kept in the key store (%s)", type(error).__name__)
        if self._outside is None:
            return
        try:
            _write(self._outside, self._trail.signed_head())
        except (PseudonymizerError, OSError) as error:
            log.warning("the head of the trail was not kept outside (%s)", type(error).__name__)

    def _keep_in_key_store(self) -> None:
        """Over whatever is kept: a head of another process that goes lost here leaves one that is behind."""
        if (head := self._trail.written) is None:
            return
        packed = _HEAD.pack(head.sequence, head.digest)
        value = packed + self._binding(packed)
        if self._stored() is None:
            self._key_records.begin_write()
            self._key_rows.put(key_meta, (TRAIL_HEAD, value))
            self._key_rows.commit()
            return
        with self._key_records.writing_quickly():  # the value is not among what is counted
            self._key_records.run_many("UPDATE key_meta SET value = ? WHERE name = ?", [(value, TRAIL_HEAD)])

    def _in_key_store(self) -> tuple[int, bytes] | None:
        if (stored := self._stored()) is None:
            return None
        packed, binding = stored[: _HEAD.size], stored[_HEAD.size :]
        if len(packed) != _HEAD.size or not equal_in_constant_time(binding, self._binding(packed)):
            raise VaultDamagedError(
                "the head of the trail in the key store was altered; run `nymlink vault verify`"
            )
        sequence, digest = _HEAD.unpack(packed)
        return int(sequence), bytes(digest)

    def _stored(self) -> bytes | None:
        stored = self._key_records.scalar("SELECT value FROM key_meta WHERE name = ?", (TRAIL_HEAD,))
        return None if stored is None else bytes(stored)

    def _binding(self, packed: bytes) -> bytes:
        return self._own.tag("trail-head", packed)

    def _in_file(self) -> tuple[int, bytes] | None:
        if self._outside is None or not self._outside.exists():
            return None
        try:
            found = SignedHead(**json.loads(self._outside.read_bytes()[:_LONGEST]))
            told = int(found.sequence), bytes.fromhex(found.digest)
        except (OSError, ValueError, TypeError):
            found, told = None, (0, b"")
        if found is None or found.vault_id != self._own.vault_id.hex():
            raise SettingsError(
                "the file for the head of the trail holds something else, or the head of another vault; name "
                "another file (NYMLINK_HEAD)"
            )
        return told


def put_back_findings(trail: Trail) -> Iterator[str]:
    """What the trail says of older copies that were put back and that nobody accepted since."""
    open_events: list[AuditEvent] = []
    for event in trail.events():
        if event.action == PUT_BACK:
            open_events.append(event)
        elif event.action == ACCEPTED:
            open_events.clear()
    for event in open_events:
        what, told = "the vault", f"it had more events, up to {event.counts.get('head', 0)}"
        if TOLD_KEYS in event.counts:
            what, told = "the key store", f"its rows were at revision {event.counts[TOLD_KEYS]} or later"
        yield (
            f"an older copy of {what} was put back before event {event.sequence}: {told}; if that was right, "
            "`nymlink vault accept-put-back` puts it on record"
        )


def note_import(store: Store) -> None:
    """Keep in a vault that it may be older than another copy of it: codes of the next length are drawn."""
    row = store.execute(select(vault_meta.c.value).where(vault_meta.c.name == IMPORTS)).scalar()
    imports = (int.from_bytes(bytes(row), "big") if row is not None else 0) + 1
    store.execute(delete(vault_meta).where(vault_meta.c.name == IMPORTS))
    store.insert(vault_meta, [(IMPORTS, imports.to_bytes(8, "big"))])


def _write(place: Path, head: SignedHead) -> None:
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(json.dumps(asdict(head)) + "\n")
        part.replace(place)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise VaultError(f"the head cannot be written ({type(error).__name__})") from None
