"""Checks of numbers: citizens, accounts, cards, companies, vehicles, devices."""

import re
from collections.abc import Mapping
from typing import Final

from stdnum import iban
from stdnum.nl import bsn

from linkage.detection.candidate import Candidate, Checked, Validator


def checked_iban(candidate: Candidate) -> Checked | None:
    """The longest beginning of the candidate that is an IBAN: the next word in capitals may follow it."""
    groups = re.split(r"([ .-]+)", candidate.text)
    for count in range(len(groups), 0, -2):
        text = "".join(groups[:count])
        if iban.is_valid(text):
            return Checked(iban.compact(text), length=len(text))
    return Checked(iban.compact(candidate.text), passed=False)


def checked_bsn(candidate: Candidate) -> Checked | None:
    """The nine digits of a citizen service number, and whether they pass the test of eleven."""
    digits = re.sub(r"\D", "", candidate.text)
    return Checked(digits, bsn.is_valid(digits))


VALIDATORS: Final[Mapping[str, Validator]] = {"iban": checked_iban, "nl_bsn": checked_bsn}
