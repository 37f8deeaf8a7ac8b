"""A vault on a full disk: the error says so, nothing of the transaction is kept, and it goes on when there
is room again."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from linkage.records import DocumentId
from pseudonymizer.assignment import assign
from pseudonymizer.errors import VaultError
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.erasure import erase
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

JAN = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
MANY = linkage_result(
    {f"d{n}": f"Naam{n} Achter{n}" for n in range(400)},
    [[(f"d{n}", f"Naam{n} Achter{n}")] for n in range(400)],
)


def assign_many(vault: Vault, _label: str) -> None:
    assign(MANY, vault, project="p")
    vault.commit()


def store_large(vault: Vault, _label: str) -> None:
    edits = tuple(RewriteEdit(n, "", n, n, b"x" * 1_000, None) for n in range(400))
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits, "pad"), output=b"uit")
    vault.commit()


def rotate_data(vault: Vault, _label: str) -> None:
    rotate(vault, Rotated.DATA, project_name="p")


def erase_one(vault: Vault, label: str) -> None:
    erase(vault, project="p", pseudonyms=[label], purpose="verzoek")


def reveal_one(vault: Vault, label: str) -> None:
    reveal(vault, project="p", pseudonyms=[label], purpose="toets")


def until_full(act: Any, vault: Vault, label: str) -> None:
    for _ in range(50):
        act(vault, label)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk looks like to this process: files that are longer cannot grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def state(folder: Path) -> dict[str, Any]:
    return {file.name: file.read_bytes() for file in folder.glob("vault*.db")}


@pytest.mark.parametrize("act", [assign_many, store_large, rotate_data, erase_one, reveal_one])
def test_nothing_is_half_done(sqlite_place: VaultPlace, act: Any) -> None:
    with sqlite_place.create() as vault:
        (label,) = (p.label for p in assign(JAN, vault, project="p").values())
        vault.commit()
    before = state(sqlite_place.folder)
    with sqlite_place.open() as vault:
        # Room for the shared-memory index of the log and no more than a few pages of the log itself.
        with files_of_at_most(32_768 + 3 * 4_096), pytest.raises(VaultError) as caught:
            until_full(act, vault, label)
        assert "disk" in str(caught.value)
        assert "Tolsma" not in str(caught.value)
        vault.rollback()
        if act is not erase_one:  # what was begun of an erasure is finished at the next opening
            assert vault.verify().findings == ()
            assert reveal(vault, project="p", pseudonyms=[label], purpose="toets")[label].name == "Jan Tolsma"
    assert before.keys() == state(sqlite_place.folder).keys()
    with sqlite_place.open() as vault:  # there is room again
        assert vault.verify().findings == ()
        if act is not erase_one:
            act(vault, label)
        else:
            assert vault.store.rows("SELECT label FROM tombstone") in ([], [(label,)])
        assert vault.verify().findings == ()


def test_the_database_itself_may_be_full(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        assign(JAN, vault, project="p")
        vault.commit()
        pages = vault.store.scalar("PRAGMA page_count")
        vault.store.scalar(f"PRAGMA max_page_count={pages}")
        with pytest.raises(VaultError, match="disk of the vault is full"):
            assign_many(vault, "")
        vault.rollback()
        vault.store.scalar("PRAGMA max_page_count=1000000")
        assert len(vault.known_identities("p")) == 1
        assign_many(vault, "")
        assert len(vault.known_identities("p")) == 401
        assert vault.verify().findings == ()


def test_a_lost_transaction_must_be_rolled_back_first(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.commit()
        pages = vault.store.scalar("PRAGMA page_count")
        vault.store.scalar(f"PRAGMA max_page_count={pages}")
        with pytest.raises(VaultError):
            assign(MANY, vault, project="p")
        vault.store.scalar("PRAGMA max_page_count=1000000")
        with pytest.raises(VaultError, match="roll back"):
            assign(JAN, vault, project="p")  # would be written row by row, without a transaction
        with pytest.raises(VaultError, match="roll back"):
            vault.commit()
        assign(JAN, vault, project="p")
        vault.commit()
        assert len(vault.known_identities("p")) == 1
        assert vault.verify().findings == ()


def test_a_vault_cannot_be_made_and_leaves_nothing(sqlite_place: VaultPlace) -> None:
    with files_of_at_most(8_192), pytest.raises(VaultError, match="disk"):
        sqlite_place.create()
    assert not list(sqlite_place.folder.glob("vault*"))
