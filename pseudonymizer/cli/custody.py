"""vault export-vault, export-keys, import, recovery-key, run-key, serve: where keys and whole vaults go."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.saying import say

_PUBLIC_KEY_BYTES: Final = 32  # X25519
_Bundle = Annotated[Path, typer.Option("--out", metavar="FILE", help="A new file; it is never overwritten.")]


def add_to(vault: typer.Typer) -> None:
    vault.command("export-vault")(export_vault)
    vault.command("export-keys")(export_keys)
    vault.command("import")(import_vault)
    vault.command("recovery-key")(recovery_key)
    vault.command("run-key")(run_key)
    vault.command()(accept)
    vault.command()(serve)


def _passphrase(file: Path | None, *, repeat: bool) -> str:
    """From the first line of a file, or from the terminal."""
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise typer.BadParameter(
                "the file is no text in UTF-8: save it so", param_hint="--passphrase-file"
            ) from None
        return lines[0] if lines else ""
    if not sys.stdin.isatty():
        raise typer.BadParameter("give --passphrase-file, or start it at a terminal")
    import getpass

    typed = getpass.getpass("Passphrase of the export: ")
    if repeat and getpass.getpass("The same again: ") != typed:
        raise typer.BadParameter("the two passphrases differ: type the same one twice")
    return typed


_PassphraseFile = Annotated[
    Path | None,
    typer.Option("--passphrase-file", metavar="FILE", help="Its first line; else the terminal asks."),
]


def export_vault(
    *,
    vault: options.VaultUrl,
    out: _Bundle,
    purpose: options.Purpose,
    passphrase_file: _PassphraseFile = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The whole vault with its keys in one sealed file, to move it to another database."""
    _export(vault, out, purpose, passphrase_file, key_file, keys, actor, as_json=as_json, keys_only=False)


