"""HTML and XML: attributes of tags, character references as atoms, encodings."""

import re
from collections.abc import Iterator
from html import escape as _html_escape
from html.entities import html5
from typing import NamedTuple
from xml.parsers import expat

from linkage.errors import DamagedDocumentError, EncodingUndeterminedError, UnsupportedInputError
from linkage.reading import decode
from pseudonymizer.formats.text.markup_tokens import Token
from pseudonymizer.formats.tree.textmap import TextBuilder

_ATTRIBUTES = re.compile(r"([^\s=/\"'<>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));?")
_PIECES = re.compile(r"&[#A-Za-z][#A-Za-z0-9]*;?|\s+")
_DECLARED = re.compile(r"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_MAY_HOLD_NAME = re.compile(r"[^\W\d_]{2,}(?:&#?\w+;|%[0-9A-Fa-f]{2}|[ ._,+'\u2019-])+[^\W\d_]{2,}|&#")
_LEAST_NAME = 5  # letters of a full name and what stands between its words
# Languages ("en-US") and fonts of themes ("+mn-lt").
_OF_PROGRAMS = re.compile(r"[a-z]{2,3}-[A-Z]{2}|\+m[nj]-[a-z]{2}")
_OF_STANDARDS = (
    "http://schemas.", "http://purl.oclc.org/", "http://www.w3.org/", "urn:schemas", "urn:oasis", "vnd.",
    "http://openoffice.org/", "application/", "{",
)  # fmt: skip
_XML_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Attribute(NamedTuple):
    name: str
    start: int
    end: int


def attributes(text: str, token: Token) -> Iterator[Attribute]:
    """Name of each attribute of a tag, and where its value stands."""
    for found in _ATTRIBUTES.finditer(text, token.start + 1 + len(token.name), token.end - 1):
        group = 2 if found[2] is not None else 3 if found[3] is not None else 4
        yield Attribute(found[1], found.start(group), found.end(group))


def has_letters(value: str) -> bool:
    """Whether a value, as it is written, holds letters, or numbers that stand for them."""
    return "&#" in value or any(character.isalpha() for character in value)


def may_hold_name(value: str) -> bool:
    """Whether the value of an attribute, as it is written, may hold a full name: two words at least."""
    return (
        len(value) >= _LEAST_NAME
        and _MAY_HOLD_NAME.search(value) is not None
        and not value.startswith(_OF_STANDARDS)
        and _OF_PROGRAMS.fullmatch(value) is None
    )


def escaped(label: str) -> str:
    """For text and attribute values of HTML and XML."""
    return _html_escape(label, quote=True)


def as_reference(character: str) -> str:
    return f"&#{ord(character)};"


def add_text(
    builder: TextBuilder,
    source: int,
    text: str,
    start: int,
    end: int,
    *,
    collapse: bool,
    named: bool = True,
) -> None:
    """Add the characters of text[start:end]; a label in their place is escaped. collapse: white space counts
    as one space; named: HTML's entities."""
    position = start
    for found in _PIECES.finditer(text, start, end):
        piece_start, piece_end = found.span()
        is_space = found[0][0] != "&"
        if is_space and (not collapse or found[0] == " "):
            if collapse and builder.ends_with((" ", "\n")) and position == piece_start:
                position = piece_end
            continue
        character, piece_end = (" ", piece_end) if is_space else _meaning(text, piece_start, end, named=named)
        if character is None:
            continue
        builder.copied(source, text[position:piece_start], position, escaped)
        position = piece_end
        if character == "\u00a0" and collapse:
            character = " "
        if is_space and builder.ends_with((" ", "\n")):
            continue
        builder.atom(source, character, piece_start, piece_end, escaped)
    builder.copied(source, text[position:end], position, escaped)


def _meaning(text: str, start: int, end: int, *, named: bool) -> tuple[str | None, int]:
    """The character that a reference stands for and where it ends; None for what is no reference."""
    found = _REFERENCE.match(text, start, end)
    if found is None:
        return None, end
    if found[1] or found[2]:
        code = int(found[1]) if found[1] else int(found[2], 16)
        if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000:
            return chr(code), found.end()
        return None, end
    name = found[3]
    if found[0].endswith(";"):
        character = html5.get(f"{name};") if named else _XML_NAMED.get(name)
        if character is not None:
            return character, found.end()
    if named:
        # Old pages leave the semicolon out; the longest name that HTML allows without it counts.
        for length in range(len(name), 1, -1):
            if name[:length] in html5:
                return html5[name[:length]], start + 1 + length
    return None, end


def decode_markup(raw: bytes) -> tuple[str, str, bytes]:
    """(text, encoding, byte order mark) of XML: by its mark, else by its declaration, else as other text.

    Raises:
        EncodingUndeterminedError: the declaration and the bytes do not agree.
    """
    declared = _DECLARED.match(raw[:200].decode("latin-1").lstrip("\u00ef\u00bb\u00bf"))
    if declared is None or raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        decoded = decode(raw)
        return decoded.text, decoded.encoding, decoded.byte_order_mark
    encoding = declared[1]
    try:
        text = raw.decode(encoding)
        same = text.encode(encoding) == raw
    except (LookupError, UnicodeError):
        raise EncodingUndeterminedError(
            "the file is not in the encoding that its first line declares"
        ) from None
    if not same:
        raise EncodingUndeterminedError("the file is no canonical text of the encoding that it declares")
    return text, encoding, b""


def check_xml(text: str) -> None:
    """Raises DamagedDocumentError unless text is well-formed, UnsupportedInputError if it declares
    entities."""
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.Parse(text, True)  # noqa: FBT003  # expat takes no keywords
    except expat.ExpatError as error:
        raise DamagedDocumentError(
            f"no well-formed XML: line {error.lineno}, column {error.offset}"
        ) from None


def _refuse_entity(*_: object) -> None:
    raise UnsupportedInputError(
        "the XML declares entities, which may hide text or blow it up; expand them first"
    )
