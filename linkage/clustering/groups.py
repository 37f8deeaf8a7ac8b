"""The groups of persons while they grow, with what is looked up of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from linkage.clustering.evidence import Evidence
from linkage.clustering.names import NameForm, NameKind, suffixes_clash
from linkage.clustering.people import Group, Person

# What people rarely share: one value in common speaks for one person where the names already fit.
SHARED_KINDS = frozenset({"birth_date", "bsn", "email", "phone", "dossier"})


class Groups:
    """Partition of persons under construction; group numbers are indexes of groups, -1 = in none yet."""

    def __init__(self, persons: Sequence[Person], forms: Sequence[NameForm]) -> None:
        self.persons = persons
        self.forms = forms
        self.groups: list[Group] = []
        self.group_of: list[int] = [-1] * len(persons)
        self.candidates: dict[int, dict[int, float]] = {}
        self.joined: dict[int, float] = {}
        self.in_document: dict[int, set[int]] = defaultdict(set)
        self.of_form: dict[int, set[int]] = defaultdict(set)
        self._full_in_document: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))

    def new(self, members: Iterable[int]) -> int:
        number = len(self.groups)
        self.groups.append(Group([], set(), {}, Evidence(), NameKind.LETTERS))
        for person in members:
            self.join(person, number)
        return number

    def join(self, number: int, group_number: int) -> None:
        person, group = self.persons[number], self.groups[group_number]
        group.persons.append(number)
        group.documents |= person.documents
        group.evidence.add(person.evidence)
        group.kind = max(group.kind, person.kind)
        for form, count in person.forms.items():
            self.of_form[form].add(group_number)
            group.forms[form] = group.forms.get(form, 0) + count
        for document in person.documents:
            self.in_document[document].add(group_number)
            if person.kind >= NameKind.INITIALS and person.entity is None:
                self._full_in_document[group_number][document].add(number)
        self.group_of[number] = group_number

    def absorb(self, into: int, other: int) -> None:
        """Make the persons of one group members of another; the emptied group keeps its number."""
        gone = self.groups[other]
        for document in gone.documents:
            self.in_document[document].discard(other)
        for form in gone.forms:
            self.of_form[form].discard(other)
        people = gone.persons
        self._full_in_document.pop(other, None)
        self.groups[other] = Group([], set(), {}, Evidence(), NameKind.LETTERS)
        for person in people:
            self.join(person, into)
        for near in self.candidates.values():
            if other in near:
                near[into] = max(near.get(into, 0.0), near.pop(other))

    def excluded(self, number: int, group_number: int, *, by_gender: bool = True) -> bool:
        """Whether evidence, the text, a suffix or the vault says that a person is none of a group."""
        person, group = self.persons[number], self.groups[group_number]
        # A patient may be a doctor in the papers of another matter: that alone leaves it open.
        if person.evidence.excludes(group.evidence, by_gender=by_gender, by_side=False):
            return True
        if person.apart and any(other in person.apart for other in group.persons):
            return True
        if person.entity is not None and any(self.persons[p].entity is not None for p in group.persons):
            return True
        return any(suffixes_clash(self.forms[f], self.forms[g]) for f in person.forms for g in group.forms)

    def rivals(self, number: int, group_number: int) -> bool:
        """Whether the group has another full name in a document of this person, who has one too.

        The document itself left the two apart: it saw both names and did not make them one.
        """
        person = self.persons[number]
        if person.kind < NameKind.INITIALS or person.entity is not None:
            return False
        there = self._full_in_document.get(group_number)
        return there is not None and any(there.get(d, set()) - {number} for d in person.documents)

    def apart(self, left: int, right: int) -> bool:
        a, b = self.groups[left], self.groups[right]
        if a.documents & b.documents or a.evidence.excludes(b.evidence):
            return True
        entities = [p for p in (*a.persons, *b.persons) if self.persons[p].entity is not None]
        return len(entities) > 1 or any(self.excluded(p, left) for p in b.persons)

    def shares_attribute(self, number: int, group_number: int) -> bool:
        mine, theirs = self.persons[number].evidence.attributes, self.groups[group_number].evidence.attributes
        return any(a in theirs for a in mine if a[0] in SHARED_KINDS)