def export_keys(
    *,
    vault: options.VaultUrl,
    out: _Bundle,
    purpose: options.Purpose,
    passphrase_file: _PassphraseFile = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """The key store alone in one sealed file. Keep it apart from backups of the vault."""
    _export(vault, out, purpose, passphrase_file, key_file, keys, actor, as_json=as_json, keys_only=True)


def _export(
    vault: str,
    out: Path,
    purpose: str,
    passphrase_file: Path | None,
    key_file: Path | None,
    keys: str | None,
    actor: str | None,
    *,
    as_json: bool,
    keys_only: bool,
) -> None:
    from pseudonymizer.vault.care.transfer import export_bundle

    with options.key_vault_opener(vault, key_file, keys, actor)() as opened:
        passphrase = _passphrase(passphrase_file, repeat=True)
        bundle = export_bundle(opened, out, passphrase, purpose=purpose, keys_only=keys_only)
    if as_json:
        say_result(
            f"vault export-{'keys' if keys_only else 'vault'}",
            {"rows": dict(bundle.rows), "wants": bundle.wants},
        )
        return
    say(f"{sum(bundle.rows.values()):,} rows exported")
    say(
        f"to use it takes its passphrase and {bundle.wants}: keep that key as long as the export, also after "
        "`nymlink vault rotate kek`"
    )


def import_vault(
    bundle: Annotated[Path, typer.Argument(metavar="FILE", help="From export-vault or export-keys.")],
    *,
    vault: options.VaultUrl,
    passphrase_file: _PassphraseFile = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Make the stores of an export at a new address. Its roles hold: the importer must be keyadmin there."""
    from pseudonymizer.vault.care.transfer import import_bundle

    options.refuse_service(vault)
    made = import_bundle(
        bundle, _passphrase(passphrase_file, repeat=False), vault, keys_url=keys,
        provider=options.key_provider(key_file), actor=actor,
    )  # fmt: skip
    counts = dict(made.rows)
    if as_json:
        say_result("vault import", {"rows": counts})
    else:
        say(f"{sum(counts.values()):,} rows imported")


def recovery_key(
    *,
    vault: options.VaultUrl,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the key; else the terminal.")
    ] = None,
    public: Annotated[
        str | None, typer.Option(metavar="HEX", help="A public key of the organisation; then none is made.")
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
) -> None:
    """A second way in, shown once: keep it on paper. `vault rotate kek --recovery-file` uses it."""
    if public is None and out is None and not sys.stdout.isatty():
        raise typer.BadParameter("the key goes to a terminal or to --out FILE, never to a pipe")
    with options.key_vault_opener(vault, key_file, keys, actor)() as opened:
        made = opened.add_recovery_key(None if public is None else _public_key(public))
    if made is None:
        say("the vault opens with the private half of this key, too")
    elif out is None:
        say(made.text)
    else:
        options.write_result(str(out), (made.text + "\n").encode(), private=True)


def _public_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != _PUBLIC_KEY_BYTES:
        raise typer.BadParameter("a public key is 64 digits and letters from a to f", param_hint="--public")
    return key


def run_key(
    *,
    vault: options.VaultUrl,
    project: options.Project,
    run: Annotated[str, typer.Option(metavar="NAME", help="A name for the run.")],
    hours: Annotated[int, typer.Option(min=1, max=168, metavar="N", help="How long it is good for.")],
    purpose: options.Purpose,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File for the key, for its owner alone.")],
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
) -> None:
    """A key for workers that share nothing (pseudonymizer.runkeys.RunWorker). Prints the run's full name."""
    from pseudonymizer import runkeys

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        made = runkeys.hand_out(opened, project=project, run=run, hours=hours, purpose=purpose, ticket=ticket)
    options.write_result(str(out), (made.to_text() + "\n").encode(), private=True)
    say(made.run)


def accept(
    parcels: Annotated[list[Path], typer.Argument(metavar="PARCEL", help="Sealed files of the workers.")],
    *,
    vault: options.VaultUrl,
    project: options.Project,
    run: Annotated[str, typer.Option(metavar="NAME", help="The run's full name, as run-key printed it.")],
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Take in what workers of a run found, so that their labels lead back. May be repeated."""
    from pseudonymizer import runkeys

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = runkeys.accept(
            opened, project=project, run=run, parcels=[file.read_bytes() for file in parcels]
        )
    if as_json:
        say_result("vault accept", asdict(found))
    else:
        say(f"{found.mentions:,} mentions of {found.people:,} people")


def serve(
    *,
    vault: options.VaultUrl,
    socket: Annotated[
        Path,
        typer.Option(
            "--socket", metavar="PATH", help="Where to listen; its folder is made, for this user alone."
        ),
    ],
    group: Annotated[
        str | None, typer.Option(metavar="NAME", help="A group of this system whose members may connect.")
    ] = None,
    front: Annotated[
        str | None,
        typer.Option(
            "--front-user",
            metavar="USER",
            help="The user as whom `nymlink web` runs: he alone speaks for its accounts (web:NAME), whose "
            "roles count.",
        ),
    ] = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    settings: options.SettingsFile = None,
    link: Annotated[
        bool,
        typer.Option(
            "--link/--no-link", help="Link for callers who may not see names; loads the classifier."
        ),
    ] = True,
    largest_message: Annotated[
        int, typer.Option(min=1, max=1024, metavar="MIB", help="The largest message taken or sent.")
    ] = 64,
    log_level: options.Level = options.LogLevel.INFO,
) -> None:
    """Run the vault as a process of its own: only it has the key. Others use --vault unix:PATH."""
    import signal

    from pseudonymizer.service import VaultService
    from pseudonymizer.service.callers import Callers, front_user
    from pseudonymizer.service.hardening import harden
    from pseudonymizer.service.server import HeldKey, Limits
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.wire import MEBIBYTE

    options.refuse_service(vault)
    options.start_logging(log_level)
    front_id = None if front is None else front_user(front)
    done = harden()  # before the key is read
    held = HeldKey(options.key_provider(key_file))
    head = options.head_file()
    service = VaultService(
        socket,
        lambda caller: Vault.open(vault, held, keys_url=keys, actor=caller, head=head),
        linker=options.load_linker(options.linkage_settings(settings, None)) if link else None,
        callers=Callers(group, front=front_id),
        hardening=done,
        limits=Limits(largest_message * MEBIBYTE),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    service.serve(ready=lambda: say(json.dumps({"listening": True, **asdict(done)}), err=True))
