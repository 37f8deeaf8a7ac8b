"""The two databases: addresses, connections, transactions, bulk statements; no keys, no names."""

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy
from sqlalchemy import (
    URL,
    Connection,
    CursorResult,
    Engine,
    Executable,
    Table,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.pool import NullPool

from pseudonymizer.errors import (
    SettingsError,
    VaultBusyError,
    VaultClosedError,
    VaultDamagedError,
    VaultError,
)
from pseudonymizer.vault.store.raw_files import FileId, connecting, disconnected

VAULT_SCHEMA: Final = "nymlink"
KEYS_SCHEMA: Final = "nymlink_keys"
APPLICATION_ID: Final = {VAULT_SCHEMA: 0x4E594D56, KEYS_SCHEMA: 0x4E594D4B}  # "NYMV", "NYMK"
BUSY_SECONDS: Final = 60
CHUNK: Final = 5_000
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # of a URL; one letter is a drive of Windows

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Where one store lies: a SQLite file, or a schema of a PostgreSQL database."""

    url: URL
    schema: str

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def path(self) -> Path:
        if not self.is_sqlite or not self.url.database:
            raise SettingsError("only a SQLite store has a file")
        return Path(self.url.database)


def store_addresses(url: str | Path, keys_url: str | Path | None) -> tuple[StoreAddress, StoreAddress]:
    """The addresses of vault and key store: URLs, or paths of SQLite files. By default the keys lie in the
    sibling file, or in their own schema.

    Raises:
        SettingsError: for a URL that is neither SQLite with a file nor PostgreSQL, or if both are one file.
    """
    vault_url = _parse(url)
    if keys_url is not None:
        key_url = _parse(keys_url)
    elif vault_url.get_backend_name() == "sqlite":
        file = Path(str(vault_url.database))
        key_url = vault_url.set(database=str(file.with_name(f"{file.stem}.keys{file.suffix or '.db'}")))
    else:
        key_url = vault_url
    vault, keys = StoreAddress(vault_url, VAULT_SCHEMA), StoreAddress(key_url, KEYS_SCHEMA)
    if vault.is_sqlite and keys.is_sqlite and vault.path.resolve() == keys.path.resolve():
        raise SettingsError("vault and key store are one file; give --keys another one, or leave it out")
    return vault, keys


def _parse(url: str | Path) -> URL:
    """The URL of a store. Whatever has no scheme, such as vault.db, is the path of a SQLite file."""
    if isinstance(url, Path) or (url and not _SCHEME.match(url)):
        parsed = URL.create("sqlite", database=str(url))
    else:
        try:
            parsed = make_url(url)
        except sqlalchemy.exc.ArgumentError:
            raise SettingsError(
                "the vault address is neither a file nor a URL; write FILE, sqlite:///FILE or "
                "postgresql+psycopg://..., and ./FILE where its name has a colon"
            ) from None
    backend = parsed.get_backend_name()
    if backend == "sqlite" and (not parsed.database or parsed.database == ":memory:"):
        raise SettingsError("a vault in memory would be lost; give a file, such as sqlite:///vault.db")
    if backend == "postgresql" and parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    if backend not in {"sqlite", "postgresql"}:
        raise SettingsError(
            f"{backend} is not supported; use sqlite:///FILE or postgresql+psycopg://HOST/NAME"
        )
    return parsed


@contextmanager
def translated() -> Iterator[None]:
    """Database errors as ours, without statement or parameters."""
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        raise _as_vault_error(error.orig) from None
    except (sqlite3.Error, sqlalchemy.exc.SQLAlchemyError) as error:
        raise _as_vault_error(error) from None
    except Exception as error:
        if not _is_server_error(error):
            raise
        raise _as_vault_error(error) from None


def _is_server_error(error: Exception) -> bool:
    """An error of PostgreSQL's driver, which is not imported here because it is an extra."""
    return any(kind.__name__ == "Error" and kind.__module__ == "psycopg" for kind in type(error).__mro__)


def _as_vault_error(error: BaseException | None) -> VaultError:
    text = str(error).lower()
    kind = type(error).__name__
    if "locked" in text or "busy" in text or kind in {"LockNotAvailable", "QueryCanceled"}:
        return VaultBusyError(f"another process held the vault for more than {BUSY_SECONDS} s; try again")
    if any(
        word in text
        for word in ("malformed", "not a database", "corrupt", "encrypted", "no such table", "decode")
    ):
        return VaultDamagedError(
            "the store is damaged: the database cannot read its own pages; restore a backup"
        )
    if "unique" in text or "integrity" in text or kind == "UniqueViolation":
        return VaultDamagedError("the store refuses a row that must be unique; run `nymlink vault verify`")
    if "full" in text:
        return VaultError("the disk of the vault is full; nothing of this transaction was kept")
    if "disk i/o" in text:
        return VaultError("the disk of the vault failed, or is full; nothing of this transaction was kept")
    if "readonly" in text or "read-only" in text:
        return VaultError("the vault cannot be written: its file or folder is read-only")
    return VaultError(f"the database of the vault failed ({kind})")


def make_engine(address: StoreAddress) -> Engine:
    """Connections in driver autocommit: begin, commit and rollback are said by Store, in so many words."""
    if address.is_sqlite:
        engine = create_engine(
            address.url.set(drivername="sqlite+pysqlite"),
            poolclass=NullPool,
            hide_parameters=True,
            connect_args={"timeout": BUSY_SECONDS, "isolation_level": None, "check_same_thread": False},
        )

        @event.listens_for(engine, "connect")
        def _pragmas(connection: Any, _record: object) -> None:
            for pragma in (
                "busy_timeout=60000",
                "journal_mode=WAL",
                "synchronous=FULL",
                "foreign_keys=ON",
                "secure_delete=ON",
                "trusted_schema=OFF",
                "cell_size_check=ON",
                "temp_store=MEMORY",
                "cache_size=-65536",
            ):
                connection.execute(f"PRAGMA {pragma}").close()

        return engine
    return create_engine(
        address.url,
        poolclass=NullPool,
        hide_parameters=True,
        isolation_level="AUTOCOMMIT",
        connect_args={"options": f"-csearch_path={address.schema} -clock_timeout={BUSY_SECONDS}s"},
    )


class Store:
    """One store and at most one open transaction."""

    def __init__(self, address: StoreAddress) -> None:
        self.address = address
        self._engine = make_engine(address)
        self._connection: Connection | None = None
        self._file: FileId | None = None  # of the connection
        self.in_transaction = False
        self._is_lost = False  # the database gave the transaction up by itself
        self._cursors = 0
        self._open_cursors: dict[int, Any] = {}
        self._mark = "?" if address.is_sqlite else "%s"

    @property
    def connection(self) -> Connection:
        if self._connection is None:
            with (
                connecting(self.address.path if self.address.is_sqlite else None) as self._file,
                translated(),
            ):
                self._connection = self._engine.connect()
        return self._connection

    def begin_write(self) -> None:
        """Begin and become the only writer. Does nothing inside a transaction."""
        if self.in_transaction:
            self._refuse_lost()
            return
        with translated():
            if self.address.is_sqlite:
                self.connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                self.connection.exec_driver_sql("BEGIN")
                lock = zlib.crc32(self.address.schema.encode())
                self.connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock})")
        self.in_transaction = True

    @contextmanager
    def writing_quickly(self) -> Iterator[None]:
        """A transaction of its own that outlives the process, and perhaps not a failure of power. Not inside
        another one.
        """
        if self.address.is_sqlite:
            self._driver("PRAGMA synchronous=NORMAL")
        try:
            self.begin_write()
            if not self.address.is_sqlite:
                self._driver("SET LOCAL synchronous_commit = off")
            yield
            self.commit()
        except BaseException:
            self.rollback()
            raise
        finally:
            if self.address.is_sqlite:
                self._driver("PRAGMA synchronous=FULL")

    def _driver(self, statement: str) -> None:
        """A statement without rows, past the layer that would read them."""
        with translated(), closing(self.connection.connection.cursor()) as cursor:
            cursor.execute(statement)

    def commit(self) -> None:
        if self.in_transaction:
            self._refuse_lost()
            with self._watched():
                self.connection.exec_driver_sql("COMMIT")
            self.in_transaction = False

    def rollback(self) -> None:
        if self.in_transaction and self._connection is not None:
            self._close_cursors()
            lost, self._is_lost, self.in_transaction = self._is_lost, False, False
            if not lost:
                with translated():
                    self._connection.exec_driver_sql("ROLLBACK")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """On a full disk SQLite rolls back by itself; what came after would be written statement by
        statement."""
        try:
            with translated():
                yield
        except VaultError:
            if self.in_transaction and self.address.is_sqlite and self._connection is not None:
                driver = self._connection.connection.driver_connection
                self._is_lost = driver is not None and not driver.in_transaction
            raise

    def _refuse_lost(self) -> None:
        if self._is_lost:
            raise VaultClosedError(
                "a write of this unit of work failed and nothing of it was kept: roll back"
            )

    def close(self) -> None:
        if self._connection is not None:
            try:
                self.rollback()
                self._close_cursors()
            finally:
                self._connection.close()
                self._connection = None
                disconnected(self._file)
        self._engine.dispose()

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        with self._watched():
            return self.connection.execute(statement, parameters or {})

    def insert(self, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Bulk insert of whole rows in column order, by the driver's executemany."""
        if not rows:
            return
        if not self.in_transaction:
            raise VaultClosedError("a write outside a transaction")
        names = ", ".join(column.name for column in table.columns)
        marks = ", ".join([self._mark] * len(table.columns))
        statement = f"INSERT INTO {table.name} ({names}) VALUES ({marks})"  # noqa: S608  names of our own tables
        self._run_many(statement, rows)

    def run_many(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Bulk update or delete; statement has ? for each value."""
        if rows:
            self._run_many(statement.replace("?", self._mark), rows)

    def _run_many(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        self._refuse_lost()
        with self._watched(), closing(self.connection.connection.cursor()) as cursor:
            cursor.executemany(statement, rows)

    def rows(self, statement: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples; statement has ? for each value."""
        with self._watched(), closing(self.connection.connection.cursor()) as cursor:
            cursor.execute(statement.replace("?", self._mark), parameters)
            return list(cursor.fetchall())

    @contextmanager
    def streaming(
        self, statement: str, parameters: tuple[Any, ...] = ()
    ) -> Iterator[Iterator[tuple[Any, ...]]]:
        """A million rows or more: the database keeps them and hands out chunks."""
        if self.address.is_sqlite:
            with translated():
                cursor = self.connection.connection.cursor()
                try:
                    cursor.execute(statement.replace("?", self._mark), parameters)
                    yield _chunks_of(cursor)
                finally:
                    # A reader that was given up may be collected after the store was closed, cursor and all.
                    with suppress(sqlite3.ProgrammingError):
                        cursor.close()
            return
        driver: Any = self.connection.connection.driver_connection
        self._cursors += 1
        with translated():
            cursor = self._open_cursors[self._cursors] = driver.cursor(
                f"nymlink_{self._cursors}", withhold=True
            )
            number = self._cursors
            try:
                cursor.execute(statement.replace("?", self._mark), parameters)
                yield _chunks_of(cursor)
            finally:
                if self._open_cursors.pop(number, None) is not None:
                    cursor.close()

    def _close_cursors(self) -> None:
        """Before a rollback, which takes away the cursors of readers that were given up half-way."""
        while self._open_cursors:
            _, cursor = self._open_cursors.popitem()
            with suppress(VaultError), translated():
                cursor.close()

    def scalar(self, statement: str, parameters: tuple[Any, ...] = ()) -> Any:
        """The first value of the first row, or None."""
        value, *_ = next(iter(self.rows(statement, parameters)), (None,))
        return value

    def vacuum(self) -> None:
        """Rewrite the file (SQLite), or let the server take dead rows out of reach (PostgreSQL)."""
        with translated():
            self.connection.exec_driver_sql("VACUUM")

    def truncate_log(self) -> None:
        """Fold the write-ahead log into the file and empty it, so that old pages are gone from both."""
        if self.address.is_sqlite and not self.in_transaction:
            with translated():
                busy = self.connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
            if busy:
                raise VaultBusyError(
                    "another process reads the vault, so its log cannot be emptied now; try again"
                )


def _chunks_of(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(CHUNK):
        yield from rows


def in_chunks(items: Iterable[_Item], size: int = 900) -> Iterator[list[_Item]]:
    """Lists of at most size items: databases bound the number of values in one statement."""
    chunk: list[_Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
