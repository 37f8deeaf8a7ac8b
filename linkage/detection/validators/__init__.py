"""Checks of candidates, by the name that data/kinds.toml gives them."""

from collections.abc import Mapping
from typing import Final

from linkage.detection.candidate import Validator
from linkage.detection.validators import amounts, contact, dates, numbers

VALIDATORS: Final[Mapping[str, Validator]] = {
    **amounts.VALIDATORS,
    **contact.VALIDATORS,
    **dates.VALIDATORS,
    **numbers.VALIDATORS,
}
