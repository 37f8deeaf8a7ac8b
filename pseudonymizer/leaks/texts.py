"""The texts that one text holds in other spellings: markup, references, escapes, percent signs, base64."""

import base64
import binascii
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from typing import Final

from pseudonymizer.leaks.notations import readings

# Addresses of vocabularies, which every file of a format has; nobody wrote them.
_VOCABULARY: Final = re.compile(r"""xmlns(?<=\sxmlns)(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')""")
_DOCTYPE: Final = re.compile(r"<!DOCTYPE[^>]*>")
# Markup that ends a paragraph, a cell or a line: what stands before and behind it are two words.
_ENDS: Final = (
    "</w:p>", "<w:br/>", "<w:tab/>", "</a:p>", "<a:br/>", "</text:p>", "</text:h>", "<text:line-break/>",
    "</si>", "</c>", "</is>", "</p>", "<br>", "<br/>", "<br />", "</td>", "</th>", "</tr>", "</li>", "</div>",
    "</title>", "</h1>", "</h2>", "</h3>", "</P>", "<BR>", "</TD>", "</TH>", "</TR>", "</LI>", "</DIV>",
)  # fmt: skip
_TAG: Final = re.compile(r"<[^<>]*>")
_BETWEEN: Final = re.compile(r">\s*+[^<\s]")
_ATTRIBUTE: Final = re.compile(r"""=\s*(?:"([^"<]{5,})"|'([^'<]{5,})')""")
_SHORT: Final = 12  # letters of an attribute that is a word of the format, where nothing in it says otherwise
_SAYS: Final = re.compile(r"[ _@%&+\\=]|\d{6}")  # what a full name or a value is put together with
_COMMENT: Final = re.compile(r"<!--(.*?)-->|<!\[CDATA\[(.*?)\]\]>|<\?(.*?)\?>", re.DOTALL)
_WORD: Final = re.compile(r"=\?[\w-]+\?[BbQq]\?[^?\s]*\?=(?:\s+=\?[\w-]+\?[BbQq]\?[^?\s]*\?=)*")
_BASE64: Final = re.compile(
    r"(?:[A-Za-z0-9+/]{4}\s{0,4}){6,}[A-Za-z0-9+/]{0,3}={0,2}|(?:[A-Za-z0-9_-]{4}){6,}[A-Za-z0-9_-]{0,3}"
)
_OF_ADDRESSES: Final = str.maketrans("-_", "+/")  # base64 of addresses and tokens (RFC 4648, section 5)
_LEAST_PACKED: Final = 18  # bytes of base64 that are unpacked: less holds no full name with a label


def spellings(text: str) -> Iterator[str]:
    """All that the text says: as it stands, or, of markup, what stands between tags, in attributes, and in
    comments; each in the notations that it may have (see notations).
    """
    is_markup = "<" in text and _TAG.search(text) is not None
    for view in _of_markup(text) if is_markup else (text,):
        yield view
        yield from readings(view)
        if "=?" in view:
            yield from _encoded_words(view)


def _of_markup(text: str) -> Iterator[str]:
    own = _DOCTYPE.sub("", _VOCABULARY.sub("", text))
    if (
        not own.startswith("<") or _BETWEEN.search(own) is not None
    ):  # parts with looks alone, the largest, have nothing between their tags
        yield _TAG.sub("\n", own)  # names in one piece
        ended = own
        for end in _ENDS:
            ended = ended.replace(end, "\n")
        yield _TAG.sub("", ended)  # names of which a part is marked
    attributes = {double or single for double, single in _ATTRIBUTE.findall(own)}  # most stand there often
    if saying := [value for value in attributes if len(value) > _SHORT or _SAYS.search(value) is not None]:
        yield "\n".join(sorted(saying))
    if "<!" in own or "<?" in own:
        yield "\n".join("".join(part or "" for part in found) for found in _COMMENT.findall(own))


def packed(text: str) -> Iterator[bytes]:
    """What stands in the text as base64."""
    for found in _BASE64.finditer(text):
        digits = "".join(found[0].split()).translate(_OF_ADDRESSES)
        try:
            raw = base64.b64decode(digits[: len(digits) // 4 * 4], validate=True)
        except (binascii.Error, ValueError):
            continue
        if len(raw) >= _LEAST_PACKED:
            yield raw


def _encoded_words(text: str) -> Iterator[str]:
    """The words of headers in the way of RFC 2047."""
    for found in _WORD.finditer(text):
        try:
            yield str(make_header(decode_header(found[0])))
        except (LookupError, UnicodeError, ValueError, binascii.Error):
            continue
