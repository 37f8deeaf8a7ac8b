"""HTML: what a reader sees, with the names split over tags joined, and what a page holds out of sight."""

import re

from linkage.errors import EncodingUndeterminedError
from linkage.reading import decode
from pseudonymizer.formats.text.escapes import CODES, Escapes, add_escaped
from pseudonymizer.formats.text.markup import add_text, as_reference, attributes, may_hold_name
from pseudonymizer.formats.text.markup_tokens import Token, TokenKind, inner_range, tokens
from pseudonymizer.formats.text.packed_text import add_value
from pseudonymizer.formats.text.page_marks import PAGE_MARK
from pseudonymizer.formats.text.page_tables import PageTable
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span"
    " strike strong sub sup time tt u var wbr o:p bold italic underline fixed smaller bigger color fontfamily"
)
_CELLS = frozenset({"td", "th"})
# What Word writes behind the name of a style for paragraphs that is used for characters as well.
_LINKED = Escapes(re.compile(r"(?<=[\w.])[ -]Char(?![\w-])"), lambda _: "")
_SPANNING = re.compile(r"(?:col|row)span\s*=\s*[\"']?(?!1\b)\d", re.IGNORECASE)
_HIDDEN = frozenset({"script", "style"})
_READ_ATTRIBUTES = words(
    "title alt placeholder content value aria-label aria-description label summary caption author data-"
    " author data-name data-title data-content"
)
_SKIPPED_ATTRIBUTES = words(
    "class style type rel charset http-equiv lang dir width height align valign border cellpadding"
    " cellspacing bgcolor color face size colspan rowspan media method enctype target role xmlns"
)
# A value of several words whose author forgot the quotes: readers take the first word alone.
_BARE_WORDS = re.compile(
    r"=[ \t]*(?P<words>[^\W\d_a-z][^\s\"'=<>`/]*(?:[ \t]+[^\s\"'=<>`/]+)+)(?=[ \t]*/?>|[ \t]+[\w-]+=)"
)
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9._-]+)", re.IGNORECASE)


def parse(raw: bytes, reading: Reading) -> TextNode:
    text, encoding, mark = decode_html(raw)
    source = reading.new_source()
    separate(reading.prose)
    add_html(text, 0, len(text), source, reading)
    return TextNode(source, text, encoding, mark, as_reference)


def decode_html(raw: bytes) -> tuple[str, str, bytes]:
    """(text, encoding, byte order mark): by the mark, else by what the page declares, else as other text.

    Raises:
        EncodingUndeterminedError: no encoding fits.
    """
    declared = _CHARSET.search(raw[:2048])
    if declared is not None and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        encoding = declared[1].decode("ascii")
        try:
            text = raw.decode(encoding)
            if text.encode(encoding) == raw:
                return text, encoding, b""
        except (LookupError, UnicodeError):
            pass  # pages often declare what they are not
    try:
        decoded = decode(raw)
    except EncodingUndeterminedError:
        raise EncodingUndeterminedError(
            "the page is not in the encoding it declares, nor in another"
        ) from None
    return decoded.text, decoded.encoding, decoded.byte_order_mark


def add_html(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """Shown text, titles and comments are prose; link targets, ids and scripts are technical."""
    builder = reading.prose
    hidden: str | None = None
    preformatted = 0
    tables: list[PageTable] = []
    for token in tokens(text, start, end):
        name = token.name.lower()
        if hidden is not None:
            if token.kind is TokenKind.END and name == hidden:
                hidden = None
            else:
                separate(reading.technical, "\n")
                ways = (CODES, _LINKED) if hidden == "style" else (CODES,)
                add_escaped(reading.technical, source, text, token.start, token.end, ways=ways)
            continue
        if token.kind is TokenKind.TEXT:
            add_text(builder, source, text, token.start, token.end, collapse=preformatted == 0)
        elif token.kind in {TokenKind.COMMENT, TokenKind.CDATA}:
            _break(reading)
            add_html(text, *inner_range(token), source, reading)
            _break(reading)
        elif token.kind in {TokenKind.START, TokenKind.END}:
            if name == "pre":
                preformatted += 1 if token.kind is TokenKind.START else -1 if preformatted else 0
            if name in _CELLS:
                if token.kind is TokenKind.END:
                    if tables:
                        tables[-1].end_cell(builder)
                    builder.gap("\t")
                builder.new_field()
                if token.kind is TokenKind.START and tables:
                    tables[-1].begin_cell(builder)
                    tables[-1].is_layout |= _SPANNING.search(text, token.start, token.end) is not None
            elif name not in _INLINE:
                _break(reading)
                _table_tag(name, token, tables, reading)
            if token.kind is TokenKind.START:
                add_attributes(text, token, source, reading)
                if name in _HIDDEN and not token.is_empty:
                    hidden = name


def _table_tag(name: str, token: Token, tables: list[PageTable], reading: Reading) -> None:
    """Open and close the tables of a page, and their rows."""
    is_start = token.kind is TokenKind.START
    if name == "table" and is_start:
        for outer in tables:
            outer.is_layout = True
        tables.append(PageTable())
    elif name == "table" and tables:
        tables.pop().close(reading.prose, reading.options)
    elif name == "tr" and is_start and tables:
        tables[-1].begin_row()


def _break(reading: Reading) -> None:
    if reading.prose.length and not reading.prose.ends_with("\n"):
        reading.prose.gap("\n")
    reading.prose.new_field()


def add_attributes(text: str, token: Token, source: int, reading: Reading) -> None:
    """Titles of a tag come apart, addresses and ids are searched."""
    if text[token.start : token.end] == PAGE_MARK:
        return
    for bare in _BARE_WORDS.finditer(text, token.start, token.end):
        separate(reading.technical, "\n")
        add_text(reading.technical, source, text, *bare.span("words"), collapse=False)
    for attribute in attributes(text, token):
        name = attribute.name.lower()
        if attribute.start == attribute.end:
            continue
        if name in _SKIPPED_ATTRIBUTES and not may_hold_name(text[attribute.start : attribute.end]):
            continue
        if name == "class":
            separate(reading.technical, "\n")
            add_escaped(
                reading.technical, source, text, attribute.start, attribute.end, ways=(CODES, _LINKED)
            )
            continue
        if name in _READ_ATTRIBUTES and not (token.name.lower() == "meta" and name != "content"):
            # A title stands in the middle of a sentence; its text goes to lines of its own, out of the way.
            separate(reading.aside, "\n")
            add_text(reading.aside, source, text, attribute.start, attribute.end, collapse=True)
        else:
            if "base64," in text[attribute.start : min(attribute.start + 200, attribute.end)]:
                value = TextBuilder()
                add_text(value, source, text, attribute.start, attribute.end, collapse=False)
                if add_value(value, reading):
                    continue
            separate(reading.technical, "\n")
            add_text(reading.technical, source, text, attribute.start, attribute.end, collapse=False)
