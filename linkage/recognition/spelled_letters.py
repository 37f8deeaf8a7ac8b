"""Names spelled aloud: "T, E, R, P, S, M, A" and "K-U-IJ-P-E-R" are names, "K van Karel" is none."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from linkage.language import Language
from linkage.language.expressions import any_of
from linkage.recognition.words import NameKnowledge
from linkage.records import Span, fold

_LETTER: Final = r"(?:IJ|[A-ZÀ-Þ])"
_LETTERS: Final = re.compile(
    rf"(?<![\w.-]){_LETTER}(?:(?:, ?{_LETTER}){{3,}}|(?:-{_LETTER}){{3,}}|(?: - {_LETTER}){{3,}})(?![\w-])"
)
_BETWEEN: Final = re.compile(r"[, -]+")
_TOLD_BEFORE: Final = 60  # characters of the line in which a word tells that a name is spelled


@cache
def _alphabet(language: Language) -> re.Pattern[str]:
    words = any_of(word.capitalize() for word in language.name_frames.get("spelling_word", ()))
    joint = any_of(language.name_frames.get("letter_of", ()))
    return re.compile(rf"(?<![\w.-])({_LETTER}) {joint} ({words}|IJ[a-z]+)(?![\w-])")


@cache
def _spells(language: Language) -> re.Pattern[str]:
    words = any_of(language.name_frames.get("spells", ()))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def spelled_names(text: str, knowledge: NameKnowledge, sure_words: Collection[str] = ()) -> Iterator[Span]:
    """The spans in text of four letters or more that are told one by one and together are a name, in their
    order, or of which the line says before them that a name is spelled.

    sure_words: folded words of names that the text surely has elsewhere.
    """
    for found in _LETTERS.finditer(text):
        if _is_name(_BETWEEN.sub("", found[0]), knowledge, sure_words) or _is_told(text, found, knowledge):
            yield Span(found.start(), found.end())


def _is_name(letters: str, knowledge: NameKnowledge, sure_words: Collection[str]) -> bool:
    word = letters.lower()
    return fold(word) in sure_words or knowledge.is_surname(word) or knowledge.is_given_name(word)


def _is_told(text: str, found: re.Match[str], knowledge: NameKnowledge) -> bool:
    before = text[max(0, found.start() - _TOLD_BEFORE) : found.start()].rpartition("\n")[2]
    return _spells(knowledge.language).search(before) is not None


def alphabet_words(text: str, language: Language) -> Iterator[Span]:
    """The spans in text such as "K van Karel": a word of the alphabet tells a letter."""
    for found in _alphabet(language).finditer(text):
        if found[2].startswith(found[1]):
            yield Span(found.start(), found.end())
