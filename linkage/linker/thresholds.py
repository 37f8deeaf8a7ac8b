"""Identities at the thresholds of a user: the people of the shipped thresholds, parted and joined by his.

Every join of these people is known with its probability (linkage.clustering.joins), and so are joins that
would follow if less were asked (linkage.clustering.further). Joins below the threshold of their kind are
undone, further ones from it up are made. No join depends on a threshold, so raising one never adds a link.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from linkage.clustering.average import Merge, average_linkage
from linkage.clustering.document import FormLinks
from linkage.clustering.document_joins import Join
from linkage.clustering.groups import Groups
from linkage.clustering.joins import Joins
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.people import CorpusPeople, Person
from linkage.constraints import Evidence
from linkage.linker.judged_persons import JudgedPersons
from linkage.linker.judgements import Verdicts
from linkage.records import LinkDecision, NormalizedMention

_LOST = 1e-9  # of a mean over probabilities, in rounding
_UNTOLD = 0.5  # of a join that nothing is noted of, as where people parted a person: what a document asks


@dataclass(frozen=True, slots=True)
class Bounds:
    """The probabilities from which two full names are a link, shorter names are a link, a pair is a question.

    Both bounds of links are those that a user gave, or else the shipped one.
    """

    link: float
    shorter: float
    review: float

    def decide(self, probability: float, *, is_full: bool) -> LinkDecision:
        """One of the three decisions; all bounds are inclusive."""
        if probability >= self.of(is_full=is_full):
            return LinkDecision.LINK
        return LinkDecision.POSSIBLE_LINK if probability >= self.review else LinkDecision.NON_LINK

    def of(self, *, is_full: bool) -> float:
        return self.link if is_full else self.shorter


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a user gave; None is what was shipped."""

    link: float | None = None
    short_name: float | None = None

    def __bool__(self) -> bool:
        return self.link is not None or self.short_name is not None

    def keeps(self, join: Join) -> bool:
        least = self.link if join.is_full else self.short_name
        return least is None or join.probability >= least - _LOST

    def adds(self, join: Join) -> bool:
        return (self.link if join.is_full else self.short_name) is not None and self.keeps(join)


@dataclass(frozen=True, slots=True)
class Linked:
    """What linking a corpus has found at the shipped thresholds."""

    mentions: Sequence[NormalizedMention]
    forms: Sequence[NameForm]
    judged: JudgedPersons
    people: CorpusPeople
    joins: Joins
    form_links: FormLinks
    verdicts: Verdicts


def at_thresholds(
    linked: Linked, further: Iterable[Join], thresholds: Thresholds, *, review: float
) -> tuple[JudgedPersons, CorpusPeople]:
    """The persons and groups at the thresholds. Whom an undone join had made one stay a question from review
    up.
    """
    joins = _GroupJoins(linked).joins()
    kept = [join for join in joins if thresholds.keeps(join)]
    parts = _Components()
    for join in (*kept, *filter(thresholds.adds, further)):
        parts.join(join.left, join.right)
    undone = [
        join for join in joins
        if join.probability >= review and parts.root(join.left) != parts.root(join.right)
    ]  # fmt: skip
    return _Parted(linked, parts).result(undone)


