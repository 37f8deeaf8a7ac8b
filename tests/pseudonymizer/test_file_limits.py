"""What a file may take while it is read: settings, and options that go before them."""

from pathlib import Path

import pytest

from linkage.settings import LinkageSettings
from pseudonymizer.cli.file_bounds import limits
from pseudonymizer.errors import SettingsError
from pseudonymizer.file_limits import FileLimits
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.describing import described
from pseudonymizer.settings import Settings

EVERY = "max_memory = 100\nmax_seconds = 7\nmax_depth = 2\nmax_size = 3\nmax_ratio = 9\n"


def read(folder: Path, text: str) -> Settings:
    (folder / "nymlink.toml").write_text(text)
    return Settings.from_toml(folder / "nymlink.toml")


def test_the_defaults_are_those_of_reading() -> None:
    assert FormatOptions(**FileLimits().bounds) == FormatOptions()


def test_all_bounds_are_settings_and_options_go_before_them(tmp_path: Path) -> None:
    files = read(tmp_path, f"[files]\n{EVERY}").files
    options = FormatOptions(**files.bounds)
    assert (options.max_memory, options.max_seconds, options.max_depth) == (100 << 20, 7.0, 2)
    assert (options.max_bytes, options.max_ratio) == (3 << 20, 9)
    assert limits(files, None, None, None) == files
    assert limits(files, 200, 8, 1) == FileLimits(200, 8, 1, 3, 9)


@pytest.mark.parametrize(
    "line",
    ["max_memory = 1", "max_seconds = 0", "max_depth = 33", "max_size = 0", "max_ratio = 1", "max = 1"],
)
def test_bounds_that_nothing_keeps_to_are_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError, match="line 2"):
        read(tmp_path, f"[files]\n{line}\n")


def test_other_bounds_treat_no_finished_file_again() -> None:
    settings = LinkageSettings()
    usual = described(settings, FormatOptions())["settings"]
    assert described(settings, FormatOptions(**FileLimits(100, 7, 2, 3, 9).bounds))["settings"] == usual
    assert described(settings, FormatOptions(keep_unread=True))["settings"] != usual
