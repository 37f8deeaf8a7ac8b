"""Rewritten files in the vault: a path is stored only where it stays below the folder it is restored to."""

from dataclasses import replace

import pytest

from linkage.records import DocumentId
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import restore
from tests.pseudonymizer.conftest import VaultPlace

EDIT = RewriteEdit(0, "", 0, 2, b"Jan")


@pytest.mark.parametrize(
    "path", ["/home/x/.profile", "../x", "a/../../x", "", "a\0", "..\\x", "C:\\x", "./x", "x" * 256]
)
def test_a_path_that_leads_out_is_not_stored_nor_anything_with_it(
    sqlite_place: VaultPlace, path: str
) -> None:
    good, evil = (Rewrite(DocumentId(name), "txt", (EDIT,), at) for name, at in (("g", "a.txt"), ("e", path)))
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.store_rewrite("p", replaced(good, b"first"), output=b"uit")
        with pytest.raises(PseudonymizerError, match="the path of document e ") as refused:
            vault.store_rewrites("p", [(replaced(good, b"second"), b"uit"), (evil, b"uit2")])
        assert type(refused.value).__name__ == "OutsideFolderError"
        vault.commit()
        found = restore(vault, project="p", outputs=[b"uit", b"uit2"], purpose="t")
        assert found == (replaced(good, b"first"), None)


def replaced(rewrite: Rewrite, original: bytes) -> Rewrite:
    """The same file with another original."""
    return replace(rewrite, edits=(replace(EDIT, original=original),))


def test_a_file_without_a_path_is_stored(sqlite_place: VaultPlace) -> None:
    rewrite = Rewrite(DocumentId("d"), "txt", (EDIT,))
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.store_rewrite("p", rewrite, output=b"uit")
        vault.commit()
        assert restore(vault, project="p", outputs=[b"uit"], purpose="t") == (rewrite,)


@pytest.mark.parametrize("path", [None, "map/a.txt"])
@pytest.mark.parametrize("source", [None, DocumentId("linked")])
@pytest.mark.parametrize("one_way", [0, 1, 2**31])
def test_a_file_says_how_many_of_its_places_have_no_way_back(
    sqlite_place: VaultPlace, path: str | None, source: DocumentId | None, one_way: int
) -> None:
    rewrite = Rewrite(DocumentId("d"), "txt", (EDIT,), path, 0, source, one_way)
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.store_rewrite("p", rewrite, output=b"uit")
        vault.commit()
        assert restore(vault, project="p", outputs=[b"uit"], purpose="t") == (rewrite,)
