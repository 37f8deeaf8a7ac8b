"""Files for their owner alone: mode, and whole or not at all."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkage.private_file import write_private


def test_a_readable_file_is_replaced_by_a_private_one(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, ["één\r\n", "lone \udcff surrogate"])
    assert path.read_bytes() == "één\r\nlone \udcff surrogate".encode("utf-8", "surrogatepass")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_cannot_be_finished_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    path.write_text("old")

    def pieces() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_private(path, pieces())
    assert [p.name for p in tmp_path.iterdir()] == ["names.jsonl"]
    assert path.read_text() == "old"


def test_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / f".a.{os.getpid()}.part").write_text("left over")
    write_private(tmp_path / "a", ["new"])
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
