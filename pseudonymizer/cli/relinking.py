"""relink: a whole project linked anew, in one go."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import ITEMS, result_text
from pseudonymizer.cli.projects import VaultPlace, opened_project
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.relinks import RelinkChange, Relinked, RelinkedPerson


def add_to(app: typer.Typer) -> None:
    app.command()(relink)


def relink(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    apply: Annotated[
        bool, typer.Option("--apply", help="Make the changes; without it they are listed alone.")
    ] = False,
    names: Annotated[
        bool, typer.Option("--names", help="List the people with their names, for who may see names.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the list; else it is printed.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    as_json: options.AsJson = False,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Link a whole project anew, and list what that finds otherwise than text by text: who is one person, who
    is two, what is open. Published pseudonyms stay.

    For curators, with a purpose; on record. What people merged, split or judged holds.
    """
    if names and out is None and not sys.stdout.isatty():
        raise typer.BadParameter("names go to a terminal or to --out FILE, never to a pipe")
    options.check_places(out)
    options.start_logging(log_level)
    place = VaultPlace(vault, key_file, keys, actor)
    with opened_project(place, project, options.linkage_settings(settings, language)) as opened:
        found = opened.relink(purpose=purpose, ticket=ticket, apply=apply, names=names)
    text = _json(found) if as_json else "\n".join(_lines(found))
    if out is None:
        say(text)
    else:
        options.write_result(str(out), (text + "\n").encode("utf-8", "backslashreplace"), private=True)


def _json(found: "Relinked") -> str:
    return result_text(
        "relink",
        {
            ITEMS: list(map(_row, found.changes)),
            "applied": found.is_applied, "people": found.people, "mentions": found.mentions,
        },
    )  # fmt: skip


def _row(change: "RelinkChange") -> dict[str, Any]:
    return {
        "kind": str(change.kind),
        "people": [
            {"pseudonyms": list(one.pseudonyms)} | ({} if one.name is None else {"name": one.name})
            for one in change.people
        ],
        "mentions": change.mentions,
        "probability": change.probability,
    }


def _lines(found: "Relinked") -> list[str]:
    lines = ["\t".join(_shown(change)) for change in found.changes]
    counts = ", ".join(f"{number:,} {kind}" for kind, number in found.counts.items())
    lines.append(f"{found.people:,} people, {found.mentions:,} mentions: {counts}")
    if not found.changes:
        lines.append("nothing to change: text by text came to the same as one go over everything")
    elif not found.is_applied:
        lines.append("nothing was changed; --apply makes these changes")
    return lines


def _shown(change: "RelinkChange") -> list[str]:
    cells = [str(change.kind), *map(_person, change.people)]
    if change.mentions:
        cells.append(f"{change.mentions:,} mentions")
    if change.probability is not None:
        cells.append(f"{change.probability:.2f}")
    return cells


def _person(one: "RelinkedPerson") -> str:
    label = ", ".join(one.pseudonyms) or "(a new pseudonym)"
    return label if one.name is None else f"{label} {printable(one.name)}"
