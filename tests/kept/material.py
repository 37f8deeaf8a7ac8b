"""The kept material unpacked, the command run on it, and digests of everything that is stored."""

import hashlib
import io
import json
import shutil
import sqlite3
import sys
import tarfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from pseudonymizer.cli import main

HERE: Final = Path(__file__).parent
STORE: Final = ("--vault", "sqlite:///vault/vault.db", "--key-file", "vault/kek.key", "--actor", "keeper")
PURPOSE: Final = ("--purpose", "test of kept material")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


Command = Callable[..., Outcome]
Rows = Mapping[str, tuple[int, str]]  # by table: how many rows, and a digest of them


def members(archive: str) -> list[str]:
    with tarfile.open(HERE / f"{archive}.tar.xz") as packed:
        return packed.getnames()


def read_json(archive: str, name: str) -> Any:
    """A JSON file inside an archive."""
    with tarfile.open(HERE / f"{archive}.tar.xz") as packed:
        file = packed.extractfile(name)
        assert file is not None
        return json.load(file)


def unpack(archive: str, folder: Path) -> Path:
    """All files with their modes and times of change."""
    with tarfile.open(HERE / f"{archive}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    return folder


def copied(world: Path, folder: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(world, folder, dirs_exist_ok=True))


def command_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `nymlink` in a folder, with the shipped models."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NYMLINK_KEY_FILE", raising=False)

    def command(*arguments: str) -> Outcome:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)
        err = io.StringIO()
        monkeypatch.setattr(sys, "argv", ["nymlink", *arguments])
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
        held = out.buffer
        assert isinstance(held, io.BytesIO)
        code = left.value.code
        return Outcome(code if isinstance(code, int) else 1, held.getvalue().decode(), err.getvalue())

    return command


def rows_of(store: Path) -> Rows:
    """What a SQLite file holds, whatever the order of its rows."""
    with sqlite3.connect(store) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_schema where type='table'")]
        found = {}
        for table in sorted(tables):
            rows = sorted(map(repr, connection.execute(f'select * from "{table}"')))  # noqa: S608  our tables
            found[table] = len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()
    connection.close()
    return found


def stored_in(folder: Path, out: Path) -> Mapping[str, Rows]:
    """What both stores and the work file of an output folder hold."""
    files = (folder / "vault" / "vault.db", folder / "vault" / "vault.keys.db", out / ".nymlink" / "work.db")
    return {file.name: rows_of(file) for file in files}


def assert_a_work_key_alone_is_new(before: Mapping[str, Rows], after: Mapping[str, Rows]) -> None:
    """Nothing was stored, but a key of its own for the work file, whose rows are sealed anew under it."""
    assert after["vault.db"] == before["vault.db"]
    for table, rows in before["vault.keys.db"].items():
        assert table == "alembic_version" or after["vault.keys.db"][table] == rows
    assert after["vault.keys.db"]["work_key"][0] == 1
    counts = {name: count for name, (count, _) in after["work.db"].items() if name in before["work.db"]}
    assert counts == {name: count for name, (count, _) in before["work.db"].items()}


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in sorted(folder.rglob("*"))
        if place.is_file() and ".nymlink" not in place.relative_to(folder).parts
    }


def readable(files: Mapping[str, bytes], litter: Iterable[str] = (".DS_Store",)) -> dict[str, bytes]:
    """Those that a run treats."""
    return {name: raw for name, raw in files.items() if name not in litter}
