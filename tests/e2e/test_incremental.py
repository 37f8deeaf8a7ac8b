"""Documents that come later are linked as in one go: the sample corpus, a vault, the shipped model."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import pytest

from linkage.evaluation.gold import gold_mentions, read_gold
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import LinkageResult, MentionId, NormalizedMention
from linkage.settings import LinkingSettings, data_directory
from pseudonymizer import FileKey, Vault, assign
from pseudonymizer.records import LinkKind, Pseudonym
from pseudonymizer.relinks import ChangeKind, HowToRelink
from pseudonymizer.vault import known
from pseudonymizer.vault.care.links import pseudonym_links

Documents = list[tuple[NormalizedMention, ...]]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.load(LinkingSettings(), Gazetteer.load())


@pytest.fixture(scope="module")
def documents(linker: Linker) -> Documents:
    gold = read_gold(data_directory() / "sample" / "gold.persons.jsonl")
    return [tuple(normalize(one.document, gold_mentions(one)[0], linker.gazetteer)) for one in gold]


@pytest.fixture(scope="module")
def one_go(linker: Linker, documents: Documents) -> LinkageResult:
    return linker.link([mention for document in documents for mention in document])


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    key = FileKey(tmp_path / "kek.key")
    key.create()
    return Vault.create(f"sqlite:///{tmp_path / 'vault.db'}", key)


def _among(result: LinkageResult, mentions: Sequence[NormalizedMention]) -> set[frozenset[MentionId]]:
    """The people of a result among these mentions."""
    wanted = {m.mention_id for m in mentions}
    return {found for i in result.identities if (found := frozenset(i.mention_ids & wanted))}


def _pairs(people: set[frozenset[MentionId]]) -> set[tuple[MentionId, MentionId]]:
    return {(a, b) for found in people for a in found for b in found if a < b}


def _told(result: LinkageResult) -> set[tuple[str, str]]:
    """Pairs of mentions of one person, and of a mention and a known person whom it means."""
    pairs: set[tuple[str, str]] = set()
    for identity in result.identities:
        mentions = sorted(identity.mention_ids)
        pairs.update(combinations(mentions, 2))
        people = [e for e in (identity.entity_id, *identity.also_known_as) if e is not None]
        pairs.update((mention, entity) for mention in mentions for entity in people)
    return pairs


@pytest.mark.parametrize(
    ("together", "looked_at", "order"),
    [(4, 5, 0), *(pytest.param(4, 1, order, marks=pytest.mark.slow) for order in range(10))],
)
def test_documents_that_come_in_any_order_are_linked_with_candidates_as_with_everybody(
    linker: Linker,
    documents: Documents,
    vault: Vault,
    together: int,
    looked_at: int,
    order: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In every step that is looked at: linking with everybody is one go over all documents so far."""
    monkeypatch.setattr(known, "MOST_LINKED", 0)
    come = [*documents]
    random.Random(order).shuffle(come)  # noqa: S311  an order, no secret
    pairs = differing = 0
    with vault:
        for step, start in enumerate(range(0, len(come), together)):
            run = [mention for document in come[start : start + together] for mention in document]
            linked = vault.linked("p", run, linker=lambda: linker)
            if step % looked_at == looked_at - 1:
                wanted = _told(linker.link(run, known=vault.known_identities("p")))
                vault.rollback()
                pairs += len(wanted)
                differing += len(wanted ^ _told(linked.result))
            assign(linked.result, vault, project="p", seen_through=linked.seen_through)
            vault.commit()
    assert pairs
    assert differing <= 0.005 * pairs, f"{differing} of {pairs} pairs differ"


def _people(vault: Vault, given: Mapping[MentionId, Pseudonym]) -> dict[str, frozenset[str]]:
    """By label all labels of the person: those that are linked as also known as one another."""
    near: defaultdict[str, set[str]] = defaultdict(set)
    for link in pseudonym_links(vault, "p"):
        if link.kind is LinkKind.ALSO_KNOWN_AS:
            near[link.left].add(link.right)
            near[link.right].add(link.left)
    found: dict[str, frozenset[str]] = {}
    for label in {*near, *(pseudonym.label for pseudonym in given.values())}:
        reached, new = {label}, {label}
        while new:
            new = {other for one in new for other in near[one]} - reached
            reached |= new
        found[label] = frozenset(reached)
    return found


