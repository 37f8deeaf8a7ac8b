"""Names behind the hyphen of a compound, "de motie-Van Dam": found, and places, firms and words left."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.recognition.named_after import named_after

KNOWN = Gazetteer.load()
DUTCH = Language.load("nl")


def _names(text: str) -> list[str]:
    return [text[span.start : span.end] for span in named_after(text, DUTCH, KNOWN)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("De motie-Terpsma c.s. is verworpen.", ["Terpsma"]),
        ("het amendement-Van der Horst/El Amrani", ["Van der Horst", "El Amrani"]),
        ("de moties-Van der Staaij/Segers", ["Van der Staaij", "Segers"]),
        ("in de zaak-Bakker en het rapport-De Wael", ["Bakker", "De Wael"]),
        ("de motie-Hoekzema-Bosma.", ["Hoekzema-Bosma"]),
        ("het kabinet-De Jong II", ["De Jong"]),
        ("Motie-Quaedvliet", ["Quaedvliet"]),
    ],
)
def test_names_behind_a_hyphen_are_found(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "de commissie-Brussel", "de motie-PVV", "het plan-Zuid", "de zaak-Philips", "de motie-GroenLinks",
        "de nota-Ruimte", "de commissie-Welzijn", "motie-2019", "motie-Terpsma-achtig",
        "een promotie-Terpsma", "de motie-terpsma", "motie - Terpsma", "motie-", "de fiets-Terpsma",
    ],
)  # fmt: skip
def test_places_firms_words_and_other_hyphens_are_none(text: str) -> None:
    assert _names(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("De Veldkamp-variant is duurder.", ["Veldkamp"]),
        ("het Van Elderen-plan en het Smeulders-dossier", ["Van Elderen", "Smeulders"]),
        ("De De Bruin-variant", ["De Bruin"]),
        ("de Hoekzema-Bosma-motie", ["Hoekzema-Bosma"]),
        ("het Jansen-voorstel", ["Jansen"]),  # a hamlet, too, but mostly people
    ],
)
def test_names_before_a_hyphen_are_found(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "De Amsterdam-variant", "de Delta-variant", "de Hartmann-procedure", "een Bruynzeel-keuken",
        "de Albert Heijn-vestiging", "het Philips-voorstel", "de Lyme-variant", "de Tweede Bakker-motie",
        "de veldkamp-variant", "de Veldkamp-Variant", "Veldkamp - variant", "De Brexit-kwestie",
    ],
)  # fmt: skip
def test_other_compounds_have_no_name_in_front(text: str) -> None:
    assert _names(text) == []


def test_a_sure_name_stands_before_any_noun() -> None:
    text = "het Zanderijk-trauma en het Breda-trauma"
    assert named_after(text, DUTCH, KNOWN) == ()
    (span,) = named_after(text, DUTCH, KNOWN, {"zanderijk", "breda"})
    assert text[span.start : span.end] == "Zanderijk"  # Breda is a place first


@given(st.text("motie-/ VanderJsz'’.\nÉé", max_size=60))
def test_spans_stand_in_order_and_inside_the_text(text: str) -> None:
    spans = named_after(text, DUTCH, KNOWN)
    assert list(spans) == sorted(spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) and text[span.start].isupper() for span in spans)
