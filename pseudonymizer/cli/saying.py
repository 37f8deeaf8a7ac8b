"""The one way to a terminal: what somebody else wrote, such as a name or a path, moves no cursor there."""

import json
from typing import Final

import typer

_OWN: Final = frozenset("\n\t")  # ends of lines and columns that the command itself writes


def printable(text: str) -> str:
    """A field of a line, with every character escaped that cannot be seen, ends of lines among them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(text: str = "", *, err: bool = False) -> None:
    """Print lines. Fields of them that somebody else wrote are printable() before: here only what a terminal
    obeys is escaped, as JSON has it.
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _OWN else json.dumps(c)[1:-1] for c in text)
    typer.echo(text, err=err)
