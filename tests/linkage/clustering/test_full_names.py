"""Many people of one full name, told apart by what the texts say of them: invented people."""

from collections.abc import Sequence
from functools import partial

import pytest

from linkage.clustering.corpus import resolve_corpus
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import PartLinks
from linkage.clustering.people import CorpusPeople, CorpusRules, Person
from linkage.clustering.rarity import Rarity
from linkage.constraints import Evidence
from linkage.records import EntityId, Gender, PersonName
from tests.linkage.clustering.counting import calls

_FORMS = [NameForm.of(PersonName(given="Bert", family="Zandwijk"))]


def _person(
    number: int,
    *attributes: tuple[str, str],
    gender: Gender | None = None,
    ids: Sequence[str] = (),
    entity: str | None = None,
) -> Person:
    evidence = Evidence(gender, set(ids), set(attributes))
    known = None if entity is None else EntityId(entity)
    mentions = [number] if entity is None else []
    return Person(f"{number:08d}", {number}, mentions, {0: 1}, evidence, NameKind.FULL, entity=known)


def _resolve(persons: Sequence[Person]) -> CorpusPeople:
    return resolve_corpus(persons, _FORMS, {}, PartLinks({}, {}, {}), Rarity({}), CorpusRules(0.8, 0.35))


def _born(count: int) -> list[Person]:
    """Two documents of each of so many people, who differ in their birth dates."""
    return [_person(n, ("birth_date", f"date {n // 2}")) for n in range(2 * count)]


def _partition(people: CorpusPeople) -> set[frozenset[int]]:
    return {frozenset(group.persons) for group in people.groups if group.persons}


@pytest.mark.parametrize("count", [20, 150, 900])
def test_a_birth_date_tells_any_number_of_namesakes_apart(count: int) -> None:
    found = _resolve(_born(count))
    assert _partition(found) == {frozenset({2 * n, 2 * n + 1}) for n in range(count)}
    assert not found.candidates


def test_whoever_may_be_any_of_hundreds_is_none_of_them_but_an_address_tells() -> None:
    persons = _born(300)
    persons[17].evidence.attributes.add(("email", "an address"))
    nobody, somebody = len(persons), len(persons) + 1
    persons += [_person(nobody), _person(somebody, ("email", "an address"))]
    found = _resolve(persons)
    assert found.groups[found.group_of[nobody]].persons == [nobody]
    assert found.group_of[somebody] == found.group_of[17]


def test_hundreds_without_a_mark_are_put_together_unless_a_document_tells_two_apart() -> None:
    persons = [_person(n) for n in range(600)]
    for left, right in zip(range(0, 600, 2), range(1, 600, 2), strict=True):
        persons[left].apart.add(right)
        persons[right].apart.add(left)
    found = _resolve([*persons, _person(600), _person(601)])
    assert found.group_of[600] == found.group_of[601]
    for left, right in zip(range(0, 600, 2), range(1, 600, 2), strict=True):
        assert found.group_of[left] != found.group_of[right]


def test_a_known_person_and_a_registry_id_hold_hundreds_together() -> None:
    persons = _born(250)
    persons += [_person(500 + n, ids=[f"id {n}"]) for n in range(250)]
    persons += [_person(750 + n, ids=[f"id {n}"], entity=f"entity {n}") for n in range(250)]
    found = _resolve(persons)
    assert all(found.group_of[500 + n] == found.group_of[750 + n] for n in range(250))
    assert len(_partition(found)) == 500


def test_the_work_grows_with_the_namesakes_and_not_with_their_pairs() -> None:
    def mixed(count: int) -> list[Person]:
        persons = _born(count)
        return [*persons, *(_person(n) for n in range(len(persons), len(persons) + count))]

    few, many = (calls(partial(_resolve, mixed(count))) for count in (400, 1_600))
    assert many < 5 * few  # four times the people; by pairs it would be sixteen times


@pytest.mark.parametrize("count", [59, 60, 61, 300])
def test_weak_company_says_no_more_of_many_namesakes_than_of_few(count: int) -> None:
    persons = _born(count)
    undated = _person(len(persons))
    # Somebody is met in ten documents, among them one of a namesake's and that of the undated one.
    documents = {17, *undated.documents, *range(10_000, 10_008)}
    neighbour = Person("99999998", documents, [99_998], {1: 10}, Evidence(None, set(), set()), NameKind.FULL)
    forms = [*_FORMS, NameForm.of(PersonName(given="Inge", family="Terpstra"))]
    found = resolve_corpus(
        [*persons, undated, neighbour], forms, {}, PartLinks({}, {}, {}), Rarity({}), CorpusRules(0.8, 0.35)
    )
    assert found.groups[found.group_of[len(persons)]].persons == [len(persons)]


@pytest.mark.parametrize("count", [59, 60, 61, 300])
def test_initials_weigh_against_all_namesakes_that_they_fit(count: int) -> None:
    """Of more than sixty only those around are looked at: the others weigh as much as if they had been."""
    persons = _born(count)
    lettered = _person(len(persons))
    lettered.forms = {1: 1}
    lettered.kind = NameKind.INITIALS
    documents = {17, *lettered.documents, *range(10_000, 10_008)}
    neighbour = Person("99999998", documents, [99_998], {2: 10}, Evidence(None, set(), set()), NameKind.FULL)
    forms = [
        *_FORMS,
        NameForm.of(PersonName(initials="B.", family="Zandwijk")),
        NameForm.of(PersonName(given="Inge", family="Terpstra")),
    ]
    found = resolve_corpus(
        [*persons, lettered, neighbour], forms, {}, PartLinks({}, {}, {}), Rarity({}), CorpusRules(0.8, 0.35)
    )
    assert found.groups[found.group_of[len(persons)]].persons == [len(persons)]


@pytest.mark.parametrize("count", [20, 300])
def test_a_woman_and_a_man_of_whom_nothing_else_is_known_stay_two(count: int) -> None:
    persons = _born(count)
    first = len(persons)
    persons += [
        _person(first, gender=Gender.FEMALE),
        _person(first + 1, gender=Gender.MALE),
        _person(first + 2, gender=Gender.FEMALE),
        _person(first + 3),
    ]
    found = _resolve(persons)
    assert found.group_of[first] == found.group_of[first + 2] != found.group_of[first + 1]
    assert found.group_of[first + 3] not in (found.group_of[first], found.group_of[first + 1])


def test_two_registry_ids_in_doubt_stay_two() -> None:
    persons = _born(300)
    first = len(persons)
    persons += [_person(first), _person(first + 1)]
    together = _resolve(persons)
    assert together.group_of[first] == together.group_of[first + 1]
    persons[first].evidence.person_ids.add("id 1")
    persons[first + 1].evidence.person_ids.add("id 2")
    found = _resolve(persons)
    assert found.group_of[first] != found.group_of[first + 1]
