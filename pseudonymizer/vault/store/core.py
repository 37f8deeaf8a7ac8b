"""The open vault: two stores in one unit of work, keys, audit, checkpoints. The verbs are in vault.py."""

import logging
import threading
import uuid
from dataclasses import replace
from datetime import UTC, date
from pathlib import Path
from typing import Final, Self, Unpack

from sqlalchemy import func, select

from linkage.meant import question
from pseudonymizer.audit import Entry
from pseudonymizer.errors import (
    SettingsError,
    UnknownProjectError,
)
from pseudonymizer.keyring import KeyEncryptionKey, KeyProvider
from pseudonymizer.records import KeyState
from pseudonymizer.schema import key_meta, project, vault_meta
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.checkpoints import Checkpoints
from pseudonymizer.vault.store.counters import WHOLE_VAULT, Counted, Counters
from pseudonymizer.vault.store.dates import count_dates
from pseudonymizer.vault.store.heads import PUT_BACK, Heads, note_import
from pseudonymizer.vault.store.keyrows import KEYS_REVISION
from pseudonymizer.vault.store.keystore import RECORD_PURPOSE, KekRow, KeyStore, open_kek
from pseudonymizer.vault.store.opening import look, refuse_existing
from pseudonymizer.vault.store.ownrows import OWN, OWN_REVISION, OwnRows
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.raw_files import make_file
from pseudonymizer.vault.store.stores import (
    APPLICATION_ID,
    Store,
    StoreAddress,
    store_addresses,
    translated,
)
from pseudonymizer.vault.store.surroundings import Options, Surroundings
from pseudonymizer.vault.store.told_keys import ToldKeys
from pseudonymizer.vault.store.trail import Trail

log = logging.getLogger(__name__)

MOST_NAME: Final = 200  # characters of the name of a project
REVISION: Final = "revision"  # in the counts of an audit event: of the rows of its project
PROJECT_ROW: Final = f"SELECT {', '.join(c.name for c in project.columns)} FROM project WHERE name = ?"  # noqa: S608
HIGHEST_PERSON: Final = "SELECT max(entity_id) FROM entity WHERE project_id = ?"
_HIGHEST: Final = {
    "entity": "SELECT max(entity_id) FROM entity", "form": "SELECT max(form_id) FROM form",
    "pseudonym": "SELECT max(pseudonym_id) FROM pseudonym",
    "document": "SELECT max(document_id) FROM document",
}  # fmt: skip
_EPOCH = date(1970, 1, 1)


