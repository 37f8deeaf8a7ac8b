"""Counts of rows and sums of their secret halves: what shows a row taken out, put back, or added by others.

The sum over all rows of a table of a keyed 128-bit value (a multiset hash by addition) changes with every row
that comes or goes. It is sealed under the project's record key, with a revision that every audit event
repeats.
"""

import struct
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from sqlalchemy import Table

from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import UnsealError, VaultDamagedError
from pseudonymizer.schema import checkpoint
from pseudonymizer.vault.store.contexts import ProjectContexts
from pseudonymizer.vault.store.stores import Store

State = tuple[int, int, int]  # of a table: its rows, the sum of their halves, and how often it was written

_MODULUS: Final = 1 << 128
_STATE: Final = struct.Struct(">Q16s")


class CheckpointKeys(Protocol):
    """Whose counts they are, and what seals them."""

    @property
    def project_id(self) -> int: ...

    @property
    def contexts(self) -> ProjectContexts: ...

    @property
    def state_sealer(self) -> Sealer: ...


class Checkpoints:
    """Changes of one transaction, written out before it commits."""

    def __init__(self, table: Table = checkpoint) -> None:
        """table: where they are written to."""
        self._table = table
        self._counts: dict[tuple[int, str], int] = defaultdict(int)
        self._sums: dict[tuple[int, str], int] = defaultdict(int)
        self._lessened: set[int] = set()  # projects of which rows went

    def added(self, project_id: int, table: str, halves: Iterable[bytes]) -> None:
        """halves: the secret 16 bytes of each new row's binding."""
        key, count, total = (project_id, table), 0, 0
        for half in halves:
            total += int.from_bytes(half, "big")
            count += 1
        self._counts[key] += count
        self._sums[key] += total

    def counted(self, project_id: int, table: str, count: int, total: int) -> None:
        """Rows that came, or went (both negative), where the sum of their secret halves is made already."""
        if not count and not total:
            return
        if count < 0:
            self._lessened.add(project_id)
        self._counts[project_id, table] += count
        self._sums[project_id, table] += total

    def removed(self, project_id: int, table: str, halves: Iterable[bytes]) -> None:
        key, count, total = (project_id, table), 0, 0
        for half in halves:
            total += int.from_bytes(half, "big")
            count += 1
        if count:
            self._lessened.add(project_id)
        self._counts[key] -= count
        self._sums[key] -= total

    def pending(self, project_id: int, table: str) -> tuple[int, int]:
        """Changes of count and sum that are not written out yet."""
        return self._counts.get((project_id, table), 0), self._sums.get((project_id, table), 0)

    def forget(self, project_id: int, table: str = "") -> None:
        """Drop the changes of a project, or of one of its tables."""
        for changes in (self._counts, self._sums):
            for key in [key for key in changes if key[0] == project_id and table in ("", key[1])]:
                del changes[key]

    def clear(self) -> None:
        self._counts.clear()
        self._sums.clear()
        self._lessened.clear()

    def changes(self, project_id: int, tables: Collection[str]) -> bool:
        """Whether rows of one of these tables came or went in this transaction."""
        return any((project_id, table) in self._sums for table in tables)

    def lessened(self, project_id: int) -> bool:
        """Whether rows of the project went in this transaction, or were replaced."""
        return project_id in self._lessened

    def projects(self) -> tuple[int, ...]:
        return tuple(sorted({project_id for project_id, _ in self._sums}))

    def write(self, store: Store, keys: CheckpointKeys, *, told: int | None = None) -> int:
        """Bring a project's checkpoints up to date; returns the sum of their revisions.

        told: that sum as the trail has it, where the caller has not compared it.

        Raises:
            VaultDamagedError: rows were put back together with their count; nothing is written.
        """
        state = read_states(store, keys, self._table)
        if told is not None and revision_of(state) != told:
            raise VaultDamagedError(
                f"rows of project {keys.project_id} were put back as they were before, with their count; run "
                "`nymlink vault verify`"
            )
        for (project_id, table), change in self._sums.items():
            if project_id != keys.project_id:
                continue
            count, total, revision = state.get(table, (0, 0, 0))
            count += self._counts[project_id, table]
            if count < 0:
                raise VaultDamagedError(
                    f"{table} has rows that the vault did not write; run `nymlink vault verify`"
                )
            total = (total + change) % _MODULUS
            revision += 1
            sealed = keys.state_sealer.seal(
                _STATE.pack(count, total.to_bytes(16, "big")), context=keys.contexts.state(table, revision)
            )
            name = self._table.name
            store.run_many(
                f"DELETE FROM {name} WHERE project_id = ? AND table_name = ?",  # noqa: S608  our own tables
                [(project_id, table)],
            )
            store.insert(self._table, [(project_id, table, count, revision, sealed)])
            state[table] = (count, total, revision)
        return revision_of(state)


def revision_of(states: Mapping[str, State]) -> int:
    """The sum of the revisions of all tables, which the trail repeats."""
    return sum(revision for _, _, revision in states.values())


def start_anew(
    store: Store, keys: CheckpointKeys, revisions: Mapping[str, int], counts: Table = checkpoint
) -> None:
    """Let the tables with these revisions be empty by their counts, in place of all counts of the project."""
    store.run_many(f"DELETE FROM {counts.name} WHERE project_id = ?", [(keys.project_id,)])  # noqa: S608
    nothing = _STATE.pack(0, bytes(16))
    rows = [
        (keys.project_id, table, 0, n, keys.state_sealer.seal(nothing, context=keys.contexts.state(table, n)))
        for table, n in revisions.items()
    ]
    store.insert(counts, rows)


def sum_of(halves: Iterable[bytes], start: int = 0) -> int:
    """Sum of secret halves, as checkpoints keep it."""
    return sum((int.from_bytes(half, "big") for half in halves), start) % _MODULUS


def read_states(store: Store, keys: CheckpointKeys, counts: Table = checkpoint) -> dict[str, State]:
    """Count, sum and revision by table. Raises UnsealError if one was altered."""
    states: dict[str, State] = {}
    rows = store.rows(
        f"SELECT table_name, row_count, revision, sealed FROM {counts.name} WHERE project_id = ?",  # noqa: S608
        (keys.project_id,),
    )
    for table, shown, revision, sealed in rows:
        try:
            context = keys.contexts.state(table, revision)
        except (struct.error, TypeError, AttributeError):
            raise UnsealError(f"the revision of {table} was altered") from None
        plain = keys.state_sealer.unseal(bytes(sealed), context=context)
        count, total = _STATE.unpack(plain)
        if shown != count:
            raise UnsealError(f"the count of {table} that is shown is not the one that is sealed")
        states[table] = (count, int.from_bytes(total, "big"), revision)
    return states
