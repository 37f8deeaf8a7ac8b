"""HL7 version 2 messages: name fields put together as names, texts as texts; delimiters and segments stay."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from linkage.errors import DamagedDocumentError
from linkage.reading import decode
from pseudonymizer.formats.text.packed_text import add_blob, is_blob, may_be_packed, unpacked
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Escape, TextBuilder

# Where names of people stand (version 2.5 and later): segment -> field -> type. XPN:
# family^given^further^suffix^
# prefix; XCN: the same after an id.
_PERSON_FIELDS: Mapping[str, Mapping[int, str]] = {
    "PID": {5: "XPN", 6: "XPN", 9: "XPN"},
    "PD1": {4: "XCN"},
    "NK1": {2: "XPN", 26: "XPN", 30: "XPN"},
    "PV1": {7: "XCN", 8: "XCN", 9: "XCN", 17: "XCN", 52: "XCN"},
    "PV2": {13: "XCN"},
    "ORC": {10: "XCN", 11: "XCN", 12: "XCN", 19: "XCN"},
    "OBR": {10: "XCN", 16: "XCN", 28: "XCN", 32: "NDL", 33: "NDL", 34: "NDL", 35: "NDL"},
    "OBX": {16: "XCN", 25: "XCN"},
    "IN1": {6: "XPN", 16: "XPN"},
    "IN2": {22: "XPN"},
    "GT1": {3: "XPN", 4: "XPN", 42: "XPN"},
    "EVN": {5: "XCN"},
    "TXA": {5: "XCN", 9: "XCN", 10: "XCN", 11: "XCN", 22: "XCN"},
    "MRG": {7: "XPN"},
    "STF": {3: "XPN"},
    "DG1": {16: "XCN"},
    "AIP": {3: "XCN"},
    "ROL": {4: "XCN"},
    "PRD": {2: "XPN"},
    "CTD": {2: "XPN"},
    "SCH": {12: "XCN", 16: "XCN", 20: "XCN"},
    "NTE": {},
}
_ESCAPES = {"F": 0, "S": 1, "T": 4, "R": 2, "E": 3}  # \F\ is the field separator, and so on
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_SEGMENT = re.compile(r"[^\r\n\x0b\x1c]+")


class _Delimiters(NamedTuple):
    field: str
    component: str
    repetition: str
    escape: str
    subcomponent: str


def parse(raw: bytes, reading: Reading) -> TextNode:
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    separate(reading.prose)
    delimiters: _Delimiters | None = None
    for found in _SEGMENT.finditer(text):
        name = text[found.start() : found.start() + 3]
        if name in {"MSH", "FHS", "BHS"}:
            head = text[found.start() + 3 : found.start() + 8].ljust(5, "\0")
            delimiters = _Delimiters(*head)
        if delimiters is None:
            raise DamagedDocumentError("the message does not begin with a header segment (MSH)")
        _Segment(text, source, reading, delimiters, name).add(found.start(), found.end())
    return TextNode(source, text, decoded.encoding, decoded.byte_order_mark)


class _Segment:
    """One segment as a line of text."""

    def __init__(self, text: str, source: int, reading: Reading, delimiters: _Delimiters, name: str) -> None:
        self._text, self._source, self._reading = text, source, reading
        self._d, self._name = delimiters, name
        self._escape = _escape(delimiters)

    def add(self, start: int, end: int) -> None:
        builder = self._reading.prose
        number = 1 if self._name in {"MSH", "FHS", "BHS"} else 0
        kinds = _PERSON_FIELDS.get(self._name, {})
        builder.gap(f"{self._name}: ")
        for at, (field_start, field_end) in enumerate(_split(self._text, start, end, self._d.field)):
            if at == 0 or field_start == field_end or (number and at == 1):
                continue
            for rep_start, rep_end in _split(self._text, field_start, field_end, self._d.repetition):
                builder.new_field()
                kind = kinds.get(at + number)
                if kind is not None:
                    self._person(rep_start, rep_end, kind)
                else:
                    self._plain(rep_start, rep_end)
                builder.gap("; ")
        builder.gap("\n")

    def _plain(self, start: int, end: int) -> None:
        """Components with blanks between them."""
        first = True
        for part_start, part_end in _split(self._text, start, end, self._d.component + self._d.subcomponent):
            if part_start == part_end:
                continue
            if self._packed(part_start, part_end):
                continue
            if not first:
                self._reading.prose.gap(" ")
            self._add(part_start, part_end)
            first = False

    def _packed(self, start: int, end: int) -> bool:
        """A component that is base64 (type ED), which is read as what it holds."""
        letters = self._text[start:end]
        if not may_be_packed(letters) or (blob := unpacked(letters) if is_blob(letters) else None) is None:
            return False
        add_blob(blob._replace(start=start, end=end), self._source, self._reading)
        return True

    def _person(self, start: int, end: int, kind: str) -> None:
        """Given names, particle, family name: in the order in which people write them."""
        builder = self._reading.prose
        separator = self._d.subcomponent if kind == "NDL" else self._d.component
        if kind == "NDL":
            start, end = _split(self._text, start, end, self._d.component)[0]
        parts = _split(self._text, start, end, separator)
        shift = 0 if kind == "XPN" else 1
        if shift:
            builder.gap("")
            self._add(*parts[0])  # the id of the professional
            builder.gap(" " if parts[0][0] < parts[0][1] else "")
        if len(parts) <= shift:
            return
        begin = builder.length
        family, inner = parts[shift], self._d.subcomponent
        subparts = _split(self._text, *family, inner) if kind != "NDL" else [family]
        # Family name: whole & own prefix & own name & partner's prefix & partner's name. The whole repeats
        # the
        # others; it is shown, they go with it.
        shown = [p for p in parts[shift + 1 : shift + 3] if p[0] < p[1]] + subparts[:1]
        if subparts[0][0] == subparts[0][1]:
            shown = shown[:-1] + [p for p in subparts[1:] if p[0] < p[1]]
        for at, (part_start, part_end) in enumerate(p for p in shown if p[0] < p[1]):
            if at:
                builder.gap(" ")
            builder.new_field()
            self._add(part_start, part_end)
        if subparts[0][0] < subparts[0][1]:
            for part_start, part_end in subparts[1:]:
                if part_start < part_end:
                    builder.attach(self._source, part_start, part_end, self._escape)
        builder.name(begin, builder.length)
        for part_start, part_end in parts[shift + 3 :]:
            if part_start < part_end:
                builder.gap(" ")
                builder.new_field()
                self._add(part_start, part_end)

    def _add(self, start: int, end: int) -> None:
        add_escaped(self._reading.prose, self._source, self._text, (start, end), self._d, self._escape)


def add_escaped(
    builder: TextBuilder, source: int, text: str, bounds: tuple[int, int], d: _Delimiters, escape: Escape
) -> None:
    """Characters of a field; \\T\\ and its like are atoms, \\.br\\ is a line break."""
    start, end = bounds
    position = start
    while d.escape.strip("\0") and (at := text.find(d.escape, position, end)) >= 0:
        stop = text.find(d.escape, at + 1, end)
        if stop < 0:
            break
        code = text[at + 1 : stop]
        builder.copied(source, text[position:at], position, escape)
        builder.atom(source, _meaning(code, d), at, stop + 1, escape)
        position = stop + 1
    builder.copied(source, text[position:end], position, escape)


def _meaning(code: str, d: _Delimiters) -> str:
    """What stands between two signs of escape means."""
    if code in _ESCAPES:
        return d[_ESCAPES[code]]
    if code in {".br", ".sp", ".ce"}:
        return "\n"
    if code[:1] == "X" and _HEX.fullmatch(code, 1):
        raw = bytes.fromhex(code[1:])
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1")
    return "" if code in {"H", "N"} else " "


def _escape(d: _Delimiters) -> Escape:
    table = {
        ord(d[index]): f"{d.escape}{code}{d.escape}" for code, index in _ESCAPES.items() if d[index] != "\0"
    }

    def escape(label: str) -> str:
        return label.translate(table).replace("\r", " ").replace("\n", " ")

    return escape


def _split(text: str, start: int, end: int, separators: str) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    position = start
    for at in range(start, end):
        if text[at] in separators:
            parts.append((position, at))
            position = at + 1
    parts.append((position, end))
    return parts
