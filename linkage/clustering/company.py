"""Who occurs with whom: how likely a person is to occur in a document, by the people and marks around."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from linkage.clustering.groups import Groups
from linkage.clustering.people import Person
from linkage.clustering.rarity import FormCounts

MOST_DOCUMENTS = 200  # whoever occurs in more says little about whom they occur with
_DIGITS = 12  # products of the same factors in another order are equal
_SMOOTHING = 0.5  # one common document is not certain to be followed by another
_WORD_WEIGHT = 0.3  # a shared word of a name, whoever bears it, says less than a shared person
_WORDS_RELATED = 3  # documents that share so many words may speak of the same people
_MOST_KEPT = 8_000  # surroundings of groups kept while no group changes; each holds hundreds of numbers
_MOST_COUNTED = 40_000  # the same of neighbours, each with tens of numbers
_MANY = 4  # from so many groups on it pays to find out first which of them company can speak for
_MARK_WEIGHT = 0.7  # a shared file number or mail domain says a little less than a shared person


class Company:
    """Company of groups; marks are what documents are about, by document number.

    beyond: counts of the documents of a larger corpus: what is common there is common.
    """

    def __init__(
        self, groups: Groups, marks: Mapping[int, Collection[str]], beyond: FormCounts | None = None
    ) -> None:
        self._groups = groups
        self._marks = marks
        self._with_word: Mapping[str, int] = {} if beyond is None else beyond.words
        self._with_mark: Mapping[str, int] = {} if beyond is None else beyond.marks
        self._documents_of_mark: dict[str, set[int]] = defaultdict(set)
        for document, found in marks.items():
            for mark in found:
                self._documents_of_mark[mark].add(document)
        # Words of names, whoever bears them: a chat of lone given names has no other company.
        self._documents_of_word = _telling_words(groups, self._with_word)
        self._words_of: list[frozenset[str]] = []
        self._words_in: dict[int, set[str]] = defaultdict(set)
        for person in groups.persons:
            words = frozenset(_words(groups, person) & self._documents_of_word.keys())
            self._words_of.append(words)
            for document in person.documents:
                self._words_in[document] |= words
        self._group_words: dict[int, tuple[int, set[str]]] = {}  # group -> its size then, words
        self._kept: dict[int, tuple[set[int], set[str], set[str]]] = {}  # group -> what is around it
        self._kept_at = -1  # Groups.changes when they were worked out
        self._counts: dict[object, Counter[int]] = {}  # neighbour, mark or word -> group -> documents
        self._counted_at = -1

    def neighbours(self, number: int) -> set[int]:
        """Groups in the documents of a person."""
        return self._groups_in(self._groups.persons[number].documents)

    def related_documents(self, number: int) -> set[int]:
        """Further documents that share a person or a mark with those of this one."""
        own = self._groups.persons[number].documents
        found: set[int] = set()
        for neighbour in self.neighbours(number) - {self._groups.group_of[number]}:
            group = self._groups.groups[neighbour]
            if 1 < group.document_count <= MOST_DOCUMENTS:
                found |= group.documents
        for document in own:
            for mark in self._marks.get(document, ()):
                documents = self._documents_of_mark[mark]
                if len(documents) > 1 and self._size_of_mark(mark) <= MOST_DOCUMENTS:
                    found |= documents
        sharing: Counter[int] = Counter()
        mine = self._words_of[number]
        for document in own:
            for word in self._words_in[document] - mine:
                sharing.update(self._documents_of_word[word])
        found.update(document for document, words in sharing.items() if words >= _WORDS_RELATED)
        return found - own

    def groups_around(self, number: int) -> set[int]:
        """Groups of the documents of a person and of those related to them."""
        return self._groups_in(self.related_documents(number) | self._groups.persons[number].documents)

    def _groups_in(self, documents: set[int]) -> set[int]:
        in_document = self._groups.in_document
        return set().union(*[in_document[d] for d in documents if d in in_document])

    def of_person(self, number: int, groups: Collection[int]) -> dict[int, float]:
        """How likely each group is to occur in the documents of a person, judged by company, in [0, 1).

        Each neighbour, mark and word says in what share of its other documents the group is; they speak
        independently.
        """
        if self._counted_at != self._groups.changes or len(self._counts) >= _MOST_COUNTED:
            self._counts.clear()
            self._counted_at = self._groups.changes
        own = self._groups.persons[number].documents
        absent = dict.fromkeys(groups, 1.0)
        if not absent:
            return absent
        around, marks = self._around(own)
        around.discard(self._groups.group_of[number])
        for neighbour in around:
            beside = self._groups.groups[neighbour]
            size = beside.document_count
            for group, share in self._shares(neighbour, beside.documents, own, absent, size):
                if group != neighbour:
                    absent[group] *= 1 - share
        for mark in marks:
            documents, size = self._documents_of_mark[mark], self._size_of_mark(mark)
            for group, share in self._shares((mark,), documents, own, absent, size):
                absent[group] *= 1 - _MARK_WEIGHT * share
        for word in {w for d in own for w in self._words_in[d]} - self._words_of[number]:
            documents, size = self._documents_of_word[word], self._size_of_word(word)
            for group, share in self._shares(word, documents, own, absent, size):
                if word not in self._words_of_group(group):
                    absent[group] *= 1 - _WORD_WEIGHT * share
        return {group: round(1 - p, _DIGITS) for group, p in absent.items()}

    def _size_of_word(self, word: str) -> int:
        return max(len(self._documents_of_word[word]), self._with_word.get(word, 0))

    def _size_of_mark(self, mark: str) -> int:
        return max(len(self._documents_of_mark[mark]), self._with_mark.get(mark, 0))

    def _shares(
        self, key: object, documents: set[int], own: set[int], groups: Mapping[int, float], size: int
    ) -> Iterator[tuple[int, float]]:
        """In what share of the documents outside own a group is, for those of groups that are in any.

        key stands for the documents: who is in them is counted once while no group changes. size: how many
        documents there are, those that are not at hand among them.
        """
        if size > MOST_DOCUMENTS or documents <= own:
            return
        there = self._counts.get(key)
        if there is None:
            there = self._counts[key] = Counter(
                chain.from_iterable(map(self._groups.in_document.__getitem__, documents))
            )
        both = documents & own
        for group in there.keys() & groups.keys():
            count = there[group] - sum(group in self._groups.in_document[d] for d in both)
            if count:
                yield group, count / (size - len(both) + _SMOOTHING)

    def of_groups(self, left: int, groups: Collection[int]) -> dict[int, float]:
        """For each group, the company of either that speaks more strongly for the other, in [0, 1)."""
        mine = self._groups.groups[left].documents
        if self._groups.groups[left].document_count > MOST_DOCUMENTS:
            return dict.fromkeys(groups, 0.0)
        around, marks, words = self._around_group(left)
        within_reach = self._within_reach(around, marks, words) if len(groups) >= _MANY else groups
        found: dict[int, float] = {}
        for right in groups:
            theirs = self._groups.groups[right].documents
            if self._groups.groups[right].document_count > MOST_DOCUMENTS or right not in within_reach:
                found[right] = 0.0
                continue
            around_them, their_marks, their_words = self._around_group(right)
            # Only what is around both can say anything: the rest has no document with the other.
            both = (around & around_them, marks & their_marks, words & their_words)
            both[0].discard(left)
            both[0].discard(right)
            found[right] = (
                max(self._company_in(mine, theirs, *both), self._company_in(theirs, mine, *both))
                if any(both)
                else 0.0
            )
        return found

    def _within_reach(self, around: set[int], marks: set[str], words: set[str]) -> set[int]:
        """The groups that have a document with any of these, as far as they say anything."""
        groups = self._groups.groups
        told = [groups[g].documents for g in around if groups[g].document_count <= MOST_DOCUMENTS]
        told += [self._documents_of_mark[mark] for mark in marks]
        told += [self._documents_of_word[word] for word in words]
        return self._groups_in(set().union(*told))

    def _around_group(self, number: int) -> tuple[set[int], set[str], set[str]]:
        """Groups, marks and further words in the documents of a group."""
        if self._kept_at != self._groups.changes or len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
            self._kept_at = self._groups.changes
        known = self._kept.get(number)
        if known is None:
            documents = self._groups.groups[number].documents
            words = {w for d in documents for w in self._words_in[d]} - self._words_of_group(number)
            known = self._kept[number] = (*self._around(documents), words)
        return known

    def _words_of_group(self, group: int) -> set[str]:
        persons = self._groups.groups[group].persons
        size, words = self._group_words.get(group, (0, set()))
        if size != len(persons):
            words = {word for person in persons for word in self._words_of[person]}
            self._group_words[group] = (len(persons), words)
        return words

    def _around(self, documents: set[int]) -> tuple[set[int], set[str]]:
        """The groups and the marks of documents."""
        return self._groups_in(documents), {m for d in documents for m in self._marks.get(d, ())}

    def _company_in(
        self, own: set[int], documents: set[int], around: set[int], marks: set[str], words: set[str]
    ) -> float:
        """How likely a group of these documents is to occur in own, by what is around both."""
        there = documents - own
        if not there:
            return 0.0
        absent = 1.0
        for neighbour in around:
            group = self._groups.groups[neighbour]
            absent *= 1 - _share(group.documents, own, there, group.document_count)
        for mark in marks:
            share = _share(self._documents_of_mark[mark], own, there, self._size_of_mark(mark))
            absent *= 1 - _MARK_WEIGHT * share
        for word in words:
            share = _share(self._documents_of_word[word], own, there, self._size_of_word(word))
            absent *= 1 - _WORD_WEIGHT * share
        return round(1 - absent, _DIGITS)


def _share(documents: set[int], own: set[int], there: set[int], size: int) -> float:
    """In what share of the documents outside own the group of there is; 0.0 where they say too little."""
    if documents.isdisjoint(there) or size > MOST_DOCUMENTS:
        return 0.0
    return len(documents & there) / (size - len(documents & own) + _SMOOTHING)


def _telling_words(groups: Groups, counts: Mapping[str, int]) -> dict[str, set[int]]:
    """The documents of each word of a name that more than one document has, and not too many."""
    documents_of: dict[str, set[int]] = defaultdict(set)
    for person in groups.persons:
        for word in _words(groups, person):
            documents_of[word] |= person.documents
    return {
        word: found
        for word, found in documents_of.items()
        if len(found) > 1 and max(len(found), counts.get(word, 0)) <= MOST_DOCUMENTS
    }


def _words(groups: Groups, person: Person) -> set[str]:
    return {word for form in person.forms for word in groups.forms[form].words}
