"""The audit trail as pure rules: canonical form, digest chain, evolving keys, signed heads, verification.

Every event carries the digest of the one before and a MAC under the key of its epoch. After each epoch the
MAC key is derived anew (HKDF) and the old one destroyed; the epoch's Ed25519 key signs the next epoch's
public key and the chain so far, and is destroyed too. Who takes over the machine later can therefore not
rewrite earlier epochs; who has no keys can rewrite nothing. A tail that is cut off shows only against a head
that was kept outside.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from pseudonymizer.crypto import (
    SigningKey,
    derive_key,
    digest_sha256,
    equal_in_constant_time,
    mac_sha256,
    signature_is_valid,
)
from pseudonymizer.errors import AuditTamperedError, VaultPutBackError
from pseudonymizer.records import AuditEvent, SignedHead

EVENTS_AN_EPOCH: Final = 256
GENESIS: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class EpochKeys:
    """The keys of one epoch: one to MAC events, one to sign heads."""

    epoch: int
    mac_key: bytes = field(repr=False)
    signing_key: bytes = field(repr=False)

    @property
    def public_key(self) -> bytes:
        return SigningKey(self.signing_key).public

    def next(self, signing_key: bytes) -> "EpochKeys":
        return EpochKeys(self.epoch + 1, derive_key(self.mac_key, b"nymlink/audit/next-epoch"), signing_key)


@dataclass(frozen=True, slots=True)
class Epoch:
    """Where an epoch begins, signed by the one before (the first one by itself)."""

    epoch: int
    first_sequence: int
    first_digest: bytes
    public_key: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the trail as the vault last wrote it."""

    sequence: int
    digest: bytes
    epoch: int
    mac: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """What a verb wants written; the trail adds order and proof. actor: empty for the vault's own."""

    action: str
    actor: str = ""
    role: str = ""
    project: str = ""
    subjects: tuple[str, ...] = ()
    purpose: str = ""
    ticket: str = ""
    outcome: str = "done"
    counts: Mapping[str, int] = field(default_factory=dict)


def digest_of(vault_id: bytes, event: AuditEvent) -> bytes:
    """SHA-256 over every field of the event and the digest before it."""
    return digest_sha256(
        (
            b"nymlink/audit/1",
            vault_id,
            event.sequence.to_bytes(8, "big"),
            event.occurred_at.isoformat().encode(),
            event.actor.encode(),
            event.role.encode(),
            event.project.encode(),
            event.action.encode(),
            json.dumps(event.subjects).encode(),
            event.purpose.encode(),
            event.ticket.encode(),
            event.outcome.encode(),
            json.dumps(dict(event.counts), sort_keys=True).encode(),
            event.epoch.to_bytes(8, "big"),
            event.previous_digest,
        )
    )


def next_event(
    vault_id: bytes, head: Head, keys: EpochKeys, entry: Entry, *, occurred_at: datetime
) -> AuditEvent:
    """The event that follows head, with digest and MAC."""
    event = AuditEvent(
        head.sequence + 1, occurred_at, entry.actor, entry.role, entry.project, entry.action, entry.subjects,
        entry.purpose, entry.ticket, entry.outcome, dict(entry.counts), keys.epoch, head.digest, b"", b"",
    )  # fmt: skip
    digest = digest_of(vault_id, event)
    return replace(event, digest=digest, mac=mac_sha256(keys.mac_key, b"event" + digest))


def head_after(vault_id: bytes, event: AuditEvent, keys: EpochKeys) -> Head:
    return head_at(vault_id, event.sequence, event.digest, keys)


def head_at(vault_id: bytes, sequence: int, digest: bytes, keys: EpochKeys) -> Head:
    """The MAC key of the epoch closes the head, so that without it the trail's length cannot be changed."""
    message = digest_sha256(
        (b"head", vault_id, sequence.to_bytes(8, "big"), digest, keys.epoch.to_bytes(8, "big"))
    )
    return Head(sequence, digest, keys.epoch, mac_sha256(keys.mac_key, message))


def open_epoch(vault_id: bytes, head: Head, keys: EpochKeys, signer: EpochKeys) -> Epoch:
    """The record that begins keys.epoch after head, signed by signer (the epoch before, or itself at the
    start).
    """
    unsigned = Epoch(keys.epoch, head.sequence + 1, head.digest, keys.public_key, b"")
    return replace(
        unsigned, signature=SigningKey(signer.signing_key).sign(_epoch_message(vault_id, unsigned))
    )


def _epoch_message(vault_id: bytes, epoch: Epoch) -> bytes:
    return digest_sha256(
        (
            b"nymlink/audit/epoch",
            vault_id,
            epoch.epoch.to_bytes(8, "big"),
            epoch.first_sequence.to_bytes(8, "big"),
            epoch.first_digest,
            epoch.public_key,
        )
    )


