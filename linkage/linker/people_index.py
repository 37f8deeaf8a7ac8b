"""Known people by the keys of their names: whom the names of a later text may mean.

A person is a candidate where a surname is spelt or sounds like one of the text and a forename agrees by its
first letter or by the variants that the lists know. A name that many bear, and a lone given name, mean only
people who share a document with another candidate, a mark with the text, or several words: company is all
that could tell them from the others. How many others there are goes along as a number.
"""

from collections.abc import Callable, Collection, Sequence, Set

from linkage.blocking.forms import family_parts
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.linker.corpus_counts import CorpusCounts, MetIn
from linkage.linker.index_counts import Chosen, IndexCounts, NamesOf
from linkage.linker.known_names import NO_FORENAME, KnownNames
from linkage.linker.meetings import MOST_MET, Meetings
from linkage.linker.name_parts import NameParts
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

AlsoKnown = Callable[[set[int]], set[int]]


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
        self._alike: dict[str, frozenset[str]] = {}  # of the given names of the text at hand
        self._parts = NameParts()
        self._names = KnownNames(self._parts)
        self._documents = CorpusCounts(self._names)
        self._counts = IndexCounts(self._parts, self._names, self._documents)
        self._meetings = Meetings(self._names, self._documents, most_met=most_met)

    def __repr__(self) -> str:
        return f"PeopleIndex({len(self)} people)"

    def __len__(self) -> int:
        return len(self._names)

    def add(self, number: int, names: Sequence[tuple[str, ...]], met: Sequence[MetIn]) -> None:
        """A person, or more of one. names: parts of PersonName, "" for none. met: where, under which of the
        names, counted from 0, and what the document is about.
        """
        self._meetings.add(number, self._names.add(number, names), met)

    def add_unclear(self, number: int, names: Sequence[tuple[str, ...]], met: Sequence[MetIn]) -> None:
        """An ambiguous mention: nobody's name, though its words stand in its document."""
        self._meetings.add_unclear(number, [self._parts.words_in(parts) for parts in names], met)

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
        self._names.take_apart()
        self._alike.clear()
        forms = {name: NameForm.of(name) for name in text.names}
        own = (self._documents.number_of(d) for d in text.documents | text.again)
        again = [number for number in own if number is not None]
        there = self._documents.everybody_in(again)
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
        lone = {number for number in around if not self._names.borne_by(number).surnames}
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
        chosen = Chosen(found, crowds, documents, names_of)
        beyond = self._counts.beyond(text, chosen)
        often_met = looked_at.often_met
        ids = [self._documents.id_of(document) for document in documents] if often_met else ()
        return Candidates(frozenset(found), beyond, often_met, frozenset(ids))

    def _words_of(self, number: int) -> tuple[str, ...]:
        borne = self._names.borne_by(number)
        return (*borne.given, *borne.surnames)

    def _with_rivals(self, found: set[int], certain: Set[int]) -> None:
        """Add to people without a full name those who compete with the text for them.

        Whoever has too many rivals, and is not certain to be looked at, is no candidate: he stays by himself.
        """
        for number in sorted(found):
            borne = self._names.borne_by(number)
            if borne.given and borne.surnames:
                continue
            rivals = self._rivals(number)
            if len(rivals) <= max(self._most_bearers, MOST_RIVALS):
                found |= rivals
            elif number not in certain:
                found.discard(number)

    def _rivals(self, number: int) -> set[int]:
        """Everybody whom the name of a person may mean that is not full."""
        borne = self._names.borne_by(number)
        if not borne.surnames:
            return {n for n in self._meetings.near(number) if not borne.letters.isdisjoint(self._letters(n))}
        lone = [key for key in borne.surnames if number in self._names.with_surname((key,), (NO_FORENAME,))]
        others = [key for key in borne.surnames if key not in lone]
        return self._names.with_surname(lone) | self._names.with_surname(
            others, (*borne.letters, NO_FORENAME)
        )

    def _letters(self, number: int) -> frozenset[str]:
        return self._names.borne_by(number).letters

    def _bearers(self, name: PersonName, form: NameForm) -> set[int]:
        """Everybody with a surname like that of a name, whose forenames its forenames allow."""
        called = self._called(form)
        letters = {letter[0] for letter in form.letters} | {word[0] for word in called}
        allowed = (*letters, NO_FORENAME) if letters else None
        found = self._names.with_surname(self._like(name, form), allowed)
        if form.kind is NameKind.FULL:
            found = {number for number in found if self._may_be_called(number, called)}
        return found

    def _called(self, form: NameForm) -> set[str]:
        """The given names of a form, and the words that are their variants or spelt or sound like them."""
        words = {word for name in form.call_names for word in name.split()}
        return set().union(*map(self._called_like, words))

    def _called_like(self, word: str) -> frozenset[str]:
        """A given name, and the words that are its variants or spelt or sound like it."""
        if (found := self._alike.get(word)) is None:
            like = {word, *self._variants(word), *self._names.given_names.like(word)}
            found = self._alike[word] = frozenset(like - {""})
        return found

    def _like(self, name: PersonName, form: NameForm) -> set[str]:
        keys = {*form.surname_keys, *family_parts(name)}
        return set().union(*(self._names.surnames.like(key) for key in keys if key))

    def _may_be_called(self, number: int, called: Set[str]) -> bool:
        """Whether one of the given names of a person is among those, or one letter; True of mere initials."""
        given = self._names.given_of(number)
        return not given or any(word in called or len(word) < 2 for word in given)

    def _called_so(self, form: NameForm, people: Set[int]) -> set[int]:
        """Those of people who have a word with the first letter of a lone given name, or of its variants: of
        those with given names whoever may be called so.
        """
        called = self._called(form)
        letters = {word[0] for word in called} | {letter[0] for letter in form.letters}
        return {
            number
            for number in people
            if not letters.isdisjoint(self._letters(number))
            and (not called or self._may_be_called(number, called))
        }


def _read_with_surname(name: PersonName, form: NameForm) -> tuple[PersonName, NameForm] | None:
    """A name as it has a surname: two given names may be a given name and a surname; None without any."""
    if form.kind >= NameKind.FAMILY:
        return name, form
    if form.kind is NameKind.GIVEN and len(form.given) == 2 and not form.nickname:
        read = PersonName(given=form.given[0], family=form.given[1])
        return read, NameForm.of(read)
    return None
