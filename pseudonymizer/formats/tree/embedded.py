"""A file inside another one that is no tree of bytes, such as a PDF: read and written by its own format.

When something in it changes it is written as a whole, and what stood there is kept whole, so that the file
around it comes back byte for byte whatever the format itself promises.
"""

from collections.abc import Mapping
from dataclasses import replace

from linkage.records import Span
from pseudonymizer.formats.records import Edit, FormatOptions, PartRole, TextPart
from pseudonymizer.formats.tree.nodes import Changes
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate


class EmbeddedNode:
    """A whole file; each of its parts is a source of the file around it."""

    def __init__(self, raw: bytes, parsed: ParsedFile, part_of: Mapping[int, str]) -> None:
        self._raw, self._parsed, self._part_of = raw, parsed, part_of

    def is_changed(self, changes: Changes) -> bool:
        return any(source in changes for source in self._part_of)

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        """Raises as ParsedFile.render does."""
        labels = {
            part_id: {Span(change.start, change.end): change.new for change in changes[source]}
            for source, part_id in self._part_of.items()
            if source in changes
        }
        written = self._parsed.render(labels).raw
        owners = {change.owner for source in self._part_of for change in changes.get(source, ())}
        owner = next(iter(owners)) if len(owners) == 1 else None
        edits.append(Edit(location, 0, len(written), self._raw, owner))
        return written


def inner_options(reading: Reading) -> FormatOptions:
    """How a file inside is read: as the one around it, but for the levels that are used up."""
    return replace(reading.options, max_depth=max(reading.options.max_depth - reading.depth, 0))


def embed(raw: bytes, parsed: ParsedFile, reading: Reading) -> EmbeddedNode:
    """Add the parts of a file inside to those of the file around it."""
    part_of: dict[int, str] = {}
    for part in parsed.parts:
        source = reading.new_source()
        part_of[source] = part.part_id
        _add(part, source, reading)
    for content in parsed.unread:
        outer, reading.place = reading.place, ": ".join(p for p in (reading.place, content.place) if p)
        reading.leave_unread(content.kind, content.count)
        reading.place = outer
    reading.recognized += parsed.recognized
    return EmbeddedNode(raw, parsed, part_of)


def _add(part: TextPart, source: int, reading: Reading) -> None:
    builder = reading.technical if part.role is PartRole.TECHNICAL else reading.prose
    separate(builder)
    begin = builder.length
    builder.verbatim(source, part.text, 0)
    for name in part.names:
        builder.name(begin + name.start, begin + name.end)
    for column in part.columns:
        builder.column(
            replace(
                column,
                cells=tuple(Span(begin + one.start, begin + one.end) for one in column.cells),
                titles=tuple(Span(begin + one.start, begin + one.end) for one in column.titles),
            )
        )
