"""Names of several words that detectors cut in two: "Willem baron van Heemstra tot Dorth", "Ni Made Ayu".

A title of nobility between given and family name, an estate behind it, and words that only open a name say
where it begins and ends.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.language.people import TitleWord
from linkage.recognition.words import NameKnowledge
from linkage.records import Span
from linkage.spans import SpanCover

_WORD: Final = r"[A-ZÀ-Þ][\w]*(?:['’-]\w+)*"
_INITIALS: Final = r"(?:[A-ZÀ-Þ][a-z]?\.[ -]?)+"
_WRITTEN: Final = re.compile(r"\S+")
_MOST_GIVEN: Final = 4  # given names before a title of nobility
_MOST_OPENED: Final = 5  # words behind one that opens a name


class _Patterns(NamedTuple):
    """between: given names as group 1, title, family name. titled: title, and a name with its estate as group
    1. opened: a name from a word that opens it on. ranked: the same of a mark and a name by birth."""

    between: re.Pattern[str]
    titled: re.Pattern[str]
    opened: re.Pattern[str]
    ranked: re.Pattern[str]


@cache
def _patterns(language: Language) -> _Patterns:
    noble = [title for title in language.titles if title.category == "noble"]
    middle = any_of(_forms(noble, "mid"))
    any_title = any_of(_forms(language.titles, "pre") | _forms(noble, "mid"))
    before = any_of(_forms(noble, "pre") | _forms(noble, "mid"))
    particles = any_of(language.particles(ParticleUse.NO_GIVEN))
    joints = any_of(language.name_frames.get("estate_joint", ()))
    family = rf"(?:(?i:{particles})\s)*{_WORD}(?:[ -](?:(?i:{particles})\s)*{_WORD}){{0,3}}"
    estate = (
        rf"\s{joints}\s(?:(?:{particles})\s)*{_WORD}(?:(?:\sen)?\s{joints}\s(?:(?:{particles})\s)*{_WORD})?"
    )
    given = rf"(?:{_INITIALS}|{_WORD})(?:\s(?:{_INITIALS}|{_WORD})){{0,{_MOST_GIVEN - 1}}}"
    openings = any_of(map(_as_opening, language.name_frames.get("opens_name", ())))
    marks = any_of(map(_as_opening, language.name_frames.get("birth_mark", ())))
    births = any_of(map(_as_opening, language.name_frames.get("birth_name", ())))
    opened = rf"(?:\s(?:(?:{particles})\s)?{_WORD}){{1,{_MOST_OPENED}}}"
    return _Patterns(
        re.compile(rf"(?<![\w.-])({given})\s?(?:{middle})\s{family}(?:{estate})?(?![\w-])"),
        re.compile(
            rf"(?<![\w-])(?i:{before})\.?\s(?:(?:{any_title})\.?\s)*"
            rf"((?:{_INITIALS}\s?)?{family}{estate})(?![\w-])"
        ),
        re.compile(rf"(?<![\w-])(?:{openings}){opened}(?![\w-])"),
        re.compile(rf"(?<![\w.-])(?:{marks})\s(?:{births})(?!\w)(?:{opened})?(?![\w-])"),
    )


def _forms(titles: "list[TitleWord] | tuple[TitleWord, ...]", position: str) -> set[str]:
    return {title.bare for title in titles if title.position == position}


def _as_opening(phrase: str) -> str:
    return " ".join(word.capitalize() for word in phrase.split())


def whole_names(text: str, language: Language, knowledge: NameKnowledge) -> Iterator[Span]:
    """The spans in text of names that hold a title of nobility or an estate, or that begin with a word that
    only opens names; they may overlap.
    """
    patterns = _patterns(language)
    with_title: list[Span] = []
    for found in patterns.between.finditer(text):
        words = list(_WRITTEN.finditer(text, found.start(1), found.end(1)))
        are_given = [_is_given(word[0], knowledge) for word in words]
        first = are_given.index(True) if True in are_given else len(words)
        if first < len(words) and all(are_given[first:]):
            with_title.append(Span(words[first].start(), found.end()))
    yield from with_title
    cover = SpanCover(with_title)
    for found in patterns.titled.finditer(text):
        span = Span(found.start(1), found.end(1))
        if not cover.overlaps(span):
            yield span
    for pattern in (patterns.opened, patterns.ranked):
        for found in pattern.finditer(text):
            yield Span(found.start(), found.end())


def _is_given(word: str, knowledge: NameKnowledge) -> bool:
    if knowledge.is_particle(word):
        return False
    return "." in word or all(knowledge.is_given_name(part) for part in word.split("-") if part)
