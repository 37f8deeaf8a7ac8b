"""Who was met where: the company of known people, by the numbers of an index."""

from collections.abc import Iterable, Sequence

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts, MetIn
from linkage.linker.known_names import KnownNames
from linkage.linker.meetings import MOST_MET, Meetings
from linkage.linker.name_parts import NameParts

MetBy = tuple[str, tuple[str, ...]]  # a document and its marks


class Met:
    """Meetings of people who each bear one name, made of these words as given names."""

    def __init__(self, most_met: int = MOST_MET) -> None:
        self.names = KnownNames(NameParts())
        self.counts = CorpusCounts(self.names)
        self.meetings = Meetings(self.names, self.counts, most_met=most_met)

    def add(self, number: int, words: Iterable[str], met: Sequence[MetIn]) -> None:
        self.meetings.add(number, self.names.add(number, [(" ".join(words), *[""] * 7)]), met)


def meetings_of(*people: tuple[Iterable[str], Iterable[MetBy]]) -> Meetings:
    """People numbered from 1, each with the words of a name and the documents."""
    made = Met()
    for number, (words, met) in enumerate(people, start=1):
        made.add(number, words, [(doc_id, 0, marks) for doc_id, marks in met])
    return made.meetings


def no_words(_: int) -> tuple[str, ...]:
    return ()


def test_around_people_marks_and_words_is_everybody_in_the_documents_that_have_them() -> None:
    words = ("jan", "els", "wim")
    meetings = meetings_of(
        (words, [("a", ())]),
        (("otto",), [("a", ()), ("b", ("zaak 7",))]),
        (("kok",), [("b", ("zaak 7",))]),
        (("lok",), [("c", ())]),
    )
    nothing: frozenset[str] = frozenset()
    assert meetings.around({1}, nothing, nothing) == {1, 2}
    assert meetings.around(set(), frozenset({"zaak 7"}), nothing) == {2, 3}
    assert meetings.around(set(), nothing, frozenset(words)) == {1, 2}
    assert meetings.around(set(), nothing, frozenset(words[:2])) == set()


def test_whoever_is_in_very_many_documents_has_nobody_around() -> None:
    meetings = meetings_of((("jan",), [(f"d{n}", ()) for n in range(201)]), (("els",), [("d7", ())]))
    assert meetings.around({1}, frozenset(), frozenset()) == set()
    assert meetings.around({2}, frozenset(), frozenset()) == {1, 2}


def test_near_a_person_is_everybody_who_shares_a_document_with_somebody_beside() -> None:
    meetings = meetings_of(
        (("jan",), [("a", ("zaak 7",))]),
        (("els",), [("a", ()), ("b", ())]),
        (("wim",), [("b", ())]),
        (("otto",), [("c", ("zaak 7",))]),
        (("lok",), [("d", ())]),
    )
    assert meetings.near(1) == {1, 2, 3}


def test_ambiguous_mentions_of_a_document_with_more_of_the_people_come_first() -> None:
    meetings = meetings_of(
        (("jan",), [("a", ()), ("b", ())]), (("els",), [("b", ())]), (("wim",), [("a", ())])
    )
    meetings.add_unclear(11, [("jan",)], [("a", 0, ())])
    meetings.add_unclear(12, [("jan",)], [("b", 0, ())])
    assert meetings.with_company({1, 2}, 1, no_words) == {1, 2, 12}
    assert meetings.with_company({1, 2}, 9, no_words) == {1, 2, 3, 11, 12}
    assert meetings.with_company({1, 2}, 0, no_words) == {1, 2}


def test_whose_word_stands_in_several_documents_of_the_people_is_company_as_well() -> None:
    """A chat of lone forenames has no other company."""
    names = ["jan", "freek", "freek", "wim"]
    meetings = meetings_of(
        *[((name,), [(doc_id, ())]) for name, doc_id in zip(names, "aabb", strict=True)],
        (("els",), [("a", ()), ("b", ())]),
    )
    assert meetings.with_company({5}, 9, lambda number: [names[number - 1]]) == {1, 2, 3, 4, 5}
    assert meetings.with_company({5}, 9, lambda number: [f"{number}"]) == {5}


def test_who_was_met_again_is_in_all_the_documents() -> None:
    made = Met()
    made.add(1, ("jan",), [("a", 0, ())])
    assert len(made.meetings.chosen([1]).documents) == 1
    made.add(1, ("jan",), [("a", 0, ()), ("b", 0, ())])
    assert len(made.meetings.chosen([1]).documents) == 2
    assert not made.meetings.chosen([2]).documents


def test_of_whoever_is_in_many_documents_those_are_chosen_that_most_of_the_people_are_in() -> None:
    made = Met(most_met=3)
    made.add(1, ("jan",), [(f"d{n}", 0, ()) for n in range(9)])
    made.add(2, ("els",), [("d7", 0, ()), ("d8", 0, ())])
    made.add(3, ("wim",), [("d8", 0, ())])
    alone, beside = made.meetings.chosen([1]), made.meetings.chosen([1, 2, 3])
    assert (len(alone.documents), set(alone.often_met)) == (3, {1})
    assert sorted(beside.documents.values())[-2:] == [2, 3]
    assert (len(beside.documents), set(beside.often_met)) == (3, {1})
    assert made.meetings.chosen([2, 3]).often_met == frozenset()


def test_whoever_is_in_very_many_documents_comes_with_those_of_others_and_some_whatever_the_order() -> None:
    documents = [(f"d{n}", 0, ()) for n in range(MOST_DOCUMENTS + 50)]

    def chosen(met: Sequence[tuple[str, int, tuple[str, ...]]], looked_at: int = 0) -> set[str]:
        made = Met(most_met=5)
        made.add(1, ("jan",), met[:looked_at])
        if looked_at:
            made.meetings.chosen([1])
            made.add(1, ("jan",), met[looked_at:])
        made.add(1, ("jan",), met[looked_at:])
        made.add(2, ("els",), [documents[7]])
        found = made.meetings.chosen([1, 2])
        assert found.often_met == {1}
        assert found.documents[made.counts.number_of("d7") or 0] == 2
        return {made.counts.id_of(document) for document in found.documents}

    found = chosen(documents)
    assert chosen(documents[::-1]) == found
    assert chosen(documents, looked_at=MOST_DOCUMENTS - 10) == found
    assert chosen(documents, looked_at=MOST_DOCUMENTS + 10) == found
    assert 5 <= len(found) <= 6
