"""How the people of a project differ from those of one go over everything: pure, by numbers of people.

What people judged wins: who was said to be one person stays one, who was said to be two stays two.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from linkage.records import MentionId, ScoredLink
from linkage.relinking import FoundAnew, OpenAnew, PersonAnew
from pseudonymizer.relinks import ChangeKind
from pseudonymizer.vault.rows.identifiers import entity_number

Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class StoredLinks:
    """The links of a project between two entities, by their numbers. judged: those of `one` that somebody
    said, and no linker.
    """

    one: frozenset[Pair] = frozenset()
    judged: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()
    open: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Planned:
    """One change, between people of the project by the places of the people found anew.

    entities: numbers, of a split the one that loses mentions, and the one that gets them if there is one.
    places: of the person who gets mentions, or of the two of a question.
    """

    kind: ChangeKind
    entities: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    found: tuple[MentionId, ...] = field(default=(), repr=False)
    link: ScoredLink | None = None
    may_be: bool = False


def planned(found: FoundAnew, stored: StoredLinks) -> tuple[Planned, ...]:
    """The changes that make the people of the project those found anew: first who is parted, then joined,
    then what goes over, then what is asked.
    """
    return tuple(_Plan(found, stored).changes())


class _Plan:
    def __init__(self, found: FoundAnew, stored: StoredLinks) -> None:
        self._found, self._stored = found, stored
        self._entities = [tuple(map(entity_number, person.entities)) for person in found.people]
        self._place_of = {e: place for place, numbers in enumerate(self._entities) for e in numbers}
        self._one: dict[int, int] = {}  # towards the entity that stands for all that are one person

    def changes(self) -> Iterator[Planned]:
        parted = [pair for pair in sorted(self._stored.one, key=sorted) if self._is_parted(pair)]
        for pair in parted:
            yield Planned(ChangeKind.UNMERGE, tuple(sorted(pair)))
        for pair in self._stored.one.difference(parted):
            self._join(*pair)
        for numbers in self._entities:
            yield from self._merged(numbers)
        for place, person in enumerate(self._found.people):
            yield from self._split(place, person)
        yield from self._asked()

    def _is_parted(self, pair: Pair) -> bool:
        """Whether a linker said that two are one, who are found to be two."""
        places = {self._place_of.get(entity) for entity in pair}
        return len(places) == 2 and None not in places and pair not in self._stored.judged

    def _merged(self, numbers: Sequence[int]) -> Iterator[Planned]:
        if not numbers:
            return
        first, *others = numbers
        new: list[int] = []
        for other in others:
            if self._stands_for(other) != self._stands_for(first) and not self._are_apart(first, other):
                new.append(other)
                self._join(first, other)
        if new:
            yield Planned(ChangeKind.MERGE, (first, *new))

    def _split(self, place: int, person: PersonAnew) -> Iterator[Planned]:
        target = self._entities[place][:1]
        for owner, found in sorted(person.parts.items()):
            old = entity_number(owner)
            if target and (
                self._are_apart(old, target[0]) or self._stands_for(old) == self._stands_for(target[0])
            ):
                continue
            yield Planned(ChangeKind.SPLIT, (old, *target), (place,), found)

    def _asked(self) -> Iterator[Planned]:
        open_ = {frozenset(map(self._stands_for, pair)) for pair in self._stored.open}
        for question in self._found.questions:
            sides = (question.left, question.right)
            if all(map(self._has_somebody, sides)) and self._is_new(question, open_):
                yield Planned(
                    ChangeKind.OPEN,
                    tuple(self._entities[question.left][:1] + self._entities[question.right][:1]),
                    sides, link=question.link, may_be=question.may_be,
                )  # fmt: skip

    def _is_new(self, question: OpenAnew, open_: set[Pair]) -> bool:
        left, right = self._entities[question.left][:1], self._entities[question.right][:1]
        if not left or not right:
            return True
        both = frozenset(map(self._stands_for, (*left, *right)))
        if len(both) < 2 or both in open_ or self._are_apart(left[0], right[0]):
            return False
        open_.add(both)
        return True

    def _has_somebody(self, place: int) -> bool:
        return bool(self._entities[place] or self._found.people[place].parts)

    def _are_apart(self, left: int, right: int) -> bool:
        return frozenset((left, right)) in self._stored.apart

    def _stands_for(self, entity: int) -> int:
        while (other := self._one.get(entity, entity)) != entity:
            entity = other
        return entity

    def _join(self, left: int, right: int) -> None:
        one, other = sorted(map(self._stands_for, (left, right)))
        if one != other:
            self._one[other] = one


def of_pairs(pairs: Iterable[tuple[int, int]]) -> frozenset[Pair]:
    """Pairs without an order, of two different numbers."""
    return frozenset(frozenset(pair) for pair in pairs if pair[0] != pair[1])
