"""Whole names in paths and technical fields, as "Jansen-van den Berg, Fatima" and "Els_de_Vries-Bos".

Read as in a sentence: of a family name of two parts the first is the partner's.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol

from linkage.records import PersonName, Span
from pseudonymizer.name_spellings import LetterRun, letter_runs

_COMMA: Final = re.compile(r",[ _]{0,2}")
_BLANK: Final = re.compile(r"[ _]{1,2}")
_HYPHEN: Final = re.compile(r"[ _]?[-\u2010\u2011\u2013][ _]?")
_BETWEEN_FIRST: Final = re.compile(r"\.?[ _]?|-")  # "J.P.", "Jan Peter", "Anne-Marie"
_MOST_PARTICLES: Final = 4  # words before one family name
_MOST_FIRST: Final = 4  # given names or initials of one person
_LEAST_LETTERS: Final = 3  # of a given name or a family name


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name that an identifier spells out, of a person nobody has heard of."""

    span: Span
    name: PersonName = field(repr=False)


class ListedSurname(Protocol):
    """A family name of the lists, with the particles it is known with."""

    @property
    def particles(self) -> Collection[str]: ...


class FullNameLists(Protocol):
    """What full_names asks of a gazetteer."""

    def surname(self, text: str) -> ListedSurname | None: ...
    def is_given_name(self, text: str) -> bool: ...
    def is_particle(self, text: str) -> bool: ...
    def is_place(self, text: str) -> bool: ...


class _Family(NamedTuple):
    particle: str | None
    word: str
    after: int  # number of the token behind it


class _First(NamedTuple):
    given: str | None
    initials: str | None
    after: int


def full_names(text: str, lists: FullNameLists) -> Iterator[FoundName]:
    """Each name of a line that its form tells: a family name of one or two parts, a comma, given names or
    initials and perhaps the particle; a family name of two parts behind given names or before one; and one by
    itself of which a particle is part.

    Blanks or "_" part the words of a name.
    """
    tokens = tuple(letter_runs(text, 0, len(text)))
    reading = _Reading(text, tokens, lists)
    at = 0
    while at < len(tokens):
        found = reading.name_at(at)
        if found is None:
            at += 1
            continue
        name, after = found
        yield FoundName(Span(tokens[at].start, tokens[after - 1].end), name)
        at = after


