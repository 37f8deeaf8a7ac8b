"""Full names across documents: their forms are put together first, then evidence divides the bearers."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from linkage.clustering.average import group_with_doubt
from linkage.clustering.company import Company
from linkage.clustering.document import FormLinks
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameKind
from linkage.clustering.names import PartLinks, further_names_clash, suffixes_of
from linkage.clustering.people import CorpusRules
from linkage.constraints import Evidence, Reason, reason_apart

_MOST_NODES = 200  # bearers of one name, told apart by evidence, who are compared each with each


class FullNames:
    """Makes the groups of full names. in_doubt: persons that fit several groups, with those groups."""

    def __init__(
        self,
        groups: Groups,
        company: Company,
        form_links: FormLinks,
        part_links: PartLinks,
        rules: CorpusRules,
    ) -> None:
        self._groups = groups
        self._persons = groups.persons
        self._forms = groups.forms
        self._company = company
        self._form_links = form_links
        self._part_links = part_links
        self._rules = rules
        self._named_as_one: set[frozenset[int]] = set()
        self.in_doubt: dict[int, list[int]] = {}

    def group(self, full: Sequence[int]) -> None:
        """Forms are put together once for the whole corpus; what tells bearers apart divides them again."""
        used = sorted(
            {f for p in full for f in self._persons[p].forms if self._forms[f].kind is NameKind.FULL}
        )
        position = {form: n for n, form in enumerate(used)}
        links = self._links(full, used, position)
        labels, doubtful = group_with_doubt(
            len(used), links, self._forms_apart(full, position) | self._going_on_otherwise(used, links),
            link_threshold=self._rules.link_threshold,
            review_threshold=self._rules.review_threshold,
            margin=self._rules.doubt_log_odds,
        )  # fmt: skip
        members: dict[int, list[int]] = defaultdict(list)
        unclear: list[tuple[int, set[int]]] = []
        bearers = Counter(f for p in full for f in self._persons[p].forms)
        for person in full:
            mine = [f for f in self._persons[person].forms if f in position]
            sure = [f for f in mine if position[f] not in doubtful]
            if sure:
                counts = self._persons[person].forms
                # A misspelt form of a document is rarely another person's name in others.
                best = min(sure, key=lambda f: (-bearers[f], -counts[f], f))
                members[labels[position[best]]].append(person)
            else:
                unclear.append((person, {label for f in mine for label in doubtful[position[f]]}))
        groups_of_label = {label: self._divide(found) for label, found in sorted(members.items())}
        doubts: dict[tuple[int, ...], list[int]] = {}  # one list for all that are in doubt between the same
        for person, near in unclear:
            key = tuple(sorted(near))
            if key not in doubts:
                doubts[key] = [g for label in key for g in groups_of_label.get(label, ())]
            self.in_doubt[person] = doubts[key]

    def _links(
        self, full: Sequence[int], used: Sequence[int], position: Mapping[int, int]
    ) -> dict[tuple[int, int], float]:
        links: dict[tuple[int, int], float] = {}
        for n, form in enumerate(used):
            for other, probability in self._form_links.get(form, {}).items():
                m = position.get(other, -1)
                if m > n and probability >= self._rules.review_threshold:
                    links[n, m] = probability
        for person in full:
            mine = sorted(position[f] for f in self._persons[person].forms if f in position)
            for pair in combinations(mine, 2):
                # One document says that both are one person; rivals of the name are held apart below.
                links[pair] = max(links.get(pair, 0.0), self._rules.link_threshold)
        return links

    def _forms_apart(self, full: Sequence[int], position: Mapping[int, int]) -> set[tuple[int, int]]:
        apart: set[tuple[int, int]] = set()
        for number in full:
            for other in self._persons[number].apart:
                for f in self._persons[number].forms:
                    for g in self._persons[other].forms:
                        if f in position and g in position and position[f] < position[g]:
                            apart.add((position[f], position[g]))
        return apart

    def _going_on_otherwise(
        self, used: Sequence[int], links: Mapping[tuple[int, int], float]
    ) -> set[tuple[int, int]]:
        """Pairs of forms that are alike but for further given names or initials, which make them two."""
        return {
            (n, m)
            for n, m in links
            if further_names_clash(self._forms[used[n]], self._forms[used[m]], self._part_links)
        }

    # -- one name, several people --------------------------------------------------------------------------

    def _divide(self, people: list[int]) -> list[int]:
        """Groups of people whose names are put together: one, unless evidence tells some of them apart."""
        if not self._must_divide(people):
            return [self._groups.new(people)]
        self._note_named_as_one(people)
        nodes: dict[tuple[object, ...], list[int]] = defaultdict(list)
        inside = set(people)
        for number in people:
            person = self._persons[number]
            evidence = person.evidence
            key = (
                tuple(sorted(person.forms)), evidence.decisive(), frozenset(evidence.person_ids),
                evidence.gender, evidence.sides(),
                person.entity, None if person.apart.isdisjoint(inside) else number,
            )  # fmt: skip
            nodes[key].append(number)
        members = list(nodes.values())
        if len(members) > _MOST_NODES:
            return self._divide_many(members, inside)
        contrasted = [m for m in members if self._is_only_contrasted(m[0], inside)]
        if not contrasted or len(contrasted) == len(members):
            return self._divide_nodes(members)
        groups = self._divide_nodes([m for m in members if m not in contrasted])
        for found in contrasted:
            for number in found:
                self.in_doubt[number] = groups
        return groups

    def _is_only_contrasted(self, number: int, people: set[int]) -> bool:
        """Whether nothing but its own document tells this bearer of a name from another one.

        Which of the two all other documents speak of it does not say.
        """
        person = self._persons[number]
        told = person.evidence.decisive() or person.evidence.person_ids or person.entity is not None
        return not told and not person.apart.isdisjoint(people)

    def _divide_nodes(self, members: Sequence[list[int]]) -> list[int]:
        """Groups of nodes, each with each compared; a node is people of one form and one evidence."""
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
            margin=self._rules.doubt_log_odds,
        )  # fmt: skip
        by_label: dict[int, list[int]] = defaultdict(list)
        for i, label in enumerate(labels):
            if i not in doubtful:
                by_label[label] += members[i]
        group_of_label = {label: self._groups.new(found) for label, found in sorted(by_label.items())}
        for i, near in sorted(doubtful.items()):
            for number in members[i]:
                self.in_doubt[number] = [group_of_label[label] for label in near if label in group_of_label]
        return list(group_of_label.values())

    def _divide_many(self, members: Sequence[list[int]], people: set[int]) -> list[int]:
        """Groups of hundreds of bearers of a name who are told apart, without comparing each with each.

        Only what shares a decisive value, a registry id or a known person is compared. Whoever has none of
        these may be any of them, and stays in doubt; so does whom a document tells apart from another bearer.
        """
        holders: dict[object, int] = {}
        parent = list(range(len(members)))

        def root(node: int) -> int:
            while parent[node] != node:
                parent[node] = parent[parent[node]]
                node = parent[node]
            return node

        named = defaultdict(list)
        for pair in self._named_as_one:
            for number in pair:
                named[number].append(pair)
        unmarked: list[int] = []
        marked: list[int] = []
        for node, found in enumerate(members):
            person = self._persons[found[0]]
            marks: list[object] = [*person.evidence.decisive(), *person.evidence.person_ids]
            if person.entity is not None:
                marks += [person.entity, *named[found[0]]]
            (marked if marks else unmarked).append(node)
            for mark in marks:
                parent[root(node)] = root(holders.setdefault(mark, node))
        blocks: dict[int, list[list[int]]] = defaultdict(list)
        for node in marked:
            blocks[root(node)].append(members[node])
        groups = [group for block in blocks.values() for group in self._divide_nodes(block)]
        if not groups:
            plain = {n for n in unmarked if self._persons[members[n][0]].apart.isdisjoint(people)}
            groups = self._divide_nodes([members[node] for node in sorted(plain)]) if plain else []
            unmarked = [node for node in unmarked if node not in plain]
        for node in unmarked:
            for number in members[node]:
                self.in_doubt[number] = groups  # one list for all of them: there may be thousands of both
        return groups

    def _note_named_as_one(self, people: Sequence[int]) -> None:
        """Pairs of known people, of different names, whom one person of the texts bears the names of."""
        known: dict[int, list[int]] = defaultdict(list)  # form -> known people
        for number in people:
            if self._persons[number].entity is not None:
                for form in self._persons[number].forms:
                    known[form].append(number)
        for number in people:
            person = self._persons[number]
            if person.entity is not None or len(person.forms) < 2 or not known:
                continue
            named = sorted({k for form in person.forms for k in known.get(form, ())})
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
            suffixes |= suffixes_of(person.forms, self._forms)
            is_told = not person.apart.isdisjoint(inside)
            if len(suffixes) > 1 or reason_apart(seen, person.evidence, is_told=is_told, is_known=known > 1):
                return True
            told = person.evidence
            seen.add(Evidence(told.gender, told.person_ids, set(told.decisive()), told.roles))
            if len({a for a in seen.decisive() if a[0] == Reason.BIRTH_DATE}) > 1 or len(seen.person_ids) > 1:
                return True
            if len(seen.sides()) > 1:
                return True
        return False

    def _told_apart(self, left: int, right: int) -> bool:
        a, b = self._persons[left], self._persons[right]
        # What the project knows as two, only a text that names both as one can say otherwise of.
        is_known = a.entity is not None and b.entity is not None
        reason = reason_apart(
            a.evidence, b.evidence, is_told=right in a.apart or left in b.apart,
            is_known=is_known and frozenset((left, right)) not in self._named_as_one,
            suffixes=(suffixes_of(a.forms, self._forms), suffixes_of(b.forms, self._forms)),
        )  # fmt: skip
        return reason is not None

    def _person_probability(self, left: int, right: int) -> float:
        a, b = self._persons[left], self._persons[right]
        if a.evidence.shares_decisive(b.evidence) or a.evidence.person_ids & b.evidence.person_ids:
            return 1.0
        if a.forms.keys() & b.forms.keys() or frozenset((left, right)) in self._named_as_one:
            return 0.99
        links = [self._form_links.get(f, {}).get(g, 0.0) for f in a.forms for g in b.forms]
        return min(0.98, max(links))

    # -- full names that are nearly alike, in the same company ---------------------------------------------

    def merge_by_company(self) -> int:
        """Join groups whose names may be one person's where the people around them are the same.

        Groups that a document tells apart are left apart: there it had the last word. Returns how many were
        joined.
        """
        chances: dict[tuple[int, int], float] = {}
        by_forms: dict[tuple[int, int], tuple[int, int]] = {}
        of_form = self._groups.of_form
        for form in sorted(of_form):
            for other, probability in self._form_links.get(form, {}).items():
                if (
                    other < form
                    or not self._rules.review_threshold <= probability < self._rules.link_threshold
                ):
                    continue
                for left in of_form[form]:
                    for right in of_form.get(other, ()):
                        if left != right:
                            pair = (min(left, right), max(left, right))
                            if probability > chances.get(pair, 0.0):
                                chances[pair] = probability
                                by_forms[pair] = (form, other) if left < right else (other, form)
        decided: list[tuple[float, int, int]] = []
        for (left, right), probability in chances.items():
            company = self._company.of_groups(left, (right,))[right]
            together = 1 - (1 - probability) * (1 - company)
            if company >= self._rules.full_company and together >= self._rules.link_threshold:
                decided.append((-together, left, right))
        merged: dict[int, int] = {}
        for negative, *pair_of in sorted(decided):
            forms = by_forms[pair_of[0], pair_of[1]]
            left, right = (_last(group, merged) for group in pair_of)
            if left != right and not self._groups.apart(left, right):
                if self._groups.joins is not None:
                    self._groups.joins.company(self._groups, (left, right), forms, -negative)
                self._groups.absorb(min(left, right), max(left, right))
                merged[max(left, right)] = min(left, right)
        if merged:
            renamed: dict[int, list[int]] = {}  # many may be in doubt between the same, in one list
            for person, near in self.in_doubt.items():
                if id(near) not in renamed:
                    renamed[id(near)] = sorted({_last(group, merged) for group in near})
                self.in_doubt[person] = renamed[id(near)]
        return len(merged)


def _last(group: int, merged: Mapping[int, int]) -> int:
    """The group that a group has become part of."""
    while group in merged:
        group = merged[group]
    return group
