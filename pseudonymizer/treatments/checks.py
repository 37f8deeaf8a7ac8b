"""The checks that numbers of a kind have, and what of a number they need to stay where the rest is random."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from stdnum import iban

from linkage.detection.candidate import Candidate, Validator
from linkage.detection.validators import VALIDATORS
from linkage.kinds import KindId, Kinds, patterns_of
from linkage.language import Language
from linkage.language.tables import read_table
from linkage.settings import data_directory

_TABLE: Final = "treatments/checks.tsv"
_IBAN: Final = "iban"  # its check digits stand behind the country (ISO 13616), and are computed, not searched


@dataclass(frozen=True, slots=True)
class Check:
    """A check of numbers of one shape. stays: what a number must keep: "first 2", "letters", "" nothing."""

    name: str
    shape: re.Pattern[str]
    validator: Validator = field(repr=False)
    country: str
    kind: KindId
    stays: str
    language: Language

    def fits(self, text: str) -> bool:
        """Whether text has the shape of the numbers that this check is for."""
        return self.shape.fullmatch(text) is not None

    def passes(self, text: str) -> bool:
        """Whether a text of the shape passes as a whole."""
        checked = self.validator(Candidate(text, {}, self.country, self.kind, self.language))
        return checked is not None and checked.passed and checked.length in (None, len(text))

    def refuses(self, text: str) -> bool:
        """Whether a text has all that such numbers have, a day of birth for one, but fails the check."""
        if not self.fits(text):
            return False
        checked = self.validator(Candidate(text, {}, self.country, self.kind, self.language))
        return checked is not None and not checked.passed

    def completed(self, signs: Sequence[str]) -> list[str]:
        """The signs with the check digits that their scheme computes, where it puts them near the front."""
        if self.name != _IBAN:
            return list(signs)
        number = "".join(signs).upper()
        return [*signs[:2], *iban.calc_check_digits(number), *signs[4:]]

    def staying(self, signs: Sequence[str]) -> frozenset[int]:
        """The places of the letters and figures that must stay."""
        if self.stays == "letters":
            return frozenset(place for place, sign in enumerate(signs) if sign.isalpha())
        return frozenset(range(int(self.stays.removeprefix("first ") or 0)))


class Checks:
    """The checks of all kinds, for texts in one language."""

    def __init__(self, kinds: Kinds, language: Language) -> None:
        self._language = language
        staying = _staying()
        self._by_kind = {
            kind: tuple(
                Check(
                    name,
                    re.compile(pattern.regex),
                    VALIDATORS[name],
                    pattern.country,
                    kind,
                    staying[name],
                    language,
                )
                for pattern in patterns_of(kinds, kind)
                if (name := pattern.validator) is not None and name in staying
            )
            for kind in kinds
        }

    def of(self, kind: KindId, text: str, country: str) -> tuple[Check, ...]:
        """The checks of a kind for numbers of the shape that text has: those that it passes, then those of
        its country, then the others.
        """
        fitting = [check for check in self._by_kind.get(kind, ()) if check.fits(text)]
        return tuple(sorted(fitting, key=lambda check: (not check.passes(text), check.country != country)))


@cache
def _staying() -> dict[str, str]:
    """By validator that has check digits, or numbers that are never given out, what it needs to stay."""
    rows = read_table(data_directory() / _TABLE, ("validator", "stays"))
    return {row["validator"]: row["stays"] for row in rows}
