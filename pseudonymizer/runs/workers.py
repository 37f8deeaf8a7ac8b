"""Tasks over processes, and what comes back from them.

Each process has a pipe of its own, so that what is lost with one is only what it had in hand, and all of them
can be told something. They stay for the whole run: the second pass loads nothing again.
"""

import multiprocessing
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from linkage.records import DocumentId, Mention, MentionId, NormalizedMention, PersonName, Span
from pseudonymizer.engine.records import LabelledPerson, LinkingPart, Pipeline
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.forking import End, Load, Starter, starter
from pseudonymizer.runs.serving import Follow, Searched, Work
from pseudonymizer.runs.stages import Stage, Worker
from pseudonymizer.runs.tasks import TaskRunner

_ANYBODY: Final = tuple(
    NormalizedMention(
        Mention(MentionId(f"{number}"), DocumentId(f"{number}"), Span(0, len(given)), given),
        PersonName(given=given, family="Jansen"),
    )
    for number, given in enumerate(("Jan", "Johannes"))
)
_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
_IN_FLIGHT: Final = 2  # batches waiting or at work for each process: enough to keep it busy
# Bytes of input: below that, loading the models once more costs more than a further process brings.
_BYTES_WORTH_A_WORKER: Final = 300_000
_HELD: Final = 4  # batches for each process whose outcomes are not handed out yet: memory stays bounded


def worker_count(wanted: int | None, files: Sequence[SourceFile]) -> int:
    """How many processes: as many as wanted, else as many as there are cores and the work is worth."""
    if wanted is not None:
        return wanted
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    worth = 1 + sum(file.size for file in files) // _BYTES_WORTH_A_WORKER
    return max(1, min(cores, worth))


@dataclass(slots=True, eq=False)
class _Process:
    """This end of a process's pipe, what ends it, and the batches it has in hand by number, oldest first."""

    connection: Connection
    kill: End
    in_hand: deque[int] = field(default_factory=deque)
    searched: int = 0  # notes that are done in the batch that it is at work on

    def send(self, message: bytes) -> None:
        # A process that is gone is noticed where its answer is waited for.
        with suppress(OSError):
            self.connection.send_bytes(message)

    def end(self) -> None:
        """A worker holds nothing that would be missed."""
        self.connection.close()
        self.kill()


class _LostProcessError(Exception):
    """A process died with a batch in hand."""