def _asked(vault: Vault, people: Mapping[str, frozenset[str]]) -> set[frozenset[frozenset[str]]]:
    """The pairs of people of whom a stored link asks whether they are one."""
    return {
        frozenset(people.get(label, frozenset((label,))) for label in (link.left, link.right))
        for link in pseudonym_links(vault, "p")
        if link.kind in {LinkKind.OPEN, LinkKind.CANDIDATE}
    }


@pytest.mark.parametrize("order", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 6))])
def test_each_difference_to_one_go_is_an_open_link_or_listed_by_relink(
    linker: Linker,
    documents: Documents,
    one_go: LinkageResult,
    vault: Vault,
    order: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Documents that come by and by, with candidates alone; and after relinking there is no difference."""
    monkeypatch.setattr(known, "MOST_LINKED", 0)
    come = [*documents]
    random.Random(order).shuffle(come)  # noqa: S311  an order, no secret
    given: dict[MentionId, Pseudonym] = {}
    wanted = _pairs({frozenset(identity.mention_ids) for identity in one_go.identities})

    def unlike(*, but: set[str]) -> list[tuple[MentionId, MentionId]]:
        """Pairs that are one person here and not in one go, or the other way round: those without an open
        link, and of whom no label is among these.
        """
        people = _people(vault, given)
        asked = _asked(vault, people)
        mentions: defaultdict[frozenset[str], set[MentionId]] = defaultdict(set)
        for mention_id, pseudonym in given.items():
            mentions[people[pseudonym.label]].add(mention_id)
        here = _pairs({frozenset(found) for found in mentions.values()})
        return [
            pair
            for pair in here ^ wanted
            if but.isdisjoint(labels := [given[m].label for m in pair])
            and frozenset(people[label] for label in labels) not in asked
        ]

    with vault:
        for start in range(0, len(come), 8):
            run = [mention for document in come[start : start + 8] for mention in document]
            linked = vault.linked("p", run, linker=lambda: linker)
            given |= assign(linked.result, vault, project="p", seen_through=linked.seen_through)
            vault.commit()
        listed = vault.relink("p", HowToRelink(), linker=lambda: linker, purpose="toets")
        named = {
            label
            for change in listed.changes
            for one in change.people
            for label in one.pseudonyms
            if change.kind is not ChangeKind.OPEN
        }
        assert named
        assert unlike(but=named) == []
        applied = vault.relink("p", HowToRelink(apply=True), linker=lambda: linker, purpose="toets")
        assert applied.is_applied
        assert vault.relink("p", HowToRelink(), linker=lambda: linker, purpose="toets").changes == ()
        given |= assign(one_go, vault, project="p", seen_through=1 << 40)
        vault.commit()
        assert unlike(but=set()) == []
        assert vault.verify().findings == ()


@pytest.mark.parametrize(
    "steps", [2, pytest.param(4, marks=pytest.mark.slow), pytest.param(64, marks=pytest.mark.slow)]
)
def test_each_step_gives_the_people_of_one_go_over_all_so_far(
    linker: Linker, documents: Documents, one_go: LinkageResult, vault: Vault, steps: int
) -> None:
    so_far: list[NormalizedMention] = []
    entity_of: dict[MentionId, str] = {}
    with vault:
        for step in range(steps):
            first, end = (len(documents) * n // steps for n in (step, step + 1))
            run = [mention for document in documents[first:end] for mention in document]
            so_far += run
            result = linker.link(run, known=vault.known_identities("p"))
            if steps <= 4 or step % 16 == 15:
                assert _among(result, run) == _among(linker.link(so_far), run)
            given = assign(result, vault, project="p")
            vault.commit()
            entity_of.update((m, pseudonym.entity_id) for m, pseudonym in given.items())
        again = linker.link(so_far, known=vault.known_identities("p"))
    assert again.identities
    assert _among(again, so_far) == _among(one_go, so_far)
    # Whom the vault knew as two and the texts show to be one is also known as the other.
    one_of: dict[str, str] = {}
    for identity in again.identities:
        for entity in (identity.entity_id, *identity.also_known_as):
            if entity is not None:
                assert entity not in one_of, "each known person is one of the people"
                one_of[entity] = identity.identity_id
    if steps == 2:  # a pseudonym that was given stays: who is found to be two later keeps one
        people: dict[str, set[MentionId]] = {}
        for mention_id, entity_id in entity_of.items():
            people.setdefault(one_of.get(entity_id, entity_id), set()).add(mention_id)
        given_pairs = _pairs({frozenset(found) for found in people.values()})
        assert len(given_pairs ^ _pairs(_among(one_go, so_far))) <= 0.002 * len(given_pairs)
