"""How likely two people with the same surname and initials are to be one, by how common the surname is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linkage.records import Beyond, PersonName

COMMON_SHARE = 4e-4  # from here up a surname counts among the commonest: about the first two hundred


@dataclass(frozen=True, slots=True)
class FormCounts:
    """The counts of Beyond, with the bearers by form."""

    bearers: Mapping[int, int]
    words: Mapping[str, int] = field(repr=False)
    marks: Mapping[str, int] = field(repr=False)

    @classmethod
    def of(cls, beyond: Beyond, number_of: Mapping[PersonName, int]) -> "FormCounts":
        """number_of: the form of each name; of names of one form the most bearers count."""
        bearers: dict[int, int] = {}
        for name, count in beyond.bearers.items():
            if (form := number_of.get(name)) is not None:
                bearers[form] = max(count, bearers.get(form, 0))
        return cls(bearers, beyond.words, beyond.marks)


@dataclass(frozen=True, slots=True)
class Rarity:
    """Shares of people: of each folded surname of the corpus, without particle, and of its given names.

    beyond: what a larger corpus has, of which this one is a part.
    """

    surname_shares: Mapping[str, float] = field(repr=False)
    given_shares: Mapping[str, float] = field(default_factory=dict, repr=False)
    circle: int = 10_000  # people among whom those of a corpus may be thought to have been drawn
    beyond: FormCounts | None = None

    def surname_share(self, family: str) -> float:
        return self.surname_shares.get(family, 0.0)

    def given_share(self, given: str) -> float:
        return self.given_shares.get(given, 0.0)

    def letters_share(self, letters: tuple[str, ...]) -> float:
        """Share of people whose given names begin with these letters; 1.0 for none."""
        share = 1.0
        for letter in letters[:3]:
            share *= _LETTER_SHARES.get(letter[:1], 0.02)
        return share

    def match_probability(self, family: str, letters: tuple[str, ...]) -> float:
        """Probability in (0, 1] that two bearers of this surname and these initials are one person.

        1 / (1 + expected further bearers in the circle). letters may be empty: the surname alone.
        """
        expected = self.circle * self.surname_share(family) * self.letters_share(letters)
        return 1.0 / (1.0 + expected)


_LETTER_SHARES = {  # of given names in the Netherlands, rounded
    "j": 0.14, "m": 0.10, "a": 0.09, "c": 0.07, "h": 0.07, "g": 0.05, "p": 0.05, "e": 0.05, "r": 0.05,
    "s": 0.05, "w": 0.05, "t": 0.04, "l": 0.04, "b": 0.03, "d": 0.03, "f": 0.03, "i": 0.03,
    "k": 0.02, "n": 0.03,
}  # fmt: skip
