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


@cache
def _alphabet(language: Language) -> re.Pattern[str]:
    words = any_of(word.capitalize() for word in language.name_frames.get("spelling_word", ()))
    joint = any_of(language.name_frames.get("letter_of", ()))
    return re.compile(rf"(?<![\w.-])({_LETTER}) {joint} ({words}|IJ[a-z]+)(?![\w-])")


def spelled_names(text: str, knowledge: NameKnowledge, sure_words: Collection[str] = ()) -> Iterator[Span]:
    """The spans in text of four letters or more that are told one by one and together are a name, in their
    order.

    sure_words: folded words of names that the text surely has elsewhere.
    """
    for found in _LETTERS.finditer(text):
        word = _BETWEEN.sub("", found[0]).lower()
        if fold(word) in sure_words or knowledge.is_surname(word) or knowledge.is_given_name(word):
            yield Span(found.start(), found.end())


def alphabet_words(text: str, language: Language) -> Iterator[Span]:
    """The spans in text such as "K van Karel": a word of the alphabet tells a letter."""
    for found in _alphabet(language).finditer(text):
        if found[2].startswith(found[1]):
            yield Span(found.start(), found.end())
