"""JSON and JSON lines: strings, values and keys alike, are read; everything between them stays as it is."""

import json
import re
from collections.abc import Iterator

from linkage.errors import DamagedDocumentError, DocumentTooLargeError
from linkage.kinds import PERSON
from linkage.reading import decode
from linkage.records import Span
from pseudonymizer.formats.groups import group_field
from pseudonymizer.formats.tables.name_fields import NameField, header_of, looks_like_name, name_field
from pseudonymizer.formats.tables.table_columns import ColumnCells
from pseudonymizer.formats.text.packed_text import add_value, may_be_packed
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import Escape, TextBuilder

_TOKEN = re.compile(r'"(?:[^"\\]+|\\.)*"|[{}\[\]:,]|-?[\d.][\d.eE+-]*|[A-Za-z]+')
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.")
_CODES = re.compile(r"\\u([0-9a-fA-F]{4})")
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_MAY_BE_NAME = re.compile(r"[^\W\d_a-z].*[ _.][^\W\d_a-z]")  # two words with a capital, or with initials
_JOINED = re.compile(r"[^\W\d_a-z][^\W\d_]+[_.-]+(?:[^\W\d_]+[_.-]+){0,3}[^\W\d_a-z][^\W\d_]+")
_HINTED = frozenset({NameField.FULL, NameField.FAMILY})


def escaped(label: str) -> str:
    return json.dumps(label, ensure_ascii=False)[1:-1]


def _escaped_ascii(character: str) -> str:
    return json.dumps(character)[1:-1]


def parse(raw: bytes, reading: Reading) -> TextNode:
    return text_tree(raw, reading, _add_checked, fallback=_escaped_ascii)


