"""Four ways in which a vault does not open: told apart, and none changes a byte."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    KeyStoreMissingError,
    KeyUnavailableError,
    SettingsError,
    VaultDamagedError,
    VaultError,
    VaultExistsError,
    VaultOutdatedError,
    VaultUninitializedError,
    WrongKeyError,
)
from pseudonymizer.keyring import FileKey, PassphraseKey, RecoveryKey
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store import opening
from pseudonymizer.vault.store.stores import StoreAddress
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace


def _fill(place: VaultPlace) -> None:
    with place.create() as vault:
        assign(linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]]), vault, project="p")
        vault.commit()


def _bytes(folder: Path) -> dict[str, str]:
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir()) if p.is_file()
    }


def _other_key(place: VaultPlace) -> FileKey:
    other = FileKey(place.folder.parent / f"{place.folder.name}.other.key")
    other.create()
    return other


def _unlink(*paths: Path) -> None:
    for path in paths:
        path.unlink()


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _scramble(path: Path) -> None:
    path.write_bytes(b"x" * 8192)


def _edit_kek(place: VaultPlace) -> None:
    raw = place.keys_file.read_bytes()
    at = raw.index(b"file{}") + 6  # the fingerprint comes right after kind and parameters
    place.keys_file.write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])


BROKEN: list[tuple[str, Callable[[VaultPlace], object], type[VaultError]]] = [
    ("both gone", lambda p: _unlink(p.vault_file, p.keys_file), VaultUninitializedError),
    (
        "empty files",
        lambda p: (p.vault_file.write_bytes(b""), p.keys_file.write_bytes(b"")),
        VaultUninitializedError,
    ),
    ("keys gone", lambda p: p.keys_file.unlink(), KeyStoreMissingError),
    ("vault gone", lambda p: p.vault_file.unlink(), VaultDamagedError),
    ("key file gone", lambda p: Path(p.key.path).unlink(), KeyUnavailableError),
    ("key file cut off", lambda p: Path(p.key.path).write_text("nymlink-key-1 AAAA"), KeyUnavailableError),
    ("key file open to all", lambda p: Path(p.key.path).chmod(0o644), KeyUnavailableError),
    ("vault cut off", lambda p: _truncate(p.vault_file), VaultDamagedError),
    ("keys cut off", lambda p: _truncate(p.keys_file), VaultDamagedError),
    ("vault scrambled", lambda p: _scramble(p.vault_file), VaultDamagedError),
    ("keys scrambled", lambda p: _scramble(p.keys_file), VaultDamagedError),
    ("key record altered", _edit_kek, VaultDamagedError),
    ("stores swapped", lambda p: shutil.copy(p.vault_file, p.keys_file), VaultDamagedError),
]


@pytest.mark.parametrize(("what", "damage", "error"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_each_fault_has_its_error_and_changes_nothing(
    sqlite_place: VaultPlace, what: str, damage: Callable[[VaultPlace], object], error: type[VaultError]
) -> None:
    _fill(sqlite_place)
    damage(sqlite_place)
    before = _bytes(sqlite_place.folder)
    for _ in range(2):
        with pytest.raises(error) as caught:
            sqlite_place.open()
        assert type(caught.value) is error, what
        assert "Tolsma" not in str(caught.value)
        assert str(sqlite_place.folder) not in str(caught.value)
    assert _bytes(sqlite_place.folder) == before


def test_a_wrong_key_is_told_from_damage_and_changes_nothing(place: VaultPlace) -> None:
    _fill(place)
    before = _bytes(place.folder)
    with pytest.raises(WrongKeyError):
        Vault.open(place.url, _other_key(place))
    with pytest.raises(WrongKeyError):
        Vault.open(place.url, PassphraseKey("correct horse battery"))
    assert _bytes(place.folder) == before


def test_nothing_is_ever_overwritten(place: VaultPlace) -> None:
    _fill(place)
    before = _bytes(place.folder)
    with pytest.raises(VaultExistsError):
        place.create()
    assert _bytes(place.folder) == before


def test_an_existing_key_file_is_used_as_it_is(sqlite_place: VaultPlace) -> None:
    sqlite_place.key.create()
    before = Path(sqlite_place.key.path).read_bytes()
    sqlite_place.create().close()
    assert Path(sqlite_place.key.path).read_bytes() == before
    sqlite_place.open().close()


def test_files_are_for_their_owner_alone(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        modes = {p.name: p.stat().st_mode & 0o777 for p in sqlite_place.folder.iterdir()}
        vault.commit()
    assert set(modes.values()) == {0o600}
    assert {"vault.db", "vault.keys.db", "kek.key"} <= set(modes)


def test_a_key_store_of_another_vault_is_refused(tmp_path: Path) -> None:
    key = FileKey(tmp_path / "k")
    Vault.create(f"sqlite:///{tmp_path}/a.db", key).close()
    Vault.create(f"sqlite:///{tmp_path}/b.db", key).close()
    with pytest.raises(KeyStoreMissingError, match="another vault"):
        Vault.open(f"sqlite:///{tmp_path}/a.db", key, keys_url=f"sqlite:///{tmp_path}/b.keys.db")


def test_the_key_store_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "apart").mkdir()
    keys_url = f"sqlite:///{tmp_path}/apart/k.db"
    key = FileKey(tmp_path / "k")
    Vault.create(f"sqlite:///{tmp_path}/a.db", key, keys_url=keys_url).close()
    Vault.open(f"sqlite:///{tmp_path}/a.db", key, keys_url=keys_url).close()
    with pytest.raises(KeyStoreMissingError):
        Vault.open(f"sqlite:///{tmp_path}/a.db", key)


def test_a_passphrase_opens_and_a_wrong_one_says_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    with pytest.raises(KeyUnavailableError):
        Vault.create(url, PassphraseKey("kort"))
    assert list(tmp_path.iterdir()) == []
    small = PassphraseKey("paard batterij nietje", memory_kib=64, passes=1, lanes=1)
    Vault.create(url, small).close()
    Vault.open(url, PassphraseKey("paard batterij nietje")).close()
    with pytest.raises(WrongKeyError, match="passphrase"):
        Vault.open(url, PassphraseKey("paard batterij lepel"))


def test_recovery_key_opens_and_a_wrong_or_mistyped_one_does_not(place: VaultPlace) -> None:
    with place.create() as vault:
        recovery = vault.add_recovery_key()
    assert recovery is not None
    assert recovery.text not in repr(recovery)
    Vault.open(place.url, RecoveryKey(recovery.text.lower().replace("-", " "))).close()
    swapped = recovery.text[1] + recovery.text[0] + recovery.text[2:]
    if swapped != recovery.text:
        with pytest.raises(KeyUnavailableError):
            Vault.open(place.url, RecoveryKey(swapped))


def test_a_newer_schema_is_not_touched(place: VaultPlace) -> None:
    with place.create() as vault:
        vault.begin()
        vault.store.run_many("UPDATE alembic_version SET version_num = ?", [("vault_9999",)])
        vault.store.commit()
    with pytest.raises(VaultOutdatedError):
        place.open()


@pytest.mark.parametrize("url", ["sqlite://", "mysql://x/y", "geen:url", ":memory:", ""])
def test_addresses_that_are_none_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        Vault.open(url, FileKey(tmp_path / "k"))


def test_a_vault_that_a_killed_process_left_open_is_read_without_a_change(
    sqlite_place: VaultPlace, tmp_path: Path
) -> None:
    with sqlite_place.create() as vault:
        assign(linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]]), vault, project="p")
        vault.commit()
        copy = tmp_path / "copy"
        copy.mkdir()
        for file in sqlite_place.folder.glob("vault.*"):
            if file.is_file() and not file.name.endswith("-shm"):
                shutil.copy(file, copy / file.name)
    assert (copy / "vault.db-wal").stat().st_size > 0
    before = {name: value for name, value in _bytes(copy).items() if not name.endswith("-shm")}
    with pytest.raises(WrongKeyError):
        Vault.open(f"sqlite:///{copy}/vault.db", _other_key(sqlite_place))
    after = {name: value for name, value in _bytes(copy).items() if not name.endswith("-shm")}
    assert after == before
    with Vault.open(f"sqlite:///{copy}/vault.db", sqlite_place.key) as vault:
        assert len(vault.known_identities("p")) == 1


def test_a_file_that_was_written_meanwhile_is_read_again(
    sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(sqlite_place)
    reading, looks = opening._sqlite_state_now, []

    def torn(address: StoreAddress) -> object:
        looks.append(address)
        if len(looks) < 3:
            os.utime(address.path, ns=(0, len(looks)))  # as a write of another process does
            raise VaultDamagedError("pages of two times")
        return reading(address)

    monkeypatch.setattr(opening, "_sqlite_state_now", torn)
    sqlite_place.open().close()
    assert len(looks) == 4  # three of the vault, one of its key store


def test_a_damaged_file_that_nobody_writes_is_read_once(
    sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(sqlite_place)
    looks = []

    def damaged(address: StoreAddress) -> object:
        looks.append(address)
        raise VaultDamagedError("the store is damaged")

    monkeypatch.setattr(opening, "_sqlite_state_now", damaged)
    with pytest.raises(VaultDamagedError, match="the store is damaged"):
        sqlite_place.open()
    assert len(looks) == 1
