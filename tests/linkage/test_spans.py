from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from linkage.spans import SpanCover, SpanIndex

spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 40), st.integers(1, 12))


@given(st.lists(spans), spans)
def test_a_cover_is_hit_when_one_of_its_spans_is(several: list[Span], one: Span) -> None:
    assert SpanCover(several).overlaps(one) == any(one.overlaps(other) for other in several)


def test_spans_that_only_touch_do_not_overlap() -> None:
    cover = SpanCover([Span(0, 3), Span(5, 8)])
    assert not cover.overlaps(Span(3, 5))
    assert cover.overlaps(Span(4, 6))


@given(st.lists(spans), spans)
def test_an_index_finds_all_that_overlap_and_nothing_else(several: list[Span], one: Span) -> None:
    wanted = [number for number, other in enumerate(several) if other.overlaps(one)]
    assert sorted(SpanIndex(several).overlapping(one)) == wanted
