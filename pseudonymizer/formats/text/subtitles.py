"""Subtitles (SubRip and WebVTT): what is spoken; numbers, times and marks stay."""

import re
from typing import Final

from linkage.reading import decode
from pseudonymizer.formats.text.markup import add_text
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate

_TIMES: Final = re.compile(
    r"^[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->"
    r"[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[^\r\n]*\r?\n?",
    re.MULTILINE,
)
_ENDS: Final = ".?!\u2026:\"'\u201d\u2019)"  # letters after which a sentence does not go on
# Who speaks, and marks of looks and times. What else stands in brackets is said, or told of what is heard.
_MARK: Final = re.compile(
    r"<(?P<voice>v(?:\.[\w.]+)?[ \t]+)(?P<name>[^<>\r\n]+)>"
    r"|</?(?:b|br|c|i|rt|ruby|s|u|v)(?:\.[\w.]{1,60})?[ \t]*/?>|<[\d:.]{4,12}>"
    r"|</?lang(?:\.[\w.]{1,60})?(?:[ \t]+[\w-]{2,20})?>"
    r"|</?font(?:[ \t]+[a-z]{1,10}[ \t]*=[ \t]*"
    r"(?:\"[\w#%., -]{0,40}\"|'[\w#%., -]{0,40}'|[\w#%.,-]{1,40}))*[ \t]*>"
    r"|\{\\[^{}\s]{0,100}\}",
    re.IGNORECASE,
)


def looks_like_subtitles(raw: bytes) -> bool:
    """Whether a text begins as subtitles do: with their word, or with a number and times."""
    head = raw[:400].lstrip(b"\xef\xbb\xbf\r\n \t")
    if head.startswith(b"WEBVTT"):
        return True
    return re.match(rb"\d+[ \t]*\r?\n[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->", head) is not None


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The lines of all subtitles as running text; who speaks is a name."""
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    separate(reading.prose)
    spoken = _Spoken(text, source, reading)
    position = 0
    for times in [*_TIMES.finditer(text), None]:
        stop = times.start() if times is not None else len(text)
        end = _before_id(text, position, stop) if times is not None else stop
        if position:
            spoken.add(position, end)
        else:
            spoken.add_searched(position, end)  # the head of the file: settings and notes
        spoken.add_searched(end, stop)
        if times is not None:
            position = times.end()
    return TextNode(source, text, decoded.encoding, decoded.byte_order_mark)


def _before_id(text: str, start: int, end: int) -> int:
    """Where the number or id of the next subtitle begins: the line above its times, after a blank line."""
    stripped = start + len(text[start:end].rstrip("\r\n \t"))
    line = max(text.rfind("\n", start, stripped) + 1, start)
    above = text[start:line].rstrip(" \t")
    is_apart = line == start or above.endswith(("\n\n", "\n\r\n"))
    return line if is_apart and text[stripped:end].strip(" \t\r") == "\n" else end


class _Spoken:
    """What is said, subtitle by subtitle. A sentence that goes on in the next one goes on in the text."""

    def __init__(self, text: str, source: int, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading
        self._voice = ""
        self._last = ""  # the last letter said

    def add_searched(self, start: int, end: int) -> None:
        """What is no speech: ids, notes and settings."""
        if any(letter.isalpha() for letter in self._text[start:end]):
            separate(self._reading.technical, "\n")
            self._reading.technical.copied(self._source, self._text[start:end], start)

    def add(self, start: int, end: int) -> None:
        """The words of one subtitle."""
        text, builder = self._text, self._reading.prose
        end = start + len(text[start:end].rstrip())
        position = start
        is_first = True
        for mark in [*_MARK.finditer(text, start, end), None]:
            stop = mark.start() if mark is not None else end
            if text[position:stop].strip() or (not is_first and position < stop):
                self._begin(is_first=is_first)
                is_first = False
                add_text(builder, self._source, text, position, stop, collapse=False)
                self._last = text[position:stop].rstrip()[-1:] or self._last
            if mark is None:
                break
            if mark["name"]:
                self._add_voice(mark)
            position = mark.end()

    def _begin(self, *, is_first: bool) -> None:
        if not is_first:
            return
        builder = self._reading.prose
        if self._last and self._last not in _ENDS:
            builder.gap(" ")
            builder.new_field()
        elif not builder.ends_with(": "):
            separate(builder, "\n")

    def _add_voice(self, mark: re.Match[str]) -> None:
        """Who speaks: before what he says, or apart where he goes on speaking."""
        name = mark["name"]
        is_same = name == self._voice
        builder = self._reading.aside if is_same else self._reading.prose
        if not is_same:
            self._last = ""
        self._voice = name
        separate(builder, "\n")
        begin = builder.length
        add_text(builder, self._source, self._text, *mark.span("name"), collapse=False)
        builder.name(begin, builder.length)
        if not is_same:
            builder.gap(": ")
            builder.new_field()
