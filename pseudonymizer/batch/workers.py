"""Tasks over processes: started afresh (never forked after threads), models loaded once in each.

Each process has a pipe of its own, so that what is lost with one is only what it had in hand, and all of them
can be told something. They stay for the whole run: the second pass loads nothing again.
"""

import multiprocessing
import os
import pickle
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from pseudonymizer.batch.stages import Worker
from pseudonymizer.batch.tasks import Analyzer, LabelledPerson, LinkingPart, Pipeline, TaskRunner
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
_IN_FLIGHT: Final = 2  # batches waiting or at work for each process: enough to keep it busy
_HELD: Final = 4  # batches for each process whose outcomes are not handed out yet: memory stays bounded
_FOLLOW: Final = "follow"  # the one method that has no outcome

Load = Callable[[], Analyzer]


def _serve(connection: Connection, load: Load, options: FormatOptions | None, *, warm: bool) -> None:
    """What a process does: a batch in, its outcomes or an error out, until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides what an interrupt means
    worker = Worker(load, options)
    waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    # A thread of its own takes messages in: if both ends only wrote, both would wait for ever.
    threading.Thread(target=_take_in, args=(connection, waiting), daemon=True).start()
    if warm:
        with suppress(Exception):  # whatever is wrong is said when the first batch comes
            worker.warm_up()
    while (message := waiting.get()) is not None:
        method, tasks = pickle.loads(message)  # noqa: S301  from our own main process
        if method == _FOLLOW:
            worker.follow(tasks)
            continue
        try:
            answer: tuple[bool, Any] = (True, getattr(worker, method)(tasks))
        except Exception as error:  # noqa: BLE001  a fault of the run; it is raised in the main process
            answer = (False, error)
        try:
            connection.send_bytes(_packed(answer))
        except OSError:  # the main process was killed
            return


def _packed(answer: tuple[bool, Any]) -> bytes:
    """An answer as bytes. An error that would not arrive whole goes by the name of its class alone: its text
    may hold a name.
    """
    is_done, value = answer
    try:
        packed = pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
        if not is_done:  # some errors can be packed and not unpacked
            pickle.loads(packed)  # noqa: S301  our own
    except Exception as error:  # noqa: BLE001  whatever an error's own methods raise
        name = type(error if is_done else value).__name__
        told = BatchError(f"a worker process failed with {name}; what is done stays done")
        packed = pickle.dumps((False, told), protocol=pickle.HIGHEST_PROTOCOL)
    return packed


def _take_in(connection: Connection, waiting: "queue.SimpleQueue[bytes | None]") -> None:
    try:
        while True:
            waiting.put(connection.recv_bytes())
    except (EOFError, OSError):
        waiting.put(None)


@dataclass(slots=True, eq=False)
class _Process:
    """A process, this end of its pipe, and the numbers of the batches it has in hand, oldest first."""

    process: Any
    connection: Connection
    in_hand: deque[int] = field(default_factory=deque)

    def send(self, message: bytes) -> None:
        # A process that is gone is noticed where its answer is waited for.
        with suppress(OSError):
            self.connection.send_bytes(message)

    def end(self) -> None:
        """A worker holds nothing that would be missed."""
        self.connection.close()
        self.process.kill()
        self.process.join()


class _LostProcessError(Exception):
    """A process died with a batch in hand."""


class Workers:
    """Runs a method of Worker over batches of tasks, in this process or in `count` others."""

    def __init__(self, load: Load, count: int, options: FormatOptions | None = None) -> None:
        self._load = load
        self._count = count
        self._options = options
        self._here = Worker(load, options)
        self._people: Sequence[LabelledPerson] = ()
        self._processes: list[_Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.end()
        self._processes.clear()

    def start(self) -> None:
        """Let other processes load their models already, while this one has something else to do."""
        if self._count > 1 and not self._processes:
            self._processes = [self._new(warm=True) for _ in range(self._count)]

    def follow(self, people: Sequence[LabelledPerson]) -> None:
        """From now on rewriting follows the names of these people into addresses and paths."""
        self._people = people
        self._here.follow(people)
        message = _message(_FOLLOW, people)
        for process in self._processes:
            process.send(message)

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
        if not self._processes:
            self._processes = [self._new(warm=False) for _ in range(self._count)]
        coming = enumerate(batches)
        unfinished: dict[int, Sequence[_Task]] = {}  # handed to a process
        done: dict[int, list[_Outcome]] = {}  # not handed out yet
        next_number = 0
        while True:
            while len(unfinished) + len(done) < _HELD * self._count:
                idlest = min(self._processes, key=lambda process: len(process.in_hand))
                if len(idlest.in_hand) >= _IN_FLIGHT or (taken := next(coming, None)) is None:
                    break
                number, batch = taken
                unfinished[number] = batch
                idlest.in_hand.append(number)
                idlest.send(_message(method, batch))
            if not unfinished and not done:
                return
            if unfinished and not done:
                for number, outcomes in self._finished(method, unfinished, lost):
                    del unfinished[number]
                    done[number] = outcomes
            for number in sorted(done):
                if in_order and number != next_number:
                    break
                next_number += 1
                yield done.pop(number)
            if done:  # something before it is still at work
                for number, outcomes in self._finished(method, unfinished, lost):
                    del unfinished[number]
                    done[number] = outcomes

    def _finished(
        self, method: str, batches: dict[int, Sequence[_Task]], lost: Callable[[_Task], _Outcome]
    ) -> list[tuple[int, list[_Outcome]]]:
        """Batches that have come back by now; waits for one."""
        busy = {process.connection: process for process in self._processes if process.in_hand}
        found: list[tuple[int, list[_Outcome]]] = []
        for connection in wait(list(busy)):
            process = busy[connection]  # type: ignore[index]
            try:
                outcomes = _answer(process)
                found.append((process.in_hand.popleft(), outcomes))
            except _LostProcessError:
                number, *others = process.in_hand
                fresh = self._replace(process)
                for other in others:  # they only waited behind the one that was at work
                    fresh.in_hand.append(other)
                    fresh.send(_message(method, batches[other]))
                found.append((number, [self._alone(method, task, lost) for task in batches[number]]))
        return found

    def _alone(self, method: str, task: _Task, lost: Callable[[_Task], _Outcome]) -> _Outcome:
        process = self._new(warm=False)
        try:
            process.send(_message(method, [task]))
            outcomes: list[_Outcome] = _answer(process)
            return outcomes[0]
        except _LostProcessError:
            return lost(task)
        finally:
            process.end()

    def _new(self, *, warm: bool) -> _Process:
        # One thread in each process: several that all want every core only get in each other's way.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(
            target=_serve, args=(there, self._load, self._options), kwargs={"warm": warm}, daemon=True
        )
        process.start()
        there.close()
        started = _Process(process, here)
        if self._people:
            started.send(_message(_FOLLOW, self._people))
        return started

    def _replace(self, process: _Process) -> _Process:
        process.end()
        fresh = self._new(warm=False)
        self._processes[self._processes.index(process)] = fresh
        return fresh


def _message(method: str, tasks: Sequence[Any]) -> bytes:
    return pickle.dumps((method, tasks), protocol=pickle.HIGHEST_PROTOCOL)


def _answer(process: _Process) -> list[Any]:
    try:
        is_done, value = pickle.loads(process.connection.recv_bytes())  # noqa: S301  from our own process
    except (EOFError, OSError):
        raise _LostProcessError from None
    if not is_done:
        raise value
    return list(value)


class LocalEngine:
    """The processes of this machine."""

    def __init__(
        self, load: Callable[[], Pipeline], workers: int, options: FormatOptions | None = None
    ) -> None:
        self._load = load
        self._workers = workers
        self._options = options
        self._loading: threading.Thread | None = None

    def runner(self) -> TaskRunner:
        if self._workers > 1 and self._loading is None:
            # Others detect, and this process has time to load what links.
            self._loading = threading.Thread(target=self._load_linker, daemon=True)
            self._loading.start()
        return Workers(self._load, self._workers, self._options)

    def linker(self) -> LinkingPart:
        if self._loading is not None:
            self._loading.join()
        return self._load().linker

    def _load_linker(self) -> None:
        with suppress(Exception):  # said by linker(), when it is needed
            _ = self._load().linker
