"""The cut of a text, and what each of its readers makes of the same text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection.listed_values import ListedTexts
from linkage.gazetteer import Gazetteer
from linkage.pieces import CutText, Gap, Shape, letters_between, pieces_of
from linkage.recognition.name_slots import token_places
from linkage.recognition.name_tokens import WordBook
from tests.fakes import fake_lexicon

TEXT = st.text(st.sampled_from("abÉij1²½Ⅳ́̂'’`_-.@ \t\n\u00a0AB") | st.characters())


@given(TEXT)
def test_pieces_are_all_of_the_text_but_its_blanks(text: str) -> None:
    cut = CutText.of(text)
    assert all(text[piece.start : piece.end] == piece.text for piece in cut.pieces)
    assert all(left.end <= right.start for left, right in pairwise(cut.pieces))
    assert "".join(piece.text for piece in cut.pieces) == "".join(text.split())


@given(TEXT)
def test_a_piece_has_one_shape(text: str) -> None:
    for piece in CutText.of(text).pieces:
        assert piece.shape is Shape.LETTERS or piece.text.isdecimal() == (piece.shape is Shape.FIGURES)
        assert piece.shape in (Shape.LETTERS, Shape.FIGURES) or len(piece.text) == 1


@given(TEXT)
def test_runs_touch_and_are_parted_by_what_does_not(text: str) -> None:
    cut = CutText.of(text)
    runs = [text[first.start : last.end] for first, last in cut.runs()]
    assert not any(set(run) & set(" \t\n-.@_") for run in runs)
    assert sum(map(len, runs)) == sum(len(p.text) for p in cut.pieces if p.shape is not Shape.SIGN)


@given(TEXT)
def test_letters_alone_are_the_pieces_of_letters(text: str) -> None:
    pieces = [(p.start, p.end) for p in CutText.of(text).pieces if p.shape is Shape.LETTERS]
    assert list(letters_between(text, 0, len(text))) == pieces
    assert pieces_of(text) == tuple(p.text for p in CutText.of(text).pieces)


def test_gaps() -> None:
    gaps = [piece.gap for piece in CutText.of(" a b  c\td\ne\n \nf.").pieces]
    assert gaps == [
        Gap.START, Gap.SPACE, Gap.WIDE, Gap.TAB, Gap.LINE, Gap.BLANK_LINE, Gap.NONE,
    ]  # fmt: skip


# What differs between the readers, and is meant to: text, words of the detectors, words of the name lists,
# tokens of the name slots. Everything else is cut alike.
@pytest.mark.parametrize(
    ("text", "words", "listed", "slots"),
    [
        ("Jan belt.", "Jan belt", "Jan belt .", "jan belt ."),
        ("O'Brien", "O'Brien", "O ' Brien", "obrien"),
        ("'t Hart", "'t Hart", "' t Hart", "' t hart"),
        ("Jan's jas", "Jan s jas", "Jan ' s jas", "jans jas"),
        ("JanJansen", "JanJansen", "Jan Jansen", "janjansen"),
        ("vanDijk", "vanDijk", "van Dijk", "vandijk"),
        ("McDonald", "McDonald", "McDonald", "mcdonald"),
        ("B0s", "B0s", "Bos", "b # s"),
        ("Pols2 12a", "Pols 2 12 a", "Pols 2 12 a", "pols # # a"),
        ("jan_bos", "jan bos", "jan _ bos", "jan bos"),
        ("m² en ½", "m en", "m ² en ½", "m 2 en 1\u20442"),
        ("Zoë", "Zoë", "Zoë", "zoe"),
        ("Zoe\u0308", "Zoe\u0308", "Zoe\u0308", "zoe"),
        ("een\n\ntwee", "een twee", "een twee", "een ¶ twee"),
    ],
)
def test_readers_join_pieces_in_their_own_ways(
    text: str, words: str, listed: str, slots: str, gazetteer: Gazetteer
) -> None:
    cut = CutText.of(text)
    assert " ".join(word.surface for word in fake_lexicon().scan(text).words) == words
    assert " ".join(token.text for token in WordBook(gazetteer).tokens_of(cut)) == listed
    assert " ".join(key for _, _, key in token_places(cut)) == slots


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [("H2O", "H2O en H2O2", ["H2O"]), ("Jan", "Jan¹ en Jan2", ["Jan"]), ("a_b", "a_b a b", ["a_b"])],
)
def test_listed_texts_are_words_with_their_figures(listed: str, text: str, found: list[str]) -> None:
    spans = ListedTexts.of([listed]).find(text)
    assert [text[span.start : span.end] for span in spans] == found
