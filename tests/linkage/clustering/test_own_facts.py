"""Values that several people have are nobody's own. All people are invented."""

import pytest

from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks
from linkage.clustering.own_facts import values_of_several
from linkage.clustering.people import Person
from linkage.constraints import Evidence
from linkage.records import PersonName

PHONE = ("phone", "0612345678")
NO_LINKS = PartLinks({}, {}, {})


def people(*names: PersonName, attribute: tuple[str, str] = PHONE) -> tuple[list[Person], list[NameForm]]:
    """People of one document each who have the same attribute."""
    forms = [NameForm.of(name) for name in names]
    persons = [
        Person(f"{n:06}", {n}, [n], {n: 1}, Evidence(attributes={attribute}), form.kind)
        for n, form in enumerate(forms)
    ]
    return persons, forms


JAN, ELS = PersonName(given="Jan", family="Roorda"), PersonName(given="Els", family="Roorda")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (JAN, ELS),
        (JAN, PersonName(given="Fop", family="Zandwijk")),
        (PersonName(initials="J.", family="Roorda"), PersonName(initials="F.", family="Zandwijk")),
    ],
    ids=["household", "office", "initials"],
)
def test_what_people_of_different_names_have_is_nobodys_own(left: PersonName, right: PersonName) -> None:
    persons, forms = people(left, right)
    assert values_of_several(persons, forms, NO_LINKS) == {PHONE}
    groups = Groups(persons, forms, {PHONE})
    first = groups.new([0])
    assert not groups.is_own(PHONE)
    assert groups.sharing_attribute(1) == set()
    assert not groups.shares_attribute(1, first)


@pytest.mark.parametrize(
    "right",
    [
        JAN,
        PersonName(initials="J.", family="Roorda"),
        PersonName(given="Jan", family="Zandwijk"),
        PersonName(family="Zandwijk"),
        PersonName(given="Els"),
    ],
    ids=["same", "initials", "other surname", "surname alone", "given name alone"],
)
def test_what_people_have_who_may_be_one_is_their_own(right: PersonName) -> None:
    persons, forms = people(JAN, right)
    assert values_of_several(persons, forms, NO_LINKS) == frozenset()
    groups = Groups(persons, forms)
    first = groups.new([0])
    assert groups.sharing_attribute(1) == {first}


def test_forms_of_one_given_name_are_no_two_people() -> None:
    persons, forms = people(JAN, PersonName(given="Johannes", family="Roorda"))
    links = PartLinks({"jan": {"johannes": 0.9}}, {}, {})
    assert values_of_several(persons, forms, links) == frozenset()
    assert values_of_several(persons, forms, NO_LINKS) == {PHONE}


@pytest.mark.parametrize("kind", ["birth_date", "bsn"])
def test_a_birth_date_in_common_stays_evidence(kind: str) -> None:
    persons, forms = people(JAN, ELS, attribute=(kind, "1"))
    assert values_of_several(persons, forms, NO_LINKS) == frozenset()
