"""A project linked anew: listed first, then made so; published pseudonyms stay, what people said holds."""

from collections.abc import Callable

import pytest

from linkage.records import DocumentId, LinkageResult, NormalizedMention
from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, LinkageOutdatedError, PurposeRequiredError
from pseudonymizer.policy import Role
from pseudonymizer.records import EntityKind, LinkKind, Rewrite, RewriteEdit
from pseudonymizer.reidentification import restore, reveal
from pseudonymizer.relinks import ChangeKind, HowToRelink, Relinked
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.links import pseudonym_links
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.rows import entities
from tests.fakes import linkage_result
from tests.linkage.test_relinking import Grouping
from tests.pseudonymizer.conftest import VaultPlace

LISTED, APPLIED = HowToRelink(), HowToRelink(apply=True)
TEXTS = {"a": "Jan Tolsma. Jan Tolsma.", "b": "Jan Tolsma. J. Tolsma.", "c": "Jan Tolsma", "d": "Els Kok"}
PEOPLE = [
    [("a", "Jan Tolsma"), ("a", "Jan Tolsma"), ("b", "Jan Tolsma"), ("b", "J. Tolsma")],
    [("c", "Jan Tolsma")],
    [("d", "Els Kok")],
]
RESULT = linkage_result(TEXTS, PEOPLE)


def filled(vault: Vault) -> dict[str, str]:
    """Labels by document and surface; each document is rewritten."""
    given = assign(RESULT, vault, project="p")
    for doc in TEXTS:
        found = [m for m in RESULT.mentions if m.mention.doc_id == doc]
        edits = tuple(
            RewriteEdit(n, "", 30 * n, 30 * n + 23, m.mention.surface.encode(), given[m.mention_id].entity_id)
            for n, m in enumerate(found)
        )
        vault.store_rewrite("p", Rewrite(DocumentId(doc), "txt", edits, f"{doc}.txt"), output=doc.encode())
    vault.commit()
    return {f"{m.mention.doc_id} {m.mention.surface}": given[m.mention_id].label for m in RESULT.mentions}


def relinked(
    vault: Vault, person_of: Callable[[NormalizedMention], str], how: HowToRelink = LISTED, unclear: str = ""
) -> Relinked:
    grouping = Grouping(person_of, unclear)
    return vault.relink("p", how, linker=lambda: grouping, purpose="nieuwe levering", ticket="T-1")


def by_name(mention: NormalizedMention) -> str:
    return mention.name.family or ""


def told(found: Relinked) -> list[tuple[ChangeKind, list[tuple[str, ...]], int]]:
    return [(c.kind, [one.pseudonyms for one in c.people], c.mentions) for c in found.changes]


def same(vault: Vault) -> set[tuple[frozenset[str], LinkKind]]:
    return {(frozenset((link.left, link.right)), link.kind) for link in pseudonym_links(vault, "p")}


def test_two_pseudonyms_of_one_person_are_listed_and_then_linked(vault: Vault) -> None:
    labels = filled(vault)
    jan, other = labels["a Jan Tolsma"], labels["c Jan Tolsma"]
    found = relinked(vault, by_name)
    assert told(found) == [(ChangeKind.MERGE, [(jan,), (other,)], 0)]
    assert (found.people, found.mentions, found.is_applied) == (3, 6, False)
    assert same(vault) == set()
    found = relinked(vault, by_name, APPLIED)
    assert found.is_applied
    assert same(vault) == {(frozenset((jan, other)), LinkKind.ALSO_KNOWN_AS)}
    assert relinked(vault, by_name).changes == ()
    assert assign(RESULT, vault, project="p")[RESULT.mentions[0].mention_id].label == jan
    vault.rollback()
    assert vault.verify().findings == ()
    events = [(e.action, e.outcome, e.purpose, e.ticket, set(e.subjects)) for e in vault.audit_events()]
    assert [e for e in events if e[0] == "relink"] == [
        ("relink", "listed", "nieuwe levering", "T-1", {jan, other}),
        ("relink", "done", "nieuwe levering", "T-1", {jan, other}),
        ("relink", "listed", "nieuwe levering", "T-1", set()),
    ]


def test_what_is_another_persons_goes_over_with_its_edits(vault: Vault) -> None:
    labels = filled(vault)
    jan = labels["a Jan Tolsma"]

    def person_of(mention: NormalizedMention) -> str:
        return mention.mention.surface if mention.mention.doc_id == "b" else mention.mention.doc_id

    listed = told(relinked(vault, person_of))  # the person keeps the greatest part
    assert [(kind, people[1], count) for kind, people, count in listed] == [(ChangeKind.SPLIT, (), 1)] * 2
    found = relinked(vault, person_of, APPLIED)
    new = [people[1][0] for _, people, _ in told(found)]
    assert len({jan, *new}) == 3
    assert relinked(vault, person_of).changes == ()
    revealed = reveal(vault, project="p", pseudonyms=new, purpose="x")
    names = {label: set(one.forms) for label, one in revealed.items()}
    assert sorted(names.values(), key=sorted) == [{"J. Tolsma"}, {"Jan Tolsma"}]
    restored = restore(vault, project="p", outputs=[b"a", b"b"], purpose="x")
    assert [[e.original for e in one.edits] for one in restored if one] == [
        [b"Jan Tolsma", b"Jan Tolsma"], [b"Jan Tolsma", b"J. Tolsma"],
    ]  # fmt: skip
    given = assign(RESULT, vault, project="p")
    again = {given[m.mention_id].label for m in RESULT.mentions if m.mention.doc_id == "b"}
    assert again == set(new)
    vault.rollback()
    assert vault.verify().findings == ()
    (short,) = [label for label, forms in names.items() if forms == {"J. Tolsma"}]
    erase(vault, project="p", pseudonyms=[short], purpose="verzoek")
    (rest,) = [one for one in restore(vault, project="p", outputs=[b"b"], purpose="x") if one]
    assert rest.erased == 1
    assert vault.verify().findings == ()


