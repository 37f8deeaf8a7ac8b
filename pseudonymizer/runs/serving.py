"""What a worker process does: a batch in, its outcomes or an error out, until the other end is gone."""

import gc
import os
import pickle
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, TypeVar

from pseudonymizer.engine.records import LabelledPerson
from pseudonymizer.errors import BatchError
from pseudonymizer.runs.stages import Stage, Worker

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
# Records of a run hold no cycles, so that walks of the collector find next to nothing. With Python's own
# numbers (700, 10, 10) they took a tenth of a run's time.
_ALLOCATIONS_BEFORE_COLLECTING: Final = (50_000, 20, 50)
_SECONDS_BETWEEN: Final = 1.0  # two messages about notes that are done: a line comes every ten


@dataclass(frozen=True, slots=True)
class Work(Generic[_Task, _Outcome]):
    """A message: do this stage of the work on these tasks."""

    stage: Stage[_Task, _Outcome]
    tasks: Sequence[_Task]


@dataclass(frozen=True, slots=True)
class Searched:
    """A message to the main process, which is no answer: so many notes of the batch in hand are done."""

    notes: int


@dataclass(frozen=True, slots=True)
class Follow:
    """A message, which has no answer: follow the names of these people from now on."""

    people: Sequence[LabelledPerson]


def serve(connection: Connection, worker: Worker) -> None:
    """Answer batches until the main process is gone. Call in a process of its own."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides what an interrupt means
        waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        # A thread of its own takes messages in: if both ends only wrote, both would wait for ever.
        threading.Thread(target=_take_in, args=(connection, waiting), daemon=True).start()
    except Exception as error:  # noqa: BLE001  whatever it is, it is no kill, for which a closed pipe would pass
        name = type(error).__name__
        told = BatchError(f"a worker process could not begin ({name}); what is done stays done")
        with suppress(OSError):
            connection.send_bytes(packed((False, told)))
        return
    worker.told = _seldom(connection)
    with rare_collections(), suppress(OSError):  # the main process was killed
        while True:
            answer = _answered(waiting.get(), worker)
            if answer is not None:
                connection.send_bytes(packed(answer))


def _seldom(connection: Connection) -> Callable[[int], None]:
    """What tells the main process of notes that are done, and not more often than once a second."""
    told_at = time.monotonic()

    def told(notes: int) -> None:
        nonlocal told_at
        if (now := time.monotonic()) - told_at >= _SECONDS_BETWEEN:
            told_at = now
            with suppress(OSError):  # the main process was killed: no fault of a file
                connection.send_bytes(pickle.dumps(Searched(notes), protocol=pickle.HIGHEST_PROTOCOL))

    return told


def _answered(message: bytes, worker: Worker) -> tuple[bool, Any] | None:
    """(whether it went well, outcomes or error); None where nothing is to be said."""
    try:
        told: Work[Any, Any] | Follow = pickle.loads(message)  # noqa: S301  from our own main process
        if isinstance(told, Follow):
            worker.follow(told.people)
            return None
        return True, told.stage(worker, told.tasks)
    except Exception as error:  # noqa: BLE001  a fault of the run; it is raised in the main process
        return False, error


def packed(answer: tuple[bool, Any]) -> bytes:
    """An answer as bytes. An error that would not arrive whole goes by the name of its class alone: its text
    may hold a name.
    """
    is_done, value = answer
    try:
        whole = pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
        if not is_done:  # some errors can be packed and not unpacked
            pickle.loads(whole)  # noqa: S301  our own
    except Exception as error:  # noqa: BLE001  whatever an error's own methods raise
        name = type(error if is_done else value).__name__
        told = BatchError(f"a worker process failed with {name}; what is done stays done")
        whole = pickle.dumps((False, told), protocol=pickle.HIGHEST_PROTOCOL)
    return whole


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python's collector of cycles walk seldom while a run goes on, and as before afterwards."""
    before = gc.get_threshold()
    gc.set_threshold(*_ALLOCATIONS_BEFORE_COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _take_in(connection: Connection, waiting: "queue.SimpleQueue[bytes]") -> None:
    with suppress(EOFError, OSError):
        while True:
            waiting.put(connection.recv_bytes())
    os._exit(0)  # nobody waits for what is at work: files would be left where nobody looks for them any more
