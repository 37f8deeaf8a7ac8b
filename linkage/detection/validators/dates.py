"""Checks of dates, times and ages."""

from collections.abc import Mapping
from typing import Final

from linkage.detection.candidate import Validator

VALIDATORS: Final[Mapping[str, Validator]] = {}
