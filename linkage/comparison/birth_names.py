"""Double surnames with one partner's name and two names by birth: Postma-Bakker is not Postma-Visser."""

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from linkage.comparison.forms import FormTable
from linkage.comparison.words import Integers, name_letters
from linkage.records import PersonName, fold

_LONG = 6  # letters from which two errors make no other name; one from four


def birth_names_contradict(forms: FormTable, left: Integers, right: Integers) -> npt.NDArray[np.bool_]:
    """For pairs of rows, whether they share the partner's name and no spelling of the name by birth.

    Another partner's name contradicts nothing: people marry twice.
    """
    result = np.zeros(len(left), dtype=bool)
    for row in np.flatnonzero(forms.has_partner[left] & forms.has_partner[right]).tolist():
        result[row] = _contradict(forms.names[int(left[row])], forms.names[int(right[row])])
    return result


def _contradict(left: PersonName, right: PersonName) -> bool:
    partner, birth = (
        _spellings(left.partner_particle, left.partner_family),
        _spellings(left.particle, left.family),
    )
    other_partner = _spellings(right.partner_particle, right.partner_family)
    other_birth = _spellings(right.particle, right.family)
    if not birth or not other_birth or not _meet(partner, other_partner):
        return False
    return not (_meet(birth, other_birth) or _meet(birth, other_partner) or _meet(partner, other_birth))


def _spellings(particle: str | None, family: str | None) -> frozenset[str]:
    """A surname as letters: whole, with its particle, and its words of four letters or more."""
    if family is None:
        return frozenset()
    words = (word for word in fold(family).split() if len(word) >= 4)
    found = (name_letters(text) for text in (family, f"{particle or ''} {family}", *words))
    return frozenset(letters for letters in found if letters)


def _meet(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return any(_is_spelt_alike(a, b) for a in mine for b in theirs)


def _is_spelt_alike(left: str, right: str) -> bool:
    length = max(len(left), len(right))
    return OSA.distance(left, right) <= (2 if length >= _LONG else 1 if length >= 4 else 0)
