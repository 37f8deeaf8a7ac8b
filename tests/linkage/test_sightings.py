"""What is kept of where known people were met, and what a later run makes of it. All names are invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import (
    DocumentId,
    EntityId,
    Gender,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Sighting,
    Span,
    UnclearSighting,
    mention_id_at,
)
from linkage.review import Verdict
from linkage.settings import LinkingSettings
from linkage.sightings import (
    EarlierMentions,
    known_people,
    mention_of,
    sighting_of,
)
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

TEXTS = st.text(min_size=1, max_size=12)
PARTS = st.one_of(st.none(), TEXTS)
NAMES = st.builds(PersonName, PARTS, PARTS, PARTS, PARTS, PARTS, PARTS, PARTS, PARTS)
PLACES = st.frozensets(st.sampled_from(["d@000000001-000000004", "other id"]).map(MentionId))


@st.composite
def mentions(draw: st.DrawFn) -> NormalizedMention:
    surface, start = draw(TEXTS), draw(st.integers(0, 10_000))
    span, document = Span(start, start + len(surface)), DocumentId(draw(st.sampled_from(["d", "d@e", "é"])))
    mention = Mention(
        mention_id_at(document, span), document, span, surface, person_id=draw(st.one_of(st.none(), TEXTS))
    )
    context = MentionContext(
        joined_with=frozenset(MentionId(f"{document}@{place}") for place in draw(PLACES)),
        attributes=draw(st.frozensets(st.tuples(TEXTS, TEXTS), max_size=3)),
        same_as=frozenset(MentionId(f"{document}@{place}") for place in draw(PLACES)),
    )
    gender = draw(st.sampled_from([None, *Gender]))
    return NormalizedMention(mention, draw(NAMES), gender=gender, context=context)


@given(mentions())
def test_a_sighting_holds_all_that_linking_looks_at(mention: NormalizedMention) -> None:
    back = mention_of(sighting_of(mention))
    assert (back.mention_id, back.mention.doc_id, back.mention.span, back.mention.surface) == (
        mention.mention_id,
        mention.mention.doc_id,
        mention.mention.span,
        mention.mention.surface,
    )
    assert back.mention.person_id == mention.mention.person_id
    assert (back.name, back.gender, back.context) == (mention.name, mention.gender, mention.context)


def test_a_sighting_that_stands_nowhere_is_refused_without_being_shown() -> None:
    for sighting in (Sighting(DocumentId("d"), -1, "Jan", LONE), Sighting(DocumentId("d"), 4, "", LONE)):
        with pytest.raises(InvalidRecordError) as caught:
            mention_of(sighting)
        assert "Jan" not in str(caught.value)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


PIET, P, LONE = (
    PersonName(given="Piet", family="Woudstra"),
    PersonName(initials="P.", family="Woudstra"),
    PersonName(given="Piet"),
)


def test_whom_a_later_document_unites_are_also_known_as_each_other(linker: Linker) -> None:
    write = Writer()
    first = linker.link(
        [write("a", PersonName(given="Robert", family="Zandwijk")), write("b", PersonName(given="Bert"))]
    )
    assert len(first.identities) == 2
    known = known_people(first, {i.identity_id: EntityId(f"e{i.identity_id}") for i in first.identities})
    # The new document has both, and says that they are one.
    full = write("c", PersonName(given="Robert", family="Zandwijk"))
    called = write("c", PersonName(given="Bert"), same_as=frozenset((full.mention_id,)))
    result = linker.link([full, called], known=known)
    (identity,) = result.identities
    assert identity.entity_id is not None
    assert {identity.entity_id, *identity.also_known_as} <= {k.entity_id for k in known}


def test_links_and_mentions_are_those_of_the_run(linker: Linker) -> None:
    write = Writer()
    earlier = linker.link(
        [write("a", PIET), write("a", P), write("b", PersonName(given="Pieter", family="Woudstra"))]
    )
    known = known_people(earlier)
    run = [write("c", PIET), write("c", LONE)]
    result = linker.link(run, known=known)
    assert set(result.mentions) == set(run)
    ids = {m.mention_id for m in run}
    ends = {
        end for i in result.identities for link in (*i.links, *i.open_links)
        for end in (link.pair.left, link.pair.right)
    }  # fmt: skip
    assert ends <= ids
    assert {i.entity_id for i in result.identities} <= {k.entity_id for k in known}


def test_names_without_a_sighting_stay_known(linker: Linker, caplog: pytest.LogCaptureFixture) -> None:
    write = Writer()
    earlier = known_people(linker.link([write("a", PIET)]), {IdentityId("p000001"): EntityId("e1")})
    more = KnownIdentity(EntityId("e2"), (PersonName(given="Fenna", family="Zandvliet"),))
    found = EarlierMentions.of([*earlier, more], [])
    assert found.known == (more,)
    assert [m.mention.doc_id for m in found.mentions] == ["a"]
    assert not caplog.messages
    assert EarlierMentions.of([*earlier, more], [], most=0) == EarlierMentions((), {}, (*earlier, more))
    assert caplog.messages == [
        "1 mentions of earlier runs are known, more than 0: their people are known by names alone"
    ]
    result = linker.link([write("c", more.names[0]), write("c", PIET)], known=[*earlier, more])
    assert {i.entity_id for i in result.identities} == {"e1", "e2"}


def test_a_document_of_the_run_takes_the_place_of_what_was_kept_of_it(linker: Linker) -> None:
    write = Writer()
    first = write("a", PIET)
    known = known_people(linker.link([first]), {IdentityId("p000001"): EntityId("e1")})
    assert [i.entity_id for i in linker.link([first], known=known).identities] == ["e1"]
    changed = Writer()("a", PersonName(given="Fenna", family="Zandvliet"))
    assert [i.entity_id for i in linker.link([changed], known=known).identities] == [None]


def test_whose_mentions_fall_apart_stays_where_most_of_them_are() -> None:
    write = Writer()
    kept = [write("a", PIET), write("b", PIET), write("c", LONE)]
    before = LinkageResult(
        tuple(kept),
        (Identity(IdentityId("p1"), frozenset(m.mention_id for m in kept), entity_id=EntityId("e")),),
    )
    run = [write("d", PIET), write("e", LONE)]
    earlier = EarlierMentions.of(known_people(before), run)
    together = LinkageResult(
        (*run, *kept),
        (
            Identity(IdentityId("p1"), frozenset(m.mention_id for m in (run[0], *kept[:2]))),
            Identity(IdentityId("p2"), frozenset(m.mention_id for m in (run[1], kept[2]))),
        ),
    )
    found = earlier.without(together)
    assert {(tuple(i.mention_ids), i.entity_id) for i in found.identities} == {
        ((run[0].mention_id,), "e"),
        ((run[1].mention_id,), None),
    }


def test_what_an_ambiguous_mention_was_given_becomes_another_id_of_whom_it_means(linker: Linker) -> None:
    write = Writer()
    full, unclear = write("a", PIET), write("b", PIET)
    known = KnownIdentity(
        EntityId("e2"),
        (PIET,),
        sightings=(sighting_of(full),),
        unclear=(UnclearSighting(EntityId("e1"), sighting_of(unclear)),),
    )
    (identity,) = linker.link([write("c", PIET)], known=[known]).identities
    assert (identity.entity_id, identity.also_known_as) == ("e2", ("e1",))


def test_known_people_whom_a_name_may_mean_are_told_though_the_run_does_not_name_them(linker: Linker) -> None:
    write = Writer()
    earlier = linker.link(
        [write("a", PersonName(given=given, family="Brandsma")) for given in ("Sjoukje", "Sietse")]
    )
    known = known_people(earlier)
    (identity,) = linker.link(
        [write("b", PersonName(initials="S.", family="Brandsma"))], known=known
    ).identities
    assert identity.entity_id is None
    assert identity.may_be == tuple(sorted(k.entity_id for k in known))


def test_people_who_were_kept_by_an_earlier_version_are_met_again(linker: Linker) -> None:
    known = KnownIdentity(
        EntityId("e2"),
        (PIET,),
        frozenset(
            {
                ("sighting", '["Piet Woudstra",["Piet","","","Woudstra"],"a",0]'),
                ("unclear_sighting", 'e1 ["Piet Woudstra",["Piet","","","Woudstra"],"b",0]'),
                ("apart_from", "e3"),
            }
        ),
    )
    (identity,) = linker.link([Writer()("c", PIET)], known=[known]).identities
    assert (identity.entity_id, identity.also_known_as) == ("e2", ("e1",))
    found = EarlierMentions.of([known], [])
    assert sorted(m.mention.doc_id for m in found.mentions) == ["a", "b"]
    assert found.known == (), "every name of the person has a sighting"


def test_people_judged_apart_are_held_apart_by_their_sightings() -> None:
    one, other = (
        KnownIdentity(
            EntityId(own), (PIET,), sightings=(Sighting(DocumentId(doc), 0, "Piet Woudstra", PIET),),
            apart=frozenset({EntityId(apart)}),
        )
        for own, doc, apart in (("e1", "a", "e2"), ("e2", "b", "e1"))
    )  # fmt: skip
    found = EarlierMentions.of([one, other], [])
    assert {(j.left_mention, j.right_mention, j.verdict) for j in found.rejections} == {
        ("a@000000000-000000013", "b@000000000-000000013", Verdict.REJECT),
        ("b@000000000-000000013", "a@000000000-000000013", Verdict.REJECT),
    }


def test_the_order_of_known_people_and_of_their_sightings_does_not_matter() -> None:
    sightings = [Sighting(DocumentId(d), 0, "Piet Woudstra", PIET) for d in ("a", "b", "b")]
    people = [
        KnownIdentity(EntityId(own), (PIET,), sightings=tuple(some))
        for own, some in (("e1", sightings), ("e2", sightings[1:]))
    ]
    turned = [KnownIdentity(k.entity_id, k.names, sightings=k.sightings[::-1]) for k in reversed(people)]
    assert EarlierMentions.of(people, []) == EarlierMentions.of(turned, [])
