"""How likely two people with the same surname and initials are to be one, by how common the surname is."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

# Own list, from general knowledge: the commonest Dutch and Flemish surnames (without particle), by rough number
# of bearers. Free lists hold no Dutch counts, so names outside it are estimated from how often the word is
# written at all.
_ABOVE_30_000 = frozenset(
    [
        "jong",
        "jansen",
        "vries",
        "berg",
        "bakker",
        "dijk",
        "visser",
        "janssen",
        "smit",
        "meijer",
        "meyer",
        "boer",
        "mulder",
        "groot",
        "bos",
        "vos",
        "peters",
        "hendriks",
        "leeuwen",
        "dekker",
        "brouwer",
        "peeters",
        "janssens",
        "maes",
        "wit",
        "dijkstra",
    ]
)
_ABOVE_10_000 = frozenset(
    [
        "smits",
        "graaf",
        "meer",
        "linden",
        "kok",
        "jacobs",
        "haan",
        "vermeulen",
        "heuvel",
        "veen",
        "broek",
        "bruijn",
        "bruin",
        "heijden",
        "schouten",
        "beek",
        "willems",
        "vliet",
        "ven",
        "hoekstra",
        "koster",
        "maas",
        "bosch",
        "wal",
        "verhoeven",
        "prins",
        "blom",
        "huisman",
        "peeters",
        "vries",
        "wijk",
        "postma",
        "kuiper",
        "kuipers",
        "leeuw",
        "gerritsen",
        "sanders",
        "jonge",
        "veenstra",
        "kramer",
        "post",
        "brink",
        "wolters",
        "evers",
        "timmermans",
        "scholten",
        "bosman",
        "driessen",
        "martens",
        "beekman",
        "dam",
        "linde",
        "molenaar",
        "velde",
        "velden",
        "ploeg",
        "hermans",
        "hofman",
        "hoek",
        "koning",
        "bosma",
        "schipper",
        "dongen",
        "wilde",
        "kuijpers",
        "zwart",
        "jager",
        "horst",
        "koopmans",
        "kroon",
        "willemsen",
        "bergen",
        "vink",
        "lange",
        "rooij",
        "eijk",
        "vogel",
        "wiel",
        "roos",
        "sande",
        "janse",
        "beer",
        "boogaard",
        "gelder",
        "hofstra",
        "hart",
        "jonker",
        "klein",
        "konings",
        "lieshout",
        "mertens",
        "claes",
        "goossens",
        "wouters",
        "mulders",
        "desmet",
        "desmedt",
        "smet",
        "smedt",
        "dubois",
        "lambert",
        "dupont",
        "martin",
        "aerts",
        "michiels",
        "coppens",
        "backer",
        "pauwels",
        "verbeke",
        "veldhuis",
        "ridder",
        "ruiter",
        "swart",
        "steen",
        "berends",
        "braun",
        "muller",
        "hoeven",
        "mol",
        "groen",
        "peter",
        "pieters",
        "bouwman",
        "koppen",
        "dijks",
        "yilmaz",
        "kaya",
        "ali",
        "singh",
        "nguyen",
        "hassan",
        "ahmed",
        "mohamed",
        "demir",
        "celik",
        "yildiz",
    ]
)
_POPULATION = 17_500_000  # inhabitants to whom the numbers of bearers belong
COMMON_SHARE = 10_000 / _POPULATION  # from here up a surname counts among the commonest


@dataclass(frozen=True, slots=True)
class Rarity:
    """Estimates share(surname) from a word's frequency; written_frequency gives log10 per billion, 0.0 = rare."""

    is_surname: Callable[[str], bool]
    written_frequency: Callable[[str], float]
    circle: int = 10_000  # people among whom those of a corpus may be thought to have been drawn

    def surname_share(self, family: str) -> float:
        """Estimated share in [0, 1] of people who bear this folded surname without its particle."""
        return _bearers(self, family) / _POPULATION

    def match_probability(self, family: str, letters: tuple[str, ...]) -> float:
        """Probability in (0, 1] that two bearers of this surname and these initials are one person.

        1 / (1 + expected further bearers in the circle). letters may be empty: the surname alone.
        """
        expected = self.circle * self.surname_share(family)
        for letter in letters[:3]:
            expected *= _LETTER_SHARES.get(letter[:1], 0.02)
        return 1.0 / (1.0 + expected)


_LETTER_SHARES = {  # of given names in the Netherlands, rounded
    "j": 0.14, "m": 0.10, "a": 0.09, "c": 0.07, "h": 0.07, "g": 0.05, "p": 0.05, "e": 0.05, "r": 0.05, "s": 0.05,
    "w": 0.05, "t": 0.04, "l": 0.04, "b": 0.03, "d": 0.03, "f": 0.03, "i": 0.03, "k": 0.02, "n": 0.03,
}  # fmt: skip


@lru_cache(maxsize=100_000)
def _bearers(rarity: Rarity, family: str) -> float:
    words = family.split()
    if len(words) > 1:  # a double name is rarer than its rarest half
        return min(_bearers(rarity, word) for word in words) / 10
    if family in _ABOVE_30_000:
        return 40_000.0
    if family in _ABOVE_10_000:
        return 15_000.0
    if not rarity.is_surname(family):
        return 50.0
    written = rarity.written_frequency(family)
    return 2_500.0 if written >= 3 else 1_000.0 if written >= 2 else 300.0
