"""Relatives in a text: "mevrouw Bos en haar dochter Lotte Bos", "Wim is de vader van Wim" are two people."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from linkage.language import Language, Meaning, Place
from linkage.records import Mention

_REACH = 60  # characters before a name in which the word of kin is looked for
_WIDEST = 160  # characters from one relative to the other
_SET_OFF = re.compile(r"\s*[,:]\s*")
_CLOSES = re.compile(
    r"\s*(?:,|[.;]?\s*(?:\n|$))"
)  # "..., Jan Bos, belt"; in ", Jan Bos is 5" a clause begins


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases with a word of kin. of_theirs: whoever is "zijn zoon" is not the one named before."""

    of_theirs: re.Pattern[str]
    between: re.Pattern[str]
    kin_of: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    titles = language.slots["TITLES"]
    of_theirs = language.phrases(Meaning.KIN, Place.BEFORE)
    between = language.phrases(Meaning.KIN, Place.BETWEEN)
    kin_of = language.phrases(Meaning.KIN_OF, Place.BEFORE)
    return _Phrases(
        re.compile(rf"\b{of_theirs}\s+{titles}[\"'\u201c\u2018]?$", re.IGNORECASE),
        re.compile(rf"{between}\s+{titles}", re.IGNORECASE),
        re.compile(rf"\b{kin_of}\s+{titles}$", re.IGNORECASE),
    )


def relatives(
    text: str, mentions: Sequence[Mention], sentences: Sequence[int], language: Language
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions, sorted by span, of whom one is the other's relative.

    sentences are the offsets at which sentences after the first begin, ascending.
    """
    phrases = _phrases(language)
    pairs: set[tuple[int, int]] = set()
    for index in range(1, len(mentions)):
        last, span = mentions[index - 1].span, mentions[index].span
        if span.start - last.end > _WIDEST:
            continue
        gap = text[last.end : span.start]
        tells = (
            phrases.between.fullmatch(gap)
            # "de zoon van Piet Bos, Jan Bos"
            or (
                _SET_OFF.fullmatch(gap)
                and _CLOSES.match(text, span.end)
                and phrases.kin_of.search(text[max(0, last.start - _REACH) : last.start])
            )
            or (
                bisect_right(sentences, last.start) == bisect_right(sentences, span.start)
                and phrases.of_theirs.search(gap[-_REACH:])
            )
        )
        if tells:
            pairs.add((index - 1, index))
    return pairs
