"""Rows of the key store that somebody altered, added, took out or put back: found before and after writes."""

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from linkage.records import DocumentId
from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, VaultDamagedError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.records import Rewrite, RewriteEdit, VerifyReport
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.mending import accept_put_back
from pseudonymizer.vault.care.rotation import Rotated, rotate, rotate_kek
from pseudonymizer.vault.erasure import erase
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.rows.test_published import made_before, revision

PEOPLE = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Wim Faber"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Wim Faber")]]
)
LATER = linkage_result({"b": "Ada Mulder"}, [[("b", "Ada Mulder")]])
LAST = linkage_result({"c": "Otto Lok"}, [[("c", "Otto Lok")]])


def labels_of(vault: Vault, project: str = "p") -> list[str]:
    given = assign(PEOPLE, vault, project=project)
    labels = [given[mention.mention_id].label for mention in PEOPLE.mentions]
    edit = RewriteEdit(0, "kop", 0, 9, b"origineel", None)
    vault.store_rewrite(project, Rewrite(DocumentId("d"), "txt", (edit,), "pad"), output=b"uit")
    vault.commit()
    return labels


def pseudonymize_later(place: VaultPlace) -> None:
    with place.open() as vault:
        assign(LATER, vault, project="p")
        vault.commit()


def alter(place: VaultPlace, statement: str) -> None:
    with closing(sqlite3.connect(place.keys_file)) as connection, connection:
        assert connection.execute(statement).rowcount == 1


def verified(place: VaultPlace) -> VerifyReport:
    with place.open() as vault:
        return vault.verify()


ALTERED = {
    "a key moved to another project": "UPDATE entity_key SET project_id = 9 WHERE entity_id = 1",
    "a document's key moved": "UPDATE document_key SET project_id = 9",
    "a key of nobody": "INSERT INTO entity_key VALUES (70, 1, x'00')",
    "a recovery key gone": "DELETE FROM kek WHERE kind = 'recovery'",
    "a wrap of it altered": "UPDATE project_key SET wrapped = x'00' WHERE kek_id = 2 AND purpose = 'index'",
    "the day of a key": "UPDATE project_key SET created_at = 'x' WHERE purpose = 'index' AND kek_id = 1",
    "the head of the trail gone": "DELETE FROM key_meta WHERE name = 'trail_head'",
    "the generation": "UPDATE key_meta SET value = x'00' WHERE name = 'generation'",
    "a count gone": "DELETE FROM key_checkpoint WHERE table_name = 'entity_key'",
    "a count altered": "UPDATE key_checkpoint SET sealed = x'00' WHERE table_name = 'entity_key'",
    "the count that is shown": "UPDATE key_checkpoint SET row_count = 7 WHERE table_name = 'entity_key'",
    "its revision a text": "UPDATE key_checkpoint SET revision = 'x' WHERE table_name = 'entity_key'",
}


@pytest.mark.parametrize("statement", ALTERED.values(), ids=ALTERED)
def test_an_altered_row_is_found_before_and_after_further_writes(
    sqlite_place: VaultPlace, statement: str
) -> None:
    with sqlite_place.create() as vault:
        vault.add_recovery_key()
        labels_of(vault)
    assert verified(sqlite_place).findings == ()
    alter(sqlite_place, statement)
    assert verified(sqlite_place).findings != ()
    with suppress(VaultDamagedError):  # refused, which is as good
        pseudonymize_later(sqlite_place)
    assert verified(sqlite_place).findings != ()


def test_rotation_destroys_no_key_while_one_is_left_out(sqlite_place: VaultPlace) -> None:
    """A key that stands under another project is not wrapped anew, and would be lost with the old key."""
    with sqlite_place.create() as vault:
        labels = labels_of(vault)
    alter(sqlite_place, "UPDATE entity_key SET project_id = 9 WHERE entity_id = 1")
    with sqlite_place.open() as vault, pytest.raises(VaultDamagedError, match="entity_key"):
        rotate(vault, Rotated.WRAP, project_name="p")
    alter(sqlite_place, "UPDATE entity_key SET project_id = 1 WHERE entity_id = 1")
    with sqlite_place.open() as vault:
        rotate(vault, Rotated.WRAP, project_name="p")
        assert len(reveal(vault, project="p", pseudonyms=labels, purpose="toets")) == 3
        assert vault.verify().findings == ()


