"""A work file is for one run at a time, whatever else its process does."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import WorkFileError
from pseudonymizer.work_files.store import WorkStore

SEALER: Final = Sealer(bytes(32), key_id=0)
_ANOTHER_RUN: Final = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=0.1) as connection:
    connection.execute("insert into meta values ('x', x'00')")
"""


def another_run_writes(path: Path) -> bool:
    """Whether another process gets at the file."""
    ended = subprocess.run(  # noqa: S603  our own script
        [sys.executable, "-c", _ANOTHER_RUN, os.fspath(path)], check=False, stderr=subprocess.PIPE
    )
    assert ended.returncode == 0 or b"locked" in ended.stderr
    return ended.returncode == 0


def test_a_second_run_of_one_process_leaves_the_lock_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with closing(WorkStore.open(path, SEALER)):
        assert not another_run_writes(path)
        with pytest.raises(WorkFileError):
            WorkStore.open(path, SEALER)
        assert not another_run_writes(path)
    assert another_run_writes(path)


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with closing(WorkStore.open(path, SEALER)):
        assert path.stat().st_mode & 0o777 == 0o600
