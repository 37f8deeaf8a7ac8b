"""Checks of addresses, telephone numbers, links and amounts."""

from collections.abc import Mapping
from typing import Final

from linkage.detection.candidate import Validator

VALIDATORS: Final[Mapping[str, Validator]] = {}
