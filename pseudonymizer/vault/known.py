"""The known people of a project, kept in memory for as long as nothing changes them.

The revision tells: a digest over the counts (see checkpoints) of every table that known people are read from,
over the unfinished erasures, and over the generation of the keys. Each writing of a count is sealed under a
fresh nonce, so that no two states have one revision, not even where an older copy of a store was put back.
"""

import itertools
import threading
from typing import Final

from sqlalchemy import func, select

from pseudonymizer.crypto import digest_sha256
from pseudonymizer.errors import KeyDestroyedError, VaultDamagedError
from pseudonymizer.records import Known
from pseudonymizer.schema import entity, job
from pseudonymizer.vault import erasure
from pseudonymizer.vault.rows import people
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.ownrows import OWN
from pseudonymizer.vault.store.projectkeys import ProjectKeys

TABLES: Final = ("edit", "entity", "form", "link")  # what people.known_identities reads of the vault
_COUNTS: Final = (
    "SELECT project_id, table_name, revision, sealed FROM checkpoint "
    "WHERE (project_id = ? AND table_name IN (?, ?, ?, ?)) OR (project_id = ? AND table_name = ?) "
    "ORDER BY project_id, table_name"
)


def revision_of(vault: VaultCore, keys: ProjectKeys) -> bytes:
    """The revision of what is committed now."""
    counts = vault.store.rows(_COUNTS, (keys.project_id, *TABLES, OWN, job.name))
    generation = vault.keystore.generation()
    parts = [generation.to_bytes(8, "big")]
    for project_id, table, revision, sealed in counts:
        parts += [f"{project_id} {table} {revision}".encode(), bytes(sealed)]
    return digest_sha256(parts)


class KnownPeople:
    """Known people by project, each at one revision. Several vaults of one process may share it.

    It is empty once the last vault that uses it is closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._kept: dict[int, Known] = {}
        self._uncommitted = itertools.count()

    def used_by_one_more(self) -> None:
        with self._lock:
            self._users += 1

    def used_by_one_less(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users <= 0:
                self._kept.clear()

    def forget(self, project_id: int) -> None:
        with self._lock:
            self._kept.pop(project_id, None)

    def of(self, vault: VaultCore, keys: ProjectKeys) -> Known:
        """The known people of a project as they are now, read anew only if something changed."""
        revision = revision_of(vault, keys)
        if vault.checkpoints.changes(keys.project_id, TABLES):
            # What is not committed may be taken back: it is not kept, and no revision of it is met again.
            return _read(vault, keys, digest_sha256((revision, str(next(self._uncommitted)).encode())))
        with self._lock:
            kept = self._kept.get(keys.project_id)
            if kept is not None and kept.revision == revision:
                return kept
            self._kept.pop(keys.project_id, None)
        del kept  # before others take its place: nobody who was erased stays in memory
        found = _read_committed(vault, keys)
        with self._lock:
            if self._users > 0:
                self._kept[keys.project_id] = found
        return found


def _read_committed(vault: VaultCore, keys: ProjectKeys) -> Known:
    """The people of two stores that other processes write to meanwhile."""
    if not vault.has_open_work():
        erasure.resume(vault)  # of a process that was killed: this vault may stay open for days
        keys = vault.keys_of(keys.name)
    try:
        return _read(vault, keys, revision_of(vault, keys))
    except (KeyDestroyedError, VaultDamagedError):
        if vault.store.in_transaction:
            raise
    # Keys are committed before rows: between the two a person has one without the other. As the only writer
    # we see both or neither.
    vault.begin()
    try:
        keys = vault.keys_of(keys.name)
        return _read(vault, keys, revision_of(vault, keys))
    finally:
        vault.store.rollback()


def _read(vault: VaultCore, keys: ProjectKeys, revision: bytes) -> Known:
    # Both before the people: whoever comes in between counts as not seen, and is found by the blind index.
    highest = vault.store.execute(
        select(func.max(entity.c.entity_id)).where(entity.c.project_id == keys.project_id)
    ).scalar()
    return Known(people.known_identities(vault, keys), highest or 0, revision)
