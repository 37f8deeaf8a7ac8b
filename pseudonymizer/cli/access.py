"""reveal and its kin: authorized ways from pseudonyms to names."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import asked_names, options
from pseudonymizer.cli.json_shape import ITEMS, result_text, say_items, say_result
from pseudonymizer.cli.lines import read_jsonl
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.records import AuditEvent, SignedHead

_audit = typer.Typer(help="The trail and its proof.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    for verb in (reveal, lookup, people):
        app.command()(verb)
    _audit.command("list")(audit_list)
    _audit.command("verify")(audit_verify)
    _audit.command("export-head")(audit_head)
    app.add_typer(_audit, name="audit")


def reveal(
    pseudonyms: Annotated[
        list[str],
        typer.Argument(metavar="PSEUDONYM", help="As it stands in the texts, such as PERSOON-7KQM3."),
    ],
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
    permit: options.Grant = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The names behind pseudonyms, to a terminal or a file, never to a pipe. Needs a purpose; audited."""
    from pseudonymizer.project import Project

    if out is None and not sys.stdout.isatty():
        raise typer.BadParameter("names go to a terminal or to --out FILE, never to a pipe")
    options.check_places(out)
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        names = Project.open(opened, project).reveal(pseudonyms, purpose=purpose, ticket=ticket, grant=permit)
    if as_json:
        items = [
            {"pseudonym": label, "name": found.name, "forms": list(found.forms)}
            for label, found in names.items()
        ]
        before = {label: [found.name, *found.forms] for label, found in names.items()}  # as in version 0.1
        text = result_text("reveal", {ITEMS: items, **before})
    else:
        text = "\n".join(f"{label}\t{printable(found.name)}" for label, found in names.items())
    if out is None:
        say(text)
    else:
        options.write_result(str(out), (text + "\n").encode("utf-8", "backslashreplace"), private=True)


def lookup(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help=f"The name. {asked_names.VISIBLE}")
    ] = None,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="NAME is a value of this kind, such as BANK_ACCOUNT.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the answer; else the terminal.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
) -> None:
    """The pseudonyms and documents of a name or a value, for access and erasure requests. To a terminal or a
    file.
    """
    from pseudonymizer.project import Project

    if out is None and not sys.stdout.isatty():
        raise typer.BadParameter("paths go to a terminal or to --out FILE, never to a pipe")
    (name,) = asked_names.names_asked([name], ["name"])
    if not any(map(str.isalpha if kind is None else str.isalnum, name)):
        raise typer.BadParameter("give a name, with a letter in it")
    options.check_places(out)
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = Project.open(opened, project).lookup(name, purpose=purpose, ticket=ticket, kind=kind)
    text = result_text("lookup", asdict(found))
    if out is None:
        say(text)
    else:
        options.write_result(str(out), (text + "\n").encode("utf-8", "surrogateescape"), private=True)


def people(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    most: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Those with most labels in outputs alone, so many.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the list; else the terminal.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The people of a project: pseudonyms, name, spellings, documents, labels. To a terminal or a file.

    For who may see names (a curator), with a purpose; on record. A document here is a rewritten file, or a
    unit of a large one.
    """
    from pseudonymizer.project import Project

    if out is None and not sys.stdout.isatty():
        raise typer.BadParameter("names go to a terminal or to --out FILE, never to a pipe")
    options.check_places(out)
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = Project.open(opened, project).people(purpose=purpose, ticket=ticket, most=most)
    if as_json:
        text = result_text("people", {ITEMS: [asdict(one) for one in found]})
    else:
        rows = [("pseudonyms", "name", "spellings", "documents", "labels")]
        rows += [
            (", ".join(one.pseudonyms), printable(one.name), str(one.spellings), str(one.documents),
             str(one.places))
            for one in found
        ]  # fmt: skip
        text = "\n".join("\t".join(row) for row in rows)
    if out is None:
        say(text)
    else:
        options.write_result(str(out), (text + "\n").encode("utf-8", "backslashreplace"), private=True)


def audit_list(
    *,
    vault: options.VaultUrl,
    project: options.AnyProject = None,
    last: Annotated[int | None, typer.Option(min=0, metavar="N", help="The last N events only.")] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Who did what, when and why; pseudonyms, never names."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        rows = (_event_row(event) for event in opened.audit_events(project=project, limit=last))
        if as_json:
            say_items("audit list", rows, before="lines")
            return
        for row in rows:
            shown = [printable(str(value)) for value in list(row.values())[:9]]
            shown.append(printable(" ".join(row["subjects"])))
            say("\t".join(shown))


def _event_row(event: "AuditEvent") -> dict[str, Any]:
    return {
        "sequence": event.sequence, "at": event.occurred_at.isoformat(), "actor": event.actor,
        "role": event.role, "project": event.project, "action": event.action,
        "outcome": event.outcome, "purpose": event.purpose, "ticket": event.ticket,
        "counts": dict(event.counts), "subjects": list(event.subjects),
    }  # fmt: skip


def audit_verify(
    *,
    vault: options.VaultUrl,
    head: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Heads kept outside the vault.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Prove that the trail is as it was written; with a head from outside, also that its end is there."""
    heads = [signed_head(file) for file in head or ()]
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        count = opened.verify_audit(heads)
    if as_json:
        say_result("audit verify", {"events": count})
    else:
        say(f"{count:,} events, all as they were written")


def signed_head(file: Path) -> "SignedHead":
    """The head in a file that `nymlink audit export-head` wrote.

    Raises:
        SettingsError: it is no such file.
    """
    import msgspec

    from pseudonymizer.errors import SettingsError
    from pseudonymizer.records import SignedHead

    rows = read_jsonl(file, "the lines of the head")
    try:
        (row,) = rows
        return msgspec.convert(row, SignedHead)
    except (ValueError, msgspec.ValidationError):
        raise SettingsError("--head is no head; `nymlink audit export-head` writes them") from None


def audit_head(
    *,
    vault: options.VaultUrl,
    out: options.OutFile = options.STANDARD_STREAM,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
) -> None:
    """The signed end of the trail. Keep it outside: it shows a trail that was cut off later."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        signed = opened.audit_head()
    options.write_result(out, (json.dumps(asdict(signed)) + "\n").encode(), private=False)
