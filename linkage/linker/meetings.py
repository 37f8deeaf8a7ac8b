"""Where the people of an index were met, and who was met there, too: the company of known people."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence, Set

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts

_WORDS_RELATED = 3  # documents that share so many words may speak of the same people
_MOST_BESIDE = 60  # whoever stands in a document with more says little of the others in it

MetIn = tuple[str, int, Collection[str]]  # a document, the number of a name, marks


class Meetings:
    """Documents of people and of ambiguous mentions, by the numbers of both."""

    def __init__(self, documents: CorpusCounts) -> None:
        """documents: what is counted over all of them."""
        self._counts = documents
        self._of: dict[int, tuple[int, ...]] = {}
        self._unclear: set[int] = set()

    def add(self, number: int, words_of: Sequence[Iterable[str]], met: Iterable[MetIn]) -> None:
        """Somebody was met. words_of: the words of each name."""
        documents = self._of.get(number, ())
        for doc_id, name, marks in met:
            document = self._counts.met(number, doc_id, words_of[name], marks)
            if document not in documents:
                documents += (document,)
        if documents:
            self._of[number] = documents

    def add_unclear(self, number: int, words_of: Sequence[Iterable[str]], met: Iterable[MetIn]) -> None:
        """An ambiguous mention."""
        self._unclear.add(number)
        self.add(number, words_of, met)

    def of(self, numbers: Iterable[int]) -> set[int]:
        """The documents of these people."""
        return {document for number in numbers for document in self._of.get(number, ())}

    def around(self, people: Set[int], marks: Set[str], words: Set[str]) -> set[int]:
        """Everybody in the documents that have one of these people, one of these marks, or several words."""
        related: set[int] = set()
        for number in people:
            documents = self._of.get(number, ())
            if len(documents) <= MOST_DOCUMENTS:
                related.update(documents)
        for mark in marks:
            related.update(self._counts.with_mark(mark) or ())
        sharing: Counter[int] = Counter()
        for word in words:
            sharing.update(self._counts.with_word(word) or ())
        related.update(document for document, count in sharing.items() if count >= _WORDS_RELATED)
        return self._counts.everybody_in(related)

    def near(self, number: int) -> set[int]:
        """Everybody in documents that share somebody with those of a person."""
        beside = self._counts.everybody_in(self._of.get(number, ()))
        return self.around(beside, frozenset(), frozenset())

    def with_company(self, found: set[int], most: int, words_of: Callable[[int], Iterable[str]]) -> set[int]:
        """These people and about so many of those in their documents, whole documents, first where most of
        them are. words_of: the words of the names of a person.

        A document in which nobody else tells anything of two of them is left out. Who does is an ambiguous
        mention, or stands in several of these documents, or has a word that stands in several.
        """
        shared = Counter(d for number in found for d in self._of.get(number, ()))
        everybody = set(found)
        in_documents: dict[str, int] = {}

        def tells(number: int) -> bool:
            if number in found:
                return False
            if number in self._unclear or sum(d in shared for d in self._of.get(number, ())) > 1:
                return True
            for word in words_of(number):
                if word not in in_documents:
                    in_documents[word] = len((self._counts.with_word(word) or frozenset()) & shared.keys())
                if in_documents[word] > 1:
                    return True
            return False

        for document, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            if len(everybody) >= len(found) + most:
                break
            beside = self._counts.people_in(document)
            if len(beside) <= _MOST_BESIDE and any(map(tells, beside)):
                everybody.update(beside)
        return everybody
