"""Places in documents: half-open ranges that count code points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage import records, texts
from linkage.errors import InvalidRecordError
from linkage.texts import Document, DocumentId, Span

SPANS = st.tuples(st.integers(0, 20), st.integers(1, 20)).map(lambda s: Span(s[0], s[0] + s[1]))


@given(SPANS, SPANS)
def test_spans_overlap_where_they_share_a_character(left: Span, right: Span) -> None:
    shared = set(range(left.start, left.end)) & set(range(right.start, right.end))
    assert left.overlaps(right) is right.overlaps(left) is bool(shared)
    assert left.contains(right) == (len(shared) == len(right))


@given(st.text(min_size=1, max_size=20), st.data())
def test_a_span_cuts_out_as_many_code_points_as_it_has(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    assert len(span.cut(text)) == len(span)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 3)])
def test_a_span_covers_something(start: int, end: int) -> None:
    with pytest.raises(InvalidRecordError):
        Span(start, end)


def test_a_document_does_not_show_its_text() -> None:
    assert "Qarstra" not in repr(Document(DocumentId("d1"), "Fenna Qarstra"))


@pytest.mark.parametrize("name", ["Document", "DocumentId", "RecognizedSpan", "RecognizedText", "Span"])
def test_the_records_module_hands_them_on(name: str) -> None:
    assert getattr(records, name) is getattr(texts, name)
