"""Names of people after whom a thing is called: "de motie-Van der Horst/El Amrani", "de zaak-Bakker".

A cutter of words and the network take such a compound for one word, and the name in it for no name. What
stands behind the hyphen is a person's name, unless it is a place, a firm, a short form, or a common word.
"""

import re
from functools import cache
from typing import Final

from linkage.language import Language
from linkage.language.expressions import any_of
from linkage.recognition.words import NameKnowledge
from linkage.records import Span

_WORD: Final = r"[A-ZÀ-Þ][a-zß-ÿ]+(?:['’][a-zß-ÿ]+)?"


@cache
def _patterns(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The head of a compound up to its hyphen, and a name behind it, with its last word as group 1."""
    heads = any_of(language.words("named_after"))
    particles = any_of(language.grammar.opening_particles)
    opening = rf"(?:(?i:{particles})\s(?:(?:{particles})\s)*)?"
    name = rf"{opening}(?:{_WORD}-)*({_WORD})(?![\w-])"
    return re.compile(rf"(?<![\w-])(?i:{heads})-(?=[A-ZÀ-Þ'’])"), re.compile(name)


def named_after(text: str, language: Language, knowledge: NameKnowledge) -> tuple[Span, ...]:
    """The spans in text of names that stand behind the hyphen of a compound, and of those that a slash joins
    to them, in their order.

    Raises:
        KindsError: the language has no words of the kind "named_after".
    """
    head, name = _patterns(language)
    found: list[Span] = []
    for opened in head.finditer(text):
        at = opened.end()
        while (one := name.match(text, at)) and _may_be_borne(one, knowledge):
            found.append(Span(one.start(), one.end()))
            if text[one.end() : one.end() + 1] != "/":
                break
            at = one.end() + 1
    return tuple(found)


def _may_be_borne(name: re.Match[str], knowledge: NameKnowledge) -> bool:
    whole, word = name[0], name[1]
    if knowledge.is_place(whole) or knowledge.is_organisation(whole):
        return False
    return whole != word or knowledge.is_surname(word) or not knowledge.is_word(word.lower())
