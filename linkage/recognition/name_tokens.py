"""Words of a text as the name lists see them, read from its pieces: words, numbers and signs.

A word's facts, and the words that are written as one, are kept by their surface form, so a long text costs
two dictionary look-ups a word.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import NamedTuple

from linkage.gazetteer import Gazetteer, lookup_key
from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.pieces import APOSTROPHES, MARKS, NO_LETTER, CutText, Gap, Shape
from linkage.recognition.boundaries import NO_S_AFTER

# A new word begins inside "JanJansen" (small letter, capital), but not after "Mc", "Mac" or "De" in one name.
_TOKEN_OPENS = (
    r"(?:Mac|Mc|Fitz)[A-ZÀ-Þ][a-zß-ÿ]+"
    rf"|[^{NO_LETTER}a-zß-ÿ](?:[^{NO_LETTER}A-ZÀ-Þ]|[{MARKS}])+"  # a capital and small letters
    rf"|IJ(?:[^{NO_LETTER}A-ZÀ-Þ]|[{MARKS}])+"
)
_TOKEN_ENDS = rf"|(?:[^{NO_LETTER}]|[{MARKS}])+"
_MIXED = re.compile(r"(?:(?<=[^\W\d_])[01358]|[01358](?=[^\W\d_]))")
_INNER_DIGIT = re.compile(r"(?<=[a-zß-ÿ])[01358](?=[a-zß-ÿ])")
_MOST_FORMS = 500_000  # kept of each kind: a corpus has no end of distinct strings; memory has
_LOOK_ALIKE = str.maketrans("01358", "olesb")


class Case(Enum):
    LOWER = "jan"
    TITLE = "Jan"
    UPPER = "JAN"
    INITIAL = "J"
    MIXED = "jAN"
    NONE = "5"


@dataclass(frozen=True, slots=True)
class WordFacts:
    """What the lists say about one surface form.

    given, surname: how much it looks like one, in [0, 1], when it stands with a capital inside a sentence and
    nothing else is known; 0 = not listed. share: part of its uses that is an ordinary word.
    """

    key: str = field(repr=False)
    case: Case
    given: float = 0.0
    surname: float = 0.0
    given_frequency: int = 0
    share: float = 0.0
    zipf: float = 0.0
    classes: str = ""
    is_place: bool = False
    is_organisation: bool = False
    cues: frozenset[str] = frozenset()
    markers: frozenset[str] = frozenset()
    is_title: bool = False
    particles: tuple[str, ...] = ()  # those it is known with as a surname
    stands_bare: bool = True  # as a surname: also known without a particle
    is_users: bool = False  # from the user's own lists
    may_begin: bool = True  # whether a name may begin with this word at all
    has_genitive: bool = False  # the surface form is the name with a glued s; all other facts are the name's
    # What follows from the above, kept because it is asked for at every turn.
    is_capital: bool = field(init=False)
    is_listed: bool = field(init=False)
    is_ordinary: bool = field(init=False)  # an ordinary word more often than a name
    is_function_word: bool = field(init=False)

    def __post_init__(self) -> None:
        is_listed = self.given > 0 or self.surname > 0
        follows = {
            "is_capital": self.case in (Case.TITLE, Case.UPPER, Case.INITIAL),
            "is_listed": is_listed,
            "is_ordinary": self.share >= 0.5 and (bool(self.classes) or not is_listed),
            "is_function_word": self.classes == "o" and self.share > 0.85 and self.given < 0.3,
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)


class Token(NamedTuple):
    """A word, number or sign at text[start:end]. A tuple, because a text has very many."""

    text: str
    start: int
    end: int
    gap: Gap
    facts: WordFacts | None  # None: a number or a sign

    @property
    def is_word(self) -> bool:
        return self.facts is not None

    @property
    def key(self) -> str:
        """The folded word; of a number or sign its characters, of any apostrophe "'"."""
        if self.facts is not None:
            return self.facts.key
        return "'" if self.text in APOSTROPHES else self.text

    def __repr__(self) -> str:
        return f"Token({self.start}, {self.end}, {self.gap.name})"  # the text may be a name


@cache
def _tokens_of(language: Language) -> re.Pattern[str]:
    glued = any_of(language.particles(ParticleUse.GLUED))
    return re.compile(rf"{_TOKEN_OPENS}|(?:{glued})(?=[A-ZÀ-Þ][a-zß-ÿ]){_TOKEN_ENDS}")  # "vanDijk"


@dataclass(frozen=True, slots=True)
class ExtraNames:
    """Names that the user adds: folded given names, folded family names with their particles ("" = none)."""

    given: frozenset[str] = field(default=frozenset(), repr=False)
    surnames: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)


class WordBook:
    """Facts about words, looked up once a surface form."""

    def __init__(self, gazetteer: Gazetteer, extra: "ExtraNames | None" = None) -> None:
        self._gazetteer = gazetteer
        self.language = gazetteer.language
        self._token = _tokens_of(self.language)
        self._extra = extra if extra is not None else ExtraNames()
        self._known: dict[str, WordFacts] = {}
        self._cuts: dict[str, tuple[str, ...]] = {}  # letters that touch -> the words that they are
        words = (re.match(r"[^\W\d_]+", particle) for particle in gazetteer.particles)
        self._particle_starts = frozenset(word.group() for word in words if word is not None)

    def facts(self, text: str) -> WordFacts:
        known = self._known.get(text)
        if known is None:
            if len(self._known) > _MOST_FORMS:
                self._known.clear()
            known = self._look_up(text)
            if known.key in self._extra.given or known.key in self._extra.surnames:
                known = self._with_extra(known)
            known = self._known[text] = replace(known, may_begin=self._may_begin(known))
        return known

    def _may_begin(self, facts: WordFacts) -> bool:
        if facts.is_capital or facts.is_users or max(facts.given, facts.surname) >= 0.15:
            return True
        return facts.key in self._particle_starts

    def tokens(self, text: str) -> list[Token]:
        """Those of a text that is not cut yet."""
        return self.tokens_of(CutText.of(text))

    def tokens_of(self, cut: CutText) -> list[Token]:
        """Words, numbers and signs in the order of the text; look-alike digits in a word are letters."""
        text = cut.text
        identifiers = (
            [match.span() for match in _IDENTIFIER.finditer(text)] if "@" in text or "." in text else []
        )
        if _MIXED.search(text):
            readable = _MIXED.sub(lambda found: found.group().translate(_LOOK_ALIKE), text)
            readable = _listed_mixtures(text, readable, self)
            cut = cut if readable == text else CutText.of(readable)
        found: list[Token] = []
        inside = 0
        known, cuts = self._known.get, self._cuts.get
        for written, start, end, gap, shape in cut.pieces:
            if shape is not Shape.LETTERS:
                found.append(Token(written, start, end, gap, None))
                continue
            is_word = True
            if identifiers:
                while inside < len(identifiers) and identifiers[inside][1] <= start:
                    inside += 1
                is_word = inside >= len(identifiers) or identifiers[inside][0] > start
            for word in cuts(written) or self._words_of(written):
                behind = start + len(word)
                facts = (known(word) or self.facts(word)) if is_word else None
                found.append(Token(word, start, behind, gap, facts))
                start, gap = behind, Gap.NONE
        return found

    def _words_of(self, letters: str) -> Sequence[str]:
        """The words that are written as one: "JanJansen", "vanDijk"."""
        if len(self._cuts) > _MOST_FORMS:
            self._cuts.clear()
        words = self._cuts[letters] = tuple(self._token.findall(letters))
        return words

    def _look_up(self, text: str) -> WordFacts:
        g = self._gazetteer
        key = lookup_key(text)
        use = g.word_use(key)
        given, surname = g.given_name(key), g.surnames.get(key)
        if given is None and surname is None and not use.classes:
            return self._look_up_changed(text, key, use.zipf)
        markers = g.markers.get(key, frozenset())
        # A place that no word count knows is too small to stand against a name.
        of_persons = use.person_share
        is_place = key in g.places and use.zipf >= 2 and of_persons < 0.6
        is_organisation = key in g.organisations and of_persons < 0.6
        ordinary = (
            max(0.0, min(1.0, (use.word_share - 0.1) / 0.85)) if use.classes or use.word_share > 0.3 else 0.0
        )
        given_frequency = given.frequency if given else -1
        given_strength = _given_strength(given_frequency, use.zipf, len(key)) * (1 - ordinary)
        surname_strength = 0.0
        if surname:
            surname_strength = (0.8 if surname.bare else 0.6) * (1 - 0.9 * ordinary)
        if of_persons < 0.8:
            given_strength *= min(1.0, of_persons / 0.8)
            surname_strength *= min(1.0, of_persons / 0.8)
        if "eponym_brand" in markers:
            given_strength *= 0.5
            surname_strength *= 0.5
        if "month_or_day" in markers or "nobody" in markers:
            given_strength *= 0.3 if given_frequency < 10_000 else 1.0
            surname_strength *= 0.3
        return WordFacts(
            key, _case(text), given_strength, surname_strength, max(given_frequency, 0), use.word_share,
            use.zipf, use.classes, is_place, is_organisation, g.cues.get(key, frozenset()), markers,
            key in g.titles and g.titles[key].position != "post", surname.particles if surname else (),
            surname.bare if surname else True,
        )  # fmt: skip

    def _with_extra(self, facts: WordFacts) -> WordFacts:
        """Facts with what the user's lists add; how ordinary the word is stays as it was."""
        ordinary = facts.share if facts.classes else 0.0
        strength = 0.95 * (1 - 0.8 * ordinary)
        particles = self._extra.surnames.get(facts.key)
        return replace(
            facts,
            given=max(facts.given, strength) if facts.key in self._extra.given else facts.given,
            surname=max(facts.surname, strength) if particles is not None else facts.surname,
            particles=tuple(sorted({*facts.particles, *(p for p in particles or () if p)})),
            stands_bare=(facts.stands_bare and facts.surname > 0) or particles is None or "" in particles,
            is_users=True,
            has_genitive=False,
        )

    def _look_up_changed(self, text: str, key: str, zipf: float) -> WordFacts:
        """Facts of a word that no list has as it stands: a glued s ("Annekes"), "ue" for "ü"."""
        g = self._gazetteer
        markers, cues = g.markers.get(key, frozenset()), g.cues.get(key, frozenset())
        plain = WordFacts(
            key, _case(text), zipf=zipf, share=g.word_share(key), is_place=key in g.places and zipf >= 2,
            is_organisation=key in g.organisations, cues=cues, markers=markers, is_title=key in g.titles,
        )  # fmt: skip
        if cues or markers or len(key) < 4 or plain.is_organisation:
            return plain
        if text.endswith("s") and key[-2] not in NO_S_AFTER + "'":
            owner = self.facts(text[:-1])
            if owner.given >= 0.6 or owner.surname >= 0.5:
                return replace(owner, case=plain.case, zipf=zipf, has_genitive=True)
        for written, letter in (("ue", "u"), ("oe", "o"), ("ae", "a")):
            if written in text[1:]:
                other = self.facts(text[0] + text[1:].replace(written, letter))
                if other.given >= 0.5 or other.surname >= 0.5:
                    return replace(other, key=key, case=plain.case)
        return plain


