"""Text that programs write and nobody reads: base64, keys, digests, levels of a log. No name stands in it."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from linkage.language import Language
from linkage.language.expressions import any_of
from linkage.records import Span

_RUN: Final = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w+/=-])")
# At least one in so many neighbouring characters changes from capitals, small letters, figures or signs to
# another of these: in base64 .6 of them do, in paths and in words in one hardly .2.
_CHANGES_EVERY: Final = 3


@cache
def _levels(language: Language) -> re.Pattern[str]:
    words = any_of(word.upper() for word in language.name_frames.get("log_level", ()))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")


def machine_text(text: str, language: Language) -> Iterator[Span]:
    """The spans in text of long runs of mixed letters and figures, and of levels of a log in capitals."""
    for run in _RUN.finditer(text):
        changes = sum(_sort(left) != _sort(right) for left, right in pairwise(run[0]))
        if changes * _CHANGES_EVERY >= len(run[0]):
            yield Span(run.start(), run.end())
    for level in _levels(language).finditer(text):
        yield Span(level.start(), level.end())


def _sort(character: str) -> int:
    """A number for small letters, capitals, figures, and signs each."""
    return 1 + character.isupper() if character.isalpha() else 3 + character.isdigit()
