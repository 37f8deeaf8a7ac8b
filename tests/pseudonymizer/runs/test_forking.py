"""How workers start: copies of one loaded process that runs one thread, or afresh where there are more."""

import errno
import gc
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from linkage.records import Document, DocumentId, Mention
from pseudonymizer.engine.records import AnalyzeTask, SourceFailure, SourceFound
from pseudonymizer.errors import BatchError
from pseudonymizer.runs import forking
from pseudonymizer.runs.forking import Afresh, ForkServer
from pseudonymizer.runs.serving import serve
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.workers import Workers
from pseudonymizer.runs.writing import lost
from tests.pseudonymizer.batch_fakes import FakePipeline, load_fake

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")
ROOT: Final = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _interrupts_are_heard() -> Iterator[None]:
    """A shell starts what runs in its background with interrupts ignored, and the children take that over."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


_HELD_UP: Final = """
import sys
from functools import partial
from pathlib import Path
from linkage.records import DocumentId
from pseudonymizer.engine.records import AnalyzeTask
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.workers import Workers
from pseudonymizer.runs.writing import lost
from tests.pseudonymizer.runs.test_forking import load_noting

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    tasks = [[AnalyzeTask(DocumentId(name), folder / f"{name}.txt")] for name in "ab"]
    with Workers(partial(load_noting, folder / "notes"), 2) as workers:
        list(workers.run(Worker.analyze, tasks, lost))
"""


_NOTING_THE_START: Final = """
import os
import sys
from multiprocessing import get_context

start = get_context("spawn").Process.start

def noting(process):
    with open(f"{sys.argv[1]}/notes", "a") as file:
        file.write(f"begins {os.getpid()}\\n")
    start(process)

if __name__ == "__main__":
    get_context("spawn").Process.start = noting
