"""Where the people of an index were met, and who was met there, too: the company of known people."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from heapq import heapify, heappushpop, nsmallest

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts, MetIn
from linkage.linker.known_names import KnownNames

# Documents of one person that are looked at again with a text, where no other person chose them.
MOST_MET = 40
_WORDS_RELATED = 3  # documents that share so many words may speak of the same people
_MOST_BESIDE = 60  # whoever stands in a document with more says little of the others in it


@dataclass(frozen=True, slots=True)
class Chosen:
    """Documents that are looked at, with how many of some people stand in each; and those of the people who
    stand in others, too.
    """

    documents: Counter[int] = field(repr=False)
    often_met: frozenset[int]


class Meetings:
    """Documents of people and of ambiguous mentions, by the numbers of both."""

    def __init__(self, names: KnownNames, documents: CorpusCounts, *, most_met: int = MOST_MET) -> None:
        """documents: what is counted over all of them. most_met: as MOST_MET."""
        self._names = names
        self._counts = documents
        self._most_met = most_met
        # Of whoever is in at most MOST_DOCUMENTS: of people as they are asked for.
        self._of: dict[int, tuple[int, ...]] = {}
        self._of_unclear: dict[int, tuple[int, ...]] = {}
        # Of the others: as a heap, the last first, the documents that come first in an order of chance.
        self._some_of: dict[int, list[tuple[int, int]]] = {}

    def add(self, number: int, rows: Sequence[int], met: Sequence[MetIn]) -> None:
        """Somebody was met. rows: of the names, by the number that a meeting has of its name."""
        self._counts.met(rows, met)
        self._of.pop(number, None)
        if number in self._some_of:
            self._note(number, met)

    def add_unclear(self, number: int, words_of: Sequence[Iterable[str]], met: Sequence[MetIn]) -> None:
        """An ambiguous mention. words_of: the words of each name."""
        self._counts.met_unclear(number, words_of, met)
        if number in self._some_of:
            self._note(number, met)
        else:
            before = self._of_unclear.get(number, ())
            documents = dict.fromkeys((*before, *self._documents_in(met)))
            self._of_unclear[number] = self._few(number, tuple(documents))

    def _documents_in(self, met: Iterable[MetIn]) -> list[int]:
        documents = [self._counts.number_of(doc_id) for doc_id, _, _ in met]
        return [document for document in documents if document is not None]

    def _note(self, number: int, met: Iterable[MetIn]) -> None:
        """Somebody was met who is in very many documents; those left out before are left out again."""
        some = self._some_of[number]
        for document in self._documents_in(met):
            entry = (-self._counts.chance_of(document), document)
            if entry not in some:
                heappushpop(some, entry)

    def _few(self, number: int, documents: tuple[int, ...]) -> tuple[int, ...]:
        """The documents of somebody; none where they are very many, of which some are kept."""
        if len(documents) <= MOST_DOCUMENTS:
            return documents
        self._of_unclear.pop(number, None)
        first = nsmallest(self._most_met, documents, key=self._counts.chance_of)
        self._some_of[number] = some = [(-self._counts.chance_of(one), one) for one in first]
        heapify(some)
        return ()

    def _documents(self, number: int) -> tuple[int, ...]:
        """All documents of somebody; none of whoever is in very many."""
        if (found := self._of_unclear.get(number)) is not None:
            return found
        if (found := self._of.get(number)) is None:
            documents = () if number in self._some_of else tuple(self._counts.documents_of(number))
            found = self._of[number] = self._few(number, documents)
        return found

    def chosen(self, numbers: Collection[int], certain: Iterable[int] = ()) -> Chosen:
        """The documents of these people, and of whoever is in many those that most of the people are in, and
        then those that come first in an order of chance. What is chosen for one holds for all.

        certain: documents that are chosen in any case.
        """
        shared = Counter(document for number in numbers for document in self._documents(number))
        documents = set(certain)
        often_met: set[int] = set()
        for number in numbers:
            own = self._documents(number)
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
            related.update(self._documents(number))
        for mark in marks:
            related.update(self._counts.with_mark(mark) or ())
        sharing: Counter[int] = Counter()
        for word in words:
            sharing.update(self._counts.with_word(word) or ())
        related.update(document for document, count in sharing.items() if count >= _WORDS_RELATED)
        return self._counts.everybody_in(related)

    def near(self, number: int) -> set[int]:
        """Everybody in documents that share somebody with those of a person, or with some of very many."""
        documents = self._documents(number) or [document for _, document in self._some_of.get(number, ())]
        return self.around(self._counts.everybody_in(documents), frozenset(), frozenset())

    def with_company(self, found: set[int], most: int, words_of: Callable[[int], Iterable[str]]) -> set[int]:
        """These people and about so many of those in their documents, whole documents, first where most of
        them are. words_of: the words of the names of a person.

        A document in which nobody else tells anything of two of them is left out. Who does is an ambiguous
        mention, or stands in several of these documents, or has a word that stands in several.
        """
        shared = self.chosen(found).documents
        everybody = set(found)
        in_several = self._counts.words_of_several(shared)
        unclear = self._counts.unclear

        def tells(number: int) -> bool:
            if number in found:
                return False
            if number in unclear or sum(d in shared for d in self._documents(number)) > 1:
                return True
            return not in_several.isdisjoint(words_of(number))

        for document, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            if len(everybody) >= len(found) + most:
                break
            beside = self._counts.people_in(document)
            if len(beside) <= _MOST_BESIDE and any(map(tells, beside)):
                everybody.update(beside)
        return everybody