def test_mentions_go_over_to_somebody_who_is_there(vault: Vault) -> None:
    labels = filled(vault)
    jan, other = labels["a Jan Tolsma"], labels["c Jan Tolsma"]

    def person_of(mention: NormalizedMention) -> str:
        is_moved = mention.mention.doc_id == "b" and mention.mention.surface == "Jan Tolsma"
        return "c" if is_moved or mention.mention.doc_id == "c" else by_name(mention)

    found = relinked(vault, person_of, APPLIED)
    assert told(found) == [(ChangeKind.SPLIT, [(jan,), (other,)], 1)]
    assert relinked(vault, person_of).changes == ()
    given = assign(RESULT, vault, project="p")
    assert [given[m.mention_id].label for m in RESULT.mentions][:4] == [jan, jan, other, jan]
    vault.rollback()
    assert vault.verify().findings == ()
    erase(vault, project="p", pseudonyms=[other], purpose="verzoek")
    assert relinked(vault, person_of).mentions == 4
    assert vault.verify().findings == ()


def test_what_a_linker_said_is_taken_back_and_what_a_curator_said_stays(vault: Vault) -> None:
    labels = filled(vault)
    jan, other, els = labels["a Jan Tolsma"], labels["c Jan Tolsma"], labels["d Els Kok"]
    relinked(vault, by_name, APPLIED)
    vault.merge(project="p", pseudonyms=[els, other], purpose="gezien")

    def as_before(mention: NormalizedMention) -> str:
        return RESULT.identity_of(mention.mention_id).identity_id

    found = relinked(vault, as_before, APPLIED)
    assert [(kind, {label for some in people for label in some}) for kind, people, _ in told(found)] == [
        (ChangeKind.UNMERGE, {jan, other})
    ]
    assert same(vault) == {(frozenset((els, other)), LinkKind.ALSO_KNOWN_AS)}
    vault.unmerge(project="p", pseudonyms=[els, other], purpose="vergissing")
    assert told(relinked(vault, lambda _: "one")) == []
    relinked(vault, lambda _: "one", APPLIED)
    assert (frozenset((els, other)), LinkKind.ALSO_KNOWN_AS) not in same(vault)
    assert vault.verify().findings == ()


def test_a_mention_that_may_mean_several_becomes_a_question(vault: Vault) -> None:
    labels = filled(vault)

    def person_of(mention: NormalizedMention) -> str:
        return "short" if mention.mention.surface == "J. Tolsma" else mention.mention.doc_id

    found = relinked(vault, person_of, APPLIED, "short")
    kinds = [kind for kind, *_ in told(found)]
    assert kinds.count(ChangeKind.OPEN) == 4
    keys = vault.keys_of("p")
    numbers = [n for (n,) in vault.store.rows("SELECT entity_id FROM entity")]
    stored = [kind for kind, _ in entities.entity_kinds(vault, keys, numbers).values()]
    assert stored.count(EntityKind.AMBIGUOUS) == 1
    assert LinkKind.CANDIDATE in {kind for _, kind in same(vault)}
    again = relinked(vault, person_of, unclear="short")
    assert (again.changes, again.mentions) == ((), 6)
    assert labels["a Jan Tolsma"] in {label for pair, _ in same(vault) for label in pair}
    assert vault.verify().findings == ()


def test_names_are_for_who_may_see_them_within_the_limit(vault: Vault) -> None:
    filled(vault)
    found = relinked(vault, by_name, HowToRelink(names=True))
    assert [one.name for one in found.changes[0].people] == ["Jan Tolsma", "Jan Tolsma"]
    assert all(one.name is None for one in relinked(vault, by_name).changes[0].people)
    assert "Tolsma" not in repr(found)
    assert not any("Tolsma" in str(event) for event in vault.audit_events())


def test_who_may_not_is_refused_and_a_purpose_is_asked_for(place: VaultPlace) -> None:
    with place.create() as vault:
        filled(vault)
        with pytest.raises(PurposeRequiredError):
            vault.relink("p", APPLIED, linker=lambda: Grouping(by_name), purpose=" ")
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
    with place.open(actor="ana") as vault:
        with pytest.raises(AccessRefusedError):
            relinked(vault, by_name, APPLIED)
        assert same(vault) == set()


def test_a_project_that_changes_meanwhile_is_linked_again(vault: Vault) -> None:
    filled(vault)
    looked = 0

    class Slow(Grouping):
        def link(self, *args: object, **kwargs: object) -> LinkageResult:
            nonlocal looked
            looked += 1
            if looked <= times:
                doc = f"n{looked}"
                new = linkage_result({doc: "Piet Smit"}, [[(doc, "Piet Smit")]])
                assign(new, vault, project="p", seen_through=99)
                vault.commit()
            return super().link(*args, **kwargs)  # type: ignore[arg-type]

    times = 1
    found = vault.relink("p", LISTED, linker=lambda: Slow(by_name), purpose="x")
    assert (looked, found.mentions) == (2, 7)
    times = 99
    with pytest.raises(LinkageOutdatedError):
        vault.relink("p", LISTED, linker=lambda: Slow(by_name), purpose="x")
    assert not vault.has_open_work()
