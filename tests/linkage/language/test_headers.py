"""Header words: what a title says, in any spelling."""

import pytest

from linkage.kinds import PERSON, Kinds
from linkage.language import Language
from linkage.language.headers import About, NamePart, bare
from linkage.texts import KindId

HEADERS = Language.load("nl").headers


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("BSN", "NATIONAL_ID"),
        ("bsn_nummer", "NATIONAL_ID"),
        ("Geb.datum", "BIRTH_DATE"),
        ("geboortedatumKind", "BIRTH_DATE"),
        ("Tel. nr. werk", "PHONE"),
        ("E-mail 2", "EMAIL"),
        ("Woonplaats", "CITY"),
        ("IBAN partner", "BANK_ACCOUNT"),
        ("Patiënt_naam", "PERSON"),
        ("opmerkingen", None),
    ],
)
def test_a_title_says_a_kind(title: str, kind: str | None) -> None:
    found = HEADERS.find(title)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("title", ["", "x", "kolom 3", "2024", "nr", "id", "prefix"])
def test_a_title_says_nothing(title: str) -> None:
    assert HEADERS.find(title) is None


def test_a_part_of_a_name_of_one_of_several_people_is_a_name_of_its_own() -> None:
    own, other = HEADERS.find("achternaam"), HEADERS.find("achternaam partner")
    assert own is not None
    assert other is not None
    assert (own.part, other.part) == (NamePart.FAMILY, NamePart.FULL)


def test_every_word_stands_once_and_names_a_kind_that_there_is() -> None:
    words = [bare(header.text) for header in HEADERS]
    assert len(set(words)) == len(words)
    assert all(words)
    assert {header.kind for header in HEADERS} - {None} <= set(Kinds.load())


def test_a_registry_prefers_the_first_words_of_the_table() -> None:
    given = HEADERS.of_registry(PERSON, NamePart.GIVEN)
    assert given.index("voornamen") < given.index("roepnaam")
    assert HEADERS.of_registry(PERSON, NamePart.ID)[0] == "id"
    assert "geboortedatum" in HEADERS.of_registry(KindId("BIRTH_DATE"))
    assert {header.text for header in HEADERS if header.about is About.REGISTRY} >= {"nr", "alias", "prefix"}
