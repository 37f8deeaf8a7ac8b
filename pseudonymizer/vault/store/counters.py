"""The highest numbers that were ever given, kept in the key store beside what the vault's own rows say.

A row that is gone, or an older copy of the vault, forgets its number; whoever counts asks both stores. The
name of the project is hashed, so that it keeps its numbers where an older vault makes the project again.
"""

import struct
from enum import StrEnum
from typing import Final

from sqlalchemy import select

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.schema import counter
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.keystore import KeyStore
from pseudonymizer.vault.store.ownrows import OwnRows

WHOLE_VAULT: Final = ""  # instead of a project's name, which is never empty
_NUMBER: Final = struct.Struct(">Q")


class Counted(StrEnum):
    """What is counted."""

    ENTITY = "entity"  # over the whole vault
    ERASURES = "erasures"  # finished ones of the whole vault; an older copy of the key store knows fewer
    TAG = "tag"
    SURROGATE = "surrogate"  # labels of the vault, living and erased, whose words the key store has
    CODE_LENGTH = "code-length"  # letters of the codes that the project gives now
    CODE = "code"  # the first number of this length that was not given
    CODE_IMPORTS = "code-imports"  # imports of the vault when codes were last drawn
    CODE_TOMBSTONES = "code-tombstones"  # tombstones of the project by then


class Counters:
    """Reads and raises them, in the caller's unit of work."""

    def __init__(self, keystore: KeyStore, own: OwnRows) -> None:
        self._key_records, self._key_rows, self._own = keystore.store, keystore.rows, own

    def value(self, project: str, counted: Counted) -> int:
        """The number stored; 0 where there is none.

        Raises:
            VaultDamagedError: the row was altered.
        """
        tag = self._tag(project, counted)
        rows = self._key_records.rows("SELECT highest, binding FROM counter WHERE tag = ?", (tag,))
        if not rows:
            return 0
        ((highest, binding),) = rows
        if bytes(binding) != self._binding(tag, highest):
            raise VaultDamagedError("a counter of the key store was altered; run `nymlink vault verify`")
        return int(highest)

    def raise_to(self, project: str, counted: Counted, number: int) -> None:
        """Store number, unless a higher one is stored. Needs VaultCore.begin_keys."""
        if number > self.value(project, counted):
            self.store(project, counted, number)

    def store(self, project: str, counted: Counted, number: int) -> None:
        """Store number in place of what was stored. Needs VaultCore.begin_keys."""
        tag = self._tag(project, counted)
        self._key_rows.put(counter, (tag, number, self._binding(tag, number)))

    def findings(self) -> tuple[int, list[str]]:
        """The number of counters, and what is wrong with them."""
        rows = self._key_records.execute(select(counter)).all()
        bad = sum(bytes(row.binding) != self._binding(bytes(row.tag), row.highest) for row in rows)
        return len(rows), [f"{bad} counters of the key store were altered or moved"] if bad else []

    def _tag(self, project: str, counted: Counted) -> bytes:
        return self._own.tag("counter", joined(project, counted))

    def _binding(self, tag: bytes, number: int) -> bytes:
        return self._own.tag("counter-row", tag + _NUMBER.pack(number))
