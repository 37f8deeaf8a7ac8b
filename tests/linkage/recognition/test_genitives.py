"""Glued genitives: the s of "Kirchers Erläuterungen" stands outside the name, that of "Peters" inside."""

from functools import cache

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.genitives import is_glued_genitive, without_genitives
from linkage.recognition.words import Lexicon
from linkage.records import DocumentId, RecognizedSpan, RecognizedText
from tests.fakes import span_of


@cache
def lexicon(language: str) -> Lexicon:
    return Lexicon(Gazetteer.load(language))


def found(text: str, name: str, language: str = "de") -> str:
    """What is left of a name that the network found whole."""
    recognized = RecognizedText(DocumentId("d"), (), (), (RecognizedSpan(span_of(text, name), 0.9),), ())
    scanned = lexicon(language).scan(text, recognized)
    (person,) = without_genitives(scanned, recognized).persons
    assert person.confidence == 0.9
    return person.span.cut(text)


@pytest.mark.parametrize(
    ("text", "name", "left"),
    [
        ("Das ist Angela Merkels Entscheidung.", "Angela Merkels", "Angela Merkel"),
        ("Im Haus Martinas wohnt jemand.", "Martinas", "Martina"),
        ("Die Kritik an Xantrovos neuer Regierung wächst.", "Xantrovos", "Xantrovo"),
        ("Xantrovo kam. Die Rede Xantrovos war lang.", "Xantrovos", "Xantrovo"),
        ("Herr Peters kommt morgen.", "Peters", "Peters"),
        ("Das sind Heinrich Peters Unterlagen.", "Heinrich Peters", "Heinrich Peters"),
        ("Der Brief von Klaus Bericht.", "Klaus", "Klaus"),
        ("Mit Xantrovos gesprochen.", "Xantrovos", "Xantrovos"),
        ("Die Akte Voss liegt hier.", "Voss", "Voss"),
        ("Frau XANTROVOS Antrag", "XANTROVOS", "XANTROVOS"),
    ],
)
def test_the_s_of_a_genitive_is_left_out(text: str, name: str, left: str) -> None:
    assert found(text, name) == left


def test_in_a_language_without_glued_genitives_nothing_is_cut() -> None:
    assert found("Xantrovo kwam. Dat was Xantrovos Besluit.", "Xantrovos", "nl") == "Xantrovos"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("Merkels Rat", True), ("Merkels", True), ("Merkelsen", False), ("Merkel s", False), ("Merkel", False)],
)
def test_a_genitive_is_the_last_letter_of_its_word(text: str, is_one: bool) -> None:
    assert is_glued_genitive(lexicon("de").scan(text), len("Merkel")) is is_one
    assert not is_glued_genitive(lexicon("nl").scan(text), len("Merkel"))
