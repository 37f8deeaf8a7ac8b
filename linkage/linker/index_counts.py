"""What the linker asks of a whole project, counted over the names and documents of an index of people."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts, TrigramCounts
from linkage.linker.name_parts import Key, NameParts
from linkage.linker.similar_words import SimilarWords
from linkage.records import Beyond, DocumentId, PersonName
from linkage.text_forms import TextForms

NamesOf = Callable[[int], Iterable[Sequence[str]]]  # the parts of all names of a person
_MOST_READ = 60  # people whose names are read to count those with one word


@dataclass(frozen=True, slots=True)
class Chosen:
    """The people who are linked with a text, and how many others bear a name of it.

    bearers: the people with a word as a given name beside a surname, and as a surname beside a forename.
    """

    numbers: Set[int]
    crowds: Mapping[PersonName, int] = field(repr=False)
    documents: Set[int]
    bearers: Callable[[str], tuple[Set[int], Set[int]]]
    names_of: NamesOf | None = None


class IndexCounts:
    """Counts that grow with the index; nothing of them is stored."""

    def __init__(self, parts: NameParts, given_names: SimilarWords, surnames: SimilarWords) -> None:
        """given_names, surnames: the words of the index."""
        self.documents = CorpusCounts()
        self.given_trigrams, self.family_trigrams = TrigramCounts(), TrigramCounts()
        self._parts = parts
        self._given_names, self._surnames = given_names, surnames
        self._as_given: set[str] = set()
        self._as_surname: set[str] = set()

    def borne(self, given: Iterable[str], surnames: Iterable[str]) -> None:
        """A name with forenames and a surname has these words as given names, and these surnames."""
        self._as_given.update(given)
        self._as_surname.update(surnames)

    def add_given(self, parts: Sequence[str]) -> None:
        """The given names of a name, by its parts; equal ones may come again."""
        for part in self._parts.given_parts(parts):
            self.given_trigrams.add(part)

    def add_family(self, parts: Sequence[str]) -> None:
        """The surnames of a name, likewise."""
        for part in self._parts.family_parts(parts):
            self.family_trigrams.add(part)

    def beyond(self, text: TextForms, chosen: Chosen) -> Beyond:
        """What the project has beside the chosen people, for linking them with a text."""
        at_hand = {tuple([part or "" for part in name.parts()]) for name in text.names}
        if chosen.names_of is not None:
            at_hand.update(tuple(parts) for n in chosen.numbers for parts in chosen.names_of(n))
        in_text: dict[str, set[DocumentId]] = defaultdict(set)
        for name, documents in text.names.items():
            for word in self._parts.words_in([part or "" for part in name.parts()]):
                in_text[word].update(documents)
        given, families = self._borne(at_hand, chosen)
        words = {word for parts in at_hand for word in self._parts.words_in(parts)}
        marks = {*text.marks, *self.documents.marks_of(chosen.documents)}
        return Beyond(
            chosen.crowds,
            self._sizes(self.documents.with_word, words, in_text),
            self._sizes(self.documents.with_mark, marks, text.marks),
            given,
            families,
            self.given_trigrams.with_parts(self._given_parts(at_hand)),
            self.family_trigrams.with_parts(self._family_parts(at_hand)),
        )

    def _given_parts(self, names: Iterable[Sequence[str]]) -> set[str]:
        return {part for parts in names for part in self._parts.given_parts(parts)}

    def _family_parts(self, names: Iterable[Sequence[str]]) -> set[str]:
        return {part for parts in names for part in self._parts.family_parts(parts)}

    def _sizes(
        self,
        known: Callable[[str], Set[int] | None],
        keys: Iterable[str],
        in_text: Mapping[str, Collection[DocumentId]],
    ) -> dict[str, int]:
        """In how many documents each key is, those of the text among them, where they are several."""
        sizes: dict[str, int] = {}
        for key in keys:
            there = known(key)
            if there is None:
                sizes[key] = MOST_DOCUMENTS + 1
                continue
            new = sum(self.documents.number_of(d) not in there for d in in_text.get(key, ()))
            if (size := len(there) + new) > 1:
                sizes[key] = size
        return sizes

    def _borne(self, at_hand: Set[tuple[str, ...]], chosen: Chosen) -> tuple[dict[str, int], dict[str, int]]:
        """How many further names have each lone word, or one like it, as a given name and as a surname.

        Where only one of the two occurs, 1 says as much as their number.
        """
        lone = {word for parts in at_hand if (word := self._parts.lone_word(parts))}
        lone |= {
            like
            for word in lone
            if word not in self._as_given and word not in self._as_surname
            for like in (*self._given_names.like(word), *self._surnames.like(word))
        }
        given_here, surnames_here = self._borne_here(lone, at_hand)
        keys: set[Key] = set()
        as_given: dict[str, int] = {}
        as_surname: dict[str, int] = {}
        for word in lone:
            is_given, is_surname = word in self._as_given, word in self._as_surname
            if is_given and not is_surname and word not in surnames_here:
                as_given[word] = 1
            elif is_surname and not is_given and word not in given_here:
                as_surname[word] = 1
            elif is_given or is_surname:
                keys = keys or {self._parts.key(parts) for parts in at_hand}
                given, surname = self._counted(word, chosen, keys)
                as_given.update({word: given} if given else {})
                as_surname.update({word: surname} if surname else {})
        return as_given, as_surname

    def _borne_here(self, words: set[str], at_hand: Iterable[Sequence[str]]) -> tuple[set[str], set[str]]:
        """Those of words that names at hand have as given names, and as surnames."""
        given: set[str] = set()
        surnames: set[str] = set()
        for parts in at_hand:
            called, named = self._parts.roles(parts)
            given.update(words.intersection(called))
            surnames.update(words.intersection(named))
        return given, surnames

    def _counted(self, word: str, chosen: Chosen, at_hand: Set[Key]) -> tuple[int, int]:
        """How many names of others have a word as a given name and as a surname; of many, how many people."""
        called, named = (people - chosen.numbers for people in chosen.bearers(word))
        if chosen.names_of is None or len(called) + len(named) > _MOST_READ:
            return len(called), len(named)
        given = surname = 0
        seen = set(at_hand)
        for number in sorted(called | named):
            for parts in chosen.names_of(number):
                if (key := self._parts.key(parts)) not in seen:
                    seen.add(key)
                    givens, surnames = self._parts.roles(parts)
                    given += word in givens
                    surname += word in surnames
        return given, surname
