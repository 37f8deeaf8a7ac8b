"""Words of a written name and what each may be: initials, particle, word or hyphen between surnames."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linkage.gazetteer import Gazetteer
from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.names.spelling import dotted
from linkage.records import fold

# How many people bear a name that is listed without a count, and one that is not listed at all.
_LISTED_GIVEN, _LISTED_SURNAME, _UNLISTED = 5.0, 20.0, 3.0
_COMMON_GIVEN = 200
_UNLISTED_DOUBLE = 0.6
_EVEN_SHARE = 0.5  # of given names
_FEW_GIVEN, _MOSTLY_GIVEN = 0.2, 0.7  # shares
_RARELY_GIVEN = 50  # people called by a name

_INITIALS = re.compile(r"(?:[^\W\d_]{1,5}\.-?)+(?:[^\W\d_])?|[^\W\d_]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]")
_HYPHENED = re.compile(r"[A-Z\u00c0-\u00de](?:-[A-Z\u00c0-\u00de]){1,2}")  # "D-J", "Jeltsje H-W"
_BORNE = 50  # bearers from which two capitals at the end are read as a name, not as initials
_LONGEST_PARTICLE = 3  # words: "von und zu"
_MAX_INITIALS_WITHOUT_DOTS = 4


@dataclass(frozen=True, slots=True)
class Token:
    """One word as written; kind is I (initials), P (particle), W (word) or H (hyphen between surnames)."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class NameWords:
    """Words and expressions of a language that names are read by.

    adjectives: they begin names of families, "Oude Wesselink". elided_particles: foreign, before a vowel, as
    "d'" and "l'". surname_letters: "Ton vdH". capital_words: of "TOLSMA, JAN", "'T HOEN", "D'ISLE".
    elided, elided_behind: an elided particle before a word, alone and behind a hyphen.
    """

    adjectives: frozenset[str]
    shortened_particles: Mapping[str, str]
    elided_particles: frozenset[str]
    arabic_articles: frozenset[str]
    always_particles: frozenset[str]
    surname_letters: re.Pattern[str]
    capital_particle: re.Pattern[str]
    capital_words: re.Pattern[str]
    elided: re.Pattern[str]
    elided_behind: re.Pattern[str]
    genitive: re.Pattern[str]


@cache
def name_words(language: Language) -> NameWords:
    """The words and expressions of a language."""
    grammar, particles = language.grammar, language.particles
    elided = rf"{grammar.elided_particle}"
    return NameWords(
        language.words("adjective"),
        particles(ParticleUse.SHORTENED),
        frozenset(particles(ParticleUse.ELIDED)),
        frozenset(particles(ParticleUse.ARABIC)),
        frozenset(particles(ParticleUse.ALWAYS)),
        re.compile(rf"{any_of(particles(ParticleUse.BEFORE_CAPITALS))}[A-Z\u00c0-\u00de]{{1,2}}"),
        re.compile(grammar.capital_particle),
        re.compile(rf"(?<!\w)(?:{grammar.capital_word})|[^\W\d_]{{2,}}"),
        re.compile(rf"({elided})([^\W\d_].+)", re.IGNORECASE),
        re.compile(rf"(.+)-({elided}[^\W\d_].*)", re.IGNORECASE),
        re.compile(rf"({grammar.genitive})-([^\W\d_].+)", re.IGNORECASE),
    )


