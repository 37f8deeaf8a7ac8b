"""What the vault asks of a key-encryption key (KEK), wherever it lives."""

from collections.abc import Mapping
from typing import Protocol

Parameters = Mapping[str, str | int]


class KeyEncryptionKey(Protocol):
    """An opened KEK. parameters and fingerprint are stored in clear and say nothing about the key."""

    @property
    def kind(self) -> str: ...

    @property
    def parameters(self) -> Parameters: ...

    @property
    def fingerprint(self) -> bytes:
        """16 bytes that only this key gives: tells a wrong key from a damaged store."""
        ...

    def wrap(self, key: bytes, *, context: bytes) -> bytes: ...

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for altered bytes or another context, KeyUnavailableError if it is away."""
        ...


class KeyProvider(Protocol):
    """Where the KEK comes from."""

    @property
    def kind(self) -> str: ...

    def create(self) -> KeyEncryptionKey:
        """The KEK for a new vault; made if the source can make one and has none, never overwritten."""
        ...

    def open(self, parameters: Parameters, /) -> KeyEncryptionKey:
        """The KEK of a vault that stored these parameters.

        Raises:
            KeyUnavailableError: the source is absent or unreadable.
        """
        ...
