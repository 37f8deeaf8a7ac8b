"""The blocks of a page of the documentation, run in an empty folder as a reader would run them.

- `sh`: each command. `nymlink` runs in this process, which loads models once; the rest runs in bash.
- `python`: all blocks of a page share their names.
- any block with `title="FILE"`: the file.
- `text` behind an `sh` block: what it prints, labels aside; `...` stands for lines left out.
- `<!-- not run: REASON -->` right above a block leaves it out; a test it names must exist.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.kept.material import Outcome, command_in

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]*) -->\n)?"
    r"```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?(?P<rest>[^\n]*)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_LABEL: Final = re.compile(r"\b[A-Z]{2,20}-[0-9A-Z]{5}\b")
_ASSIGNED: Final = re.compile(r"(\w+)=\$\((.*)\)")


@dataclass(frozen=True)
class Block:
    """One block of code of a page. reason: why it is not run, None where it is."""

    language: str
    title: str | None
    body: str
    reason: str | None


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    return [
        Block(found["language"], found["title"], found["body"], found["reason"])
        for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]


def commands(body: str) -> Iterator[str]:
    """The commands of a block, continued lines joined, without comments."""
    for line in body.replace("\\\n", " ").splitlines():
        command = line.partition("  #")[0].strip()
        if command and not command.startswith("#"):
            yield command


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._nymlink = command_in(folder, monkeypatch)
        for name in ("NYMLINK_VAULT", "NYMLINK_PROJECT", "NYMLINK_KEY_FILE", "NYMLINK_HEAD"):
            monkeypatch.delenv(name, raising=False)
        self._defined: dict[str, Any] = {"__name__": "__page__"}
        self._printed = ""

    def follow(self, page: Path) -> None:
        """Does the whole page. A command that ends with another status than 0 fails the test."""
        for block in blocks(page):
            if block.reason is not None:
                continue
            if block.title is not None:
                Path(block.title).write_text(block.body, encoding="utf-8")
            elif block.language == "sh":
                self._printed = "".join(self._do(command) for command in commands(block.body))
            elif block.language == "python":
                exec(compile(block.body, str(page), "exec"), self._defined)  # noqa: S102  our own page
            elif block.language == "text" and self._printed:
                assert_shown(block.body, self._printed)
            if block.language != "sh":
                self._printed = ""

    def _do(self, command: str) -> str:
        if command.startswith("cd "):
            self._monkeypatch.chdir(command.removeprefix("cd ").strip())
            return ""
        if command.startswith("export "):
            for word in shlex.split(command.removeprefix("export ")):
                name, _, value = word.partition("=")
                self._monkeypatch.setenv(name, value)
            return ""
        assigned = _ASSIGNED.fullmatch(command)
        if assigned is not None:
            self._monkeypatch.setenv(assigned[1], self._do(assigned[2]).strip())
            return ""
        if command.startswith("nymlink "):
            words = shlex.split(os.path.expandvars(command))
            with self._monkeypatch.context() as patch:
                patch.setattr(sys, "argv", sys.argv)
                patch.setattr(sys, "stdout", sys.stdout)
                patch.setattr(sys, "stderr", sys.stderr)
                done: Outcome = self._nymlink(*words[1:])
            assert done.status == 0, f"{command}\n{done.err}"
            return done.out
        run = subprocess.run(  # noqa: S603  our own page
            ["/bin/bash", "-c", command], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        return run.stdout


def assert_shown(shown: str, printed: str) -> None:
    """Fails unless all lines of the page but `...` are among the printed ones, in order, labels aside."""
    left = iter(_LABEL.sub("LABEL", printed).splitlines())
    for line in _LABEL.sub("LABEL", shown).splitlines():
        if line.strip() != "...":
            assert line in left, f"not printed: {line}"
