"""Names of people after whom a thing is called: "de motie-Van der Horst/El Amrani", "de Bakker-variant".

A cutter of words and the network take such a compound for one word, and the name in it for no name. What
stands behind the hyphen is a person's name, unless it is a place, a firm, a short form, or a common word;
what stands before it is one if the lists or the text have it as a family name.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final, NamedTuple

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.recognition.words import NameKnowledge, names_something_else
from linkage.records import Span, fold

_WORD: Final = r"[A-ZÀ-Þ][a-zß-ÿ]+(?:['’][a-zß-ÿ]+)?"


class _Patterns(NamedTuple):
    """head: a noun up to its hyphen. name: one behind it, its last word is group 1.

    tail: a name, its last word, and a noun behind a hyphen, as groups 1 to 3.
    """

    head: re.Pattern[str]
    name: re.Pattern[str]
    tail: re.Pattern[str]


@cache
def _patterns(language: Language) -> _Patterns:
    heads = any_of(language.words("named_after"))
    particles = any_of(language.particles(ParticleUse.NO_GIVEN))
    opening = rf"(?:(?i:{particles})\s(?:(?:{particles})\s)*)?"
    name = rf"{opening}(?:{_WORD}-)*({_WORD})(?![\w-])"
    # "De Bakker-variant" may begin with an article: with a name goes a particle that has a capital alone.
    inside = rf"(?:{any_of(word.capitalize() for word in language.particles(ParticleUse.NO_GIVEN))})\s"
    lone = rf"(?:{inside}(?:(?:{particles})\s)*)?"
    tail = rf"(?<![\w-])({lone}(?:{_WORD}-)*({_WORD}))-([a-zß-ÿ]{{3,}})(?![\w-])"
    return _Patterns(
        re.compile(rf"(?<![\w-])(?i:{heads})-(?=[A-ZÀ-Þ'’])"), re.compile(name), re.compile(tail)
    )


def named_after(
    text: str, language: Language, knowledge: NameKnowledge, sure_words: Collection[str] = ()
) -> tuple[Span, ...]:
    """The spans in text of names that stand behind or before the hyphen of a compound, and of those that a
    slash joins to them, in their order.

    sure_words: folded words of names that the text surely has elsewhere.

    Raises:
        KindsError: the language has no words of the kind "named_after".
    """
    behind = list(_behind(text, language, knowledge))
    taken = {span.start for span in behind}
    before = [span for span in _before(text, language, knowledge, sure_words) if span.start not in taken]
    return tuple(sorted([*behind, *before]))


def _behind(text: str, language: Language, knowledge: NameKnowledge) -> Iterator[Span]:
    head, name, _ = _patterns(language)
    for opened in head.finditer(text):
        at = opened.end()
        while (one := name.match(text, at)) and _may_be_borne(one[0], one[1], knowledge):
            yield Span(one.start(), one.end())
            if text[one.end() : one.end() + 1] != "/":
                break
            at = one.end() + 1


def _before(
    text: str, language: Language, knowledge: NameKnowledge, sure_words: Collection[str]
) -> Iterator[Span]:
    most = language.grammar.most_ordinary.get("compound", 0)
    nouns = language.name_frames.get("called_after", ())
    for found in _patterns(language).tail.finditer(text):
        name, word, noun = found.groups()
        start = found.start()
        if name[len(name) - len(word) - 1 : -len(word)] == " " and not _inside_sentence(text, start):
            start, name = found.start(2), word  # "De Bakker-variant": an article, for all that tells
        if not _may_be_borne(name, word, knowledge):
            continue
        is_surname = knowledge.is_surname(word) and (
            name != word or knowledge.word_share(word.lower()) <= most
        )
        if fold(word) not in sure_words and not (is_surname and noun in nouns):
            continue
        if text[:start].endswith(" ") and _ends_in_capital_word(text, start - 1):
            continue  # "Albert Heijn-vestiging", "de Tweede Bakker-variant"
        yield Span(start, found.end(2))


def _inside_sentence(text: str, start: int) -> bool:
    return start > 1 and text[start - 1] == " " and (text[start - 2].isalnum() or text[start - 2] in ",;")


def _ends_in_capital_word(text: str, end: int) -> bool:
    """Whether a word with a capital ends at text[:end] that does not begin the sentence."""
    first = end
    while first > 0 and (text[first - 1].isalnum() or text[first - 1] in "'’-"):
        first -= 1
    return first < end and text[first].isupper() and _inside_sentence(text, first)


def _may_be_borne(whole: str, word: str, knowledge: NameKnowledge) -> bool:
    if names_something_else(whole, knowledge, word=word, markers=("disease", "eponym_brand")):
        return False
    return whole != word or knowledge.is_surname(word) or not knowledge.is_word(word.lower())
