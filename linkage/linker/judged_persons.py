"""The persons of documents with what people decided: accepted mentions are one person, rejected ones two."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from linkage.clustering.name_forms import NameKind
from linkage.clustering.people import LocalPerson, Person
from linkage.constraints import OF_ACCEPTED, Evidence, reason_apart
from linkage.linker.judgements import Clusters, DifferentNames, Unions, Verdicts
from linkage.linker.persons import placed
from linkage.records import DocumentId, NormalizedMention

Resolve = Callable[[Sequence[int], Sequence[NormalizedMention]], list[LocalPerson]]


@dataclass(frozen=True, slots=True)
class JudgedPersons:
    """persons, those known before at the end or where documents showed them; numbers are indexes of persons.

    told_apart: person -> persons that it is not by what people said. unheld: accepted pairs of mentions that
    were not made one, since something holds apart whom they would join.
    """

    persons: list[Person]
    told_apart: Mapping[int, frozenset[int]] = field(default_factory=dict)
    unheld: tuple[tuple[int, int], ...] = ()


def judged_persons(
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    documents: Mapping[DocumentId, Sequence[int]],
    resolve: Resolve,
    known: Sequence[Person],
    verdicts: Verdicts,
    differ: DifferentNames,
) -> JudgedPersons:
    """The persons of all documents and the known ones. resolve gives the people of one document.

    An accepted pair that turns out to join two who are held apart says nothing about third ones either: then
    all is done again without it.
    """
    unheld: set[tuple[int, int]] = set()
    local: dict[DocumentId, tuple[object, list[LocalPerson]]] = {}
    while True:
        clusters = Clusters(verdicts, mentions, form_of, differ, without=frozenset(unheld))
        told = clusters.told(mentions, documents)
        as_told = mentions
        if told:
            as_told = [told.get(index, mention) for index, mention in enumerate(mentions)]
        persons: list[Person] = []
        for number, (doc_id, indexes) in enumerate(documents.items()):
            said = [(index, told[index].context.joined_with) for index in indexes if index in told]
            if doc_id not in local or local[doc_id][0] != said:
                local[doc_id] = said, resolve(indexes, as_told)
            persons += placed(local[doc_id][1], number, len(persons))
        people = _People([*persons, *known], as_told, form_of, clusters, differ)
        people.divide()
        people.take_out_accepted()
        refused = [*clusters.refused, *people.join(verdicts.accepted_forms)]
        if not refused:
            return people.result(tuple(sorted(unheld)))
        if not told and not clusters.refused:
            return people.result(tuple(sorted({*unheld, *refused})))
        unheld.update(refused)


class _People:
    def __init__(
        self,
        persons: list[Person],
        mentions: Sequence[NormalizedMention],
        form_of: Sequence[int],
        clusters: Clusters,
        differ: DifferentNames,
    ) -> None:
        self._persons, self._mentions, self._form_of = persons, mentions, form_of
        self._clusters, self._differ = clusters, differ
        self._holder = {m: number for number, person in enumerate(persons) for m in person.mentions}
        self._unions: Unions | None = None

    # -- what one document had put together ----------------------------------------------------------------

    def divide(self) -> None:
        """Part persons who hold mentions that people said are two, such as by what a registry says."""
        for number, person in enumerate(list(self._persons)):
            of = {m: self._clusters.of(m) for m in person.mentions}
            told = {c for c in of.values() if self._clusters.apart(c) or self._clusters.forms_apart(c)}
            if not any(self._clusters.are_apart(a, b) for a in told for b in of.values()):
                continue
            parts: list[list[int]] = []
            # Whoever is told apart founds the parts; the others go to the first, if they can by their form.
            for mention in sorted(person.mentions, key=lambda m: (of[m] not in told, m)):
                fitting = [
                    part for part in parts
                    if not any(self._clusters.are_apart(of[mention], of[other]) for other in part)
                ]  # fmt: skip
                same = [p for p in fitting if any(of[m] == of[mention] for m in p)]
                same += [p for p in fitting if self._form_of[mention] in {self._form_of[m] for m in p}]
                if same or fitting:
                    (same or fitting)[0].append(mention)
                else:
                    parts.append([mention])
            self._set_mentions(number, parts[0])
            for part in parts[1:]:
                self._new_person(number, part)

    def take_out_accepted(self) -> None:
        """Take accepted mentions out of persons whose other mentions cannot be those they are accepted to be.

        "Bert" of Bert Jansen's letter who was accepted to be Robert Hoekstra leaves Bert Jansen behind.
        """
        for cluster, members in sorted(self._clusters.groups.items()):
            mine: dict[int, list[int]] = defaultdict(list)
            for mention in members:
                mine[self._holder[mention]].append(mention)
            leaving: set[int] = set()
            for left, right in combinations(sorted(mine), 2):
                if self._others_are_apart(left, right, cluster):
                    leaving |= {left, right}
                for one, other in ((left, right), (right, left)):
                    if self._is_called_so(one, mine[one]) and self._differ.any_of(
                        self._persons[one].forms, self._persons[other].forms
                    ):
                        leaving.add(one)
            for number in sorted(leaving):
                rest = [m for m in self._persons[number].mentions if m not in mine[number]]
                if rest:
                    self._set_mentions(number, rest)
                    self._new_person(number, mine[number])

    def _others_are_apart(self, left: int, right: int, cluster: int) -> bool:
        mine, theirs = (
            {self._clusters.of(m) for m in self._persons[n].mentions} - {cluster} for n in (left, right)
        )
        return any(self._clusters.are_apart(a, b) for a in mine for b in theirs)

    def _is_called_so(self, number: int, mentions: Iterable[int]) -> bool:
        """Whether these mentions of a person have a shorter name only, and others a fuller one."""
        kinds = (self._differ.forms[self._form_of[m]].kind for m in mentions)
        return max(kinds) < self._persons[number].kind

    def _set_mentions(self, number: int, mentions: Sequence[int]) -> None:
        person = self._persons[number]
        evidence = Evidence()
        for mention in sorted(mentions):
            evidence.add(Evidence.of(self._mentions[mention]))
            self._holder[mention] = number
        forms = dict(Counter(self._form_of[m] for m in sorted(mentions)))
        kind = max((self._differ.forms[form].kind for form in forms), default=NameKind.LETTERS)
        self._persons[number] = replace(
            person, order=f"{min(mentions):012d}", mentions=sorted(mentions), forms=forms,
            evidence=evidence, kind=kind,
        )  # fmt: skip

    def _new_person(self, number: int, mentions: Sequence[int]) -> None:
        """A person of its own for mentions of another; the text tells both apart from the same people."""
        new = len(self._persons)
        person = self._persons[number]
        self._persons.append(replace(person, candidates=(), apart=set(person.apart)))
        for other in person.apart:
            self._persons[other].apart.add(new)
        self._set_mentions(new, mentions)

    # -- who is one ----------------------------------------------------------------------------------------

    def join(self, accepted_forms: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Make one person of whom accepted pairs join; returns the pairs of mentions that were not joined."""
        holder = self._holder
        pairs = dict.fromkeys((holder[left], holder[right]) for left, right in self._clusters.accepted)
        told_apart = self._told_apart()
        by_form: dict[int, list[int]] = defaultdict(list)
        for number, person in enumerate(self._persons):
            for form in person.forms:
                by_form[form].append(number)

        def are_apart(left: int, right: int) -> bool:
            a, b = self._persons[left], self._persons[right]
            if right in told_apart.get(left, ()):
                return True
            reason = reason_apart(
                a.evidence, b.evidence, OF_ACCEPTED, is_told=right in a.apart or left in b.apart,
                is_known=a.entity is not None and b.entity is not None,
            )  # fmt: skip
            return reason is not None

        self._unions = unions = Unions(
            are_apart,
            lambda a, b: self._differ.any_of(self._persons[a].forms, self._persons[b].forms),
            lambda a: self._persons[a].kind is NameKind.FULL,
        )
        unions.join_pairs([pair for pair in pairs if pair[0] != pair[1]])
        for left, right in accepted_forms:
            self._join_forms(left, right, by_form, unions)
        # Of mentions, whatever person they came to: a pair may be joined by others after it was refused.
        return [
            pair for pair in self._clusters.accepted
            if unions.root(self._holder[pair[0]]) != unions.root(self._holder[pair[1]])
        ]  # fmt: skip

    def _join_forms(
        self, left: int, right: int, by_form: Mapping[int, Sequence[int]], unions: Unions
    ) -> None:
        """Make one person of all who bear two accepted forms, unless these are several people.

        Then only of those of one document, where it has one of each.
        """
        bearers = {
            form: [p for p in by_form.get(form, ()) if not self._is_rather_another(p, form, other)]
            for form, other in ((left, right), (right, left))
        }
        if not bearers[left] or not bearers[right]:
            return
        everybody = {*bearers[left], *bearers[right]}
        # Those of whom the same is known are compared once.
        alike: dict[int, object] = {}
        is_several = False
        for number in everybody:
            person = self._persons[number]
            is_several |= not person.apart.isdisjoint(everybody)
            if not self._is_judged(number) and not person.apart:
                evidence = person.evidence
                fullest = tuple(sorted(self._differ.fullest(person.forms)))
                alike[number] = (
                    evidence.decisive(), frozenset(evidence.person_ids), person.entity, fullest,
                )  # fmt: skip
        if not is_several and unions.join(everybody, alike):
            return
        in_document: dict[int, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
        for side, form in enumerate((left, right)):
            for number in bearers[form]:
                if self._persons[number].entity is None:
                    for document in self._persons[number].documents:
                        in_document[document][side].add(number)
        for _, (mine, theirs) in sorted(in_document.items()):
            if len(mine) == len(theirs) == 1:
                unions.join(mine | theirs, {})

    def _is_judged(self, number: int) -> bool:
        of = (self._clusters.of(m) for m in self._persons[number].mentions)
        return any(self._clusters.apart(c) or self._clusters.forms_apart(c) for c in of)

    def _is_rather_another(self, number: int, form: int, other: int) -> bool:
        """Whether a bearer of a short form has a fuller name that is not the other form's: Bert Jansen."""
        kind = self._differ.forms[form].kind
        fullest = self._differ.fullest(self._persons[number].forms)
        return any(self._differ.forms[f].kind > kind and self._differ(f, other) for f in fullest)

    def _told_apart(self) -> dict[int, set[int]]:
        """By person, the persons that people said it is not."""
        of_cluster: dict[int, set[int]] = defaultdict(set)
        of_form: dict[int, set[int]] = defaultdict(set)
        mine: dict[int, set[int]] = {}
        for number, person in enumerate(self._persons):
            mine[number] = {self._clusters.of(m) for m in person.mentions}
            for cluster in mine[number]:
                of_cluster[cluster].add(number)
                for form in self._clusters.forms(cluster):
                    of_form[form].add(number)
            if not person.mentions:
                for form in person.forms:
                    of_form[form].add(number)
        found: dict[int, set[int]] = {}
        for number, clusters in mine.items():
            others: set[int] = set()
            for cluster in clusters:
                for apart in self._clusters.apart(cluster):
                    others |= of_cluster.get(apart, set())
                for form in self._clusters.forms_apart(cluster):
                    for other in of_form.get(form, ()):
                        if other not in others and self._are_told(cluster, other, form, mine[other]):
                            others.add(other)
            others.discard(number)
            for other in others:
                found.setdefault(number, set()).add(other)
                found.setdefault(other, set()).add(number)
        return found

    def _are_told(self, cluster: int, other: int, form: int, theirs: Iterable[int]) -> bool:
        if not self._persons[other].mentions:
            return True
        return any(c != cluster and form in self._clusters.forms(c) for c in theirs)

    # -- the persons that remain ---------------------------------------------------------------------------

    def result(self, unheld: tuple[tuple[int, int], ...]) -> JudgedPersons:
        unions = self._unions
        if unions is None:
            return JudgedPersons(self._persons, {}, unheld)
        roots = [unions.root(number) for number in range(len(self._persons))]
        place = {root: number for number, root in enumerate(sorted(set(roots)))}
        to = [place[root] for root in roots]
        made: dict[int, list[int]] = defaultdict(list)
        for number, new in enumerate(to):
            made[new].append(number)
        persons = [self._merged(made[new], to) for new in range(len(place))]
        told_apart: dict[int, set[int]] = defaultdict(set)
        for number, others in self._told_apart().items():
            told_apart[to[number]].update(to[other] for other in others)
        several = [new for new, found in made.items() if len(found) > 1]
        for new, other in self._chained_by_name(persons, several):
            told_apart[new].add(other)
            told_apart[other].add(new)
        for number, apart in told_apart.items():
            persons[number].apart.update(apart)
            kept = tuple(c for c in persons[number].candidates if c not in apart)
            persons[number] = replace(persons[number], candidates=kept)
        return JudgedPersons(
            persons, {number: frozenset(apart) for number, apart in told_apart.items()}, unheld
        )

    def _merged(self, numbers: Sequence[int], to: Sequence[int]) -> Person:
        first = self._persons[numbers[0]]
        apart = {to[other] for number in numbers for other in self._persons[number].apart} - {to[numbers[0]]}
        if len(numbers) == 1:
            candidates = tuple(sorted({to[c] for c in first.candidates} - {to[numbers[0]]}))
            return replace(first, candidates=candidates, apart=apart)
        found = sorted((self._persons[number] for number in numbers), key=lambda person: person.order)
        evidence, forms, documents = Evidence(), Counter[int](), set[int]()
        for person in found:
            evidence.add(person.evidence)
            forms.update(person.forms)
            documents |= person.documents
        return Person(
            found[0].order, documents, sorted(m for person in found for m in person.mentions), dict(forms),
            evidence, max(person.kind for person in found), (), apart,
            next((person.entity for person in found if person.entity is not None), None),
        )  # fmt: skip

    def _chained_by_name(self, persons: Sequence[Person], several: Iterable[int]) -> list[tuple[int, int]]:
        """Accepted persons and others whom a name in common would join though another name speaks against it.

        Who was accepted as Bert and Robert Jansen is not Albert Jansen, whom Bert alone might be.
        """
        by_form: dict[int, list[int]] = defaultdict(list)
        for number, person in enumerate(persons):
            for form in person.forms:
                if self._differ.forms[form].kind is NameKind.FULL:
                    by_form[form].append(number)
        found: list[tuple[int, int]] = []
        for number in several:
            full = [f for f in persons[number].forms if self._differ.forms[f].kind is NameKind.FULL]
            if not full:
                continue
            near = {form: None for f in full for form in (f, *self._differ.linked_to(f))}
            others = {other: None for form in near for other in by_form.get(form, ()) if other != number}
            found += [(number, other) for other in others if self._speaks_against(full, persons[other])]
        return found

    def _speaks_against(self, mine: Sequence[int], other: Person) -> bool:
        theirs = [f for f in other.forms if self._differ.forms[f].kind is NameKind.FULL]
        return any(
            self._differ(h, k) and not any(not self._differ(h, g) and self._differ(g, k) for g in mine)
            for h in theirs
            for k in mine
        )
