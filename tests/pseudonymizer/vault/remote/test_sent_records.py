"""Records of linkage arrive over the socket as they were sent. All names are invented."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.codec import MentionRow
from linkage.known_rows import KnownRow
from linkage.records import (
    DocumentId,
    EntityId,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
    PersonName,
    Sighting,
)
from pseudonymizer.errors import ServiceError
from pseudonymizer.records import Known, Linked
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.messages import Link, LinkedPeople
from pseudonymizer.vault.remote.sent_records import SentKnown, SentResult
from tests.fakes import linkage_result
from tests.linkage.test_codec import known_people, mentions

RESULT = linkage_result({"d": "Jan Tolsma en Els Mol"}, [[("d", "Jan Tolsma")], [("d", "Els Mol")]])
KNOWN = KnownIdentity(
    EntityId("vault:1"), (PersonName(given="Jan"),),
    sightings=(Sighting(DocumentId("d"), 0, "J.", PersonName(initials="J.")),),
)  # fmt: skip


def sendable(value: object) -> bool:
    """Whether the socket takes it: text with half of a surrogate pair is refused there."""
    try:
        wire.encode(value)
    except ServiceError:
        return False
    return True


@given(st.lists(known_people, max_size=3), st.integers(0, 9), st.binary(max_size=4))
def test_known_people_arrive(people: list[KnownIdentity], seen_through: int, revision: bytes) -> None:
    sent = SentKnown.of(Known(tuple(people), seen_through, revision))
    if sendable(sent):
        arrived = wire.decode(wire.encode(sent), SentKnown).known()
        assert arrived == Known(tuple(people), seen_through, revision)


@given(st.lists(mentions(), max_size=3, unique_by=lambda m: m.mention_id))
def test_a_result_arrives(given_mentions: list[NormalizedMention]) -> None:
    identities = [
        Identity(IdentityId(f"p{n}"), frozenset({m.mention_id})) for n, m in enumerate(given_mentions)
    ]
    result = LinkageResult(tuple(given_mentions), tuple(identities))
    if sendable(sent := SentResult.of(result)):
        assert wire.decode(wire.encode(sent), SentResult).result() == result
    if sendable(people := LinkedPeople.of(Linked(result, 7))):
        assert wire.decode(wire.encode(people), LinkedPeople).linked(given_mentions) == Linked(result, 7)


def test_what_is_linked_arrives() -> None:
    asked = Link(
        project="p", mentions=tuple(map(MentionRow.of, RESULT.mentions)), registered=(KnownRow.of(KNOWN),)
    )
    assert wire.decode(wire.encode(asked), Link).told() == (list(RESULT.mentions), [KNOWN])


def test_pairs_of_forms_stay_where_they_are() -> None:
    assert not hasattr(SentResult.of(RESULT), "form_links")
    assert SentResult.of(RESULT).result().form_links == ()


def torn_known() -> Known:
    (row,) = SentKnown.of(Known((KNOWN,))).people
    return SentKnown(people=(KnownRow(row.entity_id, (), 0, sightings=row.sightings),), seen_through=0,
                     revision=b"").known()  # fmt: skip


def torn_result() -> LinkageResult:
    sent = SentResult.of(RESULT)
    return SentResult(mentions=sent.mentions, identities=sent.identities[:1]).result()


def torn_people() -> Linked:
    return LinkedPeople.of(Linked(RESULT)).linked(RESULT.mentions[:1])


def torn_mentions() -> object:
    row = MentionRow.of(RESULT.mentions[0])
    short = MentionRow(row.doc_id, 5, 2, row.surface, row.name, row.detector, row.confidence)
    return Link(project="p", mentions=(short,)).told()


@pytest.mark.parametrize("read", [torn_known, torn_result, torn_people, torn_mentions])
def test_records_that_do_not_fit_are_refused_without_being_shown(read: Callable[[], object]) -> None:
    with pytest.raises(ServiceError, match="do not fit") as caught:
        read()
    assert "Jan" not in str(caught.value)
