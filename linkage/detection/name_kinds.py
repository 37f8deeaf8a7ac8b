"""The kind of a name that the network found, where a word of the language tells it better."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from linkage.language import Language
from linkage.texts import KindId

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LONGEST_ENDING: Final = 4  # letters from which a word counts also as the end of a longer one
_OF_PLACES: Final = frozenset({"CITY", "REGION", "COUNTRY", "PLACE"})
_MAY_BE: Final[Mapping[str, frozenset[str]]] = {
    "CARE_PROVIDER": frozenset({"ORGANIZATION", "SCHOOL"}),
    "SCHOOL": frozenset({"ORGANIZATION", "CARE_PROVIDER"}),
    "PLACE": frozenset({"CITY", "REGION"}),
}
"""By kind of a word, the kinds that the network may have taken a name with this word for."""


def typed_kind(kind: KindId, text: str, language: Language) -> KindId:
    """The kind that the words of a name tell, else the kind that the network tells.

    A place that is a country or a region as a whole is one. A word such as "ziekenhuis" at either end of a
    name, or at the end of its words, tells the kind of an organization.
    """
    wholes, heads = _tables(language)
    bare = " ".join(text.casefold().split())
    if kind in _OF_PLACES and (whole := wholes.get(bare)) is not None:
        return KindId(whole)
    words = [word.casefold() for word in _WORD.findall(text)]
    for word in (*words[:1], *words[-1:]):
        head = heads.get(word) or next(
            (told for end, told in heads.items() if len(end) >= _LONGEST_ENDING and word.endswith(end)), None
        )
        if head is not None and kind in _MAY_BE[head]:
            return KindId(head)
    return kind


@lru_cache(maxsize=16)
def _tables(language: Language) -> tuple[Mapping[str, str], Mapping[str, str]]:
    return language.name_kinds("whole"), language.name_kinds("head")
