"""Codes of capitals that a document introduces for a person."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.introduced_codes import introduced_codes
from linkage.recognition.words import Lexicon
from linkage.records import Detector, Document, DocumentId, Mention
from tests.fakes import span_of

KNOWN = Gazetteer.load()
LEXICON = Lexicon(KNOWN)


def _codes(text: str, *people: str) -> list[str]:
    document = Document(DocumentId("d"), text)
    found = [
        Mention.at(document, span_of(text, person), detector=Detector.NER, confidence=0.9)
        for person in people
    ]
    return [text[one.start : one.end] for one in introduced_codes(LEXICON.scan(text), found, KNOWN)]


def test_a_code_is_found_wherever_it_stands() -> None:
    text = "Gerda van Loon (GLO) en Rik Hamstra (RHA). GLO opent, RHA belt de GGD. Actie: GLO/RHA, GLOS"
    assert _codes(text, "Gerda van Loon", "Rik Hamstra") == ["GLO", "GLO", "RHA", "RHA"]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Jan Visser (VVD) sprak voor de VVD.", ["Jan Visser"]),  # other letters
        ("Carla Dik (CDA) sprak. CDA", ["Carla Dik"]),  # an organization's
        ("Jan Vos (JVO) en Joris Vroom (JVO). JVO", ["Jan Vos", "Joris Vroom"]),  # two people's
        ("Vos (VO) belt. VO", ["Vos"]),  # no full name
        ("Gerda van Loon, GLO belt.", ["Gerda van Loon"]),  # not introduced
    ],
)
def test_other_capitals_are_none(text: str, people: list[str]) -> None:
    assert _codes(text, *people) == []
