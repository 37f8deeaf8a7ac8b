"""The verbs of the review of runs: who may, what is on record, and that erased people are in none of it."""

from dataclasses import replace

import pytest

from linkage.records import DocumentId
from pseudonymizer.errors import AccessRefusedError
from pseudonymizer.open_links import OpenLinks
from pseudonymizer.policy import MATRIX, Role, Verb
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows.mentions import mention_tags
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.rows.test_run_results import ALL, RESULT, keep, kept, links_of, outputs


def with_every_role(place: VaultPlace) -> None:
    """An actor for each role, named after it."""
    with place.create("baas") as vault:
        keep(vault, RESULT)
        for role in Role:
            vault.give_role(str(role), role)
        vault.commit()


@pytest.mark.parametrize("role", list(Role))
def test_who_may_see_names_gets_them_and_all_is_on_record(sqlite_place: VaultPlace, role: Role) -> None:
    with_every_role(sqlite_place)
    with sqlite_place.open(str(role)) as vault:
        if Verb.SEE_NAMES in MATRIX[role]:
            assert links_of(kept(vault)) == ALL
            (rewrite,) = vault.reviewed_rewrites("p", [b"a"], [DocumentId("uit-a")])
            assert rewrite is not None
            assert rewrite.edits[0].original == b"Jan Tolsma"
        else:
            with pytest.raises(AccessRefusedError, match="takes curator"):
                kept(vault)
            with pytest.raises(AccessRefusedError, match="takes curator"):
                vault.reviewed_rewrites("p", [b"a"])
    with sqlite_place.open("auditor") as vault:
        told = [(e.action, e.outcome, dict(e.counts)) for e in vault.audit_events() if e.actor == str(role)]
    if Verb.SEE_NAMES in MATRIX[role]:
        assert told == [
            ("review", "done", {"documents": 2, "links": 3}), ("review", "done", {"texts": 1}),
        ]  # fmt: skip
    else:
        assert told == [("see-names", "refused:role", {}), ("see-names", "refused:role", {})]


@pytest.mark.parametrize("role", list(Role))
def test_who_reviews_may_forget(sqlite_place: VaultPlace, role: Role) -> None:
    with_every_role(sqlite_place)
    with sqlite_place.open(str(role)) as vault:
        if role is Role.CURATOR:
            assert vault.forget_open_links("p", outputs(vault)) == 2
        else:
            with pytest.raises(AccessRefusedError):
                vault.forget_open_links("p", outputs(vault))
    with sqlite_place.open("auditor") as vault:
        (event,) = [e for e in vault.audit_events() if e.actor == str(role)]
        if role is Role.CURATOR:
            assert (event.action, event.counts["documents"]) == ("review.forget", 2)
        else:
            assert event.outcome == "refused:role"


def test_who_only_reviews_cannot_keep(sqlite_place: VaultPlace) -> None:
    with_every_role(sqlite_place)
    for role in Role:
        with sqlite_place.open(str(role)) as vault:
            if Verb.PSEUDONYMIZE in MATRIX[role]:
                vault.keep_open_links("p", OpenLinks(()))
            else:
                with pytest.raises(AccessRefusedError):
                    vault.keep_open_links("p", OpenLinks(()))


def test_nothing_of_an_erased_person_is_left_in_any_file(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        labels = keep(vault, RESULT)
        keys = vault.keys_of("p")
        mine = [m.mention for m in RESULT.mentions if m.mention.surface == "J. Tolsma"]
        (tag,) = mention_tags(keys, mine)
        (entries,) = [
            bytes(row[0])
            for row in vault.store.rows("SELECT entries FROM run_result")
            if tag in bytes(row[0])
        ]
        vault.close()
        files = [p for p in sqlite_place.folder.iterdir() if p.name.startswith("vault")]
        before = b"".join(p.read_bytes() for p in files)
        assert before.count(tag) > 1, "the search finds what is there"
        assert entries in before
        receipt = vault.erase(project="p", pseudonyms=[labels["J. Tolsma"]], purpose="toets")
        assert receipt.rows["open_link"] == 2
        raw = b"".join(p.read_bytes() for p in sqlite_place.folder.iterdir() if p.name.startswith("vault"))
        assert tag not in raw
        assert entries not in raw
        found = kept(vault)
        assert links_of(found) == {(frozenset({"Els Kok", "Elske Kok"}), 0.5)}
        assert "Tolsma" not in {m.name.family for m in found.result.mentions}
        assert vault.verify().findings == ()


def test_links_in_a_document_whose_path_named_an_erased_person_are_counted(vault: Vault) -> None:
    labels = keep(vault, RESULT)
    owner = next(k.entity_id for k in vault.known_identities("p") if k.names[0].given == "jan")
    vault.rollback()
    edit = RewriteEdit(0, "", 0, 10, b"Jan Tolsma", owner)
    rewrite = Rewrite(DocumentId("uit-a"), "txt", (edit,), "over Jan Tolsma.txt", source=DocumentId("bron-a"))
    vault.store_rewrite("p", rewrite, output=b"a")
    vault.commit()
    assert links_of(kept(vault)) == ALL
    vault.erase(project="p", pseudonyms=[labels["Jan Tolsma"]], purpose="toets")
    found = kept(vault)
    assert links_of(found) == set()
    assert (found.known, found.not_kept, found.pathless) == (2, 0, 2)


def test_an_output_under_another_name_is_known_by_its_bytes(vault: Vault) -> None:
    keep(vault, RESULT)
    moved = [replace(one, doc_id=DocumentId(f"elders-{n}")) for n, one in enumerate(outputs(vault))]
    assert links_of(vault.kept_links("p", moved)) == ALL
    # Of another file nothing is known; and both ends of a link must be there.
    assert links_of(vault.kept_links("p", moved[:1])) == set()
    strange = replace(moved[0], digest=bytes(32))
    assert vault.kept_links("p", [strange]).known == 0


def test_a_file_that_was_left_as_it_is_stands_for_itself(vault: Vault) -> None:
    keep(vault, RESULT)
    first, second = outputs(vault)
    unknown = {"doc_id": DocumentId("nergens"), "digest": bytes(32)}
    same = [
        replace(first, **unknown, source=DocumentId("bron-a"), relative="a.txt"),  # type: ignore[arg-type]
        second,
    ]
    found = vault.kept_links("p", same)
    assert links_of(found) == ALL
    assert {d.path for d in found.documents} == {"a.txt", "map/b.txt"}
