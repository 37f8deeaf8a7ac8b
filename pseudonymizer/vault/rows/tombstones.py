"""What stays of an erased person: the pseudonym and the day."""

import struct

from pseudonymizer.vault.store.contexts import joined


def tombstone_fields(project_id: int, label: str, day: int) -> bytes:
    return struct.pack(">Qi", project_id, day) + joined(label)
