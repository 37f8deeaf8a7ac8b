"""Settings as text (YAML, TOML, INI): keys and values as they stand, quoted values by what they mean.

Such files are often fragments, or written for a template: they are read line by line, and none is refused.
"""

import re
from typing import Final

from pseudonymizer.formats.tables.name_fields import NameField, looks_like_name, name_field
from pseudonymizer.formats.text.escapes import CODES, Escapes, add_escaped, code_point
from pseudonymizer.formats.text.packed_text import blobs, may_be_packed
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, text_tree
from pseudonymizer.formats.tree.textmap import TextBuilder

# A quoted value begins after a sign of the notation, never inside a word ("it's").
_QUOTED: Final = re.compile(
    r"(?<![\w'\"\\])(?:\"\"\"(?P<long>(?:[^\"\\]|\\.|\"(?!\"\"))*)\"\"\"|\"(?P<double>(?:[^\"\\\r\n]|\\.)*)\""
    r"|'(?P<single>(?:[^'\r\n]|'')*)'(?!\w))",
    re.DOTALL,
)
_FIELD: Final = re.compile(
    r"^[ \t]*(?:-[ \t]+)*[\"']?(?P<key>[\w][\w .-]{0,60}?)[\"']?[ \t]*(?::(?=[ \t]|$)|=)"
    r"[ \t]*(?P<value>[^\r\n#]*?)[ \t]*\r?$",
    re.MULTILINE,
)
_SIMPLE: Final = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "_": "\u00a0",
}
_HINTED: Final = frozenset({NameField.FULL, NameField.FAMILY, NameField.GIVEN})
_BACKSLASH: Final = Escapes(
    re.compile(r"\\(?![uUx])[^\r\n]"), lambda written: _SIMPLE.get(written[1], written[1])
)
# Letters that the encoding lacks, as settings of Java write them, which know no quotes.
_CODED: Final = Escapes(re.compile(r"\\u[0-9A-Fa-f]{4}"), code_point)
_OPENS: Final = "[]{}*&!|>%@`"  # signs that mean something at the beginning of a bare value


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The whole text, quoted values decoded; the value of a key that says so is a name."""
    return text_tree(raw, reading, add_settings)


def add_settings(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """Add text[start:end] to the prose of reading."""
    builder = reading.prose
    places: dict[
        int, int
    ] = {}  # where values of fields begin and end: in the source, in the text of the part
    wanted = sorted(
        {
            at
            for found in _FIELD.finditer(text, start, end)
            if found["value"] and _is_name(found["key"], found["value"], reading)
            for at in _inside(found)
        }
    )
    position = start
    for quoted in [*_QUOTED.finditer(text, start, end), None]:
        stop = quoted.start() if quoted is not None else end
        _add(builder, source, text, position, stop, wanted, places, is_double=None)
        if quoted is None:
            break
        group = quoted.lastgroup or "double"
        builder.copied(source, text[stop : quoted.start(group)], stop)
        first, last = quoted.span(group)
        packed = list(blobs(text, first, last)) if may_be_packed(text[first:last]) else []
        if packed and packed[0].text is None:
            reading.leave_unread("encoded content")
            builder.gap(" ")
        else:
            _add(builder, source, text, first, last, wanted, places, is_double=group != "single")
        builder.copied(source, text[last : quoted.end()], last)
        position = quoted.end()
    for found in _FIELD.finditer(text, start, end):
        if found["value"] and _is_name(found["key"], found["value"], reading):
            first, last = _inside(found)
            if first in places and last in places:
                builder.name(places[first], places[last])


def _is_name(key: str, value: str, reading: Reading) -> bool:
    if not reading.options.name_columns:
        return False
    role = name_field(key.strip(), reading.options.language)
    bare = value.strip("\"' ")
    return role in _HINTED and looks_like_name(bare, role) and bare[:1] not in _OPENS


def _inside(found: re.Match[str]) -> tuple[int, int]:
    """Where the value of a field stands, without its quotes."""
    start, end = found.span("value")
    if end - start >= 2 and found["value"][0] in "\"'" and found["value"][-1] == found["value"][0]:
        return start + 1, end - 1
    return start, end


def _add(
    builder: TextBuilder,
    source: int,
    text: str,
    start: int,
    end: int,
    wanted: list[int],
    places: dict[int, int],
    *,
    is_double: bool | None,
) -> None:
    """A stretch of one kind: bare, in double quotes or in single ones. Notes where the wanted places come."""
    position = start
    for at in [*(one for one in wanted if start <= one <= end), end]:
        if is_double is None:
            add_escaped(builder, source, text, position, at, ways=(_CODED,), escape=_bare)
        elif is_double:
            add_escaped(builder, source, text, position, at, ways=(CODES, _BACKSLASH), escape=_in_double)
        else:
            _add_single(builder, source, text, position, at)
        places[at] = builder.length
        position = at


def _add_single(builder: TextBuilder, source: int, text: str, start: int, end: int) -> None:
    doubled = Escapes(re.compile("''"), lambda _: "'")
    add_escaped(builder, source, text, start, end, ways=(doubled, _CODED), escape=_in_single)


def _bare(label: str) -> str:
    """A label in a bare value: nothing that opens a list, a comment or another key."""
    return label.strip(_OPENS).replace(": ", " ").replace(" #", " ").replace("\n", " ")


def _in_double(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _in_single(label: str) -> str:
    return label.replace("'", "''")
