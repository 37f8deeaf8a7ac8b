"""Relatives in a text: "mevrouw Bos en haar dochter Lotte Bos", "Wim is de vader van Wim" are two people."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from linkage.language import Language
from linkage.language.pack import any_of
from linkage.language.people import Use, used
from linkage.normalization.evidence import TITLES
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
    is_kin_of: re.Pattern[str]
    possessive: re.Pattern[str]
    kin_of: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    kin = (
        r"(?:(?:oud(?:st|er)e|jong(?:st|er)e|enige|andere|tweede|eerste|kleine|overleden|eigen)\s+)?"
        + any_of(used(language.people, Use.RELATIVE))
    )
    return _Phrases(
        re.compile(
            rf"\b(?:zijn|haar|hun|z'n|d'r|diens|wiens|wier)\s+{kin}\s+{TITLES}[\"'\u201c\u2018]?$",
            re.IGNORECASE,
        ),
        re.compile(
            rf"\s*(?:,|\(|\s(?:is|was|wordt|werd|blijkt))\s*(?:(?:de|het|een)\s+)?{kin}\s+van\s+{TITLES}",
            re.IGNORECASE,
        ),
        re.compile(rf"(?:'s|s|'|\s+z'n|\s+d'r)\s+{kin}\s+{TITLES}", re.IGNORECASE),
        re.compile(rf"\b{kin}\s+van\s+{TITLES}$", re.IGNORECASE),
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
            phrases.is_kin_of.fullmatch(gap)
            or phrases.possessive.fullmatch(gap)
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
