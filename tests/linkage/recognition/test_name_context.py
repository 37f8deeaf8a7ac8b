"""Cues in front of a name and between names."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_context import NameContext, separates_names
from linkage.recognition.name_tokens import WordBook


@pytest.fixture(scope="module")
def context(gazetteer: Gazetteer) -> NameContext:
    return NameContext(gazetteer)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mevrouw X", "courtesy"),
        ("dhr. X", "courtesy"),
        ("prof. dr. X", "courtesy"),
        ("mevrouw\nX", "courtesy"),
        ("Beste X", "salutation"),
        ("Met vriendelijke groet,\nX", "closing"),
        ("Groetjes X", "closing"),
        ("opgesteld door X", "signing"),
        ("(geb. X", "signing"),
        ("Naam: X", "label"),
        ("Contactpersoon (thuis): X", "label"),
        ("de griffier X", "role"),
        ("volgens X", "attribution"),
        ("een tafel X", ""),
        ("Dat is mooi genoemd.\nX", ""),
        ("X", ""),
    ],
)
def test_the_cue_before(context: NameContext, gazetteer: Gazetteer, text: str, kind: str) -> None:
    tokens = WordBook(gazetteer).tokens(text)
    assert context.before(tokens, len(tokens) - 1).kind == kind


@pytest.mark.parametrize(
    ("text", "starts"),
    [("Ja. X", True), ("Zie nr. 5 X", False), ("dr. X", False), ("a\nX", True), ("dus X", False)],
)
def test_the_start_of_a_sentence(context: NameContext, gazetteer: Gazetteer, text: str, starts: bool) -> None:
    tokens = WordBook(gazetteer).tokens(text)
    assert context.before(tokens, len(tokens) - 1).starts_sentence is starts


def test_a_verb_of_speech_behind(context: NameContext, gazetteer: Gazetteer) -> None:
    tokens = WordBook(gazetteer).tokens("X belde Y tafel")
    assert context.speaks(tokens, 1)
    assert not context.speaks(tokens, 3)
    assert not context.speaks(tokens, 9)


@pytest.mark.parametrize(
    ("between", "separates"),
    [(", ", True), (" en ", True), (" (SP), ", True), ("/", True), ("  ", True), ("\t", True), (" ", False),
     (" belde ", False), ("\n\n, ", False), (" (zie daar heel erg ver in de tekst) ", False)],
)  # fmt: skip
def test_what_stands_between_names_of_a_list(gazetteer: Gazetteer, between: str, separates: bool) -> None:
    tokens = WordBook(gazetteer).tokens(f"X{between}Y")
    conjunctions = gazetteer.language.words("conjunction")
    assert separates_names(tokens, 1, len(tokens) - 1, conjunctions) is separates
