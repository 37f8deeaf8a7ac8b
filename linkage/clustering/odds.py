"""What a name says by how common it is: how likely its bearers are one person, or somebody unknown."""

from collections.abc import Sequence

from linkage.clustering.names import NameForm, NameKind
from linkage.clustering.people import CorpusRules, Person
from linkage.clustering.rarity import COMMON_SHARE, Rarity


class NameOdds:
    """Judges persons, by their number, by their names alone."""

    def __init__(
        self, persons: Sequence[Person], forms: Sequence[NameForm], rarity: Rarity, rules: CorpusRules
    ) -> None:
        self._persons = persons
        self._forms = forms
        self._rarity = rarity
        self._rules = rules

    def presence(self, number: int) -> float:
        """How likely a bearer of the name is to be the known one, without any company in common."""
        sure = self.one_by_name(number)
        if self._persons[number].kind is NameKind.INITIALS or self._persons[number].kind is NameKind.FULL:
            return 0.4 * sure
        return 0.4 * sure if sure >= self._rules.name_threshold else 0.0

    def unknown(self, number: int) -> float:
        """Weight of somebody else with this name, whom no document names in full."""
        person = self._persons[number]
        if person.kind is NameKind.LETTERS:
            longest = max(len("".join(self._forms[f].letters)) for f in person.forms)
            return 0.5 if longest < 2 else 0.12
        if person.kind is NameKind.GIVEN:
            shares = [self._rarity.given_share(w) for f in person.forms for w in self._forms[f].call_names]
            return 0.06 + 0.5 * _common_part(300 * max(shares, default=0.0))
        names = [self._forms[f] for f in person.forms]
        shares = [self._rarity.surname_share(family) for name in names for family in name.families]
        share = max(shares, default=0.0)
        if person.kind is NameKind.FAMILY:
            return 0.04 + 0.4 * _common_part(300 * share)
        letters = max((name.letters for name in names), key=len)
        return 0.03 + 0.4 * _common_part(3000 * share * self._rarity.letters_share(letters))

    def is_common(self, number: int) -> bool:
        families = [w for f in self._persons[number].forms for w in self._forms[f].families]
        return any(self._rarity.surname_share(family) >= COMMON_SHARE for family in families)

    def one_by_name(self, number: int) -> float:
        """How likely two bearers of this surname and these initials are one person, by rarity alone."""
        person = self._persons[number]
        if person.kind < NameKind.FAMILY:
            return 0.0
        best = 0.0
        for form in person.forms:
            name = self._forms[form]
            for family in name.families:
                probability = self._rarity.match_probability(family, name.letters)
                if self._rarity.surname_share(family) >= COMMON_SHARE:
                    probability = min(probability, self._rules.name_threshold - 0.01)
                best = max(best, probability)
        return best


def _common_part(expected: float) -> float:
    """Share of others among the bearers of a name, when this many others are expected."""
    return expected / (1 + expected)
