"""How worker processes start: from one process that loads the models and is copied, or each afresh.

The process that is copied is started afresh itself, runs one thread and never another: a copy of a process of
several threads may find locks that nobody will open again. Where it has more than one thread after all (a
library may start some), or where the system is not Linux, each worker starts afresh and loads for itself.
Models are then shared by the copies until they are written to, and loaded once however many there are.
"""

import atexit
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import reduction, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Protocol

from pseudonymizer.engine.records import Analyzer
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.serving import serve
from pseudonymizer.runs.stages import Worker

_START: Final = b"start"
_SECONDS_TO_END: Final = 0.5  # for a process that may be loading; workers end with their pipes in any case

Load = Callable[[], Analyzer]
End = Callable[[], None]


class Starter(Protocol):
    """Starts worker processes."""

    def start(self, there: Connection) -> End:
        """A worker at this end of a pipe, which the caller closes then. What is returned ends it at once."""
        ...

    def close(self) -> None:
        """End whatever helped to start them; workers end when their pipes do."""
        ...


def starter(load: Load, options: FormatOptions | None, *, warm: bool) -> Starter:
    """What starts workers here. warm: they shall have their models before the first batch comes."""
    # One thread in each process: several that all want every core only get in each other's way.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if sys.platform == "linux":
        return ForkServer(load, options, warm=warm)
    return Afresh(load, options, warm=warm)


class Afresh:
    """Each worker is a new process that loads for itself."""

    def __init__(self, load: Load, options: FormatOptions | None, *, warm: bool) -> None:
        self._arguments = load, options, warm

    def start(self, there: Connection) -> End:
        process = multiprocessing.get_context("spawn").Process(
            target=_serve_afresh, args=(there, *self._arguments), daemon=True
        )
        with _interrupts_held_back():
            process.start()

        def end() -> None:
            process.kill()
            process.join()

        return end

    def close(self) -> None: ...


class ForkServer:
    """One process that has everything loaded, and the workers that are copies of it."""

    def __init__(self, load: Load, options: FormatOptions | None, *, warm: bool) -> None:
        self._arguments = load, options, warm
        self._count = 0
        self._handles: dict[
            bytes, int
        ] = {}  # what names a copy to the system, by number, whatever its parent
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._orders, there = context.Pipe()
        # Not a daemon: those may not start the processes that take the place of copies.
        self._process: Any = context.Process(target=_keep_starting, args=(there, *self._arguments))
        atexit.register(self.close)  # else the end of this process would wait for that one
        try:
            with _interrupts_held_back(), there:
                self._process.start()
        except BaseException:  # an interrupt that was held back comes here
            self.close()
            raise

    def start(self, there: Connection) -> End:
        try:
            return self._started(there)
        except OSError:  # it was killed: memory may be short. Its copies live, and have work in hand.
            self._leave()
            self._begin()
            return self._started(there)

    def _started(self, there: Connection) -> End:
        self._take_handles()
        self._count += 1
        number, orders = str(self._count).encode(), self._orders
        orders.send_bytes(_START)
        orders.send_bytes(number)
        reduction.send_handle(orders, there.fileno(), self._process.pid)

        def end() -> None:
            with suppress(OSError):  # its parent may be gone
                orders.send_bytes(number)
            self._take_handles()
            self._kill(number)

        return end

    def _take_handles(self) -> None:
        """Take in what came back of copies that were made. It stays good when their parent is killed, and
        never means a later process that got the same number.
        """
        with suppress(EOFError, OSError):
            while self._orders.poll():
                number = self._orders.recv_bytes()
                self._handles[number] = reduction.recv_handle(self._orders)

    def _kill(self, number: bytes) -> None:
        if (handle := self._handles.pop(number, None)) is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            os.close(handle)

    def close(self) -> None:
        self._leave()
        for number in list(self._handles):
            self._kill(number)

    def _leave(self) -> None:
        """End the process that makes copies."""
        atexit.unregister(self.close)
        self._take_handles()
        self._orders.close()
        if self._process.pid is None:  # it never started
            return
        self._process.join(_SECONDS_TO_END)
        self._process.kill()
        self._process.join()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """What is started here inherits it: an interrupt while it imports would end it with a traceback, before
    it can say that interrupts are the main process' affair.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it would let interrupts through again if it started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve_afresh(connection: Connection, load: Load, options: FormatOptions | None, warm: bool) -> None:  # noqa: FBT001  the arguments of a process
    worker = Worker(load, options)
    if warm:
        with suppress(Exception):  # whatever is wrong is said when the first batch comes
            worker.warm_up()
    serve(connection, worker)


def _keep_starting(orders: Connection, load: Load, options: FormatOptions | None, warm: bool) -> None:  # noqa: FBT001  as above
    """The process that is copied: it starts and ends workers by number until the main process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Worker(load, options)
    if warm:
        with suppress(Exception):  # as above
            worker.warm_up()
    gc.collect()
    gc.freeze()  # a walk of the collector would write to every object, and so copy all that is shared
    ends: dict[bytes, End] = {}
    with suppress(EOFError, OSError):  # of the pipe: the main process is gone
        while True:
            order = orders.recv_bytes()
            if order != _START:
                ends.pop(order, _nothing)()
                continue
            number = orders.recv_bytes()
            # A copy that held the end of another's pipe would hide that this one is gone. And where no copy
            # can be made, for want of memory, that worker is lost, as its closed pipe tells; the others live.
            with Connection(reduction.recv_handle(orders)) as connection, suppress(OSError):
                if thread_count() == 1:
                    ends[number] = _fork(orders, number, connection, worker)
                else:
                    ends[number] = Afresh(load, options, warm=warm).start(connection)
    for end in ends.values():
        end()
    os._exit(0)  # taking all that is loaded apart takes as long as half a thousand documents


def _nothing() -> None: ...


def _fork(orders: Connection, number: bytes, connection: Connection, worker: Worker) -> End:
    pid = os.fork()
    if pid == 0:
        try:
            orders.close()
            serve(connection, worker)
        finally:  # nothing of the process that was copied runs on in the copy
            os._exit(0)
    with suppress(
        OSError, AttributeError
    ):  # old systems have no handles; then the pipe that is closed ends a worker
        handle = os.pidfd_open(pid)
        try:
            orders.send_bytes(number)
            reduction.send_handle(orders, handle, os.getppid())
        finally:
            os.close(handle)

    def end() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

    return end


def thread_count() -> int:
    """Threads of this process, those of libraries too."""
    return sum(1 for _ in Path("/proc/self/task").iterdir())
