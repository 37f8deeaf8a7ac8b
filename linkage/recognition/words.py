"""The words of a text with what the lists know about each: shared by typing errors, consistency, combination.

A word is read from the pieces of a text: letters, or figures, or what touches without a hyphen. An
apostrophe inside belongs to it, and a possessive 's is left out. Facts are looked up once a distinct surface
form and kept.
"""

import bisect
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from linkage.kept_words import KeptWords
from linkage.language import Language
from linkage.pieces import MARKS, NO_LETTER, CutText, Shape
from linkage.recognition.name_slots import NameSlots
from linkage.records import RecognizedText, Span, fold

if TYPE_CHECKING:
    from linkage.recognition.candidate_view import SpanView

# What words a run of several pieces holds. Letters, with figures that scanners read for letters between them
# ("B0s", "0tto", "Ott0"); a figure behind a word is a note mark ("Pols2"), not a part of it.
_LETTER = rf"[^{NO_LETTER}][{MARKS}]*"
_LETTERS = rf"(?:[01358]?{_LETTER})+0?(?!{_LETTER}|\d)|(?:{_LETTER})+"
# A leading apostrophe belongs to a particle only: 't Hart, 's-Gravesande.
_WORD_OF_RUN = re.compile(
    rf"(?<![^\W_])['’‘`][tsnTSN](?![^\W_])"
    rf"|(?:{_LETTERS})(?:['’](?![sS](?![^\W_]))(?:{_LETTERS}))*"
    r"|\d+"
)
_SENTENCE_STOP = re.compile(r"[.!?:;][\"'“”‘’)\]]*\s+[\"'“‘(\[]*$|\n\W*$")
_CAPITALS_INSIDE = ("Mc", "Mac", "IJ", "De", "Le", "Van")
_DIGIT_LOOKALIKES = str.maketrans({"0": "o", "1": "l", "3": "e", "5": "s", "8": "b"})


class NameKnowledge(Protocol):
    """What recognition asks of the name lists; linkage.gazetteer.Gazetteer answers it."""

    @property
    def language(self) -> Language: ...
    def is_given_name(self, text: str) -> bool: ...
    def is_surname(self, text: str) -> bool: ...
    def given_name_frequency(self, text: str) -> int: ...
    def surname_frequency(self, text: str) -> int: ...
    def is_particle(self, text: str) -> bool: ...
    def is_word(self, word: str) -> bool: ...
    def is_place(self, text: str) -> bool: ...
    def zipf(self, word: str) -> float: ...
    def word_share(self, word: str) -> float: ...
    def person_share(self, text: str) -> float: ...
    def is_organisation(self, text: str) -> bool: ...
    def title(self, text: str) -> object | None: ...
    @property
    def cues(self) -> Mapping[str, frozenset[str]]: ...
    @property
    def markers(self) -> Mapping[str, frozenset[str]]: ...
    @property
    def name_slots(self) -> Mapping[str, float]: ...


class WordFacts(NamedTuple):
    """What the lists say about one word form. zipf: log10 of occurrences in 10^9 words, 0 = unknown."""

    key: str
    given: bool
    surname: bool
    given_frequency: int
    surname_frequency: int
    particle: bool
    title: bool
    word: bool
    place: bool
    organisation: bool
    zipf: float
    word_share: float
    cues: frozenset[str]
    markers: frozenset[str]
    # Of the form itself, kept because it is asked for at every turn.
    capitalized: bool
    name_word: bool  # can be a part of a name that is more than an initial or a particle
    all_capitals: bool
    has_digit: bool
    odd_capital: bool  # inside the word, other than in "McKay", "IJsbrand" and "VandenBerg"

    def __repr__(self) -> str:
        return "WordFacts()"  # its key is a word of a text


_NO_KINDS: frozenset[str] = frozenset()


