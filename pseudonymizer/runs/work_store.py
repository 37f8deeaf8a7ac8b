"""What a work file is made of: one locked SQLite file, transactions, and values sealed under their place."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol, Self

import msgspec

from pseudonymizer.errors import UnsealError, WorkFileError
from pseudonymizer.runs.work_contexts import meta_context

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


class Sealing(Protocol):
    """What seals the work file, such as pseudonymizer.crypto.Sealer."""

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes: ...
    def unseal(self, sealed: bytes, *, context: bytes) -> bytes: ...


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
        if path is not None:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=1.0)
        work = cls(connection, sealing)
        try:
            work._prepare()
        except sqlite3.DatabaseError as error:
            connection.close()
            raise _translated(error) from None
        except WorkFileError:
            connection.close()
            raise
        except UnsealError:
            connection.close()
            raise WorkFileError(
                "the work file in this output folder belongs to another vault or project; use another --out"
            ) from None
        return work

    def _prepare(self) -> None:
        do = self._connection
        do.execute("pragma locking_mode = exclusive")
        do.execute("pragma journal_mode = wal")
        do.execute("pragma synchronous = normal")
        do.execute("pragma secure_delete = on")
        # The log of a large transaction would stay on the disk as long as the run goes on.
        do.execute("pragma journal_size_limit = 67108864")
        with self._transaction():
            if do.execute("select count(*) from sqlite_schema").fetchone()[0] == 0:
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
        try:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise
            self._connection.execute("commit")
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
