"""An erased person: no key, no row, no bytes in any file, no way back; everyone else stays."""

import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest

from linkage.records import DocumentId, EntityId
from pseudonymizer.assignment import assign
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import (
    AccessRefusedError,
    PseudonymizerError,
    PurposeRequiredError,
    UnknownPseudonymError,
    UnsealError,
)
from pseudonymizer.records import ErasureReceipt, Rewrite, RewriteEdit, Rotated
from pseudonymizer.reidentification import lookup, restore, reveal
from pseudonymizer.vault import Vault, erasure
from pseudonymizer.vault.care.rotation import rotate
from pseudonymizer.vault.erasure import erase, erase_unseen_since
from pseudonymizer.vault.rows.entities import WRAPPED_BYTES, wrapped_parts
from pseudonymizer.vault.rows.mentions import mention_tags_of
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

TEXTS = {"a": "Jan Tolsma, Els Kok, Jan en Bert"}
RESULT = linkage_result(
    TEXTS,
    [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")], [("a", "Bert")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)


def filled(vault: Vault) -> tuple[str, str]:
    """The labels of Jan and Els."""
    pseudonyms = assign(RESULT, vault, project="p")
    by_surface = {m.mention.surface: pseudonyms[m.mention_id] for m in RESULT.mentions}
    jan, els = by_surface["Jan Tolsma"], by_surface["Els Kok"]
    edits = (
        RewriteEdit(0, "", 0, 23, b"Jan Tolsma", jan.entity_id),
        RewriteEdit(1, "", 25, 48, b"Els Kok", els.entity_id),
    )
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits, "map/Jan_Tolsma.txt"), output=b"uit")
    vault.commit()
    return jan.label, els.label


def pieces_of(vault: Vault, label: str) -> list[bytes]:
    entity_id = vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (label,))
    found = [
        bytes(vault.key_records.scalar("SELECT wrapped FROM entity_key WHERE entity_id = ?", (entity_id,)))
    ]
    for column, table in (
        ("sealed", "form"), ("form_tag", "form"), ("sealed", "edit"), ("tag", "name_index"),
        ("binding", "pseudonym"), ("binding", "entity"),
    ):  # fmt: skip
        rows = vault.store.rows(f"SELECT {column} FROM {table} WHERE entity_id = ?", (entity_id,))  # noqa: S608
        found += [bytes(row[0]) for row in rows]
    mine = list(mention_tags_of(vault, vault.keys_of("p"), [entity_id]))
    assert mine
    return found + mine


def erase_jan(vault: Vault, jan: str) -> ErasureReceipt:
    return erase(vault, project="p", pseudonyms=[jan], purpose="verzoek", ticket="AVG-3")


