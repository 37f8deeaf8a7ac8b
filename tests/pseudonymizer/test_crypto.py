"""Primitives against published vectors, our formats against frozen blobs, and every altered byte refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer import crypto
from pseudonymizer.errors import UnsealError

VECTORS = Path(__file__).parent.parent / "vectors"
PUBLISHED: dict[str, list[dict[str, Any]]] = json.loads((VECTORS / "crypto.json").read_text())
FROZEN: dict[str, str] = json.loads((VECTORS / "formats.json").read_text())
KEY = bytes(range(32))


def h(text: str) -> bytes:
    return bytes.fromhex(text)


def test_aes_siv() -> None:
    for v in PUBLISHED["aes_siv"]:
        siv = AESSIV(h(v["key"]))
        assert siv.encrypt(h(v["plaintext"]), [h(a) for a in v["associated"]]).hex() == v["output"]


def test_aes_gcm() -> None:
    for v in PUBLISHED["aes_gcm"]:
        sealed = AESGCM(h(v["key"])).encrypt(h(v["nonce"]), h(v["plaintext"]), h(v["associated"]))
        assert sealed.hex() == v["output"]


def test_hmac_sha256() -> None:
    for v in PUBLISHED["hmac_sha256"]:
        assert crypto.mac_sha256(h(v["key"]), h(v["message"])).hex() == v["output"]


def test_hkdf_sha256() -> None:
    for v in PUBLISHED["hkdf_sha256"]:
        salt = h(v["salt"]) or None
        assert (
            crypto.derive_key(h(v["key"]), h(v["info"]), length=v["length"], salt=salt).hex() == v["output"]
        )


def test_ed25519() -> None:
    for v in PUBLISHED["ed25519"]:
        key = crypto.SigningKey(h(v["private"]))
        assert key.public.hex() == v["public"]
        assert key.sign(h(v["message"])).hex() == v["signature"]
        assert crypto.signature_is_valid(key.public, h(v["signature"]), h(v["message"]))
        assert not crypto.signature_is_valid(key.public, h(v["signature"]), b"another")


def test_argon2id() -> None:
    for v in PUBLISHED["argon2id"]:
        kdf = Argon2id(
            salt=h(v["salt"]), length=32, iterations=v["passes"], lanes=v["lanes"],
            memory_cost=v["memory_kib"], secret=h(v["secret"]), ad=h(v["associated"]),
        )  # fmt: skip
        assert kdf.derive(h(v["password"])).hex() == v["output"]


def test_what_we_wrote_before_is_still_read_and_written_the_same() -> None:
    sealer = crypto.Sealer(KEY, key_id=7)
    assert sealer.unseal(h(FROZEN["sealed"]), context=b"context").decode() == "Zoë Müller"
    assert (
        sealer._seal_with_nonce("Zoë Müller".encode(), b"context", bytes(range(12))).hex() == FROZEN["sealed"]
    )
    assert crypto.KeyWrapper(KEY, key_id=3).wrap(bytes(32), context=b"place").hex() == FROZEN["wrapped"]
    index = crypto.BlindIndex(KEY, version=1)
    assert index.tag("name", "jan\x1f\x1ftolsma\x1f\x1f\x1f", normal_form_version=1).hex() == FROZEN["tag"]
    assert crypto.Binder(KEY, b"entity").bind(b"fields").hex() == FROZEN["binding"]


@given(plain=st.binary(max_size=200), context=st.binary(max_size=40))
def test_unseal_gives_back_what_was_sealed(plain: bytes, context: bytes) -> None:
    sealer = crypto.Sealer(KEY, key_id=1)
    sealed = sealer.seal(plain, context=context)
    assert sealer.unseal(sealed, context=context) == plain
    assert (len(sealed) - 34) % 64 == 0


@given(st.binary(max_size=200))
def test_padding_comes_off(plain: bytes) -> None:
    padded = crypto.pad(plain)
    assert len(padded) % 64 == 0
    assert crypto.unpad(padded) == plain


def test_lengths_up_to_60_look_alike() -> None:
    sealer = crypto.Sealer(KEY, key_id=1)
    assert len({len(sealer.seal(bytes(n), context=b"")) for n in range(61)}) == 1


def test_every_flipped_bit_is_refused() -> None:
    sealer, wrapper = crypto.Sealer(KEY, key_id=1), crypto.KeyWrapper(KEY, key_id=1)
    sealed, wrapped = sealer.seal(b"Jan Tolsma", context=b"c"), wrapper.wrap(KEY, context=b"c")
    for position in range(len(sealed)):
        for bit in range(8):
            altered = bytearray(sealed)
            altered[position] ^= 1 << bit
            with pytest.raises(UnsealError):
                sealer.unseal(bytes(altered), context=b"c")
    for position in range(len(wrapped)):
        altered = bytearray(wrapped)
        altered[position] ^= 1
        with pytest.raises(UnsealError):
            wrapper.unwrap(bytes(altered), context=b"c")


@given(st.binary(max_size=120))
def test_arbitrary_bytes_never_unseal(blob: bytes) -> None:
    with pytest.raises(UnsealError):
        crypto.Sealer(KEY, key_id=1).unseal(blob, context=b"c")
    with pytest.raises(UnsealError):
        crypto.KeyWrapper(KEY, key_id=1).unwrap(blob, context=b"c")
    with pytest.raises(UnsealError):
        crypto.unseal_with(KEY, blob, context=b"c", key_id=0)


def test_another_context_key_or_version_is_refused() -> None:
    sealed = crypto.Sealer(KEY, key_id=1).seal(b"x", context=b"c")
    for key, key_id, context in ((KEY, 1, b"d"), (bytes(32), 1, b"c"), (KEY, 2, b"c")):
        with pytest.raises(UnsealError):
            crypto.Sealer(key, key_id=key_id).unseal(sealed, context=context)


def test_a_sealed_message_for_recovery_opens_with_the_private_half_only() -> None:
    public = crypto.recovery_public_key(KEY)
    sealed = crypto.seal_for(public, b"secret", context=b"c", key_id=0)
    assert crypto.unseal_with(KEY, sealed, context=b"c", key_id=0) == b"secret"
    for private, context in ((bytes(31) + b"\1", b"c"), (KEY, b"d")):
        with pytest.raises(UnsealError):
            crypto.unseal_with(private, sealed, context=context, key_id=0)


def test_index_tags_depend_on_every_input() -> None:
    index = crypto.BlindIndex(KEY, version=1)
    tags = {
        index.tag("name", "jan", normal_form_version=1),
        index.tag("name", "jan", normal_form_version=2),
        index.tag("namej", "an", normal_form_version=1),
        index.tag("name", "jan ", normal_form_version=1),
        crypto.BlindIndex(bytes(32), version=1).tag("name", "jan", normal_form_version=1),
    }
    assert len(tags) == 5
    assert {len(tag) for tag in tags} == {16}


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_in_bulk_it_is_the_same(fields: list[bytes]) -> None:
    binder = crypto.Binder(KEY, b"form")
    single = [binder.bind(one) for one in fields]
    stored, total = binder.bind_all(fields)
    assert stored == [both[:16] for both in single] == binder.tags(fields) == [binder.tag(f) for f in fields]
    assert total == sum(int.from_bytes(both[16:], "big") for both in single)
    index = crypto.BlindIndex(KEY, version=1)
    texts = [one.hex() for one in fields]
    assert index.tags("name", texts, normal_form_version=1) == [
        index.tag("name", one, normal_form_version=1) for one in texts
    ]


@given(st.binary(max_size=300), st.integers(0, 10_000))
def test_unsealing_many_is_unsealing_each(plain: bytes, position: int) -> None:
    wrapper = crypto.KeyWrapper(KEY, key_id=3)
    data_key = bytes(range(1, 33))
    wrapped = wrapper.wrap(data_key, context=b"key")
    sealed = crypto.Sealer(data_key, key_id=2).seal(plain, context=b"row")
    item = (wrapped, b"key", 2, sealed, b"row")
    assert list(crypto.unseal_each({3: wrapper}, [item, item])) == [plain, plain]
    both = wrapped + sealed
    where = position % len(both)
    altered = both[:where] + bytes([both[where] ^ 1]) + both[where + 1 :]
    broken = (altered[: len(wrapped)], b"key", 2, altered[len(wrapped) :], b"row")
    wrong = [broken, (wrapped, b"kei", 2, sealed, b"row"), (wrapped, b"key", 1, sealed, b"row")]
    for one in [*wrong, (wrapped, b"key", 2, sealed, b"rov"), (wrapped, b"key", 2, sealed[:40], b"row")]:
        with pytest.raises((UnsealError, KeyError)):
            list(crypto.unseal_each({3: wrapper}, [one]))
