"""An identifier that the network tells once in a document holds all over it, misspelt forms too."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from linkage.network_kinds import NAME_KINDS
from linkage.recognition.words import ScannedText, Word
from linkage.records import RecognizedSpan, Span
from linkage.spans import SpanCover
from linkage.texts import KindId

_SPREADS: Final = frozenset(map(KindId, (*NAME_KINDS, "PROFESSION")))
_LEAST: Final = 0.5  # confidence, 0 to 1, of a mention that holds elsewhere; set, not measured
_SHORTEST: Final = 3  # letters of a text that holds elsewhere
_SHORTEST_MISSPELT: Final = 6  # letters of a word that counts although one letter differs
_MOST_COMPARED: Final = 4_000_000  # pairs of words; beyond, misspelt forms are left alone

_Keys = tuple[str, ...]


def spread_identifiers(
    scanned: ScannedText, identifiers: Sequence[RecognizedSpan], taken: Iterable[Span]
) -> tuple[RecognizedSpan, ...]:
    """The identifiers, and where their texts stand again, sorted by span and without overlap.

    A text with a capital holds where it has one again, or stands in capitals. taken: where persons are
    mentioned; nothing is added there. A word of six letters or more that no dictionary knows may differ in
    one letter.
    """
    known = _known(scanned, identifiers)
    if not known:
        return tuple(identifiers)
    words = scanned.words
    cover = SpanCover([*(one.span for one in identifiers), *taken])
    free = [not cover.overlaps(word.span) for word in words]
    keys = [word.facts.key for word in words]
    right = _corrections({keys[n] for n, word in enumerate(words) if free[n] and _is_unknown(word)}, known)
    keys = [right.get(key, key) if free[n] else key for n, key in enumerate(keys)]
    by_first: dict[str, list[_Keys]] = defaultdict(list)
    for form in sorted(known, key=len, reverse=True):
        by_first[form[0]].append(form)
    added: list[RecognizedSpan] = []
    place = 0
    while place < len(words):
        found = next(
            (form for form in by_first.get(keys[place], ()) if _stands(form, place, keys, free)), None
        )
        if found is not None:
            kind, confidence, capitals = known[found]
            here = words[place : place + len(found)]
            has_capital = any(word.capitalized for word in here)
            if _joined(scanned.text, here) and (has_capital or not capitals):
                span = Span(here[0].start, here[-1].end)
                added.append(RecognizedSpan(span, confidence, kind))
                place += len(found)
                continue
        place += 1
    return tuple(sorted([*identifiers, *added], key=lambda one: one.span))


def _known(
    scanned: ScannedText, identifiers: Iterable[RecognizedSpan]
) -> dict[_Keys, tuple[KindId, float, bool]]:
    """By words of a sure identifier: its most frequent kind, the confidence, and whether it has a capital."""
    kinds: dict[_Keys, Counter[KindId]] = defaultdict(Counter)
    confidence: dict[_Keys, float] = {}
    capitals: dict[_Keys, bool] = {}
    for one in identifiers:
        if one.kind not in _SPREADS or one.confidence < _LEAST or len(one.span) < _SHORTEST:
            continue
        words = scanned.words_in(one.span)
        keys = tuple(word.facts.key for word in words)
        if not keys or (words[0].start, words[-1].end) != (one.span.start, one.span.end):
            continue
        kinds[keys][one.kind] += 1
        confidence[keys] = max(one.confidence, confidence.get(keys, 0.0))
        capitals[keys] = capitals.get(keys, True) and any(word.capitalized for word in words)
    return {
        keys: (counts.most_common(1)[0][0], confidence[keys], capitals[keys])
        for keys, counts in kinds.items()
    }


def _corrections(unknown: set[str], known: Iterable[_Keys]) -> dict[str, str]:
    """By unknown word, the word of a known text that differs from it in one letter."""
    longer = sorted({key for form in known for key in form if len(key) >= _SHORTEST_MISSPELT})
    words = sorted(word for word in unknown if len(word) >= _SHORTEST_MISSPELT - 1)
    if not longer or not words or len(longer) * len(words) > _MOST_COMPARED:
        return {}
    meant = {}
    for word in words:
        if (best := process.extractOne(word, longer, scorer=OSA.distance, score_cutoff=1)) is not None:
            meant[word] = best[0]
    return meant


def _is_unknown(word: Word) -> bool:
    facts = word.facts
    return word.capitalized and not (facts.word or facts.place or facts.given or facts.surname)


def _stands(form: _Keys, place: int, keys: Sequence[str], free: Sequence[bool]) -> bool:
    end = place + len(form)
    return tuple(keys[place:end]) == form and all(free[place:end])


def _joined(text: str, words: Sequence[Word]) -> bool:
    """Whether nothing but a blank, a mark inside a name or a line end stands between the words."""
    return all(
        later.start - earlier.end <= 2 and "\n\n" not in text[earlier.end : later.start]
        for earlier, later in pairwise(words)
    )
