"""Rows of the vault itself: projects, roles, requests, approvals, limits, jobs. Bound and counted.

Whoever can write the database could otherwise delete all roles, and everyone would have all of them again.
Their counts and sums stand under project 0, sealed under the vault's record key; every audit event that goes
with a change repeats their revision. Vaults made before this were counted get their first count with the next
commit; from then on the trail says that there is one, and a count that is missing is damage.
"""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table, select

from pseudonymizer.crypto import Binder, Sealer, derive_key
from pseudonymizer.errors import AuditTamperedError, UnsealError, VaultDamagedError
from pseudonymizer.schema import access_request, actor_role, approval, job, project, rate_bucket, vault_meta
from pseudonymizer.vault.store.checkpoints import (
    Checkpoints,
    State,
    read_states,
    revision_of,
    start_anew,
    sum_of,
)
from pseudonymizer.vault.store.contexts import ProjectContexts, joined
from pseudonymizer.vault.store.keystore import RECORD_PURPOSE, KeyStore
from pseudonymizer.vault.store.stores import Store
from pseudonymizer.vault.store.trail import Trail

OWN: Final = 0  # the project number of the vault itself
OWN_REVISION: Final = "own_revision"  # in the counts of an audit event
MENDED: Final = "roles.mend"  # the event after which earlier rows that were put back count no more


def _texts(count: int) -> Callable[[Sequence[Any]], bytes]:
    return lambda row: joined(*(str(value) for value in row[:count]))


def _of_bucket(row: Sequence[Any]) -> bytes:
    project_id, actor, tokens, filled_at, *_ = row
    return struct.pack(">Qdd", project_id, tokens, filled_at) + joined(actor)


FIELDS: Final[Mapping[str, Callable[[Sequence[Any]], bytes]]] = {
    "project": _texts(5),
    "actor_role": _texts(4),
    "access_request": _texts(11),
    "approval": _texts(3),
    "rate_bucket": _of_bucket,
    "job": _texts(2),
}
TABLES: Final = (project, actor_role, access_request, approval, rate_bucket, job)
_SELECT: Final[Mapping[str, str]] = {
    table.name: f"SELECT {', '.join(column.name for column in table.columns)} FROM {table.name}"  # noqa: S608
    for table in TABLES
}


@dataclass(frozen=True, slots=True)
class OwnKeys:
    """What Checkpoints needs to seal the counts of the vault's own rows."""

    project_id: int
    contexts: ProjectContexts
    state_sealer: Sealer


