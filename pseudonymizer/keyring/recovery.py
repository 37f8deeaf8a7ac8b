"""The recovery key: a second way in, kept on paper or by the organisation.

The vault stores its public half only, so that keys made later are wrapped for it too, while nobody who holds
the vault and the daily key can open anything with it.
"""

import base64
import binascii
import hashlib
import os
from dataclasses import dataclass, field
from typing import Final

from pseudonymizer.crypto import Entropy, new_key, recovery_public_key, seal_for, unseal_with
from pseudonymizer.errors import KeyUnavailableError
from pseudonymizer.keyring.protocol import Parameters

_GROUP: Final = 4


class RecoveryPublicKek:
    """Wraps only: for a vault that is opened by its daily key."""

    def __init__(self, public: bytes) -> None:
        self._public = public

    @property
    def kind(self) -> str:
        return "recovery"

    @property
    def parameters(self) -> Parameters:
        return {"public": self._public.hex()}

    @property
    def fingerprint(self) -> bytes:
        return hashlib.sha256(b"nymlink/recovery/" + self._public).digest()[:16]

    def wrap(self, key: bytes, *, context: bytes) -> bytes:
        return seal_for(self._public, key, context=context, key_id=0)

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        raise KeyUnavailableError(
            f"a public key cannot unwrap ({len(wrapped)}, {len(context)} bytes); give the printed one"
        )


class _RecoveryKek(RecoveryPublicKek):
    def __init__(self, private: bytes) -> None:
        super().__init__(recovery_public_key(private))
        self._private = private

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        return unseal_with(self._private, wrapped, context=context, key_id=0)


@dataclass(frozen=True, slots=True)
class RecoveryKey:
    """The printed recovery key, as `nymlink vault recovery-key` shows it once."""

    text: str = field(repr=False)

    @property
    def kind(self) -> str:
        return "recovery"

    def create(self) -> RecoveryPublicKek:
        return _RecoveryKek(_parse(self.text))

    def open(self, _parameters: Parameters, /) -> RecoveryPublicKek:
        return _RecoveryKek(_parse(self.text))

    @property
    def public(self) -> bytes:
        return recovery_public_key(_parse(self.text))


def new_recovery_key(entropy: Entropy = os.urandom) -> RecoveryKey:
    private = new_key(entropy)
    checked = private + hashlib.sha256(private).digest()[:3]
    text = base64.b32encode(checked).decode().rstrip("=")
    return RecoveryKey("-".join(text[i : i + _GROUP] for i in range(0, len(text), _GROUP)))


def _parse(text: str) -> bytes:
    letters = "".join(text.split()).replace("-", "").upper().replace("0", "O").replace("1", "I")
    try:
        checked = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except (ValueError, binascii.Error):
        checked = b""
    if len(checked) != 35 or hashlib.sha256(checked[:32]).digest()[:3] != checked[32:]:
        raise KeyUnavailableError("the recovery key is mistyped: its check letters do not fit")
    return checked[:32]
