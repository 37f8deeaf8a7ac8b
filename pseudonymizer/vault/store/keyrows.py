"""Rows of the key store, counted: whoever alters, adds, takes out or puts back one of them is found.

Every write to the key store goes through here. The number of rows of each table and the sum of keyed values
over them are sealed in `key_checkpoint`, and audit events repeat the sum of their revisions. A key store that
an earlier program wrote is counted with its first write by this one; what happened to it before cannot be
told. Keys are committed before the vault, so a killed process leaves a key store that is ahead of the trail;
one that is behind it is an older copy.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Table

from pseudonymizer.crypto import Binder, Sealer, derive_key
from pseudonymizer.errors import UnsealError, VaultDamagedError, VaultError
from pseudonymizer.schema import key_checkpoint, key_meta, keys_metadata
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.checkpoints import (
    Checkpoints,
    State,
    read_states,
    revision_of,
    start_anew,
    sum_of,
)
from pseudonymizer.vault.store.contexts import ProjectContexts, joined
from pseudonymizer.vault.store.stores import Store, in_chunks

TRAIL_HEAD: Final = (
    "trail_head"  # row of key_meta, which has a keyed hash of its own: its value is not counted
)
KEYS_REVISION: Final = "keys_revision"  # in the counts of an audit event
WITH_KEY_ROWS: Final = "keys_0004"  # the revision that brings the table key_checkpoint
TABLES: Final = tuple(table for table in keys_metadata.sorted_tables if table is not key_checkpoint)
_WHOLE_STORE: Final = 0  # the number of the project that the counts stand under
_LENGTH: Final = struct.Struct(">I")
_INTEGER: Final = struct.Struct(">q")
_FLOAT: Final = struct.Struct(">d")


class _CountKeys:
    """What seals the counts, as Checkpoints asks for it."""

    def __init__(self, vault_id: bytes, record_key: bytes) -> None:
        self.project_id = _WHOLE_STORE
        self.contexts = ProjectContexts(vault_id, _WHOLE_STORE)
        self.state_sealer = Sealer(derive_key(record_key, b"nymlink/keys/state"), key_id=1)


class KeyRows:
    """Writes rows of the key store and counts them, in the caller's unit of work."""

    def __init__(self, store: Store, vault_id: bytes, record_key: Callable[[], bytes]) -> None:
        """record_key: gives the record key of the whole vault."""
        self._store, self._vault_id, self._record_key = store, vault_id, record_key
        self._changes = Checkpoints(key_checkpoint)
        self._count_keys: _CountKeys | None = None
        self._binder: Binder | None = None
        self._has_table = False
        self._counts_now: bool | None = None  # within a transaction; None: not asked yet

    # -- rows ------------------------------------------------------------------------------------------------

    def insert(self, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """rows: every column, in the order of the schema."""
        self._store.insert(table, rows)
        if rows and self._is_counted():
            count, total = self._sum(table, rows)
            self._changes.counted(_WHOLE_STORE, table.name, count, total)

    def delete(self, table: Table, columns: Sequence[str], values: Iterable[tuple[Any, ...]]) -> None:
        """Delete the rows that have one of these values in the columns."""
        chosen = list(values)
        if chosen and self._is_counted():
            self._take_off(table, self._rows_with(table, columns, chosen))
        where = " AND ".join(f"{name} = ?" for name in columns)
        self._store.run_many(f"DELETE FROM {table.name} WHERE {where}", chosen)  # noqa: S608  our own tables

    def change(
        self, table: Table, column: str, key: Sequence[str], changes: Sequence[tuple[Any, ...]]
    ) -> None:
        """Give a column another value. changes: that value, then the values of the columns named in key."""
        if not changes:
            return
        keys = [change[1:] for change in changes]
        is_counted = self._is_counted()
        if is_counted:
            self._take_off(table, self._rows_with(table, key, keys))
        where = " AND ".join(f"{name} = ?" for name in key)
        self._store.run_many(f"UPDATE {table.name} SET {column} = ? WHERE {where}", changes)  # noqa: S608
        if is_counted:
            count, total = self._sum(table, self._rows_with(table, key, keys))
            self._changes.counted(_WHOLE_STORE, table.name, count, total)

    def put(self, table: Table, row: tuple[Any, ...]) -> None:
        """Store a row in place of the one that has its primary key."""
        names = [column.name for column in table.columns]
        key = [column.name for column in table.primary_key.columns]
        self.delete(table, key, [tuple(row[names.index(name)] for name in key)])
        self.insert(table, [row])

    def _take_off(self, table: Table, rows: Iterable[Sequence[Any]]) -> None:
        count, total = self._sum(table, rows)
        self._changes.counted(_WHOLE_STORE, table.name, -count, -total)

    def _rows_with(
        self, table: Table, columns: Sequence[str], values: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[Any, ...]]:
        if len(columns) == 1:
            for chunk in in_chunks(dict.fromkeys(value for (value,) in values)):
                where = f"{columns[0]} IN ({', '.join('?' * len(chunk))})"
                yield from self._store.rows(f"{_selecting(table)} WHERE {where}", tuple(chunk))
            return
        where = " AND ".join(f"{name} = ?" for name in columns)
        for value in dict.fromkeys(values):
            yield from self._store.rows(f"{_selecting(table)} WHERE {where}", value)

    # -- counts ----------------------------------------------------------------------------------------------

    def write_counts(self) -> None:
        """Bring the counts up to date before a commit. Needs a transaction where something changed."""
        if self._changes.projects():
            self._changes.write(self._store, self._open_keys())
        self._changes.clear()

    def commit(self) -> None:
        """Make the transaction of the key store durable, with its counts."""
        self.write_counts()
        self._store.commit()
        self._counts_now = None

    def forget(self) -> None:
        """After a rollback: what changed was never stored."""
        self._changes.clear()
        self._counts_now = None

    def states(self) -> dict[str, State]:
        """Count, sum and revision by table; empty for a key store that was never counted.

        Raises:
            UnsealError: a count was altered.
        """
        if not self._has_counts():
            return {}
        return read_states(self._store, self._open_keys(), key_checkpoint)

    def revision(self) -> int:
        """The sum of the revisions of all tables; 0 for a key store that was never counted.

        Raises:
            UnsealError: a count was altered.
        """
        return revision_of(self.states())

    def count_anew(self, *, told: int = 0) -> None:
        """Count all rows as they stand, above the revision that the trail tells. Needs a transaction."""
        if not self._has_counts():
            raise VaultError("the key store has no table for counts of its rows; run `nymlink vault migrate`")
        self._changes.clear()
        start_anew(self._store, self._open_keys(), {TABLES[0].name: told}, key_checkpoint)
        self._counts_now = True
        for table in TABLES:
            self._changes.added(_WHOLE_STORE, table.name, [])
            with self._store.streaming(_selecting(table)) as rows:
                count, total = self._sum(table, rows)
            self._changes.counted(_WHOLE_STORE, table.name, count, total)
        self.write_counts()

    def findings(self) -> tuple[int, list[str]]:
        """The number of rows, and what is wrong with them: looked at twice, since others may write."""
        checked, found = self._look()
        if found and not self._store.in_transaction:
            try:
                self._store.begin_write()
            except VaultError:  # nobody may write there, or somebody writes for long
                return checked, found
            try:
                return self._look()
            finally:
                self._store.rollback()
        return checked, found

    def check_whole(self, *tables: Table) -> None:
        """Nothing, where the rows of these tables are those that were counted. Needs a transaction.

        Raises:
            VaultDamagedError: one was altered, added, taken out or put back.
        """
        if found := self._look(tables)[1]:
            raise VaultDamagedError(f"{found[0]}; run `nymlink vault verify`")

    def _look(self, tables: Iterable[Table] = TABLES) -> tuple[int, list[str]]:
        checked = 0
        found: list[str] = []
        try:
            states = self.states()
        except UnsealError:
            return checked, ["a count of the rows of the key store was altered"]
        if not states:
            return checked, found
        for table in tables:
            with self._store.streaming(_selecting(table)) as rows:
                count, total = self._sum(table, rows)
            expected_count, expected_total, _ = states.get(table.name, (0, 0, 0))
            more, added = self._changes.pending(_WHOLE_STORE, table.name)
            checked += count
            if count != expected_count + more:
                found.append(
                    f"the key store has {count} rows of {table.name}, the vault wrote {expected_count + more}"
                )
            elif sum_of((), total) != sum_of((), expected_total + added):
                found.append(
                    f"the key store has a row of {table.name} that is not the one the vault wrote last"
                )
        return checked, found

    def _is_counted(self) -> bool:
        """Whether changes are counted: asked once in a transaction, since another process may begin to."""
        if self._counts_now is None:
            self._counts_now = self._has_counts() and bool(
                self._store.rows("SELECT 1 FROM key_checkpoint LIMIT 1")
            )
        return self._counts_now

    def _has_counts(self) -> bool:
        self._has_table = self._has_table or migration.has_reached(self._store, WITH_KEY_ROWS)
        return self._has_table

    def _sum(self, table: Table, rows: Iterable[Sequence[Any]]) -> tuple[int, int]:
        """The number of rows and the sum of their keyed values."""
        if self._binder is None:
            self._binder = Binder(derive_key(self._record_key(), b"nymlink/keys/rows"), b"nymlink/keys")
        name = joined(table.name)
        count, total = 0, 0
        for chunk in in_chunks(rows, 10_000):
            total += self._binder.bind_all([name + _fields(table, row) for row in chunk])[1]
            count += len(chunk)
        return count, total

    def _open_keys(self) -> _CountKeys:
        if self._count_keys is None:
            self._count_keys = _CountKeys(self._vault_id, self._record_key())
        return self._count_keys


def _selecting(table: Table) -> str:
    return f"SELECT {', '.join(column.name for column in table.columns)} FROM {table.name}"  # noqa: S608


def _fields(table: Table, row: Sequence[Any]) -> bytes:
    """All values of a row, each with its kind and length, whatever somebody has written there."""
    if table is key_meta and row[0] == TRAIL_HEAD:
        row = row[:1]
    return b"".join(map(_field, row))


def _field(value: Any) -> bytes:
    if isinstance(value, int):
        return b"i" + _INTEGER.pack(value)
    if isinstance(value, (bytes, memoryview)):
        raw = bytes(value)
        return b"b" + _LENGTH.pack(len(raw)) + raw
    if isinstance(value, float):
        return b"f" + _FLOAT.pack(value)
    raw = b"" if value is None else str(value).encode("utf-8", "surrogatepass")
    return (b"n" if value is None else b"t") + _LENGTH.pack(len(raw)) + raw
