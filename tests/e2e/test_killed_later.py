"""kill -9 in a run over a grown folder that is linked with candidates: run again, it ends as undisturbed."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.pseudonymizer.batch_fakes import make_vault

SCRIPT = """
import os, signal, sys
from functools import partial
from pathlib import Path
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.settings import LinkingSettings
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.keyring import FileKey
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault, known
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, new_batch

known.MOST_LINKED = 0
folder, last = Path(sys.argv[1]), int(sys.argv[2])
calls = 0
commit = Vault.commit

def mortal(self):
    global calls
    calls += 1
    if calls == last:
        os.kill(os.getpid(), signal.SIGKILL)
    commit(self)
    if calls == -last:
        os.kill(os.getpid(), signal.SIGKILL)

Vault.commit = mortal
pipeline = FakePipeline()
pipeline.linker = Linker.load(LinkingSettings(), Gazetteer.load())
open_vault = partial(Vault.open, f"sqlite:///{folder / 'vault.db'}", FileKey(folder / "kek.key"))
new_batch(
    find_sources([folder / "in"]), folder / "out", BatchSettings(PROJECT), load=lambda: pipeline,
    open_vault=open_vault,
).run()
print(calls)
"""
GIVEN = ["Anna", "Bram", "Carla", "Dirk", "Els", "Freek", "Greet", "Hans"]
FAMILY = ["Bakker", "Tolsma", "Jansen", "Visser", "Smit", "Mulder"]
LONGEST = 600  # seconds for a run on a busy machine
_LABEL = re.compile(r"P1-[0-9A-Z]+")


def run(folder: Path, last: int = 0) -> "subprocess.CompletedProcess[str]":
    """A run that is killed at its last commit (below 0: behind it); 0: never."""
    paths = {"PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    command = [sys.executable, "-c", SCRIPT, str(folder), str(last)]
    return subprocess.run(  # noqa: S603  our own interpreter
        command, env=os.environ | paths, capture_output=True, text=True, timeout=LONGEST, check=False
    )


def write(folder: Path, texts: Mapping[str, str]) -> None:
    (folder / "in").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / "in" / name).write_text(text, encoding="utf-8")


def outputs(folder: Path) -> dict[str, str]:
    """The texts of the outputs, with labels as numbers in the order in which they come."""
    numbers: dict[str, str] = {}
    return {
        path.name: _LABEL.sub(
            lambda found: numbers.setdefault(found[0], f"<{len(numbers)}>"), path.read_text(encoding="utf-8")
        )
        for path in sorted((folder / "out").glob("*.txt"))
    }


def corpus() -> tuple[dict[str, str], dict[str, str]]:
    """Documents of an office that come first, and those that come later, about the same people."""
    chosen = random.Random(3)  # noqa: S311  invented names, no secrets
    people = [f"{given} {family}" for given in GIVEN for family in FAMILY]
    texts = {f"{n:02}.txt": " en ".join(chosen.sample(people, 4)) + " kwamen." for n in range(30)}
    first = dict(list(texts.items())[:20])
    return first, {name: text for name, text in texts.items() if name not in first}


@pytest.mark.parametrize(
    "last", [2, pytest.param(-2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_a_run_over_a_grown_folder_that_was_killed_ends_as_an_undisturbed_one(
    tmp_path: Path, last: int
) -> None:
    first, later = corpus()
    ends: list[dict[str, str]] = []
    for name, kill in (("whole", 0), ("killed", last)):
        folder = tmp_path / name
        make_vault(folder)
        write(folder, first)
        assert run(folder).returncode == 0
        before = outputs(folder)
        write(folder, later)
        if kill:
            assert run(folder, kill).returncode == -9
        done = run(folder)
        assert done.returncode == 0, done.stderr
        after = outputs(folder)
        assert {name: after[name] for name in before} == before
        ends.append(after)
    assert len(ends[0]) == 30
    assert ends[0] == ends[1]
    assert not any(family in text for text in ends[1].values() for family in FAMILY)
