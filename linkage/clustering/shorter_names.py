"""Names that are not full, across documents: each goes to the group that all evidence together speaks for.

A candidate's weight is a product: how well the names fit; how likely the candidate is to occur in this
document (certain where it is named in it, else by the company of both); how often the candidate is called in
this way elsewhere, and by this very name; and what the role says. Against all candidates stands somebody
unknown of the same name, the likelier the commoner the name is.
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from linkage.clustering.alike import AlikeNames
from linkage.clustering.company import Company
from linkage.clustering.document import FormLinks
from linkage.clustering.fits import FIT_POWER, NameFits
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameKind
from linkage.clustering.names import PartLinks
from linkage.clustering.odds import NameOdds
from linkage.clustering.people import CorpusRules
from linkage.clustering.rarity import Rarity
from linkage.clustering.usage import Usage
from linkage.clustering.who import who_numbers
from linkage.constraints import OF_ACCEPTED, OF_TWO_MATTERS, reason_apart, sexes_differ
from linkage.records import Gender

_MOST_NEAR = 60
_MOST_KEPT = 200_000  # pairs of groups of which it is kept whether they may be one person
_LOOKED_AT = 20  # members of a group whose names are looked up; the rest bear the same
_DIGITS = 2  # company counts words of names in documents that have nothing else to do with these


class ShorterNames:
    """Joins persons to groups and leaves open what stays in doubt."""

    def __init__(
        self,
        groups: Groups,
        company: Company,
        form_links: FormLinks,
        part_links: PartLinks,
        rarity: Rarity,
        rules: CorpusRules,
    ) -> None:
        numbers = who_numbers()
        self._person, self._nobody, self._open = numbers.person, numbers.nobody, numbers.open
        self._form_links = form_links
        self._groups = groups
        self._persons = groups.persons
        self._forms = groups.forms
        self._company = company
        self._rules = rules
        self._fits = NameFits(groups, company, part_links)
        self._odds = NameOdds(groups, rarity, rules)
        self._usage = Usage(groups)
        self._alike = AlikeNames(groups, company, self._fits, self._odds, rules)
        self._sure: dict[int, float] = {}  # person -> what all evidence said when it was last judged a link
        self._kept_at = -1  # Groups.changes when what is kept of groups was worked out
        self._one: dict[tuple[int, int], bool] = {}  # pairs of groups that may be one person

    def one_round(self, people: Sequence[int]) -> list[int]:
        """Join what evidence supports, the most telling names first; returns who still stands alone."""
        by_level: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number in people:
            self._groups.candidates.pop(number, None)  # judged anew with what the last round put together
            by_level[self._level(number)].append(number)
        for level in sorted(by_level, reverse=True):
            waiting = by_level[level]
            self.attach(waiting)
            alone = [p for p in waiting if self._is_free(p) and p not in self._groups.candidates]
            self._alike.group(alone)
            if level[0] == NameKind.INITIALS:  # of the people whom a surname alone may be, linked or not
                for number in alone:
                    if self._is_free(number):
                        self._groups.new([number])
        return [p for p in people if self._is_free(p)]

    def _is_free(self, number: int) -> bool:
        return self._groups.group_of[number] < 0

    def _level(self, number: int) -> tuple[int, int]:
        person = self._persons[number]
        letters = max((len(self._forms[f].letters) for f in person.forms), default=0)
        return int(person.kind), min(letters, 3)

    def attach(self, waiting: Sequence[int], near: Mapping[int, Sequence[int]] | None = None) -> None:
        """Judge all against the groups as they stand, then join the surest first.

        near: the only groups to be looked at, by person; names that were put together by their forms.
        """
        decided: list[tuple[float, int, int]] = []
        counted: dict[int, Counter[Gender | None]] = {}
        names_of = self._groups.names_of
        for number in sorted(waiting, key=names_of.__getitem__):  # what equal names fit is worked out once
            if near is None:
                fits, left_out = self._fits.of_person(number)
            else:
                fits, left_out = self._allowed(number, near[number], counted)
            found = self._judge(number, fits, left_out, in_doubt=near is not None)
            if found is not None:
                decided.append((-found[1], number, found[0]))
        decided = self._without_equals(decided)
        for negative, number, group in sorted(decided, key=lambda d: (d[0], self._persons[d[1]].order)):
            if self._fits.excluded(number, group):
                continue
            self._groups.candidates.pop(number, None)
            if self._groups.joins is not None:
                self._groups.joins.attach(self._groups, number, group, self._sure.get(number, -negative))
            self._groups.join(number, group)
            self._groups.joined.add(number)

    def _without_equals(self, decided: Sequence[tuple[float, int, int]]) -> list[tuple[float, int, int]]:
        """Without those who exclude each other and are as likely to be one person, who stay open."""
        wants = {number: (-negative, group) for negative, number, group in decided}
        wanting: dict[int, dict[tuple[object, ...], list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, (_, group) in wants.items():
            if (key := self._telling(number)) is not None:
                wanting[group][key].append(number)
        rival: dict[int, float] = {}
        for found in wanting.values():
            # The surest first: nearly always one of the first few decides.
            ranked = sorted(
                ((max(wants[p][0] for p in people), people[0]) for people in found.values()), reverse=True
            )
            for people in found.values():
                surest = next((p for p, other in ranked if self._exclude(people[0], other)), 0.0)
                rival.update(dict.fromkeys(people, surest))
        left_open: set[int] = set()
        for number, (probability, group) in wants.items():
            # Whom a document tells apart are looked up one by one: most stand beside somebody.
            beside = (wants[other] for other in self._persons[number].apart if other in wants)
            surest = max((p for p, theirs in beside if theirs == group), default=0.0)
            if max(surest, rival.get(number, 0.0)) > probability - self._open.equally:
                left_open.add(number)
                self._groups.candidates[number] = {group: min(self._open.most_in_doubt, probability)}
        return [one for one in decided if one[1] not in left_open]

    def _telling(self, number: int) -> tuple[object, ...] | None:
        """What evidence may tell a person from others of the name, one key for all whom it tells alike."""
        person = self._persons[number]
        evidence = person.evidence
        gender = None if person.kind is NameKind.GIVEN else evidence.gender
        key = (gender, evidence.decisive(), frozenset(evidence.person_ids))
        return key if any(key) else None

    def _exclude(self, left: int, right: int) -> bool:
        a, b = self._persons[left], self._persons[right]
        spared = OF_ACCEPTED if NameKind.GIVEN in (a.kind, b.kind) else OF_TWO_MATTERS
        return reason_apart(a.evidence, b.evidence, spared) is not None

    # -- one person ----------------------------------------------------------------------------------------

    def _judge(
        self, number: int, fits: Mapping[int, float], left_out: float, *, in_doubt: bool = False
    ) -> tuple[int, float] | None:
        """The group a person belongs to, with the probability; None where that stays open.

        left_out: what the fits count for of the groups that were not looked at, there being too many.
        in_doubt: a full name that fits several by itself, and stays open between all of them.
        """
        if not fits:
            return None
        person = self._persons[number]
        own = self._fits.own_candidates(number)
        sharing = [g for g in fits if self._groups.shares_attribute(number, g)]
        self._sure.pop(number, None)
        if len(sharing) == 1:
            return sharing[0], self._open.by_attribute
        company = self._company.of_person(number, [g for g in fits if g not in own]) | dict.fromkeys(
            own & fits.keys(), 1.0
        )
        weights = self._weights(number, fits, company, own)
        ranked = sorted(weights, key=lambda g: (-weights[g], g))
        first = ranked[0]
        # Where a bearer of the name is about, another one of whom nothing is known is less likely.
        unknown = self._odds.unknown(number) * (1 - self._nobody.known_about * company[first])
        # Nothing tells of those who were not looked at but the name; together they may outweigh anybody.
        others = self._odds.presence(number) * self._person.no_habit * (left_out + self._odds.crowd(number))
        # So may a full name of the same document of whom it is not known yet who that is.
        undecided = sum(self._is_free(other) for other in person.candidates)
        others += undecided * max((weights[g] for g in own if g in weights), default=0.0)
        total = math.fsum((*weights.values(), others)) + unknown
        # Candidates that may themselves be one person are no rivals.
        sided = math.fsum(weights[g] for g in ranked if g == first or self._may_be_one(first, g))
        probability = sided / total
        # Two who fit, by the document itself or with no company to tell them by, take more to be told.
        is_rivalled = sided < self._open.doubtful_share * (total - unknown)
        is_rivalled = is_rivalled and company[first] < self._rules.company_threshold
        doubtful = len(own) > 1 or is_rivalled
        needed = self._rules.doubtful_threshold if doubtful else self._rules.shorter_threshold
        if probability >= needed and self._may_link(number, company[first]):
            self._sure[number] = probability
            return first, max(probability, self._rules.link_threshold)
        if person.kind >= NameKind.INITIALS or own:
            shares = {g: min(self._open.most_open, weights[g] / total) for g in ranked if weights[g] > 0}
            if in_doubt and not left_out:
                sure = math.fsum(weights.values())
                most, equal = self._open.most_in_doubt, 1 / (len(ranked) + 1)
                shares = {g: min(most, weights[g] / sure if sure else equal) for g in ranked}
            least = 0.0 if in_doubt else self._rules.open_threshold
            kept = {g: p for g, p in shares.items() if p >= least or g in own}
            if 0 < len(kept) <= self._rules.most_candidates:
                self._groups.candidates[number] = kept
        return None

    def _may_be_one(self, left: int, right: int) -> bool:
        """Whether two groups may turn out to be one person, by the fullest names of both."""
        if self._kept_at != self._groups.changes or len(self._one) >= _MOST_KEPT:
            self._one.clear()
            self._kept_at = self._groups.changes
        pair = (left, right)
        known = self._one.get(pair)
        if known is None:
            known = self._one[pair] = self._judge_as_one(left, right)
        return known

    def _judge_as_one(self, left: int, right: int) -> bool:
        a, b = self._groups.groups[left], self._groups.groups[right]
        if a.kind is NameKind.LETTERS or b.kind is NameKind.LETTERS:
            return False
        if a.kind > b.kind:
            a, b = b, a
        alike = any(
            self._fit_of_two(f, g) >= self._open.one_person_fit
            for f in a.forms if self._forms[f].kind is a.kind
            for g in b.forms if self._forms[g].kind is b.kind
        )  # fmt: skip
        return alike and not self._groups.apart(left, right)

    def _fit_of_two(self, form: int, other: int) -> float:
        """How likely two forms are one person's."""
        linked = self._form_links.get(form, {}).get(other, 0.0)
        return max(linked, self._fits.of_forms(form, other))

    def _weights(
        self, number: int, fits: Mapping[int, float], company: Mapping[int, float], own: Collection[int] = ()
    ) -> dict[int, float]:
        """What speaks for each group that a person fits; own are those that its document says it may be."""
        person = self._persons[number]
        presence = self._odds.presence(number)
        roles = person.evidence.roles
        weights: dict[int, float] = {}
        for group, fit in fits.items():
            present = company[group] if group in own else max(company[group], presence)
            weight = present * self._habit(person.kind, group) * fit**FIT_POWER
            if group not in own:
                weight *= self._usage.agreement(number, group)
            if roles:
                evidence = self._groups.groups[group].evidence
                if roles & evidence.roles:
                    weight *= self._person.role
                if person.evidence.on_other_side(evidence):
                    weight *= self._person.other_side
            weights[group] = weight
        return weights

    def _may_link(self, number: int, company: float) -> bool:
        """The rules of evidence: what a name may be linked on."""
        kind = self._persons[number].kind
        if kind is NameKind.LETTERS:
            return company >= self._rules.letters_company
        if kind is NameKind.GIVEN or self._odds.is_common(number):
            return company >= self._rules.company_threshold
        return True

    def _habit(self, kind: NameKind, group: int) -> float:
        """How often the group is called by a form of this kind, among its forms that are not full."""
        if kind in (NameKind.FULL, NameKind.LETTERS):
            return self._person.no_habit
        called, called_so = self._groups.called(group, kind)
        habit = (called_so + 0.5) / (called + 1)
        return max(habit, self._person.formal) if kind is NameKind.INITIALS else habit

    def _allowed(
        self, number: int, near: Sequence[int], counted: dict[int, Counter[Gender | None]]
    ) -> tuple[dict[int, float], float]:
        """Fits to the groups of near, which ascend; of very many to those that anything tells of.

        The second is what the others count for. counted keeps the genders of the groups of each near, while
        no group changes.
        """
        looked_at, left_out = near, 0
        if len(near) > _MOST_NEAR:
            told = self._company.groups_around(number) | self._groups.sharing_attribute(number)
            looked_at = [g for g in sorted(told) if near[min(bisect_left(near, g), len(near) - 1)] == g]
            if id(near) not in counted:
                counted[id(near)] = Counter(self._gender(g) for g in near)
            genders = counted[id(near)].copy()
            genders.subtract(self._gender(g) for g in looked_at)
            mine = self._persons[number].evidence.gender
            left_out = sum(count for theirs, count in genders.items() if not sexes_differ(mine, theirs))
        fits = {g: 1.0 for g in looked_at if not self._groups.excluded(number, g)}
        return fits, float(left_out)

    def _gender(self, group: int) -> Gender | None:
        return self._groups.groups[group].evidence.gender

    # -- groups of shorter names ---------------------------------------------------------------------------

    def merge_groups(self) -> int:
        """Join groups without a full name to the group that their company and names speak for.

        Returns how many were joined. All are judged as they stand; the surest goes first.
        """
        decided: list[tuple[float, int, int]] = []
        for number, group in enumerate(self._groups.groups):
            if not group.persons or group.kind in (NameKind.FULL, NameKind.LETTERS):
                continue
            found = self._judge_group(number)
            if found is not None:
                decided.append((-found[1], number, found[0]))
        gone: set[int] = set()
        for negative, number, into in sorted(decided):
            if number in gone or into in gone or self._groups.apart(number, into):
                continue
            for person in self._groups.groups[number].persons:
                self._groups.candidates.pop(person, None)
            if self._groups.joins is not None:
                self._groups.joins.merge(self._groups, number, into, -negative)
            self._groups.absorb(into, number)
            gone.add(number)
        return len(gone)

    def open_groups(self) -> None:
        """Note of groups without a full name whom else they may be, where nobody of them is in doubt yet.

        "Filip" and "F. Peeters" of one circle: no link, but worth a question.
        """
        for number, group in enumerate(self._groups.groups):
            if not group.persons or group.kind in (NameKind.FULL, NameKind.LETTERS):
                continue
            if any(person in self._groups.candidates for person in group.persons):
                continue
            judged = self._weigh_group(number)
            if judged is None:
                continue
            weights, company, total = judged
            kept = {
                g: round(min(self._open.most_open, weight / total), _DIGITS)
                for g, weight in weights.items()
                if weight >= self._rules.open_threshold * total
                and company[g] >= self._rules.company_threshold
            }
            asked = next((p for p in group.persons if self._persons[p].entity is None), None)
            if asked is not None and 0 < len(kept) <= self._rules.most_candidates:
                self._groups.candidates[asked] = kept

    def _judge_group(self, number: int) -> tuple[int, float] | None:
        judged = self._weigh_group(number)
        if judged is None:
            return None
        weights, company, total = judged
        best = min(weights, key=lambda g: (-weights[g], g))
        sided = math.fsum(w for g, w in weights.items() if g == best or self._may_be_one(best, g))
        probability = sided / total
        if probability < self._rules.shorter_threshold or company[best] < self._rules.company_threshold:
            return None
        return best, probability

    def _weigh_group(self, number: int) -> tuple[dict[int, float], dict[int, float], float] | None:
        """Weights of the groups that a group may be, their company, and the weight of everybody."""
        group = self._groups.groups[number]
        people = [p for p in group.persons if self._persons[p].entity is None]
        if not people:
            return None
        first = people[0]
        fits: dict[int, float] = {}
        left_out = 0.0
        for person in people[:_LOOKED_AT]:
            found, others = self._fits.of_person(person)
            left_out = max(left_out, others)
            for other, fit in found.items():
                fits[other] = max(fit, fits.get(other, 0.0))
        fits = {
            g: fit for g, fit in fits.items()
            if g != number and (self._groups.groups[g].kind, -g) > (group.kind, -number)
            and not self._groups.apart(number, g)
        }  # fmt: skip
        if not fits:
            return None
        company = self._company.of_groups(number, fits)
        if max(company.values()) < self._rules.company_threshold:
            return None
        weights = self._weights(first, fits, company)
        best = min(weights, key=lambda g: (-weights[g], g))
        unknown = self._odds.unknown(first) * (1 - self._nobody.known_about * company[best])
        rest = self._odds.presence(first) * self._person.no_habit * (left_out + self._odds.crowd(first))
        return weights, company, math.fsum((*weights.values(), rest)) + unknown
