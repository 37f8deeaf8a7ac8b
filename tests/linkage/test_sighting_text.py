"""Sightings as texts, in the very form that commit 8952b15 wrote. All names are invented."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import InvalidRecordError
from linkage.records import (
    DocumentId,
    EntityId,
    Gender,
    JudgedSide,
    KnownIdentity,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Role,
    RoleClass,
    Sighting,
    Span,
    UnclearSighting,
    mention_id_at,
)
from linkage.sighting_text import SightingReader, with_typed_fields
from linkage.sightings import mention_of, sighting_of
from linkage.told import Verdict
from tests.old_facts import place_of

TEXTS = st.text(st.characters(exclude_categories=()), min_size=1, max_size=8)
ROLES = st.builds(Role, st.sampled_from(RoleClass), TEXTS)
JUDGED = st.builds(JudgedSide, TEXTS, st.integers(0, 1), st.sampled_from(Verdict), TEXTS)
PLACES = st.frozensets(st.sampled_from(["000000001-000000004", "000000007-000000009"]), max_size=2)
TOLSMA = PersonName(initials="J.", particle="van", family="Tolsma")
# What linkage.sightings.sighting_of of commit 8952b15 made of the two sightings below.
OLD_PLAIN = '["J. van Tolsma",["","J.","van","Tolsma"],"d@e",4]'
OLD_FULL = (
    '["Jan \ud800",["Jan \ud800"],"d@e",20,"m","7",[["birth_date","1951-03-12"],["role","oom"]],'
    '["000000004-000000017"],["000000104-000000117"]]'
)
PLAIN = Sighting(DocumentId("d@e"), 4, "J. van Tolsma", TOLSMA)
FULL = Sighting(
    DocumentId("d@e"), 20, "Jan \ud800", PersonName(given="Jan \ud800"), Gender.MALE, "7",
    (("birth_date", "1951-03-12"), ("role", "oom")), (MentionId("d@e@000000004-000000017"),),
    (MentionId("d@e@000000104-000000117"),),
)  # fmt: skip


@st.composite
def mentions(draw: st.DrawFn) -> NormalizedMention:
    surface, start = draw(TEXTS), draw(st.integers(0, 10_000))
    span, document = Span(start, start + len(surface)), DocumentId(draw(TEXTS))
    person_id = draw(st.none() | TEXTS)
    mention = Mention(mention_id_at(document, span), document, span, surface, person_id=person_id)
    context = MentionContext(
        joined_with=frozenset(MentionId(f"{document}@{place}") for place in draw(PLACES)),
        attributes=draw(st.frozensets(st.tuples(TEXTS, TEXTS), max_size=3)),
        same_as=frozenset(MentionId(f"{document}@{place}") for place in draw(PLACES)),
        roles=draw(st.frozensets(ROLES, max_size=2)),
        marks=draw(st.frozensets(TEXTS, max_size=2)),
        judged=draw(st.frozensets(JUDGED, max_size=2)),
    )
    gender = draw(st.sampled_from([None, *Gender]))
    return NormalizedMention(mention, PersonName(family="Tolsma"), gender=gender, context=context)


@given(mentions())
def test_a_sighting_comes_back_from_its_place(mention: NormalizedMention) -> None:
    found = SightingReader().read(mention.mention.surface, mention.name, place_of(mention))
    assert found == sighting_of(mention)


@pytest.mark.parametrize(("value", "sighting"), [(OLD_PLAIN, PLAIN), (OLD_FULL, FULL)])
def test_sightings_of_the_old_form_are_read_and_their_places_written_as_ever(
    value: str, sighting: Sighting
) -> None:
    assert SightingReader().read_old(value) == sighting
    place = json.loads(value)[2:]
    assert json.loads(place_of(mention_of(sighting))) == place


@pytest.mark.parametrize(
    "value",
    [
        "", "{}", "[]", '["Jan"]', '["Jan",[],"d",-1]', "[1,2]", '["J",3,"d",0]', "[" * 100_000,
        '["Jan",["Jan"],"d",0,"x"]', '["",["Jan"],"d",0]', '["Jan\ud800",["Jan"],"d",-1]', '["Jan\ud800"',
        f'["Jan",{json.dumps(["Jan"] * 9)},"d",0]', '["Jan\ud800"' + ",[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_sighting_is_refused_without_being_shown(value: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        SightingReader().read_old(value)
    assert "Jan" not in str(caught.value)


@pytest.mark.parametrize("place", ["", "[]", '["d","Jan"]', '["d",-1]', '["d",0,"Jan"]'])
def test_what_is_no_place_is_refused_without_being_shown(place: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        SightingReader().read("Jan", PersonName(given="Jan"), place)
    assert "Jan" not in str(caught.value)


def test_equal_documents_and_attributes_become_one_object() -> None:
    reader = SightingReader()
    one, other = (reader.read("Jan", TOLSMA, f'["doc 1",{n},"","",[["role","oom"]]]') for n in (1, 9))
    assert one.doc_id is other.doc_id
    assert one.attributes is other.attributes


def test_attributes_of_an_earlier_version_go_into_fields() -> None:
    kept = {("birth_date", "1951-03-12")}
    old = {("sighting", OLD_PLAIN), ("unclear_sighting", f"e 1 {OLD_FULL}"), ("apart_from", "e3")}
    old_id = {("unclear_sighting", f"e1 {OLD_FULL}"), ("sighting", OLD_PLAIN), ("apart_from", "e3")}
    known = KnownIdentity(EntityId("e2"), (TOLSMA,), frozenset(kept | old_id), frozenset({EntityId("e4")}))
    assert with_typed_fields(known, SightingReader()) == KnownIdentity(
        EntityId("e2"), (TOLSMA,), frozenset(kept), frozenset({EntityId("e4")}), (PLAIN,),
        (UnclearSighting(EntityId("e1"), FULL),), frozenset({EntityId("e3")}),
    )  # fmt: skip
    typed = {("role", "professional:arts"), ("mark", "code:nk 25"), ("judged", '["0a",0,"reject",""]')}
    told = KnownIdentity(EntityId("e2"), (TOLSMA,), frozenset(kept | typed))
    assert with_typed_fields(told, SightingReader()) == KnownIdentity(
        EntityId("e2"), (TOLSMA,), frozenset(kept), roles=frozenset({Role(RoleClass.PROFESSIONAL, "arts")}),
        marks=frozenset({"code:nk 25"}),
    )  # fmt: skip
    new = KnownIdentity(EntityId("e2"), (TOLSMA,), frozenset(kept), sightings=(PLAIN,))
    assert with_typed_fields(new, SightingReader()) is new
    with pytest.raises(InvalidRecordError):
        with_typed_fields(KnownIdentity(EntityId("e"), (), frozenset(old)), SightingReader())
