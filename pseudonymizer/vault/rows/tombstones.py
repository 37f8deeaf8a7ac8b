"""What stays of an erased person: the pseudonym and the day."""

import struct
from collections.abc import Iterator

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.vault.rows.entities import DAMAGED_ROW
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys


def tombstone_fields(project_id: int, label: str, day: int) -> bytes:
    return struct.pack(">Qi", project_id, day) + joined(label)


def erased_of(vault: VaultCore, keys: ProjectKeys) -> Iterator[str]:
    """The labels of all erased people of a project."""
    bind = keys.binder("tombstone").tag
    for label, day, binding in vault.store.rows(
        "SELECT label, erased_on, binding FROM tombstone WHERE project_id = ?", (keys.project_id,)
    ):
        if bind(tombstone_fields(keys.project_id, label, day)) != bytes(binding):
            raise VaultDamagedError(DAMAGED_ROW.format(table="tombstone"))
        yield label
