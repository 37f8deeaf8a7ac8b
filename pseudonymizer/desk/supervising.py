"""The life of the engine: it forks the processes that work, starts the front, and ends all of them together.

One process has no threads and holds the models; those that it forks share its memory. When the front ends, or
this process gets a signal or is killed, all end. A worker that dies is forked again, unless too many do.
"""

import contextlib
import gc
import logging
import os
import signal
import socket
import stat
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from pseudonymizer.desk.engine import Engine
from pseudonymizer.errors import EngineError

log = logging.getLogger(__name__)

_WAITING_CALLS: Final = 128  # in the socket
_LONGEST_PATH: Final = 100  # bytes of a socket's path; the kernel takes 107
_LONGEST_PARENT: Final = 70  # bytes; the folder's and the socket's own names come behind it
_SHORT_PARENT: Final = Path("/tmp")  # noqa: S108  only a parent: the folder in it is new and private
_MOST_DEATHS: Final = 5  # of workers in a minute, before all ends
_END_SECONDS: Final = 5.0  # that a child may take to end
_JOB_NICENESS: Final = 10  # above that of the others, 0 to 19
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@dataclass(slots=True)
class Ended:
    """How the engine ended. by_signal: somebody asked for it."""

    by_signal: bool = False
    reason: str = ""


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for sockets that only this user may enter; it is removed at the end.

    It lies in XDG_RUNTIME_DIR, else in the folder for temporary files. Where that path is too long for a
    socket, it lies in /tmp.
    """
    place = os.environ.get("XDG_RUNTIME_DIR")
    parent = Path(place) if place and Path(place).is_dir() else Path(tempfile.gettempdir())
    if len(os.fsencode(parent)) > _LONGEST_PARENT and _SHORT_PARENT.is_dir():
        parent = _SHORT_PARENT
    with tempfile.TemporaryDirectory(prefix="nymlink-", dir=parent) as folder:
        yield Path(folder)


def check_place(place: Path) -> None:
    """Nothing, where the engine's socket may be made. Its folder is made, for this user alone.

    Raises:
        EngineError: the path is too long; the folder is open to others, or cannot be made; or something else
            lies at the place.
    """
    if len(os.fsencode(place)) > _LONGEST_PATH:
        raise EngineError(
            f"the path of the engine's socket is longer than {_LONGEST_PATH} bytes; take a shorter one"
        )
    try:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        found = place.parent.stat()
    except OSError as error:
        raise EngineError(
            "the folder of the engine's socket cannot be made "
            f"({os.strerror(error.errno or 0)}); take another place"
        ) from None
    if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o027:
        raise EngineError(
            "the folder of the engine's socket must belong to this user, with mode 0700 or 0750"
        )
    if place.exists() and not place.is_socket():
        raise EngineError(
            "a file that is no socket lies at the place of the engine's socket; take another place"
        )


def listening(place: Path) -> socket.socket:
    """A socket at a place that check_place allows.

    Raises:
        EngineError: it cannot be made.
    """
    check_place(place)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        place.unlink(missing_ok=True)
        before = os.umask(0o117)
        try:
            listener.bind(os.fspath(place))
        finally:
            os.umask(before)
        listener.listen(_WAITING_CALLS)
    except OSError as error:
        listener.close()
        raise EngineError(
            f"the engine's socket cannot be made ({os.strerror(error.errno or 0)}); take another place"
        ) from None
    return listener


@dataclass(slots=True)
class Supervisor:
    """Forks workers over a listening socket, and starts the front.

    engine: makes the engine of a worker, in the worker. does_jobs: one further process does those of
    workspaces. start_front: starts the front and gives its process
    id; it gets a file that can be read when this process has ended. None: the front runs elsewhere.
    """

    engine: Callable[[], Engine]
    workers: int
    start_front: Callable[[int], int] | None = None
    does_jobs: bool = False
    _job_process: int = 0
    _children: set[int] = field(default_factory=set)
    _deaths: deque[float] = field(default_factory=deque)
    _asked_to_end: bool = False

    def run(self, load: Callable[[], None], listen: Callable[[], socket.socket]) -> Ended:
        """How it ended, once everything has ended. load: loads the models. listen: makes the socket, once
        they are loaded: a caller who gets through finds an engine that is ready.

        Raises:
            EngineError, LinkageError: the models cannot be loaded, or the socket cannot be made; the front
                has ended by then.
        """
        life, held = os.pipe()  # held is closed when this process ends, however that comes
        os.set_inheritable(held, False)  # noqa: FBT003  positional in the standard library
        signal.signal(signal.SIGTERM, self._ask_to_end)
        signal.signal(signal.SIGINT, self._ask_to_end)
        front = None
        try:
            if self.start_front is not None:
                front = self.start_front(life)
                self._children.add(front)
            load()
            if self._asked_to_end:
                return Ended(by_signal=True)
            gc.collect()
            gc.freeze()
            with listen() as listener:
                for _ in range(self.workers):
                    self._fork(lambda engine: engine.serve(listener, life), held)
                if self.does_jobs:
                    self._fork_for_jobs(life, held)
                return self._watch(front, listener, life, held)
        except _EndNowError:
            return Ended(by_signal=True)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.close(held)  # each child ends when its call is answered
            os.close(life)
            self._end_children()

    def _watch(self, front: int | None, listener: socket.socket, life: int, held: int) -> Ended:
        while True:
            if self._asked_to_end:
                return Ended(by_signal=True)
            try:
                child, _ = os.waitpid(-1, 0)
            except InterruptedError:
                continue
            except ChildProcessError:
                return Ended(reason="no process is left")
            self._children.discard(child)
            if self._asked_to_end:
                return Ended(by_signal=True)
            if child == front:
                return Ended(reason="the front has ended")
            log.error("a process of the engine has ended; another takes its place")
            now = time.monotonic()
            self._deaths.append(now)
            while self._deaths and self._deaths[0] < now - 60:
                self._deaths.popleft()
            if len(self._deaths) > _MOST_DEATHS:
                return Ended(reason="processes of the engine end again and again")
            if child == self._job_process:
                self._fork_for_jobs(life, held)
            else:
                self._fork(lambda engine: engine.serve(listener, life), held)

    def _fork_for_jobs(self, life: int, held: int) -> None:
        def do_jobs(engine: Engine) -> None:
            os.nice(_JOB_NICENESS)  # texts, for which somebody waits, go before
            engine.job_runner().serve(life)

        self._job_process = self._fork(do_jobs, held)

    def _fork(self, work: Callable[[Engine], None], held: int) -> int:
        """The process that does this work with an engine of its own."""
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # no handler of the parent's runs in the child
        child = os.fork()
        if child:
            self._children.add(child)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            return child
        status = 1
        try:
            os.close(held)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal; the parent says when to end
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            work(self.engine())
            status = 0
        except BaseException as error:  # noqa: BLE001  a trace may hold names
            log.error("a process of the engine failed: %s", type(error).__name__)  # noqa: TRY400
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _ask_to_end(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._asked_to_end = True
        raise _EndNowError

    def _end_children(self) -> None:
        ends_at = time.monotonic() + _END_SECONDS
        while self._children and time.monotonic() < ends_at:
            for child in list(self._children):
                if _has_ended(child):
                    self._children.discard(child)
            time.sleep(0.02)
        for child in self._children:
            _send(child, signal.SIGKILL)


class _EndNowError(Exception):
    """A signal came: whatever waits stops waiting."""


def _send(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def _has_ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG)[0] == process
    except ChildProcessError:
        return True


def spawned(arguments: Sequence[str], life: int, given: bytes) -> int:
    """The process id of a Python process with these arguments, which reads `given` from standard input.

    It is a fresh process: nothing of the memory of this one, and so no key, is in it. life: a file that it
    inherits.
    """
    import subprocess

    process = subprocess.Popen(  # noqa: S603  our own interpreter
        [sys.executable, *arguments], stdin=subprocess.PIPE, pass_fds=(life,), start_new_session=False
    )
    assert process.stdin is not None  # noqa: S101  for the type checker: it was asked for
    process.stdin.write(given)
    process.stdin.close()
    process.returncode = 0  # this process waits for it itself
    return process.pid


def become(arguments: Sequence[str], given: bytes) -> int:
    """The exit status of a Python process with these arguments, which reads `given` from standard input.

    On Linux this process becomes that one and nothing comes back: what it has in memory goes, and signals
    need no passing on. `given` lies in memory alone.
    """
    if sys.platform == "linux":
        _become(arguments, given)
    return run_and_pass_on(arguments, given)


def _become(arguments: Sequence[str], given: bytes) -> NoReturn:
    held = os.memfd_create("settings")
    with open(held, "wb", closefd=False) as file:
        file.write(given)
    os.lseek(held, 0, os.SEEK_SET)
    os.dup2(held, 0)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606  our own interpreter


def run_and_pass_on(arguments: Sequence[str], given: bytes) -> int:
    """The exit status of a Python process with these arguments, which reads `given` from standard input.

    SIGTERM and SIGINT to this process end that one, too; the status is 0 then.
    """
    import subprocess

    asked: list[int] = []
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        del frame
        asked.append(number)
        for process in started:
            process.terminate()

    before = {number: signal.signal(number, pass_on) for number in _SIGNALS}
    try:
        process = subprocess.Popen([sys.executable, *arguments], stdin=subprocess.PIPE)  # noqa: S603  our own interpreter
        started.append(process)
        if asked:  # a signal came before there was a process to pass it on to
            process.terminate()
        process.communicate(given)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0 if asked and process.returncode == -signal.SIGTERM else process.returncode
