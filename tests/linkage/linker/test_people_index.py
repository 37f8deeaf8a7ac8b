"""The index of known people finds whom the names of a text may mean, and leaves the others unread."""

from collections.abc import Iterable

import pytest

from linkage.linker.people_index import PeopleIndex
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Mention,
    MentionContext,
    NormalizedMention,
    PersonName,
    Span,
)

VARIANTS = {"bert": {"robert", "albert"}, "robert": {"bert"}, "albert": {"bert"}}
Met = tuple[str, tuple[str, ...]]  # a document and its marks


def index_of(*people: tuple[str, Iterable[Met]]) -> PeopleIndex:
    """People numbered from 1, each with a name as "given|initials|particle|family" and their documents."""
    index = PeopleIndex(lambda word: VARIANTS.get(word, set()))
    for number, (name, met) in enumerate(people, start=1):
        index.add(number, [(*name.split("|"), "", "", "", "")], [(doc_id, 0, marks) for doc_id, marks in met])
    return index


def mention(name: PersonName, *, document: str = "new", mark: str = "") -> NormalizedMention:
    found = Mention.at(
        Document(DocumentId(document), "Naam"), Span(0, 4), detector=Detector.LIST, confidence=1.0
    )
    return NormalizedMention(found, name, context=MentionContext(marks=frozenset({mark} if mark else ())))


def found_by(index: PeopleIndex, *names: PersonName, mark: str = "") -> set[int]:
    return set(index.candidates([mention(name, mark=mark) for name in names]).numbers)


JAN = PersonName(given="jan", particle="de", family="vries")


@pytest.mark.parametrize(
    ("known", "name", "is_candidate"),
    [
        ("jan||de|vries", JAN, True),
        ("||de|vries", JAN, True),
        ("|J.|de|vries", JAN, True),
        ("jan||de|vriess", JAN, True),
        ("jan||de|friese", JAN, True),  # sounds alike
        ("jan|||devries", JAN, True),
        ("kees||de|vries", JAN, False),
        ("jan||de|groot", JAN, False),
        ("robert||de|vries", PersonName(given="bert", particle="de", family="vries"), True),
        ("robert||de|vries", PersonName(initials="B.", particle="de", family="vries"), False),
        ("bert||de|vries", PersonName(initials="B.", particle="de", family="vries"), True),
        ("kees||de|vries", PersonName(family="vries"), True),
        ("jan||de|vries", PersonName(given="jan"), False),  # alone he may be anybody
    ],
)
def test_whom_a_name_may_mean(known: str, name: PersonName, is_candidate: bool) -> None:
    assert (1 in found_by(index_of((known, ())), name)) is is_candidate


def test_a_lone_given_name_means_people_in_the_company_of_others() -> None:
    index = index_of(("jan|||bakker", [("a", ())]), ("els|||kok", [("a", ())]), ("jan|||smit", [("b", ())]))
    assert found_by(index, PersonName(given="els", family="kok"), PersonName(given="jan")) == {1, 2}


def test_a_lone_given_name_means_people_of_documents_with_the_same_mark() -> None:
    index = index_of(("jan|||bakker", [("a", ("zaak 7",))]), ("jan|||smit", [("b", ("zaak 8",))]))
    assert found_by(index, PersonName(given="jan"), mark="zaak 7") == {1}


def test_lone_given_names_mean_people_of_a_document_with_the_same_three_words() -> None:
    index = index_of(
        *[(f"{name}|||", [("a", ())]) for name in ("jan", "els", "wim", "otto")], ("jan|||", [("b", ())])
    )
    names = [PersonName(given=name) for name in ("jan", "els", "wim")]
    assert found_by(index, *names) == {1, 2, 3}
    assert found_by(index, *names[:2]) == set()


def test_of_a_crowd_those_in_company_are_candidates_and_the_others_a_number() -> None:
    crowd = [("jan|||jansen", [(f"d{n}", ())]) for n in range(100)]
    index = index_of(("els|||kok", [("d7", ())]), *crowd)
    name = PersonName(initials="J.", family="jansen")
    found = index.candidates([mention(name), mention(PersonName(given="els", family="kok"))])
    assert found.numbers == {1, 9}
    assert found.beyond.bearers == {name: 99}


def test_everybody_of_a_document_is_a_candidate_where_it_comes_again() -> None:
    index = index_of(("jan|||bakker", [("a", ())]), ("els|||kok", [("a", ())]), ("wim|||dijk", [("b", ())]))
    assert index.candidates([mention(PersonName(given="otto", family="lok"), document="a")]).numbers == {1, 2}
    assert index.candidates([], [DocumentId("b")]).numbers == {3}


def test_what_is_added_later_is_found_too() -> None:
    index = index_of(("jan|||bakker", [("a", ())]))
    index.add(1, [("jan", "", "", "bakker", "", "smit", "", "")], [("b", 0, ())])
    assert len(index) == 1
    assert found_by(index, PersonName(given="jan", family="smit")) == {1}
    assert index.candidates([], [DocumentId("b")]).numbers == {1}
    assert "bakker" not in repr(index)
