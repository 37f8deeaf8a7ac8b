"""The names a document (or a corpus, or a registry) is known to hold, by word, and where they stand again.

A hit is a word of the text that is a known name word, exactly or misspelt. Neighbouring hits that belong
together are joined to one chunk, with the particles and initials before it: one mention.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from linkage.recognition.boundaries import (
    bare_initials_start,
    initials_start,
    is_name_word,
    joins,
    particles_before,
)
from linkage.recognition.words import ScannedText, Word
from linkage.records import Mention, Span


@dataclass(slots=True)
class KnownWord:
    """One word of known names. family: it stood last or after a particle; alone: it was a whole mention."""

    key: str = field(repr=False)
    surface: str = field(repr=False)
    count: int = 0
    confidence: float = 0.0
    family: bool = False
    given: bool = False
    alone: bool = False
    particles: set[str] = field(default_factory=set, repr=False)


class Hit(NamedTuple):
    """A word of the text that is a known name word; cut is how many letters at its end are a possessive s."""

    key: str
    distance: float = 0.0
    cut: int = 0

    def __repr__(self) -> str:
        return f"Hit(distance={self.distance})"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Hits that make one mention. first and last are word indexes of the hits."""

    span: Span
    first: int
    last: int
    hits: Mapping[int, Hit] = field(repr=False)

    @property
    def distance(self) -> float:
        return sum(hit.distance for hit in self.hits.values())


class KnownNames:
    """Words of known names, which of them follow each other, and with which particles."""

    def __init__(self) -> None:
        self.words: dict[str, KnownWord] = {}
        self.followers: set[tuple[str, str]] = set()
        self.joined: dict[str, str] = {}  # "sannehoekstra" -> "Sanne Hoekstra"

    def add(self, scanned: ScannedText, span: Span, *, confidence: float) -> None:
        """Take in the name at span."""
        words = scanned.words_in(span)
        cores = [word for word in words if is_name_word(word) and not word.facts.title]
        if not cores:
            return
        comma = "," in scanned.text[span.start : span.end]
        for place, word in enumerate(words):
            if not is_name_word(word) or word.facts.title:
                continue
            key = word.facts.key
            known = self.words.get(key)
            if known is None:
                known = self.words[key] = KnownWord(key, word.surface)
            known.count += 1
            known.confidence = max(known.confidence, confidence)
            known.alone |= len(words) == 1
            particles: list[str] = []
            before = place
            while before > 0 and words[before - 1].facts.particle:
                before -= 1
                particles.insert(0, words[before].facts.key)
            if particles:
                known.particles.add(" ".join(particles))
            stands_last = word is cores[-1] if not comma else word is cores[0]
            family = bool(particles) or (len(words) > 1 and stands_last)
            known.family |= family
            known.given |= not family and len(words) > 1
        keys = [word.facts.key for word in cores]
        self.followers.update(pairwise(keys))
        if len(words) > 1:
            surface = " ".join(word.surface for word in words)
            self.joined.setdefault("".join(word.facts.key for word in words), surface)
            self.joined.setdefault("".join(keys), surface)

    @classmethod
    def of(cls, scanned: ScannedText, mentions: Iterable[Mention]) -> "KnownNames":
        known = cls()
        for mention in mentions:
            known.add(scanned, mention.span, confidence=mention.confidence)
        return known

    def related(self, left: str, right: str) -> bool:
        """Whether the two words stand beside each other in a known name, in either order."""
        return (left, right) in self.followers or (right, left) in self.followers


def chunks(scanned: ScannedText, hits: Mapping[int, Hit], known: KnownNames) -> list[Chunk]:
    """Join neighbouring hits to mentions, each with the particles, initials and given names before it."""
    found: list[Chunk] = []
    order = sorted(hits)
    place = 0
    while place < len(order):
        first = last = order[place]
        members = {first: hits[first]}
        while place + 1 < len(order):
            following = order[place + 1]
            if not _continue_name(scanned, last, following, hits, known):
                break
            members[following] = hits[following]
            last = following
            place += 1
        place += 1
        found.append(Chunk(_span(scanned, first, last, members, known), first, last, members))
    return found


def _continue_name(
    scanned: ScannedText, left: int, right: int, hits: Mapping[int, Hit], known: KnownNames
) -> bool:
    """Whether hit right continues the name of hit left: known neighbours, only particles between them."""
    if hits[left].cut or not known.related(hits[left].key, hits[right].key):
        return False
    before, after = scanned.words[left], scanned.words[right]
    in_order = (hits[left].key, hits[right].key) in known.followers  # "Tim kok" of Tim Kok
    if before.capitalized and not after.capitalized and after.facts.word_share >= 0.5 and not in_order:
        return False  # "mevrouw Boersma wil"
    if right == left + 1:
        gap = scanned.gap(left, right)
        comma = gap.replace("\n", " ") == ", " and (hits[right].key, hits[left].key) in known.followers
        return joins(gap) or comma
    between = scanned.words[left + 1 : right]
    return all(word.facts.particle for word in between) and all(
        joins(scanned.gap(i, i + 1)) or scanned.gap(i, i + 1) in {".", ". "} for i in range(left, right)
    )


def _span(scanned: ScannedText, first: int, last: int, hits: Mapping[int, Hit], known: KnownNames) -> Span:
    words = scanned.words
    start = words[_first_word(scanned, first, hits[first], known)].start
    if start == words[first].start or words[first].facts.surname or known.words[hits[first].key].family:
        dotted = initials_start(scanned.text, start, scanned.language)
        start = dotted if dotted < start else bare_initials_start(scanned, start)
    return Span(start, words[last].end - hits[last].cut)


def _first_word(scanned: ScannedText, first: int, hit: Hit, known: KnownNames) -> int:
    """Index of the word where the name begins: the hit, particles before it, given names before those."""
    words = scanned.words
    known_word = known.words.get(hit.key)
    index = particles_before(scanned, first)
    if index < first:
        written = " ".join(word.facts.key for word in words[index:first])
        familiar = known_word is not None and any(
            written == particle or particle.endswith(written) or (written[0] == particle[0] == "v")
            for particle in known_word.particles  # "van de" is soon written for "van der"
        )
        after_given = index > 0 and _is_given_before(words[index - 1], scanned.gap(index - 1, index))
        initials = initials_start(scanned.text, words[index].start, scanned.language) < words[index].start
        if not (familiar or after_given or initials):
            index = first
    if known_word is not None and known_word.family:
        for _ in range(3):
            if index > 0 and _is_given_before(words[index - 1], scanned.gap(index - 1, index)):
                index -= 1
    return index


def _is_given_before(word: Word, gap: str) -> bool:
    return (
        gap in {" ", "-", "\n"} and word.capitalized and word.facts.given
        and word.facts.word_share < 0.5 and len(word.surface) > 2
    )  # fmt: skip
