"""Names that the words before them tell."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.framed_names import framed_names

KNOWN = Gazetteer.load()


def _names(text: str) -> list[str]:
    return [text[span.start : span.end] for span in framed_names(text, KNOWN.language, KNOWN)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("HR P DE ZOMER EN/OF MW G DOORNEBOS", ["P DE ZOMER", "G DOORNEBOS"]),
        ("T.N.V. P DE ZOMER E/O G DOORNEBOS HUUR", ["P DE ZOMER", "G DOORNEBOS"]),
        ("MEVR A SIETSEMA-DE ROOS EO;AFLOSSING", ["A SIETSEMA-DE ROOS"]),
        ("ERVEN L.M. FEIKEMA;RESTANT", ["L.M. FEIKEMA"]),
    ],
)
def test_holders_of_accounts_are_found(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    "text", ["A EN/OF B VARIANT", "JUMBO 2231", "MW IS ZIEK", "DE HEER", "E/O P DOORNEBOS", "HR A4"]
)
def test_other_capitals_are_no_holders(text: str) -> None:
    assert _names(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Er belde een mw. da Silva Pereira over", ["da Silva Pereira"]),
        ("De heer dos Santos tekent.", ["dos Santos"]),
        ("Mevrouw van der Terpsma Vandaag is vrij", ["van der Terpsma"]),
    ],
)
def test_a_particle_behind_a_title_opens_a_family_name(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize("text", ["Mevrouw de Voorzitter!", "de heer uit Utrecht kwam"])
def test_articles_and_offices_open_none(text: str) -> None:
    assert _names(text) == []