class Workers:
    """Runs a stage of the work over batches of tasks, in this process or in `count` others."""

    def __init__(
        self,
        load: Load,
        count: int,
        options: FormatOptions | None = None,
        *,
        inside: Callable[[int], None] | None = None,
        begun: Callable[[], None] | None = None,
    ) -> None:
        """inside: is told again and again how many notes are done in the batches that are at work. begun: is
        called as other processes start that search.
        """
        self._load = load
        self._count = count
        self._options = options
        self._inside = inside
        self._begun = begun
        self._here = Worker(load, options)
        self._here.told = inside
        self._people: Sequence[LabelledPerson] = ()
        self._processes: list[_Process] = []
        self._starter: Starter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.end()
        self._processes.clear()
        if self._starter is not None:
            self._starter.close()
            self._starter = None

    def start(self) -> None:
        """Let other processes load their models already, while this one has something else to do."""
        if self._count > 1:
            self._begin(warm=True)

    def expect(self, files: Sequence[SourceFile]) -> None:
        """Unless processes run already, no more of them start than these files are worth."""
        if not self._processes:
            self._count = min(self._count, worker_count(None, files))

    def _begin(self, *, warm: bool) -> None:
        if not self._processes:
            self._starter = starter(self._load, self._options, warm=warm)
            self._processes = [self._new() for _ in range(self._count)]
            if warm and self._begun is not None:
                self._begun()

    def follow(self, people: Sequence[LabelledPerson]) -> None:
        """From now on rewriting follows the names of these people into addresses and paths."""
        self._people = people
        self._here.follow(people)
        message = _packed(Follow(people))
        for process in self._processes:
            process.send(message)

    def run(
        self,
        stage: Stage[_Task, _Outcome],
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
                outcomes = stage(self._here, batch)
                self._tell(0)
                yield outcomes
            return
        batches = iter(batches)
        if (first := next(batches, None)) is None:
            return  # a run that goes on with rewriting needs no models
        self._begin(warm=stage is not Worker.render)
        coming = enumerate(chain((first,), batches))
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
                idlest.send(_packed(Work(stage, batch)))
            if not unfinished and not done:
                return
            if unfinished and not done:
                for number, outcomes in self._finished(stage, unfinished, lost):
                    del unfinished[number]
                    done[number] = outcomes
            for number in sorted(done):
                if in_order and number != next_number:
                    break
                next_number += 1
                yield done.pop(number)
            if done:  # something before it is still at work
                for number, outcomes in self._finished(stage, unfinished, lost):
                    del unfinished[number]
                    done[number] = outcomes

    def _finished(
        self,
        stage: Stage[_Task, _Outcome],
        batches: dict[int, Sequence[_Task]],
        lost: Callable[[_Task], _Outcome],
    ) -> list[tuple[int, list[_Outcome]]]:
        """Batches that have come back by now; waits for one, or for word of how far one is."""
        busy = {process.connection: process for process in self._processes if process.in_hand}
        found: list[tuple[int, list[_Outcome]]] = []
        for connection in wait(list(busy)):
            process = busy[connection]  # type: ignore[index]
            try:
                outcomes = _answer(process)
                if isinstance(outcomes, Searched):
                    process.searched = outcomes.notes
                    continue
                process.searched = 0
                found.append((process.in_hand.popleft(), outcomes))
            except _LostProcessError:
                number, *others = process.in_hand
                fresh = self._replace(process)
                for other in others:  # they only waited behind the one that was at work
                    fresh.in_hand.append(other)
                    fresh.send(_packed(Work(stage, batches[other])))
                found.append((number, [self._alone(stage, task, lost) for task in batches[number]]))
        self._tell(sum(process.searched for process in self._processes))
        return found

    def _tell(self, notes: int) -> None:
        if self._inside is not None:
            self._inside(notes)

    def _alone(
        self, stage: Stage[_Task, _Outcome], task: _Task, lost: Callable[[_Task], _Outcome]
    ) -> _Outcome:
        process = self._new()
        try:
            process.send(_packed(Work(stage, [task])))
            while isinstance(outcomes := _answer(process), Searched):
                pass
            alone: list[_Outcome] = outcomes
            return alone[0]
        except _LostProcessError:
            return lost(task)
        finally:
            process.end()

    def _new(self) -> _Process:
        assert self._starter is not None  # noqa: S101  set where the first processes are made
        here, there = multiprocessing.Pipe()
        try:
            started = _Process(here, self._starter.start(there))
        finally:
            there.close()
        if self._people:
            started.send(_packed(Follow(self._people)))
        return started

    def _replace(self, process: _Process) -> _Process:
        process.end()
        fresh = self._new()
        self._processes[self._processes.index(process)] = fresh
        return fresh


def _packed(message: Work[Any, Any] | Follow) -> bytes:
    return pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)


def _answer(process: _Process) -> list[Any] | Searched:
    try:
        answer = pickle.loads(process.connection.recv_bytes())  # noqa: S301  from our own process
    except (EOFError, OSError):
        raise _LostProcessError from None
    if isinstance(answer, Searched):
        return answer
    is_done, value = answer
    if not is_done:
        raise value
    return list(value)


class LocalEngine:
    """The processes of this machine."""

    def __init__(self, load: Callable[[], Pipeline], workers: int) -> None:
        self._load = load
        self._workers = workers
        self._loading: threading.Thread | None = None

    def runner(self, formats: FormatOptions, *, inside: Callable[[int], None] | None = None) -> TaskRunner:
        return Workers(self._load, self._workers, formats, inside=inside, begun=self._begin_loading)

    def linker(self) -> LinkingPart:
        if self._loading is not None:
            self._loading.join()
        return self._load().linker

    def _begin_loading(self) -> None:
        """Others detect, and this process has time to load what links."""
        if self._loading is None:
            self._loading = threading.Thread(target=self._load_linker, daemon=True)
            self._loading.start()

    def _load_linker(self) -> None:
        with suppress(Exception):  # said by linker(), when it is needed
            # Lists and models are read when they are first asked for.
            self._load().linker.link(_ANYBODY)
