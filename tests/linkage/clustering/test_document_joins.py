"""What a document notes of its joins: nodes, names of one kind, shorter names, and full names left two."""

import pytest

from linkage.clustering.document import resolve_document
from linkage.clustering.document_joins import DocumentJoins, Join
from linkage.clustering.misspelling import Currency
from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks
from linkage.clustering.people import DocumentRules
from linkage.records import PersonName
from tests.linkage.linker.linker_fakes import Writer

NAMES = (
    PersonName(given="Piet", family="Woudstra"),
    PersonName(given="Pieter", family="Woudstra"),
    PersonName(given="Fenna", family="Woudstra"),
    PersonName(initials="P.J.", family="Woudstra"),
)
FORMS = [NameForm.of(name) for name in NAMES]


def _noted(form_of: list[int], links: dict[tuple[int, int], float]) -> tuple[DocumentJoins, list[list[int]]]:
    write = Writer()
    mentions = [write("a", NAMES[form]) for form in form_of]
    form_links: dict[int, dict[int, float]] = {}
    for (left, right), probability in links.items():
        form_links.setdefault(left, {})[right] = form_links.setdefault(right, {})[left] = probability
    joins = DocumentJoins(FORMS)
    people = resolve_document(
        range(len(mentions)), mentions, form_of, FORMS, form_links, PartLinks({}, {}, {}),
        lambda _: Currency.COMMON, lambda *_: False, DocumentRules(), joins=joins,
    )  # fmt: skip
    return joins, [person.mentions for person in people]


def test_mentions_of_one_node_are_joined_without_doubt() -> None:
    joins, people = _noted([0, 0, 0], {})
    assert people == [[0, 1, 2]]
    assert joins.joins == [Join(0, 1, 1.0, is_full=True), Join(0, 2, 1.0, is_full=True)]


def test_full_names_are_joined_with_what_their_names_say_or_left_two_with_it() -> None:
    joins, people = _noted([0, 1, 2], {(0, 1): 0.9, (0, 2): 0.6, (1, 2): 0.5})
    assert people == [[0, 1], [2]]
    assert joins.joins == [Join(0, 1, 0.9, is_full=True)]
    assert joins.left_two == [Join(0, 2, 0.6, is_full=True), Join(1, 2, 0.5, is_full=True)]


def test_what_a_document_contrasts_is_left_two_by_less() -> None:
    joins, people = _noted([0, 0, 2, 2], {(0, 2): 0.6})
    assert people == [[0, 1], [2, 3]]
    assert [(j.left, j.right) for j in joins.left_two] == [(0, 2)]
    assert joins.left_two[0].probability <= 0.6


@pytest.mark.parametrize("form_of", [[0, 3], [3, 0]])
def test_a_shorter_name_is_joined_by_how_well_it_fits(form_of: list[int]) -> None:
    joins, people = _noted(form_of, {})
    assert people == [[0, 1]]
    ((left, right, probability, is_full),) = joins.joins
    assert {left, right} == {0, 1}
    assert (probability, is_full) == (0.95, False)
