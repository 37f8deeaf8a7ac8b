"""Which of a value by pattern and a recognized mention counts where both stand."""

from itertools import pairwise
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from linkage.detection.recognized_values import with_recognized
from linkage.records import Detector, Document, DocumentId, Mention, Span, ValueMention
from linkage.texts import KindId

TEXT: Final = "abcdefghijklmnopqrstuvwxyz"
DOCUMENT: Final = Document(DocumentId("d"), TEXT)
SURE, UNSURE = 0.95, 0.85
KINDS: Final = ("CITY", "DATE", "BIRTH_DATE", "STREET", "ORGANIZATION", "SCHOOL", "EMAIL", "NUMBER")
Told = list[tuple[str, str]]


def seen(kind: str, start: int, end: int, confidence: float = 0.6) -> Mention:
    return Mention.at(
        DOCUMENT, Span(start, end), detector=Detector.NER, confidence=confidence, kind=KindId(kind)
    )


def value(kind: str, start: int, end: int, confidence: float = UNSURE) -> ValueMention:
    mention = Mention.at(
        DOCUMENT, Span(start, end), detector=Detector.PATTERN, confidence=confidence, kind=KindId(kind)
    )
    return ValueMention(mention, f"by pattern {mention.surface}")


def told(values: list[ValueMention], mentions: list[Mention]) -> Told:
    found = with_recognized(values, mentions, lambda kind, text: f"{kind} {text}")
    return [(str(one.kind), one.mention.surface) for one in found]


def test_what_no_pattern_finds_is_added_with_its_normal_form() -> None:
    (one,) = with_recognized([], [seen("CITY", 0, 3)], lambda kind, text: f"{kind} {text}")
    assert (one.kind, one.mention.surface, one.normal) == ("CITY", "abc", "CITY abc")
    assert told([value("DATE", 5, 7)], [seen("CITY", 0, 3)]) == [("CITY", "abc"), ("DATE", "fg")]


def test_of_two_of_like_kinds_the_pattern_counts() -> None:
    assert told([value("BIRTH_DATE", 0, 3)], [seen("DATE", 0, 5)]) == [("BIRTH_DATE", "abc")]
    assert told([value("ORGANIZATION", 0, 3)], [seen("SCHOOL", 0, 5)]) == [("ORGANIZATION", "abc")]


def test_a_mention_of_little_confidence_does_not_count() -> None:
    assert told([], [seen("CITY", 0, 3, confidence=0.1)]) == []


def test_a_sure_pattern_counts_against_a_mention_of_another_kind() -> None:
    assert told([value("STREET", 0, 3, SURE)], [seen("CITY", 0, 5)]) == [("STREET", "abc")]
    assert told([value("STREET", 0, 3, UNSURE)], [seen("CITY", 0, 5)]) == [("CITY", "abcde")]


def test_a_pattern_of_a_kind_that_the_network_does_not_know_counts() -> None:
    assert told([value("EMAIL", 0, 5, UNSURE)], [seen("CITY", 2, 8)]) == [("EMAIL", "abcde")]


def test_a_number_of_no_kind_gives_way() -> None:
    assert told([value("NUMBER", 0, 2, SURE)], [seen("AGE", 0, 5)]) == [("AGE", "abcde")]


spans = st.tuples(st.integers(0, 24), st.integers(1, 6)).map(lambda s: (s[0], min(26, s[0] + s[1])))


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), spans, st.sampled_from([SURE, UNSURE])), max_size=6),
    st.lists(st.tuples(st.sampled_from(("CITY", "DATE", "SCHOOL", "AGE")), spans), max_size=6),
)
def test_nothing_overlaps_and_no_place_of_a_sure_value_is_lost(
    drawn: list[tuple[str, tuple[int, int], float]], recognized: list[tuple[str, tuple[int, int]]]
) -> None:
    values, taken = [], 0
    for kind, (start, end), confidence in sorted(drawn, key=lambda one: one[1]):
        if start >= taken:
            values.append(value(kind, start, end, confidence))
            taken = end
    mentions, taken = [], 0
    for kind, (start, end) in sorted(recognized, key=lambda one: one[1]):
        if start >= taken:
            mentions.append(seen(kind, start, end))
            taken = end
    found = [one.mention.span for one in with_recognized(values, mentions, lambda kind, text: kind + text)]
    assert found == sorted(found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    covered = {place for span in found for place in range(span.start, span.end)}
    assert all(
        covered.issuperset(range(one.mention.span.start, one.mention.span.end))
        for one in values
        if one.mention.confidence == SURE and one.kind != "NUMBER"
    )