class _Components:
    """Ends of joins that hang together."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, end: int) -> int:
        while (above := self._parent.get(end, end)) != end:
            self._parent[end] = self._parent.get(above, above)
            end = above
        return end

    def join(self, left: int, right: int) -> None:
        first, other = sorted((self.root(left), self.root(right)))
        self._parent[other] = first


def ends_of(number: int, person: Person) -> Sequence[int]:
    """Its mentions; of a known person without mentions its own end, as Join has it."""
    return person.mentions or [-1 - number]


class _GroupJoins:
    """All joins inside the groups: those that were noted, and those that equal names and evidence make."""

    def __init__(self, linked: Linked) -> None:
        self._linked = linked
        self._persons = linked.judged.persons
        self._group_of = {
            end: linked.people.group_of[number]
            for number, person in enumerate(self._persons)
            for end in ends_of(number, person)
        }

    def joins(self) -> list[Join]:
        noted = [*self._linked.joins.of_corpus, *self._judged()]
        noted += [join for found in self._linked.joins.of_document.values() for join in found.joins]
        found = [j for j in noted if self._group_of.get(j.left) == self._group_of.get(j.right)]
        for group in self._linked.people.groups:
            found += self._of_full_names(group.persons)
        return found + self._untold(found)

    def _judged(self) -> list[Join]:
        """What people accepted: mentions, and within a group the names."""
        verdicts = self._linked.verdicts
        found = [Join(left, right, 1.0, is_full=True) for left, right in verdicts.accepted]
        wanted = {form: pair for pair in verdicts.accepted_forms for form in pair}
        first: dict[tuple[int, tuple[int, int]], int] = {}
        for end, group in self._group_of.items() if wanted else ():
            for form in self._forms_of(end):
                if form in wanted:
                    start = first.setdefault((group, wanted[form]), end)
                    found.append(Join(start, end, 1.0, is_full=True))
        return found

    def _forms_of(self, end: int) -> Iterable[int]:
        return (self._linked.joins.form_of[end],) if end >= 0 else self._persons[-1 - end].forms

    def _of_full_names(self, people: Sequence[int]) -> list[Join]:
        """The joins of one group by equal full names, by names alike, and by evidence that one person has."""
        bearers: dict[object, list[int]] = defaultdict(list)
        marks: dict[object, list[int]] = defaultdict(list)
        for number in people:
            person = self._persons[number]
            is_attached = number in self._linked.joins.attached
            first: int | None = None
            for end in ends_of(number, person):
                for form in self._forms_of(end):
                    if self._linked.forms[form].kind is NameKind.FULL:
                        bearers[(number, form) if is_attached else form].append(end)
                        first = end if first is None else first
            if first is not None and not is_attached:
                for mark in (*person.evidence.decisive(), *person.evidence.person_ids):
                    marks[mark].append(first)
        found = [
            Join(ends[0], end, 1.0, is_full=True)
            for ends in (*bearers.values(), *marks.values())
            for end in ends[1:]
        ]
        forms = sorted(form for form in bearers if isinstance(form, int))
        merges = _merges(forms, self._linked.form_links)
        return found + [Join(bearers[a][0], bearers[b][0], mean, is_full=True) for a, b, mean in merges]

    def _untold(self, joins: Iterable[Join]) -> list[Join]:
        """Joins of what else is in a group, so that all of it hangs together."""
        parts = _Components()
        for join in joins:
            parts.join(join.left, join.right)
        first: dict[int, int] = {}
        found: list[Join] = []
        for end, group in self._group_of.items():
            start = first.setdefault(group, end)
            if parts.root(start) != parts.root(end):
                is_full = all(self._is_full(one) for one in (start, end))
                found.append(Join(start, end, _UNTOLD, is_full))
                parts.join(start, end)
        return found

    def _is_full(self, end: int) -> bool:
        return any(self._linked.forms[form].kind is NameKind.FULL for form in self._forms_of(end))


def _merges(forms: Sequence[int], form_links: FormLinks) -> list[Merge]:
    """How full names of one person come together by likeness: pairs of forms, with the mean of each."""
    if len(forms) < 2:
        return []
    place = {form: position for position, form in enumerate(forms)}
    links = {
        (place[form], place[other]): probability
        for form in forms
        for other, probability in form_links.get(form, {}).items()
        if place[form] < place.get(other, -1)
    }
    merges: list[Merge] = []
    average_linkage(len(forms), links, (), threshold=0.0, merges=merges)
    return [(forms[left], forms[right], mean) for left, right, mean in merges]


class _Parted:
    """The persons and groups anew, by the components that joins leave."""

    def __init__(self, linked: Linked, parts: _Components) -> None:
        self._linked = linked
        self._parts = parts
        self._persons: list[Person] = []
        self._of_end: dict[int, int] = {}  # end -> new person
        self._pieces: list[list[int]] = []  # person before -> new persons, the fullest first
        for number, person in enumerate(linked.judged.persons):
            self._pieces.append(self._divide(number, person))

    def _divide(self, number: int, person: Person) -> list[int]:
        ends: dict[int, list[int]] = defaultdict(list)
        for end in ends_of(number, person):
            ends[self._parts.root(end)].append(end)
        pieces = list(ends.values())
        made = [person] if len(pieces) == 1 else [self._piece(person, mentions) for mentions in pieces]
        by_rank = sorted(range(len(made)), key=lambda n: (-made[n].kind, -len(made[n].mentions), n))
        numbers: list[int] = []
        for position in by_rank:
            # A known person is whoever of its mentions has the fullest name.
            entity = person.entity if position == by_rank[0] else None
            numbers.append(len(self._persons))
            self._of_end.update(dict.fromkeys(pieces[position], len(self._persons)))
            self._persons.append(replace(made[position], candidates=(), apart=set(), entity=entity))
        return numbers

    def _piece(self, person: Person, mentions: list[int]) -> Person:
        evidence = Evidence()
        forms: dict[int, int] = {}
        for mention in mentions:
            evidence.add(Evidence.of(self._linked.mentions[mention]))
            form = self._linked.joins.form_of[mention]
            forms[form] = forms.get(form, 0) + 1
        kind = max(self._linked.forms[form].kind for form in forms)
        return replace(person, mentions=mentions, forms=forms, evidence=evidence, kind=kind)

    def result(self, undone: Iterable[Join]) -> tuple[JudgedPersons, CorpusPeople]:
        groups = Groups(self._persons, self._linked.forms)
        members: dict[int, list[int]] = defaultdict(list)
        for number, person in enumerate(self._linked.judged.persons):
            for end in ends_of(number, person):
                members[self._parts.root(end)].append(self._of_end[end])
        for found in members.values():
            groups.new(dict.fromkeys(found))
        judged = self._linked.judged
        told_apart = {
            piece: frozenset(other for one in others for other in self._pieces[one])
            for number, others in judged.told_apart.items()
            for piece in self._pieces[number]
        }
        return (
            JudgedPersons(self._persons, told_apart, judged.unheld),
            CorpusPeople(groups.groups, groups.group_of, self._candidates(groups.group_of, undone)),
        )

    def _candidates(self, group_of: Sequence[int], undone: Iterable[Join]) -> dict[int, dict[int, float]]:
        """Who the persons in doubt may be: those of before, and those of the joins that were undone."""
        people = self._linked.people
        found: dict[int, dict[int, float]] = defaultdict(dict)

        def add(person: int, group: int, probability: float) -> None:
            if group != group_of[person]:
                found[person][group] = max(probability, found[person].get(group, 0.0))

        main = [self._main_piece(group.persons) for group in people.groups]
        for number, near in people.candidates.items():
            for group, probability in near.items():
                if (other := main[group]) is not None:
                    add(self._pieces[number][0], group_of[other], probability)
        for join in undone:
            add(self._of_end[join.left], group_of[self._of_end[join.right]], join.probability)
        return found

    def _main_piece(self, people: Sequence[int]) -> int | None:
        """The known one of the persons, else the fullest with most mentions; None where there is nobody."""
        pieces = [piece for number in people for piece in self._pieces[number][:1]]
        return max(
            pieces,
            key=lambda n: (
                self._persons[n].entity is not None, self._persons[n].kind, len(self._persons[n].mentions), -n
            ),
            default=None,
        )  # fmt: skip
