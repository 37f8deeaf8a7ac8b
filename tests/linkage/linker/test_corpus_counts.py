"""Counts over documents equal a recount, whatever came first and however often it came."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from linkage.blocking import gram_keys
from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts, TrigramCounts

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
    counts = CorpusCounts()
    words, marks = defaultdict(set), defaultdict(set)
    people: dict[int, set[int]] = defaultdict(set)
    for number, doc_id, in_words, about in [*meetings, *meetings[::2]]:
        document, is_new = counts.met(number, doc_id, in_words, sorted(about))
        assert counts.number_of(doc_id) == document
        assert counts.id_of(document) == doc_id
        assert is_new is (number not in people[document])
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
    assert counts.everybody_in(people) == set().union(*people.values())


def test_of_a_word_of_very_many_documents_only_that_is_known() -> None:
    counts = CorpusCounts()
    for number in range(MOST_DOCUMENTS):
        counts.met(1, f"d{number}", ["jan"], [])
    found = counts.with_word("jan")
    assert found is not None
    assert len(found) == MOST_DOCUMENTS
    for number in range(10 * MOST_DOCUMENTS):
        counts.met(1, f"d{number}", ["jan"], [])
    assert counts.with_word("jan") is None


@given(
    st.lists(st.sampled_from(["jan", "jansen", "janssen", "els"])), st.sets(st.sampled_from(["jan", "wim"]))
)
def test_trigrams_are_counted_over_distinct_parts(parts: list[str], at_hand: set[str]) -> None:
    counts = TrigramCounts()
    for part in parts:
        counts.add(part)
    every = {*parts, *at_hand}
    for gram, size in counts.with_parts(at_hand).items():
        assert size == sum(gram in gram_keys(part) for part in every)
