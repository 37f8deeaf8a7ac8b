"""What is counted over all documents of known people: who is in each, and which words and marks it has."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from hashlib import blake2b

from linkage.blocking import gram_keys
from linkage.clustering.company import MOST_DOCUMENTS
from linkage.records import DocumentId

_MOST_NOTED = 4 * MOST_DOCUMENTS  # places of a word; then those that a document has twice are looked for


class CorpusCounts:
    """Documents by the numbers that they get here. They only come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._ids: list[DocumentId] = []
        self._chances = array("Q")
        self._people_in: list[array[int]] = []
        self._with_word: dict[str, array[int] | None] = {}  # None: more than MOST_DOCUMENTS
        self._with_mark: dict[str, array[int] | None] = {}
        self._marks_of: dict[int, tuple[str, ...]] = {}

    def met(self, number: int, doc_id: str, words: Iterable[str], marks: Collection[str]) -> tuple[int, bool]:
        """The number of a document in which somebody is named in these words, and whether it was not known
        that the one is.
        """
        document = self._numbers.setdefault(doc_id, len(self._people_in))
        if document == len(self._people_in):
            self._people_in.append(array("I"))
            self._ids.append(DocumentId(doc_id))
            digest = blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            self._chances.append(int.from_bytes(digest, "big"))
        people = self._people_in[document]
        is_new = not (people and people[-1] == number) and number not in people
        if is_new:
            people.append(number)
        for word in words:
            _note(self._with_word, word, document)
        if marks:
            before = self._marks_of.get(document, ())
            self._marks_of[document] = (*before, *(mark for mark in marks if mark not in before))
            for mark in marks:
                _note(self._with_mark, mark, document)
        return document, is_new

    def number_of(self, doc_id: str) -> int | None:
        """The number of a document in which somebody known is named; None of any other."""
        return self._numbers.get(doc_id)

    def id_of(self, document: int) -> DocumentId:
        """The id of the document of a number."""
        return self._ids[document]

    def chance_of(self, document: int) -> int:
        """A number in [0, 2**64) that says nothing of a document, and is the same in whatever order documents
        came.
        """
        return self._chances[document]

    def people_in(self, document: int) -> Collection[int]:
        """The numbers of the people, and of the ambiguous mentions, of a document."""
        return self._people_in[document]

    def everybody_in(self, documents: Iterable[int]) -> set[int]:
        """The numbers of the people, and of the ambiguous mentions, of several documents."""
        return {number for document in documents for number in self._people_in[document]}

    def with_word(self, word: str) -> Set[int] | None:
        """The documents in which somebody bears a word; None where they are more than MOST_DOCUMENTS."""
        return _documents(self._with_word, word)

    def with_mark(self, mark: str) -> Set[int] | None:
        """The documents that have a mark; None where they are more than MOST_DOCUMENTS."""
        return _documents(self._with_mark, mark)

    def marks_of(self, documents: Iterable[int]) -> Iterator[str]:
        """The marks of documents."""
        for document in documents:
            yield from self._marks_of.get(document, ())


class TrigramCounts:
    """In how many distinct parts of names each trigram is: blocking looks for the rarest."""

    def __init__(self) -> None:
        self._parts: set[str] = set()
        self._sizes: Counter[str] = Counter()

    def add(self, part: str) -> None:
        if part not in self._parts:
            self._parts.add(part)
            self._sizes.update(gram_keys(part))

    def with_parts(self, parts: Collection[str]) -> dict[str, int]:
        """Of each trigram of these parts, in how many parts it is, these among them."""
        grams = {part: gram_keys(part) for part in parts}
        sizes = {gram: self._sizes[gram] for found in grams.values() for gram in found}
        for part, found in grams.items():
            if part not in self._parts:
                for gram in found:
                    sizes[gram] += 1
        return sizes


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


def _documents(found: "dict[str, array[int] | None]", key: str) -> Set[int] | None:
    there = found.get(key, _NOWHERE)
    if there is None:
        return None
    several = set(there)
    return None if len(several) > MOST_DOCUMENTS else several


_NOWHERE = array("I")
