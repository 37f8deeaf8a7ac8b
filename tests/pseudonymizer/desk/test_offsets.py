"""Places in texts: the units of UTF-16 that the caller counts are those of Python's codec."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from pseudonymizer.desk.offsets import Places


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.data())
def test_units_of_utf16_are_those_of_the_codec(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert Places.of(text, "codepoint").of_span(Span(start, end)) == (start, end)
    expected = tuple(len(text[:at].encode("utf-16-le")) // 2 for at in (start, end))
    assert Places.of(text, "utf16").of_span(Span(start, end)) == expected
