"""Keys of output folders in the key store: one for each work file, and two while one is sealed anew.

Beside the key is sealed what the vault knows of the folder. A row that is deleted leaves nothing that opens
the folder's work file; one that was altered opens nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from linkage.codec import Codec, Row
from pseudonymizer.crypto import key_id_of, pad, unpad
from pseudonymizer.schema import work_key
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.migration import WITH_FOLDERS
from pseudonymizer.vault.store.projectkeys import ProjectKeys


class FolderFacts(Row, array_like=True, frozen=True):
    """What is sealed. place: the folder, as the system writes paths, which may name somebody. used_on: the
    day on which the work file was last opened, as days since 1970-01-01. is_remote: the place was told over
    the socket. erased: numbers of people whom the work file may still hold.
    """

    key: bytes
    place: bytes
    actor: str
    used_on: int
    is_remote: bool = False
    erased: tuple[int, ...] = ()


_FACTS: Final = Codec(FolderFacts)


@dataclass(frozen=True, slots=True)
class WorkKey:
    """One key of a folder."""

    folder_id: bytes
    version: int
    facts: FolderFacts = field(repr=False)


def work_keys(vault: VaultCore, keys: ProjectKeys, folder_id: bytes | None = None) -> list[WorkKey]:
    """The keys of a project's folders, or of one of them, by folder and version.

    Raises:
        UnsealError: a row was altered.
    """
    if not vault.key_store_has(WITH_FOLDERS):
        return []
    rows = vault.key_records.rows(
        "SELECT folder_id, version, wrapped FROM work_key WHERE project_id = ? ORDER BY folder_id, version",
        (keys.project_id,),
    )
    found = []
    for stored_id, version, wrapped in rows:
        own = bytes(stored_id)
        if folder_id is None or own == folder_id:
            context = keys.contexts.work_key(own, version)
            plain = unpad(keys.unwrap(bytes(wrapped), context=context))
            found.append(WorkKey(own, int(version), _FACTS.decode(plain)))
    return found


def put_work_key(vault: VaultCore, keys: ProjectKeys, one: WorkKey) -> None:
    """Store a key, in place of one of the same folder and version. Needs VaultCore.begin_keys."""
    wrapped = keys.wrapper.wrap(
        pad(_FACTS.encode(one.facts)), context=keys.contexts.work_key(one.folder_id, one.version)
    )
    drop_work_keys(vault, [one])
    vault.keystore.rows.insert(work_key, [(one.folder_id, one.version, keys.project_id, wrapped)])


def drop_work_keys(vault: VaultCore, some: Sequence[WorkKey]) -> None:
    """Destroy keys. Needs VaultCore.begin_keys."""
    values = [(one.folder_id, one.version) for one in some]
    vault.keystore.rows.delete(work_key, ["folder_id", "version"], values)


def ends_of_work_keys(vault: VaultCore, folder_ids: Collection[bytes]) -> list[bytes]:
    """Bytes of the stored keys of these folders that must be found nowhere once they are destroyed."""
    rows = vault.key_records.rows("SELECT folder_id, wrapped FROM work_key")
    return [bytes(wrapped)[-32:] for stored_id, wrapped in rows if bytes(stored_id) in folder_ids]


def rewrap_work_keys(vault: VaultCore, keys: ProjectKeys) -> int:
    """Wrap the keys of a project's folders under its newest wrapping key; returns how many were not. Needs
    VaultCore.begin_keys.
    """
    old = [
        (bytes(folder_id), version)
        for folder_id, version, wrapped in vault.key_records.rows(
            "SELECT folder_id, version, wrapped FROM work_key WHERE project_id = ?", (keys.project_id,)
        )
        if key_id_of(bytes(wrapped)) != keys.active("wrap")
    ]
    again = [one for one in work_keys(vault, keys) if (one.folder_id, one.version) in set(old)]
    for one in again:
        put_work_key(vault, keys, one)
    return len(again)


def with_facts(one: WorkKey, **changes: object) -> WorkKey:
    """The key with other facts."""
    return WorkKey(one.folder_id, one.version, msgspec.structs.replace(one.facts, **changes))
