"""What a name says by how common it is: how likely its bearers are one person, or somebody unknown."""

from collections.abc import Callable
from typing import TypeVar

from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameKind
from linkage.clustering.people import CorpusRules
from linkage.clustering.rarity import COMMON_SHARE, Rarity
from linkage.clustering.who import who_numbers

_T = TypeVar("_T")


class NameOdds:
    """Judges persons, by their number, by their names alone: equal names once."""

    def __init__(self, groups: Groups, rarity: Rarity, rules: CorpusRules) -> None:
        self._persons = groups.persons
        self._forms = groups.forms
        self._names_of = groups.names_of
        self._rarity = rarity
        self._rules = rules
        self._numbers = who_numbers()
        self._sure: dict[int, float] = {}
        self._unknown: dict[int, float] = {}
        self._common: dict[int, bool] = {}

    def _once(self, number: int, known: dict[int, _T], work_out: Callable[[int], _T]) -> _T:
        names = self._names_of[number]
        if names not in known:
            known[names] = work_out(number)
        return known[names]

    def presence(self, number: int) -> float:
        """How likely a bearer of the name is to be the known one, without any company in common."""
        sure = self.one_by_name(number)
        presence = self._numbers.person.presence * sure
        if self._persons[number].kind is NameKind.INITIALS or self._persons[number].kind is NameKind.FULL:
            return presence
        return presence if sure >= self._rules.name_threshold else 0.0

    def unknown(self, number: int) -> float:
        """Weight of somebody else with this name, whom no document names in full."""
        return self._once(number, self._unknown, self._of_unknown)

    def is_common(self, number: int) -> bool:
        """Whether the surname is among the commonest."""
        return self._once(number, self._common, self._is_common)

    def crowd(self, number: int) -> int:
        """How many people bear a name that this one fits, of whom the corpus has nothing."""
        if self._rarity.beyond is None:
            return 0
        bearers, person = self._rarity.beyond.bearers, self._persons[number]
        fullest = (form for form in person.forms if self._forms[form].kind is person.kind)
        return max((bearers.get(form, 0) for form in fullest), default=0)

    def one_by_name(self, number: int) -> float:
        """How likely two bearers of this surname and these initials are one person, by rarity alone."""
        return self._once(number, self._sure, self._one_by_name)

    def _of_unknown(self, number: int) -> float:
        person, numbers = self._persons[number], self._numbers.nobody
        if person.kind is NameKind.LETTERS:
            longest = max(len("".join(self._forms[f].letters)) for f in person.forms)
            return numbers.one_letter if longest < 2 else numbers.letters
        if person.kind is NameKind.GIVEN:
            shares = [self._rarity.given_share(w) for f in person.forms for w in self._forms[f].call_names]
            expected = numbers.circle * max(shares, default=0.0)
            return numbers.given + numbers.given_more * _common_part(expected)
        names = [self._forms[f] for f in person.forms]
        shares = [self._rarity.surname_share(family) for name in names for family in name.families]
        share = max(shares, default=0.0)
        if person.kind is NameKind.FAMILY:
            return numbers.family + numbers.family_more * _common_part(numbers.circle * share)
        letters = max((name.letters for name in names), key=lambda found: (len(found), found))
        expected = numbers.circle_of_initials * share * self._rarity.letters_share(letters)
        return numbers.initials + numbers.initials_more * _common_part(expected)

    def _is_common(self, number: int) -> bool:
        families = [w for f in self._persons[number].forms for w in self._forms[f].families]
        return any(self._rarity.surname_share(family) >= COMMON_SHARE for family in families)

    def _one_by_name(self, number: int) -> float:
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
