"""Everything that somebody can do to the rows of a store, listed from the schema: a statement or a few each.

A new table or column is in the list at once. Each change has an id that stays the same from run to run.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Column, Float, Integer, LargeBinary, Table

from pseudonymizer.schema import audit_epoch, audit_event, audit_head
from tests.security.used_stores import STORES, Row, UsedStores

Act = Callable[[sqlite3.Connection], None]

_CHECKPOINT: Final = "checkpoint"
_TRAIL: Final = tuple(table.name for table in (audit_event, audit_epoch, audit_head))
OWN_TABLES: Final = ("project", "actor_role", "access_request", "approval", "rate_bucket", "job")


@dataclass(frozen=True)
class Change:
    """What is done to one store."""

    name: str
    store: str
    act: Act


def changes_of(stores: UsedStores) -> Iterator[Change]:
    """All changes; those of one row on the first and the last row of each table."""
    for store, metadata in STORES.items():
        for table in metadata.sorted_tables:
            rows = stores.now[store][table.name]
            for number, row in _some(rows):
                following = rows[(number + 1) % len(rows)]
                yield from _of_row(store, table, number, row, following)
            yield from _of_table(store, table, rows)
            yield from _put_back(store, table, stores)
    yield from _many_put_back(stores)


def _some(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    return ((number, rows[number]) for number in sorted({0, len(rows) - 1} if rows else ()))


# -- one row -------------------------------------------------------------------------------------------------


def _of_row(store: str, table: Table, number: int, row: Row, following: Row) -> Iterator[Change]:
    place = f"{store}.{table.name}"
    for column, value, other in zip(table.columns, row, following, strict=True):
        for what, altered in _alterations(column, value, other).items():
            act = _updating(table, column.name, altered, row)
            yield Change(f"{place}.{column.name} {what} in row {number}", store, act)
    yield Change(f"{place} row {number} deleted", store, _deleting(table, row))
    if following != row:
        key = {column.name for column in table.primary_key.columns}
        for column, value, other in zip(table.columns, row, following, strict=True):
            if value != other and column.name not in key:
                act = _swapping(table, column.name, row, following)
                yield Change(f"{place}.{column.name} swapped with the next in row {number}", store, act)
    if (added := _another(table, row)) != row:
        yield Change(f"{place} row {number} written once more", store, _inserting(table, added))


def _alterations(column: Column[object], value: object, other: object) -> Mapping[str, object]:
    found: dict[str, object] = {}
    if isinstance(column.type, LargeBinary):
        raw = bytes(value) if isinstance(value, bytes) else b""
        for place, position in (("first", 0), ("middle", len(raw) // 2), ("last", len(raw) - 1)):
            if raw:
                found[f"{place} byte"] = raw[:position] + bytes([raw[position] ^ 1]) + raw[position + 1 :]
        found["a byte more"] = raw + b"x"
    elif isinstance(column.type, (Integer, Float)) and isinstance(value, (int, float)):
        found = {"one more": value + 1, "none": 0 if value else 2}
    else:
        text = str(value)
        found = {"a character more": text + "x", "empty": "" if text else "y"}
    if other not in (value, *found.values()):
        found["as the next"] = other
    return {what: altered for what, altered in found.items() if altered != value}


def _another(table: Table, row: Row) -> Row:
    """The row under a number or text that no row has, where its key has one."""
    changed = list(row)
    unique = {column.name for column in table.primary_key.columns}
    for number, column in enumerate(table.columns):
        value = row[number]
        if column.name in unique and isinstance(value, bytes):
            changed[number] = value[::-1]
            break
        if column.name in unique and isinstance(value, str):
            changed[number] = f"{value}-2"
            break
        if column.name in unique and isinstance(value, int) and column.name != "project_id":
            changed[number] = value + 70_000
            break
    for number, column in enumerate(table.columns):  # what must be unique beside the key
        if column.name in {"label", "form_tag", "doc_tag", "name"} and changed[number] == row[number]:
            value = row[number]
            changed[number] = value[::-1] if isinstance(value, bytes) else f"{value}-2"
    return tuple(changed)


def _where(table: Table) -> str:
    return " AND ".join(f"{column.name} IS ?" for column in table.columns)


def _updating(table: Table, column: str, value: object, row: Row) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        statement = f"UPDATE OR REPLACE {table.name} SET {column} = ? WHERE {_where(table)}"  # noqa: S608
        assert connection.execute(statement, (value, *row)).rowcount == 1

    return act


def _deleting(table: Table, row: Row) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        assert connection.execute(f"DELETE FROM {table.name} WHERE {_where(table)}", row).rowcount == 1  # noqa: S608

    return act


def _inserting(table: Table, row: Row) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        _insert(connection, table.name, row)

    return act


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def _swapping(table: Table, column: str, row: Row, following: Row) -> Act:
    number = [one.name for one in table.columns].index(column)

    def act(connection: sqlite3.Connection) -> None:
        for one in (row, following):
            assert connection.execute(f"DELETE FROM {table.name} WHERE {_where(table)}", one).rowcount == 1  # noqa: S608
        for one, other in ((row, following), (following, row)):
            _insert(connection, table.name, (*one[:number], other[number], *one[number + 1 :]))

    return act


# -- whole tables, and what they held before -----------------------------------------------------------------


def _of_table(store: str, table: Table, rows: Sequence[Row]) -> Iterator[Change]:
    if rows:
        yield Change(f"{store}.{table.name} emptied", store, _replacing({table.name: ()}))


def _put_back(store: str, table: Table, stores: UsedStores) -> Iterator[Change]:
    now, before = stores.now[store][table.name], stores.before[store][table.name]
    place = f"{store}.{table.name}"
    gone = [row for row in before if row not in set(now)]
    for number, row in _some(gone):
        yield Change(f"{place} earlier row {number} put back", store, _putting(table, row))
    if set(now) == set(before):
        return
    yield Change(f"{place} put back", store, _replacing({table.name: before}))
    if store != "vault" or table.name in (_CHECKPOINT, *_TRAIL):
        return
    counts = _counts_of(stores, {table.name})
    yield Change(f"{place} put back with its counts", store, _with_counts({table.name: before}, counts))
    for number, row in _some(gone):
        act = _with_counts({}, counts, then=_putting(table, row))
        yield Change(f"{place} earlier row {number} put back with the counts of its table", store, act)


def _putting(table: Table, row: Row) -> Act:
    """Put a row back, in place of the one that has its key now."""
    key = [column.name for column in table.primary_key.columns]
    values = [row[number] for number, column in enumerate(table.columns) if column.name in key]

    def act(connection: sqlite3.Connection) -> None:
        where = " AND ".join(f"{name} = ?" for name in key)
        connection.execute(f"DELETE FROM {table.name} WHERE {where}", values)  # noqa: S608
        _insert(connection, table.name, row)

    return act


def _replacing(tables: Mapping[str, Sequence[Row]]) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        for name, rows in tables.items():
            connection.execute(f"DELETE FROM {name}")  # noqa: S608
            for row in rows:
                _insert(connection, name, row)

    return act


def _counts_of(stores: UsedStores, tables: set[str]) -> list[Row]:
    return [row for row in stores.before["vault"][_CHECKPOINT] if row[1] in tables]


def _with_counts(
    tables: Mapping[str, Sequence[Row]], counts: Sequence[Row], *, then: Act | None = None
) -> Act:
    def act(connection: sqlite3.Connection) -> None:
        _replacing(tables)(connection)
        if then is not None:
            then(connection)
        for row in counts:
            connection.execute("DELETE FROM checkpoint WHERE project_id = ? AND table_name = ?", row[:2])
            _insert(connection, _CHECKPOINT, row)

    return act


def _many_put_back(stores: UsedStores) -> Iterator[Change]:
    before = stores.before["vault"]
    names = [table.name for table in STORES["vault"].sorted_tables]
    data = [name for name in names if name not in (_CHECKPOINT, *_TRAIL)]
    own = [name for name in data if name in OWN_TABLES]
    of_projects = [name for name in data if name not in OWN_TABLES]
    sets = {
        "the vault's own tables": (own, _counts_of(stores, set(own))),
        "all tables of projects": (of_projects, _counts_of(stores, {*of_projects, "last_seen_on"})),
        "all tables": (data, before[_CHECKPOINT]),
        "the trail": (list(_TRAIL), []),
        "the whole vault": ([*data, *_TRAIL], before[_CHECKPOINT]),
    }
    for name, (tables, counts) in sets.items():
        rows = {table: before[table] for table in tables}
        yield Change(f"vault: {name} put back", "vault", _with_counts(rows, counts))
    for table in of_projects:
        rows = {name: before[name] for name in (table, *_TRAIL)}
        act = _with_counts(rows, _counts_of(stores, {table}))
        yield Change(f"vault: {table} put back with its counts and the trail", "vault", act)
    keys = {table.name: stores.before["keys"][table.name] for table in STORES["keys"].sorted_tables}
    yield Change("keys: the whole key store put back", "keys", _replacing(keys))
