"""vault ...: the life of a vault."""

import json
from typing import Annotated

import typer

from pseudonymizer.cli import options

_vault = typer.Typer(help="The life of a vault.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    _vault.command()(init)
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
    typer.echo(json.dumps({"initialized": True}) if as_json else message)
