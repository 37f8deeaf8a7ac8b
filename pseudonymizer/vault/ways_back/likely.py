"""People who have another name than the one that is looked up, and may be meant by it all the same."""

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from pseudonymizer.vault.api import NameJudge
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import people
from pseudonymizer.vault.rows.forms import LITERAL_MARK, Mark, SurfaceForm
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_LEAST: Final = 0.5  # probability from which somebody is told; set: a request must not miss its person
_MOST: Final = 50  # people that are told
_ALL_JUDGED: Final = 20_000  # spellings; of more, those alone that share a word with the name


def likely_others(
    vault: OpenVault, keys: ProjectKeys, name: str, owners: Collection[int], judge: NameJudge
) -> Mapping[int, float]:
    """The people of a project, without owners, of whom a name may be the given one's person's, each with the
    highest probability of their names.
    """
    people_of: dict[str, set[int]] = defaultdict(set)
    for number, facts in people.facts_in_project(vault, keys):
        if number in owners or Mark(LITERAL_MARK) in facts:
            continue
        for fact in facts:
            if isinstance(fact, SurfaceForm) and any(map(str.isalpha, fact.surface)):
                people_of[" ".join(fact.surface.split())].add(number)
    spellings = sorted(people_of)
    if len(spellings) > _ALL_JUDGED:
        words = _words(name)
        spellings = [spelling for spelling in spellings if words & _words(spelling)]
    if not spellings:
        return {}
    found: dict[int, float] = {}
    for spelling, probability in zip(spellings, judge(name, spellings), strict=True):
        if probability >= _LEAST:
            for number in people_of[spelling]:
                found[number] = max(found.get(number, 0.0), probability)
    best = sorted(found, key=lambda number: (-found[number], number))[:_MOST]
    return {number: found[number] for number in best}


def folded(text: str) -> str:
    """The text as names are compared: in one case, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(text.replace("-", " ")).split())
