"""Names with a glued genitive: "Kirchers Erläuterungen", where the name is Kircher and the s stands outside.

Only languages whose grammar says so write names this way as a rule (`glued_genitive`). A network learns such
words whole, so that what it finds is cut here.
"""

from dataclasses import replace
from typing import Final

from linkage.recognition.boundaries import NO_S_AFTER
from linkage.recognition.words import ScannedText, Word, WordFacts
from linkage.records import RecognizedSpan, RecognizedText, Span

_SHORTEST: Final = 4  # letters of a word that may end in a genitive
_COMMONER: Final = 5  # a listed form is the name if it is borne so many times as often as the form with the s


def without_genitives(scanned: ScannedText, recognized: RecognizedText) -> RecognizedText:
    """The finds of the network, the persons without glued genitives; unchanged in other languages."""
    if not scanned.language.grammar.glued_genitive:
        return recognized
    written = {word.facts.key for word in scanned.words if word.capitalized}
    persons = tuple(_cut(scanned, one, written) for one in recognized.persons)
    return recognized if persons == recognized.persons else replace(recognized, persons=persons)


def is_glued_genitive(scanned: ScannedText, end: int) -> bool:
    """Whether a genitive of the language is glued to what ends at this place, and nothing behind it."""
    ending = scanned.language.grammar.glued_genitive
    behind = end + len(ending)
    text = scanned.text
    return bool(ending) and text.startswith(ending, end) and not text[behind : behind + 1].isalnum()


def _cut(scanned: ScannedText, found: RecognizedSpan, written: set[str]) -> RecognizedSpan:
    words = scanned.words_in(found.span)
    ending = scanned.language.grammar.glued_genitive
    if not words or words[-1].end != found.span.end or not _may_be_genitive(words[-1], ending):
        return found
    last = words[-1]
    index = scanned.index_from(last.start)
    stem = scanned.facts(last.surface[: -len(ending)])
    borne = _borne_last if len(words) > 1 else _borne_alone
    if not _is_genitive(scanned, index, (borne(last.facts), borne(stem)), is_known=stem.key in written):
        return found
    return replace(found, span=Span(found.span.start, found.span.end - len(ending)))


def _may_be_genitive(word: Word, ending: str) -> bool:
    surface = word.surface
    stem = surface.removesuffix(ending)
    return (
        stem != surface
        and len(surface) >= _SHORTEST
        and stem[-1].isalpha()
        and stem[-1].lower() not in NO_S_AFTER + "ß"
        and surface[-2:].islower()
    )


def _is_genitive(scanned: ScannedText, index: int, borne: tuple[int, int], *, is_known: bool) -> bool:
    """Whether the word at index is a name in the genitive.

    borne: how often it is borne, and the form without the ending. is_known: the text has that form, too.
    """
    own, others = borne
    if others and others >= _COMMONER * own:
        return is_known or not own or _owns(scanned, index)
    if own:
        return False
    return is_known or _owns(scanned, index)


def _borne_last(facts: WordFacts) -> int:
    """How often the lists have a name behind a given name; 1 for one that they have without a count."""
    return max(facts.surname_frequency, int(facts.surname))


def _borne_alone(facts: WordFacts) -> int:
    """How often the lists have a name of one word; 1 for one that they have without a count."""
    count = max(facts.given_frequency, 0) + max(facts.surname_frequency, 0)
    return max(count, int(facts.given or facts.surname))


def _owns(scanned: ScannedText, index: int) -> bool:
    """Whether a noun follows in the line, at once or behind one word in small letters."""
    words = scanned.words
    for place in (index + 1, index + 2):
        if place >= len(words) or scanned.gap(place - 1, place) != " ":
            return False
        if words[place].capitalized:
            facts = words[place].facts
            return facts.word and not facts.given
    return False
