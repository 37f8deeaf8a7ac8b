"""How likely two people with the same surname and initials are to be one, by how common the surname is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

COMMON_SHARE = 4e-4  # from here up a surname counts among the commonest: about the first two hundred


@dataclass(frozen=True, slots=True)
class Rarity:
    """surname_shares maps each folded surname of the corpus, without particle, to its share of people."""

    surname_shares: Mapping[str, float] = field(repr=False)
    circle: int = 10_000  # people among whom those of a corpus may be thought to have been drawn

    def surname_share(self, family: str) -> float:
        return self.surname_shares.get(family, 0.0)

    def match_probability(self, family: str, letters: tuple[str, ...]) -> float:
        """Probability in (0, 1] that two bearers of this surname and these initials are one person.

        1 / (1 + expected further bearers in the circle). letters may be empty: the surname alone.
        """
        expected = self.circle * self.surname_share(family)
        for letter in letters[:3]:
            expected *= _LETTER_SHARES.get(letter[:1], 0.02)
        return 1.0 / (1.0 + expected)


_LETTER_SHARES = {  # of given names in the Netherlands, rounded
    "j": 0.14, "m": 0.10, "a": 0.09, "c": 0.07, "h": 0.07, "g": 0.05, "p": 0.05, "e": 0.05, "r": 0.05,
    "s": 0.05, "w": 0.05, "t": 0.04, "l": 0.04, "b": 0.03, "d": 0.03, "f": 0.03, "i": 0.03,
    "k": 0.02, "n": 0.03,
}  # fmt: skip
