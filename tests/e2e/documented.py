"""The blocks of a page of the documentation, run in an empty folder as a reader would run them.

- `sh`: each command. `nymlink` runs in this process, which loads models once; the rest runs in bash.
- `python`: all blocks of a page share their names.
- any block with `title="FILE"`: the file.
- `text` behind an `sh` block: what it prints, labels aside; `...` stands for lines left out.

A comment right above a block says more:

- `<!-- not run: REASON -->` leaves it out; a test it names must exist.
- `<!-- typed: WORDS -->` is what the reader types at the questions of a command, a line each.
- `<!-- ends with: STATUS -->` is the exit status of each command.
- `<!-- goes on behind: WORDS -->` is for a block whose last command runs on. The next block is done when the
  command has printed these words. It is interrupted (Ctrl-C) behind the last block of the page.
"""

import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.kept.material import Outcome, command_in

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(
    r"^(?:<!-- (?P<how>not run|typed|ends with|goes on behind): (?P<more>[^\n]*) -->\n)?"
    r"```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?(?P<rest>[^\n]*)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_LABEL: Final = re.compile(r"\b[A-Z]{2,20}-[0-9A-Z]{5}\b")
_ASSIGNED: Final = re.compile(r"(\w+)=\$\((.*)\)")
_PATIENCE: Final = 120.0  # seconds for a command that runs on to print its words, and to end


@dataclass(frozen=True)
class Block:
    """One block of code of a page.

    reason: why it is not run, None where it is. typed: the lines that the reader types. status: how each
    command ends. ready: what the last command prints, which then runs on.
    """

    language: str
    title: str | None
    body: str
    reason: str | None = None
    typed: str = ""
    status: int = 0
    ready: str | None = None


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    return [_block(found) for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))]


def _block(found: re.Match[str]) -> Block:
    told = {found["how"]: found["more"]}
    typed = "".join(f"{word}\n" for word in (told.get("typed") or "").split())
    return Block(
        found["language"], found["title"], found["body"], told.get("not run"), typed,
        int(told.get("ends with") or 0), told.get("goes on behind"),
    )  # fmt: skip


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
        self.defined: dict[str, Any] = {"__name__": "__page__"}
        self._printed = ""
        self._running: list[subprocess.Popen[str]] = []

    def follow(self, page: Path, *, own: Mapping[str, str] | None = None) -> None:
        """Does the whole page. own: the reader's own words for words of the page, such as an address.

        A command that ends with another status than the page says fails the test.
        """
        try:
            for block in blocks(page):
                self._do_block(block, page, own or {})
        finally:
            for running in self._running:
                _interrupt(running)

    def _do_block(self, block: Block, page: Path, own: Mapping[str, str]) -> None:
        if block.reason is not None:
            return
        body, ready = block.body, block.ready
        for word, mine in own.items():
            body = body.replace(word, mine)
            ready = ready.replace(word, mine) if ready is not None else None
        if block.title is not None:
            Path(block.title).write_text(body, encoding="utf-8")
        elif block.language == "sh":
            lines = list(commands(body))
            last = lines.pop() if ready is not None else None
            self._printed = "".join(self.do(line, typed=block.typed, status=block.status) for line in lines)
            if last is not None and ready is not None:
                self._running.append(_started(last, ready))
        elif block.language == "python":
            exec(compile(body, str(page), "exec"), self.defined)  # noqa: S102  our own page
        elif block.language == "text" and self._printed:
            assert_shown(body, self._printed)
        if block.language != "sh":
            self._printed = ""

    def do(self, command: str, *, typed: str = "", status: int = 0) -> str:
        """What a command prints. typed: what the reader types. status: how the command must end."""
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
            self._monkeypatch.setenv(assigned[1], self.do(assigned[2]).strip())
            return ""
        if command.startswith("nymlink "):
            words = shlex.split(os.path.expandvars(command))
            with self._monkeypatch.context() as patch:
                for stream in ("argv", "stdout", "stderr"):
                    patch.setattr(sys, stream, getattr(sys, stream))
                patch.setattr(sys, "stdin", io.StringIO(typed))
                done: Outcome = self._nymlink(*words[1:])
            assert done.status == status, f"{command}\n{done.err}"
            return done.out
        run = subprocess.run(  # noqa: S603  our own page
            ["/bin/bash", "-c", command], capture_output=True, text=True, check=False, input=typed
        )
        assert run.returncode == status, f"{command}\n{run.stderr}"
        return run.stdout


def _started(command: str, ready: str) -> subprocess.Popen[str]:
    """The process of a `nymlink` command that has printed these words and runs on."""
    words = shlex.split(os.path.expandvars(command))
    assert words[0] == "nymlink"
    program = [sys.executable, "-c", "from pseudonymizer.cli import main; main()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    log = Path("running.log").resolve()
    with log.open("w", encoding="utf-8") as output:
        running = subprocess.Popen(  # noqa: S603  our own page
            [*program, *words[1:]],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, text=True, env=environment,
        )  # fmt: skip
    end = time.monotonic() + _PATIENCE
    while ready not in log.read_text(encoding="utf-8"):
        assert running.poll() is None, f"{command}\n{log.read_text(encoding='utf-8')}"
        if time.monotonic() > end:
            _interrupt(running)
            raise AssertionError(f"not printed: {ready}")
        time.sleep(0.1)
    return running


def _interrupt(running: subprocess.Popen[str]) -> None:
    running.send_signal(signal.SIGINT)
    try:
        running.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        raise


def assert_shown(shown: str, printed: str) -> None:
    """Fails unless all lines of the page but `...` are among the printed ones, in order, labels aside."""
    left = iter(_LABEL.sub("LABEL", printed).splitlines())
    for line in _LABEL.sub("LABEL", shown).splitlines():
        if line.strip() != "...":
            assert line in left, f"not printed: {line}"
