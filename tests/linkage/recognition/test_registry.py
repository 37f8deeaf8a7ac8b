"""Reading known persons, and which of them a name fits."""

import json
from pathlib import Path

import pytest

from linkage.errors import GazetteerError
from linkage.gazetteer import Gazetteer
from linkage.recognition.registry import KnownPerson, Registry
from linkage.records import PersonName

SANNE = KnownPerson("p1", given="Sanne Maria", particle="de", surname="Boer", birth_date="1980-02-01")
JAN = KnownPerson("p2", given="Jan", particle="de", surname="Boer")
TOM = KnownPerson("p3", initials="T.A.", surname="Vonkert", aliases=("Tommie", "De Vonk"))


@pytest.fixture
def registry(gazetteer: Gazetteer) -> Registry:
    return Registry((SANNE, JAN, TOM), gazetteer)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        (PersonName(given="sanne", particle="de", family="boer"), {"p1"}),
        (PersonName(given="sanne maria", particle="de", family="boer"), {"p1"}),
        (PersonName(initials="S.", particle="de", family="boer"), {"p1"}),
        (PersonName(initials="S.M.", particle="de", family="boer"), {"p1"}),
        (PersonName(initials="M.", particle="de", family="boer"), set()),
        (PersonName(given="kees", particle="de", family="boer"), set()),
        (PersonName(given="sanne", family="boer"), set()),
        (PersonName(given="sanne", particle="van de", family="boer"), set()),
        (PersonName(particle="de", family="boer"), {"p1", "p2"}),
        (PersonName(family="boer"), {"p1", "p2"}),
        (PersonName(initials="T.", family="vonkert"), {"p3"}),
        (PersonName(given="tobias", family="vonkert"), {"p3"}),
        (PersonName(initials="B.", family="vonkert"), set()),
        (PersonName(given="jan", family="boer smit", particle="de"), {"p2"}),
        (PersonName(given="jan", particle="de", family="boer", partner_family="smit"), {"p2"}),
        (PersonName(given="jan", family="smit", partner_particle="de", partner_family="boer"), {"p2"}),
        (PersonName(given="jan", family="smit", partner_family="boer"), set()),
        (PersonName(given="jan"), {"p2"}),
        (PersonName(given="kees"), set()),
        (PersonName(), set()),
    ],
)
def test_a_name_fits_those_whom_no_part_excludes(registry: Registry, name: PersonName, ids: set[str]) -> None:
    assert registry.matches(name) == ids


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_with_dutch_columns(tmp_path: Path, gazetteer: Gazetteer, delimiter: str) -> None:
    rows = [
        ["id", "Voornamen", "Voorletters", "Tussenvoegsel", "Achternaam", "Alias", "Geboortedatum"],
        ["7", "Anna Petra", "A.P.", "van der", "Hoek", "Anneke|Ans", "1970-01-31"],
    ]
    path = tmp_path / "persons.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows) + "\n", encoding="utf-8-sig")
    (person,) = Registry.read(path, gazetteer).persons
    assert person == KnownPerson(
        "7", "Anna Petra", "A.P.", "van der", "Hoek", ("Anneke", "Ans"), "1970-01-31"
    )


def test_lines_of_json(tmp_path: Path, gazetteer: Gazetteer) -> None:
    path = tmp_path / "persons.jsonl"
    rows = [
        {"id": 4, "given_names": ["Jan", "Piet"], "surname": "Bos", "aliases": ["Janus"]},
        {"id": "x", "alias": "Zus"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    first, second = Registry.read(path, gazetteer).persons
    assert (first.person_id, first.given, first.aliases) == ("4", "Jan Piet", ("Janus",))
    assert second.aliases == ("Zus",)


@pytest.mark.parametrize(
    "content",
    [
        "", "geen kopregel\nSanne de Boer", "id,surname\n1,Boer,te veel\n", "id,surname\n,Boer\n",
        "id,surname\n1,\n",
        '{"id": 1, "surname": "Boer"}\n[1]', '{"id": 1, "surname": ', "id,surname\n1,Boer\n1,Smit\n",
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_without_showing_a_name(
    tmp_path: Path, gazetteer: Gazetteer, content: str
) -> None:
    path = tmp_path / "Sanne.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GazetteerError) as caught:
        Registry.read(path, gazetteer)
    assert "Boer" not in str(caught.value)
    assert "Sanne" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path, gazetteer: Gazetteer) -> None:
    with pytest.raises(GazetteerError, match="cannot be read"):
        Registry.read(tmp_path / "Sanne.csv", gazetteer)


def test_known_identities(registry: Registry) -> None:
    sanne, _, tom = registry.known_identities()
    assert sanne.entity_id == "p1"
    assert sanne.attributes == {("birth_date", "1980-02-01")}
    assert (sanne.names[0].given, sanne.names[0].particle, sanne.names[0].family) == (
        "Sanne Maria",
        "de",
        "Boer",
    )
    assert tom.names[0].initials == "T.A."
    assert [(n.given, n.particle, n.family) for n in tom.names[1:]] == [
        ("Tommie", None, None),
        (None, "de", "Vonk"),
    ]


def test_an_alias_is_taken_apart_as_names_in_texts_are(gazetteer: Gazetteer) -> None:
    known = KnownPerson("a", aliases=("J.P. van der Hoek", "mevr. Smit-de Boer", "Anneke"))
    assert [tuple(n.parts()[:6]) for n in Registry((known,), gazetteer).names()] == [
        (None, "J.P.", "van der", "Hoek", None, None),
        (None, None, "de", "Boer", None, "Smit"),
        ("Anneke", None, None, None, None, None),
    ]


def test_nothing_shows_a_name(registry: Registry) -> None:
    assert "Boer" not in repr(registry) + repr(SANNE) + repr(PersonName(given="sanne", family="boer"))
