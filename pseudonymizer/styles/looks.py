"""Text in the exact form of a label, as outputs have it. Edited text is read by styles.pasted_labels."""

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from linkage.kinds import Kinds
from linkage.records import Span
from pseudonymizer.styles.code import has_form
from pseudonymizer.styles.labels import ALPHABET

_CODE_LIKE: Final = re.compile(rf"(?<![0-9A-Za-z])([A-Z]{{2,20}})-([{ALPHABET}]{{5,9}})(?![0-9A-Za-z])")


@cache
def kind_words() -> frozenset[str]:
    """The words of all kinds, in all languages, in capitals."""
    return Kinds.load().words


def code_looks(text: str, words: Collection[str] | None = None) -> tuple[Span, ...]:
    """Where text has a word of a kind with letters behind it that could be a code, in order.

    words: those of the kinds in use; None: of the shipped kinds.
    """
    known = kind_words() if words is None else words
    return tuple(
        Span(*found.span()) for found in _CODE_LIKE.finditer(text) if found[1] in known and has_form(found[2])
    )


def is_code_look(text: str) -> bool:
    """Whether the text has the form of a code with any word."""
    found = _CODE_LIKE.fullmatch(text)
    return found is not None and has_form(found[2])
