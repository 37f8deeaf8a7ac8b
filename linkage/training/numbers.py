"""The numbers and the words of training, from data/training.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from linkage.shipped_data import data_directory


@cache
def words(section: str, language: str) -> frozenset[str]:
    """The words that one table gives for a language; none where it does not name the language."""
    return frozenset(_tables()[section].get(language, ()))


@cache
def numbers(section: str) -> Mapping[str, float]:
    """The numbers of one table by their names; the file says what each means.

    Raises:
        KeyError: there is no such table.
    """
    return {name: float(value) for name, value in _tables()[section].items()}


@cache
def _tables() -> dict[str, dict[str, Any]]:
    with (data_directory() / "training.toml").open("rb") as handle:
        return tomllib.load(handle)