def test_nothing_of_the_person_is_left_in_any_file(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        jan, _ = filled(vault)
        pieces = pieces_of(vault, jan)
        vault.close()
        files = [p for p in sqlite_place.folder.iterdir() if p.name.startswith("vault")]
        before = b"".join(p.read_bytes() for p in files)
        assert all(piece in before for piece in pieces), "the search finds what is there"
        erase_jan(vault, jan)
        open_files = [p for p in sqlite_place.folder.iterdir() if p.name.startswith("vault")]
        assert any(p.name.endswith("-wal") for p in open_files), "the logs are searched too"
        raw = b"".join(p.read_bytes() for p in open_files)
        assert [piece for piece in pieces if piece in raw] == []


def opened_by(vault: Vault, old: Path) -> list[bytes]:
    """Every sealed value of an old file of the vault that a key of the open key store opens."""
    keys = vault.keys_of("p")
    contexts = keys.contexts
    found: list[bytes] = []

    def try_all(rows: Iterable[tuple[bytes, bytes]], sealers: Sequence[Sealer]) -> None:
        for sealed, context in rows:
            for sealer in sealers:
                with suppress(UnsealError):
                    found.append(sealer.unseal(sealed, context=context))

    people: list[Sealer] = []
    for number, wrapped in vault.key_records.rows("SELECT entity_id, wrapped FROM entity_key"):
        for version in range(1, 4):
            for part in wrapped_parts(bytes(wrapped)):
                with suppress(UnsealError):
                    plain = keys.unwrap(part, context=contexts.entity_key(number, version))
                    people.append(Sealer(plain, key_id=version))
    own: list[Sealer] = []
    for number, wrapped in vault.key_records.rows("SELECT document_id, wrapped FROM document_key"):
        context = contexts.document_key(number)
        parts = wrapped_parts(bytes(wrapped))
        own += [Sealer(keys.unwrap(part, context=context), key_id=1) for part in parts]
    with closing(sqlite3.connect(old)) as store:
        revisions = dict(store.execute("SELECT document_id, revision FROM document"))
        forms = store.execute("SELECT entity_id, form_id, revision, sealed FROM form")
        try_all([(bytes(row[3]), contexts.form(*row[:3])) for row in forms], people)
        labels = store.execute("SELECT document_id, revision, sealed FROM document")
        try_all([(bytes(row[2]), contexts.document(*row[:2])) for row in labels], own)
        edits = store.execute(
            "SELECT document_id, ordinal, entity_id, start_offset, end_offset, sealed FROM edit"
        )
        rows = [(bytes(r[5]), contexts.edit(r[0], r[1], revisions[r[0]], *r[2:5])) for r in edits]
        try_all(rows, [*people, *own])
    return found


def test_an_old_file_of_the_vault_with_the_new_key_store_opens_nothing_of_the_erased(
    sqlite_place: VaultPlace,
) -> None:
    with sqlite_place.create() as vault:
        jan, els = filled(vault)
        entity_id = vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (jan,))
        edits = (
            RewriteEdit(0, "", 0, 23, b"Jan Tolsma", f"vault:{entity_id}"),  # type: ignore[arg-type]
            RewriteEdit(1, "", 30, 40, b"06-12345678", None),
        )
        for number, path in enumerate(["post/Tolsma.txt", "post/verslag.txt"]):
            rewrite = Rewrite(DocumentId(f"e{number}"), "txt", edits, path)
            vault.store_rewrite("p", rewrite, output=b"uit %d" % number)
        vault.commit()
    old = sqlite_place.folder / "old.db"
    shutil.copy(sqlite_place.vault_file, old)
    with sqlite_place.open() as vault:
        before = b" ".join(opened_by(vault, old))
        assert before.lower().count(b"tolsma") > 6, "the search finds what is there"
        erase_jan(vault, jan)
        found = b" ".join(opened_by(vault, old))
        assert b"tolsma" not in found.lower()
        assert b"Els Kok" in found
        assert b"verslag.txt" in found
        (restored,) = restore(vault, project="p", outputs=[b"uit 0"], purpose="toets")
        assert restored is not None
        assert [edit.original for edit in restored.edits] == [b"06-12345678"], "of nobody's it comes back"
        assert restored.path is None
        assert vault.verify().findings == ()
    # The product on such a pair of files: it shows nothing of the erased, and says that something is wrong.
    for tail in ("-wal", "-shm"):
        sqlite_place.vault_file.with_name(f"vault.db{tail}").unlink(missing_ok=True)
    shutil.copy(old, sqlite_place.vault_file)
    with sqlite_place.open() as vault:
        assert vault.verify().findings
        for ask in (
            lambda: vault.known_identities("p"),
            lambda: reveal(vault, project="p", pseudonyms=[jan], purpose="toets"),
            lambda: lookup(vault, project="p", name="Jan Tolsma", purpose="toets"),
            lambda: lookup(vault, project="p", name="Tolsma", purpose="toets"),
            lambda: restore(vault, project="p", outputs=[b"uit 0"], purpose="toets"),
            lambda: restore(vault, project="p", outputs=[b"uit"], purpose="toets"),
        ):
            with pytest.raises(PseudonymizerError) as refused:
                ask()
            assert "olsma" not in str(refused.value)
            vault.rollback()
        revealed = reveal(vault, project="p", pseudonyms=[els], purpose="toets")[els]
        assert revealed.forms == ("Els Kok",)