class Word(NamedTuple):
    """One word of a text. start and end count code points."""

    start: int
    end: int
    surface: str
    facts: WordFacts

    def __repr__(self) -> str:
        return f"Word({self.start}, {self.end})"

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def capitalized(self) -> bool:
        return self.facts.capitalized

    @property
    def all_capitals(self) -> bool:
        return self.facts.all_capitals

    @property
    def has_digit(self) -> bool:
        return self.facts.has_digit


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text with its words in order."""

    text: str = field(repr=False)
    words: tuple[Word, ...] = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)
    sentence_starts: frozenset[int] = field(repr=False)
    facts: Callable[[str], WordFacts] = field(repr=False)
    language: Language
    name_slots: NameSlots = field(repr=False)
    # Places of words, trimmed: (start, end) -> start and end, None if nothing is left; see boundaries.trim.
    trimmed: dict[tuple[int, int], Span | None] = field(default_factory=dict, repr=False, compare=False)
    # By span, trimmed: other bounds that it may be mistaken for; see variants.derived_candidates.
    other_bounds: dict[Span, tuple[Span, ...]] = field(default_factory=dict, repr=False, compare=False)
    # What was read of spans, for as long as the text is; see candidate_view.CandidateView.
    views: dict[Span, "SpanView"] = field(default_factory=dict, repr=False, compare=False)

    def words_in(self, span: Span) -> tuple[Word, ...]:
        """The words that start inside span; one that goes on behind it is cut there."""
        first = bisect.bisect_left(self.starts, span.start)
        last = bisect.bisect_left(self.starts, span.end)
        words = self.words[first:last]
        if words and words[-1].end > span.end:
            surface = words[-1].surface[: span.end - words[-1].start]
            cut = Word(words[-1].start, span.end, surface, self.facts(surface))
            return (*words[:-1], cut)
        return words

    def index_from(self, position: int) -> int:
        """Index of the first word that starts at or after position."""
        return bisect.bisect_left(self.starts, position)

    def gap(self, left: int, right: int) -> str:
        """The text between two words, by index."""
        return self.text[self.words[left].end : self.words[right].start]

    def starts_sentence(self, index: int) -> bool:
        return self.words[index].start in self.sentence_starts


class Lexicon:
    """Facts of word forms, kept for as long as the detector lives (bounded)."""

    def __init__(self, knowledge: NameKnowledge, *, most_forms: int = 400_000) -> None:
        self._knowledge = knowledge
        self._facts: KeptWords[WordFacts] = KeptWords()
        self._most_forms = most_forms

    @property
    def knowledge(self) -> NameKnowledge:
        return self._knowledge

    def facts(self, surface: str) -> WordFacts:
        found = self._facts.get(surface)
        if found is None:
            if len(self._facts) >= self._most_forms:
                self._facts.clear()
            found = self._facts[surface] = self._look_up(surface)
        return found

    def _look_up(self, surface: str) -> WordFacts:
        knowledge = self._knowledge
        lower = surface.lower()
        key = fold(surface) or lower
        first = surface[0]
        particle = knowledge.is_particle(surface)
        all_capitals = len(surface) > 1 and surface.isupper()
        return WordFacts(
            key=key,
            given=knowledge.is_given_name(surface),
            surname=knowledge.is_surname(surface),
            given_frequency=knowledge.given_name_frequency(surface),
            surname_frequency=knowledge.surname_frequency(surface),
            particle=particle,
            title=knowledge.title(surface) is not None or knowledge.title(surface + ".") is not None,
            word=knowledge.is_word(lower),
            place=knowledge.is_place(surface),
            organisation=knowledge.is_organisation(surface),
            zipf=knowledge.zipf(lower),
            word_share=knowledge.word_share(lower),
            cues=knowledge.cues.get(key, _NO_KINDS),
            markers=knowledge.markers.get(key, _NO_KINDS),
            capitalized=first.isupper() or (first in "'’‘`" and surface[1:2].isupper()),
            name_word=len(surface) > 1 and not particle and any(c.isalpha() for c in surface),
            all_capitals=all_capitals,
            has_digit=any(c.isdigit() for c in surface),
            odd_capital=not all_capitals
            and not surface.startswith(_CAPITALS_INSIDE)
            and any(c.isupper() for c in surface[1:]),
        )

    def scan(
        self, text: str, recognized: RecognizedText | None = None, cut: CutText | None = None
    ) -> ScannedText:
        """The words of a text. Sentence starts come from recognized if given, else from punctuation.

        cut: the pieces of the text, where they are known.
        """
        known, look_up = self._facts.get, self.facts
        cut = cut or CutText.of(text)
        words = tuple(
            Word(start, end, surface, known(surface) or look_up(surface))
            for start, end, surface in _words(cut)
        )
        starts = tuple([word.start for word in words])
        sentence_starts = _sentence_starts(text, words, starts, recognized)
        language, slots = self._knowledge.language, NameSlots(self._knowledge.name_slots, cut)
        return ScannedText(text, words, starts, sentence_starts, look_up, language, slots)


def _words(cut: CutText) -> Iterator[tuple[int, int, str]]:
    """Start, end and surface of the words of a text."""
    for first, last in cut.runs():
        if first is not last:
            surfaces = _WORD_OF_RUN.finditer(cut.text, first.start, last.end)
            yield from ((found.start(), found.end(), found.group()) for found in surfaces)
        elif first.shape is not Shape.APOSTROPHE:
            yield first.start, first.end, first.text


def _sentence_starts(
    text: str, words: Sequence[Word], starts: Sequence[int], recognized: RecognizedText | None
) -> frozenset[int]:
    found: set[int] = set()
    if recognized is not None:
        for sentence in recognized.sentences:
            index = bisect.bisect_left(starts, sentence.start)
            if index < len(starts):
                found.add(starts[index])
    previous_end = 0
    for word in words:
        gap = text[previous_end : word.start]
        # A line break counts too: most lines of letters, lists and forms begin with a capital.
        if gap != " " and _SENTENCE_STOP.search(gap) and (recognized is None or "\n" in gap or ":" in gap):
            found.add(word.start)
        previous_end = word.end
    if words:
        found.add(words[0].start)
    return frozenset(found)


def names_something_else(name: str, knowledge: NameKnowledge, *, word: str, markers: Collection[str]) -> bool:
    """Whether a name is a place's or a firm's, and no family name that persons bear more often; or whether
    its word has one of these markers.
    """
    if not knowledge.markers.get(fold(word), _NO_KINDS).isdisjoint(markers):
        return True
    if not knowledge.is_place(name) and not knowledge.is_organisation(name):
        return False
    return not knowledge.is_surname(name) or 2 * knowledge.person_share(name) < 1


def without_lookalikes(surface: str) -> str:
    """The form with digits read as the letters they look like ("B0s" -> "Bos"), and rn, vv as m, w."""
    if not any(character.isalpha() for character in surface):
        return surface
    return surface.lower().translate(_DIGIT_LOOKALIKES).replace("rn", "m").replace("vv", "w")
