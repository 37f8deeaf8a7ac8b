"""KEKs that live outside: in the keyring of the operating system, or in a key service that wraps for us.

Both need an extra: `nymlink[keyring]` and `nymlink[hvac]`.
"""

import base64
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from pseudonymizer.crypto import Entropy, digest_sha256, equal_in_constant_time, new_key
from pseudonymizer.errors import KeyUnavailableError, UnsealError, VaultDamagedError
from pseudonymizer.keyring.local import LocalKek, decode_key, encode_key
from pseudonymizer.keyring.protocol import Parameters

_SERVICE: Final = "nymlink"
_LENGTHS: Final = frozenset({32, 64})  # bytes of the keys that are wrapped
# The record of the key lies where somebody may write who has no key: it must not lead to another place of the
# service, with the user's token.
_NAME: Final = re.compile(r"[\w.-]+")
_MOUNT: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*")


@dataclass(frozen=True, slots=True)
class OsKeyringKey:
    """A key in the keyring of the user's session (Secret Service, Keychain, Credential Locker).

    backend is any object with the get_password and set_password of the keyring library; by default that
    library.
    """

    account: str = "vault"
    backend: Any = field(default=None, repr=False)
    entropy: Entropy = field(default=os.urandom, repr=False)

    @property
    def kind(self) -> str:
        return "os-keyring"

    def create(self) -> LocalKek:
        if self._stored() is None:  # an existing key is used, never overwritten
            made = encode_key(new_key(self.entropy))
            with _translated():
                self._backend().set_password(_SERVICE, self.account, made)
        return self.open({})  # what the keyring kept: some keep nothing, without a word

    def open(self, _parameters: Parameters, /) -> LocalKek:
        text = self._stored()
        if text is None:
            raise KeyUnavailableError("the keyring of the system holds no key of this vault for this user")
        return LocalKek(decode_key(text), kind=self.kind)

    def _stored(self) -> str | None:
        backend = self._backend()
        with _translated():
            found = backend.get_password(_SERVICE, self.account)
            return None if found is None else str(found)

    def _backend(self) -> Any:
        if self.backend is not None:
            return self.backend
        try:
            import keyring
        except ImportError:
            raise KeyUnavailableError("the keyring of the system needs the extra nymlink[keyring]") from None
        return keyring


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of a keyring as ours: every one has its own, and some tell what was to be stored."""
    try:
        yield
    except Exception as error:  # noqa: BLE001
        raise KeyUnavailableError(f"the keyring of the system failed ({type(error).__name__})") from None


class TransitKek:
    """A key inside HashiCorp Vault or OpenBao: it wraps and unwraps there and never leaves it."""

    def __init__(self, client: Any, *, mount: str, key_name: str) -> None:
        self._transit = client.secrets.transit
        self._mount, self._key_name = mount, key_name

    @property
    def kind(self) -> str:
        return "transit"

    @property
    def parameters(self) -> Parameters:
        return {"mount": self._mount, "key_name": self._key_name}

    @property
    def fingerprint(self) -> bytes:
        # The key cannot be seen, so the place stands for it; the check value tells whether it is the right
        # one.
        return digest_sha256((b"nymlink/transit", self._mount.encode(), self._key_name.encode()))[:16]

    def wrap(self, key: bytes, *, context: bytes) -> bytes:
        """As KeyEncryptionKey.wrap. What the service gives is opened again before it is stored: under a wrap
        that opens to another key this one would be lost.
        """
        try:
            answer = self._ask(
                self._transit.encrypt_data,
                "ciphertext",
                plaintext=base64.b64encode(key).decode(),
                associated_data=base64.b64encode(context).decode(),
            )
            wrapped = answer.encode("ascii")
            if equal_in_constant_time(self.unwrap(wrapped, context=context), key):
                return wrapped
        except (_RefusedByServiceError, UnsealError, ValueError):
            pass
        raise KeyUnavailableError(
            "the key service wraps a key and does not open it again as it was: nothing was stored; is a key "
            "of this name there, of type aes256-gcm96?"
        )

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        try:
            answer = self._ask(
                self._transit.decrypt_data,
                "plaintext",
                ciphertext=wrapped.decode("ascii"),
                associated_data=base64.b64encode(context).decode(),
            )
            found = base64.b64decode(answer, validate=True)
        except (_RefusedByServiceError, ValueError):
            raise UnsealError("the key service refuses a wrapped key: altered, or of another vault") from None
        if len(found) not in _LENGTHS:
            raise UnsealError("the key service opens a wrapped key as something that is no key")
        return found

    def _ask(self, call: Any, wanted: str, **values: str) -> str:
        """One text of the answer of the service."""
        from hvac import exceptions

        try:
            return str(call(name=self._key_name, mount_point=self._mount, **values)["data"][wanted])
        except exceptions.InvalidRequest:
            raise _RefusedByServiceError from None
        except exceptions.Forbidden:
            raise KeyUnavailableError(
                "the key service refuses this token: renew it, or fix its policy"
            ) from None
        except (exceptions.VaultError, OSError, LookupError, TypeError, ValueError) as error:
            raise KeyUnavailableError(f"the key service does not answer ({type(error).__name__})") from None


class _RefusedByServiceError(Exception):
    """The service knows the key and refuses this ciphertext."""


@dataclass(frozen=True, slots=True)
class TransitKey:
    """The transit engine of HashiCorp Vault or OpenBao; the key must exist there (type aes256-gcm96).

    The token needs `update` on transit/encrypt/KEY and transit/decrypt/KEY, and nothing else.
    """

    address: str
    token: str = field(repr=False)
    key_name: str = "nymlink"
    mount: str = "transit"
    namespace: str | None = None
    timeout_seconds: int = 10

    @property
    def kind(self) -> str:
        return "transit"

    def create(self) -> TransitKek:
        return self.open({"mount": self.mount, "key_name": self.key_name})

    def open(self, parameters: Parameters, /) -> TransitKek:
        try:
            import hvac
        except ImportError:
            raise KeyUnavailableError("a key service needs the extra nymlink[hvac]") from None
        place = {name: str(parameters.get(name, "")) for name in ("mount", "key_name")}
        is_path = _MOUNT.fullmatch(place["mount"]) and _NAME.fullmatch(place["key_name"])
        if not is_path or ".." in "".join(place.values()):
            raise VaultDamagedError("the record of the vault's key names no key of a key service")
        client = hvac.Client(
            url=self.address, token=self.token, namespace=self.namespace, timeout=self.timeout_seconds
        )
        return TransitKek(client, **place)
