"""What people decided is kept whatever the names say, or told not to be. All names are invented."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.judged_mentions import judgements_among, with_judgements
from linkage.linker import Linker
from linkage.records import (
    DocumentId,
    LinkageResult,
    LinkDecision,
    MentionId,
    NormalizedMention,
    PersonName,
    mention_id_at,
)
from linkage.review import Judgement, MentionPlace, Verdict, in_force, unkept
from linkage.settings import LinkingSettings
from linkage.sightings import known_people
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

ACCEPT, REJECT = Verdict.ACCEPT, Verdict.REJECT
PIET = PersonName(given="Piet", family="Woudstra")
PIETER = PersonName(given="Pieter", family="Woudstra")
PAUL = PersonName(given="Paul", family="Woudstra")
LETTER = PersonName(initials="P.", family="Woudstra")
LONE = PersonName(family="Woudstra")
INGE = PersonName(given="Inge", family="Zandvliet")
ROBERT, ALBERT, BERT = (PersonName(given=g, family="Terpstra") for g in ("Robert", "Albert", "Bert"))
NAMES = (PIET, PIETER, PAUL, LETTER, LONE, PersonName(given="Piet"), INGE, ROBERT, ALBERT, BERT)
START = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


@pytest.fixture
def write() -> Writer:
    return Writer()


def judged(left: NormalizedMention, right: NormalizedMention, verdict: Verdict, minute: int = 0) -> Judgement:
    return Judgement(
        left.mention.surface, right.mention.surface, verdict, left.mention_id, right.mention_id,
        (START + timedelta(minutes=minute)).isoformat(),
    )  # fmt: skip


def of_forms(left: str, right: str, verdict: Verdict, minute: int = 0) -> Judgement:
    return Judgement(left, right, verdict, judged_at=(START + timedelta(minutes=minute)).isoformat())


def together(result: LinkageResult, *mentions: NormalizedMention) -> bool:
    return len({result.identity_of(m.mention_id).identity_id for m in mentions}) == 1


def partition(result: LinkageResult) -> set[frozenset[MentionId]]:
    return {identity.mention_ids for identity in result.identities}


def written(name: PersonName) -> str:
    return " ".join(part for part in name.parts() if part)


# -- rejections --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [PIET, LETTER, LONE, PersonName(given="Piet")])
@pytest.mark.parametrize("document", ["a", "b"])
def test_rejected_mentions_are_two_whatever_the_names_say(
    linker: Linker, write: Writer, other: PersonName, document: str
) -> None:
    first, second = write("a", PIET), write(document, other)
    verdict = [judged(first, second, REJECT)]
    result = linker.link([first, second], judgements=verdict)
    assert not together(result, first, second)
    assert unkept(result, verdict) == ()


def test_a_rejection_holds_against_a_registry_id_and_against_a_signature(
    linker: Linker, write: Writer
) -> None:
    first = write("a", PIET, person_id="r1")
    second = write("a", LONE, person_id="r1", same_as=frozenset({first.mention_id}))
    third = write("b", PIET, person_id="r1")
    assert together(linker.link([first, second, third]), first, second, third)
    verdicts = [judged(first, second, REJECT), judged(first, third, REJECT)]
    result = linker.link([first, second, third], judgements=verdicts)
    assert not together(result, first, second)
    assert not together(result, first, third)


def test_who_was_accepted_as_one_is_rejected_as_one(linker: Linker, write: Writer) -> None:
    first, second, third = write("a", PIET), write("a", PIET), write("a", PIET)
    verdicts = [judged(first, second, REJECT), judged(second, third, ACCEPT)]
    result = linker.link([first, second, third], judgements=verdicts)
    assert partition(result) == {
        frozenset({first.mention_id}), frozenset({second.mention_id, third.mention_id})
    }  # fmt: skip


@pytest.mark.parametrize("other", [PIETER, LETTER, LONE, PersonName(given="Piet"), PIET])
@pytest.mark.parametrize("document", ["a", "b"])
def test_rejected_forms_are_two_wherever_they_occur(
    linker: Linker, write: Writer, other: PersonName, document: str
) -> None:
    first, second = write("a", PIET), write(document, other)
    verdict = [of_forms(written(PIET), written(other), REJECT)]
    result = linker.link([first, second], judgements=verdict)
    assert not together(result, first, second)
    assert unkept(result, verdict) == ()


def test_a_judgement_of_two_mentions_counts_above_one_of_their_forms(linker: Linker, write: Writer) -> None:
    first, second, third = write("a", PIET), write("b", LONE), write("c", LONE)
    verdicts = [of_forms(written(PIET), "Woudstra", REJECT, 5), judged(first, second, ACCEPT)]
    result = linker.link([first, second, third], judgements=verdicts)
    assert together(result, first, second)
    assert not together(result, first, third)
    assert unkept(result, verdicts) == ()


def test_a_rejected_pair_is_no_open_link_any_more_nor_another_pair_of_the_two(
    linker: Linker, write: Writer
) -> None:
    first, again, second = write("a", PIET), write("a", PIET), write("b", PIETER)
    result = linker.link([first, again, second], judgements=[judged(again, second, REJECT)])
    assert together(result, first, again)
    assert list(result.open_links()) == []


def test_no_link_that_was_not_made_says_link(linker: Linker, write: Writer) -> None:
    told = [write("a", PIET)]
    told.append(write("a", PIETER, joined_with=frozenset({told[0].mention_id})))
    (link,) = linker.link(told).open_links()
    assert link.match_probability > linker.link_threshold
    assert link.decision is LinkDecision.POSSIBLE_LINK


# -- accepted pairs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [INGE, LETTER, PersonName(given="Truus"), PersonName(family="Abma")])
@pytest.mark.parametrize("document", ["a", "b"])
@pytest.mark.parametrize("of_names", [True, False])
def test_what_was_accepted_is_one_person(
    linker: Linker,
    write: Writer,
    other: PersonName,
    document: str,
    of_names: bool,
) -> None:
    first, second = write("a", PIET), write(document, other)
    verdict = of_forms(written(PIET), written(other), ACCEPT) if of_names else judged(first, second, ACCEPT)
    result = linker.link([first, second], judgements=[verdict])
    assert together(result, first, second)
    assert unkept(result, [verdict]) == ()


@pytest.mark.parametrize("of_names", [True, False])
def test_accepted_but_held_apart_is_told(linker: Linker, write: Writer, of_names: bool) -> None:
    for apart in ("text", "birth date", "registry"):
        first = write(
            f"{apart}1", PIET,
            attributes=frozenset({("birth_date", "1931-01-02")}) if apart == "birth date" else frozenset(),
            person_id="r1" if apart == "registry" else None,
        )  # fmt: skip
        second = write(
            f"{apart}1" if apart == "text" else f"{apart}2", INGE,
            attributes=frozenset({("birth_date", "1985-03-04")}) if apart == "birth date" else frozenset(),
            person_id="r2" if apart == "registry" else None,
            joined_with=frozenset({first.mention_id}) if apart == "text" else frozenset(),
        )  # fmt: skip
        verdict = (
            of_forms(written(PIET), written(INGE), ACCEPT) if of_names else judged(first, second, ACCEPT)
        )
        result = linker.link([first, second], judgements=[verdict])
        assert not together(result, first, second)
        assert unkept(result, [verdict]) == (verdict,)
        if not of_names:
            (link,) = result.open_links()
            assert {link.pair.left, link.pair.right} == {first.mention_id, second.mention_id}
            assert link.decision is LinkDecision.POSSIBLE_LINK


@pytest.mark.parametrize("documents", ["aaa", "abc"])
def test_two_accepted_pairs_do_not_chain_two_of_other_names(
    linker: Linker, write: Writer, documents: str
) -> None:
    piet, paul, letter = (write(d, n) for d, n in zip(documents, (PIET, PAUL, LETTER), strict=True))
    verdicts = [judged(letter, paul, ACCEPT, 1), judged(letter, piet, ACCEPT, 0)]
    result = linker.link([piet, paul, letter], judgements=verdicts)
    assert together(result, letter, piet)
    assert not together(result, letter, paul)
    assert unkept(result, verdicts) == (verdicts[0],)
    assert {letter.mention_id, paul.mention_id} in [
        {link.pair.left, link.pair.right} for link in result.open_links()
    ]
    # Whoever says of the two names themselves that they are one has it so.
    verdicts.append(judged(piet, paul, ACCEPT, 2))
    assert together(linker.link([piet, paul, letter], judgements=verdicts), piet, paul, letter)


def test_equal_names_of_two_documents_chain_nobody_either(linker: Linker, write: Writer) -> None:
    robert, albert, one, other = write("a", ROBERT), write("b", ALBERT), write("c", BERT), write("d", BERT)
    verdicts = [judged(one, robert, ACCEPT), judged(other, albert, ACCEPT)]
    result = linker.link([robert, albert, one, other], judgements=verdicts)
    assert not together(result, robert, albert)
    assert unkept(result, verdicts) == ()
    only = linker.link([robert, albert, one, other], judgements=verdicts[:1])
    assert together(only, robert, one)
    assert not together(only, robert, albert)


def test_a_further_form_of_an_accepted_alias_is_accepted(linker: Linker, write: Writer) -> None:
    piet, inge, letter = write("a", PIET), write("b", INGE), write("c", LETTER)
    verdicts = [judged(piet, inge, ACCEPT), judged(letter, piet, ACCEPT, 1)]
    assert together(linker.link([piet, inge, letter], judgements=verdicts), piet, inge, letter)


def test_a_shorter_name_leaves_whom_its_document_took_it_for(linker: Linker, write: Writer) -> None:
    piet, lone, inge = write("a", PIET), write("a", LONE), write("b", INGE)
    verdicts = [judged(lone, inge, ACCEPT)]
    result = linker.link([piet, lone, inge], judgements=verdicts)
    assert together(result, lone, inge)
    assert not together(result, piet, inge)


def test_accepted_forms_are_not_all_one_where_several_bear_them(linker: Linker, write: Writer) -> None:
    old = write("a", PIET, attributes=frozenset({("birth_date", "1931-01-02")}))
    young = write("b", PIET, attributes=frozenset({("birth_date", "1985-03-04")}))
    called, elsewhere = write("b", INGE), write("c", INGE)
    verdict = of_forms(written(PIET), written(INGE), ACCEPT)
    result = linker.link([old, young, called, elsewhere], judgements=[verdict])
    assert together(result, young, called)
    assert not together(result, old, young)
    assert not together(result, old, called)
    assert unkept(result, [verdict]) == (verdict,)


# -- which judgements count --------------------------------------------------------------------------------


@pytest.mark.parametrize("of_names", [True, False])
@pytest.mark.parametrize("last", [ACCEPT, REJECT])
def test_the_later_judgement_counts(linker: Linker, write: Writer, last: Verdict, of_names: bool) -> None:
    first, second = write("a", PIET), write("b", PIETER)
    early = REJECT if last is ACCEPT else ACCEPT
    verdicts = [
        of_forms(written(PIET), written(PIETER), v, n) if of_names else judged(first, second, v, n)
        for n, v in ((9, last), (3, early))
    ]
    for told in (verdicts, verdicts[::-1]):
        assert together(linker.link([first, second], judgements=told), first, second) is (last is ACCEPT)
        assert [j.verdict for j in in_force(told)] == [last]


def test_moments_are_compared_as_such_and_an_unknown_one_is_the_earliest() -> None:
    summer = replace(of_forms("a", "b", ACCEPT), judged_at="2026-07-01T12:00:00+02:00")
    london = replace(of_forms("b", "A", REJECT), judged_at="2026-07-01T10:30:00+00:00")
    undated = replace(of_forms("a", "b", ACCEPT), judged_at="")
    assert in_force([london, undated, summer]) == (london,)
    assert in_force([undated, replace(undated, verdict=REJECT)])[0].verdict is REJECT


def test_places_that_nobody_looked_up_are_no_judgement_of_forms(linker: Linker, write: Writer) -> None:
    first, second = write("a", PIET), write("b", PIETER)
    verdict = Judgement(
        written(PIET), written(PIETER), REJECT,
        left_at=MentionPlace("x", 0, 13), right_at=MentionPlace("y", 0, 15),
    )  # fmt: skip
    result = linker.link([first, second], judgements=[verdict])
    assert together(result, first, second)
    assert unkept(result, [verdict]) == ()


# -- later documents ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", [ACCEPT, REJECT])
@pytest.mark.parametrize("of_names", [True, False])
def test_later_documents_keep_judgements_about_earlier_ones(
    linker: Linker,
    write: Writer,
    verdict: Verdict,
    of_names: bool,
) -> None:
    other = PIET if verdict is REJECT and not of_names else INGE if verdict is ACCEPT else PIETER
    early, late = write("a", PIET), write("b", other)
    told = of_forms(written(PIET), written(other), verdict) if of_names else judged(early, late, verdict)
    known = known_people(linker.link([early]))
    result = linker.link([late], known=known, judgements=[told])
    found = result.identity_of(late.mention_id).entity_id
    assert (found == known[0].entity_id) is (verdict is ACCEPT)


@pytest.mark.parametrize("verdict", [ACCEPT, REJECT])
def test_judged_forms_hold_for_people_known_by_name_only(
    linker: Linker, write: Writer, verdict: Verdict
) -> None:
    other = INGE if verdict is ACCEPT else PIETER
    known = [replace(k, sightings=()) for k in known_people(linker.link([write("a", PIET)]))]
    late = write("b", other)
    told = of_forms(written(PIET), written(other), verdict)
    result = linker.link([late], known=known, judgements=[told])
    found = result.identity_of(late.mention_id).entity_id
    assert (found == known[0].entity_id) is (verdict is ACCEPT)


@pytest.mark.parametrize("verdict", [ACCEPT, REJECT])
def test_judgements_about_earlier_documents_hold_in_later_ones(
    linker: Linker, write: Writer, verdict: Verdict
) -> None:
    first, second = write("a", PIET), write("b", INGE if verdict is ACCEPT else PIETER)
    told = [judged(first, second, verdict)]
    known = known_people(linker.link([first, second], judgements=told))
    late = [write("c", INGE if verdict is ACCEPT else PIETER), write("d", PIET)]
    result = linker.link(late, known=known)
    if verdict is ACCEPT:
        assert [result.identity_of(m.mention_id).entity_id for m in late] == [known[0].entity_id] * 2
    assert all(identity.also_known_as == () for identity in result.identities)
    whole = linker.link([first, second, *late], judgements=told)
    assert together(result, *late) is together(whole, *late)


def test_nobody_becomes_whom_an_earlier_mention_was_taken_for_that_it_is_not(
    linker: Linker, write: Writer
) -> None:
    early = [write(document, PIET) for document in "abc"]
    known = known_people(linker.link(early))
    assert len(known) == 1
    late = write("d", PIET)
    told = [judged(early[0], late, REJECT), judged(early[1], late, ACCEPT), judged(early[2], late, ACCEPT)]
    result = linker.link([late], known=known, judgements=told)
    # What was written of the first one has the pseudonym of all three.
    assert result.identity_of(late.mention_id).entity_id is None


def test_of_verdicts_kept_with_earlier_mentions_the_later_one_counts(linker: Linker, write: Writer) -> None:
    first, second = write("a", PIET), write("b", PIETER)
    places = {MentionPlace("a", 0, 13): first.mention_id, MentionPlace("b", 0, 15): second.mention_id}
    left, right = places
    rejected = replace(of_forms(written(PIET), written(PIETER), REJECT, 1), left_at=left, right_at=right)
    accepted = replace(rejected, verdict=ACCEPT, judged_at=judged(first, second, ACCEPT, 2).judged_at)
    (early,) = with_judgements([first], [rejected], places)
    known = known_people(linker.link([early]))
    for later, is_one in ((rejected, False), (accepted, True)):
        # Sides do not matter, nor that the run that met the one mention did not meet the other.
        turned = replace(
            later, left_form=later.right_form, right_form=later.left_form, left_at=right, right_at=left
        )
        (late,) = with_judgements([second], [turned], places)
        found = linker.link([late], known=known).identity_of(late.mention_id)
        assert (found.entity_id == known[0].entity_id) is is_one


def test_what_goes_along_with_a_mention_holds_no_name(write: Writer) -> None:
    first, second = write("a", PIET), write("b", INGE)
    marked = with_judgements([first, second], [judged(first, second, REJECT)])
    sides = [one for m in marked for one in m.context.judged]
    assert len(sides) == 2
    assert not any(word in one.pair for one in sides for word in ("Piet", "oudstra", "Inge", "andvliet"))
    (told,) = in_force(judgements_among(marked))
    assert {told.left_mention, told.right_mention} == {first.mention_id, second.mention_id}
    assert told.verdict is REJECT


# -- whatever the order ------------------------------------------------------------------------------------

CORPUS = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4), min_size=1, max_size=4)
JUDGED = st.lists(
    st.tuples(
        st.integers(0, 15), st.integers(0, 15), st.sampled_from(Verdict), st.booleans(), st.integers(0, 3)
    ),
    max_size=5,
)


def judgements_about(
    mentions: Sequence[NormalizedMention], told: Sequence[tuple[int, int, Verdict, bool, int]]
) -> list[Judgement]:
    """No two of one moment: of equal documents nothing else would say which comes first."""
    found = []
    for number, (left, right, verdict, of_names, tens) in enumerate(told):
        minute = 10 * tens + number
        a, b = mentions[left % len(mentions)], mentions[right % len(mentions)]
        if of_names:
            found.append(of_forms(a.mention.surface, b.mention.surface, verdict, minute))
        elif a is not b:
            found.append(judged(a, b, verdict, minute))
    return found


def relabelled(mention: NormalizedMention) -> NormalizedMention:
    """The same in a document of another name, which sorts the other way round."""
    name = mention.mention.doc_id
    doc_id = DocumentId(f"{9 - int(name[1:])}{name}")

    def of(mention_id: MentionId) -> MentionId:
        return MentionId(f"{doc_id}@{mention_id.partition('@')[2]}")

    moved = replace(mention.mention, doc_id=doc_id, mention_id=mention_id_at(doc_id, mention.mention.span))
    context = replace(mention.context, joined_with=frozenset(of(m) for m in mention.context.joined_with))
    return replace(mention, mention=moved, context=context)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpus=CORPUS, told=JUDGED, joined=st.lists(st.integers(0, 15), max_size=2), random=st.randoms())
def test_rejections_always_hold_and_no_order_matters(
    linker: Linker,
    corpus: list[list[PersonName]],
    told: list[tuple[int, int, Verdict, bool, int]],
    joined: list[int],
    random: object,
) -> None:
    write = Writer()
    mentions: list[NormalizedMention] = []
    for number, names in enumerate(corpus):
        for name in names:
            before = mentions[-1:] if len(mentions) in joined else []
            beside = {m.mention_id for m in before if m.mention.doc_id == f"d{number}"}
            mentions.append(write(f"d{number}", name, joined_with=frozenset(beside)))
    verdicts = judgements_about(mentions, told)
    result = linker.link(mentions, judgements=verdicts)
    assert all(j.verdict is ACCEPT for j in unkept(result, verdicts))
    assert all(link.decision is not LinkDecision.LINK for link in result.open_links())
    shuffled, others = list(mentions), list(verdicts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    random.shuffle(others)  # type: ignore[attr-defined]
    again = linker.link(shuffled, judgements=others)
    assert partition(again) == partition(result)
    assert set(again.open_links()) == set(result.open_links())
    new_id = {m.mention_id: relabelled(m).mention_id for m in mentions}
    elsewhere = [
        j if j.left_mention is None or j.right_mention is None
        else replace(j, left_mention=new_id[j.left_mention], right_mention=new_id[j.right_mention])
        for j in verdicts
    ]  # fmt: skip
    moved = linker.link([relabelled(m) for m in mentions], judgements=elsewhere)
    # Between two persons of other documents who fit equally well the order of ids decides: so persons may be
    # others, but there are as many, with as many mentions each.
    assert sorted(map(len, partition(moved))) == sorted(map(len, partition(result)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpus=CORPUS, told=JUDGED)
def test_one_accepted_pair_that_nothing_speaks_against_is_kept(
    linker: Linker, corpus: list[list[PersonName]], told: list[tuple[int, int, Verdict, bool, int]]
) -> None:
    write = Writer()
    mentions = [write(f"d{number}", name) for number, names in enumerate(corpus) for name in names]
    for verdict in judgements_about(mentions, told):
        if verdict.left_mention is not None:
            accepted = replace(verdict, verdict=ACCEPT)
            assert unkept(linker.link(mentions, judgements=[accepted]), [accepted]) == ()
