"""Names with a title of nobility or an estate inside, and names that a word opens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.recognition.whole_names import whole_names

KNOWN = Gazetteer.load()
DUTCH = Language.load("nl")


def _names(text: str) -> list[str]:
    return [text[span.start : span.end] for span in whole_names(text, DUTCH, KNOWN)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Willem baron van Elderen kwam.", ["Willem baron van Elderen"]),
        ("Hier sprak Karel-Jan graaf van Lunden tot Hemmen.", ["Karel-Jan graaf van Lunden tot Hemmen"]),
        ("C.J. ridder de Snoo", ["C.J. ridder de Snoo"]),
        ("freule A.C. van Elderen tot Dorth zei", ["A.C. van Elderen tot Dorth"]),
        ("jhr. mr. P.J. Quarlens tot Uffen", ["P.J. Quarlens tot Uffen"]),
        ("Baron Van Elderen tot Dorth en tot Lathum", ["Van Elderen tot Dorth en tot Lathum"]),
        ("I Ketut Sudarmawan en Ni Luh Putu Astiti", ["I Ketut Sudarmawan", "Ni Luh Putu Astiti"]),
        ("I Ketut kwam later", ["I Ketut"]),
        ("Anak Agung Gede Wirawan danste", ["Anak Agung Gede Wirawan"]),
        ("Raden Mas Soedarso en Raden Ajeng Kartinah", ["Raden Mas Soedarso", "Raden Ajeng Kartinah"]),
    ],
)  # fmt: skip
def test_names_are_whole(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "De graaf van Hagestein sprak niet.", "De baron kwam.", "Jan bleef van maandag tot Pasen",
        "mevrouw Smit tot December", "I made a mistake", "Ni hao", "Als baron van Elderen",
        "de raden van state", "Een ridder de Snoo", "baron van Elderen",
    ],
)  # fmt: skip
def test_others_are_none(text: str) -> None:
    assert _names(text) == []


@given(st.text("Jan baron van Elder tot.-I Made", max_size=60))
def test_spans_lie_inside_the_text(text: str) -> None:
    assert all(0 <= span.start < span.end <= len(text) for span in whole_names(text, DUTCH, KNOWN))
