"""Names torn apart, stuck together or cut down to letters."""

from itertools import pairwise

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_shapes import mended, spaced_words
from linkage.recognition.name_tokens import WordBook


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Getekend: J a n  K u i p e r en", [("J a n  K u i p e r", "Jan Kuiper")]),
        ("J A N  K U I P E R", [("J A N  K U I P E R", "JAN KUIPER")]),
        ("A B de Groot, K Y Visser", []),
        ("opties A B C D", []),
        ("a b c", []),
    ],
)
def test_spaced_letters(text: str, found: list[tuple[str, str]]) -> None:
    assert [(text[start:end], joined) for start, end, joined in spaced_words(text)] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("met Wil helmina Vos", ["met", "Wilhelmina", "Vos"]),
        ("Toen Jan sen dus", ["Toen", "Jan", "sen", "dus"]),
        ("dat Gerritsenbelde ook", ["dat", "Gerritsen", "belde", "ook"]),
        ("De Voskuillaan is lang", ["De", "Voskuillaan", "is", "lang"]),
        ("Toen kwam Jan van huis", ["Toen", "kwam", "Jan", "van", "huis"]),
    ],
)
def test_torn_and_stuck_words_are_mended(gazetteer: Gazetteer, text: str, words: list[str]) -> None:
    book = WordBook(gazetteer)
    tokens = mended(book.tokens(text), book, gazetteer.grammar_words("stuck_word"))
    assert [token.text for token in tokens] == words
    assert all(left.end <= right.start for left, right in pairwise(tokens))
