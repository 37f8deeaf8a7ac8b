"""Seal and unseal, wrap and unwrap, blind index, bindings, signatures. The only importer of cryptography.

Every blob starts with a header: magic, scheme, key id (the version of the key it was made with). The header
is authenticated with the rest. Nothing here opens a file or knows a table; contexts come from the caller.
"""

import hashlib
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidKey, InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import constant_time, hashes, hmac, hpke
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pseudonymizer.errors import UnsealError

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
PADDING_STEP: Final = 64
# Passwords of accounts: the second choice of RFC 9106, section 4 (64 MiB, for machines with less memory).
_PASSWORD_KIB: Final = 64 << 10
_PASSWORD_PASSES: Final = 3
_PASSWORD_LANES: Final = 4
_SALT_BYTES: Final = 16
_MAGIC: Final = 0x4E
_SCHEME_GCM: Final = 1
_SCHEME_SIV: Final = 2
_SCHEME_HPKE: Final = 3
_HEADER = struct.Struct(">BBI")
_LENGTH = struct.Struct(">I")
_INDEXED = struct.Struct(">HHI")
_UNSEAL_MESSAGE: Final = (
    "a sealed value does not belong to this key and row, or was altered; run `nymlink vault verify`"
)
_UNWRAP_MESSAGE: Final = "a wrapped key does not belong to this vault and place, or was altered"

Entropy = Callable[[int], bytes]


def new_key(entropy: Entropy = os.urandom) -> bytes:
    """256 random bits."""
    return entropy(KEY_BYTES)


def equal_in_constant_time(left: bytes, right: bytes) -> bool:
    return constant_time.bytes_eq(left, right)


def pad(plaintext: bytes) -> bytes:
    """Length, plaintext, zeros up to the next multiple of 64 bytes: lengths identify names."""
    length = len(plaintext)
    return _LENGTH.pack(length) + plaintext + bytes(-(length + 4) % PADDING_STEP)


def unpad(padded: bytes) -> bytes:
    """Raises UnsealError where the padding is not what pad makes."""
    if len(padded) < PADDING_STEP or len(padded) % PADDING_STEP:
        raise UnsealError(_UNSEAL_MESSAGE)
    end: int = 4 + _LENGTH.unpack_from(padded)[0]
    rest = len(padded) - end
    if not 0 <= rest < PADDING_STEP or padded[end:] != bytes(rest):
        raise UnsealError(_UNSEAL_MESSAGE)
    return padded[4:end]


