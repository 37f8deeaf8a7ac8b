"""Edited text without the signs that editors and models put into it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.styles.readable_text import ReadableText


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("PER\u00adSOON\u20117K\u200bQM3", "PERSOON-7KQM3"),
        (r"\<PERSOON\-3\> en a\_b", "<PERSOON-3> en a_b"),
        ("&lt;PERSOON&#8209;3&gt; &amp;lt;X-1&amp;gt;", "<PERSOON-3> <X-1>"),
        (r"\u003cPERSOON\u20113\u003e", "<PERSOON-3>"),
        ("%3CPERSOON%2D3%3E", "<PERSOON-3>"),
        ("a \r\n> > b\n  c", "a\nb\nc"),
        (r"a\nb", "a\nb"),
        ("&euro; &#65; gewoon \\x", "&euro; &#65; gewoon \\x"),
        ("", ""),
    ],
)
def test_signs_are_taken_for_what_they_mean(text: str, reads: str) -> None:
    assert ReadableText.of(text).text == reads


signs = st.sampled_from(
    ["a", "B", "7", "-", "\u00ad", "\u2011", "\\-", "&lt;", "\n", " \r\n> ", "\\u2011", " "]
)


@given(st.lists(signs, max_size=30).map("".join))
def test_each_character_stands_where_it_came_from(text: str) -> None:
    view = ReadableText.of(text)
    places = [view.span(at, at + 1) for at in range(len(view.text))]
    assert all(left.end <= right.start for left, right in pairwise(places))
    for at, place in enumerate(places):
        if view.text[at].isalnum():
            assert place.cut(text) == view.text[at]