class WordReader:
    """Splits a readable name into tokens, with the gazetteer's help."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self._words = name_words(gazetteer.language)
        self._lettered = gazetteer.language.particles(ParticleUse.LETTERED)

    def tokens(self, text: str) -> list[Token]:
        all_capitals = text.upper() == text and len(self._words.capital_words.findall(text)) > 1
        words: list[str] = []
        text = re.sub(r"\bMc (?=[A-Z][a-z])", "Mc", text)
        for word in re.sub(r"\s+-\s*|\s*-\s+", " - ", text).split():
            if word == "-" or any(
                letter.isalnum() for letter in word
            ):  # "Klaver / K.J. Maasdam" has a sign alone
                words += self._split_word(word)
        tokens: list[Token] = []
        for index, word in enumerate(words):
            is_last = index == len(words) - 1
            if index == 0 and not is_last and self._opens_as_particle(word, words[1]):
                tokens.append(Token(word, "P"))
                continue
            if self._is_in_long_particle(words, index):
                tokens.append(Token(word, "P"))
                continue
            tokens.append(Token(word, self._kind(word, index, is_last=is_last, all_capitals=all_capitals)))
        return self._rejoined_hyphens(tokens)

    def _split_word(self, word: str) -> list[str]:
        """Cut "J.P.de" at the dot, "Jansen-de" and "Dorp-van" at the hyphen, "d'Hondt" and "El-Amrani"."""
        if glued := re.fullmatch(r"((?:[^\W\d_]{1,2}\.)+)([^\W\d_][^.]+)", word):
            return [glued[1], *self._split_word(glued[2])]
        if elided := self._words.elided.fullmatch(word):
            return [elided[1], *self._split_word(elided[2])]
        if genitive := self._words.genitive.fullmatch(word):  # "'s-Gravesande"
            return [genitive[1], *self._split_word(genitive[2])]
        head, hyphen, tail = word.partition("-")
        if hyphen and head and tail:
            if fold(head) in self._words.arabic_articles and self._is_particle(head):
                return [head, *self._split_word(tail)]
            if self._is_particle(tail) or tail.startswith("'"):
                return [head, "-", tail]
            if joined := self._words.elided_behind.fullmatch(word):
                return [*self._split_word(joined[1]), "-", *self._split_word(joined[2])]
            first, _, last = word.rpartition("-")  # "Oude-Wesselink-el Khatib"
            if first != head and self._is_particle(last):
                return [first, "-", last]
        return [word]

    def _kind(self, word: str, index: int, *, is_last: bool, all_capitals: bool) -> str:
        if word == "-":
            return "H"
        letters = word.rstrip(".")
        if _HYPHENED.fullmatch(word) or (
            index > 0 and is_last and self._words.surname_letters.fullmatch(word)
        ):
            return "I"
        if len(word) == 1 and index > 0 and is_last and fold(word) not in self._lettered:
            return "I"
        if all_capitals and index > 0 and not is_last and self._words.capital_particle.fullmatch(word):
            return "P"
        if "." in word or len(letters) == 1:
            if self._is_particle(word) and not word[0].isupper() and index > 0:
                return "P"
            if _INITIALS.fullmatch(word):
                longest = max(len(piece) for piece in re.split(r"[.-]", letters))
                return "W" if longest > 4 or (longest > 2 and is_last and index > 0) else "I"
        if self._is_bare_initials(letters, index, is_last=is_last, all_capitals=all_capitals):
            return "I"
        return "P" if self._is_particle(word) and fold(word) not in self._words.adjectives else "W"

    def _is_in_long_particle(self, words: Sequence[str], index: int) -> bool:
        """Whether a word is none by itself, and with those beside it a particle: the "der" of "von der"."""
        if not words[index].islower() or self._is_particle(words[index]):
            return False
        return any(
            all(map(str.islower, words[start:end]))
            and self._gazetteer.is_particle(" ".join(words[start:end]))
            for start in range(max(0, index - _LONGEST_PARTICLE + 1), index + 1)
            for end in range(max(start + 2, index + 1), min(start + _LONGEST_PARTICLE, len(words) - 1) + 1)
        )

    def _opens_as_particle(self, word: str, following: str) -> bool:
        """ "v.d. Berg", "v. Dam": small before a capital, which initials are not."""
        is_short = "." in word or "/" in word
        return is_short and word.islower() and following[0].isupper() and self._is_particle(word)

    def _is_bare_initials(self, word: str, index: int, *, is_last: bool, all_capitals: bool) -> bool:
        """ "JP" in "JP de Vries" or "Jansen JP"; never a name that is simply written in capitals."""
        if not 2 <= len(word) <= _MAX_INITIALS_WITHOUT_DOTS or not word.isalpha() or not word.isupper():
            return False
        if self._is_particle(word) and (
            index > 0 or all_capitals or fold(word) in self._words.always_particles
        ):
            return False
        known = self._gazetteer.is_given_name(word) or self._gazetteer.is_surname(word)
        if all_capitals and is_last and index > 0 and len(word) == 2:  # "BRANDSMA SA", not "NGUYEN LI"
            borne = max(self._gazetteer.given_name_frequency(word), self._gazetteer.surname_frequency(word))
            return borne < _BORNE
        vowelless = _VOWEL.search(fold(word)) is None
        if all_capitals or (is_last and index == 0):
            return vowelless and not known
        return vowelless or (len(word) == 2 and not is_last) or not known

    def _is_particle(self, word: str) -> bool:
        return self._particle([word]) is not None

    def _particle(self, words: Sequence[str]) -> str | None:
        if not words:
            return None
        text = " ".join(words).lower()
        if (known := self._gazetteer.canonical_particle(text)) is not None:
            return known
        if text in self._words.elided_particles:
            return text
        is_abbreviated = any("." in word or "/" in word for word in words)
        return self._words.shortened_particles.get(re.sub(r"[./ ]", "", text)) if is_abbreviated else None

    def _rejoined_hyphens(self, tokens: list[Token]) -> list[Token]:
        """ "van Dorp-van Dijk" was split; a lone hyphen at either end is noise."""
        while tokens and tokens[0].kind == "H":
            tokens = tokens[1:]
        while tokens and tokens[-1].kind == "H":
            tokens = tokens[:-1]
        return tokens

    def is_given_after_all(self, tokens: Sequence[Token]) -> bool:
        """ "Ben de Vries": a word that can be a particle, but is a common given name and stands first."""
        word = tokens[0].text
        is_common = self._gazetteer.given_name_frequency(word) >= _COMMON_GIVEN
        is_joined = (
            len(tokens) > 1 and self._gazetteer.canonical_particle(f"{word} {tokens[1].text}") is not None
        )
        is_always_particle = fold(word) in self._words.always_particles
        return (
            word[0].isupper() and is_common and not is_joined and not is_always_particle
            and self.given_share(word) >= 0.5
        )  # fmt: skip

    def is_surname_alone(self, token: Token) -> bool:
        """Whether lists have a word as a surname and never as a given name."""
        return self._gazetteer.is_surname(token.text) and not self._gazetteer.is_given_name(token.text)

    def is_seldom_given(self, token: Token) -> bool:
        """Whether a word inside a name is rather the first of two surnames: "José García Márquez"."""
        known = self._gazetteer
        share = self.given_share(token.text)
        is_rare = known.given_name_frequency(token.text) < _RARELY_GIVEN and known.is_surname(token.text)
        return share < _FEW_GIVEN or (is_rare and share < _MOSTLY_GIVEN)

    def is_rather_surname(self, token: Token) -> bool:
        """Whether lists have a word, and more people bear it as a surname than as a given name."""
        known = self._gazetteer
        is_listed = known.is_surname(token.text) or known.is_given_name(token.text)
        return is_listed and self.given_share(token.text) < _EVEN_SHARE

    def canonical_particle(self, words: Sequence[str]) -> str | None:
        if not words:
            return None
        if (whole := self._particle(words)) is not None:
            return whole
        return " ".join(self._particle([word]) or word.lower() for word in words)

    def given_share(self, word: str) -> float:
        """Chance that a word is a given name, not a surname, from how many people bear it as either."""
        letters = word.rstrip(".")
        known = self._gazetteer
        given = float(known.given_name_frequency(letters)) or _LISTED_GIVEN * known.is_given_name(letters)
        family = float(known.surname_frequency(letters)) or _LISTED_SURNAME * known.is_surname(letters)
        if given == family == 0 and "-" in letters:
            halves = letters.split("-")
            # Two given names joined by chance ("Martina-Roos") are rather two surnames.
            least = min((self.given_share(half) for half in halves if half), default=0.0)
            return _UNLISTED_DOUBLE * least
        # Of the names that no list holds, more are surnames.
        return (given + 0.35 * _UNLISTED) / (given + family + _UNLISTED)


def is_initials(text: str) -> bool:
    """Whether text is capitals with dots, which lists of titles hold too: "P." (pater), "H.M." (majesty)."""
    return re.fullmatch(r"(?:[^\W\d_]\.){1,3}|[^\W\d_]", text) is not None and text.upper() == text


def is_small(tokens: Sequence[Token]) -> bool:
    """Whether all are written as particles are inside a name: small, or in a text all in capitals."""
    return all(
        token.text[0].islower() or (token.text.isupper() and len(token.text) > 1) or token.text[0] == "'"
        for token in tokens
    )


def is_elided(token: Token) -> bool:
    """Whether a particle has lost its vowel before the word that follows: "d'", "l'", "dell'"."""
    return token.kind == "P" and token.text.endswith("'") and token.text[0].isalpha()


def dotted_row(tokens: Sequence[Token]) -> str:
    row = []
    for token in tokens:
        bare = token.text.isupper() and "." not in token.text and len(token.text) > 1
        row.append(dotted(".".join(token.text) if bare and token.text != "IJ" else token.text))
    return "".join(row)
