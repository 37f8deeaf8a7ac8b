"""New keys for old: nothing published changes, everything still reads, the old key is gone."""

import pytest

from pseudonymizer.assignment import assign, literal_label
from pseudonymizer.errors import WrongKeyError
from pseudonymizer.keyring import FileKey
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import restore, reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate, rotate_kek, unfinished
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

TEXTS = {"a": "Jan Tolsma, Els Kok en Bram", "b": "Klant 7"}
RESULT = linkage_result(
    TEXTS,
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Bram")], [("b", "Klant 7")]],
    candidates={2: (0, 1)},
    known={3: "crm-7"},
)


def filled(vault: Vault) -> dict[str, str]:
    pseudonyms = assign(RESULT, vault, project="p")
    jan = pseudonyms[min(pseudonyms)]
    edits = (
        RewriteEdit(0, "body", 0, 23, b"Jan Tolsma", jan.entity_id),
        RewriteEdit(1, "body", 25, 30, b"els@kok.nl", None),
    )
    vault.store_rewrite(
        "p", Rewrite(RESULT.mentions[0].mention.doc_id, "txt", edits, "map/brief.txt"), output=b"uit"
    )
    literal_label(vault, "p", "P1-00000000000000000000")
    vault.commit()
    return {m.mention.surface: pseudonyms[m.mention_id].label for m in RESULT.mentions}


def everything_reads(vault: Vault, labels: dict[str, str]) -> None:
    names = reveal(vault, project="p", pseudonyms=list(labels.values()), purpose="toets")
    assert {label: found.name for label, found in names.items()} == {v: k for k, v in labels.items()}
    (rewrite,) = restore(vault, project="p", outputs=[b"uit"], purpose="toets")
    assert rewrite is not None
    assert [edit.original for edit in rewrite.edits] == [b"Jan Tolsma", b"els@kok.nl"]
    vault.known_identities("p")
    again = assign(RESULT, vault, project="p")
    assert {m.mention.surface: again[m.mention_id].label for m in RESULT.mentions} == labels
    assert literal_label(vault, "p", "P1-00000000000000000000").label in vault_labels(vault)
    vault.commit()
    assert vault.verify().findings == ()


def vault_labels(vault: Vault) -> set[str]:
    return {row[0] for row in vault.store.rows("SELECT label FROM pseudonym")}


@pytest.mark.parametrize("what", list(Rotated))
def test_nothing_published_changes(place: VaultPlace, what: Rotated) -> None:
    with place.create() as vault:
        labels = filled(vault)
        before = vault_labels(vault)
        rotate(vault, what, project_name="p", batch=2)
        assert vault_labels(vault) == before
        assert unfinished(vault, "p") == ()
        everything_reads(vault, labels)
    with place.open() as vault:
        everything_reads(vault, labels)
        rotate(vault, what, project_name="p", batch=2)
        everything_reads(vault, labels)


def test_a_new_token_key_marks_new_labels_and_still_knows_old_ones(vault: Vault) -> None:
    labels = filled(vault)
    rotate(vault, Rotated.TOKEN, project_name="p")
    later = linkage_result({"c": "Wim Bos"}, [[("c", "Wim Bos")]])
    (new,) = assign(later, vault, project="p").values()
    assert new.label.startswith("P2-")
    assert all(vault.is_token("p", label) for label in (*labels.values(), new.label))


def test_a_new_kek_locks_the_old_one_out(place: VaultPlace) -> None:
    with place.create() as vault:
        labels = filled(vault)
        wrapped = [bytes(row[0]) for row in vault.key_records.rows("SELECT wrapped FROM project_key")]
        new = FileKey(place.folder / "new.key")
        rotate_kek(vault, new)
        everything_reads(vault, labels)
    with pytest.raises(WrongKeyError):
        place.open()
    with Vault.open(place.url, new, clock=place.clock) as vault:
        everything_reads(vault, labels)
        actions = [event.action for event in vault.audit_events()]
        assert actions.count("rotate.kek") == 2
    if place.is_sqlite:
        raw = place.keys_file.read_bytes()
        assert not any(key in raw for key in wrapped)


def test_a_rotation_that_was_cut_off_goes_on(vault: Vault) -> None:
    labels = filled(vault)

    class CutOffError(Exception):
        pass

    def stop(done: int) -> None:
        raise CutOffError(str(done))

    for what in (Rotated.WRAP, Rotated.INDEX, Rotated.DATA):
        with pytest.raises(CutOffError):
            rotate(vault, what, project_name="p", batch=1, progress=stop)
        vault.rollback()
        everything_reads(vault, labels)
        rotate(vault, what, project_name="p", batch=1)
        assert unfinished(vault, "p") == ()
        everything_reads(vault, labels)


def test_the_recovery_key_gives_the_vault_a_new_daily_key(place: VaultPlace) -> None:
    with place.create() as vault:
        recovery = vault.add_recovery_key()
        labels = filled(vault)
    assert recovery is not None
    (place.folder / "kek.key").unlink()
    with Vault.open(place.url, recovery, clock=place.clock) as vault:
        assert set(reveal(vault, project="p", pseudonyms=list(labels.values()), purpose="toets")) == set(
            labels.values()
        )
        rotate_kek(vault, FileKey(place.folder / "new.key"))
        everything_reads(vault, labels)
        vault.ensure_project("another")
        vault.commit()
    with Vault.open(place.url, recovery, clock=place.clock) as vault:
        vault.keys_of("another")