def test_an_erasure_tells_that_a_moved_key_may_be_left(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        labels = labels_of(vault)
        receipt = erase(vault, project="p", pseudonyms=labels[:1], purpose="verzoek")
    assert not any("altered" in one for one in receipt.remains)
    alter(sqlite_place, "UPDATE entity_key SET entity_id = 70 WHERE entity_id = 2")
    with sqlite_place.open() as vault:
        receipt = erase(vault, project="p", pseudonyms=labels[1:2], purpose="verzoek")
        assert any("a key may be left" in one for one in receipt.remains)
        assert vault.verify().findings != ()


def test_a_new_kek_destroys_no_wrap_that_it_did_not_replace(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        labels_of(vault)
    alter(sqlite_place, "UPDATE project_key SET kek_id = 9 WHERE purpose = 'wrap'")
    new = FileKey(sqlite_place.folder / "new.key")
    with sqlite_place.open() as vault, pytest.raises(VaultDamagedError, match="project_key"):
        rotate_kek(vault, new)
    with sqlite_place.open() as vault:  # the old key still opens
        assert vault.verify().findings != ()


def copies(place: VaultPlace, folder: Path) -> Path:
    folder.mkdir()
    with closing(sqlite3.connect(place.keys_file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy2(place.keys_file, folder)
    return folder / place.keys_file.name


def put_back(copy: Path, place: VaultPlace) -> None:
    for tail in ("-wal", "-shm"):
        place.keys_file.with_name(place.keys_file.name + tail).unlink(missing_ok=True)
    shutil.copy2(copy, place.keys_file)


def test_an_older_key_store_goes_on_record_until_a_dpo_accepts_it(
    sqlite_place: VaultPlace, tmp_path: Path
) -> None:
    with sqlite_place.create() as vault:
        labels_of(vault)
        for role in (Role.DPO, Role.KEYADMIN, Role.ANALYST, Role.AUDITOR):
            vault.give_role("tester", role)
        vault.commit()
    copy = copies(sqlite_place, tmp_path / "copy")
    with sqlite_place.open() as vault:
        rotate(vault, Rotated.INDEX, project_name="p")
    with sqlite_place.open() as vault:
        rotate(vault, Rotated.TOKEN, project_name="p")
    put_back(copy, sqlite_place)
    assert any("older copy was put back" in finding for finding in verified(sqlite_place).findings)
    with sqlite_place.open() as vault:
        assign(LAST, vault, project="q")
        vault.commit()
    found = verified(sqlite_place).findings
    assert any("older copy of the key store" in finding for finding in found)
    with sqlite_place.open() as vault:
        accept_put_back(vault, purpose="backup van dinsdag")
    assert not any("older copy" in finding for finding in verified(sqlite_place).findings)


def test_an_older_table_with_its_count_is_found(sqlite_place: VaultPlace, tmp_path: Path) -> None:
    with sqlite_place.create() as vault:
        labels_of(vault)
    copy = copies(sqlite_place, tmp_path / "copy")
    pseudonymize_later(sqlite_place)
    with closing(sqlite3.connect(sqlite_place.keys_file)) as connection, connection:
        connection.execute("ATTACH ? AS old", (str(copy),))
        connection.execute("DELETE FROM entity_key")
        connection.execute("INSERT INTO entity_key SELECT * FROM old.entity_key")
        connection.execute("DELETE FROM key_checkpoint WHERE table_name = 'entity_key'")
        connection.execute(
            "INSERT INTO key_checkpoint SELECT * FROM old.key_checkpoint WHERE table_name = 'entity_key'"
        )
    assert verified(sqlite_place).findings != ()


def test_all_counts_gone_is_an_error_that_an_accepted_copy_ends(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        labels_of(vault)
        for role in (Role.DPO, Role.KEYADMIN, Role.ANALYST, Role.AUDITOR):
            vault.give_role("tester", role)
        vault.commit()
    with closing(sqlite3.connect(sqlite_place.keys_file)) as connection, connection:
        connection.execute("DELETE FROM key_checkpoint")
    with pytest.raises(VaultDamagedError, match="counts of the rows of the key store are gone"):
        pseudonymize_later(sqlite_place)
    assert verified(sqlite_place).findings != ()
    with sqlite_place.open("stranger") as vault, pytest.raises((AccessRefusedError, VaultDamagedError)):
        accept_put_back(vault, purpose="toets")
    with sqlite_place.open() as vault:
        accept_put_back(vault, purpose="toets")
    assert verified(sqlite_place).findings == ()


def test_a_key_store_made_before_is_counted_with_its_first_write(place: VaultPlace) -> None:
    with made_before(place) as vault:
        labels = labels_of(vault)
    with place.open() as vault:
        assert vault.verify().findings == ()
        assert vault.verify().checked["key_row"] == 0
        assert revision(place.url) == "keys_0001"
        assign(LATER, vault, project="p")
        vault.commit()
        report = vault.verify()
        assert report.findings == ()
        assert report.checked["key_row"] > 4
        erase(vault, project="p", pseudonyms=labels[:1], purpose="verzoek")
        for what in Rotated:
            rotate(vault, what, project_name="p")
        assert vault.verify().findings == ()
