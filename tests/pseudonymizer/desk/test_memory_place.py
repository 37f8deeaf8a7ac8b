"""Where runs work: in memory, or not at all unless somebody says so; for this user alone."""

from pathlib import Path

import pytest

from pseudonymizer.desk.memory_place import (
    empty,
    is_in_memory,
    mounts,
    private_work_folder,
    work_place,
)
from pseudonymizer.errors import UnsealedWorkError


def test_the_nearest_mount_decides(tmp_path: Path) -> None:
    inner = tmp_path / "in"
    inner.mkdir()
    told = [("/", "ext4"), (str(tmp_path), "tmpfs")]
    assert is_in_memory(inner, told)
    assert not is_in_memory(inner, [*told, (str(inner), "ext4")])
    assert not is_in_memory(inner, [("/", "tmpfs"), ("/", "ext4")])
    assert not is_in_memory(inner, [])
    (tmp_path / "link").symlink_to("/")
    assert not is_in_memory(tmp_path / "link", told)


def test_a_disk_is_refused_unless_it_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsealedWorkError, match="--unsealed-work"):
        work_place(tmp_path, unsealed=False, told=lambda: [("/", "ext4")])
    assert work_place(tmp_path, unsealed=True, told=lambda: [("/", "ext4")]) == tmp_path
    assert work_place(tmp_path, unsealed=False, told=lambda: [("/", "tmpfs")]) == tmp_path
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    told = [("/", "ext4"), (str(tmp_path), "tmpfs")]
    assert work_place(None, unsealed=False, told=lambda: told) == tmp_path
    with pytest.raises(UnsealedWorkError):
        work_place(tmp_path / "none", unsealed=True)


def test_mounts_of_this_system_are_read() -> None:
    if Path("/proc/self/mounts").exists():
        assert any(point == "/" for point, _ in mounts())


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    made = private_work_folder(tmp_path, "desk")
    assert made == private_work_folder(tmp_path, "desk")
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o755)
    with pytest.raises(UnsealedWorkError):
        private_work_folder(tmp_path, "desk")
    target = tmp_path / "elsewhere"
    target.mkdir(mode=0o700)
    (tmp_path / made.name.replace("desk", "other")).symlink_to(target)
    with pytest.raises(UnsealedWorkError):
        private_work_folder(tmp_path, "other")


def test_what_is_left_is_deleted(tmp_path: Path) -> None:
    for name in ("j_1", "j_2"):
        (tmp_path / name / "in").mkdir(parents=True)
    empty(tmp_path, keep=["j_2"])
    assert [path.name for path in tmp_path.iterdir()] == ["j_2"]
    empty(tmp_path / "none")
