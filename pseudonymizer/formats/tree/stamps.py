"""What the mark of an output adds to a stretch of bytes: more edits, undone like the rest."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree.nodes import moved


class Stamp(NamedTuple):
    """What the mark writes in place of raw[start:end]; nearly always start equals end."""

    start: int
    end: int
    new: bytes


def stamped(raw: bytes, stamps: Sequence[Stamp], location: str, edits: list[Edit], first: int) -> bytes:
    """raw with the stamps in it. The edits from first on that lie behind a stamp move; those that undo the
    stamps come last.
    """
    ordered = sorted(stamps)
    ends = [stamp.end for stamp in ordered]
    added = [0, *accumulate(len(stamp.new) - (stamp.end - stamp.start) for stamp in ordered)]
    edits[first:] = [moved(edit, location, added[bisect_right(ends, edit.start)]) for edit in edits[first:]]
    written = bytearray()
    position = 0
    own: list[Edit] = []
    for stamp in ordered:
        written += raw[position : stamp.start]
        start = len(written)
        written += stamp.new
        own.append(Edit(location, start, len(written), raw[stamp.start : stamp.end]))
        position = stamp.end
    edits += reversed(own)
    return bytes(written + raw[position:])
