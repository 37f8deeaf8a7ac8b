"""Copies of a vault store as it was before `nymlink vault migrate` changed it, in files beside it.

A copy is known by its name alone, so that one is found whatever happened since it was made. The name of an
unfinished copy ends in `.part`.
"""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pseudonymizer.errors import SettingsError, VaultError
from pseudonymizer.vault.store.raw_files import connection_open
from pseudonymizer.vault.store.stores import StoreAddress, translated

_MARK: Final = ".copy-"
_UNFINISHED: Final = ".part"
_OWNER_ONLY: Final = 0o600


def copies_beside(address: StoreAddress) -> tuple[Path, ...]:
    """The copies that lie beside a store, by name; none for a store in a server."""
    if not address.is_sqlite:
        return ()
    file = address.path.resolve()
    try:
        return tuple(sorted(p for p in file.parent.iterdir() if p.name.startswith(file.name + _MARK)))
    except OSError as error:
        raise VaultError(f"the folder of the vault cannot be read ({type(error).__name__})") from None


def copy_beside(address: StoreAddress, *, at: datetime) -> Path:
    """The file that now holds all that the store held, of mode 0600, on disk when this returns.

    at: the time that is in its name.

    Raises:
        SettingsError: the store is in a server, which its own tools copy.
        VaultError: the copy cannot be made; the store is as it was.
    """
    if not address.is_sqlite:
        raise SettingsError(
            "a vault in PostgreSQL is not copied by this program: make a backup of its schema with pg_dump, "
            "apart from that of the keys, and give --i-have-a-backup"
        )
    file = address.path.resolve()
    try:
        made, unfinished = _begun(file.with_name(f"{file.name}{_MARK}{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"))
    except OSError as error:
        raise _not_copied(error) from None
    try:
        unfinished.chmod(_OWNER_ONLY)
        with (
            translated(),
            connection_open(file),
            closing(sqlite3.connect(file)) as source,
            closing(sqlite3.connect(unfinished)) as target,
        ):
            source.backup(target)
        _on_disk(unfinished)
        unfinished.rename(made)
        _on_disk(made.parent)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise _not_copied(error) from None
    except VaultError:
        unfinished.unlink(missing_ok=True)
        raise
    return made


def _begun(file: Path) -> tuple[Path, Path]:
    """A name that no copy has, and the empty unfinished file of that copy. Another process that copies in the
    same second gets another name.
    """
    number, free = 1, file
    while True:
        unfinished = free.with_name(free.name + _UNFINISHED)
        try:
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
        except FileExistsError:
            pass
        else:
            if not free.exists():  # nobody else finishes under this name while the unfinished file is ours
                return free, unfinished
            unfinished.unlink()
        number += 1
        free = file.with_name(f"{file.name}-{number}")


def _not_copied(error: OSError) -> VaultError:
    return VaultError(
        f"the vault cannot be copied ({type(error).__name__}), so it was not changed; see to space and "
        "rights in its folder"
    )


def _on_disk(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
