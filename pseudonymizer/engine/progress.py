"""The progress of a run, as counts of what is done."""

from typing import Final, Protocol

FILES: Final = "files"
NOTES: Final = "notes"
BOTH: Final = "files and notes"


class Progress(Protocol):
    """Shows how far a run is. It gets names of stages and counts, and nothing that tells a person.

    counted: what total and the counts are numbers of, in words.
    """

    def begin(self, name: str, total: int, counted: str = FILES) -> None:
        """A stage begins; the one before it is over."""
        ...

    def advance(self, count: int) -> None:
        """So many more are done for good."""
        ...

    def inside(self, count: int) -> None:
        """So many are done now in what is at work, and will be part of what advance() gets when it ends."""
        ...

    def end(self) -> None:
        """The stage is over; nothing is shown until the next one begins. May be called again."""
        ...


class Silent:
    """Shows nothing: for pipes, JSON output and tests."""

    def begin(self, name: str, total: int, counted: str = FILES) -> None: ...
    def advance(self, count: int) -> None: ...
    def inside(self, count: int) -> None: ...
    def end(self) -> None: ...
