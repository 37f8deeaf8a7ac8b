"""Progress on standard error: it comes by time, also while one batch of work is not done."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.progress import Progress as RichProgress

from linkage.errors import ModelNotFoundError
from linkage.records import Document, Mention
from pseudonymizer.cli import display
from pseudonymizer.cli.display import LINE_EVERY, Bars, Lines, Stage
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault, new_batch

_PATIENCE = 120.0  # seconds until a line that does not come fails a test, however busy the machine is


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> "queue.Queue[str]":
    """The lines that progress says, as they come."""
    lines: queue.Queue[str] = queue.Queue()

    def say(text: str = "", *, err: bool = False) -> None:
        assert err
        lines.put(text)

    monkeypatch.setattr(display, "say", say)
    return lines


def line_with(lines: "queue.Queue[str]", what: str) -> str:
    """The first line from now on that has these words."""
    while True:
        line = lines.get(timeout=_PATIENCE)
        if what in line:
            return line


def test_a_line_comes_every_ten_seconds() -> None:
    assert LINE_EVERY == 10.0
    assert Lines()._every == LINE_EVERY


def test_a_line_comes_by_time_and_not_by_units(said: "queue.Queue[str]") -> None:
    lines = Lines(every=0.01)
    lines.begin("detect", 20_000, "notes")
    try:
        assert line_with(said, "detect").startswith("detect: 20,000 notes at work, ")
        lines.inside(400)
        assert line_with(said, "400").startswith("detect: 400 of 20,000 notes, ")
        lines.inside(700)
        assert line_with(said, "700").startswith("detect: 700 of 20,000 notes, ")
    finally:
        lines.end()


def test_after_the_end_nothing_is_said_and_no_thread_is_left(said: "queue.Queue[str]") -> None:
    before = threading.active_count()
    lines = Lines(every=0.01)
    lines.begin("detect", 3)
    line_with(said, "detect")
    lines.end()
    lines.end()
    while not said.empty():
        said.get()
    assert threading.active_count() == before
    lines.advance(1)
    lines.inside(1)
    assert said.empty()


def test_stages_that_follow_each_other_do_not_put_the_line_off(said: "queue.Queue[str]") -> None:
    lines = Lines(every=0.05)
    try:
        for number in range(200_000):  # each is shorter than the time between two lines
            lines.begin("detect" if number % 2 else "link", 5)
            if not said.empty():
                return
        line_with(said, ": 5 files at work")
    finally:
        lines.end()


def test_what_a_stage_says_never_gets_less_and_never_more_than_all() -> None:
    seconds: Iterator[float] = iter([float(number) for number in range(100)])
    stage = Stage("detect", 100, "notes", lambda: next(seconds))
    stage.inside(60)
    assert stage.line() == "detect: 60 of 100 notes, 30.0 a second"
    stage.inside(0)  # its batch is done, and is noted a moment later
    assert stage.done == 60
    stage.advance(60)
    stage.inside(70)
    assert stage.done == 100


@dataclass
class Slow(FakePipeline):
    """Waits after the third text of a batch until a line said so."""

    lines: "queue.Queue[str]"
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        found = super().detect_kinds(documents)
        assert searched is not None
        for number in range(len(documents)):
            searched(1)
            if number == 2:
                self.seen.append(line_with(self.lines, "detect: 3 of 40 notes"))
        return found


def test_a_line_comes_while_one_file_is_at_work_with_the_notes_in_it(
    tmp_path: Path, said: "queue.Queue[str]"
) -> None:
    notes = tmp_path / "in" / "Jan Tolsma.jsonl"
    notes.parent.mkdir()
    notes.write_text("".join(f'{{"text": "Jan Tolsma schreef {n}."}}\n' for n in range(40)))
    slow = Slow(said)
    shown = Lines(every=0.02)
    report = new_batch(
        find_sources([notes.parent]), tmp_path / "out", BatchSettings(PROJECT),
        open_vault=make_vault(tmp_path / "vault"), load=lambda: slow, progress=shown,
    ).run()  # fmt: skip
    assert report.documents["ok"] == 1
    (line,) = slow.seen
    assert line.startswith("detect: 3 of 40 notes, ")
    lines = [line, *(said.get() for _ in range(said.qsize()))]
    assert not any("Tolsma" in one or "jsonl" in one or "/" in one for one in lines)
    assert shown._clock is None


def test_a_run_that_fails_says_nothing_more(tmp_path: Path, said: "queue.Queue[str]") -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jan Tolsma")

    def fail() -> FakePipeline:
        raise ModelNotFoundError("no model")

    shown = Lines(every=0.02)
    batch = new_batch(
        find_sources([tmp_path / "in"]), tmp_path / "out", BatchSettings(PROJECT),
        open_vault=make_vault(tmp_path / "vault"), load=fail, progress=shown,
    )  # fmt: skip
    with pytest.raises(ModelNotFoundError):
        batch.run()
    assert shown._clock is None
    while not said.empty():
        said.get()


def test_a_bar_is_shown_by_time_and_not_by_units(monkeypatch: pytest.MonkeyPatch) -> None:
    is_shown = threading.Event()
    monkeypatch.setattr(RichProgress, "start", lambda _: is_shown.set())
    with Bars(shown_after=0.01) as bars:
        bars.begin("detect", 3)
        assert is_shown.wait(_PATIENCE)
        is_shown.clear()
    with Bars(shown_after=_PATIENCE) as bars:
        bars.begin("detect", 3)
        bars.advance(3)
    assert not is_shown.is_set()
