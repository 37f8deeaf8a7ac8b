"""The names of known people as columns: each forename and each surname is taken apart once, when it is asked
for, and a name is the numbers of its forename, its surname and its bearer.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

import numpy as np
import numpy.typing as npt

from linkage.linker.columns import Column, Flags, Numbers
from linkage.linker.name_parts import SHORTEST_WORD, NameParts
from linkage.linker.similar_words import SimilarWords
from linkage.linker.trigram_counts import TrigramCounts

NO_FORENAME = "."  # in place of the letter of a forename
_NONE: tuple[int, ...] = ()
_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Forenames:
    """The words of the given names of a name, and the letters with which its forenames begin."""

    words: tuple[str, ...]
    letters: str


@dataclass(frozen=True, slots=True)
class _Surnames:
    """The texts under which a name is found by its surnames, with their first letters; and its surnames, each
    as a whole.
    """

    keys: tuple[str, ...]
    letters: str
    whole: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Borne:
    """The first letters of all words of the names of one person, the given names, and the surnames."""

    letters: frozenset[str] = field(default=frozenset(), repr=False)
    given: tuple[str, ...] = field(default=(), repr=False)
    surnames: tuple[str, ...] = field(default=(), repr=False)


_NOBODY = Borne()


class KnownNames:
    """Names by row, and people by the numbers that the owner of the index gave them. Both only come."""

    def __init__(self, parts: NameParts) -> None:
        self.given_names, self.surnames = SimilarWords(), SimilarWords()
        self.given_trigrams, self.family_trigrams = TrigramCounts(), TrigramCounts()
        self._parts = parts
        self._places: dict[int, int] = {}  # of people, in the order in which they came
        self._numbers = array("Q")
        self._first_rows = array("I")
        self._bearers = array("I")  # by row, the place of the person
        self._more_rows: dict[int, list[int]] = {}  # by place, of whoever came again
        self._forename_of, self._surname_of = Column(), Column()
        # A forename or a surname that is new gets the next number where it is looked up.
        self._forename_numbers: defaultdict[tuple[str, str, str], int] = defaultdict(count().__next__)
        self._surname_numbers: defaultdict[tuple[str, ...], int] = defaultdict(count().__next__)
        # By the numbers of forenames and of surnames, those that were taken apart.
        self._forenames: list[_Forenames] = []
        self._surnames: list[_Surnames] = []
        self._with_letter: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._with_given: dict[str, tuple[int, ...]] = {}
        self._with_second: dict[str, tuple[int, ...]] = {}  # by the second of just two given names
        self._with_key: dict[str, tuple[int, ...]] = {}
        self._with_word: dict[str, tuple[int, ...]] = {}
        self._has_forename, self._has_whole, self._has_key, self._has_family = (Flags() for _ in range(4))
        self._is_given, self._is_surname = Flags(), Flags()  # borne beside a surname, and beside a forename
        self._has_surname = Flags()  # by place
        self._flagged = 0  # so many rows went into these three
        self._borne: dict[int, Borne] = {}  # of whoever was asked for

    def __repr__(self) -> str:
        return f"KnownNames({len(self)} people)"

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, number: int, names: Sequence[tuple[str, ...]]) -> Sequence[int]:
        """Names of a person, by their parts, "" for none. Returns the row of each. Quick, for a hundred
        thousand people.
        """
        self._borne.pop(number, None)
        forenames, surnames = self._forename_numbers, self._surname_numbers
        called = [forenames[parts[0], parts[1], parts[7] if len(parts) > 7 else ""] for parts in names]
        named = [surnames[parts[2:6]] for parts in names]
        if number in self._places:
            return self._add_more(self._places[number], zip(called, named, strict=True))
        place = self._places[number] = len(self._numbers)
        first = len(self._bearers)
        self._numbers.append(number)
        self._first_rows.append(first)
        self._bearers.extend([place] * len(called))
        self._forename_of.values.extend(called)
        self._surname_of.values.extend(named)
        return range(first, first + len(called))

    def _add_more(self, place: int, names: Iterable[tuple[int, int]]) -> list[int]:
        """Rows of names of a person who is there, the present ones where they are equal."""
        called, named = self._forename_of.values, self._surname_of.values
        there = {(called[row], named[row]): row for row in self._rows(place)}
        rows: list[int] = []
        for name in names:
            if name not in there:
                there[name] = len(self._bearers)
                called.append(name[0])
                named.append(name[1])
                self._bearers.append(place)
                self._more_rows.setdefault(place, []).append(there[name])
            rows.append(there[name])
        return rows

    def _rows(self, place: int) -> list[int]:
        first, bearers = self._first_rows[place], self._bearers
        end, last = first, len(bearers)
        while end < last and bearers[end] == place:
            end += 1
        rows = list(range(first, end))
        if more := self._more_rows.get(place):
            rows += [row for row in more if row >= end]
        return rows

    # -- by person -------------------------------------------------------------------------------------------

    def rows_of(self, number: int) -> list[int]:
        """The rows of the names of a person; none of anybody else."""
        place = self._places.get(number)
        return [] if place is None else self._rows(place)

    def bearer_of(self, row: int) -> int:
        """The number of the person who bears the name of a row."""
        return self._numbers[self._bearers[row]]

    def given_of(self, number: int) -> list[str]:
        """The words of the given names of a person; none of anybody else."""
        self.take_apart()
        forenames, called = self._forenames, self._forename_of.values
        return [word for row in self.rows_of(number) for word in forenames[called[row]].words]

    def borne_by(self, number: int) -> Borne:
        """The words of the names of a person; none of anybody else."""
        if (found := self._borne.get(number)) is None:
            found = self._borne[number] = self._read(number)
        return found

    def _read(self, number: int) -> Borne:
        place = self._places.get(number)
        if place is None:
            return _NOBODY
        self.take_apart()
        letters: set[str] = set()
        given: dict[str, None] = {}
        surnames: dict[str, None] = {}
        for row in self._rows(place):
            called = self._forenames[self._forename_of.values[row]]
            named = self._surnames[self._surname_of.values[row]]
            letters.update(called.letters, named.letters)
            given.update(dict.fromkeys(called.words))
            surnames.update(dict.fromkeys(named.keys))
        return Borne(frozenset(letters), tuple(given), tuple(surnames))

    # -- by word ---------------------------------------------------------------------------------------------

    def with_surname(self, keys: Iterable[str], letters: Collection[str] | None = None) -> set[int]:
        """The people with a name that has one of these surnames, and a forename with one of these letters.

        Of two given names the second may be the surname. letters: NO_FORENAME among them for names without a
        forename; None for all names.
        """
        self.take_apart()
        wanted = set(keys)
        surnames = {n for key in wanted for n in self._with_key.get(key, _NONE)}
        rows = self._surname_of.rows_with_any(surnames)
        if letters is not None and len(rows):
            rows = rows[self._with_any_letter(letters)[self._forename_of.of(rows)]]
        two = {
            n
            for key in wanted
            for n in self._with_second.get(key, _NONE)
            if letters is None or self._forenames[n].words[0][0] in letters
        }
        return self._bearers_of(rows) | self._bearers_of(self._without_family(two))

    def _with_any_letter(self, letters: Iterable[str]) -> _Mask:
        """By the number of forenames, whether one begins with one of these letters."""
        found = np.zeros(len(self._forenames), np.bool_)
        for letter in letters:
            if (there := self._with_letter.get(letter)) is not None:
                found[np.frombuffer(there, np.uintc)] = True
        return found

    def _without_family(self, forenames: Collection[int]) -> Numbers:
        rows = self._forename_of.rows_with_any(forenames)
        return rows[~self._has_family.at(self._surname_of.of(rows))] if len(rows) else rows

    def with_both_roles(self, word: str) -> tuple[set[int], set[int]]:
        """The people with a word as a given name who have a surname, and with it as a surname beside a
        forename.
        """
        self._flag()
        rows = self._forename_of.rows_with_any(self._with_given.get(word, _NONE))
        places = np.unique(np.frombuffer(self._bearers, np.uintc)[rows])
        places = places[self._has_surname.at(places)] if len(places) else places
        called = set(np.frombuffer(self._numbers, np.uint64)[places].tolist())
        rows = self._surname_of.rows_with_any(self._with_key.get(word, _NONE))
        if len(rows):
            has_letter = np.ones(len(self._forenames), np.bool_)
            if (there := self._with_letter.get(NO_FORENAME)) is not None:
                has_letter[np.frombuffer(there, np.uintc)] = False
            rows = rows[has_letter[self._forename_of.of(rows)]]
        two = self._without_family(self._with_second.get(word, _NONE))
        return called, self._bearers_of(rows) | self._bearers_of(two)

    def rows_with_word(self, word: str) -> list[int]:
        """The rows of the names that have a word, a surname as a whole among them. A row may come twice."""
        self.take_apart()
        rows: list[int] = []
        for forename in self._with_given.get(word, _NONE):
            rows += self._forename_of.rows_with(forename)
        for surname in self._with_word.get(word, _NONE):
            rows += self._surname_of.rows_with(surname)
        return rows

    def words_of_row(self, row: int) -> set[str]:
        """The words of the name of a row, whole surnames among them, by each of which it is found."""
        self.take_apart()
        named = self._surnames[self._surname_of.values[row]]
        words = {*self._forenames[self._forename_of.values[row]].words, *named.whole}
        return words.union(*(surname.split() for surname in named.whole if " " in surname))

    def is_given(self, word: str) -> bool:
        """Whether somebody bears a word as a given name beside a surname."""
        self._flag()
        return any(self._is_given[n] for n in self._with_given.get(word, _NONE))

    def is_surname(self, word: str) -> bool:
        """Whether somebody bears a word as a whole surname beside a forename or its letter."""
        self._flag()
        return any(
            self._is_surname[n] and word in self._surnames[n].whole for n in self._with_key.get(word, _NONE)
        )

    def _bearers_of(self, rows: Numbers) -> set[int]:
        if not len(rows):
            return set()
        places = np.frombuffer(self._bearers, np.uintc)[rows]
        return set(np.frombuffer(self._numbers, np.uint64)[places].tolist())

    # -- what came is taken apart ----------------------------------------------------------------------------

    def take_apart(self) -> None:
        """Take in what came, so that similar words and trigrams are those of all names."""
        if new := len(self._forename_numbers) - len(self._forenames):
            for forename in list(islice(reversed(self._forename_numbers), new))[::-1]:
                self._add_forenames(*forename)
        if new := len(self._surname_numbers) - len(self._surnames):
            for surname in list(islice(reversed(self._surname_numbers), new))[::-1]:
                self._add_surnames(*surname)

    def _add_forenames(self, given: str, initials: str, nickname: str) -> None:
        number = len(self._forenames)
        words = self._parts.words(given) if given else ()
        if nickname:
            words = (*words, *self._parts.words(nickname))
        letters = "".join([word[0] for word in words])
        if initials:
            letters += "".join([part[0] for part in self._parts.words(initials.replace(".", " "))])
        for word in words:
            self.given_names.add(word)
            before = self._with_given.get(word, _NONE)
            if not before or before[-1] != number:
                self._with_given[word] = (*before, number)
        if len(words) == 2:  # may yet be a given name and a surname
            self.surnames.add(words[1])
            self._with_second[words[1]] = (*self._with_second.get(words[1], _NONE), number)
        for letter in set(letters or NO_FORENAME):
            self._with_letter[letter].append(number)
        parts = (given, initials, "", "", "", "", "", nickname)
        for part in self._parts.given_parts(parts):
            self.given_trigrams.add(part)
        self._has_forename.append(flag=bool(words or initials))
        self._forenames.append(_Forenames(words, letters))

    def _add_surnames(self, particle: str, family: str, partner_particle: str, partner: str) -> None:
        number = len(self._surnames)
        words: tuple[str, ...] = self._parts.words(family) if family else ()
        keys, whole, every = words, words, words
        parts: Iterable[str] = words
        if len(words) != 1 or particle or partner:
            keys = self._keys(particle, family)
            if partner:
                second = self._keys(partner_particle, partner)
                keys = (*keys, *(key for key in second if key not in keys))
            whole = tuple(self._parts.surnames(("", "", particle, family, partner_particle, partner)))
            several = [word for surname in whole if " " in surname for word in surname.split()]
            every = tuple(dict.fromkeys((*whole, *several)))
            parts = self._parts.family_parts(("", "", particle, family, partner_particle, partner))
        for key in keys:
            self.surnames.add(key)
            self._with_key[key] = (*self._with_key.get(key, _NONE), number)
        for word in every:
            self._with_word[word] = (*self._with_word.get(word, _NONE), number)
        for part in parts:
            self.family_trigrams.add(part)
        self._has_key.append(flag=bool(keys))
        self._has_whole.append(flag=bool(whole))
        self._has_family.append(flag=bool(family))
        self._surnames.append(_Surnames(keys, "".join([key[0] for key in keys]), whole))

    def _keys(self, particle: str, family: str) -> tuple[str, ...]:
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

    def _flag(self) -> None:
        """Note of the rows that came what their forenames and surnames stand beside."""
        self.take_apart()
        if self._flagged == len(self._bearers):
            return
        new = slice(self._flagged, None)
        called, named = self._forename_of.of(new), self._surname_of.of(new)
        places = np.array(np.frombuffer(self._bearers, np.uintc)[new])
        self._is_given.grow(len(self._forenames))
        self._is_surname.grow(len(self._surnames))
        self._has_surname.grow(len(self._numbers))
        self._is_given.raise_at(called[self._has_whole.at(named)])
        self._is_surname.raise_at(named[self._has_forename.at(called)])
        self._has_surname.raise_at(places[self._has_key.at(named)])
        self._flagged = len(self._bearers)
