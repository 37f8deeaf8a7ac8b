"""KEKs that live outside: in the keyring of the operating system, or in a key service that wraps for us.

Both need an extra: `nymlink[keyring]` and `nymlink[hvac]`.
"""

import base64
import os
from dataclasses import dataclass, field
from typing import Any, Final

from pseudonymizer.crypto import Entropy, digest_sha256, new_key
from pseudonymizer.errors import KeyUnavailableError, UnsealError
from pseudonymizer.keyring.local import LocalKek, decode_key, encode_key
from pseudonymizer.keyring.protocol import Parameters

_SERVICE: Final = "nymlink"


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
        backend = self._backend()
        if backend.get_password(_SERVICE, self.account) is None:  # an existing key is used, never overwritten
            backend.set_password(_SERVICE, self.account, encode_key(new_key(self.entropy)))
        return self.open({})

    def open(self, _parameters: Parameters, /) -> LocalKek:
        try:
            text = self._backend().get_password(_SERVICE, self.account)
        except Exception as error:  # noqa: BLE001  every backend has its own errors
            raise KeyUnavailableError(f"the keyring of the system failed ({type(error).__name__})") from None
        if text is None:
            raise KeyUnavailableError("the keyring of the system holds no key of this vault for this user")
        return LocalKek(decode_key(text), kind=self.kind)

    def _backend(self) -> Any:
        if self.backend is not None:
            return self.backend
        try:
            import keyring
        except ImportError:
            raise KeyUnavailableError("the keyring of the system needs the extra nymlink[keyring]") from None
        return keyring


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
        answer = self._ask(
            self._transit.encrypt_data,
            plaintext=base64.b64encode(key).decode(),
            associated_data=base64.b64encode(context).decode(),
        )
        return str(answer["ciphertext"]).encode("ascii")

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        try:
            answer = self._ask(
                self._transit.decrypt_data,
                ciphertext=wrapped.decode("ascii"),
                associated_data=base64.b64encode(context).decode(),
            )
            return base64.b64decode(answer["plaintext"], validate=True)
        except (_RefusedByServiceError, ValueError):
            raise UnsealError("the key service refuses a wrapped key: altered, or of another vault") from None

    def _ask(self, call: Any, **values: str) -> Any:
        from hvac import exceptions

        try:
            return call(name=self._key_name, mount_point=self._mount, **values)["data"]
        except exceptions.InvalidRequest:
            raise _RefusedByServiceError from None
        except exceptions.Forbidden:
            raise KeyUnavailableError(
                "the key service refuses this token: renew it, or fix its policy"
            ) from None
        except (exceptions.VaultError, OSError, KeyError) as error:
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
        client = hvac.Client(
            url=self.address, token=self.token, namespace=self.namespace, timeout=self.timeout_seconds
        )
        return TransitKek(client, mount=str(parameters["mount"]), key_name=str(parameters["key_name"]))
