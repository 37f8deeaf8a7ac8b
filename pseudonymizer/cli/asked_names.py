"""Names that a command is given: as arguments, which other users of a machine can see, or in another way."""

import sys
from collections.abc import Sequence
from typing import Final

import typer

STANDARD_INPUT: Final = "-"
VISIBLE: Final = (
    "Other users of the machine can see arguments: - reads from standard input, and without any the command "
    "asks."
)


def names_asked(given: Sequence[str | None], prompts: Sequence[str]) -> list[str]:
    """The names: as given, from the lines of standard input where the first is "-", or asked for.

    prompts: what to ask for each name that is not given.

    Raises:
        typer.BadParameter: there is no terminal to ask at, or another number of lines than of names.
    """
    if given[0] == STANDARD_INPUT:
        lines = lines_of_standard_input()
        if len(lines) != len(prompts):
            raise typer.BadParameter(
                f"standard input has {len(lines)} lines with names; give {len(prompts)}, one a line"
            )
        return lines
    if None in given and not sys.stdin.isatty():
        raise typer.BadParameter("give the name, - for standard input, or a terminal to ask at")
    return [
        typer.prompt(prompt, err=True) if name is None else name
        for name, prompt in zip(given, prompts, strict=True)
    ]


def lines_of_standard_input() -> list[str]:
    """The lines that hold anything, without blanks around them."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    return [line.strip() for line in text.splitlines() if line.strip()]
