"""The life of a value in the vault: revealed, looked up, erased, rotated, moved, verified, on record."""

import gzip
import shutil
from pathlib import Path
from typing import Any

import pytest

from linkage.records import DocumentId, EntityId
from pseudonymizer.errors import (
    KeyDestroyedError,
    PurposeRequiredError,
    SettingsError,
    UnknownPseudonymError,
    VaultError,
    VaultOutdatedError,
)  # fmt: skip
from pseudonymizer.records import Rewrite, RewriteEdit, Rotated, Style
from pseudonymizer.values import Value
from pseudonymizer.vault import Vault, erasure
from pseudonymizer.vault.care import rotation
from pseudonymizer.vault.care.reseal import reseal
from pseudonymizer.vault.care.rotation import rotate
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.rows import entities, values
from pseudonymizer.vault.store import migration
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.store.test_copies import GOLDEN, opened
from tests.pseudonymizer.vault.values_by_hand import (
    BANK,
    BSN,
    IBAN,
    MAIL,
    NATIONAL,
    PHONE,
    assigned,
    labels,
    met,
    offering,
    texts,
)  # fmt: skip

WHY: dict[str, Any] = {"project": "p", "purpose": "toets"}
PEOPLE = linkage_result({"a": "Jan Tolsma en Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
SPACED = "NL91 ABNA 0417 1643 00"
FOUND = [met(BANK, IBAN, SPACED), met(BANK, IBAN, at=40), met(NATIONAL, BSN, at=80)]
PASSPHRASE = "paard batterij nietje"  # noqa: S105  a test's


def filled(vault: Vault) -> tuple[str, str, str]:
    """The labels of Jan, of the bank account and of the citizen number; all stand in one document."""
    jan = next(iter(vault.assign(PEOPLE, project="p").values()))
    made = assigned(vault, FOUND)
    bank, _, national = (made.owners[one.mention_id] for one in FOUND)
    edits = (
        RewriteEdit(0, "", 0, 23, b"Jan Tolsma", jan.entity_id),
        RewriteEdit(1, "", 30, 53, SPACED.encode(), bank),
        RewriteEdit(2, "", 60, 83, BSN.encode(), national),
    )
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits, f"map/{IBAN}.txt"), output=b"uit")
    vault.commit()
    account, _, number = texts(made, FOUND)
    return jan.label, account, number


def test_a_value_is_revealed_in_the_spelling_that_was_met_first(vault: Vault) -> None:
    jan, account, number = filled(vault)
    found = vault.reveal(pseudonyms=[account, number], **WHY)
    assert (found[account].name, found[account].forms, found[account].kind) == (SPACED, (SPACED, IBAN), BANK)
    assert (found[number].name, found[number].kind) == (BSN, NATIONAL)
    look = vault.literal_label("p", "P1-0123456789ABCDEFGHJK").label
    vault.commit()
    kinds = {label: one.kind for label, one in vault.reveal(pseudonyms=[jan, look], **WHY).items()}
    assert kinds == {jan: "PERSON", look: "LITERAL"}
    assert vault.stored_forms(labels=[account, "P1-X"], **WHY) == {account: SPACED}
    assert IBAN not in repr(found) + repr(FOUND) + repr(FOUND[0].value)


@pytest.mark.parametrize("asked", [IBAN, SPACED, "nl91abna 0417164300"])
def test_a_value_is_looked_up_by_its_form_or_a_spelling(vault: Vault, asked: str) -> None:
    _, account, _ = filled(vault)
    found = vault.lookup_value(value=Value(BANK, asked), **WHY)
    assert (found.pseudonyms, found.documents) == ((account,), 1)
    assert found.paths == (f"map/{IBAN}.txt",)
    assert vault.lookup_value(value=Value(PHONE, asked), **WHY).pseudonyms == ()
    assert not any(IBAN in str(event) for event in vault.audit_events())


