"""Mailboxes (mbox): one message after another, each a document of its own, read one at a time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from linkage.records import Span
from pseudonymizer.errors import OverlappingReplacementsError
from pseudonymizer.formats import marking
from pseudonymizer.formats.mail import message as mail
from pseudonymizer.formats.records import (
    Edit,
    FormatOptions,
    RenderedFile,
    Replacements,
    TextPart,
    UnreadContent,
)
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tree.nodes import BytesNode, Child, Node, TextNode
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate

# A line that begins a message: "From sender Fri May  3 10:00:00 2024".
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n))From [^\n]*\d\d:\d\d[^\n]*\n")
_PLAIN = "plain"


def read(raw: bytes, options: FormatOptions) -> "Mailbox":
    return Mailbox(raw, options)


class Mailbox(ParsedFile):
    """Part ids are the numbers of the messages. Maps of one message exist only while it is read or
    written."""

    def __init__(self, raw: bytes, options: FormatOptions) -> None:
        self.format_name = "mbox"
        self._raw, self._options = raw, options
        starts = [found.start() for found in _SEPARATOR.finditer(raw)]
        if not starts or starts[0] > 0:
            starts.insert(0, 0)
        self._bounds = list(zip(starts, [*starts[1:], len(raw)], strict=True))
        parts: list[TextPart] = []
        unread: list[UnreadContent] = []
        for number, message in enumerate(self._messages(), start=1):
            parts += message.parts
            unread += (replace(one, place=_in_message(number, one.place)) for one in message.unread)
        self.parts = tuple(parts)
        self.unread = tuple(sorted(unread, key=lambda content: content.kind))

    def render(self, replacements: Replacements) -> RenderedFile:
        """See ParsedFile.render."""
        by_message: dict[int, dict[str, Mapping[Span, str]]] = {}
        for part_id, labels in replacements.items():
            digits = part_id.partition("/")[0]
            if not digits.isdigit() or int(digits) >= len(self._bounds):
                raise OverlappingReplacementsError(
                    "replacements are given for a message this mailbox does not have"
                )
            if labels:
                by_message.setdefault(int(digits), {})[part_id] = labels
        written = bytearray()
        edits: list[Edit] = []
        unplaced = position = 0
        for number in sorted(by_message):
            start, end = self._bounds[number]
            rendered = self._message(number).render(by_message[number])
            unplaced += rendered.unplaced
            written += self._raw[position:start]
            begin = len(written)
            written += rendered.raw
            position = end
            inner = f"/{number}:{_PLAIN}"
            edits += [
                Edit(inner + edit.location, edit.start, edit.end, edit.original, edit.owner)
                for edit in rendered.edits
            ]
            edits.append(Edit(f"{inner}!", begin, len(written), b""))
        written += self._raw[position:]
        return RenderedFile(bytes(written), tuple(edits), unplaced)

    def _messages(self) -> Iterator[ParsedFile]:
        for number in range(len(self._bounds)):
            yield self._message(number)

    def _message(self, number: int) -> ParsedFile:
        start, end = self._bounds[number]
        raw = self._raw[start:end]
        reading = Reading(self._options, parse_nested, depth=1, size=len(raw))
        separator = _SEPARATOR.match(raw)
        head = separator.end() if separator else 0
        source = reading.new_source()
        line = raw[:head].decode("latin-1")
        separate(reading.technical)
        reading.technical.copied(source, line, 0)
        message: Node = mail.parse(raw[head:], reading)
        if self._options.mark:
            message = marking.marked("eml", message)
        reading.finish_part(str(number))
        children: list[Child] = [
            (0, head, None, TextNode(source, line, "latin-1")),
            (head, len(raw), None, message),
        ]
        return ParsedFile("mbox", BytesNode(raw, children), reading)


def _in_message(number: int, place: str) -> str:
    return f"message {number}: {place}" if place else f"message {number}"