class Sealer:
    """AES-256-GCM under one data key (NIST SP 800-38D), padded. Output: header, nonce, ciphertext, tag."""

    __slots__ = ("_aead", "_header")

    def __init__(self, key: bytes, *, key_id: int) -> None:
        self._header = _HEADER.pack(_MAGIC, _SCHEME_GCM, key_id)
        self._aead = AESGCM(key)

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        """context is the row's address; unseal needs the same bytes."""
        return self._seal_with_nonce(plaintext, context, os.urandom(NONCE_BYTES))

    def _seal_with_nonce(self, plaintext: bytes, context: bytes, nonce: bytes) -> bytes:
        # Private, for frozen vectors. One nonce used twice breaks GCM; a data key seals one person's forms
        # and stays far below 2**32 seals, the bound for random 96-bit nonces (SP 800-38D, section 8.3).
        return self._header + nonce + self._aead.encrypt(nonce, pad(plaintext), self._header + context)

    def unseal(self, sealed: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for a wrong key, context or version and for altered bytes, all alike."""
        header = self._header
        if not sealed.startswith(header) or len(sealed) < 6 + NONCE_BYTES + TAG_BYTES:
            raise UnsealError(_UNSEAL_MESSAGE)
        try:
            padded = self._aead.decrypt(sealed[6:18], sealed[18:], header + context)
        except InvalidTag:
            raise UnsealError(_UNSEAL_MESSAGE) from None
        return unpad(padded)


class KeyWrapper:
    """AES-SIV (RFC 5297, AEAD_AES_SIV_CMAC_512) under one wrapping key. Misuse resistant."""

    __slots__ = ("_header", "_siv")

    def __init__(self, key: bytes, *, key_id: int) -> None:
        self._header = _HEADER.pack(_MAGIC, _SCHEME_SIV, key_id)
        # SIV takes two keys; both come from the one 256-bit key, so that every key in the hierarchy is alike.
        self._siv = AESSIV(derive_key(key, b"nymlink/aes-siv", length=64))

    def wrap(self, key: bytes, *, context: bytes) -> bytes:
        return self._header + self._siv.encrypt(key, [self._header, context])

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for a wrong key, context or version and for altered bytes, all alike."""
        if wrapped[:6] != self._header or len(wrapped) < 6 + TAG_BYTES:
            raise UnsealError(_UNWRAP_MESSAGE)
        try:
            return self._siv.decrypt(wrapped[6:], [self._header, context])
        except InvalidTag:
            raise UnsealError(_UNWRAP_MESSAGE) from None


def unseal_each(
    wrappers: Mapping[int, KeyWrapper], items: Iterable[tuple[bytes, bytes, int, bytes, bytes]]
) -> Iterator[bytes]:
    """The plaintexts of many people's first values: wrapped data key, its context, its version, sealed value,
    context of that. The same as unwrap and unseal, without an object for each person.

    Raises:
        UnsealError: as those do.
        KeyError: the version of the wrapping key is not among these.
    """
    sealed_header: dict[int, bytes] = {}
    openers = {wrapper._header: wrapper._siv.decrypt for wrapper in wrappers.values()}
    length_of, nothing = _LENGTH.unpack_from, bytes(PADDING_STEP)
    for wrapped, key_context, key_id, sealed, context in items:
        header = wrapped[:6]
        open_key = openers.get(header)
        if open_key is None:
            raise KeyError(key_id_of(wrapped))
        expected = sealed_header.get(key_id)
        if expected is None:
            expected = sealed_header[key_id] = _HEADER.pack(_MAGIC, _SCHEME_GCM, key_id)
        if sealed[:6] != expected:
            raise UnsealError(_UNSEAL_MESSAGE)
        try:
            key = open_key(wrapped[6:], [header, key_context])
            padded = AESGCM(key).decrypt(sealed[6:18], sealed[18:], expected + context)
        except (InvalidTag, ValueError):
            raise UnsealError(_UNSEAL_MESSAGE) from None
        size = len(padded)
        end = 4 + length_of(padded)[0] if size >= PADDING_STEP else size + 1
        rest = size - end
        if size % PADDING_STEP or not 0 <= rest < PADDING_STEP or padded[end:] != nothing[:rest]:
            raise UnsealError(_UNSEAL_MESSAGE)
        yield padded[4:end]


def key_id_of(blob: bytes) -> int:
    """The key version that a blob's header names. Raises UnsealError if there is no header of ours."""
    if len(blob) < _HEADER.size:
        raise UnsealError(_UNSEAL_MESSAGE)
    magic, scheme, key_id = _HEADER.unpack_from(blob)
    if magic != _MAGIC or scheme not in (_SCHEME_GCM, _SCHEME_SIV, _SCHEME_HPKE):
        raise UnsealError(_UNSEAL_MESSAGE)
    return int(key_id)


class BlindIndex:
    """HMAC-SHA256 cut to 128 bits over label, normal-form version and the length-prefixed normal form."""

    __slots__ = ("_base", "version")

    def __init__(self, key: bytes, *, version: int) -> None:
        self._base = hmac.HMAC(key, hashes.SHA256())
        self.version = version

    def tag(self, label: str, normal_form: str, *, normal_form_version: int) -> bytes:
        name, form = label.encode(), normal_form.encode("utf-8", "surrogatepass")
        mac = self._base.copy()
        mac.update(_INDEXED.pack(len(name), normal_form_version, len(form)) + name + form)
        return mac.finalize()[:16]

    def tags(self, label: str, normal_forms: Iterable[str], *, normal_form_version: int) -> list[bytes]:
        """tag of each; one call, because millions of names go through it."""
        name, copy, found = label.encode(), self._base.copy, []
        size, pack = len(name), _INDEXED.pack
        for text in normal_forms:
            form = text.encode("utf-8", "surrogatepass")
            mac = copy()
            mac.update(pack(size, normal_form_version, len(form)) + name + form)
            found.append(mac.finalize()[:16])
        return found


class Binder:
    """Keyed BLAKE2b (RFC 7693) over the clear fields of a row.

    The first 16 bytes are stored beside the row, so that moved or edited rows are refused on reading. The
    other 16 stay secret: their sum over all rows is the checkpoint that shows rows taken out or put back.
    """

    __slots__ = ("_base",)

    def __init__(self, key: bytes, purpose: bytes) -> None:
        self._base = hashlib.blake2b(key=key, digest_size=32, person=purpose)

    def bind(self, fields: bytes) -> bytes:
        """32 bytes: 16 to store, 16 to count."""
        mac = self._base.copy()
        mac.update(fields)
        return mac.digest()

    def tag(self, fields: bytes) -> bytes:
        """16 bytes: an id that only the holder of the key can compute."""
        mac = self._base.copy()
        mac.update(fields)
        return mac.digest()[:16]

    def tags(self, fields: Iterable[bytes]) -> list[bytes]:
        """tag of each; one call, because millions of rows go through it."""
        copy, found = self._base.copy, []
        for one in fields:
            mac = copy()
            mac.update(one)
            found.append(mac.digest()[:16])
        return found

    def bind_all(self, fields: Iterable[bytes]) -> tuple[list[bytes], int]:
        """What bind gives for each: the halves to store, and the sum of the secret halves."""
        copy, digests = self._base.copy, []
        for one in fields:
            mac = copy()
            mac.update(one)
            digests.append(mac.digest())
        return [digest[:16] for digest in digests], _sum_of_halves(digests)


def _sum_of_halves(digests: Sequence[bytes]) -> int:
    words = struct.unpack(f">{4 * len(digests)}Q", b"".join(digests))
    return int((sum(words[2::4]) << 64) + sum(words[3::4]))


def mac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104, FIPS 198-1)."""
    mac = hmac.HMAC(key, hashes.SHA256())
    mac.update(message)
    return mac.finalize()


def digest_sha256(parts: Iterable[bytes]) -> bytes:
    """SHA-256 over length-prefixed parts, so that no two lists of parts give the same bytes."""
    state = hashlib.sha256()
    for part in parts:
        state.update(_LENGTH.pack(len(part)) + part)
    return state.digest()


class OutputDigest(bytes):
    """The digest_sha256 of an output, in place of the output itself."""

    @classmethod
    def of(cls, output: bytes) -> "OutputDigest":
        """The digest of a whole output; a digest stays what it is."""
        return output if isinstance(output, OutputDigest) else cls(digest_sha256((output,)))


class StreamDigest:
    """digest_sha256 of one part whose bytes come piece by piece; its size must be known before."""

    def __init__(self, size: int) -> None:
        # Four bytes of length do not hold four gibibytes; eight stand only where four would not do.
        self._state = hashlib.sha256(struct.pack(">I" if size < 1 << 32 else ">Q", size))

    def update(self, piece: bytes) -> None:
        self._state.update(piece)

    def digest(self) -> bytes:
        return self._state.digest()


def derive_key(key: bytes, info: bytes, *, length: int = KEY_BYTES, salt: bytes | None = None) -> bytes:
    """HKDF-SHA256 (RFC 5869)."""
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(key)


def passphrase_key(passphrase: bytes, *, salt: bytes, memory_kib: int, passes: int, lanes: int) -> bytes:
    """Argon2id (RFC 9106), 256 bits."""
    return Argon2id(
        salt=salt, length=KEY_BYTES, iterations=passes, lanes=lanes, memory_cost=memory_kib
    ).derive(passphrase)


def password_hash(password: str) -> str:
    """The hash of a password that is kept: Argon2id in the PHC string format, with a salt of its own."""
    made = Argon2id(
        salt=os.urandom(_SALT_BYTES), length=KEY_BYTES, iterations=_PASSWORD_PASSES, lanes=_PASSWORD_LANES,
        memory_cost=_PASSWORD_KIB,
    )  # fmt: skip
    return made.derive_phc_encoded(password.encode("utf-8", "surrogatepass"))


def password_fits(password: str, hashed: str) -> bool:
    """Whether a password is the one of which this hash is. The one further check that answers instead of
    raising: a wrong password is no fault.
    """
    try:
        Argon2id.verify_phc_encoded(password.encode("utf-8", "surrogatepass"), hashed)
    except InvalidKey:
        return False
    return True


class SigningKey:
    """Ed25519 (RFC 8032), as 32 raw bytes."""

    __slots__ = ("_private",)

    def __init__(self, private: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(private)

    @property
    def public(self) -> bytes:
        return self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


def signature_is_valid(public: bytes, signature: bytes, message: bytes) -> bool:
    """The one check that answers instead of raising: callers name what was signed in their own error."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


_SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)


def recovery_public_key(private: bytes) -> bytes:
    """The X25519 public half (RFC 7748) of a recovery key."""
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def seal_for(public: bytes, plaintext: bytes, *, context: bytes, key_id: int) -> bytes:
    """HPKE base mode, DHKEM(X25519), HKDF-SHA256, AES-256-GCM (RFC 9180): only the private half opens it."""
    header = _HEADER.pack(_MAGIC, _SCHEME_HPKE, key_id)
    return header + _SUITE.encrypt(
        plaintext, X25519PublicKey.from_public_bytes(public), info=header + context
    )


def unseal_with(private: bytes, sealed: bytes, *, context: bytes, key_id: int) -> bytes:
    """Raises UnsealError for a wrong key or context and for altered bytes, all alike."""
    header = _HEADER.pack(_MAGIC, _SCHEME_HPKE, key_id)
    if sealed[:6] != header:
        raise UnsealError(_UNWRAP_MESSAGE)
    try:
        return _SUITE.decrypt(sealed[6:], X25519PrivateKey.from_private_bytes(private), info=header + context)
    except (InvalidTag, ValueError):
        raise UnsealError(_UNWRAP_MESSAGE) from None
