"""Names that are no person's."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_grammar import NameGrammar
from linkage.recognition.name_tokens import WordBook
from linkage.recognition.not_persons import NotPersons


@pytest.fixture(scope="module")
def rules(gazetteer: Gazetteer) -> NotPersons:
    return NotPersons(gazetteer)


@pytest.mark.parametrize(
    ("word", "is_street"),
    [
        ("Voskuillaan", True),
        ("Prinsengracht", True),
        ("Jansenschool", True),
        ("Bakker", False),
        ("Hoekstra", False),
    ],
)
def test_streets_and_buildings(rules: NotPersons, gazetteer: Gazetteer, word: str, is_street: bool) -> None:
    tokens = WordBook(gazetteer).tokens(word)
    (unit,) = NameGrammar(gazetteer).run(tokens, 0)
    assert rules.is_street(tokens, unit) is is_street


@pytest.mark.parametrize(
    ("text", "at", "is_organisation"),
    [
        ("Bouwbedrijf Jansen", 1, True),
        ("de Stichting Jansen", 2, True),
        ("zij ging op school Jansen", 4, False),
        ("ziekte van Jansen", 2, True),
        ("advies van Jansen", 2, False),
        ("een installatiebedrijf Jansen", 2, True),
        ("de commissie-Jansen", 3, False),
        ("Jansen", 0, False),
    ],
)
def test_words_before(
    rules: NotPersons, gazetteer: Gazetteer, text: str, at: int, is_organisation: bool
) -> None:
    assert rules.organisation_before(WordBook(gazetteer).tokens(text), at) is is_organisation


@pytest.mark.parametrize(
    ("text", "is_organisation"),
    [
        ("Jansen B.V.", True), ("Jansen bv", True), ("Jansen & Zonen", True), ("Jansen Groep", True),
        ("Jansen-prijs", True), ("Jansen groep", False), ("Jansen kwam", False), ("Jansen", False),
        ("Jansen\nGroep", False),
    ],
)  # fmt: skip
def test_words_after(rules: NotPersons, gazetteer: Gazetteer, text: str, is_organisation: bool) -> None:
    assert rules.organisation_after(WordBook(gazetteer).tokens(text), 1) is is_organisation


def test_addresses_and_houses(rules: NotPersons, gazetteer: Gazetteer) -> None:
    book = WordBook(gazetteer)
    assert rules.is_address(book.tokens("aan de Jan Steen 4"), 2, 4)
    assert not rules.is_address(book.tokens("met Jan Steen 4 keer"), 1, 3)
    assert rules.house_before(book.tokens("het ziekenhuis Bethanie"), 2)
    assert not rules.house_before(book.tokens("Bethanie"), 0)
    assert rules.is_place("den haag")
