"""Known people by the keys of their names: whom the names of a later text may mean.

A person is a candidate where a surname is spelt or sounds like one of the text and a forename agrees by its
first letter or by the variants that the lists know. A name that many bear, and a lone given name, mean only
people who share a document with another candidate, a mark with the text, or several words: company is all
that could tell them from the others. How many others there are goes along as a number.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass

from linkage.blocking.forms import family_parts
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.linker.index_counts import Chosen, IndexCounts, NamesOf
from linkage.linker.meetings import MOST_MET, Meetings, MetIn
from linkage.linker.name_parts import SHORTEST_WORD, NameParts
from linkage.linker.similar_words import SimilarWords
from linkage.records import Candidates, PersonName
from linkage.text_forms import TextForms

# People who are all candidates for a name that is not full, and people beside candidates for each name of a
# text. Chosen on office2 and nl-story in fours: of 1,000 pairs 60 and everybody differ from one go in none,
# 12 and 4 in at most 4, 12 and 2 in at most 5. A text in a project of 100,000 people takes a sixth less
# processor time with 2 than with 4.
MOST_BEARERS = 12
MOST_COMPANY = 3
# People who may all compete with a text for a candidate without a full name. Of 1,300 pairs of the stories of
# tests/e2e/test_later_stories.py, orders 1 and 9, 12 rivals differ from one go in 3.6 %, 40 in .2 %, and a
# text there takes 5 % more processor time.
MOST_RIVALS = 40
_NO_FORENAME = "."  # in place of the letter of a forename

AlsoKnown = Callable[[set[int]], set[int]]


@dataclass(frozen=True, slots=True)
class _Forenames:
    """The words of the given names of a name, and the letters with which its forenames begin."""

    words: tuple[str, ...]
    letters: str


@dataclass(frozen=True, slots=True)
class _Surnames:
    """The texts under which a name is found by its surnames, with their first letters; its surnames, each as
    a whole; and these with their words.
    """

    keys: tuple[str, ...]
    letters: str
    whole: tuple[str, ...]
    words: tuple[str, ...]


class PeopleIndex:
    """Keys of people by the numbers that the owner of the index gave them.

    People and names only come: whoever erases a person makes the index anew.
    """

    def __init__(
        self,
        variants: Callable[[str], Collection[str]],
        *,
        most_bearers: int = MOST_BEARERS,
        most_company: int = MOST_COMPANY,
        most_met: int = MOST_MET,
    ) -> None:
        """variants: the folded variants that the lists know of a folded given name. most_bearers: people who
        are all candidates for a name that is not full; of more, those in the company of the text.
        most_company: so many people beside candidates are taken along. most_met: so many documents of one
        person are looked at again.
        """
        self._variants = variants
        self._most_bearers = most_bearers
        self._most_company = most_company
        self._surnames = SimilarWords()
        self._given_names = SimilarWords()
        self._by_surname: defaultdict[str, list[int]] = defaultdict(list)  # letter of a forename, surname
        # Forenames and surnames that were taken apart, by their parts: many people share them.
        self._forenames: dict[tuple[str, str, str], _Forenames] = {}
        self._surnames_by_parts: dict[tuple[str, ...], _Surnames] = {}
        self._first: set[str] = set()  # first letters of those keys
        self._by_given: defaultdict[str, list[int]] = defaultdict(list)
        self._letters: dict[int, str] = {}  # first letters of all words of a person's names
        self._given: dict[int, tuple[str, ...]] = {}
        self._surnames_of: dict[int, tuple[str, ...]] = {}
        self._parts = NameParts()
        self._counts = IndexCounts(self._parts, self._given_names, self._surnames)
        self._meetings = Meetings(self._counts.documents, most_met=most_met)

    def __repr__(self) -> str:
        return f"PeopleIndex({len(self)} people)"

    def __len__(self) -> int:
        return len(self._letters)

    def add(self, number: int, names: Iterable[Sequence[str]], met: Iterable[MetIn]) -> None:
        """A person, or more of one. names: parts of PersonName, "" for none. met: where, under which of the
        names, counted from 0, and what the document is about.
        """
        is_known = number in self._letters
        first_letters = set(self._letters.get(number, ""))
        given, surnames = self._given.get(number, ()), self._surnames_of.get(number, ())
        keys: set[str] = set()
        words_of: list[tuple[str, ...]] = []
        for parts in names:
            called, named = self._called_and_named(parts)
            first_letters.update(called.letters)
            if named.keys:
                first_letters.update(named.letters)
                keys.update(
                    [letter + surname for letter in called.letters or _NO_FORENAME for surname in named.keys]
                )
                surnames += tuple([surname for surname in named.keys if surname not in surnames])
            if len(called.words) == 2 and not parts[3]:  # may yet be a given name and a surname
                keys.add(called.words[0][0] + called.words[1])
                self._surnames.add(called.words[1])
            for word in called.words:
                if word not in given:
                    given += (word,)
                    self._by_given[word].append(number)
            words_of.append((*called.words, *named.words))
            if named.whole and (called.words or parts[1]):
                self._counts.borne(called.words, named.whole)
        for key in keys:
            if not is_known or number not in self._by_surname[key]:
                self._by_surname[key].append(number)
        self._letters[number] = "".join(first_letters)
        self._first.update([key[0] for key in keys])
        if given:
            self._given[number] = given
        if surnames:
            self._surnames_of[number] = surnames
        self._meetings.add(number, words_of, met)

    def add_unclear(self, number: int, names: Iterable[Sequence[str]], met: Iterable[MetIn]) -> None:
        """An ambiguous mention: nobody's name, though its words stand in its document."""
        self._meetings.add_unclear(number, [self._parts.words_in(parts) for parts in names], met)

    def _called_and_named(self, parts: Sequence[str]) -> tuple[_Forenames, _Surnames]:
        """The forenames and the surnames of a name, equal parts taken apart once."""
        nickname = parts[7] if len(parts) > 7 else ""
        called = self._forenames.get(forenames := (parts[0], parts[1], nickname))
        if called is None:
            called = self._forenames[forenames] = self._made_forenames(*forenames)
            self._counts.add_given(parts)
        named = self._surnames_by_parts.get(surnames := tuple(parts[2:6]))
        if named is None:
            named = self._surnames_by_parts[surnames] = self._made_surnames(parts)
            self._counts.add_family(parts)
        return called, named

    def _made_forenames(self, given: str, initials: str, nickname: str) -> _Forenames:
        words = self._parts.words(given)
        if nickname:
            words = (*words, *self._parts.words(nickname))
        for word in words:
            self._given_names.add(word)
        letters = "".join([word[0] for word in words])
        if initials:
            letters += "".join([part[0] for part in self._parts.words(initials.replace(".", " "))])
        return _Forenames(words, letters)

    def _made_surnames(self, parts: Sequence[str]) -> _Surnames:
        keys = self._made_keys(parts[2], parts[3])
        if parts[5]:
            keys = (*keys, *(key for key in self._made_keys(parts[4], parts[5]) if key not in keys))
        for key in keys:
            self._surnames.add(key)
        whole = tuple(self._parts.surnames(parts))
        if whole == keys:  # one text for many
            whole = keys
        several = tuple([word for surname in whole if " " in surname for word in surname.split()])
        words = (*whole, *several) if several else whole
        return _Surnames(keys, "".join([key[0] for key in keys]), whole, words)

    def _made_keys(self, particle: str, family: str) -> tuple[str, ...]:
        words = self._parts.words(family)
        if not words:
            return ()
        keys = {" ".join(words)}
        if len(words) > 1:
            keys |= {word for word in words if len(word) >= SHORTEST_WORD}
            keys.add("".join(words))
        if particle:
            keys.add("".join((*self._parts.words(particle), *words)))
        return tuple(sorted(keys))

    # -- whom names may mean ---------------------------------------------------------------------------------

    def candidates(
        self,
        text: TextForms,
        names_of: NamesOf | None = None,
        also_known: AlsoKnown = set,
    ) -> Candidates:
        """The people whom the names of a text may mean, all of its documents, and whoever is beside them.

        Ambiguous mentions beside them are among the numbers. names_of: the names of a person, for the counts
        of what the project has beside all these. also_known: people, with those as whom they are also known.
        """
        forms = {name: NameForm.of(name) for name in text.names}
        own = (self._counts.documents.number_of(d) for d in text.documents | text.again)
        again = [number for number in own if number is not None]
        there = self._counts.documents.everybody_in(again)
        found = set(there)
        crowded: dict[PersonName, set[int]] = {}
        for name, form in forms.items():
            if (read := _read_with_surname(name, form)) is None:
                continue
            bearers = self._bearers(*read)
            if len(bearers) > self._most_bearers and read[1].kind is not NameKind.FULL:
                crowded[name] = bearers
            else:
                found |= bearers
        words = {word for form in forms.values() for word in form.words}
        around = self._meetings.around(found, text.marks.keys(), words)
        for bearers in crowded.values():
            found |= bearers & around
        lone = {number for number in around if number not in self._surnames_of}
        for form in forms.values():
            found |= self._called_so(form, around if form.kind < NameKind.FAMILY else lone)
        self._with_rivals(found, there)
        found = also_known(
            self._meetings.with_company(
                also_known(found), self._most_company * len(text.names), self._words_of
            )
        )
        looked_at = self._meetings.chosen(found, again)
        crowds = {name: len(left) for name, bearers in crowded.items() if (left := bearers - found)}
        documents = looked_at.documents.keys()
        chosen = Chosen(found, crowds, documents, self._bearers_of, names_of)
        beyond = self._counts.beyond(text, chosen)
        often_met = looked_at.often_met
        ids = [self._counts.documents.id_of(document) for document in documents] if often_met else ()
        return Candidates(frozenset(found), beyond, often_met, frozenset(ids))

    def _words_of(self, number: int) -> tuple[str, ...]:
        return (*self._given.get(number, ()), *self._surnames_of.get(number, ()))

    def _with_rivals(self, found: set[int], certain: Set[int]) -> None:
        """Add to people without a full name those who compete with the text for them.

        Whoever has too many rivals, and is not certain to be looked at, is no candidate: he stays by himself.
        """
        for number in sorted(found):
            if number in self._given and number in self._surnames_of:
                continue
            rivals = self._rivals(number)
            if len(rivals) <= max(self._most_bearers, MOST_RIVALS):
                found |= rivals
            elif number not in certain:
                found.discard(number)

    def _rivals(self, number: int) -> set[int]:
        """Everybody whom the name of a person may mean that is not full."""
        rivals: set[int] = set()
        surnames, letters = self._surnames_of.get(number, ()), self._letters.get(number, "")
        for surname in surnames:
            is_lone = number in self._by_surname.get(_NO_FORENAME + surname, ())
            for letter in self._first if is_lone else (*letters, _NO_FORENAME):
                rivals.update(self._by_surname.get(letter + surname, ()))
        if not surnames:
            rivals = {n for n in self._meetings.near(number) if self._shares_letter(n, letters)}
        return rivals

    def _shares_letter(self, number: int, letters: str) -> bool:
        return any(letter in self._letters.get(number, "") for letter in letters)

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
        return set().union(*map(self._called_like, words))

    def _called_like(self, word: str) -> set[str]:
        """A given name, and the words that are its variants or spelt or sound like it."""
        return {word, *self._variants(word), *self._given_names.like(word)} - {""}

    def _like(self, name: PersonName, form: NameForm) -> set[str]:
        keys = {*form.surname_keys, *family_parts(name)}
        return set().union(*(self._surnames.like(key) for key in keys if key))

    def _may_be_called(self, number: int, called: Set[str]) -> bool:
        """Whether one of the given names of a person is among those, or one letter; True of mere initials."""
        given = self._given.get(number)
        return given is None or any(word in called or len(word) < 2 for word in given)

    def _called_so(self, form: NameForm, people: Set[int]) -> set[int]:
        """Those of people who have a word with the first letter of a lone given name, or of its variants: of
        those with given names whoever may be called so.
        """
        called = self._called(form)
        letters = {word[0] for word in called} | {letter[0] for letter in form.letters}
        return {
            number
            for number in people
            if not letters.isdisjoint(self._letters.get(number, ""))
            and (not called or self._may_be_called(number, called))
        }

    def _bearers_of(self, word: str) -> tuple[set[int], set[int]]:
        """The people with a word as a given name beside a surname, and as a surname beside a forename."""
        letters = self._first - {_NO_FORENAME}
        called = {n for n in self._by_given.get(word, ()) if n in self._surnames_of}
        return called, {n for letter in letters for n in self._by_surname.get(letter + word, ())}


def _read_with_surname(name: PersonName, form: NameForm) -> tuple[PersonName, NameForm] | None:
    """A name as it has a surname: two given names may be a given name and a surname; None without any."""
    if form.kind >= NameKind.FAMILY:
        return name, form
    if form.kind is NameKind.GIVEN and len(form.given) == 2 and not form.nickname:
        read = PersonName(given=form.given[0], family=form.given[1])
        return read, NameForm.of(read)
    return None
