"""KEKs that this process holds: from a key file, a variable, a mounted secret or a passphrase."""

import base64
import binascii
import os
import stat
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from linkage.errors import why_unread
from pseudonymizer.crypto import (
    KEY_BYTES,
    Entropy,
    KeyWrapper,
    derive_key,
    mac_sha256,
    new_key,
    passphrase_key,
)
from pseudonymizer.errors import KeyUnavailableError, WrongKeyError
from pseudonymizer.keyring.protocol import Parameters

_PREFIX: Final = "nymlink-key-1"
MIN_PASSPHRASE: Final = 12
_ARGON2_LIMITS: Final = {"memory_kib": (8, 4 << 20), "passes": (1, 64), "lanes": (1, 64)}


class LocalKek:
    """A KEK as bytes in this process; wraps with AES-SIV."""

    def __init__(self, key: bytes, *, kind: str, parameters: Parameters | None = None) -> None:
        self._wrapper = KeyWrapper(derive_key(key, b"nymlink/kek/wrap"), key_id=0)
        self._fingerprint = mac_sha256(key, b"nymlink/kek/fingerprint")[:16]
        self._kind = kind
        self._parameters: Parameters = dict(parameters or {})

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def parameters(self) -> Parameters:
        return self._parameters

    @property
    def fingerprint(self) -> bytes:
        return self._fingerprint

    def wrap(self, key: bytes, *, context: bytes) -> bytes:
        return self._wrapper.wrap(key, context=context)

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        return self._wrapper.unwrap(wrapped, context=context)


def encode_key(key: bytes) -> str:
    """One line: what a key file holds. The check digits tell a cut-off file from a wrong key."""
    return f"{_PREFIX} {base64.urlsafe_b64encode(key).decode()} {zlib.crc32(key):08x}"


def decode_key(text: str) -> bytes:
    """The key of encode_key's line, or of 64 hexadecimal digits as other tools make them.

    Raises:
        KeyUnavailableError: if the text is neither, or was cut off.
    """
    words = text.split()
    try:
        if len(words) == 1 and len(words[0]) == 2 * KEY_BYTES:
            return bytes.fromhex(words[0])
        if len(words) == 3 and words[0] == _PREFIX:
            key = base64.b64decode(words[1].encode(), altchars=b"-_", validate=True)
            if len(key) == KEY_BYTES and int(words[2], 16) == zlib.crc32(key):
                return key
    except (ValueError, binascii.Error):
        pass
    raise KeyUnavailableError(
        f"the key source holds no key: expected one line '{_PREFIX} <key> <check>' or 64 hexadecimal digits"
    )


@dataclass(frozen=True, slots=True)
class FileKey:
    """A key file of mode 0600, made by create if there is none."""

    path: Path | str = field(repr=False)
    entropy: Entropy = field(default=os.urandom, repr=False)

    @property
    def kind(self) -> str:
        return "file"

    def create(self) -> LocalKek:
        path = Path(self.path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            handle = os.open(path, flags, 0o600)
        except FileExistsError:
            return self.open({})  # an existing key is used, never overwritten
        except OSError as error:
            raise KeyUnavailableError(
                f"the key file cannot be made: {os.strerror(error.errno or 0)}"
            ) from None
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(encode_key(new_key(self.entropy)) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        return self.open({})

    def open(self, _parameters: Parameters, /) -> LocalKek:
        path = Path(self.path)
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode):
                raise KeyUnavailableError(
                    "the key file is not a regular file; use a mounted secret for other sources"
                )
            if mode & 0o077:
                raise KeyUnavailableError(
                    f"the key file has mode {stat.S_IMODE(mode):04o}, so others may read it; set it to 0600"
                )
            text = path.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise KeyUnavailableError(
                f"the key file cannot be read ({why_unread(error)}); name it with --key-file or "
                "NYMLINK_KEY_FILE, or open the vault with its recovery key"
            ) from None
        return LocalKek(decode_key(text), kind=self.kind)


@dataclass(frozen=True, slots=True)
class MountedSecretKey:
    """A file that an orchestrator mounts, with whatever mode it gives; never made here."""

    path: Path | str = field(repr=False)

    @property
    def kind(self) -> str:
        return "secret"

    def create(self) -> LocalKek:
        return self.open({})

    def open(self, _parameters: Parameters, /) -> LocalKek:
        try:
            return LocalKek(decode_key(Path(self.path).read_text(encoding="ascii")), kind=self.kind)
        except (OSError, UnicodeDecodeError) as error:
            raise KeyUnavailableError(f"the mounted secret cannot be read ({why_unread(error)})") from None


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key in an environment variable. The mapping is handed in; nothing is read at import."""

    variable: str = "NYMLINK_KEY"
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    @property
    def kind(self) -> str:
        return "environment"

    def create(self) -> LocalKek:
        return self.open({})

    def open(self, _parameters: Parameters, /) -> LocalKek:
        text = self.environment.get(self.variable)
        if text is None:
            raise KeyUnavailableError(f"the environment variable {self.variable} is not set")
        return LocalKek(decode_key(text), kind=self.kind)


@dataclass(frozen=True, slots=True)
class PassphraseKey:
    """Argon2id over a passphrase; its parameters and salt are stored with the vault."""

    passphrase: str = field(repr=False)
    memory_kib: int = 64 * 1024
    passes: int = 3
    lanes: int = 4
    entropy: Entropy = field(default=os.urandom, repr=False)

    @property
    def kind(self) -> str:
        return "passphrase"

    def create(self) -> LocalKek:
        if len(self.passphrase) < MIN_PASSPHRASE:
            raise KeyUnavailableError(
                f"the passphrase has fewer than {MIN_PASSPHRASE} characters; take several words or a key file"
            )
        return self._derive(
            {
                "kdf": "argon2id",
                "salt": self.entropy(16).hex(),
                "memory_kib": self.memory_kib,
                "passes": self.passes,
                "lanes": self.lanes,
            }
        )

    def open(self, parameters: Parameters, /) -> LocalKek:
        if parameters.get("kdf") != "argon2id":
            raise WrongKeyError(
                "this vault is not opened by a passphrase; give the key source it was made with"
            )
        return self._derive(parameters)

    def _derive(self, parameters: Parameters) -> LocalKek:
        numbers = {name: int(parameters[name]) for name in _ARGON2_LIMITS}
        for name, (low, high) in _ARGON2_LIMITS.items():
            if not low <= numbers[name] <= high:  # a tampered row must not take all memory
                raise KeyUnavailableError(
                    f"stored Argon2id parameter {name} is out of range: the vault's record "
                    "of it was altered; put the newest backup back"
                )
        key = passphrase_key(
            self.passphrase.encode("utf-8"),
            salt=bytes.fromhex(str(parameters["salt"])),
            memory_kib=numbers["memory_kib"],
            passes=numbers["passes"],
            lanes=numbers["lanes"],
        )
        return LocalKek(key, kind=self.kind, parameters=parameters)
