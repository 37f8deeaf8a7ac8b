"""Writing of single words: what a diminutive is made of, in one place for all who ask."""

import pytest

from linkage.language import Language
from linkage.names.spelling import pet_stems


@pytest.mark.parametrize(
    ("word", "stems"),
    [
        ("keesje", ["kees"]),
        ("Teuntje", ["Teunt", "Teun"]),
        ("Willempje", ["Willemp", "Willem"]),
        ("Annetje", ["Annet", "Anne", "Ann"]),
        ("ALBERTJE", ["ALBERT", "ALBER"]),
        ("Jan", []),
        ("je", []),
        ("", []),
    ],
)
def test_a_diminutive_without_each_ending_that_fits(word: str, stems: list[str]) -> None:
    assert list(pet_stems(word, Language.load("nl"))) == stems
