"""Who is who across documents: full names first, then what is shorter where evidence supports it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from linkage.clustering.average import group_with_doubt
from linkage.clustering.document import FormLinks
from linkage.clustering.evidence import Evidence
from linkage.clustering.names import (
    LATER_NAME,
    NameForm,
    NameKind,
    PartLinks,
    form_fit,
    letters_clash,
    suffixes_clash,
)
from linkage.clustering.rarity import COMMON_SHARE, Rarity
from linkage.records import EntityId

# What people rarely share: one value in common speaks for one person where the names already fit.
_SHARED_KINDS = frozenset({"birth_date", "bsn", "email", "phone", "dossier"})


_LEAST_FIT = 0.5
_MOST_DOCUMENTS = 200  # whoever occurs in more says little about whom they occur with
# What a form of each kind may be linked to across documents: something fuller, or its like.
_LINKABLE_KINDS = {
    NameKind.LETTERS: frozenset({NameKind.LETTERS, NameKind.INITIALS, NameKind.FULL}),
    NameKind.GIVEN: frozenset({NameKind.GIVEN, NameKind.INITIALS, NameKind.FULL}),
    NameKind.FAMILY: frozenset({NameKind.FAMILY, NameKind.INITIALS, NameKind.FULL}),
    NameKind.INITIALS: frozenset({NameKind.INITIALS, NameKind.FULL}),
    NameKind.FULL: frozenset({NameKind.FULL}),
}


@dataclass(frozen=True, slots=True)
class CorpusRules:
    """Thresholds on probabilities in [0, 1] across documents."""

    link_threshold: float
    review_threshold: float
    margin: float = 0.04
    name_threshold: float = 0.8  # what the name alone must say of the only group it fits
    company_threshold: float = 0.3  # how much of shared company makes a lone given name a link
    company_lead: float = 3.0  # how many times the best candidate's company must exceed the second's
    most_candidates: int = 8  # more candidates than this say nothing; the name then stands by itself
    most_rounds: int = 4


@dataclass(slots=True)
class Person:
    """The people of all documents before they are put together. Numbers are indexes.

    A known person of the vault or a registry has an entity and no mentions. candidates and apart are indexes
    of other persons.
    """

    order: str  # sorts persons whatever order they came in
    documents: set[int]
    mentions: list[int]
    forms: dict[int, int]
    evidence: Evidence
    kind: NameKind
    candidates: tuple[int, ...] = ()
    apart: set[int] = field(default_factory=set)
    entity: EntityId | None = None


@dataclass(slots=True)
class Group:
    """One person of the corpus: indexes of persons put together."""

    persons: list[int]
    documents: set[int]
    forms: dict[int, int]
    evidence: Evidence
    kind: NameKind


@dataclass(slots=True)
class CorpusPeople:
    """groups partition the persons; candidates: person in doubt -> groups it may belong to, and how likely.

    joined holds, for each person that evidence added to a group, the probability that it belongs there.
    """

    groups: list[Group]
    group_of: list[int]
    candidates: dict[int, dict[int, float]]
    joined: dict[int, float]


def resolve_corpus(
    persons: Sequence[Person],
    forms: Sequence[NameForm],
    form_links: FormLinks,
    part_links: PartLinks,
    rarity: Rarity,
    rules: CorpusRules,
) -> CorpusPeople:
    """Put the people of the documents together. The result does not depend on the order of persons."""
    return _CorpusResolver(persons, forms, form_links, part_links, rarity, rules).people()


class _CorpusResolver:
    def __init__(
        self,
        persons: Sequence[Person],
        forms: Sequence[NameForm],
        form_links: FormLinks,
        part_links: PartLinks,
        rarity: Rarity,
        rules: CorpusRules,
    ) -> None:
        self._persons = persons
        self._forms = forms
        self._form_links = form_links
        self._part_links = part_links
        self._rarity = rarity
        self._rules = rules
        self._in_order = sorted(range(len(persons)), key=lambda p: persons[p].order)
        self._groups: list[Group] = []
        self._group_of: list[int] = [-1] * len(persons)
        self._candidates: dict[int, dict[int, float]] = {}
        self._joined: dict[int, float] = {}
        self._groups_in_document: dict[int, set[int]] = defaultdict(set)
        self._named_as_one: set[frozenset[int]] = set()
        self._groups_of_form: dict[int, set[int]] = defaultdict(set)
        self._fuller: dict[int, tuple[list[tuple[int, float]], list[int]]] = {}
        self._fit_cache: dict[tuple[int, int], float] = {}
        self._forms_by_word: dict[str, list[int]] = defaultdict(list)
        for form, name in enumerate(forms):
            for word in {*name.families, *name.glued}:
                self._forms_by_word[word].append(form)

    def people(self) -> CorpusPeople:
        doubtful = [p for p in self._in_order if self._persons[p].candidates]
        plain = [p for p in self._in_order if not self._persons[p].candidates]
        self._group_full_names([p for p in plain if self._persons[p].kind is NameKind.FULL])
        self._merge_by_company()
        rest = [p for p in plain if self._group_of[p] < 0 and p not in self._candidates]
        for _ in range(self._rules.most_rounds):
            waiting, rest = rest, self._one_round(rest)
            if len(rest) == len(waiting):
                break
        for person in rest:
            self._new_group([person])
        for person in doubtful:
            found = {self._group_of[other] for other in self._persons[person].candidates}
            self._candidates[person] = {group: 1 / (len(found) + 1) for group in sorted(found) if group >= 0}
        for person in self._in_order:
            if self._group_of[person] < 0:
                self._new_group([person])
        for person, groups in self._candidates.items():
            groups.pop(self._group_of[person], None)
        return CorpusPeople(self._groups, self._group_of, self._candidates, self._joined)

    # -- groups --------------------------------------------------------------------------------------------

    def _new_group(self, members: Iterable[int]) -> int:
        number = len(self._groups)
        self._groups.append(Group([], set(), {}, Evidence(), NameKind.LETTERS))
        for person in members:
            self._join(person, number)
        return number

    def _join(self, number: int, group_number: int) -> None:
        person, group = self._persons[number], self._groups[group_number]
        group.persons.append(number)
        group.documents |= person.documents
        group.evidence.add(person.evidence)
        group.kind = max(group.kind, person.kind)
        for form, count in person.forms.items():
            self._groups_of_form[form].add(group_number)
            group.forms[form] = group.forms.get(form, 0) + count
        for document in person.documents:
            self._groups_in_document[document].add(group_number)
        self._group_of[number] = group_number

    def _excluded(self, number: int, group_number: int) -> bool:
        person, group = self._persons[number], self._groups[group_number]
        if person.evidence.excludes(group.evidence):
            return True
        if person.apart and any(other in person.apart for other in group.persons):
            return True
        return any(suffixes_clash(self._forms[f], self._forms[g]) for f in person.forms for g in group.forms)

    # -- full names ----------------------------------------------------------------------------------------

    def _group_full_names(self, full: Sequence[int]) -> None:
        """Forms are put together first, once for the whole corpus; then evidence divides their bearers."""
        used = sorted(
            {f for p in full for f in self._persons[p].forms if self._forms[f].kind is NameKind.FULL}
        )
        position = {form: n for n, form in enumerate(used)}
        links: dict[tuple[int, int], float] = {}
        for n, form in enumerate(used):
            for other, probability in self._form_links.get(form, {}).items():
                m = position.get(other, -1)
                if m > n and probability >= self._rules.review_threshold:
                    links[n, m] = probability
        apart = self._forms_apart(full, position)
        for person in full:
            mine = sorted(position[f] for f in self._persons[person].forms if f in position)
            for i, left in enumerate(mine):
                for right in mine[i + 1 :]:
                    # One document says that both are one person; rivals of the name are held apart below.
                    links[left, right] = max(links.get((left, right), 0.0), self._rules.link_threshold)
        labels, doubtful = group_with_doubt(
            len(used), links, apart,
            link_threshold=self._rules.link_threshold,
            review_threshold=self._rules.review_threshold,
            margin=self._rules.margin,
        )  # fmt: skip
        members: dict[int, list[int]] = defaultdict(list)
        unclear: list[tuple[int, set[int]]] = []
        for person in full:
            mine = [f for f in self._persons[person].forms if f in position]
            sure = [f for f in mine if position[f] not in doubtful]
            if sure:
                counts = self._persons[person].forms
                best = min(sure, key=lambda f: (-counts[f], f))
                members[labels[position[best]]].append(person)
            else:
                unclear.append((person, {label for f in mine for label in doubtful[position[f]]}))
        groups_of_label = {label: self._divide(found) for label, found in sorted(members.items())}
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for person, near in unclear:
            groups = [g for label in sorted(near) for g in groups_of_label.get(label, ())]
            fitting = [g for g in groups if not self._excluded(person, g)]
            if len(fitting) == 1 and len(groups) > 1:
                self._join(person, fitting[0])
                self._joined[person] = self._rules.link_threshold
            else:
                self._candidates[person] = dict.fromkeys(
                    fitting[: self._rules.most_candidates], 1 / (len(fitting) + 1)
                )
                alike[tuple(sorted(self._persons[person].forms))].append(person)
        for people in alike.values():  # in doubt together: "Bert Jansen" everywhere may still be one person
            if all(not self._persons[p].evidence.decisive() and not self._persons[p].apart for p in people):
                self._new_group(people)

    def _forms_apart(self, full: Sequence[int], position: Mapping[int, int]) -> set[tuple[int, int]]:
        apart: set[tuple[int, int]] = set()
        for number in full:
            for other in self._persons[number].apart:
                for f in self._persons[number].forms:
                    for g in self._persons[other].forms:
                        if f in position and g in position and position[f] < position[g]:
                            apart.add((position[f], position[g]))
        return apart

    def _divide(self, people: list[int]) -> list[int]:
        """Groups of people whose names are put together: one, unless evidence tells some of them apart."""
        if not self._must_divide(people):
            return [self._new_group(people)]
        self._note_named_as_one(people)
        nodes: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for number in people:
            person = self._persons[number]
            evidence = person.evidence
            key = (
                tuple(sorted(person.forms)), evidence.decisive(), frozenset(evidence.person_ids),
                evidence.gender,
                person.entity, number if person.apart else None,
            )  # fmt: skip
            nodes[key].append(number)
        members = list(nodes.values())
        links: dict[tuple[int, int], float] = {}
        apart: set[tuple[int, int]] = set()
        for i, left in enumerate(members):
            for j in range(i + 1, len(members)):
                right = members[j]
                if self._told_apart(left[0], right[0]):
                    apart.add((i, j))
                else:
                    links[i, j] = self._person_probability(left[0], right[0])
        labels, doubtful = group_with_doubt(
            len(members), links, apart,
            link_threshold=self._rules.link_threshold,
            review_threshold=self._rules.review_threshold,
            margin=self._rules.margin,
        )  # fmt: skip
        by_label: dict[int, list[int]] = defaultdict(list)
        for i, label in enumerate(labels):
            if i not in doubtful:
                by_label[label] += members[i]
        group_of_label = {label: self._new_group(found) for label, found in sorted(by_label.items())}
        for i, near in sorted(doubtful.items()):
            for number in members[i]:
                self._decide(number, {group_of_label[label]: 1.0 for label in near}, sure=0.0)
        return list(group_of_label.values())

    def _note_named_as_one(self, people: Sequence[int]) -> None:
        """Pairs of known people, of different names, whom one person of the texts bears the names of."""
        known = [p for p in people if self._persons[p].entity is not None]
        for number in people:
            person = self._persons[number]
            if person.entity is not None or len(person.forms) < 2 or len(known) < 2:
                continue
            named = [k for k in known if self._persons[k].forms.keys() & person.forms.keys()]
            for left, right in combinations(named, 2):
                if not self._persons[left].forms.keys() & self._persons[right].forms.keys():
                    self._named_as_one.add(frozenset((left, right)))

    def _must_divide(self, people: Sequence[int]) -> bool:
        seen = Evidence()
        known = 0
        suffixes: set[str] = set()
        inside = set(people)
        for number in people:
            person = self._persons[number]
            known += person.entity is not None
            suffixes.update(s for f in person.forms if (s := self._forms[f].suffix) is not None)
            if seen.excludes(person.evidence) or known > 1 or len(suffixes) > 1 or person.apart & inside:
                return True
            seen.add(person.evidence)
            if len({a for a in seen.decisive() if a[0] == "birth_date"}) > 1 or len(seen.person_ids) > 1:
                return True
        return False

    def _told_apart(self, left: int, right: int) -> bool:
        a, b = self._persons[left], self._persons[right]
        if right in a.apart or left in b.apart or a.evidence.excludes(b.evidence):
            return True
        if a.entity is not None and b.entity is not None:
            # The project knows them as two; only a text that names both as one can say otherwise.
            return frozenset((left, right)) not in self._named_as_one
        return any(suffixes_clash(self._forms[f], self._forms[g]) for f in a.forms for g in b.forms)

    def _person_probability(self, left: int, right: int) -> float:
        a, b = self._persons[left], self._persons[right]
        if a.evidence.shares_decisive(b.evidence) or a.evidence.person_ids & b.evidence.person_ids:
            return 1.0
        if a.forms.keys() & b.forms.keys() or frozenset((left, right)) in self._named_as_one:
            return 0.99
        links = [self._form_links.get(f, {}).get(g, 0.0) for f in a.forms for g in b.forms]
        return min(0.98, max(links))

    # -- full names that are nearly alike, in the same company ---------------------------------------------

    def _merge_by_company(self) -> None:
        """Join groups whose names may be one person's where the people around them are the same.

        Groups that share a document are left apart: there the document itself had the last word.
        """
        chances: dict[tuple[int, int], float] = {}
        for form in sorted(self._groups_of_form):
            for other, probability in self._form_links.get(form, {}).items():
                if (
                    other < form
                    or not self._rules.review_threshold <= probability < self._rules.link_threshold
                ):
                    continue
                for left in self._groups_of_form[form]:
                    for right in self._groups_of_form.get(other, ()):
                        if left != right:
                            pair = (min(left, right), max(left, right))
                            chances[pair] = max(chances.get(pair, 0.0), probability)
        decided: list[tuple[float, int, int]] = []
        for (left, right), probability in chances.items():
            company = self._company_of_groups(left, right)
            together = 1 - (1 - probability) * (1 - company)
            if company >= self._rules.company_threshold and together >= self._rules.link_threshold:
                decided.append((-together, left, right))
        merged: dict[int, int] = {}
        for _, left, right in sorted(decided):
            while left in merged:
                left = merged[left]
            while right in merged:
                right = merged[right]
            if left != right and not self._groups_apart(left, right):
                self._absorb(min(left, right), max(left, right))
                merged[max(left, right)] = min(left, right)

    def _company_of_groups(self, left: int, right: int) -> float:
        """The company of either group that speaks more strongly for the other, in [0, 1]."""
        a, b = self._groups[left].documents, self._groups[right].documents
        if a & b or len(a) > _MOST_DOCUMENTS or len(b) > _MOST_DOCUMENTS:
            return 0.0
        return max(self._company_in(a, right, left), self._company_in(b, left, right))

    def _groups_apart(self, left: int, right: int) -> bool:
        a, b = self._groups[left], self._groups[right]
        if a.documents & b.documents or a.evidence.excludes(b.evidence):
            return True
        entities = [p for p in (*a.persons, *b.persons) if self._persons[p].entity is not None]
        return len(entities) > 1 or any(self._excluded(p, left) for p in b.persons)

    def _absorb(self, into: int, other: int) -> None:
        gone = self._groups[other]
        for document in gone.documents:
            self._groups_in_document[document].discard(other)
        for form in gone.forms:
            self._groups_of_form[form].discard(other)
        people = gone.persons
        self._groups[other] = Group([], set(), {}, Evidence(), NameKind.LETTERS)
        for person in people:
            self._join(person, into)
        for near in self._candidates.values():
            if other in near:
                near[into] = max(near.get(into, 0.0), near.pop(other))

    # -- shorter names -------------------------------------------------------------------------------------

    def _one_round(self, people: list[int]) -> list[int]:
        """Join what evidence supports, the most telling names first; returns who still stands alone."""
        by_level: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number in people:
            self._candidates.pop(number, None)  # judged anew with what the last round has put together
            by_level[self._level(number)].append(number)
        for level in sorted(by_level, reverse=True):
            waiting = [p for p in by_level[level] if self._group_of[p] < 0]
            self._attach(waiting)
            alone = [p for p in waiting if self._group_of[p] < 0 and p not in self._candidates]
            self._group_among_themselves(alone)
        return [p for p in people if self._group_of[p] < 0]

    def _level(self, number: int) -> tuple[int, int]:
        person = self._persons[number]
        letters = max((len(self._forms[f].letters) for f in person.forms), default=0)
        return int(person.kind), min(letters, 3)

    def _attach(self, waiting: Sequence[int]) -> None:
        """Judge all against the groups as they stand, then join the surest first."""
        decided: list[tuple[float, int, int]] = []
        for number in waiting:
            found = self._judge(number)
            if found is not None:
                decided.append((-found[1], number, found[0]))
        for negative, number, group in sorted(decided, key=lambda d: (d[0], self._persons[d[1]].order)):
            if self._excluded(number, group):
                continue
            self._candidates.pop(number, None)
            self._join(number, group)
            self._joined[number] = -negative

    def _judge(self, number: int) -> tuple[int, float] | None:
        fits = self._fits(number)
        if not fits:
            return None
        best = max(fits.values())
        near = {group: fit for group, fit in fits.items() if fit >= best - self._rules.margin}
        return self._decide(number, near, sure=self._name_probability(number))

    def _decide(self, number: int, near: Mapping[int, float], *, sure: float) -> tuple[int, float] | None:
        """The group a person belongs to, with the probability; None where that stays open.

        sure is the probability that the only group with this name is meant, judged by the name alone.
        """
        person = self._persons[number]
        sharing = [g for g in near if self._shares_attribute(person, self._groups[g])]
        if len(sharing) == 1:
            return sharing[0], 0.99
        company = {group: self._company(number, group) for group in near}
        ranked = sorted(near, key=lambda g: (-company[g], -near[g], g))
        first = ranked[0]
        second_company = company[ranked[1]] if len(ranked) > 1 else 0.0
        by_name = sure * near[first] if len(near) == 1 else 0.0
        leads = company[first] >= self._rules.company_threshold and (
            company[first] >= self._rules.company_lead * second_company
        )
        by_company = 1 - (1 - company[first]) * (1 - self._rules.link_threshold) if leads else 0.0
        if by_name >= self._rules.name_threshold or leads:
            return first, max(by_name, by_company, self._rules.link_threshold)
        if person.kind >= NameKind.INITIALS and len(near) <= self._rules.most_candidates:
            shares = {g: min(0.5, max(by_name, 1 / (len(near) + 1))) for g in ranked}
            if max(shares.values()) >= min(self._rules.review_threshold, 0.3):
                self._candidates[number] = shares
        return None

    def _shares_attribute(self, person: Person, group: Group) -> bool:
        return any(
            a in group.evidence.attributes for a in person.evidence.attributes if a[0] in _SHARED_KINDS
        )

    def _name_probability(self, number: int) -> float:
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

    def _fits(self, number: int) -> dict[int, float]:
        """Groups whose names this person's forms fit, with the fit; what evidence excludes is left out."""
        person = self._persons[number]
        fits: dict[int, float] = {}
        if person.kind >= NameKind.FAMILY:
            clashing: set[int] = set()
            for form in person.forms:
                fitting, clashes = self._fuller_forms(form)
                for fuller, fit in fitting:
                    for group in self._groups_of_form.get(fuller, ()):
                        if fit > fits.get(group, 0.0):
                            fits[group] = fit
                clashing.update(g for fuller in clashes for g in self._groups_of_form.get(fuller, ()))
            for group in clashing:
                fits.pop(group, None)
        else:
            for group in self._groups_in_company(number):
                fit = max(self._form_fit(f, g) for f in person.forms for g in self._groups[group].forms)
                if fit >= _LEAST_FIT:
                    fits[group] = fit
        return {
            group: fit
            for group, fit in fits.items()
            if self._groups[group].kind in _LINKABLE_KINDS[person.kind] and not self._excluded(number, group)
        }

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
        name, fuller = self._forms[form], self._forms[fuller_form]
        if form == fuller_form:
            return LATER_NAME if name.kind < NameKind.INITIALS else 1.0
        if fuller.kind < name.kind:
            return 0.0
        key = (form, fuller_form)
        known = self._fit_cache.get(key)
        if known is None:
            known = self._fit_cache[key] = form_fit(name, fuller, self._part_links)
        return known

    # -- company -------------------------------------------------------------------------------------------

    def _neighbours(self, number: int) -> set[int]:
        return {g for d in self._persons[number].documents for g in self._groups_in_document.get(d, ())}

    def _groups_in_company(self, number: int) -> set[int]:
        """Groups that occur in a document together with a group of this person's own documents."""
        found: set[int] = set()
        for neighbour in self._neighbours(number):
            documents = self._groups[neighbour].documents
            if 1 < len(documents) <= _MOST_DOCUMENTS:
                for document in documents:
                    found |= self._groups_in_document[document]
        return found

    def _company(self, number: int, group: int) -> float:
        """How likely the group is to occur among the people of this person's documents, in [0, 1]."""
        return self._company_in(self._persons[number].documents, group, self._group_of[number])

    def _company_in(self, own: set[int], group: int, itself: int) -> float:
        """Each neighbour says in what share of its other documents the group is; they speak independently."""
        there = self._groups[group].documents - own
        if not there:
            return 0.0
        absent = 1.0
        for neighbour in {g for d in own for g in self._groups_in_document.get(d, ())} - {group, itself}:
            documents = self._groups[neighbour].documents
            others = len(documents) - len(documents & own)
            if others:
                absent *= 1 - len(documents & there) / others
        return 1 - absent

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
                self._new_group(people)
            return
        links: dict[tuple[int, int], float] = {}
        apart: set[tuple[int, int]] = set()
        by_neighbour: dict[int, list[int]] = defaultdict(list)
        for i, number in enumerate(alike):
            for neighbour in self._neighbours(number):
                by_neighbour[neighbour].append(i)
            for kind, value in self._persons[number].evidence.attributes:
                if kind in _SHARED_KINDS:
                    by_neighbour[-1 - hash((kind, value)) % (1 << 60)].append(i)
        for neighbour, sharing in by_neighbour.items():
            if len(sharing) > 200:
                continue
            others = len(self._groups[neighbour].documents) - 1 if neighbour >= 0 else 0
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
                self._new_group(people)
                self._joined.update(dict.fromkeys(people, max(sure, self._rules.company_threshold)))
        alone = [people[0] for people in by_label.values() if len(people) == 1]
        self._note_possible(alone, sure)

    def _note_possible(self, alone: Sequence[int], sure: float) -> None:
        """Equal initials and surname that are too common to be linked: the later ones may be the first."""
        if not alone or self._persons[alone[0]].kind is not NameKind.INITIALS or sure < 0.1:
            return
        groups = [self._new_group([number]) for number in alone]
        for number in alone[1:]:
            near = [g for g in groups if g < self._group_of[number] and not self._excluded(number, g)]
            if near:
                self._candidates[number] = dict.fromkeys(near[: self._rules.most_candidates], min(0.5, sure))

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
