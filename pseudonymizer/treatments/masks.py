"""Masks: the value's length in one sign, or the word of its kind in brackets."""

import re
from typing import Final

# Not one of the signs that partly hidden accounts and cards have (* x and dots), so that a mask beside other
# figures is not read as one of these.
_SIGN: Final = "#"
_NOT_LINE_END: Final = re.compile(r"[^\r\n]")


def same_length(text: str) -> str:
    """As many signs as the text has characters, separators too; line ends stay, so that no layout breaks."""
    return _NOT_LINE_END.sub(_SIGN, text)


def in_brackets(word: str) -> str:
    """The word of a kind where a value stood: "[REKENING]"."""
    return f"[{word}]"
