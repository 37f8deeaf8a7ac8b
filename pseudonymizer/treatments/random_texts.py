"""Random texts: a letter for each letter, a figure for each figure, everything else as it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from linkage.detection.validators.citizens import compact
from pseudonymizer.treatments.checks import Check, Checks
from pseudonymizer.treatments.drawing import Draws, chosen, shuffled
from pseudonymizer.treatments.treatment import TreatedValue

_PURPOSE: Final = "random"
_MOST_ATTEMPTS: Final = 500  # draws for one value; the rarest check, that of a German tax number, needs 30
_CHECK_SIGNS: Final = 2  # the last signs of a number, of which all are tried to make a check pass


@dataclass(frozen=True)
class RandomTexts:
    """Draws random texts with the key of a run. is_valid: check digits pass where those of the value do;
    else they never do.

    Equal values get equal texts, each in its own spelling: signs are drawn for the places of the normal form,
    counted from its end, since spellings differ at their beginning: "06-..." and "+31 6-...".
    """

    key: bytes
    checks: Checks
    is_valid: bool

    def text(self, value: TreatedValue) -> str | None:
        """Another text in the spelling of the value, never the value itself; None where it has no letters and
        no figures, or where nothing else can stand in its place.
        """
        spelled = value.text
        checks = self.checks.of(value.kind, spelled, value.country)
        signs = [sign for sign in spelled if is_sign(sign)]
        bare = compact(value.text)
        if not checks and len(bare) == len(signs):  # a spelling that a cue tells may hold a checked number
            spelled, checks = bare, self.checks.of(value.kind, bare, value.country)
        if not signs:
            return None
        draws = Draws(self.key, (_PURPOSE, value.kind, value.normal))
        staying = checks[0].staying(signs) if checks else frozenset()
        is_passing = self.is_valid and bool(checks) and checks[0].passes(spelled)
        for attempt in range(_MOST_ATTEMPTS):
            drawn = drawn_signs(draws.numbers(attempt), signs, staying)
            if is_passing:
                passed = _passing(draws.numbers(-1 - attempt), drawn, staying, spelled, checks[0])
                if passed is None:
                    continue
                drawn = passed
            elif not self.is_valid and any(check.passes(laid(spelled, drawn)) for check in checks):
                continue
            if drawn != signs:
                return laid(value.text, drawn)
        return None


def is_sign(sign: str) -> bool:
    return sign.isalpha() or sign.isdecimal()


def drawn_signs(numbers: Iterator[int], signs: Sequence[str], staying: frozenset[int]) -> list[str]:
    """Other signs for these, the last one drawn first. A zero at the beginning stays; no other first figure
    becomes one.
    """
    drawn: list[str] = []
    is_number = sum(map(str.isdecimal, signs)) > 1
    for place in range(len(signs) - 1, -1, -1):
        sign = signs[place]
        if place in staying or (place == 0 and sign == "0" and is_number):
            drawn.append(sign)
            next(numbers)
        elif sign.isdecimal():
            drawn.append(chosen(numbers, digits[1:] if place == 0 and is_number else digits))
        else:
            drawn.append(chosen(numbers, ascii_lowercase if sign.islower() else ascii_uppercase))
    return drawn[::-1]


def _passing(
    numbers: Iterator[int], drawn: Sequence[str], staying: frozenset[int], spelled: str, check: Check
) -> list[str] | None:
    """The signs with other last ones, such that the check passes; None where no last ones do that."""
    places = [place for place in range(len(drawn)) if place not in staying][-_CHECK_SIGNS:]
    choices = [digits if drawn[place].isdecimal() else _letters(drawn[place]) for place in places]
    for last in shuffled(numbers, list(product(*choices))):
        tried = list(drawn)
        for place, sign in zip(places, last, strict=True):
            tried[place] = sign
        tried = check.completed(tried)
        if check.passes(laid(spelled, tried)):
            return tried
    return None


def _letters(like: str) -> str:
    return ascii_lowercase if like.islower() else ascii_uppercase


def laid(text: str, signs: Sequence[str]) -> str:
    """The text with these in place of its letters and figures; its small letters stay small."""
    rest = iter(signs)
    return "".join(_like(sign, next(rest)) if is_sign(sign) else sign for sign in text)


def _like(old: str, new: str) -> str:
    return new.lower() if old.islower() else new
