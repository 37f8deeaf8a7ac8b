"""vault erase: for ever, so that it is shown and asked first."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.asked_names import names_asked
from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.values import ErasurePlan

_NOT_AGREED: Final = 1
_MOST_FILES: Final = 50  # on screen
_OF_DOCUMENT: Final = re.compile(r"document \d+: (?P<edits>\d+) (?P<what>edits .*)")


def add_to(vault: typer.Typer) -> None:
    vault.command()(erase)


def erase(
    pseudonyms: Annotated[
        list[str] | None,
        typer.Argument(metavar="PSEUDONYM", help="As it stands in the texts, such as PERSOON-7KQM3."),
    ] = None,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    value: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="A value of --kind, in place of pseudonyms; - reads it from standard input."
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="The kind of --value, such as BANK_ACCOUNT.")
    ] = None,
    unseen_days: Annotated[
        int | None, typer.Option(min=0, metavar="DAYS", help="Everybody whom no run has met for so long.")
    ] = None,
    retention: Annotated[
        bool, typer.Option("--retention", help="The same, after the days of the project's setting.")
    ] = False,
    clock_is_right: Annotated[
        bool,
        typer.Option(
            "--clock-is-right", help="For retention, where the clock is far ahead of the last event."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask at a terminal.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be destroyed, and destroy nothing.")
    ] = False,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Destroy the keys and rows of people or of a value for ever: their pseudonyms lead nowhere after it.

    At a terminal it shows what it would destroy, and asks.
    """
    from pseudonymizer.errors import SettingsError
    from pseudonymizer.typed_values import erase_typed, typed_to_erase
    from pseudonymizer.values import ToErase

    if sum((bool(pseudonyms), value is not None, unseen_days is not None, retention)) != 1:
        raise typer.BadParameter("give pseudonyms, --value, --unseen-days, or --retention")
    if (value is None) is not (kind is None):
        raise typer.BadParameter("give --value and --kind together")
    if value is not None:
        (value,) = names_asked([value], ["value"])
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        days = opened.project_settings(project).retention_days if retention else unseen_days
        if retention and days is None:
            raise SettingsError(
                "the project has no retention time; `nymlink vault settings retention_days=N` sets one"
            )
        if value is not None and kind is not None:
            what = typed_to_erase((kind, value))
        else:
            what = ToErase(pseudonyms=tuple(pseudonyms or ()), days=days)
        plan = opened.planned_erasure(project, what, purpose=purpose, ticket=ticket)
        if dry_run:
            _tell_plan(plan, as_json=as_json)
            return
        if plan.people and not yes and not as_json and sys.stdin.isatty():
            _tell_plan(plan, as_json=False)
            if not typer.confirm("destroy this for ever?", err=True):
                say("nothing was destroyed", err=True)
                raise typer.Exit(_NOT_AGREED)
        if value is not None and kind is not None:
            receipt = erase_typed(opened, project, (kind, value), purpose=purpose, ticket=ticket)
        elif days is None:
            receipt = opened.erase(
                project=project, pseudonyms=pseudonyms or (), purpose=purpose, ticket=ticket
            )
        else:
            opened.rollback()
            found = opened.erase_unseen_since(
                project=project, days=days, purpose=purpose, ticket=ticket, clock_is_right=clock_is_right
            )
            if found is None:
                if as_json:
                    say_result("vault erase", {"pseudonyms": []})
                else:
                    say("nobody to erase")
                return
            receipt = found
    if as_json:
        told = {**asdict(receipt), "erased_at": str(receipt.erased_at), "documents": plan.documents}
        say_result("vault erase", told)
        return
    say(f"erased {len(receipt.pseudonyms)} pseudonyms, audit event {receipt.audit_sequence}")
    for line in _file_lines(plan):
        say(line)
    for remains in gathered(receipt.remains):
        say(f"remains: {remains}")


def gathered(remains: Iterable[str]) -> Iterator[str]:
    """What remains after an erasure, for the screen: one line for all documents of which the same is told,
    in place of one for each.
    """
    documents: Counter[str] = Counter()
    edits: Counter[str] = Counter()
    others: list[str] = []
    for line in remains:
        if (found := _OF_DOCUMENT.fullmatch(line)) is None:
            others.append(line)
        else:
            documents[found["what"]] += 1
            edits[found["what"]] += int(found["edits"])
    yield from others
    for what, count in documents.items():
        yield f"in {count:,} documents {edits[what]:,} {what}"


def _tell_plan(plan: "ErasurePlan", *, as_json: bool) -> None:
    if as_json:
        told = {"people": plan.people, "pseudonyms": list(plan.pseudonyms), "documents": plan.documents}
        say_result("vault erase", told)
        return
    say(f"would be destroyed: {plan.people:,} people or values, {len(plan.pseudonyms):,} pseudonyms")
    for line in _file_lines(plan):
        say(line)


def _file_lines(plan: "ErasurePlan") -> Iterator[str]:
    """Lines about the files with these pseudonyms; which they are stands on a terminal alone, for paths may
    hold names.
    """
    if not plan.documents:
        return
    yield f"files whose outputs have these pseudonyms: {plan.documents:,}"
    if not sys.stdout.isatty():
        return
    for path in plan.paths[:_MOST_FILES]:
        yield f"  {printable(path)}"
    if len(plan.paths) > _MOST_FILES:
        yield f"  and {len(plan.paths) - _MOST_FILES:,} more; `nymlink lookup` lists all"
