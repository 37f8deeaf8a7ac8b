"""Known people and their sightings as records. All names are invented."""

from dataclasses import replace

import pytest
from rich.pretty import pretty_repr

from linkage.records import DocumentId, EntityId, KnownIdentity, PersonName, Sighting, UnclearSighting

PIET = PersonName(given="Piet", family="Woudstra")


def test_a_person_of_a_registry_has_names_alone() -> None:
    known = KnownIdentity(EntityId("7"), (PIET,), frozenset({("birth_date", "1951-03-12")}))
    assert (known.seen_with, known.sightings, known.unclear, known.apart) == (
        frozenset(),
        (),
        (),
        frozenset(),
    )
    assert replace(known, names=()).attributes == known.attributes


def test_sightings_are_frozen_and_compared_by_value() -> None:
    one, other = (Sighting(DocumentId("d"), 0, "Piet Woudstra", PIET) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Sighting(DocumentId("d"), 1, "Piet Woudstra", PIET)
    with pytest.raises(AttributeError):
        one.start = 3  # type: ignore[misc]


def test_reprs_of_known_people_show_no_name() -> None:
    sighting = Sighting(DocumentId("d"), 0, "Piet Woudstra", PIET)
    known = KnownIdentity(EntityId("e1"), (PIET,), sightings=(sighting,))
    unclear = UnclearSighting(EntityId("e2"), sighting)
    for shown in (repr([known, unclear, sighting]), pretty_repr([known, unclear, sighting])):
        assert "Woudstra" not in shown
    assert "e1" in repr(known)
