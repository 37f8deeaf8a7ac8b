"""Checks of bank accounts and payment cards."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from stdnum import iban, luhn, numdb

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.detection.validators.citizens import compact

_GROUP: Final = re.compile(r"([ .-]+)")
_SIGNS_OF_BBAN: Final = re.compile(r"(\d+)!")
_MASKED: Final = re.compile(r"[*xX\u2022\u25cf]")
_FEWEST_MASKED: Final = 4  # signs hidden in an account that counts as masked
_FEWEST_DIGITS: Final = 3  # of an account that a cue announces, such as the end of one
_MOST_DIGITS: Final = 14
# First figures and lengths of cards (ISO/IEC 7812-1): Visa, American Express, Mastercard, Maestro and others.
_CARD: Final = re.compile(r"4\d{12}(?:\d{3}){0,2}|3[47]\d{13}|[256]\d{15}|[56]\d{16,18}")
_DAY: Final = re.compile(r"\d{1,2}[-.]\d{1,2}[-.](?:\d\d|(?:19|20)\d\d)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def checked_iban(candidate: Candidate) -> Checked | None:
    """The longest beginning of the candidate that is an IBAN: the next word in capitals may follow it.

    None where no country has IBANs that begin so.
    """
    text = candidate.text
    size = length_of_iban(compact(text)[:2])
    if size is None:
        return None
    groups = _GROUP.split(text)
    for count in range(len(groups), 0, -2):
        beginning = "".join(groups[:count])
        # The library knows not every bank of every country, so that the check digits alone count.
        if len(compact(beginning)) == size and iban.is_valid(compact(beginning), check_country=False):
            return Checked(compact(beginning), length=len(beginning))
    length = _length_of(text, size)
    return Checked(compact(text[:length]), passed=False, length=length)


def _length_of(text: str, size: int) -> int:
    """How many characters of text hold its first letters and digits, so many of them."""
    held = 0
    for place, sign in enumerate(text):
        held += sign.isalnum()
        if held == size:
            return place + 1
    return len(text)


@cache
def length_of_iban(country: str) -> int | None:
    """How many signs an IBAN of this country has; None where it has none."""
    facts = numdb.get("iban").info(country)[0][1]
    return 4 + sum(map(int, _SIGNS_OF_BBAN.findall(facts["bban"]))) if "bban" in facts else None


def checked_masked_iban(candidate: Candidate) -> Checked | None:
    """An IBAN of which some signs are hidden, hidden signs as stars."""
    normal = _MASKED.sub("*", re.sub(r"[ -]", "", candidate.text))
    is_hidden = normal.count("*") >= _FEWEST_MASKED
    return Checked(normal) if is_hidden and length_of_iban(normal[:2]) is not None else None


def checked_account(candidate: Candidate) -> Checked | None:
    """The digits of an account without a country; None for a date or a year."""
    text = candidate.text
    digits = compact(text)
    is_number = _FEWEST_DIGITS <= sum(map(str.isdigit, digits)) <= _MOST_DIGITS
    return Checked(digits) if is_number and not _DAY.fullmatch(text) and not _YEAR.fullmatch(text) else None


def checked_card(candidate: Candidate) -> Checked | None:
    """The digits of a payment card."""
    digits = compact(candidate.text)
    return Checked(digits, _CARD.fullmatch(digits) is not None and luhn.is_valid(digits))


VALIDATORS: Final[Mapping[str, Validator]] = {
    "iban": checked_iban,
    "masked_iban": checked_masked_iban,
    "account": checked_account,
    "payment_card": checked_card,
}
