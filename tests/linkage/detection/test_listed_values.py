"""Texts of a list, found again by whole words."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection.listed_values import ListedTexts


def _found(texts: list[str], text: str) -> list[str]:
    return [span.cut(text) for span in ListedTexts.of(texts).find(text)]


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [
        ("INK-0925", "zie INK-0925.", ["INK-0925"]),
        ("INK-0925", "zie ink-0925, INK-09251, XINK-0925, INK - 0925, INK0925", ["ink-0925"]),
        ("Café X.", "in cafe x. en CAFÉ  X.", ["cafe x.", "CAFÉ  X."]),
        ("Alpha Beta", "Alpha\n  Beta; AlphaBeta; Alpha-Beta", ["Alpha\n  Beta"]),
        ("a_b", "a_b xa_b a_bc", ["a_b"]),
        ("O'Neil", "O\u2019Neil", ["O\u2019Neil"]),
    ],
)
def test_whole_words_count_whatever_their_case_accents_and_blanks(
    listed: str, text: str, found: list[str]
) -> None:
    assert _found([listed], text) == found


def test_of_two_that_begin_together_the_longer_counts() -> None:
    assert _found(["Alpha", "Alpha Beta"], "Alpha Beta Alpha Gamma") == ["Alpha Beta", "Alpha"]
    assert _found(["Alpha Beta Gamma", "Beta"], "Alpha Beta Delta") == ["Beta"]
    assert _found([], "Alpha") == []


_WORDS = st.lists(st.sampled_from(["ab", "c", "1", "-", "."]), min_size=1, max_size=3)


@given(st.lists(_WORDS.map("".join), max_size=4), st.lists(_WORDS.map("".join), max_size=12))
def test_all_that_a_slow_search_finds_is_covered(listed: list[str], pieces: list[str]) -> None:
    text = " ".join(pieces)
    covered = {place for span in ListedTexts.of(listed).find(text) for place in range(span.start, span.end)}
    for one in listed:
        expression = rf"(?<![^\W_]){re.escape(one)}(?![^\W_])" if one else "(?!)"
        for match in re.finditer(expression, text):
            assert covered & set(range(*match.span()))


def test_a_long_list_and_a_long_text_take_linear_time() -> None:
    listed = ListedTexts.of(f"INK-{number}" for number in range(50_000))
    text = "INK-" * 20_000
    started = time.process_time()
    assert list(listed.find(text)) == []
    assert time.process_time() - started < 5
