"""The first pass: what is searched in several processes is told while it is at work."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from linkage.records import Document, Mention
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs import serving
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault, new_batch

_PATIENCE = 120.0  # seconds until word that does not come fails a test, however busy the machine is


_NOTES = 30  # texts of the file whose notes are told


@dataclass
class Waiting(FakePipeline):
    """Tells of each text, and after the last waits for a file that the main process makes."""

    heard: Path
    is_over: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        super().__init__()

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        found = super().detect_kinds(documents)
        if searched is None or len(documents) < _NOTES:
            return found
        for _ in documents:
            searched(1)
        until = time.monotonic() + _PATIENCE
        while not self.heard.exists():
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(serving._SECONDS_BETWEEN / 20)
            searched(0)
        return found


def load_waiting(heard: Path) -> Waiting:
    return Waiting(heard)


@dataclass
class Told:
    """A Progress that notes what it gets."""

    heard: Path
    stages: list[tuple[str, int, str]] = field(default_factory=list)
    counts: list[tuple[str, int]] = field(default_factory=list)

    def begin(self, name: str, total: int, counted: str = "files") -> None:
        self.stages.append((name, total, counted))

    def advance(self, count: int) -> None:
        self.counts.append(("done", count))

    def inside(self, count: int) -> None:
        self.counts.append(("inside", count))
        if count >= _NOTES:
            self.heard.touch()

    def end(self) -> None:
        self.stages.append(("", 0, ""))


@pytest.mark.parametrize("workers", [1, 2])
def test_notes_inside_a_file_are_told_before_it_is_done(tmp_path: Path, workers: int) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text("".join(f'{{"text": "Jan Tolsma {n}"}}\n' for n in range(_NOTES)))
    (folder / "b.txt").write_text("Els Wiersma")
    told = Told(tmp_path / "heard")
    report = new_batch(
        find_sources([folder]), tmp_path / "out", BatchSettings(PROJECT, workers=workers),
        open_vault=make_vault(tmp_path / "vault"), load=partial(load_waiting, told.heard), progress=told,
    ).run()  # fmt: skip
    assert report.documents["ok"] == 2
    inside = max(count for kind, count in told.counts if kind == "inside")
    assert inside in (_NOTES, _NOTES + 1)
    assert told.counts.index(("inside", inside)) < next(
        number for number, (kind, _) in enumerate(told.counts) if kind == "done"
    )
    assert [name for name, _, _ in told.stages] == ["plan", "detect", "link", "rewrite", "report", ""]
    assert ("detect", 31, "files and notes") in told.stages
    assert ("link", 31, "files and notes") in told.stages
    assert sum(count for kind, count in told.counts if kind == "done") == 3 * 31
