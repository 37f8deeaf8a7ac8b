"""The persons of one document, from its groups of nodes."""

from collections import Counter
from collections.abc import Mapping, Sequence

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.nodes import Node
from linkage.clustering.people import LocalPerson
from linkage.constraints import Evidence


def local_persons(
    nodes: Sequence[Node],
    forms: Sequence[NameForm],
    groups: Sequence[Sequence[int]],
    in_doubt: Mapping[int, tuple[int, ...]],
) -> list[LocalPerson]:
    """One person a group; then one for each node in doubt, with the groups it may belong to."""
    persons = [_person([nodes[number] for number in members], forms) for members in groups]
    owner = {node: group for group, members in enumerate(groups) for node in members}
    for number, candidates in sorted(in_doubt.items()):
        owner[number] = len(persons)
        person = _person([nodes[number]], forms)
        person.candidates = candidates
        persons.append(person)
    for number, node in enumerate(nodes):
        for other in node.apart:
            if owner[number] != owner[other]:
                persons[owner[number]].apart.add(owner[other])
    return persons


def _person(nodes: Sequence[Node], forms: Sequence[NameForm]) -> LocalPerson:
    person = LocalPerson([], {}, Evidence(), nodes[0].kind)
    for node in nodes:
        person.mentions += node.mentions
        for form, count in node.forms.items():
            person.forms[form] = person.forms.get(form, 0) + count
        person.evidence.add(node.evidence)
        person.kind = max(person.kind, node.kind)
    if person.kind is NameKind.FAMILY:  # "Mees" thrice and "Mese", which a list has as a surname
        kinds = Counter[NameKind]()
        for form, count in person.forms.items():
            kinds[forms[form].kind] += count
        if kinds[NameKind.GIVEN] > kinds[NameKind.FAMILY]:
            person.kind = NameKind.GIVEN
    person.mentions.sort()
    return person