class VaultCore:
    """Opened stores and keys, and one unit of work at a time."""

    def __init__(
        self,
        vault: Store,
        keys: Store,
        keystore: KeyStore,
        around: Surroundings,
        *,
        daily: bool,
    ) -> None:
        self.store = vault
        self.key_records = keys
        self.keystore = keystore
        self.actor = around.actor
        self.clock = around.clock
        self.entropy = around.entropy
        self.opened_for_recovery = not daily
        self.trail = Trail(vault, keystore, can_make_keys=daily, entropy=around.entropy)
        self.checkpoints = Checkpoints()
        self.own = OwnRows(vault, keystore, self.trail, self.checkpoints)
        self.counters = Counters(keystore, self.own)
        self.heads = Heads(keystore, self.own, self.trail, around.head)
        self.told_keys = ToldKeys(keystore.rows, self.trail)
        self._keys_revision = migration.head_revision(keys.address)
        self._had_older_schema = False  # the vault, when it was opened
        self.lock = threading.RLock()
        self._project_keys: dict[str, ProjectKeys] = {}
        self._names: dict[int, str] = {}
        self._pending: list[Entry] = []
        self._last_event = 0
        self._generation = -1
        self._told: dict[str, tuple[int, int]] = {}  # by project: event, and the revision it tells
        self._next_ids: dict[str, int] = {}

    # -- life ------------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, url: str | Path, provider: KeyProvider, **options: Unpack[Options]) -> Self:
        """Make both stores, and the key if its source has none yet and can make one.

        Raises:
            VaultExistsError: if anything lies at either address; nothing is overwritten.
        """
        around = Surroundings.of(**options)
        addresses = store_addresses(url, around.keys_url)
        for address in addresses:
            refuse_existing(address)
        key = provider.create()
        if key.kind == "recovery":
            raise SettingsError("a recovery key is a second way in; make the vault with a daily key first")
        vault_id = uuid.UUID(bytes=around.entropy(16)).bytes
        made: list[Path] = []
        try:
            for address in addresses:
                if address.is_sqlite:
                    make_file(address.path)
                    made.append(address.path)
                migration.upgrade(address)
            vault = cls._initialise(*addresses, vault_id, key, around)
        except BaseException:
            for path in made:  # a half-made vault would say "damaged" for ever
                for tail in ("", "-wal", "-shm"):
                    path.with_name(path.name + tail).unlink(missing_ok=True)
            raise
        log.info("vault made")
        return vault

    @classmethod
    def _initialise(
        cls,
        vault_address: StoreAddress,
        keys_address: StoreAddress,
        vault_id: bytes,
        key: KeyEncryptionKey,
        around: Surroundings,
    ) -> Self:
        vault, keys = Store(vault_address), Store(keys_address)
        now = around.clock()
        keystore = KeyStore(keys, vault_id, 1, key)
        made = cls(vault, keys, keystore, around, daily=True)
        for store in (vault, keys):
            if store.address.is_sqlite:
                with translated():
                    store.connection.exec_driver_sql(
                        f"PRAGMA application_id={APPLICATION_ID[store.address.schema]}"
                    )
            store.begin_write()
        keystore.add_kek(key, created_at=now.isoformat())
        keystore.rows.insert(key_meta, [("vault_id", vault_id), ("generation", (1).to_bytes(8, "big"))])
        keystore.add_project_key(0, RECORD_PURPOSE, 1, around.entropy(32), created_at=now.isoformat())
        root = made.trail.start(created_at=now)
        vault.insert(
            vault_meta,
            [("vault_id", vault_id), ("audit_root", root), ("created_at", now.isoformat().encode())],
        )
        keystore.rows.count_anew()
        made.record(Entry("vault.init"))
        made.commit()
        return made

    @classmethod
    def open(cls, url: str | Path, provider: KeyProvider, **options: Unpack[Options]) -> Self:
        """Open a vault that is there.

        Raises:
            VaultUninitializedError, KeyStoreMissingError, WrongKeyError, KeyUnavailableError,
            VaultDamagedError, VaultOutdatedError: each says what to do; none changes a byte.
        """
        around = Surroundings.of(**options)
        vault_address, keys_address = store_addresses(url, around.keys_url)
        found = look(vault_address, keys_address)
        kek_id, key = open_kek(found.kek_rows, provider, found.vault_id)
        vault, keys = Store(vault_address), Store(keys_address)
        keystore = KeyStore(keys, found.vault_id, kek_id, key)
        opened = cls(vault, keys, keystore, around, daily=_is_daily(found.kek_rows, kek_id))
        opened._had_older_schema = found.vault_revision != migration.head_revision(vault_address)
        opened._keys_revision = found.keys_revision
        return opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Roll back what was not committed and let go of both stores; a later verb opens them again."""
        with self.lock:
            self._forget()
            try:
                self.store.close()
            finally:
                self.key_records.close()

    # -- unit of work ----------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Become the only writer of this vault until commit or rollback."""
        self.store.begin_write()
        self._refresh_keys()

    def begin_keys(self, *, accepted: bool = False) -> None:
        """Writes to the key store too. Always after begin, so that two processes cannot deadlock.

        accepted: the rows of the key store are right as they stand, whatever was counted.
        """
        self.begin()
        newest = migration.head_revision(self.key_records.address)
        if self._keys_revision != newest:
            migration.grow(self.key_records.address)
            self._keys_revision = newest
        if not self.key_records.in_transaction:
            self.key_records.begin_write()
            if not accepted:
                self.told_keys.count_first()
        if accepted:
            self.told_keys.count_accepted()

    def key_store_has(self, revision: str) -> bool:
        """Whether the key store has this revision, or a later one; an older one grows with its next write."""
        return self._keys_revision >= revision  # the names of a branch are in order

    def ensure_newest_schema(self) -> None:
        """Let earlier programs refuse this vault from the commit on: they cannot read what is written now."""
        if self._had_older_schema:
            self.begin()
            if not migration.has_reached(self.store, migration.head_revision(self.store.address)):
                migration.grow_within(self.store)

    def record(self, entry: Entry) -> None:
        """An audit event of this unit of work; it becomes durable with it."""
        self._pending.append(entry if entry.actor else replace(entry, actor=self.actor))

    def commit(self) -> None:
        """Make the unit of work durable: keys first, then the vault, so that no row ever lacks its key."""
        with self.lock:
            try:
                is_told = bool(self._pending or self.checkpoints.projects())
                if is_told:
                    self.begin()
                    self._write_pending()
                self.keystore.rows.commit()
                self.store.commit()
            except BaseException:
                self.rollback()
                raise
            self._finish_epochs()
            self._next_ids.clear()
            if is_told:
                self._last_event = self.trail.written.sequence if self.trail.written is not None else 0
                self.heads.keep()

    def rollback(self) -> None:
        with self.lock:
            self._forget()
            try:
                self.store.rollback()
            finally:
                self.key_records.rollback()

    @property
    def last_event(self) -> int:
        """The number, in the trail, of the last event that was put on record here; 0 where none was."""
        return self._last_event

    def daily_key_is_open(self) -> None:
        """After the vault got a new daily key: keys can be made again."""
        self.opened_for_recovery = False
        self.trail.can_make_keys = True

    def has_open_work(self) -> bool:
        """Whether something was written or recorded that is not committed."""
        return self.store.in_transaction or bool(self._pending)

    def _forget(self) -> None:
        self._pending.clear()
        self.checkpoints.clear()
        self._next_ids.clear()
        self._project_keys.clear()
        self.trail.forget_keys()
        self.keystore.rows.forget()

    def _write_pending(self) -> None:
        if (lost := self.heads.ahead()) is not None:
            if self.heads.outside_ahead() is not None:  # numbers that the key store knows go on above it
                note_import(self.store)
            self._pending.insert(0, Entry(PUT_BACK, self.actor, counts={"head": lost}))
        if (older := self.told_keys.put_back()) is not None:
            self._pending.insert(0, replace(older, actor=self.actor))
        revisions: dict[str, int] = {}
        own_revision = self.own.write_counts()
        for project_id in self.checkpoints.projects():
            if project_id == OWN:
                continue
            name = self._names[project_id]
            keys = self.keys_of(name)
            count_dates(self.store, keys, self.checkpoints)
            revisions[name] = self.checkpoints.write(self.store, keys, told=self.told_revision(name))
        self.checkpoints.clear()
        entries = []
        for entry in self._pending:
            if entry.project in revisions:
                counts = {**entry.counts, REVISION: revisions.pop(entry.project)}
                entries.append(replace(entry, counts=counts))
            else:
                entries.append(entry)
        # Rows that were changed by something that recorded no event of its own.
        for name, revision in revisions.items():
            entries.append(Entry("write", self.actor, project=name, counts={REVISION: revision}))
        for counted, now in ((OWN_REVISION, own_revision), (KEYS_REVISION, self.told_keys.untold())):
            if now is not None:
                first = entries[0] if entries else Entry("write", self.actor)
                entries[:1] = [replace(first, counts={**first.counts, counted: now})]
        self._pending.clear()
        self.trail.append(entries, occurred_at=self.clock())

    def told_revision(self, name: str) -> int:
        """The sum of the revisions of a project's checkpoints, as the trail has it."""
        told = self._told.get(name, (0, 0))
        self._told[name] = self.trail.last_count(REVISION, project=name, after=told[0]) or told
        return self._told[name][1]

    def _finish_epochs(self) -> None:
        if self.trail.stale_epochs:
            self.key_records.begin_write()
            for epoch in self.trail.stale_epochs:
                self.keystore.destroy_project_key(0, "audit", epoch)
            self.keystore.rows.commit()
            self.trail.stale_epochs.clear()

    def _refresh_keys(self) -> None:
        generation = self.keystore.generation()
        if generation != self._generation:
            if self._generation >= 0:
                self._project_keys.clear()
            self._generation = generation

    # -- projects and ids ------------------------------------------------------------------------------------

    def keys_of(self, name: str) -> ProjectKeys:
        """Raises UnknownProjectError if there is no such project."""
        self._refresh_keys()
        if (found := self._project_keys.get(name)) is not None:
            return found
        row = next(iter(self.store.rows(PROJECT_ROW, (name,))), None)
        if row is None:
            named = [str(name) for (name,) in self.store.rows("SELECT name FROM project", ())]
            raise UnknownProjectError(
                f"the vault has no project of this name; {question(name, named)}`nymlink vault projects` "
                "lists them"
            )
        self.own.check(project, row)
        keys = self.keystore.project_keys(int(row[0]), name)
        self._project_keys[name] = keys
        self._names[keys.project_id] = name
        return keys

    def add_project(self, name: str, settings: str) -> ProjectKeys:
        """Raises SettingsError for a name that nobody could type again."""
        if not name.strip() or not name.isprintable() or len(name) > MOST_NAME:
            raise SettingsError(f"a project needs a name, of at most {MOST_NAME} characters that can be seen")
        self.begin_keys()
        highest = self.store.execute(select(func.max(project.c.project_id))).scalar() or 0
        project_id = max(int(highest), self.keystore.highest_project()) + 1
        now = self.clock().isoformat()
        self.keystore.add_project(project_id, created_at=now, entropy=self.entropy)
        self.own.insert(project, (project_id, name, settings, 1, now))
        self.record(Entry("project.create", project=name))
        return self.keys_of(name)

    def write_settings(self, name: str, settings: str) -> None:
        ((project_id, _, _, revision, created_at, _),) = self.own.take_out(project, name=name)
        self.own.insert(project, (project_id, name, settings, revision + 1, created_at))

    def next_ids(self, kind: str, count: int) -> range:
        """count unused ids. Never one that a key was ever stored under, even by a run that was killed."""
        if kind not in self._next_ids:
            floor = self.keystore.highest_id(kind) if kind in ("entity", "document") else 0
            if kind == "entity":
                floor = max(floor, self.counters.value(WHOLE_VAULT, Counted.ENTITY))
            self._next_ids[kind] = max(self.store.scalar(_HIGHEST[kind]) or 0, floor) + 1
        first = self._next_ids[kind]
        self._next_ids[kind] = first + count
        return range(first, first + count)

    def seen_any(self, keys: ProjectKeys, *, after: int = 0) -> bool:
        """Whether the project has any entity above this id: a new project needs no look-ups."""
        return (self.store.scalar(HIGHEST_PERSON, (keys.project_id,)) or 0) > after

    def today(self) -> int:
        """Days since 1970-01-01, UTC."""
        return (self.clock().astimezone(UTC).date() - _EPOCH).days

    # -- rows of the vault itself ----------------------------------------------------------------------------

    def binding(self, table: str, fields: bytes) -> bytes:
        """A MAC of this vault over fields that are stored nowhere, such as a grant's."""
        return self.own.tag(table, fields)


def _is_daily(rows: tuple[KekRow, ...], kek_id: int) -> bool:
    return any(
        row.kek_id == kek_id and row.kind != "recovery" and row.state is KeyState.ACTIVE for row in rows
    )
