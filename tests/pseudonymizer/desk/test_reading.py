"""Texts as they are read: the pieces are the text, at the places where they say they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from pseudonymizer.desk.reading import WINDOW, Block, Part, blocks_of, nested, parts_of, windows
from pseudonymizer.errors import OverlappingReplacementsError

TEXTS = st.text(st.sampled_from("ab \r\n\t\u00a0\u0301\U0001f44d\u2028\0\x0b\x0c\u05d0"), max_size=40)


@st.composite
def texts_with_stretches(draw: st.DrawFn) -> tuple[str, tuple[Span, ...]]:
    text = draw(TEXTS)
    places = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(places, places), max_size=6))
    return text, nested([Span(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]])


@given(texts_with_stretches())
def test_parts_are_the_text_and_each_has_the_stretches_that_cover_it(
    given_text: tuple[str, tuple[Span, ...]],
) -> None:
    text, stretches = given_text
    parts = parts_of(text, stretches)
    assert "".join(part.text for part in parts) == text
    for part in parts:
        assert text[part.start : part.end] == part.text
        covering = [
            n for n, span in enumerate(stretches) if span.start <= part.start and part.end <= span.end
        ]
        assert sorted(part.stretches) == sorted(covering)
        lengths = [len(stretches[number]) for number in part.stretches]
        assert lengths == sorted(lengths, reverse=True)


@given(texts_with_stretches())
def test_blocks_with_their_endings_are_the_text(given_text: tuple[str, tuple[Span, ...]]) -> None:
    text, stretches = given_text
    blocks = blocks_of(text, stretches)
    joined = "".join("".join(part.text for part in block.parts) + block.ending for block in blocks)
    assert joined == text
    at = 0
    for block in blocks:
        assert block.start == at
        assert not any(sign in part.text for part in block.parts for sign in "\r\n")
        at += block.letters
    assert [block.ending for block in blocks] == _endings(text)
    assert tuple(block for group in windows(blocks, 5) for block in group) == blocks
    assert all(sum(one.letters for one in group) <= 5 or len(group) == 1 for group in windows(blocks, 5))


def _endings(text: str) -> list[str]:
    """Read letter by letter."""
    found, at = [], 0
    while at < len(text):
        if text.startswith("\r\n", at):
            found.append("\r\n")
            at += 1
        elif text[at] in "\r\n":
            found.append(text[at])
        at += 1
    return [*found, ""]


def test_a_stretch_over_a_line_break_goes_on_in_the_next_block() -> None:
    first, second = blocks_of("Jan de\r\nVries.", [Span(0, 13)])
    assert first == Block(0, (Part(0, "Jan de", (0,)),), "\r\n")
    assert second == Block(8, (Part(8, "Vries", (0,)), Part(13, ".")), "", frozenset({0}))


def test_the_first_line_feed_is_a_line_of_its_own() -> None:
    assert [block.start for block in blocks_of("\nfirst", [])] == [0, 1]


def test_a_long_line_is_cut() -> None:
    text = "\U0001f44d" * (2 * WINDOW + 1)
    blocks = blocks_of(text, [Span(WINDOW - 1, WINDOW + 1)])
    assert [(block.start, block.ending) for block in blocks] == [(0, ""), (WINDOW, ""), (2 * WINDOW, "")]
    assert blocks[1].begun == {0}
    assert len(list(windows(blocks))) == 3


def test_a_stretch_inside_another_comes_behind_it() -> None:
    parts = parts_of("j.douma@x.nl", [Span(2, 7), Span(0, 12)])
    assert [(part.text, part.stretches) for part in parts] == [
        ("j.", (1,)), ("douma", (1, 0)), ("@x.nl", (1,)),
    ]  # fmt: skip


@pytest.mark.parametrize("stretches", [[Span(0, 3), Span(2, 5)], [Span(2, 9)]])
def test_crossing_stretches_and_those_beyond_the_text_are_refused(stretches: list[Span]) -> None:
    with pytest.raises(OverlappingReplacementsError):
        parts_of("abcdef", stretches)
