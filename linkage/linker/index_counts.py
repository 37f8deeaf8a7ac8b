"""What the linker asks of a whole project, counted over the names and documents of an index of people."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from linkage.clustering.company import MOST_DOCUMENTS
from linkage.linker.corpus_counts import CorpusCounts
from linkage.linker.known_names import KnownNames
from linkage.linker.name_parts import Key, NameParts
from linkage.records import Beyond, DocumentId, PersonName
from linkage.text_forms import TextForms

NamesOf = Callable[[int], Iterable[Sequence[str]]]  # the parts of all names of a person
_MOST_READ = 60  # people whose names are read to count those with one word


@dataclass(frozen=True, slots=True)
class Chosen:
    """The people who are linked with a text, and how many others bear a name of it."""

    numbers: Set[int]
    crowds: Mapping[PersonName, int] = field(repr=False)
    documents: Set[int]
    names_of: NamesOf | None = None


class IndexCounts:
    """Counts that grow with the index; nothing of them is stored."""

    def __init__(self, parts: NameParts, names: KnownNames, documents: CorpusCounts) -> None:
        """names, documents: those of the index."""
        self._parts = parts
        self._names = names
        self._documents = documents

    def beyond(self, text: TextForms, chosen: Chosen) -> Beyond:
        """What the project has beside the chosen people, for linking them with a text."""
        self._names.take_apart()
        at_hand = {tuple([part or "" for part in name.parts()]) for name in text.names}
        if chosen.names_of is not None:
            at_hand.update(tuple(parts) for n in chosen.numbers for parts in chosen.names_of(n))
        in_text: dict[str, set[DocumentId]] = defaultdict(set)
        for name, documents in text.names.items():
            for word in self._parts.words_in([part or "" for part in name.parts()]):
                in_text[word].update(documents)
        given, families = self._borne(at_hand, chosen)
        words = {word for parts in at_hand for word in self._parts.words_in(parts)}
        marks = {*text.marks, *self._documents.marks_of(chosen.documents)}
        return Beyond(
            chosen.crowds,
            self._sizes(self._documents.with_word, words, in_text),
            self._sizes(self._documents.with_mark, marks, text.marks),
            given,
            families,
            self._names.given_trigrams.with_parts(self._given_parts(at_hand)),
            self._names.family_trigrams.with_parts(self._family_parts(at_hand)),
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
            new = sum(self._documents.number_of(d) not in there for d in in_text.get(key, ()))
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
            if not self._names.is_given(word) and not self._names.is_surname(word)
            for like in (*self._names.given_names.like(word), *self._names.surnames.like(word))
        }
        given_here, surnames_here = self._borne_here(lone, at_hand)
        keys: set[Key] = set()
        as_given: dict[str, int] = {}
        as_surname: dict[str, int] = {}
        for word in lone:
            is_given, is_surname = self._names.is_given(word), self._names.is_surname(word)
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
        called, named = (people - chosen.numbers for people in self._names.with_both_roles(word))
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
