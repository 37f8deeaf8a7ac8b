"""How a project differs from one go over everything, by numbers."""

from linkage.records import EntityId, MentionId
from linkage.relinking import FoundAnew, OpenAnew, PersonAnew
from pseudonymizer.relinks import ChangeKind
from pseudonymizer.vault.care.relink_plan import StoredLinks, of_pairs, planned

M = MentionId("d@1:2")


def person(*numbers: int, parts: tuple[int, ...] = (), is_unclear: bool = False) -> PersonAnew:
    ids = tuple(EntityId(f"vault:{number}") for number in numbers)
    return PersonAnew(ids, {EntityId(f"vault:{n}"): (M,) for n in parts}, (M,), is_unclear)


def changes(found: FoundAnew, **links: list[tuple[int, int]]) -> list[tuple[ChangeKind, tuple[int, ...]]]:
    stored = StoredLinks(**{name: of_pairs(pairs) for name, pairs in links.items()})
    return [(change.kind, change.entities) for change in planned(found, stored)]


def test_who_is_one_person_is_merged_once() -> None:
    found = FoundAnew((person(1, 2, 3), person(4)))
    assert changes(found) == [(ChangeKind.MERGE, (1, 2, 3))]
    assert changes(found, one=[(3, 1)]) == [(ChangeKind.MERGE, (1, 2))]
    assert changes(found, one=[(1, 2), (2, 3)]) == []
    assert changes(found, apart=[(1, 2)]) == [(ChangeKind.MERGE, (1, 3))]


def test_a_link_that_no_text_bears_out_goes_unless_somebody_said_it() -> None:
    found = FoundAnew((person(1), person(2)))
    assert changes(found, one=[(1, 2)]) == [(ChangeKind.UNMERGE, (1, 2))]
    assert changes(found, one=[(1, 2)], judged=[(1, 2)]) == []
    assert changes(FoundAnew((person(1),)), one=[(1, 9)]) == []  # of whom nothing is kept
    # Whom only the second held together with the first, and who is the first's still.
    found = FoundAnew((person(1, 3), person(2)))
    assert changes(found, one=[(1, 2), (2, 3)]) == [
        (ChangeKind.UNMERGE, (1, 2)), (ChangeKind.UNMERGE, (2, 3)), (ChangeKind.MERGE, (1, 3)),
    ]  # fmt: skip


def test_mentions_go_over_unless_people_said_otherwise() -> None:
    found = FoundAnew((person(1), person(2, parts=(1,)), person(parts=(2,))))
    assert changes(found) == [(ChangeKind.SPLIT, (1, 2)), (ChangeKind.SPLIT, (2,))]
    assert changes(found, apart=[(1, 2)]) == [(ChangeKind.SPLIT, (2,))]
    assert changes(found, one=[(1, 2)], judged=[(1, 2)]) == [(ChangeKind.SPLIT, (2,))]


def test_a_question_is_asked_once_and_not_of_one_person() -> None:
    people = (person(1), person(2), person(3, parts=(1,), is_unclear=True), person(4))
    found = FoundAnew(people, (OpenAnew(0, 1), OpenAnew(2, 0, may_be=True), OpenAnew(2, 1, may_be=True)))
    kinds = [change for change in changes(found) if change[0] is ChangeKind.OPEN]
    assert [sorted(numbers) for _, numbers in kinds] == [[1, 2], [1, 3], [2, 3]]
    left = changes(found, open=[(1, 2)], apart=[(1, 3)])
    assert [numbers for kind, numbers in left if kind is ChangeKind.OPEN] == [(3, 2)]
    alone = FoundAnew((person(1), person(2)), (OpenAnew(0, 1),))
    assert changes(alone, one=[(1, 2)], judged=[(1, 2)]) == []


def test_somebody_new_may_be_asked_about() -> None:
    found = FoundAnew((person(1), person(parts=(1,), is_unclear=True)), (OpenAnew(1, 0, may_be=True),))
    split, question = planned(found, StoredLinks())
    assert (split.kind, split.entities, split.places) == (ChangeKind.SPLIT, (1,), (1,))
    assert (question.kind, question.places, question.may_be) == (ChangeKind.OPEN, (1, 0), True)
