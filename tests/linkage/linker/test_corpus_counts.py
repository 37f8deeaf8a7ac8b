"""Counts over documents equal a recount, whatever came first and however often it came."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts
from linkage.linker.known_names import KnownNames
from linkage.linker.name_parts import NameParts

MEETINGS = st.lists(
    st.tuples(
        st.integers(1, 6),
        st.sampled_from(["a", "b", "c", "d"]),
        st.frozensets(st.sampled_from(["jan", "els", "bakker"]), min_size=1),
        st.frozensets(st.sampled_from(["zaak 7", "zaak 8"])),
    )
)


@given(MEETINGS)
def test_counts_equal_a_recount(meetings: list[tuple[int, str, frozenset[str], frozenset[str]]]) -> None:
    """Numbers below 5 are of people, the others of ambiguous mentions."""
    names = KnownNames(NameParts())
    counts = CorpusCounts(names)
    words, marks = defaultdict(set), defaultdict(set)
    people: dict[int, set[int]] = defaultdict(set)
    for number, doc_id, in_words, about in [*meetings, *meetings[::2]]:
        met = [(doc_id, 0, sorted(about))]
        if number < 5:
            counts.met(names.add(number, [(" ".join(sorted(in_words)), *[""] * 7)]), met)
        else:
            counts.met_unclear(number, [in_words], met)
        document = counts.number_of(doc_id)
        assert document is not None
        assert counts.id_of(document) == doc_id
        people[document].add(number)
        for word in in_words:
            words[word].add(document)
        for mark in about:
            marks[mark].add(document)
        assert all(counts.with_word(word) == words[word] for word in ("jan", "els", "bakker", "kok"))
    assert all(counts.with_mark(mark) == marks[mark] for mark in ("zaak 7", "zaak 8"))
    for document, there in people.items():
        assert sorted(counts.people_in(document)) == sorted(there)
        about_it = [mark for mark in marks if document in marks[mark]]
        assert sorted(counts.marks_of([document])) == sorted(about_it)
    for some in (list(people), list(people)[::2]):
        several = {word for word, there in words.items() if len(there.intersection(some)) > 1}
        assert counts.words_of_several(some) == several
    assert counts.everybody_in(people) == set().union(*people.values())
    for number in range(1, 5):
        assert sorted(counts.documents_of(number)) == [d for d in sorted(people) if number in people[d]]


def test_of_a_word_of_very_many_documents_only_that_is_known() -> None:
    names = KnownNames(NameParts())
    counts = CorpusCounts(names)
    rows = names.add(1, [("jan", *[""] * 7)])
    counts.met(rows, [(f"d{number}", 0, ()) for number in range(MOST_DOCUMENTS)])
    found = counts.with_word("jan")
    assert found is not None
    assert len(found) == MOST_DOCUMENTS
    counts.met(rows, [(f"d{number}", 0, ()) for number in range(10 * MOST_DOCUMENTS)])
    assert counts.with_word("jan") is None
    assert counts.words_of_several(range(3)) == set()
