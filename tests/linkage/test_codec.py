"""Records come back from their rows as they went in. All names are invented."""

import math
import pickle
from dataclasses import fields, is_dataclass
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.codec import (
    Codec,
    FormLinkRow,
    IdentityRow,
    LinkRow,
    MentionReader,
    MentionRow,
    NameRow,
)
from linkage.errors import InvalidRecordError
from linkage.known_rows import KnownReader, KnownRow
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
    JudgedSide,
    KnownIdentity,
    LinkDecision,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Role,
    RoleClass,
    ScoredLink,
    Sighting,
    Span,
    UnclearSighting,
    mention_id_at,
)
from linkage.told import Verdict

_T = TypeVar("_T")
NAMES, MENTIONS, KNOWN = Codec(NameRow), Codec(list[MentionRow]), Codec(list[KnownRow])
IDENTITIES, FORMS = Codec(list[IdentityRow]), Codec(list[FormLinkRow])

# Halves of surrogate pairs among them: a text may hold one.
texts = st.text(st.characters(exclude_categories=()), max_size=6)
some_text = st.text(st.characters(exclude_categories=()), min_size=1, max_size=6)
parts = st.none() | some_text
names = st.builds(PersonName, *[parts] * 8)
ids = st.text("ab\ud800", min_size=1, max_size=4)
mention_ids = st.frozensets(ids.map(MentionId), max_size=2)
entities = st.frozensets(ids.map(EntityId), max_size=2)
attributes = st.frozensets(st.tuples(texts, texts), max_size=2)
roles = st.frozensets(st.builds(Role, st.sampled_from(RoleClass), texts), max_size=2)
some_marks = st.frozensets(texts, max_size=2)
side = st.builds(JudgedSide, texts, st.integers(0, 1), st.sampled_from(Verdict), texts)
sides = st.frozensets(side, max_size=2)
genders = st.none() | st.sampled_from(Gender)
probabilities = st.floats(0, 1)
ratios = st.floats(0, 1) | st.just(math.nan)
decisions = st.sampled_from(LinkDecision)


@st.composite
def mentions(draw: st.DrawFn) -> NormalizedMention:
    surface = draw(some_text)
    start = draw(st.integers(0, 1000))
    span = Span(start, start + len(surface))
    doc_id = DocumentId(draw(texts))
    mention_id = draw(st.just(mention_id_at(doc_id, span)) | ids.map(MentionId))
    mention = Mention(
        mention_id, doc_id, span, surface,
        detector=draw(st.sampled_from(Detector)), confidence=draw(st.sampled_from([0.0, 0.123456, 1.0])),
        typo_of=draw(parts), person_id=draw(parts),
    )  # fmt: skip
    context = MentionContext(
        draw(st.integers(0, 9)), draw(mention_ids), draw(attributes), draw(mention_ids), draw(roles),
        draw(some_marks), draw(sides),
    )  # fmt: skip
    corrections = draw(st.lists(st.builds(Correction, texts, texts, texts, st.integers(0, 3)), max_size=2))
    return NormalizedMention(mention, draw(names), tuple(corrections), draw(genders), context)


def sorted_tuple(sets: st.SearchStrategy[frozenset[_T]]) -> st.SearchStrategy[tuple[_T, ...]]:
    return sets.map(lambda found: tuple(sorted(found)))  # type: ignore[type-var]


sightings = st.builds(
    Sighting, ids.map(DocumentId), st.integers(0, 99), some_text, names, genders, parts,
    attributes.map(lambda found: tuple(sorted(found))), sorted_tuple(mention_ids), sorted_tuple(mention_ids),
    sorted_tuple(roles), sorted_tuple(some_marks), sorted_tuple(sides),
)  # fmt: skip
known_people = st.builds(
    KnownIdentity, ids.map(EntityId), st.lists(names, max_size=3).map(tuple), attributes, entities,
    st.lists(sightings, max_size=3).map(tuple),
    st.lists(st.builds(UnclearSighting, ids.map(EntityId), sightings), max_size=2).map(tuple), entities,
    roles, some_marks,
)  # fmt: skip


@st.composite
def links(draw: st.DrawFn) -> ScoredLink:
    left, right = sorted(draw(st.sets(ids.map(MentionId), min_size=2, max_size=2)))
    pair = CandidatePair(left, right)
    return ScoredLink(pair, draw(probabilities), draw(decisions), draw(parts), draw(ratios))


identities = st.builds(
    Identity, ids.map(IdentityId), st.frozensets(ids.map(MentionId), min_size=1, max_size=3),
    st.lists(links(), max_size=2).map(tuple), st.lists(links(), max_size=2).map(tuple),
    st.lists(ids.map(IdentityId), max_size=2).map(tuple), st.none() | ids.map(EntityId),
    st.lists(ids.map(EntityId), max_size=2).map(tuple), st.lists(ids.map(EntityId), max_size=2).map(tuple),
)  # fmt: skip
form_links = st.builds(FormLink, texts, texts, probabilities, decisions, parts, ratios)


def plain(value: object) -> object:
    """A record as tuples, with a text for NaN, which is not equal to itself."""
    if isinstance(value, (tuple, list)):
        return tuple(map(plain, value))
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, each.name)) for each in fields(value))
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


