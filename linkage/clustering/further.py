"""Joins beyond the shipped thresholds: which groups would be one person if less were asked of a link.

They are worked out once, from the groups as the shipped thresholds make them, whatever a user asks for: so a
lower threshold only adds joins. The surest go first. Nothing joins what evidence tells apart, or a document
by names that it compared; a name in doubt between several stays in doubt. No such join is as sure as a
shipped threshold asks: at those it is none.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from linkage.clustering.document import FormLinks
from linkage.clustering.document_joins import Join
from linkage.clustering.groups import Groups
from linkage.clustering.joins import Joins
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import PartLinks, further_names_clash
from linkage.clustering.people import CorpusPeople, CorpusRules, Person, short_of_a_link

_Pair = tuple[int, int]
_DOUBT_LOG_ODDS = 2.5  # as CorpusRules.doubt_log_odds: a rival as near as this leaves it open
_EQUALLY = 0.05  # probabilities as near as this do not say which of two is meant
_LOST = 1e-9  # means that differ by less are equal
_MOST_PAIRS = 2_000  # pairs of groups by two names; who bears a commoner name stays in doubt in any case


def further_joins(
    persons: Sequence[Person],
    forms: Sequence[NameForm],
    people: CorpusPeople,
    form_links: FormLinks,
    part_links: PartLinks,
    joins: Joins,
    documents: Mapping[int, int],
    rules: CorpusRules,
) -> list[Join]:
    """documents: mention -> number of its document. rules: the shipped thresholds."""
    groups = Groups(persons, forms)
    for group in people.groups:
        if group.persons:
            groups.new(group.persons)
    left_two = _LeftTwo(joins, documents)
    strengths = {
        (form, other): min(probability, left_two.probability(form, other))
        for form, found in form_links.items()
        for other, probability in found.items()
        if forms[form].kind is NameKind.FULL is forms[other].kind
        and 0 < probability != short_of_a_link(rules.link_threshold)  # which names alone never make
        and not further_names_clash(forms[form], forms[other], part_links)
    }
    of_full_names = _FullNames(groups, strengths, left_two, joins, set(people.candidates)).joins()
    of_shorter_names = _of_shorter_names(groups, people, joins)
    return [
        join._replace(
            probability=min(
                join.probability,
                short_of_a_link(rules.link_threshold if join.is_full else rules.shorter_threshold),
            )
        )
        for join in (*of_full_names, *of_shorter_names)
    ]


class _LeftTwo:
    """Pairs of full forms that documents compared and left two, with what the names say there."""

    def __init__(self, joins: Joins, documents: Mapping[int, int]) -> None:
        self._found: dict[_Pair, tuple[float, set[int]]] = {}
        for of_document in joins.of_document.values():
            for left, right, probability, _ in of_document.left_two:
                pair = _ordered(joins.form_of[left], joins.form_of[right])
                least, where = self._found.get(pair, (1.0, set()))
                self._found[pair] = min(least, probability), where | {documents[left]}

    def probability(self, form: int, other: int) -> float:
        """The least that a document says; 1.0 where none has both."""
        return self._found.get(_ordered(form, other), (1.0, None))[0]

    def documents(self, forms: Collection[int], others: Collection[int]) -> set[int]:
        found: set[int] = set()
        for form in forms:
            for other in others:
                found |= self._found.get(_ordered(form, other), (1.0, set()))[1]
        return found


class _FullNames:
    """Joins groups by their full names while the mean over the pairs of names is high enough."""

    def __init__(
        self,
        groups: Groups,
        strengths: Mapping[_Pair, float],
        left_two: _LeftTwo,
        joins: Joins,
        in_doubt: Collection[int],
    ) -> None:
        self._groups = groups
        self._strengths = strengths
        self._left_two = left_two
        self._joins = joins
        self._in_doubt = in_doubt  # persons
        self._first = [group.persons[0] for group in groups.groups]
        self._near: dict[int, set[int]] = defaultdict(
            set
        )  # group -> groups with a name like one of its names

    def joins(self) -> list[Join]:
        of_form = self._groups.of_form
        for form, other in self._strengths:
            bearers, others = of_form.get(form, ()), of_form.get(other, ())
            for left in bearers if len(bearers) * len(others) <= _MOST_PAIRS else ():
                for right in others:
                    if left != right and not self._is_in_doubt(left) and not self._is_in_doubt(right):
                        self._near[left].add(right)
        waiting = [
            (-self._mean(left, right), left, right)
            for left, found in self._near.items()
            for right in found
            if left < right
        ]
        heapq.heapify(waiting)
        made: list[Join] = []
        while waiting:
            negative, left, right = heapq.heappop(waiting)
            left, right = self._now(left), self._now(right)
            if left == right:
                continue
            mean = self._mean(left, right)
            if mean < -negative - _LOST:  # one of both has grown since
                heapq.heappush(waiting, (-mean, *_ordered(left, right)))
            elif mean > 0 and self._may_join(left, right) and not self._is_rivalled(left, right, mean):
                best = max(self._pairs(left, right), key=lambda pair: (self._strengths.get(pair, 0.0), pair))
                made.append(self._joins.of_forms(self._groups, (left, right), best, mean))
                self._absorb(left, right)
        return made

    def _is_in_doubt(self, group: int) -> bool:
        return any(person in self._in_doubt for person in self._groups.groups[group].persons)

    def _full(self, group: int) -> list[int]:
        found = self._groups.groups[group].forms
        return [form for form in found if self._groups.forms[form].kind is NameKind.FULL]

    def _pairs(self, left: int, right: int) -> list[_Pair]:
        return [(form, other) for form in self._full(left) for other in self._full(right)]

    def _mean(self, left: int, right: int) -> float:
        pairs = self._pairs(left, right)
        if not pairs or any(form == other for form, other in pairs):
            return 0.0  # one name that was kept apart: not by its likeness
        return math.fsum(self._strengths.get(pair, 0.0) for pair in pairs) / len(pairs)

    def _may_join(self, left: int, right: int) -> bool:
        return not self._groups.apart(
            left, right, but_in=self._left_two.documents(self._full(left), self._full(right))
        )

    def _is_rivalled(self, left: int, right: int, mean: float) -> bool:
        """Whether either is nearly as like a third group that is not the other: then it stays open."""
        for one, other in ((left, right), (right, left)):
            for third in self._near[one] - {other}:
                near = self._mean(one, third)
                is_near = near > 0 and _log_odds(near) >= _log_odds(mean) - _DOUBT_LOG_ODDS
                if is_near and self._may_join(one, third) and not self._may_join(other, third):
                    return True
        return False

    def _absorb(self, into: int, other: int) -> None:
        self._groups.absorb(into, other)
        for third in self._near.pop(other, ()):
            self._near[third].discard(other)
            if third != into:
                self._near[third].add(into)
                self._near[into].add(third)

    def _now(self, group: int) -> int:
        """The group that a group has become part of."""
        return self._groups.group_of[self._first[group]]


def _of_shorter_names(groups: Groups, people: CorpusPeople, joins: Joins) -> list[Join]:
    """Joins of persons in doubt to the one group that is likelier than all others."""
    chosen: list[tuple[float, int, int]] = []
    for person, near in people.candidates.items():
        ranked = sorted(near.items(), key=lambda item: (-item[1], item[0]))
        if ranked and (len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= _EQUALLY):
            group, probability = ranked[0]
            chosen.append((-probability, person, people.groups[group].persons[0]))
    made: list[Join] = []
    for negative, person, other in sorted(chosen):
        holder, group = groups.group_of[person], groups.group_of[other]
        found = groups.persons[person]
        its_document_says_so = any(groups.group_of[candidate] == group for candidate in found.candidates)
        but_in = found.documents if its_document_says_so else ()
        if holder != group and not groups.apart(holder, group, but_in=but_in):
            made.append(joins.between(groups, [person], group, -negative))
            groups.absorb(group, holder)
    return made


def _ordered(left: int, right: int) -> _Pair:
    return (left, right) if left < right else (right, left)


def _log_odds(probability: float) -> float:
    within = min(0.999, max(0.001, probability))
    return math.log(within / (1 - within))
