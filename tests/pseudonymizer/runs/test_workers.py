"""Processes of a run: whatever goes wrong in one is told to the main process, without text of documents."""

import os
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from linkage.errors import ModelDamagedError
from linkage.records import DocumentId
from pseudonymizer.engine.records import Analyzer, AnalyzeTask, SourceFailure
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.errors import BatchError
from pseudonymizer.runs.serving import packed
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.workers import Workers
from pseudonymizer.runs.writing import lost


class NotPackedError(ModelDamagedError):
    """Holds what pickle refuses."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.hook = lambda: text


class NotUnpackedError(ModelDamagedError):
    """pickle makes it anew with one argument, and it wants two."""

    def __init__(self, text: str, place: int) -> None:
        super().__init__(f"{text} {place}")


def load_refused() -> Analyzer:
    raise NotPackedError("Jan Tolsma")


@pytest.mark.parametrize("error", [NotPackedError("Jan Tolsma"), NotUnpackedError("Jan Tolsma", 3)])
def test_an_error_that_cannot_travel_arrives_by_its_name(error: Exception) -> None:
    is_done, told = pickle.loads(packed((False, error)))  # noqa: S301  packed above
    assert not is_done
    assert isinstance(told, BatchError)
    assert type(error).__name__ in str(told)
    assert "Tolsma" not in str(told)


def test_an_error_that_can_travel_arrives_as_it_is() -> None:
    is_done, told = pickle.loads(packed((False, ModelDamagedError("ner.pt is cut off"))))  # noqa: S301  as above
    assert (is_done, type(told), str(told)) == (False, ModelDamagedError, "ner.pt is cut off")


def test_an_outcome_that_cannot_travel_is_an_error_of_the_run() -> None:
    is_done, told = pickle.loads(packed((True, [lambda: 1])))  # noqa: S301  as above
    assert not is_done
    assert isinstance(told, BatchError)


def test_it_ends_the_run_and_is_no_lost_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Jan Tolsma belde.")
    tasks = [AnalyzeTask(DocumentId("a"), tmp_path / "a.txt")]

    def lost_file(task: AnalyzeTask) -> SourceFailure:
        return lost(task)

    with (
        Workers(load_refused, 2) as workers,
        pytest.raises(BatchError, match="NotPackedError"),
    ):
        list(workers.run(Worker.analyze, [tasks], lost_file))


def pid_of(_worker: Worker, tasks: Sequence[int]) -> list[int]:
    """The process in which a batch is done."""
    return [os.getpid() for _ in tasks]


def no_outcome(_task: int) -> int:
    return 0


@pytest.mark.parametrize(("size", "is_here"), [(2_000, True), (600_000, False)])
def test_no_more_processes_start_than_what_is_left_is_worth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, *, is_here: bool
) -> None:
    """A run that has one small file left loads no models in other processes."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    left = SourceFile(tmp_path / "a.txt", "a.txt", size, 0)
    with Workers(never_loaded, 2) as workers:
        workers.expect([left])
        assert [pid == os.getpid() for [pid] in workers.run(pid_of, [[1]], no_outcome)] == [is_here]


def test_processes_that_run_stay() -> None:
    begun: list[bool] = []
    with Workers(load_refused, 2, begun=lambda: begun.append(True)) as workers:
        workers.start()
        workers.expect([])
        assert begun == [True]
        ((pid,),) = workers.run(pid_of, [[1]], no_outcome)
    assert pid != os.getpid()


def never_loaded() -> Analyzer:
    raise AssertionError("nothing is searched here")
