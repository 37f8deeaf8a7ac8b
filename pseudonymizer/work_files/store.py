"""What a work file is made of: one locked SQLite file, transactions, and values sealed under their place."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import msgspec

from pseudonymizer.crypto import key_id_of
from pseudonymizer.errors import UnsealError, WorkFileError
from pseudonymizer.work_files.contexts import meta_context
from pseudonymizer.work_files.sealing import FIRST_VERSION, FOLDER_ID_BYTES, Sealing

VERSION: Final = 2  # of what is sealed in a work file; 1: see old_work
OLD_VERSION: Final = 1
_SCHEMA = """
create table meta(name text primary key, value blob not null) strict;
create table source(
    doc_id text primary key, position integer, state text not null, fingerprint blob not null,
    path blob not null, size integer not null, modified_ns integer not null,
    error text, reason text, counts blob, mentions blob, labels blob, output blob, output_size integer,
    written_at real
) strict, without rowid;
create index source_by_state on source(state, position);
create table person(entity_id text primary key, person blob not null) strict, without rowid;
create table intended(doc_id text primary key, place blob not null) strict, without rowid;
create table linked(
    kind text not null, number integer not null, rows blob not null, primary key(kind, number)
) strict;
"""
_FOLDER: Final = """
create table if not exists folder(number integer primary key check (number = 1), id blob not null) strict
"""


@dataclass(frozen=True, slots=True)
class FolderNote:
    """The id of an output folder, as its work file has it in clear. is_new: nothing in it was sealed under a
    key of the folder yet.
    """

    folder_id: bytes
    is_new: bool


class WorkStore:
    """Not for several processes at once: the file is locked while it is open."""

    def __init__(self, connection: sqlite3.Connection, sealing: Sealing) -> None:
        self._connection = connection
        self._sealing = sealing

    @classmethod
    def open(cls, path: Path | None, sealing: Sealing) -> Self:
        """The work file at path, made when absent; None keeps everything in memory.

        Raises:
            WorkFileError: another run has it, or it is damaged, sealed under another key, or of a later
                version.
        """
        connection = _connected(path)
        with _closed_on_failure(connection):
            work = cls(connection, sealing)
            work._prepare()
        return work

    @classmethod
    def open_in_folder(cls, path: Path, sealing_of: Callable[[FolderNote], Sealing]) -> Self:
        """The work file at path, made when absent, sealed under keys of its output folder.

        sealing_of: gives them. It is called once the id of the folder is in the file: a run that is killed
        before there is a key goes on with the same id.

        Raises:
            WorkFileError: as open.
        """
        connection = _connected(path)
        with _closed_on_failure(connection):
            with _transaction_of(connection):
                connection.execute(_FOLDER)
                connection.execute(
                    "insert or ignore into folder values (1, ?)", (os.urandom(FOLDER_ID_BYTES),)
                )
            work = cls(connection, sealing_of(_note(connection)))
            work._prepare()
        return work

    def _prepare(self) -> None:
        with self._transaction() as do:
            if not _has_table(do, "meta"):
                for statement in _SCHEMA.split(";\n"):
                    if statement.strip():
                        do.execute(statement)
                self._put_version(VERSION)
            else:  # made before there were any
                do.execute(
                    "create table if not exists intended(doc_id text primary key, place blob not null) "
                    "strict, without rowid"
                )
        if (version := self.version) not in (OLD_VERSION, VERSION):
            raise WorkFileError(
                f"the work file in this output folder is of another version ({version}, and this program "
                f"reads up to {VERSION}): go on with the nymlink that made it, or use another --out"
            )

    @property
    def version(self) -> int | None:
        """What the values in it look like; None where it does not say."""
        raw = self._get("version")
        return None if raw is None else msgspec.json.decode(raw, type=int)

    def _put_version(self, version: int) -> None:
        # As JSON: what every version of the program can read, to refuse the file.
        self._put("version", msgspec.json.encode(version))

    def close(self) -> None:
        self._connection.close()

    def _text(self, sealed: bytes, context: bytes) -> str:
        """What _sealed sealed; "" for a path that was forgotten."""
        if not sealed:
            return ""
        return self._unsealed(sealed, context).decode("utf-8", "surrogateescape")

    def _sealed(self, text: str, context: bytes) -> bytes:
        return self._sealing.seal(text.encode("utf-8", "surrogateescape"), context=context)

    def _unsealed(self, sealed: bytes, context: bytes) -> bytes:
        try:
            return self._sealing.unseal(sealed, context=context)
        except UnsealError:
            raise WorkFileError("the work file is damaged, or was altered; use another --out") from None

    def _put(self, name: str, value: bytes) -> None:
        sealed = self._sealing.seal(value, context=meta_context(name))
        self._connection.execute("insert or replace into meta values (?, ?)", (name, sealed))

    def _get(self, name: str) -> bytes | None:
        row = self._connection.execute("select value from meta where name = ?", (name,)).fetchone()
        if row is None:
            return None
        (sealed,) = row
        return self._sealing.unseal(sealed, context=meta_context(name))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _transaction_of(self._connection):
            yield self._connection


def folder_id_of(path: Path) -> bytes | None:
    """The id of the output folder whose work file this is; None where an earlier version made it. Nothing is
    changed.

    Raises:
        WorkFileError: another run has it, or it is no work file.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=1.0)) as connection:
            if not _has_table(connection, "folder"):
                return None
            row = connection.execute("select id from folder").fetchone()
            return None if row is None else bytes(row[0])
    except sqlite3.DatabaseError as error:
        raise _translated(error) from None


def _connected(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        # Never of a file that is there: closing a handle of it drops the locks of a run of this process.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=1.0)
    with _closed_on_failure(connection):
        connection.execute("pragma locking_mode = exclusive")
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        connection.execute("pragma secure_delete = on")
        # The log of a large transaction would stay on the disk as long as the run goes on.
        connection.execute("pragma journal_size_limit = 67108864")
    return connection


def _note(connection: sqlite3.Connection) -> FolderNote:
    (folder_id,) = connection.execute("select id from folder").fetchone()
    version = None
    if _has_table(connection, "meta"):
        version = connection.execute("select value from meta where name = 'version'").fetchone()
    return FolderNote(bytes(folder_id), version is None or key_id_of(bytes(version[0])) < FIRST_VERSION)


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    found = connection.execute("select 1 from sqlite_schema where name = ?", (name,))
    return found.fetchone() is not None


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise _translated(error) from None
        if isinstance(error, UnsealError):
            raise WorkFileError(
                "the work file in this output folder belongs to another vault or project; use another --out"
            ) from None
        raise


@contextmanager
def _transaction_of(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        connection.execute("begin immediate")
        try:
            yield
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise
        connection.execute("commit")
    except sqlite3.DatabaseError as error:
        raise _translated(error) from None


def _translated(error: sqlite3.DatabaseError) -> WorkFileError:
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if name in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return WorkFileError("another run is working on this output folder")
    if name == "SQLITE_FULL":
        return WorkFileError("the disk is full; what is done stays done, the same command goes on from here")
    if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return WorkFileError(f"the work file is damaged ({name}); use another --out")
    return WorkFileError(f"the work file cannot be used ({name})")
