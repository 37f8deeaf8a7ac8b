"""Further given names and initials that contradict each other: J.P. and J.W., Jan Pieter and Jan Willem."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import JaroWinkler

from linkage.comparison.forms import FormTable
from linkage.comparison.lexicon import VariantKnowledge
from linkage.comparison.words import Integers, name_letters
from linkage.records import PersonName, fold

_ALIKE = 0.8  # Jaro-Winkler similarity from which a further name may be the other misspelt
Place = tuple[str, str]  # first letter and, where it is written out, the name


class FurtherNames:
    """Which pairs of forms agree in the first given name and contradict each other in a later one."""

    def __init__(self, forms: FormTable, knowledge: VariantKnowledge) -> None:
        self._forms = forms
        self._is_alike = lru_cache(maxsize=100_000)(_Likeness(knowledge))

    @cached_property
    def _has_several(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self._forms.initials[:, 1] > 0)

    @cached_property
    def _places(self) -> dict[int, tuple[Place, ...]]:
        return {}

    def contradict(self, left: Integers, right: Integers) -> npt.NDArray[np.bool_]:
        """For pairs of rows, whether they do; names that one form merely leaves out contradict nothing."""
        result = np.zeros(len(left), dtype=bool)
        for row in np.flatnonzero(self._has_several[left] & self._has_several[right]).tolist():
            mine, theirs = self._of(int(left[row])), self._of(int(right[row]))
            shorter, longer = sorted((mine, theirs), key=lambda places: (len(places), places))
            if mine != theirs and self._is_alike(shorter[0], longer[0]):
                result[row] = not _is_part_of(shorter, longer, self._is_alike)
        return result

    def _of(self, row: int) -> tuple[Place, ...]:
        found = self._places.get(row)
        if found is None:
            found = self._places[row] = places_of(self._forms.names[row])
        return found


def places_of(name: PersonName) -> tuple[Place, ...]:
    """First letter of each given name in order, with the name where it is written out, else ""."""
    words = [word for word in map(name_letters, (name.given or "").replace("-", " ").split()) if word]
    letters = [piece[0] for part in (name.initials or "").split(".") if (piece := fold(part))]
    if not letters:
        return tuple((word[0], word) for word in words)
    # Initials hold those of the given names, which open or close the row.
    opens = [word[0] for word in words] == letters[: len(words)]
    before = 0 if opens else len(letters) - len(words)
    written = {before + number: word for number, word in enumerate(words)}
    return tuple((letter, written.get(number, "")) for number, letter in enumerate(letters))


def _is_part_of(
    shorter: Sequence[Place], longer: Sequence[Place], is_alike: Callable[[Place, Place], bool]
) -> bool:
    """Whether all of the shorter row stand in the longer one, in order."""
    rest = iter(longer)
    return all(any(is_alike(place, other) for other in rest) for place in shorter)


class _Likeness:
    def __init__(self, knowledge: VariantKnowledge) -> None:
        self._knowledge = knowledge

    def __call__(self, left: Place, right: Place) -> bool:
        """Whether both may be one given name: the letter fits, or the names are spelt alike or variants."""
        (letter, word), (other_letter, other_word) = left, right
        if word and other_word:
            return (
                JaroWinkler.similarity(word, other_word) >= _ALIKE
                or other_word in self._variants(word)
                or word in self._variants(other_word)
                or not self._full_forms(word).isdisjoint(self._full_forms(other_word))
            )
        if letter == other_letter:
            return True
        variants = self._variants(word or other_word)
        return (other_letter if word else letter) in {variant[0] for variant in variants}

    def _variants(self, word: str) -> frozenset[str]:
        """The listed variants of a name, and the full forms that it is short for."""
        if not word:
            return frozenset()
        listed = (name_letters(variant.name) for variant in self._knowledge.variants(word))
        return frozenset(name for name in listed if name) | self._full_forms(word)

    def _full_forms(self, word: str) -> frozenset[str]:
        names = map(name_letters, self._knowledge.full_forms(word))
        return frozenset(name for name in names if name)
