"""XML of any vocabulary: element text and attributes are read; tags and declarations stay as they are."""

import re
from collections.abc import Sequence

from pseudonymizer.formats.tables.name_fields import NameField, name_field
from pseudonymizer.formats.text.markup import (
    add_text,
    as_reference,
    attributes,
    check_xml,
    decode_markup,
    escaped,
    has_letters,
    may_hold_name,
)
from pseudonymizer.formats.text.markup_tokens import Token, TokenKind, inner_range, tokens
from pseudonymizer.formats.text.packed_text import add_value, may_be_packed
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder

# "Jan_de_Vries": words with capitals, joined by signs that names of elements may have.
_JOINED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]+[_.-](?:[^\W\d_A-Z]+[_.-]){0,3}[^\W\d_a-z][^\W\d_A-Z]+")
_HINTED = frozenset({NameField.FULL, NameField.FAMILY})


def parse(raw: bytes, reading: Reading) -> TextNode:
    text, encoding, mark = decode_markup(raw)
    check_xml(text)
    source = reading.new_source()
    separate(reading.prose)
    add_xml(text, source, reading)
    return TextNode(source, text, encoding, mark, as_reference)


def add_xml(text: str, source: int, reading: Reading) -> None:
    """Each element that holds text on a line, "naam: Jan"; tags inside running text do not break it."""
    found = list(tokens(text))
    mixed = _mixed_elements(text, found)
    builder = reading.prose
    inline = 0  # how deep inside running text
    hint_from: int | None = None
    for number, token in enumerate(found):
        if token.kind is TokenKind.TEXT:
            value = text[token.start : token.end]
            if not inline and may_be_packed(value) and _add_packed(text, token, source, reading):
                hint_from = None
            elif not value.isspace() or inline:
                add_text(builder, source, text, token.start, token.end, collapse=True, named=False)
        elif token.kind is TokenKind.CDATA:
            start, end = inner_range(token)
            builder.copied(source, text[start:end], start, _in_cdata)
        elif token.kind is TokenKind.COMMENT:
            start, end = inner_range(token)
            separate(reading.aside, "\n")
            reading.aside.copied(source, text[start:end], start, _in_comment)
        elif token.kind is TokenKind.OTHER:
            separate(reading.technical, "\n")
            reading.technical.copied(source, text[token.start : token.end], token.start, _in_declaration)
        elif token.kind is TokenKind.START:
            if _JOINED.search(text, token.start, token.end):
                _tell_names(text, token, reading)
            if not inline:
                _new_line(reading)
            _add_attributes(text, token, source, reading, in_line=not inline)
            if not token.is_empty:
                inline += 1 if inline or number in mixed else 0
                if _holds_text(text, found, number):
                    local = token.name.rpartition(":")[2]
                    if not inline or (inline == 1 and number in mixed):
                        builder.gap(f"{local}: ")
                    is_hinted = reading.options.name_columns and name_field(local) in _HINTED
                    hint_from = builder.length if is_hinted and not inline else None
        elif token.kind is TokenKind.END:
            if hint_from is not None:
                builder.name(hint_from, builder.length)
                hint_from = None
            inline -= 1 if inline else 0
            if not inline:
                _new_line(reading)


def _add_packed(text: str, token: Token, source: int, reading: Reading) -> bool:
    """An element that holds JSON, an escaped page or base64; False for one of words."""
    value = TextBuilder()
    add_text(value, source, text, token.start, token.end, collapse=False, named=False)
    return add_value(value, reading)


def _tell_names(text: str, token: Token, reading: Reading) -> None:
    """An element or an attribute that is called as somebody may be: its name belongs to the format."""
    for name in (token.name, *(attribute.name for attribute in attributes(text, token))):
        if _JOINED.fullmatch(name.rpartition(":")[2]):
            reading.leave_unread("name of an element")


def _new_line(reading: Reading) -> None:
    if reading.prose.length and not reading.prose.ends_with("\n"):
        reading.prose.gap("\n")
    reading.prose.new_field()


def _holds_text(text: str, found: Sequence[Token], number: int) -> bool:
    after = found[number + 1] if number + 1 < len(found) else None
    return after is not None and (
        after.kind is TokenKind.CDATA
        or (after.kind is TokenKind.TEXT and not text[after.start : after.end].isspace())
    )


def _mixed_elements(text: str, found: Sequence[Token]) -> frozenset[int]:
    """Numbers of the start tags whose elements hold text beside elements."""
    mixed: set[int] = set()
    open_elements: list[tuple[int, bool, bool]] = []  # number of the tag, has text, has elements
    for number, token in enumerate(found):
        if token.kind is TokenKind.START:
            if open_elements:
                at, has_text, _ = open_elements[-1]
                open_elements[-1] = (at, has_text, True)
            if not token.is_empty:
                open_elements.append((number, False, False))
        elif token.kind is TokenKind.END and open_elements:
            at, has_text, has_elements = open_elements.pop()
            if has_text and has_elements:
                mixed.add(at)
        elif token.kind is TokenKind.TEXT and open_elements and not text[token.start : token.end].isspace():
            at, _, has_elements = open_elements[-1]
            open_elements[-1] = (at, True, has_elements)
    return frozenset(mixed)


def _add_attributes(text: str, token: Token, source: int, reading: Reading, *, in_line: bool) -> None:
    for attribute in attributes(text, token):
        value = text[attribute.start : attribute.end]
        if not has_letters(value) or (attribute.name.startswith("xmlns") and not may_hold_name(value)):
            continue
        if not in_line or ":/" in value or "@" in value:
            separate(reading.technical, "\n")
            add_text(
                reading.technical, source, text, attribute.start, attribute.end, collapse=False, named=False
            )
            continue
        reading.prose.gap(f"{attribute.name.rpartition(':')[2]}: ")
        begin = reading.prose.length
        add_text(reading.prose, source, text, attribute.start, attribute.end, collapse=False, named=False)
        if reading.options.name_columns and name_field(attribute.name) in _HINTED:
            reading.prose.name(begin, reading.prose.length)
        _new_line(reading)


def _in_cdata(label: str) -> str:
    return label.replace("]]>", "]] >")


def _in_declaration(label: str) -> str:
    return "".join(letter for letter in label if letter not in "<>?\"'[]")


def _in_comment(label: str) -> str:
    return escaped(label).replace("--", "-&#45;")
