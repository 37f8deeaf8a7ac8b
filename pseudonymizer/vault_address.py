"""Opens a vault by its address: a file, a database, or a vault service."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pseudonymizer.errors import KeyUnavailableError
from pseudonymizer.keyring import FileKey, KeyProvider
from pseudonymizer.vault.remote.connection import is_service
from pseudonymizer.vault.store.surroundings import Options

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


def open_vault(
    place: str | Path, key: KeyProvider | Path | None = None, **options: Unpack[Options]
) -> "VaultApi":
    """The open vault at a path, a URL (sqlite:///FILE, postgresql+psycopg://...) or a service (unix:PATH).

    key: opens the vault, or is the path of a key file; None for a service, which has the key.

    Raises:
        VaultError: in one of its subclasses; the message says what to do.
    """
    from pseudonymizer.vault import Vault

    if is_service(place):
        return Vault.connect(place)
    if key is None:
        raise KeyUnavailableError("no key: a vault that is no service needs one, such as a key file")
    return Vault.open(place, FileKey(key) if isinstance(key, Path) else key, **options)
