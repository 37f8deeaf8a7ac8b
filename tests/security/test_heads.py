"""A vault that was put back whole, with its trail, is found, before and after further writes."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, PseudonymizerError, PurposeRequiredError, VaultError
from pseudonymizer.policy import Role
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.mending import accept_put_back
from pseudonymizer.vault.store.heads import PUT_BACK
from pseudonymizer.vault.store.stores import Store
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

RESULT = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
LATER = linkage_result({"b": "Els Mol"}, [[("b", "Els Mol")]])


@pytest.fixture
def place(tmp_path: Path) -> VaultPlace:
    made = sqlite_place_in(tmp_path)
    with made.create("boss") as vault:
        assign(RESULT, vault, project="p")
        vault.give_role("bob", Role.REQUESTER)
        for role in (Role.CURATOR, Role.KEYADMIN, Role.AUDITOR):
            vault.give_role("boss", role)
        vault.commit()
    return made


@contextmanager
def opened(place: VaultPlace, head: Path | None = None, actor: str = "boss") -> Iterator[Vault]:
    with Vault.open(place.url, place.key, clock=place.clock, actor=actor, head=head) as vault:
        yield vault


def findings(place: VaultPlace, head: Path | None = None) -> list[bool]:
    with opened(place, head) as vault:
        return ["put back" in finding for finding in vault.verify().findings]


def dismiss(place: VaultPlace, head: Path | None = None) -> None:
    with opened(place, head) as vault:
        vault.take_role("bob", Role.REQUESTER)
        vault.commit()


def write(place: VaultPlace, head: Path | None = None) -> None:
    with opened(place, head) as vault:
        assign(LATER, vault, project="p")
        vault.commit()


def copy_of(*files: Path) -> None:
    for file in files:
        shutil.copy(file, file.with_suffix(".old"))


def put_back(*files: Path) -> None:
    for file in files:
        shutil.copy(file.with_suffix(".old"), file)


def test_a_vault_put_back_with_its_trail_is_found_by_its_key_store(place: VaultPlace) -> None:
    copy_of(place.vault_file)
    dismiss(place)
    assert findings(place) == []
    put_back(place.vault_file)
    assert findings(place) == [True]
    for _ in range(2):
        write(place)
        assert findings(place) == [True], "once, also after later writes"
    with opened(place) as vault:
        assert [event.action for event in vault.audit_events()].count(PUT_BACK) == 1


def test_the_last_commit_alone_taken_back_is_found(place: VaultPlace) -> None:
    """As by an actor whose role was taken in it."""
    copy_of(place.vault_file)
    dismiss(place)
    put_back(place.vault_file)
    with opened(place, actor="bob") as vault, pytest.raises(PseudonymizerError):
        reveal(vault, project="p", pseudonyms=["x"], purpose="t")
    assert findings(place) == [True]


def test_who_governs_accepts_a_backup_that_was_put_back(place: VaultPlace) -> None:
    copy_of(place.vault_file)
    dismiss(place)
    put_back(place.vault_file)
    with opened(place) as vault:
        with pytest.raises(PurposeRequiredError):
            accept_put_back(vault, purpose=" ")
        accept_put_back(vault, purpose="de schijf was stuk")
    assert findings(place) == []
    with opened(place, actor="bob") as vault, pytest.raises(AccessRefusedError):
        accept_put_back(vault, purpose="toets")
    copy_of(place.vault_file)
    write(place)
    put_back(place.vault_file)
    assert findings(place) == [True], "the next one is a new one"


def test_an_older_key_store_is_no_older_vault(place: VaultPlace) -> None:
    copy_of(place.keys_file)
    dismiss(place)
    put_back(place.keys_file)
    assert findings(place) == []
    write(place)
    assert findings(place) == []


def test_both_stores_put_back_are_found_by_a_head_outside(place: VaultPlace, tmp_path: Path) -> None:
    head = tmp_path / "elsewhere.json"
    write(place, head)
    assert head.stat().st_mode & 0o777 == 0o600
    copy_of(place.vault_file, place.keys_file)
    dismiss(place, head)
    put_back(place.vault_file, place.keys_file)
    assert findings(place) == []
    assert findings(place, head) == [True]
    with opened(place, head) as vault:
        vault.give_role("carl", Role.AUDITOR)
        vault.commit()
    assert findings(place, head) == [True]
    assert findings(place) == [True], "the trail says so from then on"


def test_a_head_of_another_vault_is_told(place: VaultPlace, tmp_path: Path) -> None:
    head = tmp_path / "elsewhere.json"
    (tmp_path / "other").mkdir()
    other = sqlite_place_in(tmp_path / "other")
    with Vault.create(other.url, other.key, clock=other.clock, head=head) as vault:
        vault.ensure_project("q")
        vault.commit()
    with opened(place, head) as vault:
        assert any("another vault" in finding for finding in vault.verify().findings)
    head.write_text("[]")
    with opened(place, head) as vault:
        assert any("something else" in finding for finding in vault.verify().findings)


def test_an_altered_head_in_the_key_store_is_found_and_nothing_is_written(place: VaultPlace) -> None:
    with closing(sqlite3.connect(place.keys_file)) as connection, connection:
        (value,) = connection.execute("select value from key_meta where name = 'trail_head'").fetchone()
        changed = bytes([value[0] ^ 1]) + value[1:]
        connection.execute("update key_meta set value = ? where name = 'trail_head'", (changed,))
    with opened(place) as vault:
        assert any("was altered" in finding for finding in vault.verify().findings)


@pytest.mark.parametrize("kept", [0, 1])
def test_killed_between_the_trail_and_its_head_nothing_is_found(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    class Killed(BaseException):
        pass

    enter = Store.writing_quickly

    @contextmanager
    def killed(self: Store) -> Iterator[None]:
        if not kept:
            raise Killed
        with enter(self):
            yield
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Store, "writing_quickly", killed)
        with pytest.raises(Killed):
            dismiss(place)
    assert findings(place) == []
    write(place)
    assert findings(place) == []
    with opened(place) as vault:
        assert dict(vault.stored_roles()).get("bob") is None


def test_a_key_store_that_cannot_be_written_stops_nobody(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @contextmanager
    def refused(_: Store) -> Iterator[None]:
        raise VaultError("the vault cannot be written: its file or folder is read-only")
        yield

    with monkeypatch.context() as patch:
        patch.setattr(Store, "writing_quickly", refused)
        dismiss(place, tmp_path / "no folder" / "head.json")
    assert findings(place) == []
