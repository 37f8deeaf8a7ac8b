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
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Write which id of a report is which input and output: id, input, output by tabs. Holds names.

    With --failed: id, input, error, why.
    """
    from pseudonymizer.runs.path_records import failed_lines, path_lines

    options.start_logging(log_level)
    options.check_places(out)
    told = failed_lines if failed else path_lines
    lines = told(folder, options.vault_opener(vault, key_file, keys, actor), project)
    options.write_result(out, lines, private=True)
