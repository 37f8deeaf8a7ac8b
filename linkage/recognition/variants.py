"""Other bounds for a span that somebody proposed: wider, narrower, split and joined.

Each is a further candidate; the decision model picks. A name broken over a line, a nickname between quotes, a
particle the network left out, two columns taken for one name: all are mended here.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.recognition.boundaries import (
    bare_initials_start,
    initials_start,
    is_name_word,
    is_office,
    particles_before,
    trim,
)
from linkage.recognition.evidence import Candidate
from linkage.recognition.words import Lexicon, ScannedText
from linkage.records import Span

_SPLIT = (
    r"[ \t]{2,}|\t|\s*\n\s*|,\s+|;\s*|\s*[|/&]\s*|\s+[-–—]\s+"
    r"|(?<=[^\W\d_]{2})\.\s+(?=[A-ZÀ-Þ][a-zà-ÿ]{2})"
)
_BRIDGE = re.compile(
    r"\s?[-–]\s?|[ \t]?\n[ \t]?|[ ]"  # broken over a line, or at a hyphen
    r"|\s[\"'“”„«»‘’(]{1,2}[^\W\d_][\w .'-]{0,24}[\"'“”„«»‘’)]{1,2}\s"  # a nickname between them
    r"|\s?[\"”“»’)]{1,2}\s|\s[\"“„«‘(]{1,2}"
    r"|\s(?:[^\W\d_]\.\s?){1,3}"  # an initial between them
    r"|,\s"
)


@cache
def _split(language: Language) -> re.Pattern[str]:
    return re.compile(rf"{_SPLIT}|\s+(?:{any_of(language.words('between_names'))})\s+")


@cache
def _dotted_particle(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{language.grammar.dotted_particle})$")


def derived_candidates(
    scanned: ScannedText, candidates: Sequence[Candidate], lexicon: Lexicon
) -> list[Candidate]:
    """New candidates with the bounds that those given may be mistaken for; none repeats a given one."""
    known = {candidate.span for candidate in candidates}
    found: dict[Span, Candidate] = {}
    for span, confidence in _proposals(scanned, candidates, lexicon):
        if span in known:
            continue
        candidate = found.setdefault(span, Candidate(span))
        candidate.derived = max(candidate.derived, confidence)
    return list(found.values())


def _proposals(
    scanned: ScannedText, candidates: Sequence[Candidate], lexicon: Lexicon
) -> Iterator[tuple[Span, float]]:
    previous: list[Candidate] = []
    for candidate in candidates:
        confidence = candidate.confidence
        if confidence < 0.2:
            continue
        span = candidate.span
        other = scanned.other_bounds.get(span)
        if other is None:
            other = scanned.other_bounds[span] = tuple(_other_bounds(scanned, span, lexicon))
        yield from ((bounds, confidence) for bounds in other)
        for earlier in previous:
            if earlier.span.end <= span.start and _bridged(scanned, earlier.span.end, span.start):
                joined = trim(scanned, Span(earlier.span.start, span.end), lexicon)
                if joined is not None:
                    yield joined, min(confidence, earlier.confidence)
        previous = [c for c in previous[-5:] if span.start - c.span.end < 40] + [candidate]


def _other_bounds(scanned: ScannedText, span: Span, lexicon: Lexicon) -> Iterator[Span]:
    """The bounds that one span may be mistaken for, trimmed, by that span and the text alone."""
    proposed = [Span(start, span.end) for start in _wider_starts(scanned, span)]
    end = _wider_end(scanned, span)
    if end is not None:
        proposed.append(Span(span.start, end))
    proposed += _pieces(scanned, span)
    for shorter in (_without_particles, _without_first_word, _without_genitive):
        found = shorter(scanned, span)
        if found is not None:
            proposed.append(found)
    for other in dict.fromkeys(proposed):
        trimmed = trim(scanned, other, lexicon)
        if trimmed is not None:
            yield trimmed


def _wider_starts(scanned: ScannedText, span: Span) -> Iterator[int]:
    """Starts before the span's: at its initials, at its particles, at initials before those."""
    text, words = scanned.text, scanned.words
    starts = {span.start}
    dotted = _dotted_particle(scanned.language).search(text, max(0, span.start - 6), span.start)
    if dotted:
        starts.add(dotted.start())
    index = scanned.index_from(span.start)
    if index < len(words) and words[index].start == span.start:
        first = particles_before(scanned, index)
        starts |= {words[i].start for i in range(first, index)}
    for start in list(starts):
        starts.add(initials_start(text, start, scanned.language))
        starts.add(bare_initials_start(scanned, start))
    for start in list(starts):
        place = scanned.index_from(start) - 1
        if place >= 0 and text[words[place].end : start] in {" ", "\n", "-"}:
            before = words[place]
            if before.capitalized and is_name_word(before) and not before.facts.title:
                starts.add(before.start)
    yield from sorted(starts - {span.start})


