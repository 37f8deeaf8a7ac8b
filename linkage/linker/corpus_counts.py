"""What is counted over all documents of known people: who is in each, and which words and marks it has."""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from hashlib import blake2b
from itertools import chain, count, islice

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.columns import Column
from linkage.linker.known_names import KnownNames
from linkage.records import DocumentId

MetIn = tuple[str, int, Collection[str]]  # a document, the number of a name, marks
_MOST_NOTED = 4 * MOST_DOCUMENTS  # places of a mark; then those that a document has twice are looked for
_FEW = 40  # rows whose documents are quicker found one by one
_MOST_MET_AGAIN = 4_000  # rows of names; where more were met, all words are counted anew
_NOTHING: tuple[int, ...] = ()


class CorpusCounts:
    """Documents by the numbers that they get here. They only come."""

    def __init__(self, names: KnownNames) -> None:
        """names: those whose rows are met."""
        self._names = names
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)  # a new one gets the next
        self._chances: dict[int, int] = {}
        self._ids: list[DocumentId] = []
        self._document_of, self._name_of = Column(), Column()  # by meeting
        self._with_mark: dict[str, array[int] | None] = {}  # None: more than MOST_DOCUMENTS
        self._marks_of: dict[int, tuple[str, ...]] = {}
        # Ambiguous mentions bear no name: what stands in their documents is kept by itself.
        self.unclear: set[int] = set()
        self._unclear_in: defaultdict[int, list[int]] = defaultdict(list)
        self._unclear_words: defaultdict[str, dict[int, None]] = defaultdict(dict)
        self._unclear_words_in: defaultdict[int, set[str]] = defaultdict(set)
        self._of_many: set[str] = set()  # words of more than MOST_DOCUMENTS
        self._asked: dict[str, array[int]] = {}  # documents of the words that were asked for
        self._met_again: list[int] = []  # rows of names met since; their words are counted anew
        self._people: dict[int, tuple[int, ...]] = {}  # of documents

    def met(self, rows: Sequence[int], met: Sequence[MetIn]) -> None:
        """Somebody is named in documents. rows: of the names, in their order. Quick, for a hundred thousand
        people.
        """
        numbers = self._numbers
        documents = [numbers[doc_id] for doc_id, _, _ in met]
        self._forget(documents)
        if self._asked:
            self._met_again.extend(rows)
        self._document_of.values.extend(documents)
        self._name_of.values.extend([rows[name] for _, name, _ in met])
        for doc_id, _, marks in met:
            if marks:
                self._mark(numbers[doc_id], marks)

    def met_unclear(self, number: int, words_of: Sequence[Iterable[str]], met: Iterable[MetIn]) -> None:
        """An ambiguous mention is named in documents. words_of: the words of each name."""
        self.unclear.add(number)
        documents = [self._numbers[doc_id] for doc_id, _, _ in met]
        self._forget(documents)
        for document, (_, name, marks) in zip(documents, met, strict=True):
            if number not in self._unclear_in[document]:
                self._unclear_in[document].append(number)
            self._unclear_words_in[document].update(words_of[name])
            for word in words_of[name]:
                self._asked.pop(word, None)
                if len(there := self._unclear_words[word]) <= MOST_DOCUMENTS:
                    there[document] = None
            self._mark(document, marks)

    def _forget(self, documents: Iterable[int]) -> None:
        if self._people:
            for document in documents:
                self._people.pop(document, None)

    def _mark(self, document: int, marks: Collection[str]) -> None:
        before = self._marks_of.get(document, ())
        if new := [mark for mark in marks if mark not in before]:
            self._marks_of[document] = (*before, *new)
            for mark in new:
                _note(self._with_mark, mark, document)

    def number_of(self, doc_id: str) -> int | None:
        """The number of a document in which somebody known is named; None of any other."""
        return self._numbers.get(doc_id)

    def id_of(self, document: int) -> DocumentId:
        """The id of the document of a number."""
        if new := len(self._numbers) - len(self._ids):
            self._ids += map(DocumentId, list(islice(reversed(self._numbers), new))[::-1])
        return self._ids[document]

    def chance_of(self, document: int) -> int:
        """A number in [0, 2**64) that says nothing of a document, and is the same in whatever order documents
        came.
        """
        if (chance := self._chances.get(document)) is None:
            doc_id = self.id_of(document).encode("utf-8", "surrogatepass")
            chance = int.from_bytes(blake2b(doc_id, digest_size=8).digest(), "big")
            self._chances[document] = chance
        return chance

    def people_in(self, document: int) -> Collection[int]:
        """The numbers of the people, and of the ambiguous mentions, of a document."""
        if (found := self._people.get(document)) is None:
            names, bearer_of = self._name_of.values, self._names.bearer_of
            people = {bearer_of(names[met]): None for met in self._document_of.rows_with(document)}
            found = self._people[document] = (*people, *self._unclear_in.get(document, _NOTHING))
        return found

    def everybody_in(self, documents: Iterable[int]) -> set[int]:
        """The numbers of the people, and of the ambiguous mentions, of several documents."""
        return set(chain.from_iterable(map(self.people_in, documents)))

    def documents_of(self, number: int) -> list[int]:
        """The documents in which a person was met, each once, in the order in which they came."""
        documents = self._document_of.values
        rows = self._names.rows_of(number)
        met = [one for row in rows for one in self._name_of.rows_with(row)]
        if len(rows) > 1:
            met.sort()
        return list(dict.fromkeys([documents[one] for one in met]))

    def with_word(self, word: str) -> Set[int] | None:
        """The documents in which somebody bears a word; None where they are more than MOST_DOCUMENTS."""
        if word in self._of_many:
            return None
        self._count_anew()
        if (asked := self._asked.get(word)) is not None:
            return frozenset(asked)
        documents = self._documents_of_rows(self._names.rows_with_word(word))
        documents.update(self._unclear_words.get(word, _NOTHING))
        if len(documents) > MOST_DOCUMENTS:
            self._of_many.add(word)
            return None
        self._asked[word] = array("I", documents)
        return documents

    def _count_anew(self) -> None:
        if len(self._met_again) > _MOST_MET_AGAIN:
            self._asked.clear()
        elif self._asked:
            for row in self._met_again:
                for word in self._names.words_of_row(row):
                    self._asked.pop(word, None)
        self._met_again.clear()

    def words_of_several(self, documents: Collection[int]) -> set[str]:
        """The words that somebody bears in several of these documents, without those of more than
        MOST_DOCUMENTS.
        """
        seen: set[str] = set()
        several: set[str] = set()
        names = self._name_of.values
        for document in documents:
            rows = {names[met] for met in self._document_of.rows_with(document)}
            words = set().union(*map(self._names.words_of_row, rows))
            words.update(self._unclear_words_in.get(document, ()))
            several |= seen & words
            seen |= words
        return {word for word in several if self.with_word(word) is not None}

    def _documents_of_rows(self, rows: Sequence[int]) -> set[int]:
        """The documents in which the names of these rows are met."""
        if len(rows) > _FEW:
            met = self._name_of.rows_with_any(rows)
            return set(self._document_of.of(met).tolist()) if len(met) else set()
        documents, met_as = self._document_of.values, self._name_of.rows_with
        return {documents[one] for row in rows for one in met_as(row)}

    def with_mark(self, mark: str) -> Set[int] | None:
        """The documents that have a mark; None where they are more than MOST_DOCUMENTS."""
        there = self._with_mark.get(mark, _NOWHERE)
        if there is None:
            return None
        several = set(there)
        return None if len(several) > MOST_DOCUMENTS else several

    def marks_of(self, documents: Iterable[int]) -> Iterator[str]:
        """The marks of documents."""
        for document in documents:
            yield from self._marks_of.get(document, ())


def _note(found: "dict[str, array[int] | None]", key: str, document: int) -> None:
    there = found.get(key, _NOWHERE)
    if there is None:
        return
    if there is _NOWHERE:
        found[key] = array("I", (document,))
    elif there[-1] != document:
        there.append(document)
        if len(there) > _MOST_NOTED:
            several = set(there)
            found[key] = None if len(several) > MOST_DOCUMENTS else array("I", sorted(several))


_NOWHERE = array("I")
