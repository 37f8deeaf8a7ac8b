"""vault folders, vault give-up: the output folders of a project, and the keys of their work files."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.records import OutputFolder


def add_to(vault: typer.Typer) -> None:
    vault.command()(folders)
    vault.command("give-up")(give_up)


def folders(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The folders that runs wrote into: id, last day, actor, whether one is there, path. Holds names."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = opened.output_folders(project)
    if as_json:
        rows = [{**asdict(one), "used_on": str(one.used_on), "is_there": _is_there(one)} for one in found]
        say_items("vault folders", rows)
        return
    for one in found:
        state = "there" if _is_there(one) else "not there"
        if one.erased:
            state += f", {one.erased} erased are forgotten in the next run"
        say("\t".join((one.folder_id, str(one.used_on), printable(one.actor), state, printable(one.place))))
    if not found:
        say("no folders: no run of this project wrote into one", err=True)


def give_up(
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="FOLDER", help="An output folder, or its id as `vault folders` shows it."),
    ] = None,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    gone: Annotated[
        bool, typer.Option("--gone", help="All whose folder is not where the last run found it.")
    ] = False,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Destroy the keys of output folders: no run goes on there, and no copy of their records opens again.

    Outputs stay as they are, and are restored as before.
    """
    if bool(given) is gone:
        raise typer.BadParameter("give folders, or --gone")
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        if gone:
            wanted = [one.folder_id for one in opened.output_folders(project) if not _is_there(one)]
        else:
            wanted = [_id_of(text) for text in given or ()]
        count = 0
        if wanted:
            count = opened.give_up_folders(project=project, folders=wanted, purpose=purpose, ticket=ticket)
    if as_json:
        say_result("vault give-up", {"folders": count})
    else:
        say(f"{count:,} folders were given up")


def _is_there(folder: "OutputFolder") -> bool:
    """Whether the work file of this folder lies where the last run found it."""
    from pseudonymizer.errors import BatchError
    from pseudonymizer.vault.folders import work_file_in
    from pseudonymizer.work_files.store import folder_id_of

    try:
        found = folder_id_of(work_file_in(Path(folder.place)))
    except (BatchError, OSError):
        return False
    return found is not None and found.hex() == folder.folder_id


def _id_of(text: str) -> str:
    """The id of a folder that is named by its path, or by its id.

    Raises:
        BatchError: no run has written there, or one that an earlier version did.
    """
    from pseudonymizer.errors import BatchError
    from pseudonymizer.vault.folders import work_file_in
    from pseudonymizer.work_files.store import folder_id_of

    if not Path(text).is_dir():
        return text
    found = folder_id_of(work_file_in(Path(text)))
    if found is None:
        raise BatchError("an earlier version wrote this folder, so it has no key of its own yet")
    return found.hex()
