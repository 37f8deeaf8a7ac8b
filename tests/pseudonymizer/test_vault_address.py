"""A vault is opened by its place: a path, a URL or a service; each wants the key that it needs, or none."""

from pathlib import Path

import pytest

from pseudonymizer.errors import KeyUnavailableError, ServiceError, VaultUninitializedError
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault_address import open_vault
from tests.fakes import FakeClock
from tests.pseudonymizer.batch_fakes import make_vault


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with make_vault(tmp_path)() as vault:
        vault.ensure_project("p")
        vault.commit()
    return tmp_path


def test_a_path_and_a_url_open_the_same_vault_with_a_key_or_its_path(folder: Path) -> None:
    place, key = folder / "vault.db", folder / "kek.key"
    for address in (place, str(place), f"sqlite:///{place}"):
        for given in (key, FileKey(key)):
            with open_vault(address, given) as vault:
                assert vault.projects() == ("p",)


def test_who_acts_and_when_is_told_on(folder: Path) -> None:
    clock = FakeClock()
    with open_vault(folder / "vault.db", folder / "kek.key", actor="ana", clock=clock) as vault:
        vault.ensure_project("q")
        vault.commit()
        last = list(vault.audit_events())[-1]
    assert (last.actor, last.occurred_at) == ("ana", clock.now)


def test_a_vault_that_is_no_service_needs_a_key(folder: Path) -> None:
    with pytest.raises(KeyUnavailableError, match="key file"):
        open_vault(folder / "vault.db")


def test_a_place_without_a_vault_is_told_and_stays_empty(tmp_path: Path) -> None:
    FileKey(tmp_path / "kek.key").create()
    with pytest.raises(VaultUninitializedError):
        open_vault(tmp_path / "vault.db", tmp_path / "kek.key")
    assert not (tmp_path / "vault.db").exists()


def test_a_service_is_asked_without_a_key(tmp_path: Path) -> None:
    for key in (None, FileKey(tmp_path / "kek.key")):
        with pytest.raises(ServiceError, match="no vault service can be reached"):
            open_vault(f"unix:{tmp_path / 's'}", key)
