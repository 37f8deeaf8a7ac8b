"""Progress on a terminal."""

import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

_SHOWN_AFTER: Final = 2.0  # seconds; shorter work needs no bar


class Bars:
    """A bar for each pass, with files a second and the time left, on standard error."""

    def __init__(self) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
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

    def begin(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(name, total=total, rate="")
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