@given(st.text("\ud83d\ude00\ufdd0a\U0001f600", max_size=6), st.text("\ud83d\ude00\ufdd0", max_size=4))
def test_two_halves_side_by_side_do_not_become_one_character(given_text: str, family: str) -> None:
    row = NameRow(given_text, family, nickname="\ud800")
    raw = NAMES.encode(row)
    assert raw[:1] == b"["
    assert NAMES.decode(raw) == row


@given(names)
def test_a_name_comes_back(name: PersonName) -> None:
    assert NAMES.decode(NAMES.encode(NameRow.of(name))).name() == name


@given(st.lists(mentions(), max_size=4))
def test_mentions_come_back(given_mentions: list[NormalizedMention]) -> None:
    rows = MENTIONS.decode(MENTIONS.encode([MentionRow.of(m) for m in given_mentions]))
    assert MentionReader().read(rows) == given_mentions
    assert [row.id() for row in rows] == [m.mention_id for m in given_mentions]


@given(st.lists(known_people, max_size=3))
def test_known_people_come_back(given_people: list[KnownIdentity]) -> None:
    rows = KNOWN.decode(KNOWN.encode([KnownRow.of(k) for k in given_people]))
    assert KnownReader().read(rows) == given_people


@given(st.lists(identities, max_size=3))
def test_identities_come_back(given_identities: list[Identity]) -> None:
    rows = IDENTITIES.decode(IDENTITIES.encode([IdentityRow.of(i) for i in given_identities]))
    assert plain([row.identity() for row in rows]) == plain(given_identities)


@given(st.lists(form_links, max_size=3))
def test_form_links_come_back(given_links: list[FormLink]) -> None:
    rows = FORMS.decode(FORMS.encode([FormLinkRow.of(link) for link in given_links]))
    assert plain([row.link() for row in rows]) == plain(given_links)


@given(st.lists(mentions(), max_size=3), st.lists(known_people, max_size=2))
def test_equal_records_have_equal_bytes(
    given_mentions: list[NormalizedMention], given_people: list[KnownIdentity]
) -> None:
    rows, people = [MentionRow.of(m) for m in given_mentions], [KnownRow.of(k) for k in given_people]
    again = [MentionRow.of(m) for m in MentionReader().read(rows)]  # sets in another order, maybe
    people_again = [KnownRow.of(k) for k in KnownReader().read(people)]
    assert MENTIONS.encode(again) == MENTIONS.encode(rows)
    assert KNOWN.encode(people_again) == KNOWN.encode(people)


def written(*surfaces: str) -> list[MentionRow]:
    doc = DocumentId("d1")
    spans = [Span(n * 10, n * 10 + len(surface)) for n, surface in enumerate(surfaces)]
    return [
        MentionRow.of(
            NormalizedMention(
                Mention(mention_id_at(doc, span), doc, span, surface), PersonName(given=surface)
            )
        )
        for span, surface in zip(spans, surfaces, strict=True)
    ]


def test_a_codec_can_be_sent_to_a_worker() -> None:
    again = pickle.loads(pickle.dumps(MENTIONS))  # noqa: S301  our own
    rows = written("Jan")
    assert again.decode(MENTIONS.encode(rows)) == rows


def test_equal_names_and_texts_become_one_object() -> None:
    reader = MentionReader()
    first, second = (reader.read(MENTIONS.decode(MENTIONS.encode(written("Jan"))))[0] for _ in range(2))
    assert first.name is second.name
    assert first.mention.surface is second.mention.surface
    assert first.mention.doc_id is second.mention.doc_id


def test_known_people_share_names_and_documents() -> None:
    name = PersonName(given="Jan")
    met = tuple(Sighting(DocumentId("doc 1"), start, "Jan", PersonName(given="Jan")) for start in (0, 9))
    row = KnownRow.of(KnownIdentity(EntityId("vault:1"), (name,), sightings=met))
    assert len(row.names) == 1
    (known,) = KnownReader().read(KNOWN.decode(KNOWN.encode([row])))
    one, other = known.sightings
    assert one.name is other.name is known.names[0]
    assert one.doc_id is other.doc_id


def test_rows_are_short() -> None:
    assert len(MENTIONS.encode(written("Jan", "Els", "Piet"))) < 3 * 60


@pytest.mark.parametrize(
    "raw",
    [b"", b"[", b"{", b"\x01", b'["Jan"]', b"[[1,2]]", b"\xc1", b"\x91\x91\xa3Jan", b"[" * 100_000],
)
def test_what_is_no_row_is_refused_without_being_shown(raw: bytes) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        MENTIONS.decode(raw)
    assert "Jan" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_sighting_without_its_name_is_refused() -> None:
    known = KnownIdentity(
        EntityId("e"), (), sightings=(Sighting(DocumentId("d"), 0, "Jan", PersonName(given="Jan")),)
    )
    row = KnownRow.of(known)
    torn = KnownRow(row.entity_id, (), 0, sightings=row.sightings)
    with pytest.raises(InvalidRecordError):
        KnownReader().read([torn])


def test_reprs_show_no_name() -> None:
    (row,) = written("Jan")
    link = LinkRow(MentionId("a"), MentionId("b"), 0.5, LinkDecision.LINK, None, math.nan)
    assert "Jan" not in repr([row, row.name, link])
