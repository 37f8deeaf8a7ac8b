"""Rewriting keeps all other text, refuses overlap, and is undone character for character."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Document, DocumentId, Span
from pseudonymizer.errors import OverlappingReplacementsError, RewrittenTextChangedError
from pseudonymizer.rewriting import edits_of, labels_in, rewrite, undo

LOOK = re.compile(r"P1-[0-9A-Z]{4}(?![0-9A-Z])")


def document(text: str) -> Document:
    return Document(DocumentId("d1"), text)


def test_labels_go_in_by_offset_not_by_search() -> None:
    rewritten = rewrite(document("Jan en Jansen en Jan"), {Span(17, 20): "P2", Span(0, 3): "P1"})
    assert rewritten.text == "P1 en Jansen en P2"
    assert [(r.span, r.label) for r in rewritten.replacements] == [(Span(0, 2), "P1"), (Span(16, 18), "P2")]


@pytest.mark.parametrize("spans", [[Span(0, 5), Span(4, 8)], [Span(0, 5), Span(1, 2)], [Span(18, 21)]])
def test_overlap_and_spans_beyond_the_text_are_refused(spans: list[Span]) -> None:
    with pytest.raises(OverlappingReplacementsError) as caught:
        rewrite(document("Jan en Jansen en Jan"), dict.fromkeys(spans, "P1"))
    assert "Jansen" not in str(caught.value)


def test_an_empty_label_is_refused() -> None:
    with pytest.raises(OverlappingReplacementsError):
        rewrite(document("Jan"), {Span(0, 3): ""})


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, dict[Span, str]]:
    text = draw(st.text(max_size=60))
    bounds = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=False) if a < b]
    return text, {span: draw(st.text(min_size=1, max_size=6)) for span in spans}


@given(texts_with_spans())
def test_all_other_text_stays_and_undo_gives_the_text_again(case: tuple[str, dict[Span, str]]) -> None:
    text, labels = case
    rewritten = rewrite(document(text), labels)
    assert all(r.span.cut(rewritten.text) == r.label for r in rewritten.replacements)

    def rest(whole: str, spans: list[Span]) -> list[str]:
        ends = [0, *(span.end for span in spans)]
        starts = [*(span.start for span in spans), len(whole)]
        return [whole[a:b] for a, b in zip(ends, starts, strict=True)]

    assert rest(text, sorted(labels)) == rest(rewritten.text, [r.span for r in rewritten.replacements])
    assert undo(rewritten.text, edits_of(document(text), labels, rewritten)) == text


def test_undo_refuses_a_text_that_was_edited() -> None:
    labels = {Span(0, 3): "P1-AAAA"}
    rewritten = rewrite(document("Jan kwam"), labels)
    edits = edits_of(document("Jan kwam"), labels, rewritten)
    with pytest.raises(RewrittenTextChangedError) as caught:
        undo("x" + rewritten.text, edits)
    assert "Jan" not in str(caught.value)
    assert "Jan" not in repr(edits)


def test_look_alikes_outside_mentions_are_found() -> None:
    text = "P1-AAAA sprak met P1-BBBB en P1-CCCC"
    assert labels_in(text, LOOK) == (Span(0, 7), Span(18, 25), Span(29, 36))
