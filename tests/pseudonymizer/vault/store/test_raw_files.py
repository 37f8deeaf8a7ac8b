"""Reading a SQLite file past SQLite takes no lock away from an open connection."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store.raw_files import connecting, connection_open, disconnected, head_of, holds_any

_LAST_ONE: Final = (
    "import sqlite3, sys; made = sqlite3.connect(sys.argv[1]); "
    "made.execute('SELECT count(*) FROM sqlite_master').fetchall(); made.close()"
)
_OPEN_HANDLES: Final = Path("/proc/self/fd")
posix_only: Final = pytest.mark.skipif(sys.platform != "linux", reason="looks at the handles of the process")


def handles_of(path: Path) -> int:
    """How many handles this process has open on the file."""
    found = 0
    for handle in _OPEN_HANDLES.iterdir():
        try:
            found += handle.resolve() == path.resolve()
        except OSError:  # the handle of the listing itself
            continue
    return found


def another_process_opens_and_closes(path: Path) -> None:
    subprocess.run([sys.executable, "-c", _LAST_ONE, os.fspath(path)], check=True)  # noqa: S603


@contextmanager
def written(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose log holds a row that is not in the file yet."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        connection.execute("CREATE TABLE one (value)")
        connection.execute("INSERT INTO one VALUES ('Tolsma')")
        yield connection


@posix_only
def test_a_closed_handle_would_take_the_locks_away(tmp_path: Path) -> None:
    """What this module is for: without it the log is gone under an open connection."""
    path = tmp_path / "a.db"
    with written(path):
        path.read_bytes()
        another_process_opens_and_closes(path)
        assert not path.with_name("a.db-wal").exists()


@posix_only
def test_reading_the_head_and_searching_leave_the_locks(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    with connection_open(path), written(path):
        assert head_of(path, 16) == b"SQLite format 3\0"
        assert holds_any(path.with_name("a.db-wal"), [b"Tolsma"])
        assert not holds_any(path, [b"Wiersma"])
        another_process_opens_and_closes(path)
        assert path.with_name("a.db-wal").exists()


@posix_only
def test_one_handle_is_kept_until_the_last_connection_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"SQLite")
    with connecting(path) as first, connecting(path) as second:
        pass
    for _ in range(5):
        assert head_of(path, 3) == b"SQL"
    assert handles_of(path) == 1
    disconnected(first)
    assert handles_of(path) == 1
    disconnected(second)
    assert handles_of(path) == 0
    assert head_of(path, 3) == b"SQL"
    assert handles_of(path) == 0


@posix_only
def test_a_connection_that_fails_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"SQLite")
    with pytest.raises(ZeroDivisionError), connection_open(path):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), connecting(path):
        raise ZeroDivisionError
    head_of(path, 3)
    assert handles_of(path) == 0


def test_a_needle_over_the_border_of_two_pieces_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    needle = b"0123456789abcdef"
    for at in (0, (1 << 20) - 16, (1 << 20) - 15, (1 << 20) - 1, 1 << 20, (3 << 20) - 7):
        path.write_bytes(b"x" * at + needle + b"x" * 40)
        assert holds_any(path, [b"nothing", needle])
        assert not holds_any(path, [needle + b"0"])


@posix_only
def test_a_vault_opened_twice_in_one_process_keeps_its_log(tmp_path: Path) -> None:
    """As the web service has it: a connection for each actor, and other processes that come and go."""
    path, key = tmp_path / "vault.db", FileKey(tmp_path / "kek.key")
    with Vault.create(path, key, actor="first") as first:
        first.commit()
        with Vault.open(path, key, actor="second"):
            another_process_opens_and_closes(path)
            another_process_opens_and_closes(tmp_path / "vault.keys.db")
            assert path.with_name("vault.db-wal").exists()
            assert path.with_name("vault.keys.db-wal").exists()
        another_process_opens_and_closes(path)
        assert path.with_name("vault.db-wal").exists()
        assert first.projects() == ()
    assert handles_of(path) == 0
