"""Is there a vault here, whole and with this key? Read-only: no answer to this question changes a byte.

Four different answers besides yes: not initialised, key store missing, wrong key, damaged.
"""

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import inspect, select

from pseudonymizer.errors import (
    KeyStoreMissingError,
    VaultDamagedError,
    VaultError,
    VaultExistsError,
    VaultOutdatedError,
    VaultUninitializedError,
)
from pseudonymizer.schema import kek, key_meta, vault_meta
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.keystore import KekRow, read_kek_row
from pseudonymizer.vault.store.raw_files import connection_open, head_of
from pseudonymizer.vault.store.stores import APPLICATION_ID, StoreAddress, make_engine, translated

_SQLITE_MAGIC: Final = b"SQLite format 3\0"
_LOOKS: Final = 5  # at most, at a file that other processes write
_SECONDS_BETWEEN_LOOKS: Final = 0.05
_INIT_HINT: Final = "make one with `nymlink vault init`"


@dataclass(frozen=True, slots=True)
class Preflight:
    """What can be known without a key."""

    vault_id: bytes
    kek_rows: tuple[KekRow, ...]
    vault_revision: str
    keys_revision: str


def look(vault: StoreAddress, keys: StoreAddress, *, any_revision: bool = False) -> Preflight:
    """Raises the error that says what is missing or broken; see the module."""
    vault_state = _state(vault)
    keys_state = _state(keys)
    if vault_state is None and keys_state is None:
        raise VaultUninitializedError(f"there is no vault at this address; {_INIT_HINT}")
    if vault_state is None:
        raise VaultDamagedError("the key store is there but the vault is not; restore the vault's own backup")
    if keys_state is None:
        raise KeyStoreMissingError(
            "the vault is there but its key store is not; put it back, restore it, or name it with --keys"
        )
    vault_revision, vault_values, _ = vault_state
    keys_revision, key_values, rows = keys_state
    vault_id = vault_values.get("vault_id", b"")
    if len(vault_id) != 16 or "vault_id" not in key_values:
        raise VaultDamagedError("the store is damaged: its identifying record is gone; restore a backup")
    if key_values["vault_id"] != vault_id:
        raise KeyStoreMissingError("this key store belongs to another vault; name the right one with --keys")
    if not any_revision:
        for address, revision in ((vault, vault_revision), (keys, keys_revision)):
            if not migration.is_opened(address, revision):
                raise VaultOutdatedError(
                    f"the store has schema revision {revision}, this program needs "
                    f"{migration.head_revision(address)}; "
                    "run `nymlink vault migrate`, or a newer program"
                )
    if not rows:
        raise VaultDamagedError("the key store is damaged: it names no key source; restore its backup")
    return Preflight(vault_id, tuple(read_kek_row(row) for row in rows), vault_revision, keys_revision)


_State = tuple[str, dict[str, bytes], list[tuple[Any, ...]]]


def _state(address: StoreAddress) -> _State | None:
    """Revision, identifying values and KEK rows of a store; None where there is none."""
    return _sqlite_state(address) if address.is_sqlite else _server_state(address)


def _sqlite_state(address: StoreAddress) -> _State | None:
    """As _state; read again where another process wrote the file meanwhile."""
    for _ in range(_LOOKS - 1):
        before = _last_written(address.path)
        try:
            return _sqlite_state_now(address)
        except VaultDamagedError:
            if _last_written(address.path) == before:
                raise
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    return _sqlite_state_now(address)


def _last_written(path: Path) -> tuple[tuple[int, int] | None, ...]:
    """Size in bytes and time in nanoseconds of the file and of its log; None for one that is not there."""
    found: list[tuple[int, int] | None] = []
    for place in (path, path.with_name(path.name + "-wal")):
        try:
            status = place.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


def _sqlite_state_now(address: StoreAddress) -> _State | None:
    path = address.path
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultError(f"the store cannot be read ({type(error).__name__})") from None
    if size == 0:
        return None
    _check_sqlite_header(path, size)
    # Without a log beside it the file is read as it is, so that not even -wal and -shm appear.
    has_log = any(path.with_name(path.name + tail).exists() for tail in ("-wal", "-shm"))
    options = "mode=ro" if has_log else "mode=ro&immutable=1"
    with (
        translated(),
        connection_open(path),
        closing(sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True)) as connection,
    ):
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID[address.schema]:
            raise VaultDamagedError(
                "this file is a database of another program, or of the other store; check the address"
            )
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if revision is None:
            raise VaultDamagedError("the store is damaged: it has no schema revision; restore a backup")
        is_vault = address.schema == "nymlink"
        table = "vault_meta" if is_vault else "key_meta"
        values = dict(connection.execute(f"SELECT name, value FROM {table}"))  # noqa: S608  our own table
        rows = (
            []
            if is_vault
            else [tuple(row) for row in connection.execute("SELECT * FROM kek ORDER BY kek_id")]
        )
        return str(revision[0]), {str(k): bytes(v) for k, v in values.items()}, rows


def _check_sqlite_header(path: Path, size: int) -> None:
    try:
        header = head_of(path, 100)
    except OSError as error:
        raise VaultError(f"the store cannot be read ({type(error).__name__})") from None
    if len(header) < 100 or not header.startswith(_SQLITE_MAGIC):
        raise VaultDamagedError("the store is damaged: the file is not a database; restore a backup")
    page = int.from_bytes(header[16:18], "big")
    page = 65536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    if page < 512 or size % page or size < pages * page:
        raise VaultDamagedError(
            f"the store is damaged: {size} bytes where {pages * page} were written; restore a backup"
        )


def _server_state(address: StoreAddress) -> _State | None:
    engine = make_engine(address)
    with translated(), engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version", schema=address.schema):
            return None
        revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if revision is None:
            return None
        is_vault = address.schema == "nymlink"
        table = vault_meta if is_vault else key_meta
        values = {str(name): bytes(value) for name, value in connection.execute(select(table))}
        rows = (
            [] if is_vault else [tuple(row) for row in connection.execute(select(kek).order_by(kek.c.kek_id))]
        )
        return str(revision), values, rows


def vault_id_at(address: StoreAddress) -> bytes | None:
    """The id of the vault whose store lies here; None where there is none.

    Raises:
        VaultDamagedError: something else lies here, or a store that cannot be read.
    """
    state = _state(address)
    return None if state is None else state[1].get("vault_id", b"")


def refuse_existing(address: StoreAddress) -> None:
    if address.is_sqlite:
        if address.path.exists():
            raise VaultExistsError("there is a file at this address already; nothing was changed")
        if not address.path.parent.is_dir():
            raise VaultExistsError("the folder of the vault is not there; make it first")
    elif migration.current_revision(address) is not None:
        raise VaultExistsError("there is a vault in this database already; nothing was changed")
