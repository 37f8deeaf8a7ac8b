"""The process that reads files: a request in, an answer out, until the other end is gone.

It gets the bytes of files and gives their texts, and has no keys, no vault and no file of its own.
"""

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO, Final

from linkage.errors import DocumentTooLargeError, LinkageError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.confined.limits import OUT_OF_MEMORY, OwnLimits, too_much_memory
from pseudonymizer.confined.messages import (
    ANSWERS,
    REQUESTS,
    Answer,
    FailedAnswer,
    GoneAnswer,
    ReadAnswer,
    ReadRequest,
    RenderAnswer,
    RenderRequest,
    Request,
    put,
    take,
)
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.formats import FormatOptions, ParsedFile, marking
from pseudonymizer.formats.records import ReadAgain
from pseudonymizer.formats.units import read_unit
from pseudonymizer.leaks import read_again

_MOST_KEPT: Final = 300  # files that were read to be rendered; a run keeps fewer
# Bytes that the process may hold at most before it ends, once it keeps no file: what a large file left would
# be missing for the next ones.
_MUCH_MEMORY: Final = 1_000_000_000
_DATA_PAGES: Final = 5  # the place in /proc/self/statm of the pages that RLIMIT_DATA counts


def serve() -> None:
    """Answer what comes on standard input, on standard output. What libraries print goes nowhere."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides what an interrupt means
    try:
        answer_all(requests, answers, OwnLimits())
    except MemoryError:  # of what comes in, or of the answer
        os._exit(OUT_OF_MEMORY)


def answer_all(requests: BinaryIO, answers: BinaryIO, limits: OwnLimits) -> None:
    """Answer until nobody asks any more, or until an answer says that this process ends."""
    work = FormatWork()
    while True:
        try:
            head, raw = take(requests)
        except EOFError:
            return
        request = REQUESTS.decode(head)
        limits.begin(request.limits)
        answer, written = work.answer(request, raw)
        limits.end()
        put(answers, ANSWERS.encode(answer), written)
        if answer.retires:
            return


class FormatWork:
    """Reads and writes files; keeps those that are rendered soon, the newest of them."""

    def __init__(self) -> None:
        self._kept: dict[int, ParsedFile] = {}
        self._options = FormatOptions()
        self._memory = OwnMemory()

    def answer(self, request: Request, raw: bytes) -> tuple[Answer, bytes]:
        """The answer and the bytes behind it. No error leaves here; one of a library goes by its class alone,
        for its text may hold what the file holds.
        """
        try:
            if isinstance(request, ReadRequest):
                return self._read(request, raw), b""
            return self._rendered(request)
        except (LinkageError, PseudonymizerError) as error:
            if any(isinstance(cause, MemoryError) for cause in _causes(error)):
                return self._out_of_memory(request), b""
            return FailedAnswer(type(error).__name__, str(error), self._retires), b""
        except MemoryError:
            return self._out_of_memory(request), b""
        except Exception as error:  # noqa: BLE001  a fault of a library must not end this process
            if any(isinstance(cause, MemoryError) for cause in _causes(error)):
                return self._out_of_memory(request), b""
            return FailedAnswer(type(error).__name__, "", self._retires), b""

    def _read(self, request: ReadRequest, raw: bytes) -> Answer:
        if request.options:
            self._options = pickle.loads(request.options)  # noqa: S301  from the process that started this one
        if request.unit is None:
            parsed = formats.read(raw, name=f"x{request.suffix}", options=self._options)
        else:
            parsed = read_unit(raw, request.unit, self._options)
        if request.keep:
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[request.number] = parsed
        return ReadAnswer.of(parsed, retires=self._retires)

    def _rendered(self, request: RenderRequest) -> tuple[Answer, bytes]:
        parsed = self._kept.pop(request.number, None)
        if parsed is None:
            return GoneAnswer(self._retires), b""
        rendered = parsed.render(
            {
                part_id: {Span(start, end): text for start, end, text in texts}
                for part_id, texts in request.replacements.items()
            }
        )
        again = ReadAgain()
        if request.values is not None:
            left = {content.kind for content in parsed.unread}
            again = read_again(rendered.raw, request.values, left, most_bytes=2 * self._options.max_bytes)
        is_marked = bool(rendered.edits and marking.is_marked(parsed.format_name, rendered.raw))
        return RenderAnswer.of(rendered, again, is_marked=is_marked, retires=self._retires), rendered.raw

    def _out_of_memory(self, request: Request) -> Answer:
        self._kept.clear()
        told = too_much_memory(request.limits)
        return FailedAnswer(DocumentTooLargeError.__name__, told, retires=True)

    @property
    def _retires(self) -> bool:
        """Whether this process holds much memory, and keeps nothing that it would be asked for."""
        return not self._kept and self._memory.taken > _MUCH_MEMORY


class OwnMemory:
    """What this process has taken of the memory that its limit counts."""

    def __init__(self) -> None:
        try:  # kept open: opening it for each file costs more than reading it
            self._status: int | None = os.open("/proc/self/statm", os.O_RDONLY)
            self._page = os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, AttributeError):
            self._status = None

    @property
    def taken(self) -> int:
        """Bytes of data; 0 where the system does not say."""
        if self._status is None:
            return 0
        return int(os.pread(self._status, 200, 0).split()[_DATA_PAGES]) * self._page


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and those while which it came up."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__context__
