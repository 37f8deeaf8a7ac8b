"""What seals a work file: keys of its output folder alone; for folders of earlier versions the old one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from linkage.records import EntityId
from pseudonymizer.crypto import Sealer, key_id_of
from pseudonymizer.errors import UnsealError

FOLDER_ID_BYTES: Final = 16
FIRST_VERSION: Final = 2  # of a folder's key; values of earlier versions of the program name key 1


class Sealing(Protocol):
    """What seals the work file, such as pseudonymizer.crypto.Sealer."""

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes: ...
    def unseal(self, sealed: bytes, *, context: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class FolderKeys:
    """The keys of an output folder by version, and whom a work file must forget: people who were erased while
    the folder was out of reach.
    """

    versions: Mapping[int, bytes] = field(repr=False)
    erased: tuple[EntityId, ...] = ()

    @property
    def newest(self) -> int:
        return max(self.versions)


class FolderSealing:
    """Seals under the newest key of a folder, and opens what any of them sealed."""

    def __init__(self, folder_id: bytes, keys: FolderKeys, before: Sealing) -> None:
        """before: opens values that an earlier version of the program sealed."""
        self._sealers = {version: Sealer(key, key_id=version) for version, key in keys.versions.items()}
        self._newest = self._sealers[keys.newest]
        self._before = before
        self._base = b"work-folder|" + folder_id + b"|"
        self.version = keys.newest

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        return self._newest.seal(plaintext, context=self._base + context)

    def unseal(self, sealed: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for another folder, another context, altered bytes, or a key that is gone."""
        version = key_id_of(sealed)
        if version < FIRST_VERSION:
            return self._before.unseal(sealed, context=context)
        sealer = self._sealers.get(version)
        if sealer is None:
            raise UnsealError("the key that sealed this value was destroyed")
        return sealer.unseal(sealed, context=self._base + context)
