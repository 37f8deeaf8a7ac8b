"""Distinct name forms and their parts, and the candidate pairs of both."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, permutations

from linkage.blocking.keys import deletion_keys, gram_keys, sound_key
from linkage.blocking.pairs import (
    Indexes,
    composite_pairs,
    divided_keys,
    meeting_pairs,
    rarest_keys,
    sharing_pairs,
)
from linkage.kept_words import remembered
from linkage.records import PersonName
from linkage.records import fold as fold_once

fold = remembered(500_000)(fold_once)  # parts recur in many forms
Variants = Callable[[str], Iterable[str]]  # folded given name -> folded variants that the lexicon knows
RARE_GRAMS = 3
_SHORTEST_WORD = 4
LARGEST_FORM_BLOCK = 150  # forms with one word in common, which say little by that
LARGEST_MEETING = 100  # pairs of forms that two similar parts bring together, whatever else the forms have
_LONG_WORD, _LONG_SOUND = 6, 5  # letters of a word that says enough by its sound alone, and of that sound


@dataclass(frozen=True)
class PartTable:
    """Distinct folded parts of one role, given names or surnames, in sorted order."""

    parts: tuple[str, ...] = field(repr=False)
    max_block_size: int = 2_000
    with_gram: Mapping[str, int] | None = field(default=None, repr=False)  # parts of a larger corpus

    @cached_property
    def number_of(self) -> dict[str, int]:
        return {part: number for number, part in enumerate(self.parts)}

    def candidate_pairs(self, variants: Variants | None = None) -> Iterator[tuple[Indexes, Indexes]]:
        """Batches of pairs of part numbers, left < right, each pair once.

        Keys: sound; the letters with one left out; the rarest trigrams; and, as proposals of the lexicon, a
        key for every variant that is itself among the parts.
        """
        rare = rarest_keys([gram_keys(part) for part in self.parts], RARE_GRAMS, self.with_gram)
        keys: list[list[str]] = []
        for number, part in enumerate(self.parts):
            found = [*part_keys(part), *(f"g{gram}" for gram in rare[number])]
            if variants is not None:
                found += variant_keys(part, (v for v in variants(part) if v in self.number_of))
            keys.append(found)
        further = [partial(_divided_part, self.parts, division) for division in PART_DIVISIONS]
        return sharing_pairs(divided_keys(keys, further, max_block_size=self.max_block_size))


@dataclass(frozen=True)
class BlockedForms:
    """Distinct forms of names, with the tables of their parts.

    A form may have several parts of a role: two surnames, and given names that are each a call name.
    given_with_gram, families_with_gram: how many parts of a larger corpus have a trigram.
    """

    names: Sequence[PersonName] = field(repr=False)
    max_block_size: int = 2_000
    given_with_gram: Mapping[str, int] | None = field(default=None, repr=False)
    families_with_gram: Mapping[str, int] | None = field(default=None, repr=False)

    @cached_property
    def given_parts(self) -> tuple[tuple[str, ...], ...]:
        return tuple(given_parts(name) for name in self.names)

    @cached_property
    def family_parts(self) -> tuple[tuple[str, ...], ...]:
        return tuple(family_parts(name) for name in self.names)

    @cached_property
    def given(self) -> PartTable:
        distinct = tuple(sorted({p for parts in self.given_parts for p in parts}))
        return PartTable(distinct, self.max_block_size, self.given_with_gram)

    @cached_property
    def family(self) -> PartTable:
        distinct = tuple(sorted({p for parts in self.family_parts for p in parts}))
        return PartTable(distinct, self.max_block_size, self.families_with_gram)

    def candidate_pairs(
        self, similar_given: dict[int, list[int]], similar_family: dict[int, list[int]]
    ) -> Iterator[tuple[Indexes, Indexes]]:
        """Batches of pairs of full forms (given and family name), left < right; a pair may come twice.

        similar_given and similar_family map a part's number to those of parts like it, symmetric. Forms that
        are alike in one part alone come only where few have these parts: a nickname beside another surname.
        """
        given = [[self.given.number_of[p] for p in parts] for parts in self.given_parts]
        family = [[self.family.number_of[p] for p in parts] for parts in self.family_parts]
        yield from composite_pairs(family, given, similar_family, similar_given)
        is_full = [bool(a and b) for a, b in zip(given, family, strict=True)]
        for parts_of, similar in ((given, similar_given), (family, similar_family)):
            held = [parts if full else [] for parts, full in zip(parts_of, is_full, strict=True)]
            yield from meeting_pairs(held, similar, largest=LARGEST_MEETING)
        keys = [word_keys(name) for name in self.names]
        further = [partial(_divided_name, self.names, division) for division in FORM_DIVISIONS]
        yield from sharing_pairs(divided_keys(keys, further, max_block_size=LARGEST_FORM_BLOCK))


def part_keys(part: str) -> list[str]:
    """Keys that a part has by itself: its sound, and its letters with one left out."""
    return [f"s{sound_key(part)}", *(f"d{key}" for key in deletion_keys(part))]


def variant_keys(part: str, variants: Iterable[str]) -> list[str]:
    """Keys under which a given name meets its variants; variants are those among the parts."""
    return [f"v{part}", *(f"v{variant}" for variant in variants)]


# What divides blocks that are too large, in turn: further keys of a part, and of a form.
PART_DIVISIONS: tuple[Callable[[str], tuple[str, ...]], ...] = (
    lambda part: (part[:1],),
    lambda part: (str(len(part) // 3), str((len(part) + 1) // 3)),
    lambda part: (part[-2:],),
)
FORM_DIVISIONS: tuple[Callable[[PersonName], tuple[str, ...]], ...] = (
    lambda name: (sound_key(fold(name.given or ""))[:2],),
    lambda name: (sound_key(fold(name.family or ""))[:3],),
)


def _divided_part(
    parts: Sequence[str], division: Callable[[str], tuple[str, ...]], number: int
) -> tuple[str, ...]:
    return division(parts[number])


def _divided_name(
    names: Sequence[PersonName], division: Callable[[PersonName], tuple[str, ...]], number: int
) -> tuple[str, ...]:
    return division(names[number])


def given_parts(name: PersonName) -> tuple[str, ...]:
    """Folded given names of a name: the whole, its words, the nickname."""
    whole = fold(name.given) if name.given else ""
    parts = [whole, *whole.split()] if whole else []
    if name.nickname:
        parts.append(fold(name.nickname))
    return tuple(dict.fromkeys(parts))


def family_parts(name: PersonName) -> tuple[str, ...]:
    """Folded surnames of a name, with and without particle, and their longer words."""
    parts: list[str] = []
    for particle, family in ((name.particle, name.family), (name.partner_particle, name.partner_family)):
        if family:
            parts.append(fold(family))
            words = fold(family).split()
            if len(words) > 1:  # a surname of several words may be shortened to one of them
                parts += [word for word in words if len(word) >= _SHORTEST_WORD]
            if particle:
                parts.append(fold(particle + family).replace(" ", ""))
    if name.family and name.partner_family:
        parts.append(f"{fold(name.partner_family)} {fold(name.family)}")
    return tuple(dict.fromkeys(part for part in parts if part))


def word_keys(name: PersonName) -> tuple[str, ...]:
    """Keys in which order and spaces fall away, keys of one part with a glimpse of the other, and of words.

    Words are taken whatever part they were read as: a second given name may be a surname elsewhere.
    """
    if not (name.given and name.family):
        return ()
    given, family, partner = fold(name.given), fold(name.family), fold(name.partner_family or "")
    every = _words(given, family, partner, fold(name.nickname or ""))
    parts = [given, fold(name.particle or ""), family, fold(name.partner_particle or ""), partner]
    text = " ".join(part for part in (*parts[:3], partner) if part)
    keys = [
        " ".join(sorted(text.split())),
        "".join(sorted(text.replace(" ", ""))),
        f"f{family}",  # either way round: lists write the surname first
        f"f{given}",
        f"s{sound_key(family)}|{given[:1]}",
        f"s{sound_key(given)}|{family[:1]}",
    ]
    # A word broken in two, in one part or read as given name and surname.
    broken = ["".join(parts).replace(" ", ""), *(part.replace(" ", "") for part in parts if " " in part)]
    for word in every:
        if len(word) >= _SHORTEST_WORD:
            keys.append(f"w{word}")
        if len(word) >= _LONG_WORD and len(sound := sound_key(word)) >= _LONG_SOUND:
            keys.append(f"l{sound}")
    for word in (*every, *broken):
        if len(word) > _SHORTEST_WORD:  # one letter left out: a misspelt word beside any other words
            keys += [f"d{key}" for key in deletion_keys(word)]
        elif len(word) == _SHORTEST_WORD:  # as what is left of a longer one
            keys.append(f"d{word}")
    keys += [f"b{first[:2]}|{second[:2]}" for first, second in combinations(sorted(every), 2)]
    for word, other in permutations(every, 2):
        if len(word) > 2:
            keys.append(f"s{sound_key(word)}|{other[0]}")
        if len(word) >= _SHORTEST_WORD:
            keys.append(f"e{word[-3:]}|{other[:2]}")
    return tuple(keys)


def _words(*parts: str) -> tuple[str, ...]:
    """Words of folded parts but single letters, each once."""
    return tuple(dict.fromkeys(word for part in parts for word in part.split() if len(word) > 1))


def neighbours(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Symmetric adjacency of pairs."""
    found: dict[int, list[int]] = defaultdict(list)
    for left, right in pairs:
        found[left].append(right)
        found[right].append(left)
    return found
