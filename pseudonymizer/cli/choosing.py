"""Which files of the inputs are treated: --include, --exclude."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli.saying import printable

if TYPE_CHECKING:
    from pseudonymizer.engine.sources import Chosen, SourceFile

Include = Annotated[
    list[str] | None,
    typer.Option(
        "--include",
        metavar="PATTERN",
        help="Of folders only files of this name or path, as *.docx. May be given several times.",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="PATTERN",
        help="Of folders no files or folders of this name or path, as drafts. May be given several times.",
    ),
]


def chosen(include: Sequence[str] | None, exclude: Sequence[str] | None) -> "Chosen | None":
    """What the two options say; None: all files."""
    from pseudonymizer.engine.sources import Chosen

    return Chosen(tuple(include or ()), tuple(exclude or ())) if include or exclude else None


def find_inputs(
    inputs: Sequence[str],
    *,
    chosen: "Chosen | None" = None,
    output: Path | None = None,
    follow_links: bool = False,
    name_links: bool = False,
) -> "tuple[SourceFile, ...]":
    """The files of the inputs, each once. On a terminal an input that is missing is shown as it was given.

    Raises:
        BatchError: an input is missing, or the output folder is one of the inputs.
    """
    from pseudonymizer.engine.sources import find_sources
    from pseudonymizer.errors import BatchError, MissingInputError

    try:
        return find_sources(
            [*map(Path, inputs)], output=output, follow_links=follow_links, name_links=name_links,
            chosen=chosen,
        )  # fmt: skip
    except MissingInputError as error:
        if not sys.stderr.isatty():
            raise BatchError(
                f"{error}, of {len(inputs)} as they were given (at a terminal its path is shown); check the "
                "path, or leave it out"
            ) from None
        given = printable(inputs[error.position - 1])
        raise BatchError(
            f"{given} does not exist or cannot be reached (input {error.position}); check the path, or "
            "leave it out"
        ) from None
