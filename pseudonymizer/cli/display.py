"""Progress on a terminal."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pseudonymizer.cli.saying import say
from pseudonymizer.engine.progress import FILES

_LINE_EVERY: Final = 10.0  # seconds
_SHOWN_AFTER: Final = 2.0  # seconds; shorter work needs no bar


class Lines:
    """A line every ten seconds, on standard error that is no terminal: logs are read, too."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._name, self._total, self._done = "", 0, 0
        self._counted = FILES
        self._started = self._told = 0.0

    def begin(self, name: str, total: int, counted: str = FILES) -> None:
        self._name, self._total, self._done = name, total, 0
        self._counted = counted
        self._started = self._told = self._now()

    def advance(self, count: int) -> None:
        self._done += count
        now = self._now()
        if now - self._told < _LINE_EVERY or not self._name:
            return
        self._told = now
        rate = self._done / (now - self._started)
        say(
            f"{self._name}: {self._done:,} of {self._total:,} {self._counted}, {rate:,.1f} a second", err=True
        )

    def end(self) -> None:
        self._name = ""


class Bars:
    """A bar for each pass, with files a second and the time left, on standard error."""

    def __init__(self) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counted]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID | None = None
        self._started = 0.0
        self._shown = False
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def begin(self, name: str, total: int, counted: str = FILES) -> None:
        self._task = self._bars.add_task(name, total=total, rate="", counted=counted)
        self._started, self._done = time.monotonic(), 0

    def advance(self, count: int) -> None:
        if self._task is None:
            return
        self._done += count
        seconds = time.monotonic() - self._started
        if not self._shown and seconds >= _SHOWN_AFTER:
            self._bars.start()
            self._shown = True
        rate = f"{self._done / seconds:,.1f}/s" if seconds > 0 else ""
        self._bars.update(self._task, advance=count, rate=rate)

    def end(self) -> None:
        if self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        if self._shown:
            self._bars.stop()
            self._shown = False
