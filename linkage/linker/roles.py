"""Names alone in every role that they may have: "Aart" and "Aert" as given names, and as surnames.

A word without any text around it is read by the lists, which may have one name of a pair as a given name
and the other as a surname. Two forms of one name have one role, so each role that both may have is judged,
and weighs as much as people bear both words in it. A surname that is made of the other name ("Jan" and
"Jansen") is not held to share a role with it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from linkage.gazetteer import Gazetteer
from linkage.linker.scoring import PairScorer, Probabilities
from linkage.names.words import WordReader
from linkage.records import PersonName

_MOST_SURE: Final = 50  # of so many bearers of a word one has it in the other role: no list is complete


class Role(StrEnum):
    """The part that a name of one part is."""

    GIVEN = "given"
    FAMILY = "family"


@dataclass(frozen=True, slots=True)
class LoneName:
    """A name of one part. given_share: chance in [0, 1] that it is a given name; 0 or 1 where it is told."""

    text: str = field(repr=False)
    given_share: float

    @classmethod
    def of(cls, text: str, name: PersonName, given_share: Callable[[str], float]) -> "LoneName | None":
        """The name as written, and as it was read; None where it has more than one part.

        A single word may be either, by the share that given_share has of it. More words tell their role:
        "mevrouw Thomas", "Jan Pieter". A particle is a part: "van Dijk" has two.
        """
        part = _only_part(name)
        if part is None:
            return None
        if len(text.split()) > 1:
            return cls(part, float(name.given is not None))
        return cls(part, min(max(given_share(part), 1 / _MOST_SURE), 1 - 1 / _MOST_SURE))

    def share(self, role: Role) -> float:
        """Chance in [0, 1] that the name has this role."""
        return self.given_share if role is Role.GIVEN else 1 - self.given_share

    @property
    def is_rather_given(self) -> bool:
        """Whether more people bear it as a given name than as a surname, or as many."""
        return self.share(Role.GIVEN) >= self.share(Role.FAMILY)

    def read_as(self, role: Role) -> PersonName:
        return PersonName(given=self.text) if role is Role.GIVEN else PersonName(family=self.text)


@dataclass(frozen=True, slots=True)
class LonePair:
    """Two names alone."""

    left: LoneName
    right: LoneName
    is_patronymic: bool = False  # one is a surname that was made of the other

    @classmethod
    def of(cls, left: LoneName, right: LoneName, patronymic_endings: Collection[str]) -> "LonePair":
        """The pair, with whether one name is rather a surname, made of the other, rather a given name."""
        given, family = sorted((left, right), key=lambda name: len(name.text))
        start, word = given.text.casefold(), family.text.casefold()
        is_made = word.startswith(start) and word.removeprefix(start) in patronymic_endings
        told_apart = given.is_rather_given and not family.is_rather_given
        return cls(left, right, is_made and told_apart)

    def weight(self, role: Role) -> float:
        """Chance in [0, 1] that both names have this role, given that they have one role together; 0 if they
        have none. Of a patronymic pair it is the chance that both have it, whatever else they may have.
        """
        both = {one: self.left.share(one) * self.right.share(one) for one in Role}
        whole = 1.0 if self.is_patronymic else sum(both.values())
        return both[role] / whole if whole else 0.0

    @property
    def likeliest(self) -> Role:
        """The role that both most likely have."""
        return max(Role, key=self.weight)

    def read(self) -> tuple[PersonName, PersonName]:
        """Both in their likeliest role."""
        return self.left.read_as(self.likeliest), self.right.read_as(self.likeliest)


@dataclass(frozen=True, slots=True)
class RoleReader:
    """Reads names alone in a language. given_share: chance in [0, 1] that a word is a given name."""

    given_share: Callable[[str], float]
    patronymic_endings: Collection[str]

    @classmethod
    def of(cls, gazetteer: Gazetteer) -> "RoleReader":
        """A reader by the lists and the grammar of a language."""
        return cls(WordReader(gazetteer).given_share, gazetteer.language.grammar.patronymic_endings)

    def pair(self, left: str, right: str, names: Mapping[str, PersonName]) -> LonePair | None:
        """The two as names alone that have a role in common; None if they are no such pair.

        names: both by their text, as they were parsed.
        """
        one, other = (LoneName.of(text, names[text], self.given_share) for text in (left, right))
        if one is None or other is None:
            return None
        pair = LonePair.of(one, other, self.patronymic_endings)
        return pair if any(pair.weight(role) for role in Role) else None


def probabilities_of_roles(pairs: Sequence[LonePair], scorer: PairScorer) -> Probabilities:
    """Match probability of each pair in [0, 1], over the roles that both names may have; NaN if none can be
    compared. No filter looks first.
    """
    weighed, weights = np.zeros(len(pairs)), np.zeros(len(pairs))
    for role in Role:
        rows = [row for row, pair in enumerate(pairs) if pair.weight(role) > 0]
        if not rows:
            continue
        position: dict[PersonName, int] = {}
        sides = [
            np.array(
                [position.setdefault(name.read_as(role), len(position)) for name in names], dtype=np.int64
            )
            for names in ([pairs[row].left for row in rows], [pairs[row].right for row in rows])
        ]
        judged = scorer.table(list(position)).every_probability(*sides)
        weight = np.array([pairs[row].weight(role) for row in rows])
        is_known = ~np.isnan(judged)
        weighed[rows] += np.where(is_known, judged, 0.0) * weight
        weights[rows] += np.where(is_known, weight, 0.0)
    is_made = np.array([pair.is_patronymic for pair in pairs], dtype=bool)
    whole = np.where(is_made & (weights > 0), 1.0, weights)
    found = np.full(len(pairs), np.nan)
    np.divide(weighed, whole, out=found, where=whole > 0)
    return found


def _only_part(name: PersonName) -> str | None:
    """The given names, or the surname, of a name without anything else; particles count as more."""
    kept = [part for part in name.parts() if part]
    return kept[0] if len(kept) == 1 and kept[0] in (name.given, name.family) else None
