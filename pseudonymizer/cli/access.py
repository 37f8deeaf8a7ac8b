"""reveal and its kin: authorized ways from pseudonyms to names."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pseudonymizer.cli import options


def add_to(app: typer.Typer) -> None:
    app.command()(reveal)


def reveal(
    pseudonyms: Annotated[list[str], typer.Argument(metavar="PSEUDONYM...")],
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the names; else the terminal.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The names behind pseudonyms, to a terminal or a file, never to a pipe. Needs a purpose; audited."""
    from pseudonymizer import reidentification

    if out is None and not sys.stdout.isatty():
        raise typer.BadParameter("names go to a terminal or to --out FILE, never to a pipe")
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        names = reidentification.reveal(
            opened, project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket
        )
    if as_json:
        text = json.dumps(
            {label: [found.name, *found.forms] for label, found in names.items()}, ensure_ascii=False
        )
    else:
        text = "\n".join(f"{label}\t{found.name}" for label, found in names.items())
    if out is None:
        typer.echo(text)
    else:
        options.write_result(str(out), (text + "\n").encode(), private=True)
