"""paths: which input became which output, from the sealed records of an output folder."""

from pathlib import Path
from typing import Annotated

import typer

from pseudonymizer.cli import options


def add_to(app: typer.Typer) -> None:
    app.command()(paths)


def paths(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `nymlink run` wrote into.")],
    *,
    vault: options.VaultUrl,
    project: options.Project,
    out: options.OutFile,
    failed: Annotated[
        bool, typer.Option("--failed", help="Only the files that failed, each with why and what to do.")
    ] = False,
    rejected: Annotated[
        bool,
        typer.Option(
            "--rejected", help="Only lines that could not be read and are left out, each with its text."
        ),
    ] = False,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Write which id of a report is which input and output: id, input, output by tabs. Holds names.

    With --failed: id, input, error, why. With --rejected: id, input, line, why, text.
    """
    from pseudonymizer.runs.path_records import failed_lines, path_lines, rejected_lines

    options.start_logging(log_level)
    options.check_places(out)
    if failed and rejected:
        raise typer.BadParameter("give --failed or --rejected, not both")
    if rejected and out != options.STANDARD_STREAM and folder.resolve() in Path(out).resolve().parents:
        raise typer.BadParameter(
            "these lines hold names, and DIR is handed on: choose another place", param_hint="--out"
        )
    told = rejected_lines if rejected else failed_lines if failed else path_lines
    lines = told(folder, options.vault_opener(vault, key_file, keys, actor), project)
    options.write_result(out, lines, private=True)
