"""Known people by the keys of their names: whom the names of a later text may mean.

A person is a candidate where a surname is spelt or sounds like one of the text and a forename agrees by its
first letter or by the variants that the lists know. A name that many bear, and a lone given name, mean only
people who share a document with another candidate, a mark with the text, or several words: company is all
that could tell them from the others. How many others there are goes along as a number.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set

from linkage.blocking.forms import family_parts
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.linker.similar_words import SimilarWords
from linkage.records import Beyond, Candidates, DocumentId, NormalizedMention, PersonName, fold

MOST_BEARERS = 60  # as many groups as clustering.fits looks at one by one
_MOST_DOCUMENTS = 200  # whoever occurs in more says little about whom they occur with: see clustering.company
_WORDS_RELATED = 3  # documents that share so many words may speak of the same people
_NO_FORENAME = "."  # in place of the letter of a forename
_SHORTEST_WORD = 4  # of a surname of several words, letters of one that may stand for it


class PeopleIndex:
    """Keys of people by the numbers that the owner of the index gave them.

    People and names only come: whoever erases a person makes the index anew.
    """

    def __init__(
        self, variants: Callable[[str], Collection[str]], *, most_bearers: int = MOST_BEARERS
    ) -> None:
        """variants: the folded variants that the lists know of a folded given name. most_bearers: people who
        are all candidates for a name that is not full; of more, those in the company of the text.
        """
        self._variants = variants
        self._most_bearers = most_bearers
        self._surnames = SimilarWords()
        self._given_names = SimilarWords()
        self._by_surname: defaultdict[str, list[int]] = defaultdict(list)  # letter of a forename, surname
        self._keys_of_surname: dict[tuple[str, str], tuple[str, ...]] = {}  # of particle and surname
        self._first: set[str] = set()  # first letters of those keys
        self._by_given: defaultdict[str, list[int]] = defaultdict(list)
        self._letters: dict[int, str] = {}  # first letters of all words of a person's names
        self._given: dict[int, tuple[str, ...]] = {}
        self._surnames_of: dict[int, tuple[str, ...]] = {}
        self._documents: dict[str, int] = {}
        self._people_in: list[list[int]] = []
        self._documents_of: dict[int, list[int]] = {}
        self._by_mark: defaultdict[str, set[int]] = defaultdict(set)
        self._folded: dict[str, tuple[str, ...]] = {}  # text of a part -> its folded words

    def __repr__(self) -> str:
        return f"PeopleIndex({len(self)} people)"

    def __len__(self) -> int:
        return len(self._letters)

    def add(
        self, number: int, names: Iterable[Sequence[str]], met: Iterable[tuple[str, Collection[str]]]
    ) -> None:
        """More of a person. names: parts of PersonName, "" for none. met: documents with their marks."""
        first_letters = set(self._letters.get(number, ""))
        given, surnames = self._given.get(number, ()), self._surnames_of.get(number, ())
        keys: set[str] = set()
        for parts in names:
            words, letters = self._forenames(parts[0], parts[1], parts[7] if len(parts) > 7 else "")
            for surname in self._surname_keys(parts[2], parts[3], parts[4], parts[5]):
                keys.update([letter + surname for letter in letters or _NO_FORENAME])
                if surname not in surnames:
                    surnames += (surname,)
                    first_letters.add(surname[0])
            first_letters.update(letters)
            for word in words:
                if word not in given:
                    given += (word,)
                    self._by_given[word].append(number)
        for key in keys:
            self._by_surname[key].append(number)
        self._letters[number] = "".join(first_letters)
        self._first.update([key[0] for key in keys])
        if given:
            self._given[number] = given
        if surnames:
            self._surnames_of[number] = surnames
        for doc_id, marks in met:
            self._met(number, doc_id, marks)

    def _met(self, number: int, doc_id: str, marks: Collection[str]) -> None:
        document = self._documents.setdefault(doc_id, len(self._people_in))
        if document == len(self._people_in):
            self._people_in.append([])
        people = self._people_in[document]
        if not people or people[-1] != number:  # all that a person is met in comes together
            people.append(number)
            self._documents_of.setdefault(number, []).append(document)
        for mark in marks:
            self._by_mark[mark].add(document)

    def _words(self, text: str) -> tuple[str, ...]:
        words = self._folded.get(text)
        if words is None:
            words = self._folded[text] = tuple(fold(text).split())
        return words

    def _forenames(self, given: str, initials: str, nickname: str) -> tuple[tuple[str, ...], str]:
        """The words of the given names of a name, and the letters with which its forenames begin."""
        words = (*self._words(given), *self._words(nickname)) if nickname else self._words(given)
        if words:
            self._seen_given(words)
        letters = "".join([word[0] for word in words])
        if initials:
            letters += "".join([part[0] for part in self._words(initials.replace(".", " "))])
        return words, letters

    def _seen_given(self, words: Iterable[str]) -> None:
        for word in words:
            self._given_names.add(word)

    def _surname_keys(
        self, particle: str, family: str, partner_particle: str, partner_family: str
    ) -> tuple[str, ...]:
        """The texts under which a name with these surnames is found."""
        if partner_family:
            own = self._surname_keys(particle, family, "", "")
            return (*own, *self._surname_keys(partner_particle, partner_family, "", ""))
        keys = self._keys_of_surname.get((particle, family))
        if keys is None:
            keys = self._keys_of_surname[particle, family] = self._made_keys(particle, family)
            for key in keys:
                self._surnames.add(key)
        return keys

    def _made_keys(self, particle: str, family: str) -> tuple[str, ...]:
        words = self._words(family)
        if not words:
            return ()
        keys = {" ".join(words)}
        if len(words) > 1:
            keys |= {word for word in words if len(word) >= _SHORTEST_WORD}
            keys.add("".join(words))
        if particle:
            keys.add("".join((*self._words(particle), *words)))
        return tuple(sorted(keys))

    # -- whom names may mean ---------------------------------------------------------------------------------

    def candidates(
        self, mentions: Iterable[NormalizedMention], documents: Iterable[DocumentId] = ()
    ) -> Candidates:
        """The people whom these mentions may mean, and everybody of documents."""
        marks: set[str] = set()
        own = set(documents)
        names: set[PersonName] = set()
        for mention in mentions:
            own.add(mention.mention.doc_id)
            names.add(mention.name)
            marks |= mention.context.marks
        forms = {name: NameForm.of(name) for name in names}
        there = {n for d in own if d in self._documents for n in self._people_in[self._documents[d]]}
        found = set(there)
        crowded: dict[PersonName, set[int]] = {}
        for name, form in forms.items():
            if form.kind < NameKind.FAMILY:
                continue
            bearers = self._bearers(name, form)
            if len(bearers) > self._most_bearers and form.kind is not NameKind.FULL:
                crowded[name] = bearers
            else:
                found |= bearers
        around = self._around(found, marks, forms.values())
        for name, bearers in crowded.items():
            crowded[name] = bearers - around
            found |= bearers & around
        lone = {number for number in around if number not in self._surnames_of}
        for form in forms.values():
            found |= self._called_so(form, around if form.kind < NameKind.FAMILY else lone)
        self._with_rivals(found, there)
        crowds = {name: len(left) for name, left in crowded.items() if left}
        return Candidates(frozenset(found), self._beyond(crowds, found, forms, marks))

    def _with_rivals(self, found: set[int], certain: Set[int]) -> None:
        """Add to people without a full name those who compete with the text for them.

        Whoever has too many rivals, and is not certain to be looked at, is no candidate: he stays by himself.
        """
        for number in sorted(found):
            if number in self._given and number in self._surnames_of:
                continue
            rivals = self._rivals(number)
            if len(rivals) <= self._most_bearers:
                found |= rivals
            elif number not in certain:
                found.discard(number)

    def _rivals(self, number: int) -> set[int]:
        """Everybody whom the name of a person may mean that is not full."""
        rivals: set[int] = set()
        surnames, letters = self._surnames_of.get(number, ()), self._letters[number]
        for surname in surnames:
            is_lone = number in self._by_surname.get(_NO_FORENAME + surname, ())
            for letter in self._first if is_lone else (*letters, _NO_FORENAME):
                rivals.update(self._by_surname.get(letter + surname, ()))
        if not surnames:
            beside = {n for d in self._documents_of.get(number, ()) for n in self._people_in[d]}
            rivals = {n for n in self._around(beside, frozenset(), ()) if self._shares_letter(n, letters)}
        return rivals

    def _shares_letter(self, number: int, letters: str) -> bool:
        return any(letter in self._letters.get(number, "") for letter in letters)

    def _beyond(
        self,
        crowds: Mapping[PersonName, int],
        found: Set[int],
        forms: Mapping[PersonName, NameForm],
        marks: Set[str],
    ) -> Beyond:
        lone = {word for form in forms.values() if form.kind < NameKind.INITIALS for word in form.words}
        given = {word: len(self._by_given[word]) for word in lone if word in self._by_given}
        families = {word: count for word in lone if (count := self._bearers_of(word))}
        return Beyond(crowds, self._common_words(found, forms), self._common(marks), given, families)

    def _bearers_of(self, surname: str) -> int:
        """How many people have a surname beside a forename or its letter."""
        letters = self._first - {_NO_FORENAME}
        return len({n for letter in letters for n in self._by_surname.get(letter + surname, ())})

    def _common_words(self, found: Set[int], forms: Mapping[PersonName, NameForm]) -> dict[str, int]:
        """In how many documents somebody bears each word of the names at hand."""
        words = {word for form in forms.values() for word in (*form.words, *form.families)}
        for number in found:
            words.update(self._given.get(number, ()))
            for surname in self._surnames_of.get(number, ()):
                words.update((surname, *surname.split()))
        return {word: count for word in words if (count := len(self._documents_with(word))) > 1}

    def _common(self, marks: Set[str]) -> dict[str, int]:
        return {mark: len(self._by_mark[mark]) for mark in marks if mark in self._by_mark}

    def _bearers(self, name: PersonName, form: NameForm) -> set[int]:
        """Everybody with a surname like that of a name, whose forenames its forenames allow."""
        called = self._called(form)
        letters = {letter[0] for letter in form.letters} | {word[0] for word in called}
        found: set[int] = set()
        for surname in self._like(name, form):
            for letter in (*letters, _NO_FORENAME) if letters else self._first:
                found.update(self._by_surname.get(letter + surname, ()))
        if form.kind is NameKind.FULL:
            found = {number for number in found if self._may_be_called(number, called)}
        return found

    def _called(self, form: NameForm) -> set[str]:
        """The given names of a form, and the words that are their variants or spelt or sound like them."""
        words = {word for name in form.call_names for word in name.split()}
        return words.union(*map(self._variants, words), *map(self._given_names.like, words)) - {""}

    def _like(self, name: PersonName, form: NameForm) -> set[str]:
        keys = {*form.surname_keys, *family_parts(name)}
        return set().union(*(self._surnames.like(key) for key in keys if key))

    def _may_be_called(self, number: int, called: Set[str]) -> bool:
        """Whether one of the given names of a person is among those, or one letter; True of mere initials."""
        given = self._given.get(number)
        return given is None or any(word in called or len(word) < 2 for word in given)

    def _called_so(self, form: NameForm, people: Set[int]) -> set[int]:
        """Those of people who have a word with the first letter of a lone given name, or of its variants."""
        letters = {word[0] for word in self._called(form)} | {letter[0] for letter in form.letters}
        return {number for number in people if not letters.isdisjoint(self._letters.get(number, ""))}

    def _around(self, found: Set[int], marks: Set[str], forms: Iterable[NameForm]) -> set[int]:
        """Everybody in the documents that share a candidate, a mark or several words with the text."""
        related: set[int] = set()
        for number in found:
            documents = self._documents_of.get(number, ())
            if len(documents) <= _MOST_DOCUMENTS:
                related.update(documents)
        for mark in marks:
            if len(there := self._by_mark.get(mark, ())) <= _MOST_DOCUMENTS:
                related.update(there)
        sharing: Counter[int] = Counter()
        for word in {word for form in forms for word in form.words}:
            if len(there := self._documents_with(word)) <= _MOST_DOCUMENTS:
                sharing.update(there)
        related.update(document for document, words in sharing.items() if words >= _WORDS_RELATED)
        return {number for document in related for number in self._people_in[document]}

    def _documents_with(self, word: str) -> set[int]:
        """The documents in which somebody bears a word; not all where they are more than _MOST_DOCUMENTS."""
        people = [*self._by_given.get(word, ())]
        for letter in self._first:
            people += self._by_surname.get(letter + word, ())
        found: set[int] = set()
        for number in people:
            found.update(self._documents_of.get(number, ()))
            if len(found) > _MOST_DOCUMENTS:
                break
        return found
