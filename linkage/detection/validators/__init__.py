"""Checks of candidates, by the name that data/kinds.toml gives them."""

from collections.abc import Mapping
from typing import Final

from linkage.detection.candidate import Validator
from linkage.detection.validators import (
    accounts,
    amounts,
    citizens,
    contact,
    dates,
    numbers,
    telephones,
)

VALIDATORS: Final[Mapping[str, Validator]] = {
    **accounts.VALIDATORS,
    **amounts.VALIDATORS,
    **citizens.VALIDATORS,
    **contact.VALIDATORS,
    **dates.VALIDATORS,
    **numbers.VALIDATORS,
    **telephones.VALIDATORS,
}
