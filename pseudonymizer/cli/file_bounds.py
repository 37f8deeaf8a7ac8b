"""--file-memory, --file-seconds, --file-depth: what one file may take while it is read."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pseudonymizer.file_limits import FileLimits

Memory = Annotated[
    int | None,
    typer.Option("--file-memory", min=64, metavar="MB", help="Memory that reading one file may take (4096)."),
]
Seconds = Annotated[
    int | None,
    typer.Option("--file-seconds", min=1, metavar="N", help="Seconds that reading one file may take (120)."),
]
Depth = Annotated[
    int | None,
    typer.Option("--file-depth", min=0, max=32, metavar="N", help="Levels of files within files (4)."),
]


def limits(files: "FileLimits", memory: int | None, seconds: int | None, depth: int | None) -> "FileLimits":
    """The limits of the settings file, with what the command line says."""
    given = {"max_memory": memory, "max_seconds": seconds, "max_depth": depth}
    return replace(files, **{name: value for name, value in given.items() if value is not None})