def test_a_file_comes_back_with_its_values(vault: Vault) -> None:
    filled(vault)
    (rewrite,) = vault.restore(outputs=[b"uit"], **WHY)
    assert rewrite is not None
    assert [edit.original for edit in rewrite.edits] == [b"Jan Tolsma", SPACED.encode(), BSN.encode()]


def pieces_of(vault: Vault, label: str) -> list[bytes]:
    """Bytes of the value behind a label: key, blobs, tags, bindings."""
    owner = vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (label,))
    found = [bytes(vault.key_records.scalar("SELECT wrapped FROM entity_key WHERE entity_id = ?", (owner,)))]
    for column, table in (
        ("sealed", "form"), ("form_tag", "form"), ("sealed", "edit"), ("tag", "name_index"),
        ("binding", "pseudonym"), ("binding", "entity"),
    ):  # fmt: skip
        rows = vault.store.rows(f"SELECT {column} FROM {table} WHERE entity_id = ?", (owner,))  # noqa: S608
        assert rows
        found += [bytes(row[0]) for row in rows]
    return found


@pytest.mark.parametrize("by_value", [True, False], ids=["value", "pseudonym"])
def test_nothing_of_an_erased_value_is_left_in_any_file(sqlite_place: VaultPlace, by_value: bool) -> None:
    with sqlite_place.create() as vault:
        jan, account, number = filled(vault)
        pieces = pieces_of(vault, account)
        vault.close()
        before = b"".join(p.read_bytes() for p in sqlite_place.folder.glob("vault*"))
        assert all(piece in before for piece in pieces), "the search finds what is there"
        if by_value:
            receipt = vault.erase_values(values=[Value(BANK, SPACED)], ticket="AVG-3", **WHY)
        else:
            receipt = vault.erase(pseudonyms=[account], ticket="AVG-3", **WHY)
        assert receipt.pseudonyms == (account,)
        assert (receipt.rows["form"], receipt.rows["edit"], receipt.rows["name_index"]) == (1, 1, 1)
        raw = b"".join(p.read_bytes() for p in sqlite_place.folder.glob("vault*"))
        assert [piece for piece in pieces if piece in raw] == []
        with pytest.raises(UnknownPseudonymError, match="erased"):
            vault.reveal(pseudonyms=[account], **WHY)
        assert vault.lookup_value(value=Value(BANK, IBAN), **WHY).pseudonyms == ()
        (rewrite,) = vault.restore(outputs=[b"uit"], **WHY)
        assert rewrite is not None
        assert ([edit.original for edit in rewrite.edits], rewrite.erased) == (
            [b"Jan Tolsma", BSN.encode()],
            1,
        )
        assert rewrite.path is None, "the path held the value"
        assert set(vault.reveal(pseudonyms=[jan, number], **WHY)) == {jan, number}
        assert vault.verify().findings == ()
        again = assigned(vault, FOUND[:1])
        assert texts(again, FOUND[:1]) != [account], "it is another entity, with another pseudonym"


