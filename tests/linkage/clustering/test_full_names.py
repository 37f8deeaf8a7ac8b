"""Many people of one full name, told apart by what the texts say of them: invented people."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType

import pytest

from linkage.clustering.corpus import resolve_corpus
from linkage.clustering.evidence import Evidence
from linkage.clustering.names import NameForm, NameKind, PartLinks
from linkage.clustering.people import CorpusPeople, CorpusRules, Person
from linkage.clustering.rarity import Rarity
from linkage.records import EntityId, Gender, PersonName

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


def _calls(work: Callable[[], object]) -> int:
    """How many functions are called: as good as time, and the same on every machine."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


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

    few, many = (_calls(partial(_resolve, mixed(count))) for count in (400, 1_600))
    assert many < 5 * few  # four times the people; by pairs it would be sixteen times
