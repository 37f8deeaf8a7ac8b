"""People with one name that is not full, whom nothing fuller has claimed: one or several?"""

from collections import defaultdict
from collections.abc import Sequence

from linkage.clustering.average import Merge, group_with_doubt
from linkage.clustering.company import Company
from linkage.clustering.fits import NameFits
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameKind
from linkage.clustering.odds import NameOdds
from linkage.clustering.people import CorpusRules
from linkage.constraints import Evidence, reason_apart


class AlikeNames:
    """Makes groups of people with equal names, by rarity or by the company they share."""

    def __init__(
        self, groups: Groups, company: Company, fits: NameFits, odds: NameOdds, rules: CorpusRules
    ) -> None:
        self._groups = groups
        self._persons = groups.persons
        self._forms = groups.forms
        self._company = company
        self._fits = fits
        self._odds = odds
        self._rules = rules

    def group(self, waiting: Sequence[int]) -> None:
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
        sure = self._odds.one_by_name(alike[0])
        if sure >= self._rules.name_threshold:
            parts, either = self._without_exclusions(alike)
            self._note([(0, other, sure) for other in range(1, len(alike))], alike)
            self._open_to([self._groups.new(people) for people in parts], either)
            return
        links: dict[tuple[int, int], float] = {}
        apart: set[tuple[int, int]] = set()
        by_neighbour: dict[int, list[int]] = defaultdict(list)
        for i, number in enumerate(alike):
            for neighbour in self._company.neighbours(number):
                by_neighbour[neighbour].append(i)
            for attribute in self._persons[number].evidence.attributes:
                if self._groups.is_own(attribute):
                    by_neighbour[-1 - hash(attribute) % (1 << 60)].append(i)
        for neighbour, sharing in by_neighbour.items():
            if len(sharing) > 200:
                continue
            others = self._groups.groups[neighbour].document_count - 1 if neighbour >= 0 else 0
            weight = 0.99 if neighbour < 0 else 1 / others if others else 0.0
            for a, left in enumerate(sharing):
                for right in sharing[a + 1 :]:
                    pair = (min(left, right), max(left, right))
                    if self._told_apart(alike[left], alike[right]):
                        apart.add(pair)
                    else:
                        links[pair] = 1 - (1 - links.get(pair, 0.0)) * (1 - weight)
        merges: list[Merge] = []
        labels, doubtful = group_with_doubt(
            len(alike), {pair: p for pair, p in links.items() if p >= self._rules.company_threshold}, apart,
            link_threshold=self._rules.company_threshold, review_threshold=0.0, margin=0.0, merges=merges,
        )  # fmt: skip
        self._note([(i, j, max(sure, mean)) for i, j, mean in merges], alike)
        by_label: dict[int, list[int]] = defaultdict(list)
        for i, label in enumerate(labels):
            if i not in doubtful:
                by_label[label].append(alike[i])
        # Those who share no company were not compared: two of them may still exclude each other.
        alone: list[int] = []
        for together in by_label.values():
            parts, either = self._without_exclusions(together)
            groups = []
            for people in parts:
                if len(people) == 1 and not either:
                    alone += people
                    continue
                groups.append(self._groups.new(people))
                self._groups.joined.update(people)
            self._open_to(groups, either)
        self._note_possible(alone, sure)

    def _note(self, merges: Sequence[Merge], alike: Sequence[int]) -> None:
        """Note what makes people of one name one; positions are those in alike."""
        if self._groups.joins is not None:
            pairs = [(alike[i], alike[j], probability) for i, j, probability in merges]
            self._groups.joins.alike(self._groups, pairs)

    def _told_apart(self, left: int, right: int) -> bool:
        a, b = self._persons[left], self._persons[right]
        return reason_apart(a.evidence, b.evidence, is_told=right in a.apart or left in b.apart) is not None

    def _note_possible(self, alone: Sequence[int], sure: float) -> None:
        """Equal initials and surname that are too common to be linked: the later ones may be the first."""
        if not alone or self._persons[alone[0]].kind is not NameKind.INITIALS or sure < 0.1:
            return
        groups = [self._groups.new([number]) for number in alone]
        for number in alone[1:]:
            own = self._groups.group_of[number]
            near = [g for g in groups if g < own and not self._fits.excluded(number, g)]
            if near:
                kept = near[: self._rules.most_candidates]
                self._groups.candidates[number] = dict.fromkeys(kept, min(0.5, sure))

    def _open_to(self, groups: Sequence[int], either: Sequence[int]) -> None:
        """One group of who may be any of these: as full names in doubt, they may still be one person."""
        if not either:
            return
        self._groups.new(either)
        for number in either:
            near = [g for g in groups if not self._fits.excluded(number, g)]
            if 0 < len(near) <= self._rules.most_candidates:
                self._groups.candidates[number] = dict.fromkeys(near, 1 / (len(near) + 1))

    def _without_exclusions(self, alike: Sequence[int]) -> tuple[list[list[int]], list[int]]:
        """People of one name, those apart who exclude each other; then those who may be several of them."""
        telling = self._who_exclude_others(alike)
        parts: list[tuple[Evidence, list[int]]] = []
        for number in [n for n in alike if n in telling] if telling else alike:
            person = self._persons[number]
            for evidence, people in parts:
                is_told = not person.apart.isdisjoint(people)
                if reason_apart(evidence, person.evidence, is_told=is_told) is None:
                    people.append(number)
                    evidence.add(person.evidence)
                    break
            else:
                evidence = Evidence()
                evidence.add(person.evidence)
                parts.append((evidence, [number]))
        either = [n for n in alike if n not in telling] if telling else []
        return [people for _, people in parts], either

    def _who_exclude_others(self, alike: Sequence[int]) -> set[int]:
        """Those whom evidence or a document tells from at least one of the others."""
        by_key: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for number in alike:
            person = self._persons[number]
            evidence = person.evidence
            key = (
                evidence.gender, evidence.decisive(), frozenset(evidence.person_ids), evidence.sides(),
                number if person.apart else None,
            )  # fmt: skip
            by_key[key].append(number)
        telling: set[int] = set()
        keys = list(by_key.values())
        for i, people in enumerate(keys):
            if any(self._told_apart(people[0], others[0]) for j, others in enumerate(keys) if j != i):
                telling.update(people)
        return telling
