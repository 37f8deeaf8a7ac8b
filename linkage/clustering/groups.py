"""The groups of persons while they grow, with what is looked up of them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field

from linkage.clustering.joins import Joins
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import suffixes_of
from linkage.clustering.people import Group, Person
from linkage.constraints import OF_TWO_MATTERS, Evidence, Reason, reason_apart

# What people rarely share: one value in common speaks for one person where the names already fit.
_SHORT = {NameKind.GIVEN, NameKind.FAMILY}
_BOTH = frozenset({"given", "family"})
_COMPARABLE = {
    NameKind.LETTERS: frozenset[str](),
    NameKind.GIVEN: frozenset({"given"}),
    NameKind.FAMILY: frozenset({"family"}),
    NameKind.INITIALS: frozenset({"family"}),
    NameKind.FULL: _BOTH,
}
SHARED_KINDS = frozenset({"birth_date", "bsn", "email", "phone", "dossier", "iban"})


@dataclass(slots=True)
class _Totals:
    """What is asked of a group again and again, kept as persons join."""

    people: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    suffixes: set[str] = field(default_factory=set)
    known: int = 0
    called: Counter[NameKind] = field(default_factory=Counter)  # persons by the kinds of their forms
    called_only: Counter[NameKind] = field(default_factory=Counter)  # those with no lone name beside
    short: int = 0  # persons with a lone name


class Groups:
    """Partition of persons under construction; group numbers are indexes of groups, -1 = in none yet."""

    def __init__(
        self,
        persons: Sequence[Person],
        forms: Sequence[NameForm],
        of_several: Collection[tuple[str, str]] = frozenset(),
    ) -> None:
        """of_several: attributes that several people have, which speak for nobody."""
        self.persons = persons
        self.forms = forms
        self._of_several = of_several
        self.groups: list[Group] = []
        self.group_of: list[int] = [-1] * len(persons)
        self.changes = 0  # grows whenever a group changes: what was worked out before may no longer hold
        self.candidates: dict[int, dict[int, float]] = {}
        self.joined: set[int] = set()  # persons that evidence added to a group
        self.joins: Joins | None = None  # where joins are noted, if anybody asks for them
        self.in_document: dict[int, set[int]] = defaultdict(set)
        self.of_form: dict[int, set[int]] = defaultdict(set)
        self._suffixes_of = [suffixes_of(person.forms, forms) for person in persons]
        self._with_attribute: dict[tuple[str, str], set[int]] = defaultdict(set)
        # For each person a number that those of one kind with the same forms share: their names say the same.
        numbers: dict[tuple[NameKind, tuple[int, ...]], int] = {}
        self.names_of = [
            numbers.setdefault((person.kind, tuple(sorted(person.forms))), len(numbers)) for person in persons
        ]
        self._totals: dict[int, _Totals] = defaultdict(_Totals)
        self._full_in_document: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))

    def new(self, members: Iterable[int]) -> int:
        number = len(self.groups)
        self.groups.append(Group([], set(), {}, Evidence(), NameKind.LETTERS))
        for person in members:
            self.join(person, number)
        return number

    def join(self, number: int, group_number: int) -> None:
        person, group = self.persons[number], self.groups[group_number]
        self.changes += 1
        group.persons.append(number)
        group.documents |= person.documents
        group.further_documents += person.further_documents
        group.evidence.add(person.evidence)
        group.kind = max(group.kind, person.kind)
        for form, count in person.forms.items():
            self.of_form[form].add(group_number)
            group.forms[form] = group.forms.get(form, 0) + count
        for attribute in person.evidence.attributes:
            if self.is_own(attribute):
                self._with_attribute[attribute].add(group_number)
        for document in person.documents:
            self.in_document[document].add(group_number)
            if person.kind >= NameKind.INITIALS and person.entity is None:
                self._full_in_document[group_number][document].add(number)
        self.group_of[number] = group_number
        totals = self._totals[group_number]
        totals.people.add(number)
        totals.apart |= person.apart
        totals.suffixes |= self._suffixes_of[number]
        totals.known += person.entity is not None
        kinds = {self.forms[f].kind for f in person.forms}
        is_short = bool(kinds & _SHORT)
        totals.short += is_short
        totals.called.update(kinds)
        if not is_short:
            totals.called_only.update(kinds)

    def called(self, group_number: int, kind: NameKind) -> tuple[int, int]:
        """How many persons of a group go by a lone name or a form of this kind, and how many by this kind."""
        totals = self._totals[group_number]
        return totals.short + totals.called_only[kind], totals.called[kind]

    def absorb(self, into: int, other: int) -> None:
        """Make the persons of one group members of another; the emptied group keeps its number."""
        gone = self.groups[other]
        self.changes += 1
        for document in gone.documents:
            self.in_document[document].discard(other)
        for form in gone.forms:
            self.of_form[form].discard(other)
        for attribute in gone.evidence.attributes:
            if self.is_own(attribute):
                self._with_attribute[attribute].discard(other)
        people = gone.persons
        self._full_in_document.pop(other, None)
        self._totals.pop(other, None)
        self.groups[other] = Group([], set(), {}, Evidence(), NameKind.LETTERS)
        for person in people:
            self.join(person, into)
        for near in self.candidates.values():
            if other in near:
                near[into] = max(near.get(into, 0.0), near.pop(other))

    def excluded(self, number: int, group_number: int, spared: Set[Reason] = OF_TWO_MATTERS) -> bool:
        """Whether evidence, the text, a suffix or the vault says that a person is none of a group."""
        person, group, totals = self.persons[number], self.groups[group_number], self._totals[group_number]
        reason = reason_apart(
            person.evidence, group.evidence, spared,
            is_told=bool(person.apart) and not person.apart.isdisjoint(totals.people),
            is_known=person.entity is not None and totals.known > 0,
            suffixes=(self._suffixes_of[number], totals.suffixes),
        )  # fmt: skip
        return reason is not None

    def rivals(self, number: int, group_number: int) -> bool:
        """Whether the group has another full name in a document of this person, who has one too.

        The document itself left the two apart: it saw both names and did not make them one.
        """
        person = self.persons[number]
        if person.kind < NameKind.INITIALS or person.entity is not None:
            return False
        there = self._full_in_document.get(group_number)
        if there is None or there.keys().isdisjoint(person.documents):
            return False
        return any(there.get(d, set()) - {number} for d in person.documents)

    def apart(self, left: int, right: int, *, but_in: Collection[int] = ()) -> bool:
        """Whether two groups cannot become one: a document has both, or evidence speaks against it.

        but_in: documents that may have both all the same.
        """
        a, b = self.groups[left], self.groups[right]
        mine, theirs = self._totals[left], self._totals[right]
        reason = reason_apart(
            a.evidence, b.evidence,
            is_told=not mine.apart.isdisjoint(theirs.people) or not theirs.apart.isdisjoint(mine.people),
            is_known=mine.known + theirs.known > 1, suffixes=(mine.suffixes, theirs.suffixes),
        )  # fmt: skip
        if reason is not None:
            return True
        return not a.documents.isdisjoint(b.documents) and self._told_apart_in_documents(left, right, but_in)

    def _told_apart_in_documents(self, left: int, right: int, but_in: Collection[int]) -> bool:
        """Whether a document has both by parts of names that it could compare, and did not make them one.

        It could not for a lone given name and a surname, or for the letters of a signature.
        """
        parts: dict[int, set[str]] = {}
        for number in self.groups[left].persons:
            for document in self.persons[number].documents:
                parts.setdefault(document, set()).update(self._parts(number))
        return any(
            self._parts(number) & parts[document]
            for number in self.groups[right].persons
            for document in self.persons[number].documents
            if document in parts and document not in but_in
        )

    def _parts(self, number: int) -> frozenset[str]:
        person = self.persons[number]
        if person.entity is not None:
            return _BOTH
        return _COMPARABLE[person.kind]

    def sharing_attribute(self, number: int) -> set[int]:
        """The groups that have an attribute in common with a person which people rarely share."""
        attributes = self.persons[number].evidence.attributes
        return {g for a in attributes if self.is_own(a) for g in self._with_attribute.get(a, ())}

    def is_own(self, attribute: tuple[str, str]) -> bool:
        """Whether people rarely share an attribute, and none of this corpus do."""
        return attribute[0] in SHARED_KINDS and attribute not in self._of_several

    def shares_attribute(self, number: int, group_number: int) -> bool:
        mine, theirs = self.persons[number].evidence.attributes, self.groups[group_number].evidence.attributes
        return any(a in theirs for a in mine if self.is_own(a))