class OwnRows:
    """Writes, checks and counts them, in the caller's unit of work."""

    def __init__(self, store: Store, keystore: KeyStore, trail: Trail, checkpoints: Checkpoints) -> None:
        self._store, self._keystore, self._trail, self._checkpoints = store, keystore, trail, checkpoints
        self._binder: Binder | None = None
        self._keys: OwnKeys | None = None
        self._told = (0, 0)  # the last event that tells a revision, and the revision
        self._never_counted = False

    @property
    def vault_id(self) -> bytes:
        return self._keystore.vault_id

    # -- rows ------------------------------------------------------------------------------------------------

    def tag(self, table: str, fields: bytes) -> bytes:
        return self._open_binder().tag(joined(table) + fields)

    def insert(self, table: Table, row: Sequence[Any]) -> None:
        """row: every column but the binding."""
        both = self._bind(table, row)
        self._store.insert(table, [(*row, both[:16])])
        self._checkpoints.added(OWN, table.name, [both[16:]])

    def take_out(self, table: Table, **where: object) -> list[tuple[Any, ...]]:
        """Delete the rows with these values, and return them.

        Raises:
            VaultDamagedError: one of them was altered.
        """
        columns = " AND ".join(f"{name} = ?" for name in where)
        values = tuple(where.values())
        rows = self._store.rows(f"{_SELECT[table.name]} WHERE {columns}", values)
        if rows:
            self._checkpoints.removed(OWN, table.name, [self._secret_half(table, row) for row in rows])
            self._store.run_many(f"DELETE FROM {table.name} WHERE {columns}", [values])  # noqa: S608
        return rows

    def check(self, table: Table, row: Sequence[Any]) -> None:
        """Raises VaultDamagedError if the row was altered or moved."""
        self._secret_half(table, row)

    def check_whole(self, table: Table) -> None:
        """Raises VaultDamagedError if a row of the table was altered, deleted, or put back."""
        if not self._is_whole(table):
            if not self._store.in_transaction:  # perhaps another process committed between the two reads
                self._store.begin_write()
                try:
                    if self._is_whole(table):
                        return
                finally:
                    self._store.rollback()
            raise VaultDamagedError(
                f"a row of {table.name} was deleted or put back by something else; run `nymlink vault verify`"
            )

    def _is_whole(self, table: Table) -> bool:
        states = self.states()
        if not states:
            return True
        if not self._is_last(states):
            return False
        stored = self._store.rows(_SELECT[table.name])
        count, total = len(stored), sum_of(self._secret_half(table, row) for row in stored)
        expected_count, expected_total, _ = states.get(table.name, (0, 0, 0))
        more, added = self._checkpoints.pending(OWN, table.name)
        return (count, total) == (expected_count + more, sum_of((), expected_total + added))

    def begin_anew(self, emptied: Collection[Table]) -> int:
        """Delete all rows of some tables, and count all tables anew; returns how many rows were deleted.

        Raises:
            VaultDamagedError: a row of another table was altered.
        """
        keys = self._open_keys()
        self._checkpoints.forget(OWN)
        _, told = self._trail.last_count(OWN_REVISION, after=0) or (0, 0)
        revisions = dict.fromkeys((table.name for table in TABLES), 0) | {TABLES[0].name: told}
        start_anew(self._store, keys, revisions)
        deleted, names = 0, {table.name for table in emptied}
        for table in TABLES:
            rows = self._store.rows(_SELECT[table.name])
            if table.name in names:
                deleted += len(rows)
                self._store.run_many(f"DELETE FROM {table.name}", [()] if rows else [])  # noqa: S608
            else:
                halves = [self._secret_half(table, row) for row in rows]
                self._checkpoints.added(OWN, table.name, halves)
        self._never_counted = False
        return deleted

    # -- counts ----------------------------------------------------------------------------------------------

    def states(self) -> dict[str, State]:
        """Count, sum and revision by table; empty for a vault that was never counted.

        Raises:
            VaultDamagedError: the counts were altered, or are gone.
        """
        states = read_states(self._store, self._open_keys())
        if not states and not self._never_counted:
            self._refuse_lost_counts()
            self._never_counted = True
        return states

    def write_counts(self) -> int | None:
        """Bring the counts up to date before a commit; returns their revision if they changed."""
        keys = self._open_keys()
        if states := self.states():
            if not self._is_last(states):
                raise VaultDamagedError(
                    "roles, requests or limits were put back as they were before; run `nymlink vault verify`"
                )
            return self._checkpoints.write(self._store, keys) if self._changed() else None
        self._checkpoints.forget(OWN)
        for table in TABLES:
            stored = self._store.rows(_SELECT[table.name])
            halves = [self._secret_half(table, row) for row in stored]
            self._checkpoints.added(OWN, table.name, halves)
        return self._checkpoints.write(self._store, keys)

    def findings(self) -> tuple[dict[str, int], list[str]]:
        """Rows by table, and what is wrong with them. Does not stop at the first fault."""
        checked: dict[str, int] = {}
        found: list[str] = []
        try:
            states = self.states()
        except (UnsealError, VaultDamagedError, AuditTamperedError) as error:
            return checked, [str(error)]
        for table in TABLES:
            bad, halves = 0, []
            for row in self._store.rows(_SELECT[table.name]):
                both = self._bind(table, row)
                bad += both[:16] != bytes(row[-1])
                halves.append(both[16:])
            checked[table.name] = len(halves)
            if bad:
                found.append(f"{bad} rows of {table.name} were altered or moved")
            if not states:
                continue
            count, total, _ = states.get(table.name, (0, 0, 0))
            if len(halves) != count:
                found.append(f"{table.name} has {len(halves)} rows, the vault wrote {count}")
            elif sum_of(halves) != total:
                found.append(f"{table.name} has a row that is not the one the vault wrote last")
        now, last = revision_of(states), 0
        steps_back = 0
        for event in self._trail.events():
            told = event.counts.get(OWN_REVISION, last)
            steps_back = 0 if event.action == MENDED else steps_back + (told < last)
            last = told
        if now != last:
            found.append(f"the vault's own rows are at revision {now}, the audit trail says {last}")
        if steps_back:
            found.append(f"the vault's own rows were put back {steps_back} times, as the audit trail says")
        return checked, found

    def _is_last(self, states: Mapping[str, State]) -> bool:
        """Whether the counts are those of the last event that tells of them, and of all tables.

        A table that was put back together with its count has an earlier revision than the trail tells.
        """
        sequence, _ = self._told
        self._told = self._trail.last_count(OWN_REVISION, after=sequence) or self._told
        return revision_of(states) == self._told[1] and states.keys() >= {table.name for table in TABLES}

    def _changed(self) -> bool:
        return OWN in self._checkpoints.projects()

    def _refuse_lost_counts(self) -> None:
        """No counts: right in a vault that was never counted, and only if its trail is whole and says so."""
        head, _ = self._trail.checked_head()
        if head.sequence == 0:
            return
        root = self._store.execute(
            select(vault_meta.c.value).where(vault_meta.c.name == "audit_root")
        ).scalar()
        if root is None:
            raise VaultDamagedError("the vault's record of its first audit key is gone")
        self._trail.verify(bytes(root))
        if any(OWN_REVISION in event.counts for event in self._trail.events()):
            raise VaultDamagedError(
                "the counts of the vault's own rows (roles, requests, limits) are gone; restore a backup"
            )

    # -- keys ------------------------------------------------------------------------------------------------

    def _bind(self, table: Table, row: Sequence[Any]) -> bytes:
        return self._open_binder().bind(joined(table.name) + FIELDS[table.name](row))

    def _secret_half(self, table: Table, row: Sequence[Any]) -> bytes:
        both = self._bind(table, row)
        if both[:16] != bytes(row[-1]):
            raise VaultDamagedError(f"a row of {table.name} was altered or moved; run `nymlink vault verify`")
        return both[16:]

    def _open_binder(self) -> Binder:
        if self._binder is None:
            self._binder = Binder(derive_key(self._record_key(), b"nymlink/vault/rows"), b"nymlink/vault")
        return self._binder

    def _open_keys(self) -> OwnKeys:
        if self._keys is None:
            sealer = Sealer(derive_key(self._record_key(), b"nymlink/vault/state"), key_id=1)
            self._keys = OwnKeys(OWN, ProjectContexts(self._keystore.vault_id, OWN), sealer)
        return self._keys

    def _record_key(self) -> bytes:
        return self._keystore.unwrap_project_key(OWN, RECORD_PURPOSE, 1)