def test_an_old_copy_of_the_data_opens_nothing_of_an_erased_value(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        _, account, number = filled(vault)
        vault.close()
        shutil.copy2(sqlite_place.vault_file, sqlite_place.folder / "older")
        vault.erase_values(values=[Value(BANK, IBAN)], **WHY)
    shutil.copy2(sqlite_place.folder / "older", sqlite_place.vault_file)
    with sqlite_place.open() as vault:
        with pytest.raises(KeyDestroyedError):
            vault.reveal(pseudonyms=[account], **WHY)
        assert vault.reveal(pseudonyms=[number], **WHY)[number].name == BSN
        assert any("is gone" in finding for finding in vault.verify().findings)


def test_a_value_without_a_pseudonym_is_erased_by_value(vault: Vault) -> None:
    (found,) = values_met = [met(MAIL, "jan@x.nl")]
    owner = assigned(vault, values_met, None).owners[found.mention_id]
    vault.commit()
    receipt = vault.erase_values(values=[found.value], **WHY)
    assert (receipt.pseudonyms, receipt.rows["entity"]) == ((), 1)
    done = [event for event in vault.audit_events() if event.action == "erase"]
    assert [event.subjects for event in done] == [(owner,), (owner,)], "the trail tells which one it was"
    assert vault.verify().findings == ()


def test_an_unknown_value_or_no_purpose_erases_nothing(vault: Vault) -> None:
    _, account, _ = filled(vault)
    with pytest.raises(UnknownPseudonymError, match="1 of these values"):
        vault.erase_values(values=[Value(BANK, IBAN), Value(PHONE, "1")], **WHY)
    with pytest.raises(PurposeRequiredError):
        vault.erase_values(project="p", values=[Value(BANK, IBAN)], purpose=" ")
    with pytest.raises(UnknownPseudonymError, match="nothing was erased"):
        vault.erase_values(values=[], **WHY)
    with pytest.raises(UnknownPseudonymError, match="nothing was erased"):
        vault.erase(pseudonyms=[], **WHY)
    assert not vault.has_open_work()
    assert vault.reveal(pseudonyms=[account], **WHY)[account].name == SPACED


def test_a_cut_off_erasure_of_a_value_is_finished_at_the_next_opening(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise RuntimeError

    with place.create() as vault:
        _, account, _ = filled(vault)
        with monkeypatch.context() as patch:
            patch.setattr(erasure, "_finish", stop)
            with pytest.raises(RuntimeError):
                vault.erase_values(values=[Value(BANK, IBAN)], **WHY)
    with place.open() as vault:
        assert [row[0] for row in vault.store.rows("SELECT label FROM tombstone")] == [account]
        assert vault.verify().findings == ()


def test_the_receipt_of_a_person_tells_of_values_in_the_same_documents(vault: Vault) -> None:
    jan, account, _ = filled(vault)
    receipt = vault.erase(pseudonyms=[jan], **WHY)
    (told,) = [line for line in receipt.remains if "edits of values" in line]
    assert told.startswith("document 1: 2 edits")
    (event,) = [e for e in vault.audit_events() if e.action == "erase" and e.outcome == "done"]
    assert event.counts["edits_of_values_left"] == 2
    assert vault.reveal(pseudonyms=[account], **WHY)


def test_retention_takes_values_that_no_run_met(place: VaultPlace) -> None:
    with place.create() as vault:
        _, account, number = filled(vault)
        place.clock.advance(days=40)
        assigned(vault, [met(NATIONAL, BSN, doc="e")])
        vault.commit()
        receipt = vault.erase_unseen_since(project="p", days=30, purpose="bewaartermijn")
        assert receipt is not None
        assert account in receipt.pseudonyms
        assert number not in receipt.pseudonyms


@pytest.mark.parametrize("what", sorted(Rotated))
def test_rotated_keys_find_and_open_values(place: VaultPlace, what: Rotated) -> None:
    with place.create() as vault:
        _, account, number = filled(vault)
        phone = met(PHONE, "0201234567", doc="e")
        assigned(vault, [phone], Style.SURROGATE, candidates=offering({phone.value: [["0200000001"]]}))
        vault.commit()
        rotate(vault, what, project_name="p", batch=1)
        assert vault.verify().findings == ()
        assert texts(assigned(vault, FOUND), FOUND) == [account, account, number]
        assert assigned(vault, [met(PHONE, "0200000001", doc="f")]).clashes == 1
        vault.rollback()
        assert vault.is_token("p", account), "labels in texts out there stay valid"
        assert vault.reveal(pseudonyms=[account], **WHY)[account].forms == (SPACED, IBAN)


def test_an_index_of_two_versions_is_found_and_written_in_both(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:

    def stop(*_: object, **__: object) -> None:
        raise RuntimeError

    with place.create() as vault:
        _, account, _ = filled(vault)
        with monkeypatch.context() as patch:
            patch.setattr(rotation, "_tags_of", stop)
            with pytest.raises(RuntimeError):
                rotate(vault, Rotated.INDEX, project_name="p")
        vault.rollback()
        assert texts(assigned(vault, FOUND[:1]), FOUND[:1]) == [account]
        late = [met(MAIL, "els@x.nl", doc="e")]
        first = texts(assigned(vault, late), late)
        vault.commit()
        rotate(vault, Rotated.INDEX, project_name="p")
        assert texts(assigned(vault, late), late) == first
        assert vault.verify().findings == ()


def test_a_vault_with_values_moves_whole(place: VaultPlace, tmp_path: Path) -> None:
    with place.create() as vault:
        _, account, number = filled(vault)
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    url = f"sqlite:///{tmp_path}/moved.db"
    import_bundle(tmp_path / "export", PASSPHRASE, url, provider=place.key, actor="tester")
    with Vault.open(url, place.key, actor="tester", clock=place.clock) as moved:
        assert moved.verify().findings == ()
        assert texts(assigned(moved, FOUND), FOUND) == [account, account, number]
        moved.rollback()
        assert moved.reveal(pseudonyms=[account], **WHY)[account].name == SPACED


@pytest.mark.parametrize("revision", ["0002", "0003", "0004"])
def test_the_first_value_of_an_older_vault_raises_its_revision(tmp_path: Path, revision: str) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"{revision}.{name}.gz").read_bytes()))
    with opened(tmp_path) as vault:
        address = vault.store.address
        assigned(vault, FOUND)
        vault.rollback()
        assert migration.current_revision(address) == f"vault_{revision}", (
            "what is taken back needs no newer program"
        )
        before = vault.known("p").people
        first = texts(assigned(vault, FOUND), FOUND)
        vault.commit()
        assert migration.current_revision(address) == "vault_0006"
        assert vault.known("p").people == before
        assert vault.verify().findings == ()
    with opened(tmp_path) as vault:
        assert texts(assigned(vault, FOUND), FOUND) == first


