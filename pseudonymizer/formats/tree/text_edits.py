"""The way back of files of which the text alone comes back: edits that count in it."""

from collections.abc import Mapping, Sequence
from typing import Final

from linkage.errors import DamagedDocumentError
from linkage.records import Span
from pseudonymizer.formats.records import Edit

# Locations of edits: the text as it is read now, and as it was read before letters in a wrong encoding were
# taken for those that were meant. Edits of then are undone as they were made.
_PART: Final = "mended text"
_PART_AS_SHOWN: Final = "text"


def is_of_mended(edits: Sequence[Edit]) -> bool:
    """Whether edits count in a text whose letters in a wrong encoding were read as those that were meant."""
    return not any(edit.location == _PART_AS_SHOWN for edit in edits)


def undone(text: str, edits: Sequence[Edit]) -> str:
    """The text before the edits. text: that of the rewritten file, read as is_of_mended says.

    Raises:
        DamagedDocumentError: the file is not the one the edits were made for, or was changed since.
    """
    pieces: list[str] = []
    position = 0
    own = (edit for edit in edits if edit.location in {_PART, _PART_AS_SHOWN})
    for edit in sorted(own, key=lambda one: (one.start, one.end)):
        if not position <= edit.start <= edit.end <= len(text):
            raise DamagedDocumentError("the rewritten file is not as it was when its edits were noted")
        pieces += [text[position : edit.start], edit.original.decode("utf-8")]
        position = edit.end
    return "".join([*pieces, text[position:]])


def text_edits(old: str, new: str, labels: Mapping[Span, str]) -> list[Edit]:
    """Edits that turn new into old. The text between two labels may have come out a little differently."""
    edits: list[Edit] = []
    old_at = new_at = 0
    for span in [*sorted(labels), None]:
        old_gap = old[old_at : span.start if span is not None else len(old)]
        if span is None:
            edits += _gap_edits(old_gap, new[new_at:], new_at)
            break
        found = new.find(labels[span], new_at) if labels[span] else -1
        if found < 0:
            # The label came out in pieces: the rest of the text is noted as one edit.
            edits += _gap_edits(old[old_at:], new[new_at:], new_at)
            break
        edits += _gap_edits(old_gap, new[new_at:found], new_at)
        new_end = found + len(labels[span])
        edits.append(Edit(_PART, found, new_end, span.cut(old).encode("utf-8"), ("", span)))
        old_at, new_at = span.end, new_end
    return edits


def _gap_edits(old: str, new: str, offset: int) -> list[Edit]:
    if old == new:
        return []
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    original = old[start : len(old) - end].encode("utf-8")
    return [Edit(_PART, offset + start, offset + len(new) - end, original)]