def _add_checked(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    _check(text)
    add_json(text, start, end, source, reading)


def parse_lines(raw: bytes, reading: Reading) -> TextNode:
    """Each line is a document. Of a line with "text", the text is the document, doc_id its id, language the
    code of its language, and group, or the field that the options name, the dossier that it belongs to.
    """
    decoded = decode(raw)
    text = decoded.text
    source = reading.new_source()
    position = 0
    nested = reading.depth > 0
    for number, line in enumerate(text.split("\n")):
        end = position + len(line)
        if line.strip():
            value = _check(line, number + 1)
            members = value if isinstance(value, dict) else {}
            is_text = isinstance(members.get("text"), str)
            separate(reading.prose)
            if is_text:
                _add_text_line(text, position, end, source, reading)
            else:
                add_json(text, position, end, source, reading)
            if not nested:
                key = members.get("doc_id") if is_text else None
                group = str(members.get(group_field(reading.options.group_by)) or "") if is_text else ""
                said = members.get("language") if is_text else None
                language = said if isinstance(said, str) else ""
                reading.finish_part(str(number), key if isinstance(key, str) else None, group, language)
        position = end + 1
    return TextNode(source, text, decoded.encoding, decoded.byte_order_mark, _escaped_ascii)


def _check(text: str, line: int | None = None) -> object:
    where = "" if line is None else f"line {line}, "
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise DamagedDocumentError(f"no valid JSON: {where}character {error.pos}") from None
    except RecursionError:
        raise DocumentTooLargeError("the JSON is nested too deep to be read") from None


def _strings(text: str, start: int, end: int) -> Iterator[tuple[str, int, int, bool]]:
    """(token, start, end, is a key) for each token but separators; depth is not needed to show the text."""
    tokens = list(_TOKEN.finditer(text, start, end))
    for number, token in enumerate(tokens):
        first = token[0][0]
        if first in ":,":
            continue
        is_key = first == '"' and number + 1 < len(tokens) and tokens[number + 1][0] == ":"
        yield token[0], token.start(), token.end(), is_key


def add_json(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """One line for each value, after its key: "naam: Jan"."""
    builder = reading.prose
    role: NameField | None = None
    has_key = False
    key = ""
    columns: dict[str, ColumnCells] = {}
    for token, token_start, token_end, is_key in _strings(text, start, end):
        if token[0] in "{}[]":
            if has_key:
                builder.gap("\n")
            has_key = False
            continue
        if is_key:
            if has_key:
                builder.gap("\n")
            builder.new_field()
            key = token[1:-1]
            role = name_field(key) if reading.options.name_columns else None
            if _JOINED.search(key):  # no word of a text: searched, as a name of a file is
                builder.gap(key)
                separate(reading.technical, "\n")
                add_string(reading.technical, source, text, token_start + 1, token_end - 1)
            else:
                add_string(builder, source, text, token_start + 1, token_end - 1)
            builder.gap(": ")
            has_key = True
            continue
        builder.new_field()
        begin = builder.length
        if token[0] == '"':
            if may_be_packed(token) and _add_packed(text, token_start + 1, token_end - 1, source, reading):
                has_key = False
                continue
            add_string(builder, source, text, token_start + 1, token_end - 1)
            if role is not None and role in _HINTED and looks_like_name(token[1:-1], role):
                builder.name(begin, builder.length)
            if has_key and builder.length > begin and _is_of_other_kind(key):
                cells = columns.setdefault(key, ColumnCells(key))
                cells.add(Span(begin, builder.length), token[1:-1])
        else:
            builder.gap(token)
        builder.gap("\n")
        has_key = False
    for cells in columns.values():
        cells.close(builder, reading.options, were_chosen=False)


def _add_packed(text: str, start: int, end: int, source: int, reading: Reading) -> bool:
    """A string that holds JSON, a page or base64; False for one of words."""
    value = TextBuilder()
    add_string(value, source, text, start, end)
    return add_value(value, reading)


def _is_of_other_kind(key: str) -> bool:
    """Whether a key says a kind of values, other than names."""
    header = header_of(key)
    return header is not None and header.kind not in (None, PERSON)


def _add_text_line(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """The value of "text" is prose; other strings of the line are technical, since they are not the document,
    and so are keys in which a full name may stand.
    """
    depth = 0
    key = ""
    for token, token_start, token_end, is_key in _strings(text, start, end):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
        elif is_key:
            key = json.loads(token) if depth == 1 else key
            if _MAY_BE_NAME.search(token):
                separate(reading.technical, "\n")
                add_string(reading.technical, source, text, token_start + 1, token_end - 1)
        elif token[0] == '"':
            is_document = depth == 1 and key == "text"
            if not is_document and may_be_packed(token):
                value = TextBuilder()
                add_string(value, source, text, token_start + 1, token_end - 1)
                prose, reading.prose = reading.prose, reading.technical
                is_packed = add_value(value, reading)
                reading.technical, reading.prose = reading.prose, prose
                if is_packed:
                    continue
            builder = reading.prose if is_document else reading.technical
            if not is_document:
                separate(builder, "\n")
            add_string(builder, source, text, token_start + 1, token_end - 1)


def add_string(
    builder: TextBuilder, source: int, text: str, start: int, end: int, escape: Escape = escaped
) -> None:
    """The characters of a JSON string between its quotes; escapes are atoms."""
    position = start
    while (slash := text.find("\\", position, end)) >= 0:
        builder.copied(source, text[position:slash], position, escape)
        found = _ESCAPES.match(text, slash, end)
        if found is None:
            raise DamagedDocumentError(f"no valid JSON escape at character {slash}")
        if found[0][1] == "u":
            _add_codes(builder, source, found, escape)
        else:
            builder.atom(source, _SIMPLE.get(found[0][1], found[0][1]), found.start(), found.end(), escape)
        position = found.end()
    builder.copied(source, text[position:end], position, escape)


def _add_codes(builder: TextBuilder, source: int, found: re.Match[str], escape: Escape) -> None:
    """A run of \\uXXXX: two surrogates are one character."""
    codes = [int(code, 16) for code in _CODES.findall(found[0])]
    at = 0
    while at < len(codes):
        width = 2 if at + 1 < len(codes) and 0xD800 <= codes[at] < 0xDC00 <= codes[at + 1] < 0xE000 else 1
        if width == 2:
            character = chr(0x10000 + ((codes[at] - 0xD800) << 10) + (codes[at + 1] - 0xDC00))
        else:
            # Half a surrogate pair is no character; it stays in the file and is shown as a replacement sign.
            character = "\ufffd" if 0xD800 <= codes[at] < 0xE000 else chr(codes[at])
        start = found.start() + 6 * at
        builder.atom(source, character, start, start + 6 * width, escape)
        at += width
