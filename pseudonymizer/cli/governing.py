"""vault roles, settings, split, link-projects: who may do what, and who is who."""

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import asked_names, options
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say
from pseudonymizer.policy import Role

if TYPE_CHECKING:
    from linkage.records import DocumentId
    from pseudonymizer.vault.api import VaultApi

_roles = typer.Typer(help="Who may do what.", no_args_is_help=True, rich_markup_mode=None)
_Who = Annotated[str, typer.Argument(metavar="ACTOR", help="A user of the operating system.")]
_What = Annotated[Role, typer.Argument(metavar="ROLE", help="What each may: docs/reference/vault.md.")]


def add_to(vault: typer.Typer) -> None:
    vault.command("accept-put-back")(accept_put_back)
    _roles.command("give")(give)
    _roles.command("take")(take)
    _roles.command("list")(list_roles)
    _roles.command("mend")(mend)
    vault.add_typer(_roles, name="roles")
    for verb in (settings, merge, split):
        vault.command()(verb)
    vault.command("link-projects")(link_projects)


def give(
    who: _Who,
    role: _What,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Give a role. The first one ends the default in which everyone has all; its giver becomes dpo."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        is_first = not opened.stored_roles()
        opened.give_role(who, role)
        opened.commit()
    if as_json:
        say_result("vault roles give", {"actor": who, "role": str(role)})
        return
    say(f"{printable(who)}: {role}")
    if is_first:
        say(
            "you are dpo, who gives the next; from now on nobody may do more than the roles that he has allow"
        )
        say(
            "make a recovery key (`nymlink vault recovery-key`) and keep it on paper: where roles are "
            "deleted or altered, it alone mends them (`nymlink vault roles mend`); without it only a backup "
            "helps"
        )


def take(
    who: _Who,
    role: _What,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Take a role away."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        opened.take_role(who, role)
        opened.commit()
    if as_json:
        say_result("vault roles take", {"actor": who, "role": str(role)})
    else:
        say(f"{printable(who)}: no longer {role}")


def mend(
    who: _Who,
    *,
    vault: options.VaultUrl,
    recovery_file: Annotated[
        Path, typer.Option("--recovery-file", metavar="FILE", help="The recovery key, as it was shown.")
    ],
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Begin roles anew where they were altered, deleted or put back. ACTOR becomes dpo.

    All roles, requests and limits go. Needs the recovery key, and is on record.
    """
    from pseudonymizer.keyring import RecoveryKey
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.care.mending import mend_roles

    options.refuse_service(vault)
    recovery = RecoveryKey(recovery_file.read_text(encoding="ascii", errors="replace"))
    with Vault.open(vault, recovery, keys_url=keys, actor=actor) as opened:
        dropped = mend_roles(opened, who)
    if as_json:
        say_result("vault roles mend", {"actor": who, "role": str(Role.DPO), "gone": dropped})
        return
    say(f"{printable(who)}: {Role.DPO}; {dropped:,} roles, requests and limits are gone")


def accept_put_back(
    *,
    vault: options.VaultUrl,
    purpose: options.Purpose,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Put on record that an older copy of the vault was put back rightly, so that verify finds it no more."""
    from pseudonymizer.vault.care.mending import accept_put_back

    with options.key_vault_opener(vault, key_file, keys, actor)() as opened:
        accept_put_back(opened, purpose=purpose)
    if as_json:
        say_result("vault accept-put-back", {"on_record": True})
    else:
        say("on record: the older copy of the vault is accepted")


def list_roles(
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Who has which role."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = opened.stored_roles()
    if as_json:
        rows = [{"actor": who, "role": str(role)} for who, role in found]
        say_items("vault roles list", rows, before="list")
    elif not found:
        say("nobody has been given a role, so everyone has all of them")
    else:
        for who, role in found:
            say(f"{printable(who)}\t{role}")


def settings(
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Such as single_approval=false.")
    ] = None,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Show or change how a project's names may be had back; every change is on record. Prints JSON."""
    from pseudonymizer.settings import ProjectSettings

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = opened.project_settings(project)
        if changes:
            found = ProjectSettings.from_mapping(found.to_mapping() | dict(map(_change, changes)))
            opened.change_settings(project, found)
            opened.commit()
    if as_json:
        say_result("vault settings", found.values())
    else:
        say(json.dumps(found.values(), indent=1))


def _change(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter("write each setting as NAME=VALUE, such as retention_days=365")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


_Pseudonyms = Annotated[
    list[str], typer.Argument(metavar="PSEUDONYM", help="As it stands in the texts, such as PERSOON-7KQM3.")
]


def merge(
    pseudonyms: _Pseudonyms,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Say that pseudonyms are one person ("also known as"); each stays what it is in the texts."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        made = opened.merge(project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket)
    if as_json:
        say_result("vault merge", {"links": made})
    else:
        say(f"merged: {made} links are made between the pseudonyms")


def split(
    pseudonyms: _Pseudonyms,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    surface: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="A way of writing the name that is another person's; - reads them from standard input, one "
            "a line, for other users of the machine can see arguments.",
        ),
    ] = None,
    document: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A pseudonymized file in which this pseudonym is the other person, as it "
            "is from now on wherever the original of the file is read again.",
        ),
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Take two people apart: one pseudonym with what is the other person's (a new pseudonym is made for it),
    or several pseudonyms that were said to be one person.
    """
    from pseudonymizer.splits import Part

    if surface == [asked_names.STANDARD_INPUT]:
        surface = asked_names.lines_of_standard_input()
    if (len(pseudonyms) == 1) != bool(surface or document):
        raise typer.BadParameter("give one pseudonym with --surface or --document, or several pseudonyms")
    if len(pseudonyms) > 1:
        with options.vault_opener(vault, key_file, keys, actor)() as either:
            went = either.unmerge(project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket)
        if as_json:
            say_result("vault split", {"links": went})
        else:
            say(f"split: {went} links between the pseudonyms are taken back")
        return
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        doc_ids = [one for file in document or () for one in _stored_documents(opened, project, Path(file))]
        opened.rollback()
        made = opened.split(
            project=project, pseudonym=pseudonyms[0], part=Part(surface or (), doc_ids),
            purpose=purpose, ticket=ticket,
        )  # fmt: skip
    shown = {"pseudonym": made.label, "forms": made.forms, "mentions": made.mentions, "edits": made.edits}
    if as_json:
        say_result("vault split", shown)
    else:
        say("\n".join(f"{name}\t{value}" for name, value in shown.items()))


def _stored_documents(opened: "VaultApi", project: str, file: Path) -> "list[DocumentId]":
    """The ids under which a run may have stored this output, and its source: made from its bytes and its path
    below the output folder, whose beginning nobody knows here. A split takes those that are stored.
    """
    from pseudonymizer.crypto import digest_sha256
    from pseudonymizer.engine.ids import DocumentIds
    from pseudonymizer.engine.way_back import output_id
    from pseudonymizer.errors import SettingsError

    raw, parts = file.read_bytes(), file.resolve().parts[1:]
    if not opened.outputs_among(project, {digest_sha256((raw,))}):
        raise SettingsError("a file given with --document is no output of this project as it was written")
    paths = ["/".join(parts[start:]) for start in range(len(parts))]
    of_file = DocumentIds.of_project(opened, project).of_file
    return [found for path in paths for found in (output_id(opened, project, path, raw), of_file(path))]


def link_projects(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    other: Annotated[str, typer.Option(metavar="NAME", help="The other project.")],
    purpose: options.Purpose,
    out: Annotated[Path, typer.Option(metavar="FILE", help="CSV: left, right, evidence.")],
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    permit: options.Grant = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Which pseudonyms of two projects are one person; pseudonyms only. Granted, and on record in both."""
    from pseudonymizer import crosslinks

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = crosslinks.link_projects(
            opened, project=project, other=other, purpose=purpose, ticket=ticket, grant=permit
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("left", "right", "evidence"))
    writer.writerows((link.left, link.right, link.evidence) for link in found)
    options.write_result(str(out), text.getvalue().encode(), private=True)
    if as_json:
        say_result("vault link-projects", {"links": len(found)})
    else:
        say(f"{len(found):,} links")
