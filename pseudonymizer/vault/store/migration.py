"""Schema revisions by alembic: two branches, `vault` and `keys`, one for each store. Runs without keys."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from alembic import command
from pseudonymizer.errors import VaultBusyError, VaultError, VaultOutdatedError
from pseudonymizer.vault.store.copies import copy_beside
from pseudonymizer.vault.store.raw_files import connection_open
from pseudonymizer.vault.store.stores import (
    KEYS_SCHEMA,
    VAULT_SCHEMA,
    Store,
    StoreAddress,
    make_engine,
    translated,
)

log = logging.getLogger(__name__)

_BRANCH: Final = {VAULT_SCHEMA: "vault", KEYS_SCHEMA: "keys"}
WITH_RESULTS: Final = "vault_0003"  # the revision that brings the table run_result
WITH_COUNTERS: Final = "keys_0002"  # the revision that brings the tables counter and given_word
WITH_FOLDERS: Final = "keys_0003"  # the revision that brings the table work_key
# Later revisions only add tables that begin empty, or a form that begins to be written: such a store is
# opened as it is, and grows when something is written that needs it.
_GROWING: Final = frozenset(
    {"keys_0001", "keys_0002", "keys_0003", "vault_0002", "vault_0003", "vault_0004", "vault_0005"}
)


def migrations_directory() -> Path:
    """Inside an installed package, or in the checkout.

    Raises:
        VaultError: if neither place has them.
    """
    package = Path(str(resources.files("pseudonymizer")))
    for place in (package / "migrations", package.parent / "alembic"):
        if (place / "env.py").is_file():
            return place
    raise VaultError("the schema migrations are missing; install nymlink again, or run from a whole checkout")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_directory()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def head_revision(address: StoreAddress) -> str:
    """The revision that this program needs."""
    return _head_of(_BRANCH[address.schema])


@cache
def _head_of(branch: str) -> str:
    return ScriptDirectory.from_config(_config()).get_revision(f"{branch}@head").revision


def is_opened(address: StoreAddress, revision: str) -> bool:
    """Whether this program opens a store of this revision."""
    return revision in _GROWING or revision == head_revision(address)


def current_revision(address: StoreAddress) -> str | None:
    """The revision that the store has, or None if it has none."""
    engine = make_engine(address)
    with translated(), connection_open(_file(address)), engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table_schema": _version_schema(address)}
        )
        return context.get_current_revision()


def _file(address: StoreAddress) -> Path | None:
    return address.path if address.is_sqlite else None


def upgrade(address: StoreAddress, revision: str | None = None) -> None:
    """Bring one store to the newest revision, or to the one named, in one transaction."""
    engine = make_engine(address)
    with translated(), connection_open(_file(address)), engine.connect() as connection:
        if not address.is_sqlite:
            connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {address.schema}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if address.is_sqlite else "BEGIN")
        try:
            _upgrade_on(connection, address, revision)
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def _upgrade_on(connection: Connection, address: StoreAddress, revision: str | None) -> None:
    config = _config()
    config.attributes["connection"] = connection
    config.attributes["version_table_schema"] = _version_schema(address)
    command.upgrade(config, revision or f"{_BRANCH[address.schema]}@head")


@dataclass(frozen=True, slots=True)
class Migrated:
    """The revisions of vault and key store after a migration, and the copy of the vault as it was before.

    copy: None where nothing of the vault had to change, or where it lies in a server.
    """

    revisions: tuple[str, str]
    copy: Path | None


def needs_upgrade(address: StoreAddress) -> bool:
    """Whether the store has an older revision than this program writes.

    Raises:
        VaultOutdatedError: the revision is of a newer program.
    """
    revision = current_revision(address)
    if revision is not None:
        refuse_newer(revision)
    return revision != head_revision(address)


def refuse_newer(revision: str) -> None:
    """Raises VaultOutdatedError for a revision that this program does not know."""
    if revision not in {found.revision for found in ScriptDirectory.from_config(_config()).walk_revisions()}:
        raise VaultOutdatedError(
            f"the store has schema revision {revision}, which is newer than this program knows; use a newer "
            "program"
        )


def migrate(vault: StoreAddress, keys: StoreAddress, *, at: datetime, has_backup: bool = False) -> Migrated:
    """Bring both stores to the newest revision; the vault is copied first. There is no way down.

    at: the time that is in the name of the copy. has_backup: the operator says so, of a vault in a server.

    Raises:
        SettingsError: the vault lies in a server, and nobody says that there is a backup; nothing is changed.
        VaultError: the copy cannot be made; nothing is changed.
    """
    copy = None
    if needs_upgrade(vault):
        copy = copied_first(vault, at=at, has_backup=has_backup)
        upgrade(vault)
    if needs_upgrade(keys):
        upgrade(keys)
    return Migrated((head_revision(vault), head_revision(keys)), copy)


def copied_first(vault: StoreAddress, *, at: datetime, has_backup: bool) -> Path | None:
    """A copy of a vault in a file; None for one in a server, of which somebody says that there is a backup.

    Raises:
        SettingsError, VaultError: as migrate.
    """
    if has_backup and not vault.is_sqlite:
        return None
    return copy_beside(vault, at=at)


def grow(address: StoreAddress) -> None:
    """Bring a store that is opened as it is to the newest revision, before its first write.

    Raises:
        VaultOutdatedError: the database does not let this program make a table.
    """
    with _may_make_tables():
        upgrade(address)
    log.info("the schema of the key store was brought up to date")


def has_reached(store: Store, revision: str) -> bool:
    """Whether an open store has this revision of its branch, or a later one."""
    current: str = store.scalar("SELECT version_num FROM alembic_version")
    return current >= revision  # the names of a branch are in order


def grow_within(store: Store) -> None:
    """Bring an open store to the newest revision inside its transaction.

    Raises:
        VaultOutdatedError: the database does not let this program make a table.
    """
    with _may_make_tables(), translated():
        _upgrade_on(store.connection, store.address, None)
    log.info("the schema of the vault was brought up to date")


@contextmanager
def _may_make_tables() -> Iterator[None]:
    try:
        yield
    except VaultBusyError:
        raise
    except VaultError:
        raise VaultOutdatedError(
            "the store needs a newer schema before it is written to, and this program may not change it; "
            "run `nymlink vault migrate` as the owner of the database"
        ) from None


def _version_schema(address: StoreAddress) -> str | None:
    return None if address.is_sqlite else address.schema