def keys_of_documents(vault: Vault) -> list[int]:
    """The lengths of what the key store has of each document."""
    rows = vault.key_records.rows("SELECT wrapped FROM document_key ORDER BY document_id")
    return [len(row[0]) // WRAPPED_BYTES for row in rows]


def paths_in(vault: Vault) -> list[str | None]:
    found = restore(vault, project="p", outputs=[b"uit", b"nummer"], purpose="toets")
    return [None if rewrite is None else rewrite.path for rewrite in found]


@pytest.mark.parametrize("commits", [0, 1, 2])
def test_killed_while_a_path_is_forgotten_no_document_lacks_its_key(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch, commits: int
) -> None:
    """commits: those of the vault's file that still come; the key store has always committed before."""

    class CutOffError(Exception):
        pass

    with place.create() as vault:
        jan, _ = filled(vault)
        edits = (RewriteEdit(0, "", 0, 9, b"06-123456", None),)
        vault.store_rewrite("p", Rewrite(DocumentId("n"), "txt", edits, "b.txt"), output=b"nummer")
        vault.commit()
        commit, left = vault.store.commit, commits

        def cut_off() -> None:
            nonlocal left
            if not left:
                raise CutOffError
            left -= 1
            commit()

        with monkeypatch.context() as patch:
            patch.setattr(vault.store, "commit", cut_off)
            if commits < 2:
                with pytest.raises(CutOffError):
                    erase_jan(vault, jan)
            else:
                erase_jan(vault, jan)
        vault.rollback()
        assert keys_of_documents(vault) == ([2, 1] if commits == 0 else [1, 1])
    with place.open() as vault:
        assert vault.verify().findings == ()
        if commits == 0:  # nobody knows of the erasure: everything is as it was
            assert paths_in(vault) == ["map/Jan_Tolsma.txt", "b.txt"]
            rotate(vault, Rotated.WRAP, project_name="p")
            assert keys_of_documents(vault) == [2, 1]
            assert paths_in(vault) == ["map/Jan_Tolsma.txt", "b.txt"]
            erase_jan(vault, jan)
        assert paths_in(vault) == [None, "b.txt"]
        assert keys_of_documents(vault) == [1, 1]
        assert vault.verify().findings == ()


def test_the_erased_are_gone_and_the_others_stay(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, els = filled(vault)
        receipt = erase_jan(vault, jan)
        assert receipt.pseudonyms == (jan,)
        assert receipt.rows["form"] == 1  # two ways of writing, sealed together
        assert receipt.rows["edit"] == 1
        assert receipt.rows["link"] == 2
        assert receipt.rows["mention"] == 2
    with place.open() as vault:
        with pytest.raises(UnknownPseudonymError, match="erased"):
            reveal(vault, project="p", pseudonyms=[jan], purpose="toets")
        assert reveal(vault, project="p", pseudonyms=[els], purpose="toets")[els].name == "Els Kok"
        assert lookup(vault, project="p", name="Jan Tolsma", purpose="toets").pseudonyms == ()
        (rewrite,) = restore(vault, project="p", outputs=[b"uit"], purpose="toets")
        assert rewrite is not None
        assert [edit.original for edit in rewrite.edits] == [b"Els Kok"]
        assert rewrite.path is None, "the path held the name"
        assert vault.verify().findings == ()
        (event,) = [e for e in vault.audit_events() if e.action == "erase" and e.outcome == "done"]
        assert (event.subjects, event.purpose, event.ticket) == ((jan,), "verzoek", "AVG-3")


def test_the_receipt_lists_edits_that_no_person_owns(vault: Vault) -> None:
    jan, els = filled(vault)
    owner = vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (els,))
    others = (
        RewriteEdit(0, "", 0, 23, b"Els Kok", EntityId(f"vault:{owner}")),
        RewriteEdit(1, "", 25, 30, b"P1-X", None),
    )
    jan_owner = vault.store.scalar("SELECT entity_id FROM pseudonym WHERE label = ?", (jan,))
    mixed = (
        *others,
        RewriteEdit(2, "", 40, 45, b"nummer", None),
        RewriteEdit(3, "", 50, 73, b"Jan", EntityId(f"vault:{jan_owner}")),
    )
    vault.store_rewrite("p", Rewrite(DocumentId("of-els"), "txt", others), output=b"uit2")
    vault.store_rewrite("p", Rewrite(DocumentId("of-both"), "txt", mixed), output=b"uit3")
    vault.commit()
    number = vault.store.scalar("SELECT document_id FROM edit WHERE entity_id = 0 AND ordinal = 2")
    receipt = erase_jan(vault, jan)
    told = [line for line in receipt.remains if "no person owns" in line]
    assert len(told) == 1, "documents without the erased person, or without such edits, are not listed"
    assert told[0].startswith(f"document {number}: 2 edits")
    (event,) = [e for e in vault.audit_events() if e.action == "erase" and e.outcome == "done"]
    assert event.counts["unowned_edits_left"] == 2
    assert vault.verify().findings == ()


def test_the_same_name_later_is_a_new_person_with_a_new_label(vault: Vault) -> None:
    jan, _ = filled(vault)
    erase_jan(vault, jan)
    vault.known_identities("p")
    again = assign(RESULT, vault, project="p")
    vault.commit()
    assert jan not in {p.label for p in again.values()}
    assert vault.verify().findings == ()


def test_a_cut_off_erasure_is_finished_at_the_next_opening(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutOffError(Exception):
        pass

    def stop(*_: object) -> None:
        raise CutOffError

    with place.create() as vault:
        jan, els = filled(vault)
        with monkeypatch.context() as patch:
            patch.setattr(erasure, "_finish", stop)
            with pytest.raises(CutOffError):
                erase_jan(vault, jan)
    with place.open() as vault:
        assert [row[0] for row in vault.store.rows("SELECT label FROM tombstone")] == [jan]
        assert vault.store.scalar("SELECT count(*) FROM job") == 0
        assert reveal(vault, project="p", pseudonyms=[els], purpose="toets")
        assert vault.verify().findings == ()


def test_keys_destroyed_but_rows_still_there_is_finished_too(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutOffError(Exception):
        pass

    with place.create() as vault:
        jan, _ = filled(vault)

        def stop() -> None:
            raise CutOffError

        original = erasure._bury

        def bury_and_break(*arguments: object) -> None:
            original(*arguments)  # type: ignore[arg-type]
            monkeypatch.setattr(vault.store, "commit", stop)

        with monkeypatch.context() as patch:
            patch.setattr(erasure, "_bury", bury_and_break)
            with pytest.raises(CutOffError):
                erase_jan(vault, jan)
        monkeypatch.undo()
    with place.open() as vault:
        assert [row[0] for row in vault.store.rows("SELECT label FROM tombstone")] == [jan]
        assert vault.verify().findings == ()


def test_no_purpose_or_an_unknown_label_erases_nobody(vault: Vault) -> None:
    jan, _ = filled(vault)
    with pytest.raises(PurposeRequiredError):
        erase(vault, project="p", pseudonyms=[jan], purpose=" ")
    with pytest.raises(UnknownPseudonymError):
        erase(vault, project="p", pseudonyms=[jan, "P1-00000000000000000000"], purpose="verzoek")
    assert reveal(vault, project="p", pseudonyms=[jan], purpose="toets")[jan].name == "Jan Tolsma"
    refusals = [e.outcome for e in vault.audit_events() if e.action == "erase"]
    assert refusals == ["refused:no purpose", "refused:unknown pseudonym"]
    assert issubclass(PurposeRequiredError, AccessRefusedError)


def test_retention_erases_whom_no_document_named_since(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, els = filled(vault)
        place.clock.advance(days=40)
        known = {k.names[0].given: k.entity_id for k in vault.known_identities("p")}
        later = linkage_result({"z": "Els Kok"}, [[("z", "Els Kok")]], known={0: known["els"]})
        assign(later, vault, project="p")
        vault.commit()
        receipt = erase_unseen_since(vault, project="p", days=30, purpose="bewaartermijn")
        assert receipt is not None
        assert jan in receipt.pseudonyms
        assert els not in receipt.pseudonyms
        assert erase_unseen_since(vault, project="p", days=30, purpose="bewaartermijn") is None
        assert vault.verify().findings == ()


def test_the_receipt_says_what_remains(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, _ = filled(vault)
        receipt = erase_jan(vault, jan)
    assert any("backups" in line for line in receipt.remains)
    assert any("their .nymlink is deleted" in line for line in receipt.remains)
    assert ("PostgreSQL" in " ".join(receipt.remains)) is not place.is_sqlite
    assert not any("Tolsma" in line for line in receipt.remains)
