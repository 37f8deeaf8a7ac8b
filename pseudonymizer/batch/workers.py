"""Tasks over processes: started afresh (never forked after threads), models loaded once in each."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from types import TracebackType
from typing import Final, Self, TypeVar

from pseudonymizer.batch.stages import Worker
from pseudonymizer.batch.tasks import Analyzer, LabelledPerson, LinkingPart, Pipeline, TaskRunner
from pseudonymizer.formats import FormatOptions

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
_IN_FLIGHT: Final = (
    2  # batches waiting or at work for each process: enough to keep it busy, and memory bounded
)

_worker: Worker | None = None  # of this process, when it is a worker


def _start(
    load: Callable[[], Analyzer], options: FormatOptions | None, people: Sequence[LabelledPerson]
) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides what an interrupt means
    _worker = Worker(load, options, people)


def _work(method: str, tasks: Sequence[object]) -> list[object]:
    if _worker is None:
        raise RuntimeError("this process is no worker")
    return list(getattr(_worker, method)(tasks))


class Workers:
    """Runs a method of Worker over batches of tasks, in this process or in `count` others."""

    def __init__(
        self,
        load: Callable[[], Analyzer],
        count: int,
        options: FormatOptions | None = None,
        people: Sequence[LabelledPerson] = (),
    ) -> None:
        self._load = load
        self._count = count
        self._options = options
        self._here = Worker(load, options, people)
        self._people = people
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)
            self._pool = None

    def run(
        self,
        method: str,
        batches: Iterable[Sequence[_Task]],
        lost: Callable[[_Task], _Outcome],
        *,
        in_order: bool = False,
    ) -> Iterator[list[_Outcome]]:
        """The outcomes of each batch, as they are done, or in the order of the batches.

        A task whose process dies is tried again alone; when that one dies too, lost(task) is its outcome.
        """
        if self._count <= 1:
            for batch in batches:
                yield getattr(self._here, method)(batch)
            return
        coming = iter(batches)
        waiting: deque[tuple[Future[list[_Outcome]], Sequence[_Task]]] = deque()
        again: list[Sequence[_Task]] = []
        while True:
            for batch in islice(coming, _IN_FLIGHT * self._count - len(waiting)):
                waiting.append((self._submit(method, batch), batch))
            if not waiting:
                break
            if not in_order:
                done, _ = wait([future for future, _ in waiting], return_when=FIRST_COMPLETED)
                waiting = deque(sorted(waiting, key=lambda pair: pair[0] not in done))
            future, batch = waiting.popleft()
            try:
                outcomes = future.result()
            except BrokenProcessPool:
                self._restart()
                lost_batches = [batch, *(other for _, other in waiting)]
                waiting.clear()
                if in_order:
                    for other in lost_batches:
                        yield [self._alone(method, task, lost) for task in other]
                else:
                    again += lost_batches
                continue
            yield outcomes
        for batch in again:
            yield [self._alone(method, task, lost) for task in batch]

    def _alone(self, method: str, task: _Task, lost: Callable[[_Task], _Outcome]) -> _Outcome:
        try:
            return self._submit(method, [task]).result()[0]
        except BrokenProcessPool:
            self._restart()
            return lost(task)

    def _submit(self, method: str, batch: Sequence[_Task]) -> "Future[list[_Outcome]]":
        if self._pool is None:
            # One thread in each process: several that all want every core only get in each other's way.
            os.environ.setdefault("OMP_NUM_THREADS", "1")
            self._pool = ProcessPoolExecutor(
                self._count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start,
                initargs=(self._load, self._options, self._people),
            )
        return self._pool.submit(_work, method, batch)  # type: ignore[arg-type]

    def _restart(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


class LocalEngine:
    """The processes of this machine."""

    def __init__(
        self, load: Callable[[], Pipeline], workers: int, options: FormatOptions | None = None
    ) -> None:
        self._load = load
        self._workers = workers
        self._options = options

    def runner(self, people: Sequence[LabelledPerson]) -> TaskRunner:
        return Workers(self._load, self._workers, self._options, people)

    def linker(self) -> LinkingPart:
        return self._load().linker
