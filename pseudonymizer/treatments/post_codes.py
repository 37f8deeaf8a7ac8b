"""Post codes as their first figures: "8933 KT" as "8..."."""

import re
from functools import cache
from typing import Final

from linkage.language.tables import read_table
from linkage.settings import data_directory

_COUNTRY: Final = re.compile(r"[A-Z]{1,2}-(?=\d)")
_GROUP: Final = re.compile(r"\d+|[^\W_]+")
_HIDDEN: Final = "."
_ZEROS: Final = "0"
_TABLE: Final = "treatments/small_post_code_areas.tsv"


def first_figures(text: str, country: str, figures: int) -> str | None:
    """The first figures, or letters, of a post code, with a point for each other sign of its first group.

    None where nothing of the first group would be hidden. An area with so few people that its figures point
    to them is written with zeros.
    """
    before = _COUNTRY.match(text)
    start = before.end() if before else 0
    group = _GROUP.search(text, start)
    if group is None or len(group[0]) <= figures:
        return None
    shown = group[0][:figures]
    if (country, shown) in _small_areas():
        shown = _ZEROS * figures
    return text[:start] + shown + _HIDDEN * (len(group[0]) - figures)


@cache
def _small_areas() -> frozenset[tuple[str, str]]:
    """Countries and first figures of areas with few people."""
    rows = read_table(data_directory() / _TABLE, ("country", "figures"))
    return frozenset((row["country"], row["figures"]) for row in rows)
