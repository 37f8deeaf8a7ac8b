"""The copy of a vault that `vault migrate` makes: whole, for its owner alone, named until it is deleted."""

import gzip
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy

from pseudonymizer.errors import (
    KeyDestroyedError,
    SettingsError,
    UnknownPseudonymError,
    VaultError,
    VaultOutdatedError,
)
from pseudonymizer.keyring import EnvironmentKey, FileKey
from pseudonymizer.records import ErasureReceipt
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.rows import people
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.copies import copies_beside, copy_beside
from pseudonymizer.vault.store.stores import StoreAddress, make_engine, store_addresses
from tests.fakes import FakeClock
from tests.kept.material import rows_of
from tests.pseudonymizer.conftest import VaultPlace

GOLDEN = Path(__file__).parents[3] / "vectors" / "golden"
KEY = EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def addresses(tmp_path: Path) -> tuple[StoreAddress, StoreAddress]:
    """A vault of the first schema revision."""
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0001.{name}.gz").read_bytes()))
    return store_addresses(tmp_path / "vault.db", None)


def opened(folder: Path) -> Vault:
    return Vault.open(folder / "vault.db", KEY, clock=FakeClock())


def erase_first(vault: Vault) -> tuple[str, ErasureReceipt]:
    (label,) = vault.store.rows("SELECT label FROM pseudonym ORDER BY pseudonym_id LIMIT 1")[0]
    return label, erase(vault, project="p", pseudonyms=[label], purpose="verzoek")


def test_migrate_copies_the_vault_first(addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path) -> None:
    before = rows_of(tmp_path / "vault.db")
    done = migration.migrate(*addresses, at=AT)
    assert done.revisions == (migration.head_revision(addresses[0]), migration.head_revision(addresses[1]))
    copy = tmp_path / "vault.db.copy-20260301T123000Z"
    assert done.copy == copy
    assert copies_beside(addresses[0]) == (copy,)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert rows_of(copy) == before != rows_of(tmp_path / "vault.db")
    assert copies_beside(addresses[1]) == (), "keys are copied nowhere: what is destroyed there is gone"


def test_nothing_is_copied_where_nothing_changes(addresses: tuple[StoreAddress, StoreAddress]) -> None:
    migration.migrate(*addresses, at=AT)
    assert migration.migrate(*addresses, at=AT).copy is None
    assert len(copies_beside(addresses[0])) == 1


def test_what_is_in_the_log_is_copied(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.commit()
        assert sqlite_place.vault_file.with_name("vault.db-wal").stat().st_size
        copy = copy_beside(vault.store.address, at=AT)
        again = copy_beside(vault.store.address, at=AT)
    assert again.name == copy.name + "-2"
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT name FROM project").fetchall() == [("p",)]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_every_receipt_names_the_copy_until_it_is_deleted(
    addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path
) -> None:
    copy = migration.migrate(*addresses, at=AT).copy
    assert copy is not None
    (tmp_path / "vault.db.copy-20260301T123000Z-2.part").touch()
    for _ in range(2):
        with opened(tmp_path) as vault:
            _, receipt = erase_first(vault)
        named = [line.split()[0] for line in receipt.remains if "vault migrate" in line]
        assert named == [copy.name, copy.name + "-2.part"]
        assert not any(str(tmp_path) in line for line in receipt.remains)
    for file in copies_beside(addresses[0]):
        file.unlink()
    with opened(tmp_path) as vault:
        _, receipt = erase_first(vault)
    assert not [line for line in receipt.remains if "vault migrate" in line]


