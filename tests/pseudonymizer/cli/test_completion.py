"""Shells complete verbs and options: the scripts that the command prints, asked by bash itself."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

NYMLINK: Final = Path(sys.executable).with_name("nymlink")


def completed(*words: str) -> list[str]:
    """The words that bash offers where the last of the given ones is being written."""
    script = (
        'eval "$(_NYMLINK_COMPLETE=source_bash nymlink)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        "_nymlink_completion nymlink; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(  # noqa: S603  our own command
        ["/bin/bash", "-c", script, "bash", "nymlink", *words],
        env={**os.environ, "PATH": f"{NYMLINK.parent}:{os.environ['PATH']}"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("vault", "ver"), ["verify"]),
        (("restore", "--pur"), ["--purpose"]),
        (("aud",), ["audit"]),
        (("run", "--pro"), ["--project", "--profile"]),
    ],
)
def test_bash_completes_verbs_and_options(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str) -> None:
    done = subprocess.run(  # noqa: S603  our own command
        [str(NYMLINK)],
        env={**os.environ, "_NYMLINK_COMPLETE": f"source_{shell}"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert f"_NYMLINK_COMPLETE=complete_{shell}" in done.stdout
