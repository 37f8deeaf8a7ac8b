"""The command of the old version in one folder, and the runs that it is asked for."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

STORE: Final = ("--vault", "sqlite:///vault/vault.db", "--key-file", "vault/kek.key", "--actor", "keeper")
PURPOSE: Final = ("--purpose", "kept material")
DIE: Final = """
import os, signal
from importlib import import_module
from pseudonymizer.batch import tasks

tasks._BATCH_FILES = 2
module = import_module({module!r})
owner = getattr(module, {owner!r}) if {owner!r} else module
whole, left = getattr(owner, {method!r}), [{nth}]

def mortal(*args, **settings):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(*args, **settings)

setattr(owner, {method!r}, mortal)
"""
COMMAND: Final = "from pseudonymizer.cli import main; main()"


@dataclass(frozen=True, slots=True)
class Run:
    """One run and its command line, which ends as it did when it is given again."""

    project: str
    source: str
    options: tuple[str, ...] = ()
    is_one_way: bool = False
    status: int = 0

    def arguments(self) -> tuple[str, ...]:
        return (
            "run", self.source, "--out", f"out/{self.project}", "--project", self.project,
            "--workers", "1", *STORE, *self.options,
        )  # fmt: skip


EXPORTED: Final = (
    Run("token", "in"),
    Run("tag", "in", ("--style", "tag", "--judgements", "judgements.jsonl")),
    Run("surrogate", "in", ("--settings", "settings/run.toml")),
    Run("life", "in", ("--style", "token")),
)
OTHERS: Final = (
    Run("document", "in", ("--scope", "document", "--column", "Notitie", "--keep-unread", "--no-mark")),
    Run("occurrence", "in", ("--scope", "occurrence", "--style", "tag", "--keep", "domain")),
    Run("given", "in", ("--mentions", "mentions.jsonl", "--deterministic")),
    Run("units", "large", ("--deterministic",)),
    Run("initials", "in", ("--style", "initials"), is_one_way=True),
    Run("failing", "failing", status=4),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a run is killed: when owner.method is called for the nth time."""

    name: str
    module: str
    owner: str
    method: str
    nth: int
    options: tuple[str, ...] = ("--deterministic",)
    source: str = "in"

    @property
    def is_deterministic(self) -> bool:
        return "--deterministic" in self.options


_WORK: Final = ("pseudonymizer.batch.work", "WorkFile")
_OUTPUT: Final = ("pseudonymizer.batch.output", "OutputFolder")
MOMENTS: Final = (
    Moment("planned", *_WORK, "save_detected", 1),
    Moment("detecting", *_WORK, "save_detected", 2),
    Moment("detected", *_WORK, "save_linked", 1),
    Moment("linked", "pseudonymizer.batch.styling", "Styling", "styled", 1),
    Moment("between-the-stores", "pseudonymizer.vault.stores", "Store", "commit", 4),
    Moment("assigned", *_WORK, "save_labels", 1),
    Moment("labelled", "pseudonymizer.vault.vault", "Vault", "store_rewrites", 1),
    Moment("way-back-stored", *_WORK, "save_intended", 1),
    Moment("placing", *_OUTPUT, "take", 4),
    Moment("placed", *_WORK, "save_done", 1),
    Moment("done", "pseudonymizer.batch.run", "", "write_report", 1),
    Moment("units-rendered", *_OUTPUT, "_replace", 2, source="large"),
    Moment("units-together", *_WORK, "save_intended", 1, source="large"),
    Moment("tag-linked", "pseudonymizer.batch.styling", "Styling", "styled", 1, ("--style", "tag")),
    Moment("tag-assigned", *_WORK, "save_labels", 1, ("--style", "tag")),
    Moment("surrogate-labelled", "pseudonymizer.vault.vault", "Vault", "store_rewrites", 1,
           ("--style", "surrogate")),
)  # fmt: skip


class OldProgram:
    """The command of the commit, run in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str, status: int = 0, stdin: str = "", before: str = "") -> str:
        """What it prints. status: what it must end with."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(  # noqa: S603  our own interpreter
            [sys.executable, "-c", before + COMMAND, *arguments],
            cwd=self.folder, env=environment | {"OMP_NUM_THREADS": "1"}, input=stdin, text=True,
            capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode != status:
            sys.exit(f"{arguments}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
        return done.stdout


def new_world(folder: Path) -> OldProgram:
    """A folder with a vault in it."""
    (folder / "vault").mkdir(parents=True, mode=0o700)
    old = OldProgram(folder)
    old("vault", "init", *STORE)
    return old


def killed_arguments(options: Sequence[str], source: str) -> tuple[str, ...]:
    project = "deterministic" if "--deterministic" in options else options[1]
    return "run", source, "--out", "out", "--project", project, "--workers", "1", *STORE, *options
