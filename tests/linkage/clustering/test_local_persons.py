"""Persons from groups of nodes: whose mentions, who is in doubt, whom the text tells apart."""

from linkage.clustering.local_persons import local_persons
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.nodes import Node
from linkage.constraints import Evidence
from linkage.records import PersonName

FORMS = [
    NameForm.of(name)
    for name in (
        PersonName(given="Piet", family="Woudstra"),
        PersonName(given="Mees"),
        PersonName(family="Mese"),
    )
]


def _node(mentions: list[int], form: int, *apart: int) -> Node:
    return Node(mentions, {form: len(mentions)}, Evidence(), FORMS[form].kind, set(apart))


def test_each_group_is_a_person_and_each_node_in_doubt_one_with_candidates() -> None:
    nodes = [_node([2, 4], 0, 3), _node([0], 1), _node([1], 1), _node([3], 0, 0)]
    persons = local_persons(nodes, FORMS, [[0, 1], [3]], {2: (0, 1)})
    assert [person.mentions for person in persons] == [[0, 2, 4], [3], [1]]
    assert [person.kind for person in persons] == [NameKind.FULL, NameKind.FULL, NameKind.GIVEN]
    assert [person.candidates for person in persons] == [(), (), (0, 1)]
    assert [person.apart for person in persons] == [{1}, {0}, set()]
    assert persons[0].forms == {0: 2, 1: 1}


def test_a_lone_word_is_the_kind_that_is_said_most() -> None:
    nodes = [_node([0, 1], 1), _node([2], 2)]
    assert local_persons(nodes, FORMS, [[0, 1]], {})[0].kind is NameKind.GIVEN
    nodes = [_node([0], 1), _node([1, 2], 2)]
    assert local_persons(nodes, FORMS, [[0, 1]], {})[0].kind is NameKind.FAMILY
