"""Where the people of an index were met, and who was met there, too: the company of known people."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from heapq import heappush, heappushpop

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts

# Documents of one person that are looked at again with a text, where no other person chose them.
MOST_MET = 40
_WORDS_RELATED = 3  # documents that share so many words may speak of the same people
_MOST_BESIDE = 60  # whoever stands in a document with more says little of the others in it

MetIn = tuple[str, int, Collection[str]]  # a document, the number of a name, marks


@dataclass(frozen=True, slots=True)
class Chosen:
    """Documents that are looked at, with how many of some people stand in each; and those of the people who
    stand in others, too.
    """

    documents: Counter[int] = field(repr=False)
    often_met: frozenset[int]


class Meetings:
    """Documents of people and of ambiguous mentions, by the numbers of both."""

    def __init__(self, documents: CorpusCounts, *, most_met: int = MOST_MET) -> None:
        """documents: what is counted over all of them. most_met: as MOST_MET."""
        self._counts = documents
        self._most_met = most_met
        self._of: dict[int, tuple[int, ...]] = {}  # of whoever is in at most MOST_DOCUMENTS
        # Of the others: as a heap, the last first, the documents that come first in an order of chance.
        self._some_of: dict[int, list[tuple[int, int]]] = {}
        self._unclear: set[int] = set()

    def add(self, number: int, words_of: Sequence[Iterable[str]], met: Iterable[MetIn]) -> None:
        """Somebody was met. words_of: the words of each name."""
        for doc_id, name, marks in met:
            document, is_new = self._counts.met(number, doc_id, words_of[name], marks)
            if is_new:
                self._note(number, document)

    def _note(self, number: int, document: int) -> None:
        if (some := self._some_of.get(number)) is not None:
            heappushpop(some, (-self._counts.chance_of(document), document))
            return
        documents = (*self._of.get(number, ()), document)
        if len(documents) <= MOST_DOCUMENTS:
            self._of[number] = documents
            return
        self._of.pop(number, None)
        some = self._some_of[number] = []
        for one in documents:
            entry = (-self._counts.chance_of(one), one)
            if len(some) < self._most_met:
                heappush(some, entry)
            else:
                heappushpop(some, entry)

    def add_unclear(self, number: int, words_of: Sequence[Iterable[str]], met: Iterable[MetIn]) -> None:
        """An ambiguous mention."""
        self._unclear.add(number)
        self.add(number, words_of, met)

    def chosen(self, numbers: Collection[int], certain: Iterable[int] = ()) -> Chosen:
        """The documents of these people, and of whoever is in many those that most of the people are in, and
        then those that come first in an order of chance. What is chosen for one holds for all.

        certain: documents that are chosen in any case.
        """
        shared = Counter(document for number in numbers for document in self._of.get(number, ()))
        documents = set(certain)
        often_met: set[int] = set()
        for number in numbers:
            own = self._of.get(number, ())
            if len(own) > self._most_met:
                often_met.add(number)
                documents.update(
                    sorted(own, key=lambda d: (-shared[d], self._counts.chance_of(d)))[: self._most_met]
                )
            elif (some := self._some_of.get(number)) is not None:
                often_met.add(number)
                documents.update(document for _, document in some)
            else:
                documents.update(own)
        in_most = [number for number in often_met if number in self._some_of]
        return Chosen(
            Counter({d: shared[d] + sum(n in self._counts.people_in(d) for n in in_most) for d in documents}),
            frozenset(often_met),
        )

    def around(self, people: Set[int], marks: Set[str], words: Set[str]) -> set[int]:
        """Everybody in the documents that have one of these people, one of these marks, or several words."""
        related: set[int] = set()
        for number in people:
            related.update(self._of.get(number, ()))
        for mark in marks:
            related.update(self._counts.with_mark(mark) or ())
        sharing: Counter[int] = Counter()
        for word in words:
            sharing.update(self._counts.with_word(word) or ())
        related.update(document for document, count in sharing.items() if count >= _WORDS_RELATED)
        return self._counts.everybody_in(related)

    def near(self, number: int) -> set[int]:
        """Everybody in documents that share somebody with those of a person, or with some of very many."""
        documents = self._of.get(number) or [document for _, document in self._some_of.get(number, ())]
        return self.around(self._counts.everybody_in(documents), frozenset(), frozenset())

    def with_company(self, found: set[int], most: int, words_of: Callable[[int], Iterable[str]]) -> set[int]:
        """These people and about so many of those in their documents, whole documents, first where most of
        them are. words_of: the words of the names of a person.

        A document in which nobody else tells anything of two of them is left out. Who does is an ambiguous
        mention, or stands in several of these documents, or has a word that stands in several.
        """
        shared = self.chosen(found).documents
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
