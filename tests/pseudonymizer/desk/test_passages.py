"""Bounds a word further or shorter, and the words around a mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from pseudonymizer.desk.passages import around, narrower, wider

TEXT = "Gisteren kwam mr. Jan-Willem de Vries, d\u2019Ancona\r\nen \U0001f44d Els."


def span_of(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words))


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("Vries", "start", "de Vries"),
        ("de Vries", "start", "Jan-Willem de Vries"),
        ("Jan-Willem de Vries", "start", "mr. Jan-Willem de Vries"),
        ("Vrie", "end", "Vries"),
        ("Vries", "end", "Vries, d\u2019Ancona"),
        ("Willem", "start", "Jan-Willem"),
        ("en \U0001f44d", "end", "en \U0001f44d Els"),
    ],
)
def test_a_word_more(before: str, side: str, after: str) -> None:
    found = wider(TEXT, span_of(before), side)  # type: ignore[arg-type]
    assert found is not None
    assert found.cut(TEXT) == after


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("mr. Jan-Willem de Vries", "start", "Jan-Willem de Vries"),
        ("mr. Jan-Willem de Vries", "end", "mr. Jan-Willem de"),
        ("de Vries, d\u2019Ancona", "end", "de Vries"),
        ("en \U0001f44d Els", "start", "Els"),
    ],
)
def test_a_word_less(before: str, side: str, after: str) -> None:
    found = narrower(TEXT, span_of(before), side)  # type: ignore[arg-type]
    assert found is not None
    assert found.cut(TEXT) == after


def test_where_there_is_no_further_word() -> None:
    assert wider(TEXT, span_of("Gisteren"), "start") is None
    assert wider(TEXT, span_of("Els."), "end") is None
    assert narrower(TEXT, span_of("Jan-Willem"), "end") is None


def test_what_stands_around_is_cut_between_words() -> None:
    assert around(TEXT, span_of("Jan-Willem"), 10) == ("kwam mr. ", " de")
    assert around(TEXT, span_of("Gisteren"), 8) == ("", " kwam")
    assert around("aaaa", Span(1, 2), 1) == ("a", "a")


@given(text=st.text(alphabet="ab. -\n\U0001f44d", max_size=30), data=st.data())
def test_bounds_stay_in_the_text_and_move_one_way(text: str, data: st.DataObject) -> None:
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    for side in ("start", "end"):
        larger, smaller = wider(text, span, side), narrower(text, span, side)
        if larger is not None:
            assert larger != span
            assert larger.contains(span)
            assert larger.end <= len(text)
        if smaller is not None:
            assert smaller != span
            assert span.contains(smaller)
            assert smaller.start < smaller.end
