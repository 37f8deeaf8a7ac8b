"""Documents that a verb could not read, told at its end."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.outcome import failure_lines
from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from pseudonymizer.answers import FoundDocument


class Failures:
    """Notes the documents that could not be read, and ends with which and why."""

    def __init__(self) -> None:
        self._seen = 0
        self._failed: list[tuple[str, str, str]] = []

    def counted(self, documents: "Iterable[FoundDocument]") -> "Iterator[FoundDocument]":
        from pseudonymizer.engine.remedies import why_and_what_next

        for document in documents:
            self._seen += 1
            if document.failure is not None:
                why = why_and_what_next(document.failure.error, document.failure.reason)
                self._failed.append((document.name, f"document {self._seen}", why))
            yield document

    @property
    def status(self) -> int:
        """The exit status of a verb whose documents are all seen."""
        return options.SOME_FAILED if self._failed else 0

    def report(self) -> None:
        if not self._failed:
            return
        say(f"nymlink: {len(self._failed):,} documents could not be read", err=True)
        told = "the same command at a terminal shows it"
        for line in failure_lines(self._failed, told, on_terminal=sys.stderr.isatty()):
            say(line, err=True)
        raise typer.Exit(options.SOME_FAILED)
