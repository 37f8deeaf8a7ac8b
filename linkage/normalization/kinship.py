"""Relatives in a text: "mevrouw Bos en haar dochter Lotte Bos", "Wim is de vader van Wim" are two people."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from linkage.normalization.evidence import TITLES
from linkage.records import Mention

_REACH = 60  # characters before a name in which the word of kin is looked for
_WIDEST = 160  # characters from one relative to the other
_WORDS = (
    "vrouw man echtgenoot echtgenote partner vriend vriendin vader moeder pa papa pap ma mama mam "
    "ouders zoon zoontje dochter dochtertje kind broer broertje zus zusje zuster tweelingbroer "
    "tweelingzus halfbroer halfzus oom tante opa oma grootvader grootmoeder overgrootvader neef "
    "neefje nicht nichtje kleinzoon kleindochter kleinkind schoonvader schoonmoeder schoonzoon "
    "schoondochter schoonbroer schoonzus schoonzusje zwager stiefvader stiefmoeder stiefzoon "
    "stiefdochter pleegvader pleegmoeder pleegzoon pleegdochter weduwe weduwnaar ex ex-man ex-vrouw "
    "buurman buurvrouw collega advocaat advocate huisarts baas chef naamgenoot"
)
_KIN = (
    r"(?:(?:oud(?:st|er)e|jong(?:st|er)e|enige|andere|tweede|eerste|kleine|overleden|eigen)\s+)?"
    rf"(?:{'|'.join(_WORDS.split())})"
)
# Whoever is "zijn zoon" is not the one whom the sentence has named before.
_OF_THEIRS = re.compile(
    rf"\b(?:zijn|haar|hun|z'n|d'r|diens|wiens|wier)\s+{_KIN}\s+{TITLES}[\"'\u201c\u2018]?$", re.IGNORECASE
)
_IS_KIN_OF = re.compile(
    rf"\s*(?:,|\(|\s(?:is|was|wordt|werd|blijkt))\s*(?:(?:de|het|een)\s+)?{_KIN}\s+van\s+{TITLES}",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(rf"(?:'s|s|'|\s+z'n|\s+d'r)\s+{_KIN}\s+{TITLES}", re.IGNORECASE)
_KIN_OF = re.compile(rf"\b{_KIN}\s+van\s+{TITLES}$", re.IGNORECASE)
_SET_OFF = re.compile(r"\s*[,:]\s*")
_CLOSES = re.compile(
    r"\s*(?:,|[.;]?\s*(?:\n|$))"
)  # "..., Jan Bos, belt"; in ", Jan Bos is 5" a clause begins


def relatives(text: str, mentions: Sequence[Mention], sentences: Sequence[int]) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions, sorted by span, of whom one is the other's relative.

    sentences are the offsets at which sentences after the first begin, ascending.
    """
    pairs: set[tuple[int, int]] = set()
    for index in range(1, len(mentions)):
        last, span = mentions[index - 1].span, mentions[index].span
        if span.start - last.end > _WIDEST:
            continue
        gap = text[last.end : span.start]
        tells = (
            _IS_KIN_OF.fullmatch(gap)
            or _POSSESSIVE.fullmatch(gap)
            # "de zoon van Piet Bos, Jan Bos"
            or (
                _SET_OFF.fullmatch(gap)
                and _CLOSES.match(text, span.end)
                and _KIN_OF.search(text[max(0, last.start - _REACH) : last.start])
            )
            or (
                bisect_right(sentences, last.start) == bisect_right(sentences, span.start)
                and _OF_THEIRS.search(gap[-_REACH:])
            )
        )
        if tells:
            pairs.add((index - 1, index))
    return pairs
