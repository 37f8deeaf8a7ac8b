"""The values that a file's replacements took away, and where the same values stand in it once more."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import ahocorasick

from linkage.kinds import Kinds
from linkage.records import PERSON, KindId, Span
from linkage.spans import SpanCover
from pseudonymizer.engine.records import Replacement
from pseudonymizer.engine.table_mentions import untreated
from pseudonymizer.formats import ParsedFile, TextPart

# Values of these categories are equal by chance: the same date or amount says nothing of the same thing.
_COMMON: Final = frozenset({"AGE", "DATE", "AMOUNT", "ROLE", "TEXT"})
_UNCOMMON: Final = frozenset({KindId("BIRTH_DATE")})
_LEAST: Final = 6  # letters and figures of a value that is looked for: shorter ones stand anywhere
_SIGNS: Final = re.compile(r"[\d@]")


def replaced_values(
    replacements: Iterable[Replacement], parsed: ParsedFile, kinds: Kinds
) -> dict[str, Replacement]:
    """The values that tell of one thing wherever they stand, as the file has them, each with what replaced it
    first.
    """
    texts = {part.part_id: part.text for part in parsed.parts}
    found: dict[str, Replacement] = {}
    for one in replacements:
        if one.kind != PERSON and one.part_id in texts and _tells(one.kind, kinds):
            value = one.span.cut(texts[one.part_id])
            if _is_distinctive(value):
                found.setdefault(value, one)
    return found


def with_same_values(
    replacements: tuple[Replacement, ...], parsed: ParsedFile, kinds: Kinds
) -> tuple[Replacement, ...]:
    """The replacements, and the same text for the same value where detection missed it.

    An address that follows a person is found wherever it stands; columns that are left out stay.
    """
    values = {
        value: one for value, one in replaced_values(replacements, parsed, kinds).items() if not one.follows
    }
    if not values:
        return replacements
    automaton = ahocorasick.Automaton()
    for value in values:
        automaton.add_word(value, value)
    automaton.make_automaton()
    taken: dict[str, list[Span]] = {}
    for one in replacements:
        taken.setdefault(one.part_id, []).append(one.span)
    added: list[Replacement] = []
    for part in parsed.parts:
        cover = SpanCover([*taken.get(part.part_id, ()), *untreated(part)])
        for span, value in _places(part, automaton.iter_long(part.text), cover):
            added.append(replace(values[value], part_id=part.part_id, span=span))
    return (*replacements, *added)


def _places(part: TextPart, hits: Iterable[tuple[int, str]], cover: SpanCover) -> Iterator[tuple[Span, str]]:
    """Where the hits are whole words clear of cover, without overlap."""
    text = part.text
    read_to = 0
    for last, value in hits:
        span = Span(last + 1 - len(value), last + 1)
        inside = _goes_on(text, span.start - 1, span.start) or _goes_on(text, last, last + 1)
        if span.start >= read_to and not inside and not cover.overlaps(span):
            read_to = span.end
            yield span, value


def _goes_on(text: str, left: int, right: int) -> bool:
    """Whether a word or number goes on from one of these characters to the other."""
    return left >= 0 and right < len(text) and text[left].isalnum() and text[right].isalnum()


def _tells(kind: KindId, kinds: Kinds) -> bool:
    return kind in _UNCOMMON or kind not in kinds or kinds[kind].category not in _COMMON


def _is_distinctive(value: str) -> bool:
    """Whether the value says where it comes from: long enough, with a figure or an @, or of several words."""
    solid = sum(character.isalnum() for character in value)
    return solid >= _LEAST and (_SIGNS.search(value) is not None or len(value.split()) > 1)
