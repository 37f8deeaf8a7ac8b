"""Phrases inside a written name. All names are invented."""

import pytest

from linkage.language import Language
from linkage.names.phrases import inner_phrases

_PHRASES = inner_phrases(Language.load("nl"))


@pytest.mark.parametrize("text", ["Mies Oostink geb. Vos", "Mies Oostink (née Vos)", "Mies geboren Vos"])
def test_a_name_by_birth(text: str) -> None:
    found = _PHRASES.born.search(text)
    assert found is not None
    assert found["rest"] == "Vos"


@pytest.mark.parametrize(
    "text", ["Mies Vos e.v. Oostink", "Mies Vos (wed. Oostink)", "Mies, vrouw van Oostink"]
)
def test_the_name_of_a_partner(text: str) -> None:
    found = _PHRASES.spouse_of.search(text)
    assert found is not None
    assert found["rest"] == "Oostink"


def test_a_call_name() -> None:
    found = _PHRASES.called.search('Maria Vos, roepnaam "Mies"')
    assert found is not None
    assert found["rest"] == "Mies"


@pytest.mark.parametrize(("text", "is_signature"), [("RvdS", True), ("MOvL", True), ("Rens", False)])
def test_a_signature_has_the_letters_of_a_particle(text: str, is_signature: bool) -> None:
    assert (_PHRASES.signature.fullmatch(text) is not None) is is_signature
