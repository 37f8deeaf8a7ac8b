"""Regular expressions made of words, and of other expressions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

NOTHING: Final = "(?!)"  # an expression that matches nowhere
_SLOT: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")


def any_of(words: Iterable[str]) -> str:
    """A regular expression for any of these words, the longest where several fit."""
    return _branches(sorted(set(words), reverse=True), 0) or "(?!)"


def _branches(words: Sequence[str], depth: int) -> str:
    """An expression for the rests from depth of words that are equal up to there, in falling order."""
    rests: list[str] = []
    for letter, group in groupby((word for word in words if len(word) > depth), key=lambda word: word[depth]):
        rests.append(re.escape(letter) + _branches(list(group), depth + 1))
    if not rests:
        return ""
    is_whole = len(words[-1]) == depth
    if len(rests) == 1 and not is_whole:
        return rests[0]
    return f"(?:{'|'.join(rests)}){'?' if is_whole else ''}"


def filled_where_known(regex: str, words: Mapping[str, str]) -> str:
    """The expression with its slots filled as far as words has them; others stay as they are."""
    for name, own in words.items():
        regex = regex.replace(f"{{{name}}}", own)
    return regex


def filled(expression: str, slots: Mapping[str, str]) -> str:
    """The expression with what its slots stand for, "{TITLE}", in their places.

    Raises:
        KeyError: a slot is unknown.
    """
    return _SLOT.sub(lambda slot: slots[slot[1]], expression)
