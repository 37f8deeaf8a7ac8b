"""Names that are spelled letter by letter, and the alphabet's words, which are nobody."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.recognition.spelled_letters import alphabet_words, spelled_names

KNOWN = Gazetteer.load()
DUTCH = Language.load("nl")


def _names(text: str, sure: frozenset[str] = frozenset()) -> list[str]:
    return [text[span.start : span.end] for span in spelled_names(text, KNOWN, sure)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("dat is D, R, E, N, T.", ["D, R, E, N, T"]),
        ("Fenna: F, E, N, N, A.", ["F, E, N, N, A"]),
        ("B-O-E-R-S-M-A, zo schrijf je dat", ["B-O-E-R-S-M-A"]),
        ("W - I - L - L - E - M", ["W - I - L - L - E - M"]),
        ("K-U-IJ-P-E-R", ["K-U-IJ-P-E-R"]),
    ],
)
def test_spelled_names_are_found(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize("text", ["opties A, B, C, D en E", "A-B-C-D", "J, A, N", "XD-R-E-N-T"])
def test_other_letters_are_none(text: str) -> None:
    assert _names(text) == []


def test_a_sure_name_may_be_no_listed_one() -> None:
    assert _names("Q, O, R, L, I") == []
    assert _names("Q, O, R, L, I", frozenset({"qorli"})) == ["Q, O, R, L, I"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("K van Karel, U van Utrecht, IJ van IJmuiden", ["K van Karel", "U van Utrecht", "IJ van IJmuiden"]),
        ("de K van Simon", []),
        ("R van Rooijen belde", []),
        ("J. van Jan", []),
        ("OK van Karel", []),
    ],
)  # fmt: skip
def test_words_of_the_alphabet(text: str, told: list[str]) -> None:
    assert [text[span.start : span.end] for span in alphabet_words(text, DUTCH)] == told


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hij spelt het: Q, O, R, L, I", ["Q, O, R, L, I"]),
        ("Zij spelt\nQ, O, R, L, I", []),  # another line
    ],
)
def test_what_a_line_says_is_spelled_is_a_name(text: str, names: list[str]) -> None:
    assert _names(text) == names
