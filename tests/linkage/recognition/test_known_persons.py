"""Persons of the registry in a text."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.names_list import NamesList
from linkage.recognition.registry import KnownPerson, Registry
from linkage.records import Detector, Document, DocumentId

PERSONS = (
    KnownPerson("sanne", given="Sanne", particle="de", surname="Boer"),
    KnownPerson("jan", given="Jan Peter", particle="de", surname="Boer", aliases=("De Reus",)),
    KnownPerson("xan", given="Xandrique", surname="Vurbelaar"),
    KnownPerson("zon", given="Truus", surname="Zon"),
)


@pytest.fixture
def names(gazetteer: Gazetteer) -> NamesList:
    return NamesList(gazetteer, registry=Registry(PERSONS, gazetteer))


def persons(names: NamesList, text: str) -> list[tuple[str, str | None]]:
    found = names.find(Document(DocumentId("d"), text))
    return [
        (m.surface, m.person_id) for m in found if m.detector is Detector.REGISTRY and m.confidence >= 0.5
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dat zei Sanne de Boer.", [("Sanne de Boer", "sanne")]),
        ("S. de Boer tekende.", [("S. de Boer", "sanne")]),
        ("Boer, J.P. de\n", [("Boer, J.P. de", "jan")]),
        ("BOER, SANNE DE\n", [("BOER, SANNE DE", "sanne")]),
        ("JAN PETER DE BOER kwam.", [("JAN PETER DE BOER", "jan")]),
        ("Mevrouw De Boer belde.", [("De Boer", None)]),
        ("Xandrique Vurbelaar kwam. Later ging Xandrique weg.",
         [("Xandrique Vurbelaar", "xan"), ("Xandrique", "xan")]),
        ("Dhr. Vurbelaar was er.", [("Vurbelaar", "xan")]),
        ("gister zag ik vurbelaar nog", [("vurbelaar", "xan")]),
        ("Kees Vurbelaar kwam. Vurbelaar at.", [("Vurbelaar", None)]),
        ("Sanne de Boer kwam; De Boer at.", [("Sanne de Boer", "sanne"), ("De Boer", "sanne")]),
        ("De reus lachte. Iedereen zag De Reus.", [("De reus", "jan"), ("De Reus", "jan")]),
        ("Mevrouw Zon. De zon scheen.", [("Zon", "zon")]),
        ("Kees de Boer is een ander.", []),
        ("Dat zei Sanne Hoekstra-de Boer.", [("Sanne Hoekstra-de Boer", "sanne")]),
        ("Dat zei Sanne de Boer-Hoekstra.", [("Sanne de Boer-Hoekstra", "sanne")]),
    ],
)  # fmt: skip
def test_known_persons_are_found_under_their_id(
    names: NamesList, text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert persons(names, text) == expected


def test_a_given_name_alone_is_no_proof(names: NamesList) -> None:
    assert persons(names, "Ik sprak Sanne gisteren.") == [("Sanne", None)]


def test_without_a_registry_nobody_has_an_id(gazetteer: Gazetteer) -> None:
    found = NamesList(gazetteer).find(Document(DocumentId("d"), "Dat zei Sanne de Boer."))
    assert [m.person_id for m in found] == [None]
