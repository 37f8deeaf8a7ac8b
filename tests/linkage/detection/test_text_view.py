"""The readable view and its way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection.text_view import TextView
from linkage.errors import InvalidRecordError
from linkage.language import Language
from linkage.records import Span

_ODD_TEXT = st.text(alphabet="aB -\n\r>\u00ad\u200b\u00a0\ufb01\u0132\u2011e\u0308", max_size=40)

_DUTCH = Language.load("nl")


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("Jan\u00adsen en Ka\u200brel", "Jansen en Karel"),
        ("van Ouden-\r\nhoven", "van Oudenhoven"),
        ("Anne-\nMarie", "Anne-Marie"),
        ("Jansen-\nde Boer", "Jansen-de Boer"),
        ("> Jan\r\n> Visser\n>> zei", "> Jan\nVisser\nzei"),
        ("Soﬁa Ho\ufb00mann", "Sofia Hoffmann"),
        ("\u0132sbrand", "IJsbrand"),
        ("van\u00a0Dijk\u2011Bos", "van Dijk-Bos"),
        ("Zoe\u0308", "Zoë"),
        ("\uff2aan", "Jan"),
        ("gewone tekst - met streep", "gewone tekst - met streep"),
        ("", ""),
    ],
)
def test_what_hinders_reading_is_taken_out(text: str, readable: str) -> None:
    assert TextView.of(text, _DUTCH).text == readable


def test_a_span_of_the_view_covers_what_was_taken_out_inside_it() -> None:
    text = "Groeten, \u200c Ka\u00adrel Veld-\r\nhof."
    view = TextView.of(text, _DUTCH)
    start = view.text.index("Karel")
    span = view.span(start, start + len("Karel Veldhof"))
    assert span.cut(text) == "Ka\u00adrel Veld-\r\nhof"


def test_a_plain_text_is_its_own_view() -> None:
    view = TextView.of("Sanne de Boer belde.", _DUTCH)
    assert view.is_identity
    assert view.span(0, 13) == Span(0, 13)
    assert view.locate(Span(0, 13)) == (0, 13)
    with pytest.raises(InvalidRecordError):
        view.span(3, 3)


def test_the_repr_shows_no_text() -> None:
    assert "Sanne" not in repr(TextView.of("Sanne\u200b de Boer", _DUTCH))


@given(_ODD_TEXT)
def test_every_character_of_the_view_has_its_place_in_the_text(text: str) -> None:
    view = TextView.of(text, _DUTCH)
    read_to = 0
    for position in range(len(view.text)):
        span = view.span(position, position + 1)
        assert span.end <= len(text)
        assert span.start >= read_to - (span.end - span.start)  # a ligature's letters share one place
        read_to = max(read_to, span.end)
        if view.text[position].isascii() and view.text[position].isalpha() and len(span) == 1:
            assert view.text[position] in span.cut(text) or span.cut(text) in "\ufb01\u0132"


@given(_ODD_TEXT, st.data())
def test_a_span_of_the_text_is_found_again_in_the_view(text: str, data: st.DataObject) -> None:
    view = TextView.of(text, _DUTCH)
    if not view.text:
        return
    start = data.draw(st.integers(0, len(view.text) - 1))
    end = data.draw(st.integers(start + 1, len(view.text)))
    there = view.span(start, end)
    left, right = view.locate(there)
    assert left <= start
    assert end <= right
    assert view.span(left, right) == there


@given(_ODD_TEXT)
def test_reading_again_changes_nothing_but_letters_that_came_together(text: str) -> None:
    once = TextView.of(text, _DUTCH).text
    assert "\r" not in once
    assert "\u00ad" not in once
    assert "\u200b" not in once
