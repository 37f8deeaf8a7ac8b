"""Names that are not full, across documents: each goes to the group that all evidence together speaks for.

A candidate's weight is a product: how well the names fit; how likely the candidate is to occur in this
document (certain where it is named in it, else by the company of both); how often the candidate is called in
this way elsewhere; and what the role says. Against all candidates stands somebody unknown of the same name,
the likelier the commoner the name is.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from linkage.clustering.average import group_with_doubt
from linkage.clustering.company import Company
from linkage.clustering.document import FormLinks
from linkage.clustering.evidence import Evidence
from linkage.clustering.groups import SHARED_KINDS, Groups
from linkage.clustering.names import (
    LATER_NAME,
    OTHER_ROLE,
    NameKind,
    PartLinks,
    forenames_clash,
    form_fit,
    letters_clash,
)
from linkage.clustering.people import CorpusRules
from linkage.clustering.rarity import COMMON_SHARE, Rarity
from linkage.records import Gender

_LEAST_FIT = 0.4
_FIT_POWER = 3  # a name that fits half as well counts for an eighth
_KNOWN_ABOUT = 0.7
_OTHER_SIDE = 0.1  # what is left where one is served and the other a professional
_NO_HABIT = 0.5  # full names and signatures say nothing about how a person is called
_LOOKED_AT = 20  # members of a group whose names are looked up; the rest bear the same
_ONE_PERSON_FIT = 0.7
_BY_ROLE = 3.0  # how much a role in common adds
_SURE_BY_ATTRIBUTE = 0.99
_MOST_GROUPS = 60  # candidates for whom company is worked out; of more only those around are looked at
_OTHER_GIVEN = 0.1  # what is left of a fit of surnames where the given names in the same document do not fit
# Kinds a form may be linked to across documents: something fuller, or its like.
_LINKABLE_KINDS = {
    NameKind.LETTERS: frozenset({NameKind.LETTERS, NameKind.INITIALS, NameKind.FULL}),
    NameKind.GIVEN: frozenset({NameKind.GIVEN, NameKind.INITIALS, NameKind.FULL}),
    NameKind.FAMILY: frozenset({NameKind.FAMILY, NameKind.INITIALS, NameKind.FULL}),
    NameKind.INITIALS: frozenset({NameKind.INITIALS, NameKind.FULL}),
    NameKind.FULL: frozenset({NameKind.FULL}),
}


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
        self._form_links = form_links
        self._groups = groups
        self._persons = groups.persons
        self._forms = groups.forms
        self._company = company
        self._part_links = part_links
        self._rarity = rarity
        self._rules = rules
        self._fuller: dict[int, tuple[list[tuple[int, float]], list[int]]] = {}
        self._fit_cache: dict[int, dict[int, float]] = defaultdict(dict)  # form -> fuller form -> fit
        self._forms_by_word: dict[str, list[int]] = defaultdict(list)
        for form, name in enumerate(self._forms):
            for word in {*name.families, *name.glued}:
                self._forms_by_word[word].append(form)

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
            self._group_among_themselves(alone)
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
        for number in waiting:
            fits = self._fits(number) if near is None else self._allowed(number, near[number])
            found = self._judge(number, fits)
            if found is not None:
                decided.append((-found[1], number, found[0]))
        for negative, number, group in sorted(decided, key=lambda d: (d[0], self._persons[d[1]].order)):
            if self._excluded(number, group):
                continue
            self._groups.candidates.pop(number, None)
            self._groups.join(number, group)
            self._groups.joined[number] = -negative

    # -- one person ----------------------------------------------------------------------------------------

    def _judge(self, number: int, fits: Mapping[int, float]) -> tuple[int, float] | None:
        """The group a person belongs to, with the probability; None where that stays open."""
        if not fits:
            return None
        person = self._persons[number]
        own = self._own_candidates(number)
        sharing = [g for g in fits if self._groups.shares_attribute(number, g)]
        if len(sharing) == 1:
            return sharing[0], _SURE_BY_ATTRIBUTE
        company = self._company.of_person(number, (g for g in fits if g not in own)) | dict.fromkeys(
            own & fits.keys(), 1.0
        )
        weights = {g: self._weight(number, g, fits[g], company[g], is_own=g in own) for g in fits}
        ranked = sorted(weights, key=lambda g: (-weights[g], g))
        first = ranked[0]
        # Where a bearer of the name is about, another one of whom nothing is known is less likely.
        unknown = self._unknown(number) * (1 - _KNOWN_ABOUT * company[first])
        total = math.fsum(weights.values()) + unknown
        # Candidates that may themselves be one person are no rivals.
        sided = math.fsum(weights[g] for g in ranked if g == first or self._may_be_one(first, g))
        probability = sided / total
        # Two who fit, by the document itself or with no company to tell them by, take more to be told.
        is_rivalled = sided < 0.99 * (total - unknown) and company[first] < self._rules.company_threshold
        doubtful = len(own) > 1 or is_rivalled
        needed = self._rules.doubtful_threshold if doubtful else self._rules.shorter_threshold
        if probability >= needed and self._may_link(number, company[first]):
            return first, max(probability, self._rules.link_threshold)
        if person.kind >= NameKind.INITIALS or own:
            shares = {g: min(0.7, weights[g] / total) for g in ranked if weights[g] > 0}
            kept = {g: p for g, p in shares.items() if p >= self._rules.open_threshold or g in own}
            if 0 < len(kept) <= self._rules.most_candidates:
                self._groups.candidates[number] = kept
        return None

    def _may_be_one(self, left: int, right: int) -> bool:
        """Whether two groups may turn out to be one person, by the fullest names of both."""
        a, b = self._groups.groups[left], self._groups.groups[right]
        if a.kind is NameKind.LETTERS or b.kind is NameKind.LETTERS:
            return False
        if a.kind > b.kind:
            a, b = b, a
        alike = any(
            max(self._form_fit(f, g), self._form_links.get(f, {}).get(g, 0.0)) >= _ONE_PERSON_FIT
            for f in a.forms if self._forms[f].kind is a.kind
            for g in b.forms if self._forms[g].kind is b.kind
        )  # fmt: skip
        return alike and not self._groups.apart(left, right)

    def _weight(self, number: int, group: int, fit: float, company: float, *, is_own: bool) -> float:
        presence = company if is_own else max(company, self._presence_by_name(number))
        weight = presence * self._habit(number, group) * fit**_FIT_POWER
        person, other = self._persons[number], self._groups.groups[group]
        if person.evidence.roles() & other.evidence.roles():
            weight *= _BY_ROLE
        if person.evidence.on_other_side(other.evidence):
            weight *= _OTHER_SIDE
        return weight

    def _may_link(self, number: int, company: float) -> bool:
        """The rules of evidence: what a name may be linked on."""
        kind = self._persons[number].kind
        if kind is NameKind.LETTERS:
            return company >= self._rules.letters_company
        if kind is NameKind.GIVEN or self._is_common(number):
            return company >= self._rules.company_threshold
        return True

    def _habit(self, number: int, group: int) -> float:
        """How often the group is called by a form of this kind, among its forms that are not full."""
        kind = self._persons[number].kind
        if kind in (NameKind.FULL, NameKind.LETTERS):
            return _NO_HABIT
        called, called_so = self._groups.called(group, kind)
        return (called_so + 0.5) / (called + 1)

    def _presence_by_name(self, number: int) -> float:
        """How likely a bearer of the name is to be the known one, without any company in common."""
        sure = self._name_probability(number)
        if self._persons[number].kind is NameKind.INITIALS or self._persons[number].kind is NameKind.FULL:
            return 0.4 * sure
        return 0.4 * sure if sure >= self._rules.name_threshold else 0.0

    def _unknown(self, number: int) -> float:
        """Weight of somebody else with this name, whom no document names in full."""
        person = self._persons[number]
        if person.kind is NameKind.LETTERS:
            longest = max(len("".join(self._forms[f].letters)) for f in person.forms)
            return 0.5 if longest < 2 else 0.12
        if person.kind is NameKind.GIVEN:
            shares = [self._rarity.given_share(w) for f in person.forms for w in self._forms[f].call_names]
            return 0.06 + 0.5 * _common_part(300 * max(shares, default=0.0))
        names = [self._forms[f] for f in person.forms]
        shares = [self._rarity.surname_share(family) for name in names for family in name.families]
        share = max(shares, default=0.0)
        if person.kind is NameKind.FAMILY:
            return 0.04 + 0.4 * _common_part(300 * share)
        letters = max((name.letters for name in names), key=len)
        return 0.03 + 0.4 * _common_part(3000 * share * self._rarity.letters_share(letters))

    def _is_common(self, number: int) -> bool:
        families = [w for f in self._persons[number].forms for w in self._forms[f].families]
        return any(self._rarity.surname_share(family) >= COMMON_SHARE for family in families)

    def _name_probability(self, number: int) -> float:
        """How likely two bearers of this surname and these initials are one person, by rarity alone."""
        person = self._persons[number]
        if person.kind < NameKind.FAMILY:
            return 0.0
        best = 0.0
        for form in person.forms:
            name = self._forms[form]
            for family in name.families:
                probability = self._rarity.match_probability(family, name.letters)
                if self._rarity.surname_share(family) >= COMMON_SHARE:
                    probability = min(probability, self._rules.name_threshold - 0.01)
                best = max(best, probability)
        return best

    # -- whom a name fits ----------------------------------------------------------------------------------

    def _own_candidates(self, number: int) -> set[int]:
        """Groups of the people of its own document whom the document says it may be."""
        found = {self._groups.group_of[other] for other in self._persons[number].candidates}
        return found - {-1, self._groups.group_of[number]}

    def _excluded(self, number: int, group: int) -> bool:
        # The gender of a lone given name is only what the lists say of it: the same name counts more.
        person = self._persons[number]
        if person.kind is not NameKind.GIVEN:
            return self._groups.excluded(number, group) or self._groups.rivals(number, group)
        genders = {person.evidence.gender, self._groups.groups[group].evidence.gender}
        return self._groups.excluded(number, group, by_gender=False) or (
            genders == {Gender.FEMALE, Gender.MALE} and self._lone_fit(number, group) < OTHER_ROLE
        )

    def _allowed(self, number: int, near: Sequence[int]) -> dict[int, float]:
        return {g: 1.0 for g in near if not self._groups.excluded(number, g)}

    def _fits(self, number: int) -> dict[int, float]:
        """Groups whose names this person's forms fit, with the fit; what evidence excludes is left out."""
        person = self._persons[number]
        own = self._own_candidates(number)
        fits: dict[int, float] = {}
        if person.kind >= NameKind.FAMILY:
            fits = self._fits_by_word(number)
        else:
            for group in self._company.groups_around(number):
                fit = self._lone_fit(number, group)
                if fit >= _LEAST_FIT:
                    fits[group] = fit
        allowed = _LINKABLE_KINDS[person.kind]
        fits = {
            g: fit
            for g, fit in fits.items()
            if self._groups.groups[g].kind in allowed and g not in own and not self._excluded(number, g)
        }
        for group in own:
            if not self._groups.excluded(number, group, by_gender=person.kind is not NameKind.GIVEN):
                fits[group] = max(self._lone_fit(number, group), _LEAST_FIT)
        if person.kind >= NameKind.FAMILY:
            fits = {g: fit * self._by_given_name(number, g) for g, fit in fits.items()}
            fits = {g: fit for g, fit in fits.items() if fit > 0}
        return fits

    def _lone_fit(self, number: int, group: int) -> float:
        """Best fit of a person's forms to a group's; a given name is no initial where those are known."""
        person = self._persons[number]
        theirs: Collection[int] = self._groups.groups[group].forms
        if person.kind is NameKind.GIVEN and any(self._forms[g].call_names for g in theirs):
            theirs = [g for g in theirs if self._forms[g].kind is not NameKind.INITIALS]
        best = 0.0
        for form in person.forms:
            known = self._fit_cache[form]
            for other in theirs:
                fit = known.get(other)
                if fit is None:
                    fit = self._form_fit(form, other)
                if fit > best:
                    best = fit
        return best

    def _fits_by_word(self, number: int) -> dict[int, float]:
        person = self._persons[number]
        fits: dict[int, float] = {}
        clashing: set[int] = set()
        for form in person.forms:
            if self._forms[form].kind is not person.kind:
                continue
            fitting, clashes = self._fuller_forms(form)
            for fuller, fit in fitting:
                for group in self._groups.of_form.get(fuller, ()):
                    fits[group] = max(fit, fits.get(group, 0.0))
            clashing.update(g for fuller in clashes for g in self._groups.of_form.get(fuller, ()))
        for group in clashing:
            fits.pop(group, None)
        if len(fits) > _MOST_GROUPS:
            around = self._company.groups_around(number)
            fits = {group: fit for group, fit in fits.items() if group in around}
        return fits

    def _by_given_name(self, number: int, group: int) -> float:
        """1.0 unless given names by which a person is called in its document fit none of the group's."""
        forms = self._persons[number].forms
        given = [f for f in forms if self._forms[f].kind is NameKind.GIVEN]
        lettered = [name for f in forms if (name := self._forms[f]).kind is NameKind.LETTERS]
        if lettered and forenames_clash(lettered, [self._forms[g] for g in self._groups.groups[group].forms]):
            return 0.0
        if not given:
            return 1.0
        theirs = [g for g in self._groups.groups[group].forms if self._forms[g].call_names]
        if not theirs:
            return 1.0
        return max(_OTHER_GIVEN, *(self._form_fit(f, g) for f in given for g in theirs))

    def _fuller_forms(self, form: int) -> tuple[list[tuple[int, float]], list[int]]:
        """Forms of the corpus that this one fits, with the fit; and those whose initials contradict it."""
        known = self._fuller.get(form)
        if known is not None:
            return known
        name = self._forms[form]
        words = {*name.families, *name.glued}
        for word in tuple(words):
            words |= self._part_links.similar(word)
        fitting: list[tuple[int, float]] = []
        clashing: list[int] = []
        for other in sorted({f for word in words for f in self._forms_by_word.get(word, ())}):
            if name.kind is NameKind.INITIALS and letters_clash(name, self._forms[other]):
                clashing.append(other)
            elif (fit := self._form_fit(form, other)) >= _LEAST_FIT:
                fitting.append((other, fit))
        self._fuller[form] = (fitting, clashing)
        return fitting, clashing

    def _form_fit(self, form: int, fuller_form: int) -> float:
        known = self._fit_cache[form]
        fit = known.get(fuller_form)
        if fit is None:
            name, fuller = self._forms[form], self._forms[fuller_form]
            if form == fuller_form:
                fit = LATER_NAME if name.kind < NameKind.INITIALS else 1.0
            elif fuller.kind < name.kind:
                fit = 0.0
            else:
                fit = form_fit(name, fuller, self._part_links)
            known[fuller_form] = fit
        return fit

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
        for _, number, into in sorted(decided):
            if number in gone or into in gone or self._groups.apart(number, into):
                continue
            for person in self._groups.groups[number].persons:
                self._groups.candidates.pop(person, None)
            self._groups.absorb(into, number)
            gone.add(number)
        return len(gone)

    def _judge_group(self, number: int) -> tuple[int, float] | None:
        group = self._groups.groups[number]
        people = [p for p in group.persons if self._persons[p].entity is None]
        if not people:
            return None
        first = people[0]
        fits: dict[int, float] = {}
        for person in people[:_LOOKED_AT]:
            for other, fit in self._fits(person).items():
                fits[other] = max(fit, fits.get(other, 0.0))
        fits = {
            g: fit for g, fit in fits.items()
            if g != number and (self._groups.groups[g].kind, -g) > (group.kind, -number)
            and not self._groups.apart(number, g)
        }  # fmt: skip
        if not fits:
            return None
        company = self._company.of_groups(number, fits)
        weights = {g: self._weight(first, g, fits[g], company[g], is_own=False) for g in fits}
        best = min(weights, key=lambda g: (-weights[g], g))
        unknown = self._unknown(first) * (1 - _KNOWN_ABOUT * company[best])
        sided = math.fsum(w for g, w in weights.items() if g == best or self._may_be_one(best, g))
        probability = sided / (math.fsum(weights.values()) + unknown)
        if probability < self._rules.shorter_threshold or company[best] < self._rules.company_threshold:
            return None
        return best, probability

    # -- names that no group has yet -----------------------------------------------------------------------

    def _group_among_themselves(self, waiting: Sequence[int]) -> None:
        by_forms: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for number in waiting:
            by_forms[self._signature(number)].append(number)
        for alike in by_forms.values():
            if len(alike) > 1:
                self._group_alike(alike)

    def _signature(self, number: int) -> tuple[object, ...]:
        names = [self._forms[f] for f in self._persons[number].forms]
        best = max(names, key=lambda n: (n.kind, len(n.letters), n.given_text, n.letters, sorted(n.glued)))
        return (best.kind, best.given_text, best.letters, best.glued, best.suffix)

    def _group_alike(self, alike: list[int]) -> None:
        """People with one name, each of another document, whom nothing fuller has claimed."""
        sure = self._name_probability(alike[0])
        if sure >= self._rules.name_threshold:
            for people in self._without_exclusions(alike):
                self._groups.new(people)
            return
        links: dict[tuple[int, int], float] = {}
        apart: set[tuple[int, int]] = set()
        by_neighbour: dict[int, list[int]] = defaultdict(list)
        for i, number in enumerate(alike):
            for neighbour in self._company.neighbours(number):
                by_neighbour[neighbour].append(i)
            for kind, value in self._persons[number].evidence.attributes:
                if kind in SHARED_KINDS:
                    by_neighbour[-1 - hash((kind, value)) % (1 << 60)].append(i)
        for neighbour, sharing in by_neighbour.items():
            if len(sharing) > 200:
                continue
            others = len(self._groups.groups[neighbour].documents) - 1 if neighbour >= 0 else 0
            weight = 0.99 if neighbour < 0 else 1 / others if others else 0.0
            for a, left in enumerate(sharing):
                for right in sharing[a + 1 :]:
                    pair = (min(left, right), max(left, right))
                    if self._told_apart(alike[left], alike[right]):
                        apart.add(pair)
                    else:
                        links[pair] = 1 - (1 - links.get(pair, 0.0)) * (1 - weight)
        labels, doubtful = group_with_doubt(
            len(alike), {pair: p for pair, p in links.items() if p >= self._rules.company_threshold}, apart,
            link_threshold=self._rules.company_threshold, review_threshold=0.0, margin=0.0,
        )  # fmt: skip
        by_label: dict[int, list[int]] = defaultdict(list)
        for i, label in enumerate(labels):
            if i not in doubtful:
                by_label[label].append(alike[i])
        for people in by_label.values():
            if len(people) > 1:
                self._groups.new(people)
                self._groups.joined.update(dict.fromkeys(people, max(sure, self._rules.company_threshold)))
        alone = [people[0] for people in by_label.values() if len(people) == 1]
        self._note_possible(alone, sure)

    def _told_apart(self, left: int, right: int) -> bool:
        a, b = self._persons[left], self._persons[right]
        return right in a.apart or left in b.apart or a.evidence.excludes(b.evidence)

    def _note_possible(self, alone: Sequence[int], sure: float) -> None:
        """Equal initials and surname that are too common to be linked: the later ones may be the first."""
        if not alone or self._persons[alone[0]].kind is not NameKind.INITIALS or sure < 0.1:
            return
        groups = [self._groups.new([number]) for number in alone]
        for number in alone[1:]:
            own = self._groups.group_of[number]
            near = [g for g in groups if g < own and not self._excluded(number, g)]
            if near:
                kept = near[: self._rules.most_candidates]
                self._groups.candidates[number] = dict.fromkeys(kept, min(0.5, sure))

    def _without_exclusions(self, alike: Sequence[int]) -> list[list[int]]:
        parts: list[tuple[Evidence, list[int]]] = []
        for number in alike:
            person = self._persons[number]
            for evidence, people in parts:
                if not evidence.excludes(person.evidence) and not person.apart & set(people):
                    people.append(number)
                    evidence.add(person.evidence)
                    break
            else:
                evidence = Evidence()
                evidence.add(person.evidence)
                parts.append((evidence, [number]))
        return [people for _, people in parts]


def _common_part(expected: float) -> float:
    """Share of others among the bearers of a name, when this many others are expected."""
    return expected / (1 + expected)
