"""Checks of numbers that states give to people."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from stdnum.at import vnr
from stdnum.be import eid, nn
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.us import ssn

from linkage.detection.candidate import Candidate, Checked, Validator

_NOT_ALNUM: Final = re.compile(r"[\W_]")
# Prefixes that HMRC never gave out (NIM39110): no D, F, I, Q, U, V at either place, no O at the second.
_NINO: Final = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
# Weights of the twelve figures of a German pension insurance number, its letter as two (VKVV, par. 4).
_PENSION_WEIGHTS: Final = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)


def compact(text: str) -> str:
    """The letters and digits of text, in capitals."""
    return _NOT_ALNUM.sub("", text).upper()


def by_library(is_valid: Callable[[str], bool]) -> Validator:
    """The validator that asks a function of python-stdnum about the letters and digits of a candidate."""

    def check(candidate: Candidate) -> Checked:
        normal = compact(candidate.text)
        return Checked(normal, is_valid(normal))

    return check


def checked_digits(candidate: Candidate) -> Checked | None:
    """The digits, where their number is that of a citizen number that somebody wrote in an odd way."""
    return Checked(compact(candidate.text))


def checked_german_pension(candidate: Candidate) -> Checked | None:
    """The twelve signs of a German pension insurance number; None if they hold no day of birth."""
    normal = compact(candidate.text)
    day, month = int(normal[2:4]), int(normal[4:6])
    if not (1 <= day % 50 <= 31 and 1 <= month <= 12):  # of two people born on one day, 50 is added for one
        return None
    digits = f"{normal[:8]}{ord(normal[8]) - 64:02}{normal[9:11]}"
    total = sum(
        sum(map(int, str(int(digit) * weight)))
        for digit, weight in zip(digits, _PENSION_WEIGHTS, strict=True)
    )
    return Checked(normal, total % 10 == int(normal[11]))


def checked_nino(candidate: Candidate) -> Checked | None:
    """The nine signs of a British national insurance number, which has no check digit."""
    normal = compact(candidate.text)
    return Checked(normal, _NINO.fullmatch(normal) is not None)


def checked_belgian_national(candidate: Candidate) -> Checked | None:
    """The eleven digits of a Belgian national number; None if they begin with no date."""
    normal = compact(candidate.text)
    month, day = (
        int(normal[2:4]) % 20,
        int(normal[4:6]),
    )  # 20 or 40 is added for people without a national number
    if month > 12 or day > 31:
        return None
    return Checked(normal, nn.is_valid(normal) or _passes_97(normal))


def _passes_97(normal: str) -> bool:
    """Whether the check digits agree; the library refuses numbers of an unknown or later day of birth."""
    number, check = int(normal[:9]), int(normal[9:])
    return check in (97 - number % 97, 97 - (2_000_000_000 + number) % 97)


def checked_austrian(candidate: Candidate) -> Checked | None:
    """The ten digits of an Austrian insurance number; None if they hold no day of birth."""
    normal = compact(candidate.text)
    try:
        date(2000, int(normal[6:8]), int(normal[4:6]))
    except ValueError:
        return None
    return Checked(normal, vnr.is_valid(normal))


VALIDATORS: Final[Mapping[str, Validator]] = {
    "nl_bsn": by_library(bsn.is_valid),
    "digits": checked_digits,
    "be_national_number": checked_belgian_national,
    "be_identity_card": by_library(eid.is_valid),
    "de_tax_id": by_library(idnr.is_valid),
    "de_insurance_number": checked_german_pension,
    "at_insurance_number": checked_austrian,
    "ch_ahv": by_library(ahv.is_valid),
    "gb_nino": checked_nino,
    "gb_nhs": by_library(nhs.is_valid),
    "ie_pps": by_library(pps.is_valid),
    "us_ssn": by_library(ssn.is_valid),
    "it_fiscal_code": by_library(codicefiscale.is_valid),
}