def test_the_copy_with_the_keys_of_today_opens_nothing_of_the_erased(
    addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path
) -> None:
    copy = migration.migrate(*addresses, at=AT).copy
    assert copy is not None
    with opened(tmp_path) as vault:
        label, _ = erase_first(vault)
        entity_id = 1
    (tmp_path / "back").mkdir()
    shutil.copy(copy, tmp_path / "back" / "vault.db")
    shutil.copy(tmp_path / "vault.keys.db", tmp_path / "back" / "vault.keys.db")
    migration.migrate(*store_addresses(tmp_path / "back" / "vault.db", None), at=AT)
    with opened(tmp_path / "back") as vault:
        assert vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (label,)) == entity_id
        with pytest.raises(KeyDestroyedError):
            reveal(vault, project="p", pseudonyms=[label], purpose="toets")
        with pytest.raises(KeyDestroyedError):
            people.facts_of(vault, vault.keys_of("p"), [entity_id])
    with opened(tmp_path) as vault, pytest.raises(UnknownPseudonymError):
        reveal(vault, project="p", pseudonyms=[label], purpose="toets")


def test_a_vault_that_cannot_be_copied_is_not_changed(
    addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows_of(tmp_path / "vault.db")

    def full(_place: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pseudonymizer.vault.store.copies._on_disk", full)
    with pytest.raises(VaultError, match="was not changed"):
        migration.migrate(*addresses, at=AT)
    assert rows_of(tmp_path / "vault.db") == before
    assert copies_beside(addresses[0]) == ()


def test_a_vault_of_a_newer_program_is_neither_copied_nor_changed(
    addresses: tuple[StoreAddress, StoreAddress],
) -> None:
    with make_engine(addresses[0]).connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'vault_9999'")
    with pytest.raises(VaultOutdatedError, match="vault_9999, which is newer"):
        migration.migrate(*addresses, at=AT)
    assert copies_beside(addresses[0]) == ()


def test_on_a_server_somebody_must_say_that_there_is_a_backup(postgres_url: str, tmp_path: Path) -> None:
    place = VaultPlace(postgres_url, tmp_path, FileKey(tmp_path / "kek.key"), FakeClock())
    place.create().close()
    vault, keys = store_addresses(postgres_url, None)
    assert migration.migrate(vault, keys, at=AT).copy is None, "nothing to change, so nothing to copy"
    with make_engine(vault).connect() as connection:
        _at_the_first_revision(connection)
    with pytest.raises(SettingsError, match="--i-have-a-backup"):
        migration.migrate(vault, keys, at=AT)
    assert migration.current_revision(vault) == "vault_0001"
    done = migration.migrate(vault, keys, at=AT, has_backup=True)
    assert (done.revisions[0], done.copy) == (migration.head_revision(vault), None)
    assert migration.current_revision(vault) == migration.head_revision(vault)


def _at_the_first_revision(connection: sqlalchemy.Connection) -> None:
    connection.exec_driver_sql("DROP TABLE nymlink.run_result")
    connection.exec_driver_sql("DROP TABLE nymlink.mention_list")
    connection.exec_driver_sql("CREATE INDEX name_index_by_entity ON nymlink.name_index (entity_id)")
    connection.exec_driver_sql("UPDATE nymlink.alembic_version SET version_num = 'vault_0001'")


def test_two_copies_of_one_second_get_names_of_their_own(
    addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path
) -> None:
    begun = tmp_path / "vault.db.copy-20260301T123000Z.part"
    begun.write_bytes(b"of another process")
    copy = copy_beside(addresses[0], at=AT)
    assert copy.name == "vault.db.copy-20260301T123000Z-2"
    assert begun.read_bytes() == b"of another process"
    begun.unlink()
    assert copy_beside(addresses[0], at=AT).name == "vault.db.copy-20260301T123000Z"
    assert rows_of(copy) == rows_of(tmp_path / "vault.db")
    assert copy_beside(addresses[0], at=AT).name == "vault.db.copy-20260301T123000Z-3"


def test_a_receipt_is_given_where_the_folder_cannot_be_read(
    addresses: tuple[StoreAddress, StoreAddress], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migration.migrate(*addresses, at=AT)

    def refused(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with opened(tmp_path) as vault:
        monkeypatch.setattr(Path, "iterdir", refused)
        label, receipt = erase_first(vault)
        assert receipt.pseudonyms == (label,)
        assert [line for line in receipt.remains if "cannot be read" in line]
