"""Cutting a text into words, and what is known of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.pieces import Gap
from linkage.recognition.name_tokens import Case, ExtraNames, WordBook


@pytest.fixture(scope="module")
def book(gazetteer: Gazetteer) -> WordBook:
    return WordBook(gazetteer)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("JanJansen12", ["Jan", "Jansen", "12"]),
        ("IJsbrand vanDijk", ["IJsbrand", "van", "Dijk"]),
        ("McDonald's", ["McDonald", "'", "s"]),
        ("J.-P. d\u2019Arcy", ["J", ".", "-", "P", ".", "d", "\u2019", "Arcy"]),
        ("Pham² en", ["Pham", "²", "en"]),
        ("B0s", ["Bos"]),
        ("CO2 en H5", ["CO", "2", "en", "H", "5"]),
        ("I\u015f\u0131l", ["I\u015f\u0131l"]),
        ("", []),
    ],
)
def test_words_numbers_and_signs(book: WordBook, text: str, words: list[str]) -> None:
    assert [token.text for token in book.tokens(text)] == words


def test_gaps(book: WordBook) -> None:
    gaps = [token.gap for token in book.tokens("a b  c\td\ne\n\nf.")]
    assert gaps == [Gap.START, Gap.SPACE, Gap.WIDE, Gap.TAB, Gap.LINE, Gap.BLANK_LINE, Gap.NONE]


@pytest.mark.parametrize(
    ("word", "case"),
    [
        ("Jan", Case.TITLE), ("JAN", Case.UPPER), ("jan", Case.LOWER), ("J", Case.INITIAL),
        ("IJzerman", Case.TITLE),
        ("McDonald", Case.TITLE), ("jAN", Case.MIXED), ("\u0130lker", Case.TITLE), ("I\u015eIL", Case.UPPER),
    ],
)  # fmt: skip
def test_case(book: WordBook, word: str, case: Case) -> None:
    assert book.facts(word).case is case


def test_names_and_words_are_told_apart(book: WordBook) -> None:
    assert book.facts("Jeroen").given > 0.8
    assert book.facts("Visser").surname > 0.4
    assert book.facts("Jansen").surname > 0.6  # a hamlet is called so, too
    assert book.facts("Amsterdam").surname < 0.3
    assert book.facts("Tafel").is_ordinary
    assert not book.facts("Jeroen").is_ordinary
    assert book.facts("Jeroens").has_genitive
    assert book.facts("Juergen").given > 0.5  # Jürgen


def test_words_inside_addresses_are_none(book: WordBook) -> None:
    tokens = book.tokens("mail jan.bos@voorbeeld.example of @jan_bos, zie www.bos.nl/jan en Jan")
    assert [token.text for token in tokens if token.is_word] == ["mail", "of", "zie", "en", "Jan"]


def test_names_of_the_user_are_known(gazetteer: Gazetteer) -> None:
    extra = ExtraNames(frozenset({"xqandu"}), {"vurbel": frozenset({"van"})})
    book = WordBook(gazetteer, extra)
    assert book.facts("Xqandu").given > 0.9
    assert book.facts("Vurbel").particles == ("van",)
    assert not book.facts("Vurbel").stands_bare
    assert "xqandu" not in repr(extra)


@given(st.text(alphabet="aBé J.'-0135\n\t@ß", max_size=40))
def test_tokens_are_apart_and_leave_only_white_space_out(book: WordBook, text: str) -> None:
    read_to = 0
    for token in book.tokens(text):
        assert text[read_to : token.start].strip() == ""
        assert token.end - token.start == len(token.text)
        read_to = token.end
    assert text[read_to:].strip() == ""


def test_a_word_that_comes_again_is_kept_once(gazetteer: Gazetteer) -> None:
    first, _, again = WordBook(gazetteer).tokens("Mulder en Mulder")
    assert first.text is again.text
