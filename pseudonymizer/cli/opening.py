"""What opens a vault with its key, or connects to a vault service, as command line and environment say."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.api import VaultApi


def key_provider(key_file: Path | None, *, passphrase: bool = False, repeat: bool = False) -> Any:
    """The key file, the one that $NYMLINK_KEY_FILE names, or a passphrase from the terminal.

    Raises:
        KeyUnavailableError: there is neither a file nor a terminal to ask at.
    """
    from pseudonymizer.coredumps import forbid_core_dumps
    from pseudonymizer.errors import KeyUnavailableError
    from pseudonymizer.keyring import PassphraseKey

    forbid_core_dumps()  # before a key is read
    named = key_file or (Path(os.environ["NYMLINK_KEY_FILE"]) if os.environ.get("NYMLINK_KEY_FILE") else None)
    if named is not None and not passphrase:
        return _key_source(str(named))
    if not sys.stdin.isatty():
        raise KeyUnavailableError(
            "no key: give --key-file, or set NYMLINK_KEY_FILE; there is no terminal to ask for a passphrase"
        )
    import getpass

    typed = getpass.getpass("Passphrase of the vault: ")
    if repeat and getpass.getpass("The same again: ") != typed:
        raise KeyUnavailableError("the two passphrases differ, so nothing was made; type the same one twice")
    return PassphraseKey(typed)


def _key_source(named: str) -> Any:
    """A file's key, or that of another source by its prefix.

    Raises:
        KeyUnavailableError: the address or token of a key service is not set.
    """
    from pseudonymizer.errors import KeyUnavailableError
    from pseudonymizer.keyring import EnvironmentKey, FileKey, MountedSecretKey
    from pseudonymizer.keyring.external import OsKeyringKey, TransitKey

    kind, colon, name = named.partition(":")
    if not colon or kind not in {"env", "secret", "keyring", "transit"}:
        return FileKey(Path(named))
    if kind == "env":
        return EnvironmentKey(name)
    if kind == "secret":
        return MountedSecretKey(Path(name))
    if kind == "keyring":
        return OsKeyringKey(name or "vault")
    address, token = os.environ.get("VAULT_ADDR"), os.environ.get("VAULT_TOKEN")
    if not address or not token:
        raise KeyUnavailableError("a key service needs its address in VAULT_ADDR and a token in VAULT_TOKEN")
    return TransitKey(address, token, key_name=name or "nymlink")


def vault_opener(
    url: str, key_file: Path | None, keys_url: str | None, actor: str | None
) -> "Callable[[], AbstractContextManager[VaultApi]]":
    """What opens the vault, the key asked for once; or what connects to a vault service, which has the key
    and knows the caller.

    Raises:
        BadParameter: a key, key store or actor is given for a service.
    """
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.remote.connection import is_service

    if is_service(url):
        if key_file is not None or keys_url is not None or actor is not None:
            raise typer.BadParameter(
                "a vault service has the key and knows the caller: leave out --key-file, --keys and --actor"
            )
        return partial(Vault.connect, url)
    return key_vault_opener(url, key_file, keys_url, actor)


def key_vault_opener(
    url: str, key_file: Path | None, keys_url: str | None, actor: str | None
) -> "Callable[[], AbstractContextManager[Vault]]":
    """What opens the vault itself, for a verb that no service has.

    Raises:
        BadParameter: the address is that of a service.
    """
    from pseudonymizer.vault import Vault

    refuse_service(url)
    return partial(Vault.open, url, key_provider(key_file), keys_url=keys_url, actor=actor, head=head_file())


def head_file() -> Path | None:
    """The file in which the end of the trail is kept, as the environment names it.

    Raises:
        BadParameter: its folder is not there.
    """
    named = os.environ.get("NYMLINK_HEAD")
    if not named:
        return None
    if not Path(named).parent.is_dir():
        raise typer.BadParameter(
            "NYMLINK_HEAD names a file in a folder that is not there; make the folder, or name another file"
        )
    return Path(named)


def refuse_service(url: str) -> None:
    """Raises BadParameter where a verb needs the vault itself, with its key, and got a service's address."""
    from pseudonymizer.vault.remote.connection import is_service

    if is_service(url):
        raise typer.BadParameter(
            "this verb needs the vault itself and its key, and --vault is the "
            "address of a service; give the address of the vault"
        )
