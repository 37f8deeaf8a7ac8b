"""columns: what the columns of a table are thought to hold."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_items
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkage.kinds import Kinds
    from pseudonymizer.column_kinds import FoundColumn
    from pseudonymizer.settings import TableSettings

Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TITLE=KIND", help="The kind of a column; TEXT for running text."),
]


def add_to(app: typer.Typer) -> None:
    app.command()(columns)


def columns(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table: csv, tsv, xlsx, ods, parquet.")],
    *,
    corrections: Set = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Show the kind of each column of a table, and what says so; never its values.

    With --set it shows what comes of a correction, and the lines that keep it in a settings file.
    """
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.project import Project, ProjectOptions

    options.start_logging(log_level)
    told = options.read_settings(settings, language)
    tables = corrected(told.tables, corrections or (), told.linkage.own.all_kinds)
    chosen = ProjectOptions(
        told.linkage, formats=FormatOptions(
            column_kinds=tables.kinds, own=told.linkage.own, **told.files.bounds
        ),
        load=options.pipeline_loader(told.linkage), registered=options.registered_people(told.linkage),
    )  # fmt: skip
    found = Project.without_vault(chosen).columns(file)
    if as_json:
        say_items("columns", [asdict(column) for column in found])
        return
    _print(found)
    if corrections:
        say("\nto keep this, put it in nymlink.toml; or give --set to `nymlink run`:\n[tables]")
        shown = ", ".join(f"{json.dumps(title, ensure_ascii=False)} = {json.dumps(kind)}"
                          for title, kind in tables.columns.items())  # fmt: skip
        say(f"columns = {{ {shown} }}")


def corrected(
    tables: "TableSettings", corrections: "Sequence[str]", kinds: "Kinds | None" = None
) -> "TableSettings":
    """The settings of tables with the corrections of a command line, such as "BSN=NATIONAL_ID".

    kinds: those in use; None: the shipped ones.

    Raises:
        SettingsError: a column is of an unknown kind.
    """
    from linkage.kinds import Kinds
    from pseudonymizer.errors import SettingsError
    from pseudonymizer.settings import TableSettings

    said = dict(tables.columns)
    for correction in corrections:
        title, sign, kind = correction.rpartition("=")
        if not sign or not title.strip() or not kind.strip():
            raise typer.BadParameter('--set needs a title and a kind, such as --set "BSN=NATIONAL_ID"')
        said[title.strip()] = kind.strip().upper()
    found = TableSettings(said)
    if (fault := found.fault(kinds or Kinds.load())) is not None:
        raise SettingsError(fault)
    return found


def _print(found: "Sequence[FoundColumn]") -> None:
    if not found:
        say("there is no table in this file")
        return
    rows = [("", "column", "kind", "why", "share", "confidence", "cells")]
    rows += [
        (str(one.position), printable(one.title) or "-", one.kind or "-", printable(one.why) or "-",
         f"{one.share:.2f}", f"{one.confidence:.2f}", f"{one.cells:,}")
        for one in found
    ]  # fmt: skip
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    for row in rows:
        say("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
