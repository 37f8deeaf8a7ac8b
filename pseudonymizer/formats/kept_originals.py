"""Originals that are kept whole, of formats of which else the text alone comes back.

An original is one edit more among those that undo its output: sealed with them, and read with them.
"""

from collections.abc import Sequence
from typing import Final

from pseudonymizer.formats.every_format import BY_NAME
from pseudonymizer.formats.format import Restores
from pseudonymizer.formats.records import Edit
from pseudonymizer.records import KEPT_ORIGINAL

# Bytes. What undoes a file goes to a vault service in one message, which has at most 64 MiB.
LARGEST_KEPT: Final = 48 * 1024 * 1024


def is_text_only(format_name: str) -> bool:
    """Whether only the text of a file of this format comes back by its edits."""
    return format_name in BY_NAME and BY_NAME[format_name].restores is Restores.TEXT


def kept_original(format_name: str, raw: bytes) -> Edit | None:
    """The edit that keeps the original; None where the edits bring it back anyway, or it is too large."""
    if not is_text_only(format_name) or len(raw) > LARGEST_KEPT:
        return None
    return Edit(KEPT_ORIGINAL, 0, 0, raw)


def original_of(edits: Sequence[Edit]) -> bytes | None:
    """The original that is kept among these edits; None: none is."""
    return next((edit.original for edit in edits if edit.location == KEPT_ORIGINAL), None)