"""


class NotingPipeline(FakePipeline):
    """Notes which process loads and which detect; a text with the word SLAAPT takes a minute, and one with
    REKENT takes longer, and lets no other thread of the process do anything.
    """

    def __init__(self, notes: Path) -> None:
        super().__init__()
        self._notes = notes
        self.note("loaded")

    def note(self, what: str) -> None:
        with self._notes.open("a") as file:
            file.write(f"{what} {os.getpid()}\n")

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        if any(document.doc_id != "none" for document in documents):
            self.note("detected")
        if any("SLAAPT" in document.text for document in documents):
            time.sleep(60)
        if any("REKENT" in document.text for document in documents):
            re.match("(a|a)*b", "a" * 60)
        return super().detect_kinds(documents, searched=searched)


def load_noting(notes: Path) -> NotingPipeline:
    return NotingPipeline(notes)


def load_slowly(notes: Path) -> NotingPipeline:
    with notes.open("a") as file:
        file.write(f"loads {os.getpid()}\n")
    time.sleep(3)
    return NotingPipeline(notes)


def load_with_a_thread(notes: Path) -> NotingPipeline:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return NotingPipeline(notes)


def noted(notes: Path, what: str) -> list[int]:
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [int(line.split()[1]) for line in lines if line.startswith(what)]


def tasks_of(folder: Path, *texts: str) -> list[list[AnalyzeTask]]:
    """A batch a text."""
    batches = []
    for number, text in enumerate(texts):
        place = folder / f"{number}.txt"
        place.write_text(text)
        batches.append([AnalyzeTask(DocumentId(str(number)), place)])
    return batches


def counts(outcomes: list[list[SourceFound | SourceFailure]]) -> dict[str, int | str]:
    """Mentions, or the error, of each file."""
    return {
        one.doc_id: one.error if isinstance(one, SourceFailure) else len(one.parts[0].mentions)
        for batch in outcomes
        for one in batch
    }


def test_one_process_loads_and_the_workers_are_copies_of_it(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    batches = tasks_of(tmp_path, *["Jan Tolsma belde Els Wiersma."] * 12)
    with Workers(partial(load_noting, notes), 2) as workers:
        found = counts(list(workers.run(Worker.analyze, batches, lost)))
    assert found == {str(number): 2 for number in range(12)}
    assert len(noted(notes, "loaded")) == 1
    assert not set(noted(notes, "loaded")) & set(noted(notes, "detected"))
    assert os.getpid() not in noted(notes, "loaded")


def test_a_process_of_several_threads_is_not_copied(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    batches = tasks_of(tmp_path, *["Jan Tolsma belde."] * 6)
    with Workers(partial(load_with_a_thread, notes), 2) as workers:
        assert counts(list(workers.run(Worker.analyze, batches, lost))) == {
            str(number): 1 for number in range(6)
        }
    assert set(noted(notes, "detected")) <= set(noted(notes, "loaded"))


def test_each_loads_for_itself_where_nothing_can_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pseudonymizer.runs.workers.starter", Afresh)
    notes = tmp_path / "notes"
    batches = tasks_of(tmp_path, "Jan Tolsma belde.", "DOODT", "Els Wiersma belde.")
    with Workers(partial(load_noting, notes), 2) as workers:
        found = counts(list(workers.run(Worker.analyze, batches, lost)))
    assert found == {"0": 1, "1": "WorkerLostError", "2": 1}
    assert set(noted(notes, "detected")) <= set(noted(notes, "loaded"))


def test_rewriting_alone_loads_nothing(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with Workers(partial(load_noting, notes), 2) as workers:
        # As in a run that goes on with rewriting.
        assert list(workers.run(Worker.analyze_rows, [], lost)) == []
        assert list(workers.run(Worker.render, [[]], lost)) == [[]]
    assert not notes.exists()


def test_when_the_copied_process_is_killed_another_takes_its_place(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    before = tasks_of(tmp_path, *["Jan Tolsma belde."] * 4)
    with Workers(partial(load_noting, notes), 2) as workers:
        list(workers.run(Worker.analyze, before, lost))
        os.kill(noted(notes, "loaded")[0], signal.SIGKILL)
        after = tasks_of(tmp_path, "Jan Tolsma belde.", "DOODT", "Els Wiersma belde.", "Ada Douma ook.")
        found = counts(list(workers.run(Worker.analyze, after, lost)))
    assert found == {"0": 1, "1": "WorkerLostError", "2": 1, "3": 1}
    assert len(noted(notes, "loaded")) == 2


def test_workers_end_with_the_main_process(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("SLAAPT")
    script = tmp_path / "held_up.py"
    script.write_text(_HELD_UP)
    notes = tmp_path / "notes"
    main = subprocess.Popen(  # noqa: S603  our own script
        [sys.executable, str(script), str(tmp_path)], env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    try:
        assert within(60, lambda: len(noted(notes, "detected")) == 2)
    finally:
        main.kill()
        main.wait()
    pids = [*noted(notes, "loaded"), *noted(notes, "detected")]
    assert len(set(pids)) == 3
    assert within(20, lambda: not any(is_running(pid) for pid in pids))


@pytest.mark.parametrize("text", ["SLAAPT", "REKENT"])
def test_no_busy_worker_outlives_a_run_whose_copied_process_was_killed(tmp_path: Path, text: str) -> None:
    notes = tmp_path / "notes"
    with Workers(partial(load_noting, notes), 2) as workers:
        running = workers.run(Worker.analyze, tasks_of(tmp_path, "Jan Tolsma belde.", text, text), lost)
        assert len(next(running)) == 1
        assert within(60, lambda: len(noted(notes, "detected")) == 3)
        os.kill(noted(notes, "loaded")[0], signal.SIGKILL)
    assert within(5, lambda: not any(is_running(pid) for pid in noted(notes, "detected")))


def test_when_the_copied_process_is_killed_its_copies_finish_what_they_have_in_hand(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    batches = tasks_of(tmp_path, "Jan Tolsma belde.", "DOODT", *["Els Wiersma belde."] * 6)
    with Workers(partial(load_noting, notes), 2) as workers:
        running: Iterator[list[SourceFound | SourceFailure]] = workers.run(Worker.analyze, batches, lost)
        found = [next(running)]
        os.kill(noted(notes, "loaded")[0], signal.SIGKILL)
        found += list(running)
    assert counts(found) == {str(n): 1 for n in range(8)} | {"1": "WorkerLostError"}


def test_an_error_before_the_first_batch_is_told_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    here, there = multiprocessing.Pipe()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        before = signal.getsignal(signal.SIGINT)
        try:
            serve(there, Worker(load_fake))
        finally:
            signal.signal(signal.SIGINT, before)
    is_done, error = pickle.loads(here.recv_bytes())  # noqa: S301  our own
    assert (is_done, type(error)) == (False, BatchError)
    assert "could not begin (RuntimeError)" in str(error)


def test_people_that_cannot_be_followed_end_the_run_by_their_error(tmp_path: Path) -> None:
    with Workers(partial(load_noting, tmp_path / "notes"), 2) as workers:
        list(workers.run(Worker.render, [[]], lost))
        workers._processes[0].send(b"no message")
        with pytest.raises(pickle.UnpicklingError):
            list(workers.run(Worker.render, [[]] * 20, lost))


def is_running(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("moment", "seconds"),
    [("begins", 0.0), ("begins", 0.05), ("begins", 0.2), ("begins", 0.5), ("loads", 0.0), ("loads", 0.2)],
)
def test_an_interrupt_while_workers_start_is_told_of_once(
    tmp_path: Path, moment: str, seconds: float
) -> None:
    """Before the copied process says that interrupts are not its affair, and while it loads, which takes
    three seconds here: the run cannot be over before.
    """
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("Jan Tolsma kwam", encoding="utf-8")
    script, notes = tmp_path / "held_up.py", tmp_path / "notes"
    script.write_text(_NOTING_THE_START + _HELD_UP.replace("load_noting", "load_slowly"), encoding="utf-8")
    with subprocess.Popen(  # noqa: S603
        [sys.executable, str(script), str(tmp_path)],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert within(60, lambda: bool(noted(notes, moment)))
        time.sleep(seconds)
        assert not noted(notes, "loaded")
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert said.count(b"Traceback") == 1  # that of the script itself, which does not catch it
    assert b"KeyboardInterrupt" in said
    assert b"spawn_main" not in said
    assert within(20, lambda: not any(is_running(pid) for pid in noted(notes, "loads")))


def test_an_interrupt_held_back_while_the_copied_process_starts_ends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[int] = []
    start = multiprocessing.get_context("spawn").Process.start

    def interrupted(process: multiprocessing.Process) -> None:
        start(process)
        started.append(process.pid or 0)
        # To this thread: another one, which holds nothing back, may hear late of one sent to the process.
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    monkeypatch.setattr(multiprocessing.get_context("spawn").Process, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ForkServer(partial(load_noting, tmp_path / "notes"), None, warm=False)
    (pid,) = started
    assert not Path(f"/proc/{pid}").exists()


def test_a_copy_that_cannot_be_made_ends_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> NoReturn:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    first, second = multiprocessing.Pipe(), multiprocessing.Pipe()
    orders, there = multiprocessing.Pipe()
    ended: list[int] = []
    monkeypatch.setattr(os, "fork", full)
    monkeypatch.setattr(os, "_exit", ended.append)

    def handles(_: object, left: list[Any] = [first[1], second[1]]) -> int:  # noqa: B006  one list for all calls
        return os.dup(left.pop(0).fileno())

    monkeypatch.setattr("multiprocessing.reduction.recv_handle", handles)
    for number in (b"1", b"2"):
        orders.send_bytes(b"start")
        orders.send_bytes(number)
    orders.send_bytes(b"1")  # ending what never began
    orders.close()
    before = signal.getsignal(signal.SIGINT)
    try:
        forking._keep_starting(there, load_fake, None, False)
    finally:
        signal.signal(signal.SIGINT, before)
        gc.unfreeze()
    assert ended == [0]
