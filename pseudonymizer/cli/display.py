"""Progress on standard error. What is shown comes by time: also while one large file is at work."""

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pseudonymizer.cli.saying import say
from pseudonymizer.engine.progress import FILES

LINE_EVERY: Final = 10.0  # seconds
_SHOWN_AFTER: Final = 2.0  # seconds; shorter work needs no bar


class Stage:
    """A stage of a run, and how much of it is done. What it says never gets less."""

    def __init__(self, name: str, total: int, counted: str, now: Callable[[], float]) -> None:
        self.name, self.total, self.counted = name, total, counted
        self._now, self._started = now, now()
        self._done = self._inside = self._most = 0

    def advance(self, count: int) -> None:
        self._done += count

    def inside(self, count: int) -> None:
        self._inside = count

    @property
    def done(self) -> int:
        """How many are done, with those in what is at work."""
        self._most = max(self._most, min(self._done + self._inside, max(self.total, self._done)))
        return self._most

    @property
    def rate(self) -> float:
        """How many are done a second."""
        return self.done / max(self._now() - self._started, 1e-9)

    def line(self) -> str:
        """How far it is, in words and counts."""
        done, seconds = self.done, self._now() - self._started
        if not done:
            return f"{self.name}: {self.total:,} {self.counted} at work, {seconds:,.0f} s so far"
        return f"{self.name}: {done:,} of {self.total:,} {self.counted}, {self.rate:,.1f} a second"


class _Clock:
    """Calls something again and again, from a thread of its own, until it is stopped."""

    def __init__(self, every: float, call: Callable[[], None]) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(every, call), daemon=True)
        self._thread.start()

    def _run(self, every: float, call: Callable[[], None]) -> None:
        while not self._stopped.wait(every):
            call()

    def stop(self) -> None:
        """Nothing is called any more after this."""
        self._stopped.set()
        self._thread.join()


class Lines:
    """A line every ten seconds, on standard error that is no terminal: logs are read, too."""

    def __init__(self, every: float = LINE_EVERY, now: Callable[[], float] = time.monotonic) -> None:
        """every: seconds between two lines."""
        self._every, self._now = every, now
        self._stage: Stage | None = None
        self._clock: _Clock | None = None

    def begin(self, name: str, total: int, counted: str = FILES) -> None:
        self._stage = Stage(name, total, counted, self._now)
        if self._clock is None:  # stages follow each other: the ten seconds go on
            self._clock = _Clock(self._every, self._tell)

    def advance(self, count: int) -> None:
        if self._stage is not None:
            self._stage.advance(count)

    def inside(self, count: int) -> None:
        if self._stage is not None:
            self._stage.inside(count)

    def end(self) -> None:
        self._stage = None
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    def _tell(self) -> None:
        if (stage := self._stage) is not None:
            say(stage.line(), err=True)


class Bars:
    """A bar for each pass, with files a second and the time left, on standard error."""

    def __init__(self, shown_after: float = _SHOWN_AFTER) -> None:
        """shown_after: seconds that a pass takes before it gets a bar."""
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
        self._shown_after = shown_after
        self._task: TaskID | None = None
        self._stage: Stage | None = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def begin(self, name: str, total: int, counted: str = FILES) -> None:
        self.end()
        self._stage = Stage(name, total, counted, time.monotonic)
        self._task = self._bars.add_task(name, total=total, rate="", counted=counted)
        self._timer = threading.Timer(self._shown_after, self._bars.start)
        self._timer.daemon = True
        self._timer.start()

    def advance(self, count: int) -> None:
        if self._stage is not None:
            self._stage.advance(count)
            self._draw()

    def inside(self, count: int) -> None:
        if self._stage is not None:
            self._stage.inside(count)
            self._draw()

    def _draw(self) -> None:
        if self._task is not None and self._stage is not None:
            self._bars.update(self._task, completed=self._stage.done, rate=f"{self._stage.rate:,.1f}/s")

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None
        if self._task is not None:
            self._bars.remove_task(self._task)
            self._task = self._stage = None
        if self._bars.live.is_started:  # one that never was would leave an empty line
            self._bars.stop()
