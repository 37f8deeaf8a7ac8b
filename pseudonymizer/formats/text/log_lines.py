"""Logs of programs: lines as they stand, with percent signs and codes of letters read as what they mean."""

import re
from typing import Final
from urllib.parse import quote

from pseudonymizer.formats.tables.name_fields import NameField, looks_like_name, name_field
from pseudonymizer.formats.text.escapes import CODES, PERCENT
from pseudonymizer.formats.text.packed_text import add_blob, blobs
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import unescaped

# The value of a field of a query: there a plus sign is a blank.
_QUERY: Final = re.compile(r"[?&][\w.%\[\]-]{1,80}=[^&\s\"'<>]+")
# Moments, and the source of a message behind its level: no words of anybody. The source is searched.
_MOMENT: Final = re.compile(r"\[?\d{1,2}/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?\]?")
_SOURCE: Final = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|CRITICAL|FATAL)\b[:\]]?[ \t]+"
    r"(?:\[[^\]\n]*\][ \t]*)*"
    r"(?P<source>[A-Za-z_$][\w.$-]*)(?=:[ \t]|[ \t]+-[ \t])"
)
_FIELD: Final = re.compile(
    r"(?<![\w-])(?P<key>[A-Za-z_]{2,30})=(?P<value>\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\s&,;\"'\])]+)"
)
_HINTED: Final = frozenset({NameField.FULL, NameField.FAMILY, NameField.GIVEN})
_WAYS: Final = (PERCENT, CODES)


def parse(raw: bytes, reading: Reading) -> TextNode:
    """All lines; the value of a field whose key says so is a name."""
    return text_tree(raw, reading, _add)


def _add(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    del start, end  # all of it
    builder = reading.prose
    found: list[tuple[int, int, str]] = []
    for way in _WAYS:
        found += [
            (start, end, meaning)
            for start, end in way.places(text, 0, len(text))
            if (meaning := way.meaning(text[start:end])) is not None
        ]
    for query in _QUERY.finditer(text):
        found += [(at, at + 1, " ") for at in range(*query.span()) if text[at] == "+"]
    ends = {query.end() for query in _QUERY.finditer(text) if text[query.end() : query.end() + 1] == "&"}
    found += [(at, at, "") for at in ends]
    shown = {one.start(): one.end() for one in _MOMENT.finditer(text)}
    sources = {one.start("source"): one.end("source") for one in _SOURCE.finditer(text)}
    found += [(start, end, "") for start, end in [*shown.items(), *sources.items()]]
    packed = {blob.start: blob for blob in blobs(text, 0, len(text))}
    found += [(blob.start, blob.end, "") for blob in packed.values()]
    names = _names(text, reading)
    wanted = sorted({at for one in names for at in one}, reverse=True)
    places: dict[int, int] = {}
    position = 0
    for start, end, meaning in [*sorted(found), (len(text), len(text), "")]:
        if start < position:
            continue
        while wanted and wanted[-1] <= start:
            at = wanted.pop()
            if at >= position:
                builder.copied(source, text[position:at], position)
                places[at], position = builder.length, at
        builder.copied(source, text[position:start], position)
        if start in packed and packed[start].end == end:
            builder.gap(" ")
            prose, reading.prose = reading.prose, reading.aside
            add_blob(packed[start], source, reading)
            reading.aside, reading.prose = reading.prose, prose
        elif start in shown or start in sources:
            builder.gap(text[start:end] if start in shown else " ")
            if start in sources:
                separate(reading.technical, "\n")
                reading.technical.copied(source, text[start:end], start)
        elif start in ends:
            builder.gap(" ")  # another field of the query begins
        elif end > start:
            builder.atom(source, meaning, start, end, _in_address if text[start] in "%+" else unescaped)
        position = end
    for first, last in names:
        if first in places and last in places:
            builder.name(places[first], places[last])


def _names(text: str, reading: Reading) -> list[tuple[int, int]]:
    """Where the values stand whose keys say that they are names."""
    if not reading.options.name_columns:
        return []
    spans: list[tuple[int, int]] = []
    for found in _FIELD.finditer(text):
        role = name_field(found["key"], reading.options.language)
        start, end = found.span("value")
        if found["value"][0] in "\"'":
            start, end = start + 1, end - 1
        if role in _HINTED and "%" not in text[start:end] and looks_like_name(text[start:end], role):
            spans.append((start, end))
    return spans


def _in_address(label: str) -> str:
    return quote(label, safe="")
