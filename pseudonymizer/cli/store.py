"""vault ...: the life of a vault."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from pseudonymizer.cli import access, custody, erasing, folders, governing, options
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say

_FOUND_SOMETHING = 1
_AFTER_FINDINGS: Final = (
    "keep this vault as it is, look who could write to it, and put the newest backup back that has none"
)


class Rotation(StrEnum):
    """What rotate renews: the key file, or a project's wrapping, index, token or data keys."""

    KEK = "kek"
    WRAP = "wrap"
    INDEX = "index"
    TOKEN = "token"  # noqa: S105  a kind of key, not a secret
    DATA = "data"


_vault = typer.Typer(help="The life of a vault.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    for verb in (init, status, projects, verify, migrate, rotate, export):
        _vault.command()(verb)
    erasing.add_to(_vault)
    custody.add_to(_vault)
    governing.add_to(_vault)
    folders.add_to(_vault)
    app.add_typer(_vault, name="vault")


def init(
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Ask for a passphrase in place of a key file.")
    ] = False,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Make the stores, and the key file when it is not there; nothing is ever overwritten."""
    from pseudonymizer.vault import Vault

    if passphrase and key_file is not None:
        raise typer.BadParameter("give --key-file or --passphrase, not both")
    provider = options.key_provider(key_file, passphrase=passphrase, repeat=True)
    with Vault.create(vault, provider, keys_url=keys, actor=actor) as made:
        made.commit()
    message = "the vault is made; keep a copy of the key apart from it: without the key nothing comes back"
    if as_json:
        say_result("vault init", {"initialized": True})
    else:
        say(message)


def status(*, vault: options.VaultUrl, keys: options.KeysUrl = None, as_json: options.AsJson = False) -> None:
    """What can be known without a key: whether a vault is there, and its revisions; or what a service tells
    of itself and of the caller.
    """
    from pseudonymizer.vault.remote.client import VaultClient
    from pseudonymizer.vault.remote.connection import is_service
    from pseudonymizer.vault.store.opening import look
    from pseudonymizer.vault.store.stores import store_addresses

    if is_service(vault):
        with VaultClient.connect(vault) as client:
            shown = asdict(client.status)
    else:
        found = look(*store_addresses(vault, keys), any_revision=True)
        shown = {
            "vault": found.vault_id.hex(),
            "revision": found.vault_revision,
            "keys_revision": found.keys_revision,
            "ways_in": len(found.kek_rows),
        }
    if as_json:
        say_result("vault status", shown)
    else:
        say("\n".join(f"{name}\t{value}" for name, value in shown.items()))


def projects(
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The projects of a vault in the order in which they were made, with the style of their pseudonyms."""
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = {name: opened.project_settings(name) for name in opened.projects()}
    if as_json:
        say_items(
            "vault projects", [{"project": name, "style": str(its.style)} for name, its in found.items()]
        )
        return
    for name, its in found.items():
        say(f"{printable(name)}\t{its.style}")
    if not found:
        say("no projects: `nymlink run` makes the first one", err=True)


def verify(
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    head: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Heads of the audit kept outside the vault.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Check everything that is stored. Changes nothing."""
    heads = [access.signed_head(file) for file in head or ()]
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        report = opened.verify(heads)
    if as_json:
        told = {"checked": dict(report.checked), "findings": list(report.findings)}
        say_result("vault verify", told, status=_FOUND_SOMETHING if report.findings else 0)
    else:
        say(", ".join(f"{count:,} {table}" for table, count in report.checked.items()))
        for finding in report.findings:
            say(finding, err=True)
        if report.findings:
            say(f"{len(report.findings):,} findings: {_AFTER_FINDINGS}", err=True)
        else:
            say("nothing is wrong: all of it is as the vault wrote it")
    if report.findings:
        raise typer.Exit(_FOUND_SOMETHING)


def migrate(
    *,
    vault: options.VaultUrl,
    keys: options.KeysUrl = None,
    reseal: Annotated[
        bool,
        typer.Option("--reseal", help="Also write what is sealed in an older form anew. Needs the key."),
    ] = False,
    key_file: options.KeyFile = None,
    has_backup: Annotated[
        bool,
        typer.Option(
            "--i-have-a-backup", help="On PostgreSQL, which this program does not copy: you have copied it."
        ),
    ] = False,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Bring both stores to the revision that this program needs. Needs no key.

    The vault is copied first, to a file beside it. There is no way down: earlier programs open it no more.
    With --reseal everything that is sealed in an older form is written anew; cut off, it goes on when it is
    started again.
    """
    from pseudonymizer.vault.store.migration import migrate as migrate_stores
    from pseudonymizer.vault.store.opening import look
    from pseudonymizer.vault.store.stores import store_addresses

    if not reseal and (key_file is not None or actor is not None):
        raise typer.BadParameter("the key and the actor are for --reseal; without it, no key is needed")
    options.refuse_service(vault)
    addresses = store_addresses(vault, keys)
    look(*addresses, any_revision=True)  # says what is wrong before anything changes
    now = datetime.now(UTC)
    done = migrate_stores(*addresses, at=now, has_backup=has_backup)
    copy, rows = done.copy, 0
    if reseal:
        from pseudonymizer.vault.care import reseal as resealing

        with options.key_vault_opener(vault, key_file, keys, actor)() as opened:
            has_copy = copy is not None or (has_backup and not addresses[0].is_sqlite)
            rows, copied = resealing.copy_and_reseal(opened, at=now, has_copy=has_copy)
            copy = copy or copied
    name = None if copy is None else copy.name
    if as_json:
        shown = {"revisions": done.revisions, "copy": name}
        say_result("vault migrate", {**shown, "rows": rows} if reseal else shown)
        return
    say(f"the stores have revisions {list(done.revisions)}; older programs open it no more")
    if reseal:
        say(f"{rows:,} rows are sealed in the present form")
    if name is not None:
        say(
            f"the vault as it was is kept beside it in {name}: delete it once the vault does what it should. "
            "Until then it holds sealed rows of whoever is erased, and every receipt of an erasure says so"
        )


def rotate(
    what: Annotated[
        Rotation, typer.Argument(metavar="WHAT", help="kek: a new key file; the others: a project's keys.")
    ],
    *,
    vault: options.VaultUrl,
    project: options.AnyProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    new_key_file: Annotated[
        Path | None,
        typer.Option("--new-key-file", metavar="FILE", help="With kek: the new key, made when absent."),
    ] = None,
    recovery_file: Annotated[
        Path | None,
        typer.Option(
            "--recovery-file", metavar="FILE", help="With kek: a recovery key, where the key is lost."
        ),
    ] = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Renew keys. Cut off, it goes on when it is started again."""
    from pseudonymizer.keyring import RecoveryKey
    from pseudonymizer.records import Rotated
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.care.rotation import rotate_kek

    if (what is Rotation.KEK) != (new_key_file is not None):
        raise typer.BadParameter("--new-key-file goes with `rotate kek`, and `rotate kek` needs it")
    if recovery_file is not None and what is not Rotation.KEK:
        raise typer.BadParameter("a recovery key goes with `rotate kek` only: leave it out")
    if what is Rotation.KEK:
        options.refuse_service(vault)
        if recovery_file is not None:
            found = RecoveryKey(recovery_file.read_text(encoding="ascii", errors="replace"))
            whole: Callable[[], AbstractContextManager[Vault]] = partial(
                Vault.open, vault, found, keys_url=keys, actor=actor
            )
        else:
            whole = options.key_vault_opener(vault, key_file, keys, actor)
        with whole() as with_keys:
            before = with_keys.keystore.daily_key
            rows = rotate_kek(with_keys, options.key_provider(new_key_file))
            now = with_keys.keystore.daily_key
        if not as_json:
            say(f"the vault opens with {now}; earlier exports and backups need {before}: keep it with them")
    else:
        with options.vault_opener(vault, key_file, keys, actor)() as opened:
            chosen = (project,) if project is not None else opened.projects()
            rows = sum(opened.rotate(Rotated[what.name], project_name=name) for name in chosen)
    if as_json:
        say_result("vault rotate", {"rows": rows})
    else:
        say(f"{rows:,} rows are under new keys")


def export(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    out: Annotated[Path, typer.Option(metavar="FILE", help="With suffix .csv, .parquet or .graphml.")],
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Links between pseudonyms with probability and kind, without names: for analysis of networks."""
    from pseudonymizer.vault.care.links import write_links

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        count = write_links(opened.pseudonym_links(project), out)
    if as_json:
        say_result("vault export", {"links": count})
    else:
        say(f"{count:,} links written")