def _wider_end(scanned: ScannedText, span: Span) -> int | None:
    """The end of the capitalized word behind the span, particles between: "Sunil | Ragh", "Bos | van Dam"."""
    words, text = scanned.words, scanned.text
    index = scanned.index_from(span.end)
    last = span.end
    for place in range(index, min(index + 4, len(words))):
        if text[last : words[place].start] != " " and not (
            place > index and text[last : words[place].start] == ". "
        ):
            return None
        last = words[place].end
        if words[place].capitalized:
            return last
        if not words[place].facts.particle:
            return None
    return None


def _without_particles(scanned: ScannedText, span: Span) -> Span | None:
    """Without small particles at the start: "van Hindrik Aukema" may be Hindrik's."""
    words = scanned.words_in(span)
    first = 0
    while first < len(words) and words[first].facts.particle and not words[first].capitalized:
        first += 1
    return Span(words[first].start, span.end) if 0 < first < len(words) else None


def _pieces(scanned: ScannedText, span: Span) -> Iterator[Span]:
    """The parts between column gaps, commas, line ends, "en"."""
    text, start = scanned.text, span.start
    cuts = list(_split(scanned.language).finditer(text, span.start, span.end))
    if not cuts or len(cuts) > 8:
        return
    for cut in cuts:
        if cut.start() > start:
            yield Span(start, cut.start())
        start = cut.end()
    if start < span.end:
        yield Span(start, span.end)
    if len(cuts) > 1:
        yield Span(span.start, cuts[-1].start())
        yield Span(cuts[0].end(), span.end)


def _without_first_word(scanned: ScannedText, span: Span) -> Span | None:
    """Without a first word that is an ordinary one, such as a role or a preposition with a capital."""
    words = scanned.words_in(span)
    if len(words) < 2 or not words[0].capitalized:
        return None
    if words[0].facts.word_share < 0.5 and not is_office(words[0]):
        return None
    return Span(words[1].start, span.end)


def _without_genitive(scanned: ScannedText, span: Span) -> Span | None:
    """Without a glued possessive s: "Annekes tas"."""
    words = scanned.words_in(span)
    if not words or words[-1].end != span.end or len(words[-1].surface) < 4:
        return None
    word = words[-1]
    if not word.facts.key.endswith("s") or word.surface[-1] != "s":
        return None
    following = scanned.index_from(span.end)
    gap = scanned.text[span.end : scanned.words[following].start] if following < len(scanned.words) else "\n"
    return Span(span.start, span.end - 1) if gap in {" ", "\n"} else None


def _bridged(scanned: ScannedText, left_end: int, right_start: int) -> bool:
    """Whether what lies between two spans can be inside one name."""
    between = scanned.text[left_end:right_start]
    if len(between) > 34:
        return False
    if _BRIDGE.fullmatch(between):
        return True
    parts = between.split()
    return bool(parts) and len(parts) <= 3 and "\n\n" not in between and all(
        part.lower() in scanned.language.particles(ParticleUse.BETWEEN_WORDS) for part in parts
    )  # fmt: skip
