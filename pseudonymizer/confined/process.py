"""One process that reads files, from the side of who asks."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import spawn
from pathlib import Path
from typing import BinaryIO, Final

from linkage.errors import InvalidRecordError
from pseudonymizer.confined.limits import OUT_OF_MEMORY
from pseudonymizer.confined.messages import ANSWERS, REQUESTS, Answer, Request, put, take
from pseudonymizer.formats import FormatOptions

# The folders of modules come on standard input: arguments of processes can be read by everybody.
_BEGIN: Final = (
    "import json,sys;sys.path[:]=json.loads(sys.stdin.buffer.readline());"
    "from pseudonymizer.confined.child import serve;serve()"
)
# What the process gets of the environment. Keys may stand in any other variable.
_ENVIRONMENT: Final = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "OMP_NUM_THREADS", "PATH",
    "PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPYCACHEPREFIX", "PYTHONWARNINGS", "SYSTEMROOT", "TEMP",
    "TMP", "TMPDIR", "USERPROFILE",
)  # fmt: skip
_HAS_TIMER: Final = hasattr(signal, "setitimer")


class LostProcessError(Exception):
    """The process ended with a request in hand. signal: the number of the signal that ended it, or 0."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"signal {signal_number}")
        self.signal = signal_number


class OutOfMemoryError(LostProcessError):
    """The process ended because a request, or its answer, did not fit into its memory."""


class OutOfTimeError(LostProcessError):
    """The process was ended because its time was over."""


class ReadingProcess:
    """A process that reads files, once it is asked. It ends with this object, and with this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # held by who asks
        self._owner = os.getpid()
        self._is_gone = False
        self._is_late = False
        self._options: FormatOptions | None = None
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter
            [spawn.get_executable(), "-c", _BEGIN],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )  # fmt: skip
        self._finalizer = weakref.finalize(self, _end, self._process, os.getpid())
        self._requests, self._answers = _pipes(self._process)
        folders = [str(Path(path).absolute()) for path in sys.path]
        with suppress(OSError):  # told by the first answer that does not come
            self._requests.write(json.dumps(folders).encode() + b"\n")

    @property
    def is_ours(self) -> bool:
        """Whether it can be asked: it has not ended, and this process is the one that started it."""
        return not self._is_gone and self._owner == os.getpid()

    def ask(self, request: Request, raw: bytes = b"") -> tuple[Answer, bytes]:
        """The answer to a request, and the bytes behind it. The caller holds the lock.

        Raises:
            LostProcessError: the process ended before it answered; it is gone for good.
        """
        try:
            with self._ended_in_time(request.limits.seconds):
                put(self._requests, REQUESTS.encode(request), raw)
                head, behind = take(self._answers)
            answer = ANSWERS.decode(head)
        except (OSError, EOFError, InvalidRecordError):
            raise self._lost() from None
        if answer.retires:
            self.close()
        return answer, behind

    def packed(self, options: FormatOptions) -> bytes:
        """Options for the next request, which must be sent; empty where the last request had the same."""
        if options == self._options:
            return b""
        self._options = options
        return pickle.dumps(options, protocol=pickle.HIGHEST_PROTOCOL)

    def close(self) -> None:
        """End it; what it has in hand is lost."""
        self._is_gone = True
        self._finalizer()

    @contextmanager
    def _ended_in_time(self, seconds: float) -> Iterator[None]:
        """Where the process cannot end itself when its time is over, it is ended from here."""
        if _HAS_TIMER:
            yield
            return
        timer = threading.Timer(seconds, self._end_late)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end_late(self) -> None:
        self._is_late = True
        self._process.kill()

    def _lost(self) -> LostProcessError:
        self._is_gone = True
        with suppress(subprocess.TimeoutExpired):  # it closed its pipe and lives on
            self._process.wait(timeout=5)
        code = self._process.returncode or 0
        self._finalizer()
        if code == OUT_OF_MEMORY:
            return OutOfMemoryError(0)
        if self._is_late or (_HAS_TIMER and -code == signal.SIGALRM):
            return OutOfTimeError(max(-code, 0))
        return LostProcessError(max(-code, 0))


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[BinaryIO, BinaryIO]:
    assert process.stdin is not None  # noqa: S101  both are pipes
    assert process.stdout is not None  # noqa: S101
    return process.stdin, process.stdout  # type: ignore[return-value]


def _end(process: "subprocess.Popen[bytes]", owner: int) -> None:
    if os.getpid() != owner:  # a fork: the process belongs to another one
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
