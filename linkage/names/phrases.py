"""Phrases inside a written name: "geb. Vos", "echtgenote van Bos", "roepnaam Mies"."""

import re
from dataclasses import dataclass
from functools import cache

from linkage.language import Language, Meaning, ParticleUse, Place
from linkage.language.expressions import any_of


@dataclass(frozen=True, slots=True)
class InnerPhrases:
    """Expressions for phrases inside a name. signature: "RvdS", capitals around the letters of a particle."""

    born: re.Pattern[str]
    spouse_of: re.Pattern[str]
    called: re.Pattern[str]
    signature: re.Pattern[str]


@cache
def inner_phrases(language: Language) -> InnerPhrases:
    """The expressions of a language."""
    born = language.phrases(Meaning.BORN, Place.INSIDE)
    spouse_of = language.phrases(Meaning.SPOUSE_OF, Place.INSIDE)
    called = language.phrases(Meaning.CALLED, Place.INSIDE)
    particle = any_of(language.particles(ParticleUse.SIGNATURE))
    return InnerPhrases(
        re.compile(rf"\(?\s*\b{born}\s+(?P<rest>[^()]+?)\s*\)?$", re.IGNORECASE),
        re.compile(rf"\(?\s*(?<!\w){spouse_of}\s+(?P<rest>[^()]+?)\s*\)?$", re.IGNORECASE),
        re.compile(rf"[,(]?\s*\b{called}\s*:?\s+\"?(?P<rest>[^()\"]+?)\"?\s*\)?$", re.IGNORECASE),
        re.compile(rf"[A-Z]{{1,3}}{particle}[A-Z]{{1,2}}"),
    )
