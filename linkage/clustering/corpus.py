"""Who is who across documents: full names first, then what is shorter where evidence supports it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from linkage.clustering.company import Company
from linkage.clustering.document import FormLinks
from linkage.clustering.full_names import FullNames
from linkage.clustering.groups import Groups
from linkage.clustering.joins import Joins
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import PartLinks
from linkage.clustering.own_facts import values_of_several
from linkage.clustering.people import CorpusPeople, CorpusRules, Person
from linkage.clustering.rarity import Rarity
from linkage.clustering.shorter_names import ShorterNames
from linkage.records import Gender

_SEXES = frozenset({Gender.FEMALE, Gender.MALE})


def resolve_corpus(
    persons: Sequence[Person],
    forms: Sequence[NameForm],
    form_links: FormLinks,
    part_links: PartLinks,
    rarity: Rarity,
    rules: CorpusRules,
    marks: Mapping[int, Collection[str]] | None = None,
    joins: Joins | None = None,
) -> CorpusPeople:
    """Put the people of the documents together. The result does not depend on the order of persons.

    marks: what each document is about, such as file numbers, by document number.
    joins, where it is given, gets what makes persons one.
    """
    in_order = sorted(range(len(persons)), key=lambda p: persons[p].order)
    groups = Groups(persons, forms, values_of_several(persons, forms, part_links))
    groups.joins = joins
    company = Company(groups, marks or {}, rarity.beyond)
    plain = [p for p in in_order if not persons[p].candidates]
    full_names = FullNames(groups, company, form_links, part_links, rules)
    full_names.group([p for p in plain if persons[p].kind is NameKind.FULL])
    full_names.merge_by_company()
    shorter = ShorterNames(groups, company, form_links, part_links, rarity, rules)
    rest = [p for p in in_order if groups.group_of[p] < 0 and p not in full_names.in_doubt]
    doubtful = sorted(full_names.in_doubt, key=lambda p: persons[p].order)
    for _ in range(rules.most_rounds):
        before = len(rest) + len(doubtful)
        shorter.attach(doubtful, full_names.in_doubt)
        doubtful = [p for p in doubtful if groups.group_of[p] < 0]
        rest = shorter.one_round(rest)
        joined = shorter.merge_groups() + full_names.merge_by_company()
        if not joined and len(rest) + len(doubtful) == before:
            break
    _keep_doubtful_together(groups, doubtful)
    for person in rest:
        groups.new([person])
    shorter.merge_groups()  # now that whoever stood alone is a group too
    _own_candidates(groups, in_order)
    shorter.open_groups()
    for person, near in groups.candidates.items():
        near.pop(groups.group_of[person], None)
    return CorpusPeople(groups.groups, groups.group_of, groups.candidates)


def _keep_doubtful_together(groups: Groups, doubtful: Sequence[int]) -> None:
    """Full names in doubt between the same people: "Bert Jansen" everywhere may still be one person.

    Not where the evidence of any two excludes that: then only those of one gender and one registry id do.
    """
    by_forms: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for person in doubtful:
        by_forms[tuple(sorted(groups.persons[person].forms))].append(person)
    for people in by_forms.values():
        found = [groups.persons[p] for p in people]
        if any(p.evidence.decisive() or p.evidence.sides() or p.apart for p in found):
            for person in people:
                groups.new([person])
            continue
        alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
        is_one = len({p.evidence.gender for p in found} & _SEXES) < len(_SEXES) and all(
            not p.evidence.person_ids for p in found
        )
        for number, bearer in zip(people, found, strict=True):
            evidence = bearer.evidence
            told = evidence.gender if evidence.gender in _SEXES else None
            alike[() if is_one else (told, frozenset(evidence.person_ids))].append(number)
        for members in alike.values():
            groups.new(members)


def _own_candidates(groups: Groups, in_order: Sequence[int]) -> None:
    """Candidates that the own document leaves open stay, where nothing more was found."""
    for number in in_order:
        person = groups.persons[number]
        if not person.candidates or number in groups.joined or groups.candidates.get(number):
            continue
        found = {groups.group_of[other] for other in person.candidates} - {groups.group_of[number]}
        groups.candidates[number] = {group: 1 / (len(found) + 1) for group in sorted(found) if group >= 0}
