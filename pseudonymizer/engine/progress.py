"""The progress of a run, as counts of what is done."""

from typing import Final, Protocol

FILES: Final = "files"
NOTES: Final = "notes"
BOTH: Final = "files and notes"


class Progress(Protocol):
    """Shows how far a run is. It gets names of stages and counts, and nothing that tells a person.

    counted: what total and the counts are numbers of, in words.
    """

    def begin(self, name: str, total: int, counted: str = FILES) -> None: ...
    def advance(self, count: int) -> None: ...
    def end(self) -> None: ...


class Silent:
    """Shows nothing: for pipes, JSON output and tests."""

    def begin(self, name: str, total: int, counted: str = FILES) -> None: ...
    def advance(self, count: int) -> None: ...
    def end(self) -> None: ...
