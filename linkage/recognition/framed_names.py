"""Names that the words before them tell: account holders in capitals ("HR P DE ZOMER"), and family names with
a small particle behind a title of courtesy ("mw. da Silva Pereira").
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.recognition.words import NameKnowledge, names_something_else
from linkage.records import Span, fold

_CAPITALS: Final = r"[A-ZÀ-Þ][A-ZÀ-Þ'’]+"
_INITIALS: Final = r"(?:[A-ZÀ-Þ]\. ?|[A-ZÀ-Þ] ){1,5}"
_WORD: Final = r"[A-ZÀ-Þ][\w'’]*[a-zß-ÿ](?:-[A-ZÀ-Þ][\w'’]*[a-zß-ÿ])*"
_FURTHER: Final = re.compile(rf" ({_WORD})(?![\w-])")


class _Patterns(NamedTuple):
    """holder: a word that tells an account holder, and the name as group 1. further: what joins a holder to
    the one before, and the name. addressed: a title, the particle as group 1, a family name as group 2."""

    holder: re.Pattern[str]
    further: re.Pattern[str]
    addressed: re.Pattern[str]


@cache
def _patterns(language: Language) -> _Patterns:
    frames = language.name_frames
    listed = language.particles(ParticleUse.LISTED)
    particles = any_of(particle.upper() for particle in listed)
    words = any_of(word.upper() for word in frames.get("holder_before", ()))
    letters = any_of(word.upper() for word in frames.get("letters_before", ()))
    joints = any_of(word.upper() for word in frames.get("account_joint", ()))
    family = rf"(?:(?:{particles}) )*{_CAPITALS}(?:-(?:(?:{particles}) )*{_CAPITALS})*"
    name = rf"({_INITIALS}{family})(?![\w-])"
    titles = any_of(
        title.bare for title in language.titles if title.category == "courtesy" and title.position == "pre"
    )
    no_article = any_of(set(listed) - set(language.words("determiner")))
    return _Patterns(
        re.compile(rf"(?<![\w.-])(?:(?:{words})\.? |{letters} (?:(?:{words})\.? )?){name}"),
        re.compile(rf" (?:{joints}) (?:(?:{words})\.? )?{name}"),
        re.compile(rf"(?<![\w.-])(?i:{titles})\.? ({no_article}) ({_WORD})(?![\w-])"),
    )


def framed_names(text: str, language: Language, knowledge: NameKnowledge) -> Iterator[Span]:
    """The spans in text of account holders in capitals behind a word that tells them, and of family names
    behind a title of courtesy and a particle that is no article; they may overlap.
    """
    patterns = _patterns(language)
    read_to = 0
    for found in patterns.holder.finditer(text):
        holder: re.Match[str] | None = found if found.end() > read_to else None
        while holder is not None:
            yield Span(holder.start(1), holder.end(1))
            read_to = holder.end()
            holder = patterns.further.match(text, holder.end())
    for found in patterns.addressed.finditer(text):
        from_place = found[1] in language.words("place_before")
        if not _is_family(found[2], knowledge) or (
            from_place and names_something_else(found[2], knowledge, word=found[2], markers=())
        ):
            continue
        end = found.end()
        while (more := _FURTHER.match(text, end)) is not None and _is_only_family(more[1], knowledge):
            end = more.end()
        yield Span(found.start(1), end)


def _is_family(word: str, knowledge: NameKnowledge) -> bool:
    """Whether a word may be a family name behind a particle; an office is none."""
    if "role" in knowledge.cues.get(fold(word), ()):
        return False
    return knowledge.is_surname(word) or not knowledge.is_word(word.lower())


def _is_only_family(word: str, knowledge: NameKnowledge) -> bool:
    return knowledge.is_surname(word) and not knowledge.is_word(word.lower())
