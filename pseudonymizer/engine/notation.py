"""Names written into plain text that holds JSON or HTML: what would break the notation is escaped."""

import html
import json
import re
from collections.abc import Iterator
from typing import Final

from linkage.records import Span

_FENCE: Final = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*\n(.*?)^[ \t]*(?:```|~~~)", re.MULTILINE | re.DOTALL
)
# A line such as `"naam": "PERSOON-7KQM3",` of JSON that is cut off, or has a comment.
_MEMBER: Final = re.compile(r'[ \t]*[\[{,]?[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*:')
_ELEMENT: Final = re.compile(
    r"</?(?:a|b|body|br|code|div|em|h[1-6]|html|i|li|ol|p|pre|span|strong|table|t[dhr]|u|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)


class Notation:
    """Where a text is JSON or HTML."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._json = tuple(_json_spans(text))
        self._has_elements = _ELEMENT.search(text) is not None

    def written(self, name: str, span: Span) -> str:
        """The name as it has to be written at this place of the text."""
        if any(found.contains(span) for found in self._json) or self._is_in_member(span):
            return json.dumps(name, ensure_ascii=False)[1:-1]
        if self._has_elements:
            return html.escape(name, quote=self._is_in_element(span))
        return name

    def _is_in_member(self, span: Span) -> bool:
        """Whether the line of the place is a member of a JSON object, and the place stands in its string."""
        start = self._text.rfind("\n", 0, span.start) + 1
        member = _MEMBER.match(self._text, start, span.start)
        if member is None:
            return False
        before = re.sub(r"\\.", "", self._text[member.end() : span.start])
        return before.count('"') % 2 == 1

    def _is_in_element(self, span: Span) -> bool:
        return self._text.rfind("<", 0, span.start) > self._text.rfind(">", 0, span.start)


def _json_spans(text: str) -> Iterator[Span]:
    """The stretches that are JSON: the whole text, fenced blocks, or lines."""
    if _is_json(text):
        yield Span(0, len(text))
        return
    for found in _FENCE.finditer(text):
        if _is_json(found[1]):
            yield Span(*found.span(1))
    at = 0
    for line in text.splitlines(keepends=True):
        if _is_json(line):
            yield Span(at, at + len(line))
        at += len(line)


def _is_json(text: str) -> bool:
    if text.strip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
