"""The quickstart runs the sample, its last words work, and what pip says is seen only where it fails."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.kept.material import command_in

ROOT: Final = Path(__file__).resolve().parents[2]


def made_checkout(folder: Path, pip: str, nymlink: str = "exit 0") -> Path:
    """A checkout whose Python, pip and nymlink are scripts that only say something."""
    shutil.copytree(ROOT / "scripts", folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    shutil.copy(ROOT / "pyproject.toml", folder)
    place = folder / ".venv" / "bin"
    place.mkdir(parents=True)
    for name, text in (("python", f'case "$*" in *"-m pip"*) {pip};; esac'), ("nymlink", nymlink)):
        (place / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (place / name).chmod(0o700)
    return folder


def quickstart(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  our own script
        [str(checkout / "scripts" / "quickstart")],
        capture_output=True, text=True, check=False, env={**os.environ, "NYMLINK_PYTHON": ""},
    )  # fmt: skip


def test_what_pip_warns_of_is_not_seen(tmp_path: Path) -> None:
    done = quickstart(made_checkout(tmp_path, "echo 'WARNING: noise'; echo 'WARNING: noise' >&2; exit 0"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "noise" not in done.stdout
    assert "Three things to try" in done.stdout


def test_why_pip_failed_is_seen(tmp_path: Path) -> None:
    done = quickstart(made_checkout(tmp_path, "echo 'WARNING: noise' >&2; echo 'ERROR: no disk' >&2; exit 1"))
    assert done.returncode == 1
    assert "ERROR: no disk" in done.stderr
    assert "noise" not in done.stderr
    assert "could not be installed" in done.stderr


def test_the_commands_at_its_end_are_verbs_with_their_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = quickstart(made_checkout(tmp_path / "checkout", "exit 0")).stdout
    commands = re.findall(r"(?:^ +|\| )nymlink (.*)$", told, re.MULTILINE)
    assert [shlex.split(command)[0] for command in commands] == ["lookup", "restore", "run"]
    nymlink = command_in(tmp_path, monkeypatch)
    for command in commands:
        words = shlex.split(command)
        help_page = nymlink(words[0], "--help").out
        assert [word for word in words if word.startswith("--") and word not in help_page] == []
