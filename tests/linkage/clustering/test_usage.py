"""How a group is called where it is not named in full. All names are invented."""

import pytest

from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm
from linkage.clustering.people import Person
from linkage.clustering.usage import Usage
from linkage.constraints import Evidence
from linkage.records import PersonName


def _usage(called: dict[PersonName, int], asked: PersonName) -> float:
    names = [*called, asked]
    forms = [NameForm.of(name) for name in names]
    persons = [
        Person(str(n), {n}, [], {n: called.get(name, 1)}, Evidence(), forms[n].kind)
        for n, name in enumerate(names)
    ]
    groups = Groups(persons, forms)
    group = groups.new(range(len(called)))
    return Usage(groups).agreement(len(called), group)


FULL = PersonName(given="Cornelis", family="Woudstra")


@pytest.mark.parametrize(
    ("usual", "same", "other"),
    [
        (PersonName(given="Cor"), PersonName(given="Cor"), PersonName(given="Kees")),
        (PersonName(given="Fokkelien"), PersonName(given="Fokkelein"), PersonName(given="Fokje")),
        (
            PersonName(initials="H.J.", family="Woudstra"),
            PersonName(initials="H.J.", family="Wuodstra"),
            PersonName(initials="H.", family="Woudstra"),
        ),
        (PersonName(family="Woudstra"), PersonName(family="Woudsrta"), PersonName(family="Woudema")),
    ],
)
def test_a_name_that_the_others_are_not_called_by_agrees_less(
    usual: PersonName, same: PersonName, other: PersonName
) -> None:
    assert _usage({FULL: 3, usual: 9}, same) == 1.0
    assert _usage({FULL: 3, usual: 9}, other) == pytest.approx(0.1)


def test_one_mention_says_nothing_and_full_names_do_not_count() -> None:
    assert _usage({FULL: 3, PersonName(given="Cor"): 1}, PersonName(given="Kees")) == 1.0
    assert _usage({FULL: 3, PersonName(given="Cor"): 9}, PersonName(initials="C.W.")) == 1.0
