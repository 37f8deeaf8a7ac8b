"""Export and import: a whole vault, or its keys alone, in one encrypted file that moves between databases.

The rows stay sealed as they are; the file seals them once more under a passphrase. To use what was
imported one
needs that passphrase and the vault's own key source, or its recovery key.
"""

import base64
import binascii
import json
import os
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from sqlalchemy import Table

from pseudonymizer.audit import Entry
from pseudonymizer.crypto import KEY_BYTES, Sealer, digest_sha256, passphrase_key
from pseudonymizer.errors import (
    AccessRefusedError,
    BundleError,
    PurposeRequiredError,
    UnsealError,
    VaultError,
)
from pseudonymizer.keyring import KeyProvider
from pseudonymizer.policy import Role, Verb, allowing_role
from pseudonymizer.schema import keys_metadata, run_result, vault_metadata
from pseudonymizer.vault.access import authorize, refuse
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.heads import note_import
from pseudonymizer.vault.store.opening import look, refuse_existing, vault_id_at
from pseudonymizer.vault.store.raw_files import make_file
from pseudonymizer.vault.store.stores import (
    APPLICATION_ID,
    Store,
    StoreAddress,
    store_addresses,
    translated,
)
from pseudonymizer.vault.store.surroundings import os_user

_MAGIC: Final = b"nymlink-bundle-1\n"
_CHUNK_ROWS: Final = 2_000
_SIZE: Final = struct.Struct(">I")
_MOST_HEADER: Final = 10_000
MEMORY_KIB: Final = 64 * 1024
# Nobody has proved the header of a file when its passphrase is tried: 1 GiB is sixteen times what is written.
_MOST_MEMORY_KIB: Final = 1 << 20
MIN_PASSPHRASE: Final = 12


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds: counts of rows by table. wants: the key that what is imported of it opens with,
    besides the passphrase of the bundle itself; see KekRow.name.
    """

    kind: str
    vault_id: str
    rows: Mapping[str, int]
    wants: str = ""


def export_bundle(
    vault: VaultCore,
    path: Path,
    passphrase: str,
    *,
    purpose: str,
    keys_only: bool = False,
    memory_kib: int = MEMORY_KIB,
) -> Bundle:
    """Write the vault, or only its key store, to one new file of mode 0600; audited before the first byte.

    Raises:
        BundleError: the passphrase is too short, or the file is there already.
    """
    if len(passphrase) < MIN_PASSPHRASE:
        raise BundleError(f"the passphrase of an export needs {MIN_PASSPHRASE} characters or more")
    if path.exists():
        raise BundleError("there is a file of this name already; an export never overwrites")
    verb = Verb.EXPORT_KEYS if keys_only else Verb.EXPORT_VAULT
    with vault.lock:
        vault.begin()
        role = authorize(vault, verb, purpose=purpose)
        if not purpose.strip():
            refuse(vault, verb, project_name="", purpose="", ticket="", reason="no purpose")
            raise PurposeRequiredError("say what the export is for: --purpose TEXT")
        vault.record(Entry(str(verb), role=role, purpose=purpose, outcome="allowed"))
        vault.commit()
        vault.begin_keys()  # nobody writes while we read
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as stream:
                counts = _write(vault, stream, passphrase, memory_kib, keys_only=keys_only)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
            vault.rollback()
        return Bundle(
            "keys" if keys_only else "vault", vault.keystore.vault_id.hex(), counts, vault.keystore.daily_key
        )


def _write(
    vault: VaultCore, stream: BinaryIO, passphrase: str, memory_kib: int, *, keys_only: bool
) -> dict[str, int]:
    header = {
        "kind": "keys" if keys_only else "vault",
        "vault_id": vault.keystore.vault_id.hex(),
        "salt": vault.entropy(16).hex(),
        "memory_kib": memory_kib,
        "vault_revision": migration.head_revision(vault.store.address),
        "keys_revision": migration.head_revision(vault.key_records.address),
    }
    raw = json.dumps(header, sort_keys=True).encode()
    stream.write(_MAGIC + _SIZE.pack(len(raw)) + raw)
    sealer, bound = _sealer(passphrase, header), digest_sha256((raw,))
    counts: Counter[str] = Counter()
    number = 0
    stores = [vault.key_records] if keys_only else [vault.key_records, vault.store]
    for store in stores:
        for table in _tables(store.address):
            if table is run_result and not migration.has_reached(store, migration.WITH_RESULTS):
                continue
            for rows in _chunks(store, table):
                counts[table.name] += len(rows)
                _put(stream, sealer, bound, number, {"table": table.name, "rows": rows})
                number += 1
    _put(stream, sealer, bound, number, {"end": True, "counts": dict(counts)})
    return dict(counts)


def _sealer(passphrase: str, header: Mapping[str, Any]) -> Sealer:
    memory = int(header["memory_kib"])
    if not 8 <= memory <= _MOST_MEMORY_KIB:
        raise BundleError("the export is damaged: it asks for more memory than any export does, or for none")
    key = passphrase_key(
        passphrase.encode(), salt=bytes.fromhex(header["salt"]), memory_kib=memory, passes=3, lanes=1
    )
    if len(key) != KEY_BYTES:
        raise BundleError("the export is damaged: its key has the wrong size")
    return Sealer(key, key_id=1)


def _put(stream: BinaryIO, sealer: Sealer, bound: bytes, number: int, content: Mapping[str, Any]) -> None:
    sealed = sealer.seal(json.dumps(content).encode(), context=bound + _SIZE.pack(number))
    stream.write(_SIZE.pack(len(sealed)) + sealed)


def _tables(address: StoreAddress) -> tuple[Table, ...]:
    metadata = vault_metadata if address.schema == "nymlink" else keys_metadata
    return tuple(metadata.sorted_tables)


def _chunks(store: Store, table: Table) -> Iterator[list[list[Any]]]:
    columns = ", ".join(column.name for column in table.columns)
    with store.streaming(f"SELECT {columns} FROM {table.name}") as rows:  # noqa: S608  our own tables
        chunk: list[list[Any]] = []
        for row in rows:
            chunk.append([_encoded(value) for value in row])
            if len(chunk) == _CHUNK_ROWS:
                yield chunk
                chunk = []
        if chunk:
            yield chunk


def _encoded(value: Any) -> Any:
    if isinstance(value, (bytes, memoryview)):
        return {"b": base64.b64encode(bytes(value)).decode()}
    return value


def _decoded(value: Any) -> Any:
    return base64.b64decode(value["b"], validate=True) if isinstance(value, dict) else value


def import_bundle(
    path: Path,
    passphrase: str,
    url: str | Path,
    *,
    keys_url: str | Path | None = None,
    provider: KeyProvider | None = None,
    actor: str | None = None,
) -> Bundle:
    """Make the stores of a bundle at a new address; a key backup makes the key store only.

    The roles of the vault that is imported hold already: where some were given out, the importer must be one
    who may import. provider opens what was imported: then its roles are checked against their bindings, and
    the import goes on its trail. Without it the stored roles are taken as they are written.

    Raises:
        AccessRefusedError: the roles do not allow it; nothing is left behind.
        BundleError: the file is damaged, cut off, or the passphrase is wrong; nothing is left behind.
        VaultExistsError: there is something at the address.
        VaultOutdatedError: a newer program made the bundle.
    """
    with path.open("rb") as stream:
        header, raw = _read_header(stream)
        sealer, bound = _sealer(passphrase, header), digest_sha256((raw,))
        vault_address, keys_address = store_addresses(url, keys_url)
        addresses = [keys_address] if header["kind"] == "keys" else [keys_address, vault_address]
        if header["kind"] == "keys":
            _refuse_other_vault(vault_address, str(header["vault_id"]))
        for address in addresses:
            refuse_existing(address)
            migration.refuse_newer(header["keys_revision" if address is keys_address else "vault_revision"])
        made: list[Path] = []
        stores: list[Store] = []
        try:
            for address in addresses:
                if address.is_sqlite:
                    make_file(address.path)
                    made.append(address.path)
                migration.upgrade(
                    address, header["keys_revision" if address is keys_address else "vault_revision"]
                )
                stores.append(_opened(address))
            counts = _read_rows(stream, sealer, bound, stores)
            if header["kind"] == "vault":
                note_import(stores[-1])
            for store in stores:
                store.commit()
                migration.upgrade(store.address)
            if header["kind"] == "vault" or _is_whole(vault_address, keys_address):
                _check_importer(url, keys_url, provider, actor or os_user())
        except BaseException:
            for store in stores:
                _take_away(store)
            for file in made:
                for tail in ("", "-wal", "-shm"):
                    file.with_name(file.name + tail).unlink(missing_ok=True)
            raise
        for store in stores:
            store.close()
    return Bundle(str(header["kind"]), str(header["vault_id"]), counts)


def _refuse_other_vault(address: StoreAddress, vault_id: str) -> None:
    """Raises BundleError where another vault than this one lies at the address."""
    lying = vault_id_at(address)
    if lying is not None and lying.hex() != vault_id:
        raise BundleError("these keys are of another vault than the one at this address; nothing was made")


def _is_whole(vault: StoreAddress, keys: StoreAddress) -> bool:
    """Whether vault and key store are both there, so that the vault can be opened."""
    try:
        look(vault, keys)
    except VaultError:
        return False
    return True


def _check_importer(
    url: str | Path, keys_url: str | Path | None, provider: KeyProvider | None, actor: str
) -> None:
    if provider is None:
        store = Store(store_addresses(url, keys_url)[0])
        try:
            rows = store.rows("SELECT actor, role FROM actor_role")
        finally:
            store.close()
        mine = {Role(role) for owner, role in rows if owner == actor}
        if rows and allowing_role(mine, Verb.IMPORT_VAULT) is None:
            raise AccessRefusedError("this actor has no role in the imported vault that allows import-vault")
        return
    with VaultCore.open(url, provider, keys_url=keys_url, actor=actor) as opened:
        role = authorize(opened, Verb.IMPORT_VAULT)
        opened.record(Entry(str(Verb.IMPORT_VAULT), role=role))
        opened.commit()


def _take_away(store: Store) -> None:
    """Of a server only what was made here: its tables. A file is removed whole."""
    store.rollback()
    if not store.address.is_sqlite:
        with translated():
            for table in (*(t.name for t in reversed(_tables(store.address))), "alembic_version"):
                store.connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
    store.close()


def _opened(address: StoreAddress) -> Store:
    store = Store(address)
    if address.is_sqlite:
        with translated():
            store.connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID[address.schema]}")
    store.begin_write()
    return store


def _read_header(stream: BinaryIO) -> tuple[dict[str, Any], bytes]:
    try:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise BundleError("this file is not an export of a vault")
        size = _SIZE.unpack(stream.read(4))[0]
        if size > _MOST_HEADER:
            raise BundleError("the export is damaged: its header is too long")
        raw = stream.read(size)
        header = json.loads(raw)
        bytes.fromhex(header["salt"])
        texts = {name: str(header[name]) for name in ("kind", "vault_id", "vault_revision", "keys_revision")}
        return {**header, **texts, "memory_kib": int(header["memory_kib"])}, raw
    except (ValueError, KeyError, TypeError, struct.error):
        raise BundleError("the export is damaged: its header cannot be read") from None


def _read_rows(stream: BinaryIO, sealer: Sealer, bound: bytes, stores: list[Store]) -> dict[str, int]:
    place = {table.name: (store, table) for store in stores for table in _tables(store.address)}
    counts: Counter[str] = Counter()
    number = 0
    while True:
        size = stream.read(4)
        if len(size) < 4:
            raise BundleError(f"the export is cut off after {number} pieces")
        (length,) = _SIZE.unpack(size)
        sealed = stream.read(length)
        try:
            if len(sealed) < length:
                raise BundleError(f"the export is cut off in piece {number}")
            plain = sealer.unseal(sealed, context=bound + _SIZE.pack(number))
        except UnsealError:
            hint = "the passphrase is wrong, or " if number == 0 else ""
            raise BundleError(f"{hint}piece {number} of the export was altered, moved or cut off") from None
        content = json.loads(plain)
        if content.get("end"):
            if content["counts"] != dict(counts) or stream.read(1):
                raise BundleError("the export does not hold what its manifest says")
            return dict(counts)
        try:
            store, table = place[content["table"]]
            rows = [tuple(_decoded(value) for value in row) for row in content["rows"]]
        except (KeyError, binascii.Error):
            raise BundleError("the export holds a table that this program does not know") from None
        store.insert(table, rows)
        counts[table.name] += len(rows)
        number += 1
