"""Families named in the plural: "de Terpsma's", "met de Jansens", "de De Vriesen".

The network takes such a word for a people or a firm; an article and an ending of the plural around a family
name say that it is neither.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.recognition.words import NameKnowledge, names_something_else
from linkage.records import Span, fold

_WORD: Final = r"[A-ZÀ-Þ][a-zß-ÿ]{2,}(?:-[A-ZÀ-Þ][a-zß-ÿ]{2,})*"

_NO_FAMILY: Final = ("disease", "eponym_brand", "people", "place")  # markers of words that name none


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """An article as group 1, a name with its particles, its last word, and an apostrophe with its s."""
    articles = any_of(language.name_frames.get("plural_article", ()))
    particles = any_of(word.capitalize() for word in language.particles(ParticleUse.NO_GIVEN))
    small = any_of(language.particles(ParticleUse.NO_GIVEN))
    return re.compile(
        rf"(?<![\w-])((?i:{articles}))\s((?:(?:{particles})\s(?:(?:{small})\s)*)?({_WORD}))(['’]s)?(?![\w'’-])"
    )


def plural_names(
    text: str, language: Language, knowledge: NameKnowledge, sure_words: Collection[str] = ()
) -> Iterator[Span]:
    """The spans in text of family names in the plural, without the apostrophe's s, in their order.

    sure_words: folded words of names that the text surely has elsewhere.
    """
    endings = sorted(language.name_frames.get("plural_ending", ()), key=len, reverse=True)
    for found in _pattern(language).finditer(text):
        article, name, word, apostrophe = found.groups()
        if knowledge.is_particle(article) and _follows_name(text, found.start()):
            continue  # "G. de Vries": the article is a particle
        if text[found.end() : found.end() + 2].strip().isupper():
            continue  # "de Bakker Van Dam", "de Jansens BV"
        if apostrophe is not None:
            stems: Collection[str] = (word.rpartition("-")[2],)
        else:
            stems = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
        way = "plural" if apostrophe is None else "plural_with_apostrophe"
        most = language.grammar.most_ordinary.get(way, 0)
        if names_something_else(name, knowledge, word=word, markers=_NO_FAMILY):
            continue
        if apostrophe is None and knowledge.is_word(word.lower()) and not knowledge.is_surname(word):
            continue  # "de Belgen"
        if any(
            fold(stem) in sure_words or (_is_family_name(stem, knowledge, most) and len(stem) > 2)
            for stem in stems
        ):
            yield Span(found.start(2), found.end(2))


def _follows_name(text: str, start: int) -> bool:
    """Whether an initial, a word with a capital or a hyphen stands right before text[start:]."""
    before = text[max(0, start - 40) : start].rstrip()
    last = before.split()[-1:]
    if not last or before.endswith("-"):
        return bool(last)
    is_initial = last[0].endswith(".") and len(last[0].rsplit(".", 2)[-2]) == 1
    return last[0][0].isupper() and (is_initial or last[0][-1].isalpha())


def _is_family_name(stem: str, knowledge: NameKnowledge, most: float) -> bool:
    if names_something_else(stem, knowledge, word=stem, markers=_NO_FAMILY):
        return False
    return knowledge.is_surname(stem) and knowledge.word_share(stem.lower()) <= most
