"""What the passes hand to each other comes back from its rows, whatever text it holds."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.codec import MentionReader
from linkage.kinds import LITERAL
from linkage.records import (
    Detector,
    DocumentId,
    EntityId,
    KindId,
    Mention,
    MentionId,
    PersonName,
    Span,
    ValueMention,
    mention_id_at,
)
from pseudonymizer.engine.records import Label, LabelledPerson, PartFound, SourceFound
from pseudonymizer.runs.codec import (
    ANALYSIS,
    LABELS,
    PERSON,
    Analysis,
    FoundRow,
    PersonRow,
    SourceLabels,
)
from tests.linkage.test_codec import mentions, names, parts, texts

digests = st.binary(max_size=32)
spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 99), st.integers(1, 9))
kinds = st.sampled_from((LITERAL, KindId("EMAIL"), KindId("BANK_ACCOUNT")))


def _value(span: Span, letter: str, normal: str, kind: KindId) -> ValueMention:
    text = letter * len(span)
    doc_id = DocumentId("d")
    place = Mention(mention_id_at(doc_id, span, kind), doc_id, span, text, kind, Detector.PATTERN)
    return ValueMention(place, normal)


values = st.builds(_value, spans, st.characters(exclude_categories=["Cs"]), texts, kinds)
found_parts = st.builds(
    lambda part_id, key, some, valued, code: PartFound(
        part_id, key, 9, tuple(some), tuple(valued), language=code
    ),
    texts, parts, st.lists(mentions(), max_size=2), st.lists(values, max_size=2), st.sampled_from(("", "de")),
)  # fmt: skip
sources = st.builds(
    lambda doc_id, digest, some, professionals: SourceFound(
        DocumentId(doc_id), digest, 9, "plain", tuple(some), {}, {}, 0.5, tuple(professionals)
    ),
    texts, digests, st.lists(found_parts, max_size=2), st.lists(texts.map(MentionId), max_size=2),
)  # fmt: skip
entity_ids = texts.map(EntityId)
labels = st.builds(Label, texts, spans, parts, st.none() | entity_ids, parts)
people = st.builds(
    LabelledPerson, entity_ids, texts, st.lists(names, max_size=3).map(tuple),
    st.dictionaries(texts, texts, max_size=2),
)  # fmt: skip


@given(sources)
def test_what_was_found_comes_back(found: SourceFound) -> None:
    row = FoundRow.of(found)
    back = ANALYSIS.decode(row.analysis)
    assert (row.doc_id, row.counts.mentions) == (found.doc_id, sum(len(p.mentions) for p in found.parts))
    assert back == Analysis.of(found)
    assert (back.digest, back.professionals) == (found.digest, found.professionals)
    for part, given_part in zip(back.parts, found.parts, strict=True):
        assert (part.part_id, part.key) == (given_part.part_id, given_part.key)
        assert tuple(MentionReader().read(part.mentions)) == given_part.mentions
        assert part.places == given_part.places


@given(digests, st.lists(labels, max_size=3))
def test_labels_come_back(digest: bytes, given_labels: list[Label]) -> None:
    back = LABELS.decode(LABELS.encode(SourceLabels.of(digest, given_labels)))
    assert (back.digest, back.as_labels()) == (digest, tuple(given_labels))


@given(digests)
def test_an_output_that_stays_is_told_from_a_file_without_labels(digest: bytes) -> None:
    for stored in (SourceLabels(digest, None), SourceLabels(digest, ())):
        assert LABELS.decode(LABELS.encode(stored)) == stored


@given(people)
def test_people_come_back(person: LabelledPerson) -> None:
    assert PERSON.decode(PERSON.encode(PersonRow.of(person))).person(person.entity_id) == person


def test_reprs_show_no_name() -> None:
    person = LabelledPerson(EntityId("vault:1"), "P1-X", (PersonName(family="Terpstra"),), {})
    label = Label("", Span(0, 3), "P1-X", EntityId("vault:1"), "Els Terpstra")
    assert "Terpstra" not in repr([PersonRow.of(person), SourceLabels.of(b"", [label])])
