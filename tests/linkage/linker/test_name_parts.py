"""Parts of names are taken apart as clustering does it."""

import pytest

from linkage.blocking.forms import family_parts, given_parts
from linkage.clustering.name_forms import NameForm
from linkage.linker.name_parts import NameParts
from linkage.records import PersonName

NAMES = [
    PersonName(given="Jan Willem", particle="van den", family="Berg"),
    PersonName(given="Johannes", family="de Boer", nickname="Hans"),
    PersonName(initials="A.B.", family="Smit", partner_particle="de", partner_family="El Amrani"),
    PersonName(given="Soerdjp0s"),
    PersonName(initials="J."),
]


def texts(name: PersonName) -> list[str]:
    return [part or "" for part in name.parts()]


@pytest.mark.parametrize("name", NAMES)
def test_words_are_those_of_the_form(name: PersonName) -> None:
    form = NameForm.of(name)
    assert NameParts().words_in(texts(name)) == form.words | set(form.families)


@pytest.mark.parametrize("name", NAMES[:3])
def test_parts_are_those_of_blocking(name: PersonName) -> None:
    assert NameParts().given_parts(texts(name)) == set(given_parts(name))
    assert NameParts().family_parts(texts(name)) == set(family_parts(name))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        (PersonName(given="Kacper"), "kacper"),
        (PersonName(family="Kacper"), "kacper"),
        (PersonName(given="Xavier Martina"), "martina"),
        (PersonName(given="Jan", family="Smit"), None),
        (PersonName(family="El Amrani"), None),
    ],
)
def test_a_lone_word_may_be_a_given_name_or_a_surname(name: PersonName, word: str | None) -> None:
    assert NameParts().lone_word(texts(name)) == word


def test_roles_are_those_of_names_with_a_surname_and_something_before_it() -> None:
    parts = NameParts()
    assert parts.roles(texts(NAMES[1])) == (("johannes", "hans"), ["de boer"])
    assert parts.roles(texts(NAMES[2])) == ((), ["smit", "el amrani"])
    assert parts.roles(texts(PersonName(family="Smit"))) == ((), ())


def test_equal_folded_parts_have_one_key_however_many_parts_are_given() -> None:
    parts = NameParts()
    assert parts.key(["Jan", "", "", "Smit"]) == parts.key(["JAN", "", "", "smit", "", "", "", ""])
    assert parts.key(["Jan", "", "", "Smit"]) != parts.key(["Jan", "", "", "Smits"])
