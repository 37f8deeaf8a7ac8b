"""link_threshold and short_name_threshold: obeyed inside documents and over them, and never the other way."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.thresholds import Thresholds
from linkage.normalization import normalize
from linkage.records import (
    EntityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    MentionId,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement, Verdict
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer
from tests.linkage.linker.test_invariants import _document, _sentence

PIET = PersonName(given="Piet", family="Woudstra")
PIETER = PersonName(given="Pieter", family="Woudstra")  # .99 * .95 = .94 like Piet
P_WOUDSTRA = PersonName(initials="P.", family="Woudstra")
PJ_WOUDSTRA = PersonName(initials="P.J.", family="Woudstra")
WOUDSTRA = PersonName(family="Woudstra")
INGE = PersonName(given="Inge", family="Zandvliet")
GAZETTEER = Gazetteer.load()


class Scorer(FakeScorer):
    """The fake scorer; pairs of given names have the probability that a test says."""

    def __init__(self, said: Mapping[frozenset[str], float] | None = None) -> None:
        self._said = said or {}

    def table(self, names):  # type: ignore[no-untyped-def]
        table = super().table(names)
        plain = table._one

        def one(left: PersonName, right: PersonName) -> float:
            said = self._said.get(frozenset((left.given or "", right.given or "")))
            return plain(left, right) if said is None or left.family != right.family else said

        table._one = one  # type: ignore[method-assign]
        return table


def linker(
    link: float | None = None, short: float | None = None, said: Mapping[frozenset[str], float] | None = None
) -> Linker:
    return Linker(LinkingSettings(link_threshold=link, short_name_threshold=short), GAZETTEER, Scorer(said))


@pytest.fixture
def write() -> Writer:
    return Writer()


def together(result: LinkageResult, *mentions: NormalizedMention) -> bool:
    return len({result.identity_of(m.mention_id).identity_id for m in mentions}) == 1


def open_between(result: LinkageResult, left: NormalizedMention, right: NormalizedMention) -> float | None:
    """The probability of the open link between the identities of two mentions."""
    ids = {m: result.identity_of(m).identity_id for i in result.identities for m in i.mention_ids}
    wanted = {ids[left.mention_id], ids[right.mention_id]}
    found = [x for x in result.open_links() if {ids[x.pair.left], ids[x.pair.right]} == wanted]
    assert all(link.decision is LinkDecision.POSSIBLE_LINK for link in found)
    return max((link.match_probability for link in found), default=None)


def pairs(result: LinkageResult) -> set[frozenset[MentionId]]:
    return {frozenset(pair) for i in result.identities for pair in combinations(sorted(i.mention_ids), 2)}


# -- two full names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("documents", [("a", "a"), ("a", "b")], ids=["inside a document", "over documents"])
def test_two_full_names_are_linked_from_their_threshold_up(write: Writer, documents: tuple[str, str]) -> None:
    mentions = [write(document, name) for document, name in zip(documents, (PIET, PIETER), strict=True)]
    for threshold, is_one in (
        (None, True),
        (0.5, True),
        (0.94, True),
        (0.941, False),
        (0.95, False),
        (1, False),
    ):
        result = linker(link=threshold).link(mentions)
        assert together(result, *mentions) is is_one, threshold
        if not is_one:  # what is no link any more is a question
            assert open_between(result, *mentions) == pytest.approx(0.9405)


def test_an_equal_full_name_is_linked_whatever_is_asked(write: Writer) -> None:
    mentions = [write(document, PIET) for document in "aab"]
    assert together(linker(1.0, 1.0).link(mentions), *mentions)


@pytest.mark.parametrize("documents", [("a", "a"), ("a", "b")], ids=["inside a document", "over documents"])
def test_less_can_be_asked_of_full_names(write: Writer, documents: tuple[str, str]) -> None:
    said = {frozenset(("Tonja", "Wilbert")): 0.6}  # no list joins them: all that speaks for one is this
    mentions = [
        write(document, PersonName(given=name, family="Woudstra"))
        for document, name in zip(documents, ("Tonja", "Wilbert"), strict=True)
    ]
    for threshold, is_one in ((None, False), (0.8, False), (0.61, False), (0.6, True), (0.4, True)):
        assert together(linker(link=threshold, said=said).link(mentions), *mentions) is is_one, threshold


def test_a_low_threshold_joins_nobody_whom_evidence_or_a_third_tells_apart(write: Writer) -> None:
    said = {frozenset(("Tonja", "Wilbert")): 0.6, frozenset(("Tonja", "Everdien")): 0.6}
    tonja, wilbert, everdien = (
        write(document, PersonName(given=name, family="Woudstra"), attributes=frozenset(told))
        for document, name, told in (
            ("a", "Tonja", ()),
            ("b", "Wilbert", [("birth_date", "1950-01-01")]),
            ("c", "Everdien", [("birth_date", "1960-01-01")]),
        )
    )
    result = linker(link=0.4, said=said).link([tonja, wilbert, everdien])
    assert len(result.identities) == 3  # she may be either, so she is neither
    assert together(linker(link=0.4, said=said).link([tonja, wilbert]), tonja, wilbert)
    dated = write(
        "d",
        PersonName(given="Tonja", family="Woudstra"),
        attributes=frozenset([("birth_date", "1970-01-01")]),
    )
    assert not together(linker(link=0.4, said=said).link([dated, wilbert]), dated, wilbert)


# -- anything shorter --------------------------------------------------------------------------------------


def test_initials_inside_a_document_are_linked_from_the_other_threshold_up(write: Writer) -> None:
    full, initials = write("a", PIET), write("a", PJ_WOUDSTRA)  # a fit of .95
    for threshold, is_one in ((None, True), (0.95, True), (0.951, False), (1.0, False)):
        result = linker(short=threshold).link([full, initials])
        assert together(result, full, initials) is is_one, threshold
        if not is_one:
            assert open_between(result, full, initials) == pytest.approx(0.95)
    assert together(
        linker(link=1.0).link([full, initials]), full, initials
    )  # the other key says nothing of it


def test_initials_over_documents_are_linked_from_the_other_threshold_up(write: Writer) -> None:
    full, initials = write("a", PIET), write("b", P_WOUDSTRA)
    default = linker().link([full, initials])
    assert together(default, full, initials)
    bounds = [n / 100 for n in range(40, 101)]
    kept = [n for n in bounds if together(linker(short=n).link([full, initials]), full, initials)]
    assert kept == bounds[: len(kept)]
    assert kept[-1] >= 0.55  # which is what the shipped threshold asks
    assert kept[-1] < 1.0
    above = linker(short=1.0).link([full, initials])
    assert open_between(above, full, initials) == pytest.approx(kept[-1], abs=0.01)


def test_equal_initials_over_documents_obey_it(write: Writer) -> None:
    mentions = [write(document, P_WOUDSTRA) for document in "abc"]
    assert together(linker().link(mentions), *mentions)
    assert together(linker(short=0.8).link(mentions), *mentions)
    assert len(linker(short=1.0).link(mentions).identities) == 3


def test_less_can_be_asked_of_shorter_names(write: Writer) -> None:
    full = write("a", PersonName(given="Piet", family="Bakker"))  # a common surname: no link by default
    initials = write("b", PersonName(initials="P.", family="Bakker"))
    before = linker().link([full, initials])
    assert not together(before, full, initials)
    probability = open_between(before, full, initials)
    assert probability is not None
    assert together(linker(short=probability - 0.01).link([full, initials]), full, initials)
    assert not together(linker(short=min(0.55, probability + 0.01)).link([full, initials]), full, initials)


def test_what_hangs_on_a_shorter_name_does_not_part_full_names(write: Writer) -> None:
    mentions = [write(d, name) for d in "ab" for name in (PIET, PJ_WOUDSTRA, WOUDSTRA)]
    result = linker(short=0.96).link(mentions)
    assert together(result, mentions[0], mentions[3])
    assert not together(result, mentions[0], mentions[1])
    assert together(
        result, mentions[0], mentions[2]
    )  # a surname that fits one alone is sure inside a document


# -- what no threshold undoes ------------------------------------------------------------------------------


def test_what_the_text_or_a_registry_says_is_kept(write: Writer) -> None:
    first = write("a", PIET)
    alias = write("a", PersonName(given="Bauke", family="Terpstra"), same_as=frozenset({first.mention_id}))
    lone = write("a", PersonName(given="Piet"), same_as=frozenset({first.mention_id}))
    named = [write("b", name, person_id="r1") for name in (INGE, PersonName(given="Inge"))]
    result = linker(1.0, 1.0).link([first, alias, lone, *named])
    assert together(result, first, alias, lone)
    assert together(result, *named)


def test_what_people_said_is_kept(write: Writer) -> None:
    mentions = [write("a", PIET), write("b", PIETER), write("c", P_WOUDSTRA), write("d", WOUDSTRA)]

    def said(left: int, right: int, verdict: Verdict) -> Judgement:
        one, other = mentions[left], mentions[right]
        return Judgement(
            one.mention.surface, other.mention.surface, verdict, one.mention_id, other.mention_id,
            judged_at=datetime(2026, 1, 1, 10, right, tzinfo=UTC).isoformat(),
        )  # fmt: skip

    accepted = [said(0, 1, Verdict.ACCEPT), said(0, 2, Verdict.ACCEPT)]
    result = linker(1.0, 1.0).link(mentions, judgements=accepted)
    assert together(result, *mentions[:3])
    assert not together(result, mentions[0], mentions[3])
    low = linker(0.4, 0.2).link(mentions, judgements=[said(0, 1, Verdict.REJECT)])
    assert not together(low, *mentions[:2])


def test_a_known_person_stays_with_its_full_name(write: Writer) -> None:
    known = KnownIdentity(EntityId("e1"), (PIET,))
    full, initials, other = write("a", PIET), write("a", PJ_WOUDSTRA), write("b", PIETER)
    result = linker(0.96, 0.96).link([full, initials, other], known=[known])
    assert result.identity_of(full.mention_id).entity_id == "e1"
    assert [result.identity_of(m.mention_id).entity_id for m in (initials, other)] == [None, None]
    assert result.identity_of(other.mention_id).candidates or open_between(result, full, other)


# -- on generated documents --------------------------------------------------------------------------------


def _corpus(chance: random.Random, *, documents: int) -> list[NormalizedMention]:
    texts = [" ".join(_sentence(chance) for _ in range(chance.randint(2, 4))) for _ in range(documents)]
    marked = [_document(number, text) for number, text in enumerate(texts)]
    return [m for document, found in marked for m in normalize(document, found, GAZETTEER)]


def _judgements(chance: random.Random, mentions: Sequence[NormalizedMention]) -> list[Judgement]:
    found = []
    for minute in range(chance.choice([0, 0, 2])):
        one, other = chance.sample(list(mentions), 2)
        verdict = chance.choice([Verdict.ACCEPT, Verdict.REJECT])
        moment = datetime(2026, 1, 1, 10, minute, tzinfo=UTC).isoformat()
        found.append(
            Judgement(
                one.mention.surface,
                other.mention.surface,
                verdict,
                one.mention_id,
                other.mention_id,
                judged_at=moment,
            )
        )
    return found


# Pairs that the shipped thresholds leave two, so that lower ones have something to join.
_SAID = {
    frozenset(("Anna", "Anneke")): 0.6, frozenset(("Jan", "Johan")): 0.72,
    frozenset(("Robin", "Robert")): 0.45, frozenset(("Robin", "Bert")): 0.5,
}  # fmt: skip
_THRESHOLD = st.sampled_from([n / 20 for n in range(21)]) | st.floats(0, 1)


@given(
    chance=st.randoms(use_true_random=False),
    link=st.tuples(_THRESHOLD, _THRESHOLD).map(sorted) | st.just([None, None]),
    short=st.tuples(_THRESHOLD, _THRESHOLD).map(sorted) | st.just([None, None]),
)
@settings(max_examples=200, deadline=None)
def test_raising_a_threshold_never_adds_a_link(
    chance: random.Random, link: list[float | None], short: list[float | None]
) -> None:
    mentions = _corpus(chance, documents=chance.randint(1, 4))
    known = [KnownIdentity(EntityId("e1"), (PersonName(given="Jan", family="Kok"),))] * chance.randint(0, 1)
    judgements = _judgements(chance, mentions)
    low, high = (
        pairs(linker(*asked, _SAID).link(mentions, known=known, judgements=judgements))
        for asked in zip(link, short, strict=True)
    )
    assert high <= low
    shipped = pairs(linker(said=_SAID).link(mentions, known=known, judgements=judgements))
    if all(given is None or given >= 0.8 for given in (link[1], short[1])):
        assert high <= shipped
    assert shipped <= pairs(linker(0.0, 0.0, _SAID).link(mentions, known=known, judgements=judgements))


@given(chance=st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_no_full_names_are_linked_below_the_threshold(chance: random.Random) -> None:
    mentions = _corpus(chance, documents=chance.randint(1, 3))
    result = linker(0.95, 0.95).link(mentions)
    of_id = {m.mention_id: m for m in mentions}
    for identity in result.identities:
        members = [of_id[m] for m in identity.mention_ids]
        names = {(m.name.given, m.name.family) for m in members if m.name.given and m.name.family}
        is_dated = any(kind == "birth_date" for m in members for kind, _ in m.context.attributes)
        assert len(names) < 2 or is_dated  # no two of the names are as like as that; a birth date says more


@given(chance=st.randoms(use_true_random=False), link=_THRESHOLD, short=_THRESHOLD)
@settings(max_examples=100, deadline=None)
def test_order_says_nothing(chance: random.Random, link: float, short: float) -> None:
    mentions = _corpus(chance, documents=3)
    first = linker(link, short, _SAID).link(mentions)
    shuffled = list(mentions)
    chance.shuffle(shuffled)
    again = linker(link, short, _SAID).link(shuffled)
    assert pairs(first) == pairs(again)
    assert set(first.open_links()) == set(again.open_links())
    assert all(x.decision is not LinkDecision.LINK for x in first.open_links())


# -- single pairs ------------------------------------------------------------------------------------------


def test_single_pairs_are_decided_by_the_threshold_of_their_kind() -> None:
    judged = linker(0.95, 0.5)
    full, shorter = judged.compare_many(
        [("Piet Woudstra", "Pieter Woudstra"), ("Piet Woudstra", "P. Woudstra")]
    )
    assert (full.decision, shorter.decision) == (LinkDecision.POSSIBLE_LINK, LinkDecision.LINK)
    other = linker(0.9, 0.995)
    full, shorter = other.compare_many(
        [("Piet Woudstra", "Pieter Woudstra"), ("Piet Woudstra", "P. Woudstra")]
    )
    assert (full.decision, shorter.decision) == (LinkDecision.LINK, LinkDecision.POSSIBLE_LINK)
    assert other.compare("P. Woudstra", "p. woudstra").decision is LinkDecision.LINK


def test_a_question_never_needs_more_than_a_link() -> None:
    assert linker(0.2).review_threshold == 0.2
    assert linker(0.9, 0.1).review_threshold == 0.1
    assert linker().review_threshold == 0.35
    assert not Thresholds()
