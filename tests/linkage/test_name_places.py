"""Where the parts of a name stand in what was written."""

from dataclasses import fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.name_places import PartPlaces, part_places
from linkage.names import parse_name
from linkage.records import PersonName, fold

PARTS = [field.name for field in fields(PartPlaces)]


def cut(name: PersonName, written: str) -> dict[str, str]:
    """By part that is there, its letters in what was written."""
    places = part_places(name, written)
    return {
        part: written[place.start : place.end]
        for part in PARTS
        if (place := getattr(places, part)) is not None
    }


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("Jan Willem de Boer", {"given": "Jan Willem", "particle": "de", "family": "Boer"}),
        ("BOER, J.P. DE", {"initials": "J.P", "particle": "DE", "family": "BOER"}),
        ("mevr. dr. Els d'Hondt", {"given": "Els", "particle": "d", "family": "Hondt"}),
        ("Zoë Ångström", {"given": "Zoë", "family": "Ångström"}),
        (
            "Els Jansen-de Boer",
            {"given": "Els", "particle": "de", "family": "Boer", "partner_family": "Jansen"},
        ),
        (
            "De Vries-de Boer",
            {"particle": "de", "family": "Boer", "partner_particle": "De", "partner_family": "Vries"},
        ),
        (
            'Johannes "Hans" de Boer',
            {"given": "Johannes", "nickname": "Hans", "particle": "de", "family": "Boer"},
        ),
        ("J. Bos jr.", {"initials": "J", "family": "Bos", "suffix": "jr"}),
        ("Th. v.d. Berg", {"initials": "Th", "family": "Berg"}),
        ("Jan Bos (Jan)", {"given": "Jan", "family": "Bos"}),
    ],
)
def test_parts_of_written_names(written: str, parts: dict[str, str], gazetteer: Gazetteer) -> None:
    found = cut(parse_name(written, gazetteer), written)
    assert {part: found.get(part) for part in parts} == parts


def test_a_word_is_part_of_one_part_alone() -> None:
    assert cut(PersonName(given="Jan", family="Jan"), "Jan Jan") == {"given": "Jan", "family": "Jan"}
    places = part_places(PersonName(given="Jan", family="Jan"), "Jan Jan")
    assert (places.given, places.family) != (places.family, places.given)
    assert cut(PersonName(given="Jan", family="Jan"), "Jan") == {"given": "Jan"}


def test_what_is_written_otherwise_has_no_place() -> None:
    assert cut(PersonName(given="Jan", particle="van der", family="Berg"), "Jn v.d. Bergs") == {}
    assert cut(PersonName(given="Jan Willem", family="Bos"), "Jan W. Bos") == {
        "given": "Jan",
        "family": "Bos",
    }


WORDS = st.text(st.sampled_from("abÉßø'-. "), min_size=1, max_size=8).filter(lambda word: fold(word) != "")


@given(st.lists(WORDS, min_size=1, max_size=8), st.text(max_size=20), st.permutations(PARTS))
def test_places_lie_in_the_text_and_do_not_overlap(words: list[str], text: str, order: list[str]) -> None:
    written = " ".join([*words, text])
    found = part_places(PersonName(**dict(zip(order, words, strict=False))), written)
    places = sorted(place for part in PARTS if (place := getattr(found, part)) is not None)
    assert all(place.end <= len(written) for place in places)
    assert all(left.end <= right.start for left, right in pairwise(places))
