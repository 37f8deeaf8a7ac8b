"""The key store: wrapped keys by project, entity and document, and the KEKs that open them."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from sqlalchemy import func, select

from pseudonymizer.crypto import Entropy, digest_sha256, equal_in_constant_time, new_key
from pseudonymizer.errors import KeyDestroyedError, UnsealError, VaultDamagedError, WrongKeyError
from pseudonymizer.keyring import KeyEncryptionKey, KeyProvider, RecoveryPublicKek
from pseudonymizer.records import KeyState
from pseudonymizer.schema import entity_key, kek, key_meta, project_key
from pseudonymizer.vault.store.contexts import key_context
from pseudonymizer.vault.store.keyrows import KeyRows
from pseudonymizer.vault.store.projectkeys import PURPOSES, KeyVersion, ProjectKeys
from pseudonymizer.vault.store.stores import Store, in_chunks

CHECK_PURPOSE: Final = "check"
RECORD_PURPOSE: Final = "record"
_VERSION: Final = ("project_id", "purpose", "version")  # what names a project key, however it is wrapped
_HIGHEST: Final = {
    "entity": "SELECT max(entity_id) FROM entity_key",
    "document": "SELECT max(document_id) FROM document_key",
}
_KEYS: Final = "SELECT purpose, version, state, wrapped FROM project_key WHERE project_id = ? AND kek_id = ?"
_CHECK_PLAINTEXT: Final = hashlib.sha256(b"nymlink/kek/check").digest()


@dataclass(frozen=True, slots=True)
class KekRow:
    """One way in, as stored: nothing here is secret."""

    kek_id: int
    kind: str
    parameters: Mapping[str, str | int]
    fingerprint: bytes
    check_value: bytes
    state: KeyState
    created_at: str
    digest: bytes = field(default=b"", repr=False)

    @property
    def name(self) -> str:
        """What people call the key by: "key 3f2a-91bc of 2026-11-02". It says nothing of the key itself."""
        return f"{key_name(self.fingerprint)} of {self.created_at[:10]}"

    def expected_digest(self) -> bytes:
        return digest_sha256(
            (
                str(self.kek_id).encode(),
                self.kind.encode(),
                json.dumps(dict(self.parameters), sort_keys=True).encode(),
                self.fingerprint,
                self.check_value,
                str(self.state).encode(),
            )
        )

    def values(self) -> tuple[Any, ...]:
        return (
            self.kek_id, self.kind, json.dumps(dict(self.parameters), sort_keys=True), self.fingerprint,
            self.check_value, str(self.state), self.created_at, self.expected_digest(),
        )  # fmt: skip


def key_name(fingerprint: bytes) -> str:
    """The name of a key, without the day on which it began to open a vault."""
    digits = fingerprint.hex()
    return f"key {digits[:4]}-{digits[4:8]}"


def read_kek_row(row: Sequence[Any]) -> KekRow:
    """Raises VaultDamagedError where the row does not fit its own digest: told before any key is tried."""
    try:
        number, kind, parameters, fingerprint, check_value, state, created_at, digest = row
        found = KekRow(
            int(str(number)), str(kind), json.loads(str(parameters)), bytes(fingerprint), bytes(check_value),
            KeyState(str(state)), str(created_at), bytes(digest),
        )  # fmt: skip
    except (ValueError, TypeError):
        raise VaultDamagedError(
            "the key store is damaged: the record of its key source cannot be read"
        ) from None
    if found.digest != found.expected_digest():
        raise VaultDamagedError("the key store is damaged: the record of its key source was altered")
    return found


def open_kek(rows: Iterable[KekRow], provider: KeyProvider, vault_id: bytes) -> tuple[int, KeyEncryptionKey]:
    """The KEK of this provider, checked against the stored check value.

    Raises:
        WrongKeyError: the key is sound but not this vault's.
        VaultDamagedError: the key is this vault's, but the check value was altered.
        KeyUnavailableError: the source has no key to give.
    """
    active = [row for row in rows if row.state is KeyState.ACTIVE]
    recovery = provider.kind == "recovery"
    candidates = [row for row in active if (row.kind == "recovery") == recovery]
    passphrase = provider.kind == "passphrase"
    if passphrase:
        candidates = [row for row in candidates if row.kind == "passphrase"]
    if not candidates:
        opened = provider.create() if recovery else None
        kinds = ", ".join(sorted({row.kind for row in active}))
        raise WrongKeyError(
            f"this vault is opened by: {kinds}; not by a {opened.kind if opened else provider.kind} key"
        )
    given = ""
    for row in candidates:
        key = provider.open(row.parameters)
        given = key_name(key.fingerprint)
        if not equal_in_constant_time(key.fingerprint, row.fingerprint):
            continue
        try:
            plain = key.unwrap(row.check_value, context=key_context(vault_id, 0, CHECK_PURPOSE, row.kek_id))
        except UnsealError:
            raise VaultDamagedError(
                "the key store is damaged: its check value was altered; the key is right"
            ) from None
        if plain != _CHECK_PLAINTEXT:
            raise VaultDamagedError("the key store is damaged: its check value is not the vault's")
        return row.kek_id, key
    wanted = " or ".join(row.name for row in candidates)
    what = "passphrase" if passphrase else "key"
    told = "" if passphrase else f": it wants {wanted}, and this is {given}"
    raise WrongKeyError(
        f"the {what} is not the one of this vault{told}; the vault itself is unharmed. An export or a backup "
        f"wants the {what} that the vault had when it was made"
    )


class KeyStore:
    """Typed access to the key store within the vault's transaction."""

    def __init__(self, store: Store, vault_id: bytes, kek_id: int, key: KeyEncryptionKey) -> None:
        self.store = store
        self.vault_id = vault_id
        self.kek_id = kek_id
        self.key = key
        self.rows = KeyRows(store, vault_id, partial(self.unwrap_project_key, 0, RECORD_PURPOSE, 1))

    # -- KEKs ------------------------------------------------------------------------------------------------

    def kek_rows(self) -> tuple[KekRow, ...]:
        return tuple(
            read_kek_row(tuple(row)) for row in self.store.execute(select(kek).order_by(kek.c.kek_id))
        )

    def add_kek(self, key: KeyEncryptionKey, *, created_at: str) -> int:
        """Store another way in and return its id; project keys are wrapped for it by the caller."""
        highest = self.store.execute(select(func.max(kek.c.kek_id))).scalar()
        kek_id = (highest or 0) + 1
        check = key.wrap(_CHECK_PLAINTEXT, context=key_context(self.vault_id, 0, CHECK_PURPOSE, kek_id))
        row = KekRow(kek_id, key.kind, key.parameters, key.fingerprint, check, KeyState.ACTIVE, created_at)
        self.rows.insert(kek, [row.values()])
        return kek_id

    @property
    def daily_key(self) -> str:
        """The name of the key that the vault opens with, other than by a recovery key."""
        return " or ".join(row.name for row in self.kek_rows() if row.kind != "recovery")

    def retire_kek(self, kek_id: int) -> None:
        """Destroy one way in, with everything that was wrapped for it."""
        for table in (project_key, kek):
            self.rows.delete(table, ["kek_id"], [(kek_id,)])

    def wrappers(self) -> dict[int, KeyEncryptionKey]:
        """Everyone that a new key must be wrapped for: the daily KEK and the recovery keys' public halves."""
        found: dict[int, KeyEncryptionKey] = {}
        for row in self.kek_rows():
            if row.kek_id == self.kek_id:
                found[row.kek_id] = self.key
            elif row.kind == "recovery" and row.state is KeyState.ACTIVE:
                found[row.kek_id] = RecoveryPublicKek(bytes.fromhex(str(row.parameters["public"])))
            elif row.state is KeyState.ACTIVE:
                raise WrongKeyError(
                    "the vault is open by its recovery key, which cannot make keys for the daily one; "
                    "give it a new daily key first: `nymlink vault rotate kek`"
                )
        return found

    # -- project keys ----------------------------------------------------------------------------------------

    def add_project_key(
        self,
        project_id: int,
        purpose: str,
        version: int,
        plain: bytes,
        *,
        created_at: str,
        wrappers: Mapping[int, KeyEncryptionKey] | None = None,
    ) -> None:
        context = key_context(self.vault_id, project_id, purpose, version)
        # An earlier attempt may have committed here and not in the vault: its key was never used.
        self.destroy_project_key(project_id, purpose, version)
        self.rows.insert(
            project_key,
            [
                (
                    project_id,
                    purpose,
                    version,
                    kek_id,
                    str(KeyState.ACTIVE),
                    key.wrap(plain, context=context),
                    created_at,
                )
                for kek_id, key in (wrappers or self.wrappers()).items()
            ],
        )

    def add_project(self, project_id: int, *, created_at: str, entropy: Entropy) -> None:
        wrappers = self.wrappers()
        for purpose in PURPOSES:
            self.add_project_key(
                project_id, purpose, 1, new_key(entropy), created_at=created_at, wrappers=wrappers
            )

    def unwrap_project_key(self, project_id: int, purpose: str, version: int) -> bytes:
        """Raises KeyDestroyedError if there is none, UnsealError if it was altered."""
        wrapped = self.store.execute(
            select(project_key.c.wrapped).where(
                project_key.c.project_id == project_id,
                project_key.c.purpose == purpose,
                project_key.c.version == version,
                project_key.c.kek_id == self.kek_id,
            )
        ).scalar()
        if wrapped is None:
            self._refuse_retired()
            raise KeyDestroyedError(f"the key store has no version {version} of the {purpose} key")
        return self.key.unwrap(
            bytes(wrapped), context=key_context(self.vault_id, project_id, purpose, version)
        )

    def project_keys(self, project_id: int, name: str) -> ProjectKeys:
        """Raises VaultDamagedError if a purpose has no active key."""
        versions: dict[str, dict[int, KeyVersion]] = {purpose: {} for purpose in PURPOSES}
        for purpose, version, state, wrapped in self.store.rows(_KEYS, (project_id, self.kek_id)):
            plain = self.key.unwrap(
                bytes(wrapped), context=key_context(self.vault_id, project_id, purpose, version)
            )
            versions[purpose][version] = KeyVersion(version, KeyState(state), plain)
        if not any(versions.values()):
            self._refuse_retired()
        for purpose, found in versions.items():
            if not any(v.state is KeyState.ACTIVE for v in found.values()):
                raise VaultDamagedError(f"the key store has no active {purpose} key of project {project_id}")
        record_of_vault = partial(self.unwrap_project_key, 0, RECORD_PURPOSE, 1)
        return ProjectKeys(self.vault_id, project_id, name, versions, record_of_vault)

    def _refuse_retired(self) -> None:
        """Raises WrongKeyError if the key that opened this vault was replaced since."""
        if self.store.scalar("SELECT kek_id FROM kek WHERE kek_id = ?", (self.kek_id,)) is None:
            raise WrongKeyError(
                "the vault got a new key while it was open here: open it again with that key, and start a "
                "vault service again"
            )

    def set_key_state(self, project_id: int, purpose: str, version: int, state: KeyState) -> None:
        self.rows.change(project_key, "state", _VERSION, [(str(state), project_id, purpose, version)])

    def destroy_project_key(self, project_id: int, purpose: str, version: int) -> None:
        self.rows.delete(project_key, _VERSION, [(project_id, purpose, version)])

    def wrap_all_for(self, kek_id: int, key: KeyEncryptionKey, *, created_at: str) -> int:
        """Wrap every project key that this process can open for one more KEK; returns how many."""
        rows = self.store.execute(select(project_key).where(project_key.c.kek_id == self.kek_id)).all()
        wrapped = []
        for row in rows:
            context = key_context(self.vault_id, row.project_id, row.purpose, row.version)
            plain = self.key.unwrap(bytes(row.wrapped), context=context)
            again = key.wrap(plain, context=context)
            wrapped.append((row.project_id, row.purpose, row.version, kek_id, row.state, again, created_at))
        self.rows.insert(project_key, wrapped)
        return len(wrapped)

    def highest_project(self) -> int:
        """The highest number of a project that has keys here, also one that the vault does not know."""
        return self.store.execute(select(func.max(project_key.c.project_id))).scalar() or 0

    # -- data keys -------------------------------------------------------------------------------------------

    def highest_id(self, kind: str) -> int:
        """The highest id of an entity, or of a document, that ever had a key here and still has one."""
        return self.store.scalar(_HIGHEST[kind]) or 0

    def wrapped_entity_keys(self, entity_ids: Iterable[int]) -> dict[int, bytes]:
        found: dict[int, bytes] = {}
        for chunk in in_chunks(entity_ids):
            found.update(
                (entity_id, bytes(wrapped))
                for entity_id, wrapped in self.store.rows(
                    "SELECT entity_id, wrapped FROM entity_key "  # noqa: S608
                    f"WHERE entity_id IN ({', '.join('?' * len(chunk))})",
                    tuple(chunk),
                )
            )
        return found

    def destroy_entity_keys(self, entity_ids: Iterable[int]) -> None:
        self.rows.delete(entity_key, ["entity_id"], [(number,) for number in entity_ids])

    # -- generation ------------------------------------------------------------------------------------------

    def generation(self) -> int:
        """Counts key changes, so that another process sees that what it holds is out of date."""
        value = self.store.scalar("SELECT value FROM key_meta WHERE name = ?", ("generation",))
        return int.from_bytes(bytes(value or b"\0"), "big")

    def advance_generation(self) -> None:
        following = (self.generation() + 1).to_bytes(8, "big")
        self.rows.put(key_meta, ("generation", following))
