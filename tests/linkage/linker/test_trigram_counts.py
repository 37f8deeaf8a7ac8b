"""Trigrams are counted over distinct parts, one by one and many at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.blocking import gram_keys
from linkage.linker import trigram_counts
from linkage.linker.trigram_counts import TrigramCounts

PARTS = st.lists(st.one_of(st.sampled_from(["jan", "jansen", "anana", "van den", "é", ""]), st.text("abc ")))


@pytest.fixture(autouse=True, params=[1, 4, 1_000])
def most_fresh(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trigram_counts, "_MOST_FRESH", request.param)


@given(PARTS, PARTS, st.sets(st.sampled_from(["jan", "wim", "anan"])))
def test_trigrams_are_counted_over_distinct_parts(
    parts: list[str], later: list[str], at_hand: set[str]
) -> None:
    counts = TrigramCounts()
    seen: set[str] = set(at_hand)
    for some in (parts, later):
        for part in some:
            counts.add(part)
        seen.update(some)
        for gram, size in counts.with_parts(at_hand).items():
            assert size == sum(gram in gram_keys(part) for part in seen)
