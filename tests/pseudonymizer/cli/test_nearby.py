"""Where settings lie that nobody gave: in the working folder or above it, and never another user's trap."""

import os
from pathlib import Path

import pytest

from pseudonymizer.cli.nearby import NAME, nearest_settings, shown_name
from pseudonymizer.errors import SettingsError


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder; the working folder is study/2026 in it."""
    folder = tmp_path / "home"
    (folder / "study" / "2026").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder / "study" / "2026")
    return folder


def put(folder: Path) -> Path:
    place = folder / NAME
    place.write_text("", encoding="utf-8")
    return place


def test_the_nearest_file_is_taken(home: Path) -> None:
    assert nearest_settings() is None
    expected = [(put(home), "../../nymlink.toml"), (put(home / "study"), "../nymlink.toml")]
    expected.append((put(home / "study" / "2026"), "nymlink.toml"))
    assert nearest_settings() == expected[-1][0]
    assert [shown_name(place) for place, _ in expected] == [shown for _, shown in expected]
    expected[-1][0].unlink()
    assert nearest_settings() == expected[1][0]


def test_above_the_home_folder_nothing_is_looked_for(home: Path) -> None:
    put(home.parent)
    assert nearest_settings() is None


def test_a_folder_of_that_name_is_no_settings_file(home: Path) -> None:
    (home / "study" / "2026" / NAME).mkdir()
    above = put(home)
    assert nearest_settings() == above


def test_a_file_that_anybody_could_have_put_there_is_refused_unless_it_is_ours(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = put(home / "study")
    place.parent.chmod(0o777)
    assert nearest_settings() == place
    monkeypatch.setattr(os, "getuid", lambda: os.stat(place).st_uid + 1)  # noqa: PTH116
    if place.stat().st_uid == 0:
        assert nearest_settings() == place  # the system's own
        os.chown(place, 12_345, -1)
    with pytest.raises(SettingsError, match=r"\.\./nymlink\.toml is another user's") as error:
        nearest_settings()
    assert "study" not in str(error.value)
    place.parent.chmod(0o755)
    assert nearest_settings() == place


def test_a_working_folder_that_is_gone_has_no_settings(home: Path) -> None:
    put(home)
    (home / "study" / "2026").rmdir()
    assert nearest_settings() is None


def test_a_user_without_a_home_looks_up_to_the_root(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = put(home.parent)

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nowhere)
    assert nearest_settings() == place