def sign_head(vault_id: bytes, head: Head, keys: EpochKeys) -> SignedHead:
    """A head for an outside sink, such as a colleague's mailbox or a write-once store."""
    unsigned = SignedHead(
        vault_id.hex(), head.sequence, head.digest.hex(), head.epoch, keys.public_key.hex(), ""
    )
    return replace(unsigned, signature=SigningKey(keys.signing_key).sign(_head_message(unsigned)).hex())


def _head_message(head: SignedHead) -> bytes:
    return digest_sha256(
        (
            b"nymlink/audit/signed-head",
            head.vault_id.encode(),
            head.sequence.to_bytes(8, "big"),
            head.digest.encode(),
            head.epoch.to_bytes(8, "big"),
            head.public_key.encode(),
        )
    )


def verify_trail(
    vault_id: bytes,
    root_public_key: bytes,
    events: Iterable[AuditEvent],
    epochs: Sequence[Epoch],
    head: Head,
    keys: EpochKeys,
    outside_heads: Sequence[SignedHead] = (),
) -> int:
    """Check the whole trail; returns the number of events.

    Raises:
        AuditTamperedError: at the first event or epoch that is not as it was written, or missing.
    """
    begins = {epoch.first_sequence: epoch for epoch in epochs}
    _verify_epochs(vault_id, root_public_key, epochs, keys)
    kept = {outside.sequence: outside for outside in outside_heads}
    for outside in outside_heads:
        _verify_outside_head(vault_id, outside, epochs)
    sequence, digest, epoch_number = 0, GENESIS, 0
    for event in events:
        sequence += 1
        if event.sequence != sequence:
            raise AuditTamperedError(
                f"audit event {sequence} is missing or out of order: found {event.sequence}"
            )
        if (epoch := begins.get(sequence)) is not None:
            if epoch.first_digest != digest:
                raise AuditTamperedError(
                    f"the trail before event {sequence} is not what epoch {epoch.epoch} signed"
                )
            epoch_number = epoch.epoch
        if event.epoch != epoch_number or event.previous_digest != digest:
            raise AuditTamperedError(f"audit event {sequence} does not follow the one before it")
        if not equal_in_constant_time(digest_of(vault_id, event), event.digest):
            raise AuditTamperedError(f"audit event {sequence} was edited: its digest does not fit")
        if event.epoch == keys.epoch and not equal_in_constant_time(
            mac_sha256(keys.mac_key, b"event" + event.digest), event.mac
        ):
            raise AuditTamperedError(
                f"audit event {sequence} was not written by this vault: its MAC does not fit"
            )
        digest = event.digest
        if sequence in kept and kept.pop(sequence).digest != digest.hex():
            raise VaultPutBackError(
                f"audit event {sequence} is not the one that the outside head was signed over"
            )
    if kept:
        raise VaultPutBackError(
            f"the trail ends at {sequence}, but an outside head was signed at {max(kept)}"
        )
    _verify_head(vault_id, head, keys, sequence, digest)
    return sequence


def _verify_epochs(vault_id: bytes, root: bytes, epochs: Sequence[Epoch], keys: EpochKeys) -> None:
    signer = root
    for number, epoch in enumerate(epochs):
        if epoch.epoch != number or (number == 0 and epoch.public_key != root):
            raise AuditTamperedError(
                f"audit epoch {number} is missing or does not come from this vault's first key"
            )
        if not signature_is_valid(signer, epoch.signature, _epoch_message(vault_id, epoch)):
            raise AuditTamperedError(f"audit epoch {number} was not signed by the epoch before it")
        signer = epoch.public_key
    if not epochs or epochs[-1].epoch != keys.epoch or signer != keys.public_key:
        raise AuditTamperedError(
            f"the last audit epoch is not epoch {keys.epoch}, whose keys the key store holds"
        )


def _verify_outside_head(vault_id: bytes, head: SignedHead, epochs: Sequence[Epoch]) -> None:
    if head.vault_id != vault_id.hex():
        raise AuditTamperedError("the outside head was signed by another vault")
    if head.epoch >= len(epochs) or epochs[head.epoch].public_key.hex() != head.public_key:
        raise AuditTamperedError(
            f"the trail has no epoch {head.epoch} with the key that signed the outside head"
        )
    try:
        signature = bytes.fromhex(head.signature)
    except ValueError:
        signature = b""
    if not signature_is_valid(epochs[head.epoch].public_key, signature, _head_message(head)):
        raise AuditTamperedError("the outside head itself was altered: its signature does not fit")


def _verify_head(vault_id: bytes, head: Head, keys: EpochKeys, sequence: int, digest: bytes) -> None:
    expected = head_at(vault_id, sequence, digest, keys)
    if head.sequence != sequence or head.digest != digest:
        raise AuditTamperedError(f"the trail ends at event {sequence}, but the vault wrote {head.sequence}")
    if head.epoch != keys.epoch or not equal_in_constant_time(head.mac, expected.mac):
        raise AuditTamperedError("the head of the trail was not written by this vault")
