"""Families in the plural, "de Terpsma's", "met de Jansens": found, and peoples, firms and words left."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.recognition.plural_names import plural_names

KNOWN = Gazetteer.load()
DUTCH = Language.load("nl")


def _names(text: str, sure: frozenset[str] = frozenset()) -> list[str]:
    return [text[span.start : span.end] for span in plural_names(text, DUTCH, KNOWN, sure)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("De Zijlstra's wonen er.", ["Zijlstra"]),
        ("bij de Hoekzema’s en de Terpsma's", ["Hoekzema", "Terpsma"]),
        ("met de Jansens en de Mulders", ["Jansens", "Mulders"]),
        ("de De Vriesen, alle Smeuldersen", ["De Vriesen", "Smeuldersen"]),
        ("Dat zei men. De Dijkstra's niet.", ["Dijkstra"]),
        ("de Bos-Dijkstra's", ["Bos-Dijkstra"]),
    ],
)
def test_families_are_found(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "De Belgen en de Engelsen", "de Opel's", "de iPhone's", "de foto's", "De Koningen", "G. de Vries",
        "Fokje Terpstra - De Vries", "Ans de Vries", "Zijlstra's fiets", "de Hoekzema'sche", "de zijlstra's",
        "de Jansens BV",
    ],
)  # fmt: skip
def test_peoples_firms_words_and_single_people_are_none(text: str) -> None:
    assert _names(text) == []


def test_a_sure_name_may_be_no_listed_one() -> None:
    assert _names("de Quorlings") == []
    assert _names("de Quorlings", frozenset({"quorling"})) == ["Quorlings"]


@given(st.text("de DeVanJans'’s-. ", max_size=60))
def test_spans_stand_in_order_and_inside_the_text(text: str) -> None:
    spans = list(plural_names(text, DUTCH, KNOWN))
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