class _Reading:
    """Reads names that begin at a token of a text."""

    def __init__(self, text: str, tokens: Sequence[LetterRun], lists: FullNameLists) -> None:
        self._text, self._tokens, self._lists = text, tokens, lists

    def name_at(self, at: int) -> tuple[PersonName, int] | None:
        """The name that begins at a token, and the number of the token behind it."""
        return self._family_first(at) or self._given_first(at) or self._double_alone(at)

    def _family_first(self, at: int) -> tuple[PersonName, int] | None:
        """ "Jansen-van den Berg, Fatima", "Vries, J.P. de", "Jansen-van_den_Berg_Fatima"."""
        families = self._families(at)
        if families is None:
            return None
        name, after, is_double = families
        has_comma = self._joined(after, _COMMA)
        if not has_comma and not (is_double and self._joined(after, _BLANK)):
            return None
        first = self._first(after, may_be_initials=has_comma)
        if first is None:
            return None
        name, after = replace(name, given=first.given, initials=first.initials), first.after
        particles, end = self._particles(after) if has_comma else ((), after)
        leading = name.partner_particle if is_double else name.particle
        if particles and leading is None and self._is_at_end(end):
            told = " ".join(particles)
            name = replace(name, partner_particle=told) if is_double else replace(name, particle=told)
            after = end
        return name, after

    def _given_first(self, at: int) -> tuple[PersonName, int] | None:
        """ "Fatima Jansen-van den Berg": of a name of one part, others tell."""
        first = self._first(at, may_be_initials=True)
        if first is None or not self._joined(first.after, _BLANK, after_initials=first.initials is not None):
            return None
        families = self._families(first.after)
        if families is None or not families[2]:
            return None
        name, after, _ = families
        return replace(name, given=first.given, initials=first.initials), after

    def _double_alone(self, at: int) -> tuple[PersonName, int] | None:
        """ "de Vries-Jansen", "Bakker-van Dam"; not "Utrecht-de Bilt"."""
        families = self._families(at)
        if families is None or not families[2]:
            return None
        name, after, _ = families
        begins_as_place = name.particle is None or self._lists.is_place(name.partner_family or "")
        return None if name.partner_particle is None and begins_as_place else (name, after)

    def _families(self, at: int) -> tuple[PersonName, int, bool] | None:
        """A family name of one or two parts, the number of the token behind it, and whether it has two."""
        first = self._family(at)
        if first is None:
            return None
        if self._joined(first.after, _HYPHEN):
            second = self._family(first.after)
            if second is not None:
                name = PersonName(
                    particle=second.particle, family=second.word,
                    partner_particle=first.particle, partner_family=first.word,
                )  # fmt: skip
                return name, second.after, True
        return PersonName(particle=first.particle, family=first.word), first.after, False

    def _family(self, at: int) -> _Family | None:
        """A listed family name in capitals, with the particle that it is known with."""
        for count in range(_MOST_PARTICLES, -1, -1):
            last = at + count
            if last >= len(self._tokens):
                continue
            words = [token.folded for token in self._tokens[at:last]]
            if not all(self._joined(number, _BLANK) for number in range(at + 1, last + 1)):
                continue
            word = self._word(last)
            listed = self._lists.surname(word)
            if listed is None or len(word) < _LEAST_LETTERS or not word[0].isupper():
                continue
            particle = " ".join(words)
            if not words or particle in listed.particles:
                return _Family(particle or None, word, last + 1)
        return None

    def _first(self, at: int, *, may_be_initials: bool) -> _First | None:
        """Given names or initials that begin at a token."""
        words: list[str] = []
        while at + len(words) < len(self._tokens) and len(words) < _MOST_FIRST:
            number = at + len(words)
            word = self._word(number)
            is_initial = may_be_initials and len(word) == 1
            is_given = len(word) >= _LEAST_LETTERS and self._lists.is_given_name(word)
            is_like_before = not words or (len(words[0]) == 1) is is_initial
            joined = not words or self._joined(number, _BETWEEN_FIRST)
            if not (word[0].isupper() and (is_initial or is_given) and is_like_before and joined):
                break
            if words and not is_initial and self._is_family_of_two(number):
                break  # "Fatima Jansen-van den Berg": Jansen is a given name too
            words.append(word)
        if not words:
            return None
        if len(words[0]) == 1:
            return _First(None, "".join(f"{word}." for word in words), at + len(words))
        return _First(" ".join(words), None, at + len(words))

    def _is_family_of_two(self, at: int) -> bool:
        families = self._families(at)
        return families is not None and families[2]

    def _particles(self, at: int) -> tuple[tuple[str, ...], int]:
        """The particles that follow, in small letters: "Vries, J. de"."""
        words: list[str] = []
        while at < len(self._tokens) and len(words) < _MOST_PARTICLES:
            word = self._word(at)
            before = self._text[self._tokens[at - 1].end : self._tokens[at].start]
            if not (
                word.islower() and self._lists.is_particle(word) and re.fullmatch(r"\.?[ _]{1,2}", before)
            ):
                break
            words.append(word)
            at += 1
        return tuple(words), at

    def _is_at_end(self, at: int) -> bool:
        """Whether no other name follows: in "Vries, J. de Bruin" the particle is not of the first."""
        return not (at < len(self._tokens) and self._joined(at, _BLANK) and self._word(at)[0].isupper())

    def _joined(self, at: int, sign: re.Pattern[str], *, after_initials: bool = False) -> bool:
        """Whether this sign alone stands before a token."""
        if not 0 < at < len(self._tokens):
            return False
        start = self._tokens[at - 1].end
        if after_initials and self._text[start : start + 1] == ".":
            start += 1
        return sign.fullmatch(self._text, start, self._tokens[at].start) is not None

    def _word(self, at: int) -> str:
        return self._text[self._tokens[at].start : self._tokens[at].end]
