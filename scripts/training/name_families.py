"""Families of given names, and the fixed split by them: a whole family trains, calibrates or is held out.

A family is what pairs of variants hold together: Johannes, Jan, Hans and Hanneke. All pairs of all lists make
nearly one family of every name, so the firmest pairs join first, and no family grows beyond a bound. A pair
belongs to a part only if both its names do: pairs between families of two parts are in none.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from training.name_pairs import NamePair, part_of

SEED = "nymlink-families-1"
LARGEST = 150  # names of a family; 60 cuts 24 % of the pairs, 150 16 %, 400 11 %


@dataclass(frozen=True, slots=True)
class NameFamilies:
    """The family of each name that any list has a variant of, by the name that stands for it."""

    family_of: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(
        cls, pairs: Mapping[tuple[str, str], NamePair], negatives: Collection[tuple[str, str]] = ()
    ) -> "NameFamilies":
        """The families of these variant pairs, whatever their order; negatives: pairs that join nothing."""
        beside: dict[str, set[str]] = defaultdict(set)
        kept = [pair for key, pair in pairs.items() if key not in negatives]
        for pair in kept:
            beside[pair.left].add(pair.right)
            beside[pair.right].add(pair.left)

        def looseness(pair: NamePair) -> tuple[float, str, str]:
            """From the pair with most in common down: trusted, with further variants that both have."""
            left, right = beside[pair.left], beside[pair.right]
            shared = (1 + len(left & right)) / min(len(left), len(right))
            return -pair.weight * shared, pair.left, pair.right

        members = _Members(beside)
        for pair in sorted(kept, key=looseness):
            members.join(pair.left, pair.right)
        return cls({name: members.first(name) for name in sorted(beside)})

    def part_of(self, name: str) -> str:
        """Train, validation or test: the part of the whole family; a name without one has its own."""
        family = self.family_of.get(name)
        return part_of(name) if family is None else part_of(family, seed=SEED)


class _Members:
    """Names that grow together, up to LARGEST."""

    def __init__(self, names: Iterable[str]) -> None:
        self._group = {name: [name] for name in names}

    def join(self, left: str, right: str) -> None:
        mine, theirs = self._group[left], self._group[right]
        if mine is theirs or len(mine) + len(theirs) > LARGEST:
            return
        mine.extend(theirs)
        for name in theirs:
            self._group[name] = mine

    def first(self, name: str) -> str:
        return min(self._group[name])
