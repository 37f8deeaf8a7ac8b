"""Two people who were taken for one are taken apart; what is published stays readable."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from linkage.gazetteer import Gazetteer
from linkage.judged_mentions import with_judgements
from linkage.linker import Linker
from linkage.records import DocumentId, MentionId, NormalizedMention
from linkage.review import Judgement
from linkage.settings import LinkingSettings
from linkage.told import Verdict
from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    PurposeRequiredError,
    SettingsError,
    UnknownPseudonymError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import LinkKind, Pseudonym, Rewrite, RewriteEdit
from pseudonymizer.reidentification import lookup, restore, reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.links import pseudonym_links
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.erasure import erase
from tests.fakes import linkage_result
from tests.linkage.linker.linker_fakes import FakeScorer
from tests.pseudonymizer.conftest import VaultPlace

LONG_AGO = "2026-01-01T00:00:00+00:00"
TEXTS = {"a": "Jan Tolsma. Jan Tolsma.", "b": "Johan Tolsma en Jan Tolsma"}
RESULT = linkage_result(
    TEXTS, [[("a", "Jan Tolsma"), ("a", "Jan Tolsma"), ("b", "Johan Tolsma"), ("b", "Jan Tolsma")]]
)


def filled(vault: Vault) -> tuple[str, Mapping[MentionId, Pseudonym]]:
    given = assign(RESULT, vault, project="p")
    person = next(iter(given.values()))
    for doc, originals in (("a", [b"Jan Tolsma", b"Jan Tolsma"]), ("b", [b"Johan Tolsma", b"Jan Tolsma"])):
        edits = tuple(
            RewriteEdit(n, "", 30 * n, 30 * n + 23, original, person.entity_id)
            for n, original in enumerate(originals)
        )
        vault.store_rewrite("p", Rewrite(DocumentId(doc), "txt", edits, f"{doc}.txt"), output=doc.encode())
    vault.commit()
    return person.label, given


def names(vault: Vault, label: str) -> set[str]:
    return set(reveal(vault, project="p", pseudonyms=[label], purpose="toets")[label].forms)


def test_a_way_of_writing_goes_over_with_its_edits(vault: Vault) -> None:
    label, _ = filled(vault)
    made = split(
        vault, project="p", pseudonym=label, part=Part(surfaces=["Johan Tolsma"]), purpose="twee mensen"
    )
    assert (made.forms, made.edits) == (1, 1)
    assert names(vault, label) == {"Jan Tolsma"}
    assert names(vault, made.label) == {"Johan Tolsma"}
    assert lookup(vault, project="p", name="Johan Tolsma", purpose="toets").pseudonyms == (made.label,)
    assert lookup(vault, project="p", name="Jan Tolsma", purpose="toets").pseudonyms == (label,)
    restored = restore(vault, project="p", outputs=[b"a", b"b"], purpose="toets")
    assert [[e.original for e in r.edits] for r in restored if r] == [
        [b"Jan Tolsma", b"Jan Tolsma"],
        [b"Johan Tolsma", b"Jan Tolsma"],
    ]
    assert vault.verify().findings == ()


def test_the_split_is_linked_and_on_record(vault: Vault) -> None:
    label, _ = filled(vault)
    made = split(
        vault,
        project="p",
        pseudonym=label,
        part=Part(surfaces=["Johan Tolsma"]),
        purpose="twee mensen",
        ticket="T-1",
    )
    (link,) = pseudonym_links(vault, "p")
    assert (link.kind, link.left, link.right) == (LinkKind.SPLIT, label, made.label)
    (event,) = [event for event in vault.audit_events() if event.action == "split"]
    assert (event.subjects, event.purpose, event.ticket) == ((label, made.label), "twee mensen", "T-1")


def test_a_document_goes_over_and_its_text_gets_the_new_pseudonym_next_time(vault: Vault) -> None:
    label, before = filled(vault)
    made = split(
        vault, project="p", pseudonym=label, part=Part(doc_ids=[DocumentId("b")]), purpose="twee mensen"
    )
    assert (made.forms, made.mentions, made.edits) == (2, 2, 2)
    assert names(vault, label) == {"Jan Tolsma"}, "also met in the other document: it stays with both"
    assert names(vault, made.label) == {"Jan Tolsma", "Johan Tolsma"}
    again = assign(RESULT, vault, project="p")
    vault.rollback()
    assert {again[m].label for m in before if m.startswith("a@")} == {label}
    assert {again[m].label for m in before if m.startswith("b@")} == {made.label}
    assert vault.verify().findings == ()


def test_one_mention_goes_over(vault: Vault) -> None:
    label, _ = filled(vault)
    (one,) = [m.mention for m in RESULT.mentions if m.mention.surface == "Johan Tolsma"]
    made = split(vault, project="p", pseudonym=label, part=Part(found=[one]), purpose="twee mensen")
    assert (made.forms, made.mentions, made.edits) == (1, 1, 0)
    assert assign(RESULT, vault, project="p")[one.mention_id].label == made.label


def test_erasing_the_new_person_leaves_the_first(vault: Vault) -> None:
    label, _ = filled(vault)
    made = split(
        vault, project="p", pseudonym=label, part=Part(surfaces=["Johan Tolsma"]), purpose="twee mensen"
    )
    erase(vault, project="p", pseudonyms=[made.label], purpose="verzoek")
    assert names(vault, label) == {"Jan Tolsma"}
    assert vault.verify().findings == ()


@pytest.mark.parametrize("surfaces", [["Piet Tolsma"], ["Jan Tolsma", "Johan Tolsma"]])
def test_both_must_have_a_name(vault: Vault, surfaces: list[str]) -> None:
    label, _ = filled(vault)
    with pytest.raises(SettingsError) as caught:
        split(vault, project="p", pseudonym=label, part=Part(surfaces=surfaces), purpose="twee mensen")
    assert "Tolsma" not in str(caught.value)
    assert vault.verify().findings == ()
    assert len(vault.known_identities("p")) == 1


def test_who_may_not_is_refused_on_record(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        label, _ = filled(vault)
        with pytest.raises(PurposeRequiredError):
            split(vault, project="p", pseudonym=label, part=Part(surfaces=["Johan Tolsma"]), purpose=" ")
        with pytest.raises(UnknownPseudonymError):
            split(vault, project="p", pseudonym="P1-X", part=Part(surfaces=["Johan Tolsma"]), purpose="toets")
        give_role(vault, "anna", Role.ANALYST)
        vault.commit()
    with sqlite_place.open("anna") as vault, pytest.raises(AccessRefusedError):
        split(vault, project="p", pseudonym=label, part=Part(surfaces=["Johan Tolsma"]), purpose="toets")


def test_where_the_new_person_was_met_goes_over_and_later_documents_keep_the_two_apart(vault: Vault) -> None:
    label, _ = filled(vault)
    split(vault, project="p", pseudonym=label, part=Part(doc_ids=[DocumentId("b")]), purpose="twee mensen")
    first, second = vault.known_identities("p")
    for person, other, document in ((first, second, "a"), (second, first, "b")):
        assert person.apart == {other.entity_id}
        assert {sighting.doc_id for sighting in person.sightings} == {document}
    later = linkage_result({"c": "Jan Tolsma"}, [[("c", "Jan Tolsma")]]).mentions
    linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())
    result = linker.link([*RESULT.mentions, *later], known=vault.known_identities("p"))
    entity_of = {m: i.entity_id for i in result.identities for m in i.mention_ids}
    assert {e for m, e in entity_of.items() if m.startswith("a@")} == {first.entity_id}
    # Johan and Jan of the other document are two for the linker: the vault gives both what they had.
    assert {e for m, e in entity_of.items() if m.startswith("b@")} == {second.entity_id, None}
    assert all(not i.also_known_as for i in result.identities)


def test_a_source_goes_over_by_its_path_whatever_its_text_is_called(vault: Vault) -> None:
    texts = {"a": "Jan Tolsma.", "b-0f#2": "Johan Tolsma en Jan Tolsma"}
    found = linkage_result(
        texts, [[("a", "Jan Tolsma"), ("b-0f#2", "Johan Tolsma"), ("b-0f#2", "Jan Tolsma")]]
    )
    given = assign(found, vault, project="p")
    vault.commit()
    label = next(iter(given.values())).label
    made = split(vault, project="p", pseudonym=label, part=Part(doc_ids=[DocumentId("b")]), purpose="toets")
    assert (made.forms, made.mentions) == (2, 2)
    again = assign(found, vault, project="p")
    vault.rollback()
    assert {again[m].label for m in given if m.startswith("a@")} == {label}
    assert {again[m].label for m in given if m.startswith("b-0f#2@")} == {made.label}


def judged(verdict: Verdict) -> tuple[NormalizedMention, ...]:
    """The mentions of RESULT: the first one of either document judged, long before any split."""
    judgement = Judgement(
        RESULT.mentions[0].mention.surface, RESULT.mentions[2].mention.surface, verdict,
        RESULT.mentions[0].mention_id, RESULT.mentions[2].mention_id, LONG_AGO,
    )  # fmt: skip
    return with_judgements(RESULT.mentions, [judgement])


def split_after(vault: Vault, verdict: Verdict) -> None:
    given = assign(replace(RESULT, mentions=judged(verdict)), vault, project="p")
    vault.commit()
    label = next(iter(given.values())).label
    split(vault, project="p", pseudonym=label, part=Part(doc_ids=[DocumentId("b")]), purpose="toets")


@pytest.mark.parametrize("verdict", list(Verdict))
def test_what_was_accepted_of_the_two_is_rejected_from_now_on(vault: Vault, verdict: Verdict) -> None:
    split_after(vault, verdict)
    kept = [one for known in vault.known_identities("p") for s in known.sightings for one in s.judged]
    assert len(kept) == 2
    assert {one.verdict for one in kept} == {Verdict.REJECT}
    assert all((one.judged_at > LONG_AGO) == (verdict is Verdict.ACCEPT) for one in kept)


@pytest.mark.parametrize(
    ("judged_at", "people"), [(LONG_AGO, 2), ("2999-01-01T00:00:00+00:00", 1)], ids=["earlier", "later"]
)
def test_of_a_split_and_a_judgement_the_later_one_holds(vault: Vault, judged_at: str, people: int) -> None:
    split_after(vault, Verdict.ACCEPT)
    left, right = RESULT.mentions[0], RESULT.mentions[2]
    given = Judgement(
        left.mention.surface, right.mention.surface, Verdict.ACCEPT, left.mention_id, right.mention_id,
        judged_at,
    )  # fmt: skip
    linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())
    known = vault.known_identities("p")
    result = linker.link(with_judgements(RESULT.mentions, [given]), known=known, judgements=[given])
    one, other = (result.identity_of(m.mention_id).identity_id for m in (left, right))
    assert len({one, other}) == people
