"""Codes of two to four capitals that a document introduces for a person: "GLO" of "Gerda van Loon (GLO)"."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from linkage.recognition.boundaries import is_name_word
from linkage.recognition.words import NameKnowledge, ScannedText, Word
from linkage.records import Mention, Span, fold

_INTRODUCED: Final = re.compile(r" \(([A-ZÀ-Þ]{2,4})\)")
_NO_NEIGHBOUR: Final = r"[\w@/-]"


def introduced_codes(
    scanned: ScannedText, people: Sequence[Mention], knowledge: NameKnowledge
) -> Iterator[Span]:
    """The spans in a text of codes that stand in brackets behind one of its full names, and of these codes
    wherever else they stand.

    A code begins as the name does, has its letters in their order and the first letter of its family name,
    and is no organization's. people: the likely mentions of the text.
    """
    borne: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for mention in people:
        found = _INTRODUCED.match(scanned.text, mention.span.end)
        if found is None:
            continue
        words = [word for word in scanned.words_in(mention.span) if any(map(str.isalpha, word.surface))]
        cores = [word for word in words if is_name_word(word)]
        if len(words) > 1 and cores:
            borne[found[1]].add(tuple(word.facts.key for word in words) if _fits(found[1], words) else ())
    codes = [
        code
        for code, names in borne.items()
        if len(names) == 1 and () not in names and not knowledge.is_organisation(code)
    ]
    for code in codes:
        again = rf"(?<!{_NO_NEIGHBOUR}){re.escape(code)}(?!{_NO_NEIGHBOUR})"
        for place in re.finditer(again, scanned.text):
            yield Span(place.start(), place.end())


def _fits(code: str, words: Sequence[Word]) -> bool:
    """Whether the letters of a code stand in this order in the words, with the first of the family name."""
    letters = fold(code)
    written = "".join(word.facts.key for word in words)
    family = next(word for word in reversed(words) if is_name_word(word)).facts.key
    if letters[:1] != written[:1] or family[:1] not in letters[1:]:
        return False
    place = 0
    for letter in letters:
        place = written.find(letter, place) + 1
        if place == 0:
            return False
    return True
