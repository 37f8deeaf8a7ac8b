"""The numbers of training, from data/training.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache

from linkage.shipped_data import data_directory


@cache
def numbers(section: str) -> Mapping[str, float]:
    """The numbers of one table by their names; the file says what each means.

    Raises:
        KeyError: there is no such table.
    """
    with (data_directory() / "training.toml").open("rb") as handle:
        return {name: float(value) for name, value in tomllib.load(handle)[section].items()}