def test_people_of_an_older_form_are_sealed_anew_beside_values(tmp_path: Path) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0002.{name}.gz").read_bytes()))
    with opened(tmp_path) as vault:
        first = assigned(vault, FOUND)
        vault.commit()
        of_values = "SELECT f.form_id, f.sealed FROM form f JOIN entity e USING (entity_id) WHERE e.kind = 3"
        before, people = vault.store.rows(of_values), vault.known("p").people
        assert reseal(vault) > 0
        assert vault.store.rows(of_values) == before, "values have the form of today"
        assert vault.known("p").people == people
        assert assigned(vault, FOUND).pseudonyms == first.pseudonyms
        vault.rollback()
        assert vault.verify().findings == ()


def test_an_entity_of_a_newer_program_is_told_as_that(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        filled(vault)
        keys = vault.keys_of("p")
        row = vault.store.rows(
            "SELECT entity_id, project_id, kind, data_key_version, created_on FROM entity ORDER BY entity_id"
        )[-1]
        binding = keys.binder("entity").tag(entities.entity_fields(row[0], row[1], 9, row[3], row[4]))
        vault.store.run_many(
            "UPDATE entity SET kind = 9, binding = ? WHERE entity_id = ?", [(binding, row[0])]
        )
        for act in (
            lambda: vault.lookup_value(value=Value(BANK, "niets"), **WHY),
            lambda: entities.sealers_of(vault, keys, [row[0]]),
        ):
            vault.store.commit()
            with pytest.raises(VaultOutdatedError, match="newer"):
                act()
        assert any("newer" in finding for finding in vault.verify().findings)


def test_values_are_neither_merged_nor_split(vault: Vault) -> None:
    jan, account, number = filled(vault)
    with pytest.raises(SettingsError, match="people"):
        vault.merge(pseudonyms=[jan, account], **WHY)
    with pytest.raises(SettingsError, match="people"):
        vault.unmerge(pseudonyms=[number, account], **WHY)
    with pytest.raises(UnknownPseudonymError, match="no person"):
        split(vault, pseudonym=account, part=Part([IBAN]), **WHY)


def test_two_projects_are_not_linked_by_values(vault: Vault) -> None:
    for project in ("p", "q"):
        vault.assign_values(project, FOUND, labels())
    vault.commit()
    assert vault.link_projects(project="p", other="q", purpose="toets") == ()


def test_company_is_of_people(vault: Vault) -> None:
    """A value in a document is nobody's company, and many of them hide nobody's."""
    jan, els = (p.entity_id for p in vault.assign(PEOPLE, project="p").values())
    found = [met(PHONE, f"020{n:07d}", at=10 * n) for n in range(80)]
    owners: list[EntityId] = [jan, els, *assigned(vault, found).owners.values()]
    edits = tuple(RewriteEdit(n, "", 30 * n, 30 * n + 23, b"x", owner) for n, owner in enumerate(owners))
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits), output=b"uit")
    vault.commit()
    assert [person.seen_with for person in vault.known("p").people] == [{els}, {jan}]


