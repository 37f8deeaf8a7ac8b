"""Names to invent people from: taken from the lists that may ship, chosen so that none is part of another.

No word of the pool is a substring of another word of the pool, so that no invented person's name can stand
inside another one's. Ordinary words, places and organisations are left out: a text must read well, and a
name in it must be seen to be one.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Protocol

from linkage.records import Gender, fold
from pseudonymizer.errors import SettingsError

_SHORTEST: Final = 4
_LONGEST: Final = 11
_LEAST_BEARERS: Final = 30
_RESERVED_OF: Final = 5  # one word in so many is kept for double names


class GivenEntry(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def gender(self) -> Gender | None: ...
    @property
    def frequency(self) -> int: ...


class FamilyEntry(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def particles(self) -> tuple[str, ...]: ...


class ShippedLists(Protocol):
    """What the pool asks of a gazetteer."""

    @property
    def given_names(self) -> Mapping[str, GivenEntry]: ...
    @property
    def surnames(self) -> Mapping[str, FamilyEntry]: ...
    def is_given_name(self, text: str) -> bool: ...
    def is_word(self, text: str) -> bool: ...
    def is_place(self, text: str) -> bool: ...
    def is_organisation(self, text: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class FamilyWord:
    """A family name without particle, and the particles it is known with."""

    word: str
    particles: tuple[str, ...] = ()


def is_reserved(word: str) -> bool:
    """Whether a word stands in double names only. Told by the word, so that it holds for any edition of the
    lists.
    """
    return zlib.crc32(fold(word).encode()) % _RESERVED_OF == 0


@dataclass(frozen=True)
class NamePool:
    """given: names by the gender that bears them; families. All in the order of the alphabet."""

    given: Mapping[Gender, tuple[str, ...]] = field(repr=False)
    families: tuple[FamilyWord, ...] = field(repr=False)

    @classmethod
    def of(cls, lists: ShippedLists) -> "NamePool":
        """Raises SettingsError where lists have too few names to invent anybody."""
        given = {
            entry.name: entry.gender
            for entry in lists.given_names.values()
            if entry.gender is not None and entry.frequency >= _LEAST_BEARERS and _fits(entry.name, lists)
        }
        families = {
            entry.name: FamilyWord(entry.name, entry.particles)
            for entry in lists.surnames.values()
            if _fits(entry.name, lists) and not lists.is_given_name(entry.name)
        }
        kept = _none_inside_another({*given, *families})
        by_gender: dict[Gender, list[str]] = {gender: [] for gender in Gender}
        for name in sorted(given):
            if name in kept:
                by_gender[given[name]].append(name)
        chosen = tuple(families[name] for name in sorted(families) if name in kept)
        pool = cls({gender: tuple(names) for gender, names in by_gender.items()}, chosen)
        if not pool.families or not any(pool.given.values()):
            raise SettingsError("the name lists hold too few names to draw surrogates from")
        return pool

    def given_for(self, gender: Gender | None) -> tuple[str, ...]:
        """Names for a person of this gender; where it is unknown, names for both go first."""
        if gender in (Gender.FEMALE, Gender.MALE):
            return self.given[gender]
        return self.given[Gender.BOTH] or self._all_given

    @cached_property
    def _all_given(self) -> tuple[str, ...]:
        return tuple(sorted(name for names in self.given.values() for name in names))

    def any_given(self, gender: Gender | None) -> tuple[str, ...]:
        """All that a person of this gender may be called when the first choice is used up."""
        if gender in (Gender.FEMALE, Gender.MALE):
            return self.given[gender] + self.given[Gender.BOTH]
        return self._all_given

    @cached_property
    def bare(self) -> tuple[FamilyWord, ...]:
        """Families that are known without a particle."""
        return tuple(family for family in self.families if not family.particles)

    @cached_property
    def by_particle(self) -> Mapping[str, tuple[FamilyWord, ...]]:
        found: dict[str, list[FamilyWord]] = {}
        for family in self.families:
            for particle in family.particles:
                found.setdefault(particle, []).append(family)
        return {particle: tuple(families) for particle, families in found.items()}

    @cached_property
    def _particles(self) -> Mapping[str, tuple[str, ...]]:
        return {family.word: family.particles for family in self.families}

    def particles_of(self, word: str) -> tuple[str, ...]:
        """The particles that a family name is known with."""
        return self._particles.get(word, ())


def _fits(name: str, lists: ShippedLists) -> bool:
    return (
        _SHORTEST <= len(name) <= _LONGEST
        and name.isascii()
        and name.isalpha()
        and name == name.capitalize()
        and not (lists.is_word(name) or lists.is_place(name) or lists.is_organisation(name))
    )


def _none_inside_another(names: Iterable[str]) -> set[str]:
    """The names without those that hold a shorter one."""
    kept: dict[str, str] = {}
    for name in sorted(names, key=lambda n: (len(n), n)):
        word = name.lower()
        last = len(word) + 1
        inside = (
            word[start:end] for start in range(last - _SHORTEST) for end in range(start + _SHORTEST, last)
        )
        if not any(part in kept for part in inside):
            kept[word] = name
    return set(kept.values())


class InventedNames:
    """The lists that names are invented from, read when they are first needed, once."""

    def __init__(self, load: Callable[[], ShippedLists]) -> None:
        self._load = load

    @cached_property
    def lists(self) -> ShippedLists:
        return self._load()

    @cached_property
    def pool(self) -> NamePool:
        return NamePool.of(self.lists)
