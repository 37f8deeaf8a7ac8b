"""Sets of words, written as people write them, and the words that parts of files are announced by."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from linkage.language.tables import read_table
from linkage.language_contents import language_folder

_LANGUAGE: Final = "nl"  # no format says in which language a file is


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def label(what: str) -> str:
    """The words that stand before a part of a file where it is searched: "Auteur: " before the name of one.

    what: the part, as labels.tsv of the language names it.

    Raises:
        GazetteerError: the table is missing or damaged.
    """
    return f"{_labels()[what]}: "


@cache
def _labels() -> Mapping[str, str]:
    rows = read_table(language_folder(_LANGUAGE) / "labels.tsv", ("what", "label"))
    return {row["what"]: row["label"] for row in rows}