def test_a_request_for_a_file_names_the_pseudonyms_of_values(vault: Vault) -> None:
    jan, account, number = filled(vault)
    asked = vault.request_restore(outputs=[b"uit"], **WHY)
    assert set(asked.labels) == {jan, account, number}
    grant_of = vault.request(pseudonyms=[account], **WHY)
    vault.approve(grant_of.request_id)
    grant = vault.grant(grant_of.request_id)
    assert vault.reveal(pseudonyms=[account], grant=grant, **WHY)[account].name == SPACED


def test_nothing_stored_shows_a_value(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        filled(vault)
        assigned(vault, [met(MAIL, "wim@voorbeeld.nl", doc="e")], Style.TAG)
        vault.commit()
    for file in sqlite_place.folder.iterdir():
        raw = file.read_bytes().lower()
        for canary in (IBAN, BSN, "0417", "voorbeeld", "BANK_ACCOUNT", "NATIONAL_ID"):
            assert canary.lower().encode() not in raw, (file.name, canary)


def test_lengths_of_short_values_say_nothing(vault: Vault) -> None:
    assigned(vault, [met(NATIONAL, BSN), met(BANK, IBAN, SPACED, at=40), met(MAIL, "w@x.nl", at=80)])
    vault.commit()
    assert len({len(bytes(row[0])) for row in vault.store.rows("SELECT sealed FROM form")}) == 1


def test_an_index_row_of_another_value_is_damage(sqlite_place: VaultPlace) -> None:
    """Only the holder of the keys could write one: the facts are compared all the same."""
    with sqlite_place.create() as vault:
        filled(vault)
        vault.begin()
        keys = vault.keys_of("p")
        stranger = Value(PHONE, "0201234567")
        values.index_values(vault, keys, {stranger: 3}, {})
        vault.commit()
        with pytest.raises(VaultError, match="vault verify"):
            assigned(vault, [met(PHONE, "0201234567", doc="e")])


def test_the_trail_counts_values(vault: Vault) -> None:
    filled(vault)
    (event,) = [e for e in vault.audit_events() if e.action == "assign.values"]
    counts = {name: event.counts[name] for name in ("mentions", "values", "new_values", "spellings")}
    assert counts == {"mentions": 3, "values": 2, "new_values": 2, "spellings": 3}
    assert event.subjects == ()


def test_the_secret_of_treatments_is_the_projects_and_stays(place: VaultPlace) -> None:
    with place.create() as vault:
        first, other = vault.treatment_key("p"), vault.treatment_key("q")
        vault.commit()
        assert len(first) == 32
        assert first != other
        for what in Rotated:
            rotate(vault, what, project_name="p")
    with place.open() as vault:
        assert vault.treatment_key("p") == first
        found = vault.keys_of("p")._versions
        keys = {version.key for versions in found.values() for version in versions.values()}
        assert first not in keys
