"""What somebody probably meant who typed a word that is not known. It tells known words alone."""

import difflib
from collections.abc import Iterable
from typing import Final

_NEAR: Final = 0.6  # likeness of difflib, 0 to 1: one wrong letter of three still counts
_MOST: Final = 3


def meant(typed: str, known: Iterable[str], *, least: float = _NEAR, most: int = 1) -> list[str]:
    """The known words that are nearest to what was typed, whatever its capitals, the nearest first."""
    by_folded = {_folded(word): word for word in known}
    near = difflib.get_close_matches(_folded(typed), by_folded, n=min(most, _MOST), cutoff=least)
    return [by_folded[word] for word in near]


def question(typed: str, known: Iterable[str], *, least: float = _NEAR, most: int = 1) -> str:
    """The nearest known words as a question, "did you mean PERSON? "; "" where nothing is near."""
    near = meant(typed, known, least=least, most=most)
    return f"did you mean {' or '.join(near)}? " if near else ""


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_")
