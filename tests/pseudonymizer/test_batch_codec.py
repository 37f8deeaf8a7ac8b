"""Records come back from the work file as they went in."""

import math

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import (
    CandidatePair,
    Correction,
    Detector,
    DocumentId,
    EntityId,
    FormLink,
    Gender,
    Identity,
    IdentityId,
    LinkageResult,
    LinkDecision,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
    Span,
    mention_id_at,
)
from pseudonymizer.batch.codec import (
    MentionDecoder,
    decode_result,
    encode_mentions,
    encode_result,
    from_bytes,
    to_bytes,
)

parts = st.none() | st.text(min_size=1, max_size=6)
ids = st.text("abc", min_size=1, max_size=4).map(MentionId)


@st.composite
def normalized_mentions(draw: st.DrawFn) -> NormalizedMention:
    surface = draw(st.text(min_size=1, max_size=12))
    start = draw(st.integers(0, 1000))
    span = Span(start, start + len(surface))
    doc_id = DocumentId(draw(st.text(max_size=5)))
    mention = Mention(
        mention_id_at(doc_id, span), doc_id, span, surface,
        detector=draw(st.sampled_from(Detector)), confidence=draw(st.sampled_from([0.0, 0.25, 1.0])),
        typo_of=draw(parts), person_id=draw(parts),
    )  # fmt: skip
    name = PersonName(*(draw(parts) for _ in PersonName.__dataclass_fields__))
    context = MentionContext(
        draw(st.integers(0, 9)),
        frozenset(draw(st.sets(ids, max_size=2))),
        frozenset(draw(st.sets(st.tuples(st.text(max_size=4), st.text(max_size=4)), max_size=2))),
        frozenset(draw(st.sets(ids, max_size=2))),
    )
    corrections = (Correction("given", "Jna", "Jan", 1),) if draw(st.booleans()) else ()
    return NormalizedMention(mention, name, corrections, draw(st.none() | st.sampled_from(Gender)), context)


@given(st.lists(normalized_mentions(), max_size=5))
def test_mentions_come_back(mentions: list[NormalizedMention]) -> None:
    assert MentionDecoder().decode(from_bytes(to_bytes(encode_mentions(mentions)))) == mentions


def mention(number: int) -> NormalizedMention:
    span = Span(number * 10, number * 10 + 3)
    doc = DocumentId("d1")
    return NormalizedMention(Mention(mention_id_at(doc, span), doc, span, "Jan"), PersonName(given="Jan"))


def test_a_result_comes_back() -> None:
    mentions = [mention(number) for number in range(3)]
    one, two, three = (m.mention_id for m in mentions)
    link = ScoredLink(CandidatePair(one, two), 0.9, LinkDecision.LINK, "diminutive", 0.8)
    open_link = ScoredLink(CandidatePair(two, three), 0.5, LinkDecision.POSSIBLE_LINK)
    result = LinkageResult(
        tuple(mentions),
        (
            Identity(IdentityId("p1"), frozenset({one, two}), (link,), (open_link,), (), EntityId("vault:3"),
                     (EntityId("vault:4"),)),
            Identity(IdentityId("p2"), frozenset({three}), (), (open_link,), (IdentityId("p1"),)),
        ),
        (FormLink("Jan", "Jantje", 0.7, LinkDecision.POSSIBLE_LINK, "diminutive", 1.0),),
    )  # fmt: skip
    identities, forms = (from_bytes(to_bytes(rows)) for rows in encode_result(result))
    again = decode_result(mentions, identities, forms)
    assert again.identities[0].links == result.identities[0].links
    assert math.isnan(again.identities[0].open_links[0].partial_ratio)
    assert [(i.mention_ids, i.candidates, i.entity_id, i.also_known_as) for i in again.identities] == [
        (i.mention_ids, i.candidates, i.entity_id, i.also_known_as) for i in result.identities
    ]
    assert again.form_links == result.form_links


def test_equal_names_become_one_object() -> None:
    rows = from_bytes(to_bytes(encode_mentions([mention(0), mention(1)])))
    first, second = MentionDecoder().decode(rows)
    assert first.name is second.name
    assert first.mention.surface is second.mention.surface
