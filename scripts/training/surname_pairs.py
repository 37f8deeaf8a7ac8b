"""Pairs of lone surnames: one name misspelt or in another spelling, against other names that are borne."""

import random
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from linkage.comparison.words import name_letters
from linkage.records import PersonName
from training.given_training import HARD_FROM
from training.person_pairs import SECOND_ERROR, NameStock, misspelt, respelled

_MISSPELT, _RESPELLED = 0.5, 0.15  # shares of the pairs of one name; the rest are listed variants
_LISTED_WEIGHT = 0.5  # lists of variants hold names that are borne by different families
_OTHER_WEIGHT = 2.5  # among the surnames of a corpus that look alike, most are other names
_TRIES = 300  # other names looked at to find one that looks alike


@dataclass(frozen=True, slots=True)
class SurnamePair:
    left: PersonName = field(repr=False)
    right: PersonName = field(repr=False)
    is_same: bool
    weight: float = 1.0


def surname_pairs(
    stock: NameStock, listed: Collection[tuple[str, str]], *, count: int, seed: int
) -> list[SurnamePair]:
    """Half of them one name, half two names, of which half look alike; listed: variants, as letters.

    Names are drawn by the square root of how often they are borne, so that rare ones count too.
    """
    chance = random.Random(seed)
    names, borne = stock.surnames
    weights = [number**0.5 for number in borne]
    variants = sorted(listed)
    related = set(variants)
    found: list[SurnamePair] = []
    drawn = chance.choices(names, weights, k=count)
    for number, (particle, surname) in enumerate(drawn):
        kind = chance.random()
        weight = 1.0
        if number % 2:
            weight = _OTHER_WEIGHT
            other = _other(surname, names, weights, related, chance, alike=number % 4 == 1)
            if other is None:
                continue
        elif kind < _MISSPELT:
            other = particle, misspelt(surname, chance)
            if chance.random() < SECOND_ERROR:
                other = particle, misspelt(other[1], chance)
        elif kind < _MISSPELT + _RESPELLED:
            other = particle, respelled(surname, chance)
        elif variants:
            surname, spelling = chance.choice(variants)
            particle, other, weight = "", ("", spelling), _LISTED_WEIGHT
        else:
            continue
        if name_letters(other[1]) == name_letters(surname):
            continue
        # A particle is often left out, or the same beside another name.
        kept = particle if chance.random() < 0.7 else ""
        left = _name(particle, surname)
        right = _name(kept if number % 2 == 0 else other[0], other[1])
        found.append(SurnamePair(left, right, is_same=number % 2 == 0, weight=weight))
    return found


def _name(particle: str, surname: str) -> PersonName:
    return PersonName(particle=particle or None, family=surname)


def _other(
    surname: str,
    names: list[tuple[str, str]],
    weights: list[float],
    related: Collection[tuple[str, str]],
    chance: random.Random,
    *,
    alike: bool,
) -> tuple[str, str] | None:
    """Another borne surname that no list calls a variant; alike: the most alike of some."""
    own = name_letters(surname)
    drawn = chance.choices(names, weights, k=_TRIES if alike else 1)
    letters = [name_letters(name[1]) for name in drawn]
    scores = process.cdist([own], letters, scorer=JaroWinkler.similarity, dtype=np.float32)[0]
    for place in np.argsort(-scores, kind="stable").tolist():
        pair = (min(own, letters[place]), max(own, letters[place]))
        if own != letters[place] and pair not in related:
            return drawn[place] if not alike or scores[place] > HARD_FROM else None
    return None
