"""A file as a tree: bytes with packed parts in them, and at the leaves the texts that replacements change.

Rendering writes new bytes only where something below changed, and notes each change, so that
restoring.undo can go the way back without reading the format again.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Protocol

from linkage.errors import EncodingUndeterminedError
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree.packing import Packing
from pseudonymizer.formats.tree.textmap import Change, Escape

Changes = Mapping[int, Sequence[Change]]


class Node(Protocol):
    """A stretch of bytes of the file, unpacked."""

    def is_changed(self, changes: Changes) -> bool: ...

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes: ...


class TextNode:
    """A text in one encoding. Characters that the encoding lacks are written through fallback."""

    def __init__(
        self, source: int, text: str, encoding: str, mark: bytes = b"", fallback: Escape | None = None
    ) -> None:
        self.source, self.text = source, text
        self._encoding, self._mark, self._fallback = encoding, mark, fallback

    def is_changed(self, changes: Changes) -> bool:
        return self.source in changes

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        written = bytearray(self._mark)
        position = 0
        for change in changes.get(self.source, ()):
            written += self.text[position : change.start].encode(self._encoding)
            start = len(written)
            written += self._encoded(change.new)
            original = self.text[change.start : change.end].encode(self._encoding)
            edits.append(Edit(location, start, len(written), original, change.owner))
            position = change.end
        written += self.text[position:].encode(self._encoding)
        return bytes(written)

    def _encoded(self, label: str) -> bytes:
        return encode_label(label, self._encoding, self._fallback)


def encode_label(label: str, encoding: str, fallback: Escape | None = None) -> bytes:
    """label in encoding: as it is, else through fallback character by character, else without accents.

    Raises:
        EncodingUndeterminedError: the label cannot be written in this encoding in any of these ways.
    """
    try:
        return label.encode(encoding)
    except UnicodeEncodeError:
        pass
    written = bytearray()
    for character in label:
        try:
            written += character.encode(encoding)
        except UnicodeEncodeError:
            if fallback is not None:
                written += fallback(character).encode(encoding)
                continue
            bare = unicodedata.normalize("NFKD", character)
            kept = "".join(c for c in bare if c.isascii())
            if not kept:
                raise EncodingUndeterminedError(
                    f"a pseudonym has a character that {encoding}, the encoding of the input, lacks"
                ) from None
            written += kept.encode(encoding)
    return bytes(written)


class MappedTextNode:
    """A text whose characters are written in raw bytes in some longer way, such as quoted-printable.

    starts, places: for each run of the text, where it starts and which bytes hold it; runs of one byte a
    character are marked by is_plain and can be cut anywhere, others are replaced as a whole.
    """

    def __init__(
        self,
        source: int,
        text: str,
        raw: bytes,
        runs: tuple[list[int], list[tuple[int, int, bool]]],
        write: Escape,
    ) -> None:
        self.source, self.text = source, text
        self._raw, self._write = raw, write
        self._starts, self._places = runs

    def is_changed(self, changes: Changes) -> bool:
        return self.source in changes

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        raw = self._raw
        written = bytearray()
        position = 0
        for change in changes.get(self.source, ()):
            for number, (start, end) in enumerate(self._ranges(change.start, change.end)):
                if start < position:
                    continue
                written += raw[position:start]
                begin = len(written)
                if number == 0 and change.new:
                    written += self._write(change.new).encode("ascii")
                edits.append(Edit(location, begin, len(written), raw[start:end], change.owner))
                position = end
        written += raw[position:]
        return bytes(written)

    def _ranges(self, start: int, end: int) -> list[tuple[int, int]]:
        """The byte ranges that hold the characters start to end, joined where they touch."""
        ranges: list[tuple[int, int]] = []
        index = max(bisect_right(self._starts, start) - 1, 0)
        while index < len(self._places) and self._starts[index] < end:
            raw_start, raw_end, is_plain = self._places[index]
            if is_plain:
                offset = self._starts[index]
                raw_end = min(raw_start + end - offset, raw_end)
                raw_start += max(start - offset, 0)
            if ranges and ranges[-1][1] == raw_start:
                ranges[-1] = (ranges[-1][0], raw_end)
            else:
                ranges.append((raw_start, raw_end))
            index += 1
        return ranges


Child = tuple[int, int, Packing | None, Node]


def moved(edit: Edit, location: str, offset: int) -> Edit:
    """An edit that a part noted as if the file began with that part."""
    own = edit.location == location
    opens = edit.location.endswith("!") and edit.location.rpartition("/")[0] == location
    if not (own or opens):
        return edit
    return Edit(edit.location, edit.start + offset, edit.end + offset, edit.original, edit.owner)


class BytesNode:
    """Bytes with parts in them, in order and without overlap: as they are (None), or packed in some way."""

    def __init__(self, raw: bytes, children: Sequence[Child]) -> None:
        self._raw, self._children = raw, children

    def is_changed(self, changes: Changes) -> bool:
        return any(node.is_changed(changes) for _, _, _, node in self._children)

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        written = bytearray()
        position = 0
        for start, end, packing, node in self._children:
            if not node.is_changed(changes):
                continue
            written += self._raw[position:start]
            begin, first = len(written), len(edits)
            if packing is None:
                written += node.render(changes, location, edits)
                edits[first:] = [moved(edit, location, begin) for edit in edits[first:]]
            else:
                # The number of edits so far is another one for every packed part of the same location.
                inner = f"{location}/{first}:{packing.name}"
                written += packing.pack(node.render(changes, inner, edits))
                edits.append(Edit(f"{inner}!", begin, len(written), packing.layout(self._raw[start:end])))
            position = end
        written += self._raw[position:]
        return bytes(written)
