"""The texts of files, read by processes that are limited in memory and time. They write the files as well.

One process of this kind serves many files. A file that takes it down fails alone, and the next one gets a new
process. Threads that read at the same time have processes of their own.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from linkage import errors as document_errors
from linkage.errors import DamagedDocumentError, DocumentError, DocumentTooLargeError
from pseudonymizer import formats
from pseudonymizer.confined.limits import limits_for, too_much_memory
from pseudonymizer.confined.messages import (
    Answer,
    FailedAnswer,
    Limits,
    ReadAnswer,
    ReadRequest,
    RenderAnswer,
    RenderRequest,
    Request,
)
from pseudonymizer.confined.process import LostProcessError, OutOfMemoryError, OutOfTimeError, ReadingProcess
from pseudonymizer.errors import OverlappingReplacementsError
from pseudonymizer.file_limits import MEGABYTE
from pseudonymizer.formats import FormatOptions, ParsedFile, RenderedFile, Replacements
from pseudonymizer.formats.records import ReadAgain
from pseudonymizer.formats.registry import is_plain_text, suffix_of
from pseudonymizer.formats.units import Unit

# Errors that an answer may name: those of single files. All others go by their class, in a text of our own.
_ERRORS: Final[Mapping[str, type[DocumentError | OverlappingReplacementsError]]] = {
    **{
        name: kind
        for name, kind in vars(document_errors).items()
        if isinstance(kind, type) and issubclass(kind, DocumentError)
    },
    OverlappingReplacementsError.__name__: OverlappingReplacementsError,
}
_LONGEST_NAME: Final = 60  # characters of the class of an error that are shown


def read(
    raw: bytes,
    *,
    name: str = "",
    options: FormatOptions | None = None,
    unit: Unit | None = None,
    keep: bool = False,
) -> ParsedFile:
    """The texts of a file. name is used for its suffix only. unit: what raw is of a larger file.

    A plain text has nothing to parse, and is read in this process. keep: the file is rendered next, so that
    the other process keeps it.

    Raises:
        DocumentError: as formats.read; also where reading takes more memory or time than options allow.
    """
    options = options or FormatOptions()
    if unit is None and is_plain_text(raw, name):
        return formats.read(raw, name=name, options=options)
    return _PROCESSES.read(_Source(raw, f".{suffix_of(name)}", options, unit), keep=keep)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is read. suffix: the end of its name."""

    raw: bytes = field(repr=False)
    suffix: str
    options: FormatOptions = field(repr=False)
    unit: Unit | None

    @property
    def limits(self) -> Limits:
        return limits_for(self.raw, self.options)


class ConfinedFile(ParsedFile):
    """A file as its texts, which another process has read, and writes."""

    def __init__(self, source: _Source, number: int, answer: ReadAnswer, process: ReadingProcess) -> None:
        self._source, self._number, self._process = source, number, process
        self.format_name = answer.format_name
        self.parts = tuple(row.part() for row in answer.parts)
        self.unread = answer.left_unread()
        self.recognized = tuple(answer.recognized)
        self.rejected = answer.left_out()

    def render(self, replacements: Replacements) -> RenderedFile:
        """See ParsedFile.render. A file that the other process does not keep any more is read again.

        Raises:
            OverlappingReplacementsError, DocumentError: as ParsedFile.render; also where writing takes more
                memory or time than options allow.
        """
        return self._rendered(replacements, None)[0]

    def render_and_read(
        self, replacements: Replacements, values: Sequence[str]
    ) -> tuple[RenderedFile, ReadAgain | None]:
        """See ParsedFile.render_and_read; the other process does both."""
        return self._rendered(replacements, list(values))

    def _rendered(
        self, replacements: Replacements, values: list[str] | None
    ) -> tuple[RenderedFile, ReadAgain]:
        request = RenderRequest(
            self._number,
            {
                part_id: [(span.start, span.end, text) for span, text in texts.items()]
                for part_id, texts in replacements.items()
            },
            self._source.limits,
            values,
        )
        with self._process.lock:
            if self._process.is_ours:
                answer, raw = _asked(self._process, request)
                if isinstance(answer, RenderAnswer):
                    return answer.rendered(raw), answer.again()
        return _PROCESSES.read(self._source, keep=True)._rendered(replacements, values)


class _Processes:
    """The processes that read files for this one: as many as threads have read at one time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started: list[ReadingProcess] = []
        self._numbers = count(1)

    def read(self, source: _Source, *, keep: bool) -> ConfinedFile:
        number = next(self._numbers)
        with self._free() as process:
            options = process.packed(source.options)
            request = ReadRequest(number, source.suffix, options, source.unit, keep, source.limits)
            answer, _ = _asked(process, request, source.raw)
        if not isinstance(answer, ReadAnswer):
            raise DamagedDocumentError(
                "the file was not read: the process that reads files gave an answer that makes no sense"
            )
        return ConfinedFile(source, number, answer, process)

    @contextmanager
    def _free(self) -> Iterator[ReadingProcess]:
        """A process that nobody else asks meanwhile."""
        with self._lock:
            self._started = [process for process in self._started if process.is_ours]
            for process in self._started:
                if process.lock.acquire(blocking=False):
                    break
            else:
                process = ReadingProcess()
                process.lock.acquire()
                self._started.append(process)
        try:
            yield process
        finally:
            process.lock.release()


_PROCESSES: Final = _Processes()


def _asked(process: ReadingProcess, request: Request, raw: bytes = b"") -> tuple[Answer, bytes]:
    """The answer of a process whose lock is held, and the bytes behind it.

    Raises:
        DocumentError, OverlappingReplacementsError: the answer is that it failed, or there is none.
    """
    try:
        answer, behind = process.ask(request, raw)
    except OutOfMemoryError:
        raise DocumentTooLargeError(too_much_memory(request.limits)) from None
    except OutOfTimeError:
        raise DocumentTooLargeError(
            f"reading the file takes more than {request.limits.seconds:.0f} seconds: it is left out; cut it "
            "into smaller files, or save it anew with the program that made it"
        ) from None
    except LostProcessError as lost:
        raise DamagedDocumentError(
            f"the process that read the file was ended (signal {lost.signal}): the file is damaged, or needs "
            f"more than the {request.limits.memory // MEGABYTE} MB of memory that one file may take; it is "
            "left out"
        ) from None
    if isinstance(answer, FailedAnswer):
        raise _error(answer)
    return answer, behind


def _error(answer: FailedAnswer) -> DocumentError | OverlappingReplacementsError:
    if (kind := _ERRORS.get(answer.error)) is not None:
        return kind(answer.text)
    name = answer.error if answer.error.isidentifier() and len(answer.error) <= _LONGEST_NAME else "error"
    return DamagedDocumentError(f"its format could not be read ({name}): the file is damaged, or left out")
