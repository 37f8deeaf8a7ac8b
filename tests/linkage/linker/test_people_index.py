"""The index of known people finds whom the names of a text may mean, and leaves the others unread."""

import sys
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from linkage.text_forms import TextForms

VARIANTS = {"bert": {"robert", "albert"}, "robert": {"bert"}, "albert": {"bert"}}
Met = tuple[str, tuple[str, ...]]  # a document and its marks


def index_of(*people: tuple[str, Iterable[Met]], most_company: int = 0) -> PeopleIndex:
    """People numbered from 1, each with a name as "given|initials|particle|family" and their documents."""
    index = PeopleIndex(lambda word: VARIANTS.get(word, set()), most_company=most_company)
    for number, (name, met) in enumerate(people, start=1):
        index.add(number, [(*name.split("|"), "", "", "", "")], [(doc_id, 0, marks) for doc_id, marks in met])
    return index


def mention(name: PersonName, *, document: str = "new", mark: str = "") -> NormalizedMention:
    found = Mention.at(
        Document(DocumentId(document), "Naam"), Span(0, 4), detector=Detector.LIST, confidence=1.0
    )
    return NormalizedMention(found, name, context=MentionContext(marks=frozenset({mark} if mark else ())))


def found_by(index: PeopleIndex, *names: PersonName, mark: str = "") -> set[int]:
    return set(index.candidates(TextForms.of([mention(name, mark=mark) for name in names])).numbers)


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
    found = index.candidates(TextForms.of([mention(name), mention(PersonName(given="els", family="kok"))]))
    assert found.numbers == {1, 9}
    assert found.beyond.bearers == {name: 99}


def test_everybody_of_a_document_is_a_candidate_where_it_comes_again() -> None:
    index = index_of(("jan|||bakker", [("a", ())]), ("els|||kok", [("a", ())]), ("wim|||dijk", [("b", ())]))
    there = mention(PersonName(given="otto", family="lok"), document="a")
    assert index.candidates(TextForms.of([there])).numbers == {1, 2}
    assert index.candidates(TextForms.of([], [DocumentId("b")])).numbers == {3}


def test_what_is_added_later_is_found_too() -> None:
    index = index_of(("jan|||bakker", [("a", ())]))
    index.add(1, [("jan", "", "", "bakker", "", "smit", "", "")], [("b", 0, ())])
    assert len(index) == 1
    assert found_by(index, PersonName(given="jan", family="smit")) == {1}
    assert index.candidates(TextForms.of([], [DocumentId("b")])).numbers == {1}
    assert "bakker" not in repr(index)


def test_the_documents_of_candidates_come_along_where_somebody_beside_them_tells() -> None:
    known = [("els|||kok", [("a", ()), ("b", ())])]
    beside = [(f"naam{n}|||anders{n}", [("a", ()), ("b", ())]) for n in range(9)]
    name = PersonName(given="els", family="kok")
    assert found_by(index_of(*known, *beside, most_company=9), name) == set(range(1, 11))
    assert found_by(index_of(*known, *beside), name) == {1}
    once = [(given, met[:1]) for given, met in beside]
    assert found_by(index_of(*known, *once, most_company=9), name) == {1}  # of one document: tells nothing
    crowd = [(f"naam{n}|||anders{n}", [("a", ()), ("b", ())]) for n in range(70)]
    assert found_by(index_of(*known, *crowd, most_company=9), name) == {1}  # of so many it says little


def test_ambiguous_mentions_beside_candidates_are_among_them_and_count_in_words() -> None:
    index = index_of(("els|||kok", [("a", ())]), ("wim|||dijk", [("b", ())]), most_company=1)
    index.add_unclear(3, [("els", *[""] * 7)], [("a", 0, ())])
    index.add_unclear(4, [("wim", *[""] * 7)], [("c", 0, ())])
    found = index.candidates(TextForms.of([mention(PersonName(given="els", family="kok"))]))
    assert found.numbers == {1, 3}
    assert found.beyond.words["els"] == 2


def test_two_given_names_are_looked_for_as_a_given_name_and_a_surname() -> None:
    index = index_of(("|X.||martina", ()), ("xavier martina|||", ()), ("els|||kok", ()))
    assert found_by(index, PersonName(given="xavier martina")) == {1, 2}
    assert found_by(index, PersonName(initials="X.", family="martina")) == {1, 2}


def test_no_name_goes_where_it_outlives_the_index() -> None:
    """What blocking and comparison remember stays with the process, also when somebody was erased."""
    modules = [module for name, module in sys.modules.items() if name.startswith("linkage.") and module]
    kept = {f for module in modules for f in vars(module).values() if hasattr(f, "cache_info")}
    before = {f: f.cache_info().currsize for f in kept}
    index = index_of(("quirijn|||wollebrand", [("a", ("zaak 7",))]), ("|Q.|de|wollebrandt kok", [("b", ())]))
    assert {f: f.cache_info().currsize for f in kept} == before
    assert kept
    assert len(index) == 2


def test_people_are_also_known_as_others() -> None:
    index = index_of(("els|||kok", ()), ("wim|||dijk", ()))
    text = [mention(PersonName(given="els", family="kok"))]
    assert index.candidates(TextForms.of(text), also_known=lambda numbers: numbers | {2}).numbers == {1, 2}


PARTS = st.sampled_from(["jan|||bakker", "jan|||", "|J.||bakker", "els|||kok", "kok|||", "xavier martina|||"])
MET = st.tuples(st.sampled_from("abc"), st.sampled_from(["", "zaak 7"]))


@given(
    st.dictionaries(st.integers(1, 5), st.lists(st.tuples(PARTS, MET), min_size=1), max_size=5), st.randoms()
)
def test_people_who_come_piece_by_piece_are_found_as_those_who_come_at_once(
    people: dict[int, list[tuple[str, tuple[str, str]]]], chosen: Random
) -> None:
    """Counts, too: whatever came in whatever order, and again with more, they equal a recount."""

    def add(index: PeopleIndex, number: int, count: int) -> None:
        rows = people[number][:count]
        index.add(
            number,
            [(*name.split("|"), "", "", "", "") for name, _ in rows],
            [(doc_id, n, [mark] if mark else []) for n, (_, (doc_id, mark)) in enumerate(rows)],
        )

    at_once, in_pieces = PeopleIndex(lambda _: ()), PeopleIndex(lambda _: ())
    for number in people:
        add(at_once, number, len(people[number]))
    pieces = [(number, count) for number, rows in people.items() for count in range(1, len(rows) + 1)]
    chosen.shuffle(pieces)
    for number, count in [*pieces, *((number, len(rows)) for number, rows in people.items())]:
        add(in_pieces, number, count)

    def names_of(number: int) -> list[tuple[str, ...]]:
        return [(*name.split("|"), "", "", "", "") for name, _ in people[number]]

    some = [
        mention(PersonName(given="jan", family="bakker")),
        mention(PersonName(family="kok"), mark="zaak 7"),
    ]
    text = TextForms.of(some)
    assert in_pieces.candidates(text, names_of=names_of) == at_once.candidates(text, names_of=names_of)