def _given_strength(frequency: int, zipf: float, length: int) -> float:
    if frequency < 0 or length < 2:
        return 0.0
    if frequency >= 1000:
        base = 0.95
    elif frequency >= 100:
        base = 0.9
    elif frequency >= 20:
        base = 0.8
    else:
        base = 0.7 if frequency else 0.65
    # A common string whose bearers are few is mostly something else.
    return base * 0.6 if frequency < 50 and zipf > 4.5 else base


def _case(text: str) -> Case:
    letters = text.replace("\u0131", "i")
    if len(letters) == 1:
        return Case.INITIAL if letters.isupper() else Case.LOWER
    if letters.isupper():
        return Case.UPPER
    if letters.islower():
        return Case.LOWER
    rest = letters[2:] if letters.startswith("IJ") else letters[1:]
    if letters[0].isupper() and (rest.islower() or letters.startswith(("Mc", "Mac", "Fitz"))):
        return Case.TITLE
    return Case.MIXED if letters[0].isalpha() else Case.NONE


# Addresses, links and handles are identifiers: their words are no names.
_IDENTIFIER = re.compile(
    r"(?<![\w.+\-])[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+|(?:https?://|www\.)\S+|(?<![\w@])@[\w.]+"
    r"|(?<![\w\-])[\w\-]+\.(?:nl|be|com|org|net|eu|example)\b\S*"
)
_WITH_DIGIT = re.compile(r"(?<![^\W_])[^\W_]*\d[^\W_]*")


def _listed_mixtures(text: str, readable: str, book: WordBook) -> str:
    """readable with look-alike digits read as letters only where that gives a listed name."""
    pieces: list[str] = []
    read_to = 0
    for match in _WITH_DIGIT.finditer(text):
        start, end = match.span()
        if text[start:end] == readable[start:end]:
            continue
        word = readable[start:end]
        facts = book.facts(word.capitalize() if text[start].isdigit() else word)
        pieces.append(text[read_to:start])
        if len(word) >= 5 and _INNER_DIGIT.search(text, start, end):
            pieces.append(word)
            read_to = end
            continue
        listed = len(word) >= 3 and max(facts.given, facts.surname) >= (
            0.05 if text[start].isupper() else 0.3
        )
        pieces.append((word.capitalize() if text[start].isdigit() else word) if listed else text[start:end])
        read_to = end
    return "".join(pieces) + text[read_to:]
