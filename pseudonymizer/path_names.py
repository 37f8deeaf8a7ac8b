"""Names in the names of files and folders, which say less around a name than a sentence does: "jan.txt"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from linkage.language import Language, ParticleUse, people
from linkage.records import PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.full_names import FoundName
from pseudonymizer.name_spellings import LetterRun, letter_runs
from pseudonymizer.spelled_names import ENDINGS, GAP, NameLists, spelling_words

_LONGEST_PARTICLE: Final = 4  # words
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)(?:19|20)\d\d[-_ .]?[01]\d[-_ .]?[0-3]\d(?!\d)")
_MONTH: Final = "jan"
# Share of its uses in running text in which a word must mean a person.
_LED: Final = 0.5  # behind "van", "aan"
_LED_CAPITAL: Final = 0.25
_WITH_COMMON_PARTICLE: Final = 0.7
_PLACE: Final = 0.3  # below it, behind a short particle, a name of places or firms
_ALONE: Final = 0.5  # the whole name of a file
_AMONG_OTHERS: Final = 0.85
_LEAST_GIVEN: Final = 20  # people of that given name in the lists, where no word before it tells


@dataclass(frozen=True, slots=True)
class _PathWords:
    """Words of a language that names in paths are told by.

    family, titles, before: words for relatives, titles, and all words before a name. common_particles: they
    stand before other nouns, too; weak_particles: so often that they tell no name. no_names: on the lists,
    and no name of a person here.
    """

    family: frozenset[str]
    titles: frozenset[str]
    before: frozenset[str]
    common_particles: frozenset[str]
    weak_particles: frozenset[str]
    no_names: frozenset[str]


@cache
def _path_words(language: Language) -> _PathWords:
    family = frozenset(people.used(language.kin, people.Use.PATH))
    spelled = spelling_words(language)
    return _PathWords(
        family,
        spelled.titles,
        spelled.before_given | family | language.words("leads_name_in_path"),
        frozenset(language.particles(ParticleUse.COMMON)),
        frozenset(language.particles(ParticleUse.WEAK)),
        language.words("no_name_in_path"),
    )


class Use(Protocol):
    """How a word is used in running text."""

    @property
    def zipf(self) -> float: ...
    @property
    def word_share(self) -> float: ...
    @property
    def person_share(self) -> float: ...


class WordLists(NameLists, Protocol):
    """What path_names asks of a gazetteer."""

    def word_use(self, text: str) -> Use: ...
    def given_name_frequency(self, text: str) -> int: ...


def path_names(text: str, lists: WordLists, taken: SpanCover) -> tuple[FoundName, ...]:
    """Names in the parts of a path, one a line, that signs between their parts do not tell, clear of taken.

    Words that are names as well count as names where running text mostly has them for people: "brief_aan_jan"
    and not "brief_aan_bank", "Sanne.docx" and not "mei.docx". "jan" beside a year is a month.
    """
    found: list[FoundName] = []
    start = 0
    for line in text.split("\n"):
        stop = start + len(line)
        ending = ENDINGS.search(text, start, stop)
        stem = _Stem(text, start, ending.start() if ending is not None else stop, lists)
        found += [name for name in stem.names() if not taken.overlaps(name.span)]
        start = stop + 1
    return tuple(found)


class _Stem:
    """The name of one file or folder without its ending."""

    def __init__(self, text: str, start: int, stop: int, lists: WordLists) -> None:
        self._text, self._start, self._stop, self._lists = text, start, stop, lists
        self._words = _path_words(lists.language)
        self._tokens: Sequence[LetterRun] = list(letter_runs(text, start, stop))

    def names(self) -> Iterator[FoundName]:
        at = 0
        while at < len(self._tokens):
            first, name = self._behind_particle(at) or (at, self._led(at) or self._by_itself(at))
            if name is not None:
                yield FoundName(Span(self._tokens[first].start, self._tokens[at].end), name)
            at += 1

    def _word(self, at: int) -> str:
        return self._text[self._tokens[at].start : self._tokens[at].end]

    def _before(self, at: int) -> str:
        """The word right before a token, "" where there is none."""
        if at == 0:
            return ""
        before, token = self._tokens[at - 1], self._tokens[at]
        return before.folded if GAP.fullmatch(self._text, before.end, token.start) else ""

    def _person_share(self, word: str) -> float:
        """The share of its uses in running text in which a word means a person; of places that nobody has
        counted none.
        """
        use = self._lists.word_use(word)
        if word.casefold() in self._words.no_names:
            return 0.0
        if use.zipf == 0 and self._lists.is_place(word):
            return 0.0
        return (1.0 - use.word_share) * use.person_share

    def _behind_particle(self, at: int) -> tuple[int, PersonName] | None:
        """A family name behind its particle, and where that begins: "brief_van_den_berg", "de_vries"."""
        listed = self._lists.surname(self._word(at))
        first = at
        while at - first < _LONGEST_PARTICLE and self._lists.is_particle(self._before(first) or "-"):
            first -= 1
        if listed is None:
            return None
        for begin in range(first, at):
            words = [token.folded for token in self._tokens[begin:at]]
            if (particle := " ".join(words)) not in listed.particles:
                continue
            family = self._word(at)
            has_title = self._before(begin) in self._words.titles
            if not has_title and len(words) == 1 and self._lists.word_use(family).person_share < _PLACE:
                continue  # "den_haag"
            sure = has_title or not self._words.common_particles.issuperset(words)
            if sure or (
                particle not in self._words.weak_particles
                and self._person_share(family) >= _WITH_COMMON_PARTICLE
            ):
                return begin, PersonName(particle=particle, family=family.title())
        return None

    def _led(self, at: int) -> PersonName | None:
        """A name that the word before it tells."""
        before, word = self._before(at), self._word(at)
        if before not in self._words.before or len(word) < 3:
            return None
        share = self._person_share(word)
        if before in self._words.titles and self._lists.is_surname(word):
            return PersonName(family=word.title())
        if self._lists.is_given_name(word) and share >= (_LED_CAPITAL if word[0].isupper() else _LED):
            return PersonName(given=word.title())
        if self._lists.is_surname(word) and before not in self._words.family and share >= _LED:
            return PersonName(family=word.title())
        return None

    def _by_itself(self, at: int) -> PersonName | None:
        """A name that is all of the name of a file, or one that is hardly ever anything else."""
        word = self._word(at)
        if len(word) < 3 or (word.casefold() == _MONTH and self._is_month(at)):
            return None
        alone = len(self._tokens) == 1
        share = self._person_share(word)
        if share < (_ALONE if alone else _AMONG_OTHERS):
            return None
        if self._lists.is_given_name(word) and self._lists.given_name_frequency(word) >= _LEAST_GIVEN:
            return PersonName(given=word.title())
        if alone and len(word) > 3 and self._lists.is_surname(word):
            return PersonName(family=word.title())
        return None

    def _is_month(self, at: int) -> bool:
        """Whether "jan" is short for January here: beside a year, or in small letters among other words."""
        dated = _YEAR.search(self._text, self._start, self._stop) is not None
        whole_day = _DAY.search(self._text, self._start, self._stop) is not None
        if dated and not whole_day:
            return True
        return len(self._tokens) > 1 and self._word(at).islower()
