"""Lines of "NAME;PARAMETER=value:value", as calendars (RFC 5545) and cards of people (RFC 6350) have them.

A line may be folded: it goes on after a line break and a blank. Values have escapes of their own, and older
cards write them in quoted-printable.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pseudonymizer.formats.tree.nodes import encode_label
from pseudonymizer.formats.tree.textmap import Escape, TextBuilder

_FOLD: Final = re.compile(r"\r?\n[ \t]|\r?\n\Z")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*")
_NAME: Final = re.compile(r"(?:[\w-]+\.)?(?P<name>[A-Za-z0-9-]+)(?=[;:])")
_PARAMETER: Final = re.compile(
    r";(?P<name>[A-Za-z0-9-]+)(?:=(?P<value>\"[^\"]*\"|[^;:\"]*(?:,\"[^\"]*\"|,[^;:\"]*)*))?"
)
_ESCAPE: Final = re.compile(r"\\[nN;,:\\\"]|\^[n'^]")
_MEANINGS: Final = {"\\n": "\n", "\\N": "\n", "^n": "\n", "^'": '"', "^^": "^"}
_QUOTED: Final = re.compile(r"(?:=[0-9A-Fa-f]{2})+")
_SOFT_BREAK: Final = re.compile(r"=\r?\n")


class Stretch(NamedTuple):
    """A stretch of the text that is part of one line."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a line: its name in capitals, and where its value stands, without quotes."""

    name: str
    start: int
    end: int
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ContentLine:
    """One line: its name in capitals, its parameters, and where its value stands."""

    name: str
    parameters: Sequence[Parameter]
    start: int
    end: int

    def parameter(self, name: str) -> str:
        """The value of a parameter in capitals; "" where the line has none of the name."""
        return next((one.value.upper() for one in self.parameters if one.name == name), "")

    @property
    def is_quoted_printable(self) -> bool:
        """Whether the value is written in quoted-printable, as old cards have it."""
        return any(
            one.name == "QUOTED-PRINTABLE" or one.value.upper() == "QUOTED-PRINTABLE"
            for one in self.parameters
        )

    @property
    def is_packed(self) -> bool:
        """Whether the value is base64."""
        return self.parameter("ENCODING") in {"B", "BASE64"} or any(
            one.name == "BASE64" for one in self.parameters
        )


def begins_with(raw: bytes, component: bytes) -> bool:
    """Whether a text begins with the line that opens a component, such as VCARD."""
    return raw[:64].lstrip(b"\xef\xbb\xbf\r\n \t").upper().startswith(b"BEGIN:" + component)


def content_lines(text: str, start: int, end: int) -> Iterator[ContentLine]:
    """The lines of text[start:end], each with those that it goes on in."""
    position = start
    while position < end:
        found = _LINE.match(text, position, end)
        stop = found.end() if found is not None else end
        line = _line(text, position, stop)
        if line is not None and line.is_quoted_printable:
            stop = _end_of_quoted(text, stop, end)
            line = ContentLine(line.name, line.parameters, line.start, stop)
        if line is not None:
            yield line
        position = max(stop, position)
        while position < end and text[position] in "\r\n":
            position += 1


def _end_of_quoted(text: str, stop: int, end: int) -> int:
    """A value in quoted-printable goes on where its line ends with a sign of equality."""
    while stop < end and text[stop - 1] == "=":
        after = text.find("\n", stop, end)
        after = end if after < 0 else after + 1
        found = re.compile(r"[^\r\n]*").match(text, after, end)
        stop = found.end() if found is not None else end
    return stop


def _line(text: str, start: int, end: int) -> ContentLine | None:
    name = _NAME.match(text, start, end)
    if name is None:
        return None
    position = name.end()
    parameters: list[Parameter] = []
    while (found := _PARAMETER.match(text, position, end)) is not None:
        first, last = found.span("value") if found["value"] is not None else (found.end(), found.end())
        if text[first:last].startswith('"') and text[first:last].count('"') == 2 and text[last - 1] == '"':
            first, last = first + 1, last - 1
        parameters.append(Parameter(found["name"].upper(), first, last, _FOLD.sub("", text[first:last])))
        position = found.end()
    # A name of a parameter may itself be folded: what is not understood belongs to the value.
    colon = text.find(":", position, end)
    if colon < 0:
        return None
    return ContentLine(name["name"].upper(), tuple(parameters), colon + 1, end)


def add_value(builder: TextBuilder, source: int, text: str, line: ContentLine) -> None:
    """The value of a line as people read it."""
    if line.is_quoted_printable:
        _add_quoted(builder, source, text, line.start, line.end)
    else:
        add_text(builder, source, text, line.start, line.end)


def add_text(
    builder: TextBuilder, source: int, text: str, start: int, end: int, escape: Escape | None = None
) -> None:
    """Letters between start and end; folds are passed over, escapes are what they mean."""
    write = escape or _escaped
    position = start
    found = sorted(
        [*_FOLD.finditer(text, start, end), *_ESCAPE.finditer(text, start, end)], key=lambda one: one.start()
    )
    for one in found:
        if one.start() < position:
            continue
        builder.copied(source, text[position : one.start()], position, write)
        if one[0][0] not in "\r\n":
            builder.atom(source, _MEANINGS.get(one[0], one[0][-1]), one.start(), one.end(), write)
        position = one.end()
    builder.copied(source, text[position:end], position, write)


def _add_quoted(builder: TextBuilder, source: int, text: str, start: int, end: int) -> None:
    position = start
    found = sorted(
        [*_SOFT_BREAK.finditer(text, start, end), *_QUOTED.finditer(text, start, end)],
        key=lambda one: one.start(),
    )
    for one in found:
        if one.start() < position:
            continue
        builder.copied(source, text[position : one.start()], position, _in_quoted)
        if one[0][1] not in "\r\n":
            _add_bytes(builder, source, one)
        position = one.end()
    builder.copied(source, text[position:end], position, _in_quoted)


def _add_bytes(builder: TextBuilder, source: int, found: re.Match[str]) -> None:
    """Each letter that the bytes of a run of codes make, with the codes that make it."""
    raw = bytes.fromhex(found[0].replace("=", ""))
    try:
        letters = raw.decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        letters, encoding = raw.decode("latin-1"), "latin-1"
    at = found.start()
    for letter in letters:
        width = 3 * len(letter.encode(encoding))
        builder.atom(source, letter.replace("\r", "\n"), at, at + width, _in_quoted)
        at += width


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _in_quoted(label: str) -> str:
    written = encode_label(label, "utf-8")
    return "".join(chr(b) if 0x20 <= b < 0x7F and b != 0x3D else f"={b:02X}" for b in written)


def in_parameter(label: str) -> str:
    """A label in the value of a parameter, which has no escapes: letters that would end it go."""
    return re.sub(r"[\";:,\r\n]", " ", label).strip()
